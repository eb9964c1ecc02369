/// HAR 1.2 by its specification.
public struct HAREstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "har", aliases: ["har.spec"], title: "HAR 1.2 by its specification", evidence: .documentation,
        source: """
            HAR 1.2, headersSize and bodySize; for Firefox, whose bodySize of responses includes the head, \
            netmonitor/src/har/har-builder.js and devtools/shared/network-observer
            """,
        sees: "Every exchange of the tool that writes the file, each hop of a redirection as an entry.",
        cannotSee: "Everything below HTTP; interim responses; framing, unless harChunk says so.",
        counts: """
            Request and response: the head with its empty line (headersSize), and the body as transferred (bodySize). \
            With HTTP/2 the head is the text that HTTP/1.1 would have.
            """,
        parameters: [
            .init(
                "harChunk", ["excluded", "included"],
                "Whether chunk framing belongs to the body; the specification does not say.")
        ])

    private let countsFraming: Bool

    public init(_ parameters: EstimatorParameters) { countsFraming = parameters["harChunk"] == "included" }

    public var needs: ContentNeeds { [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        let down = exchange.response.map { direction(of: $0) }
        return .recorded(up: direction(of: request), down: down ?? absent)
    }

    private func direction<Message: ObservedMessage>(of message: Message) -> DirectionEstimate {
        var count = DirectionCount()
        count.countWholeHead(of: message)
        if countsFraming {
            count.body = message.body.transferred
        } else {
            count.countBody(message.body.content, of: message.body, .bodyMissing)
        }
        return count.finish()
    }

    /// Sizes of −1: not available.
    private var absent: DirectionEstimate { DirectionCount().finishWithoutFigure() }
}
