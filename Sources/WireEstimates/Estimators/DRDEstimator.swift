/// DRDNetworking: what an app believes that writes heads as HTTP/1.1 text and adds bodies.
public struct DRDEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "drd", aliases: ["drd-h2", "drdnetworking", "app.h2text"], title: "DRDNetworking (text of HTTP/1.1)",
        evidence: .model, source: "Eleme-IMF/DRDNetworking; it gives no byte figures, so this is a model",
        sees: "Requests that the app makes through the wrapper, with all their fields.",
        cannotSee: """
            How the message was really written: framing, line ends, interim responses, hops of redirections. With \
            HTTP/2 compressed fields and frames.
            """,
        counts: """
            Request: request line, all fields and the empty line as HTTP/1.1 text with CRLF, plus the body. Response: \
            likewise with status line, plus the body without framing. With HTTP/2 the lines are made up: pseudo-header \
            fields as a request line, a status line with the usual reason phrase.
            """,
        parameters: [
            .init("responseBody", ["encoded", "decoded"], "Size of the response's body: as sent, or after decoding.")
        ])

    private static let fields = FieldFormat(style: .text(lineEnd: 2), emptyLine: 2)
    private let countsDecoded: Bool

    public init(_ parameters: EstimatorParameters) { countsDecoded = parameters["responseBody"] == "decoded" }

    public var needs: ContentNeeds { countsDecoded ? .decodedSizes : [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request, let original = exchange.taskRequest else { return .unknown }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        guard let size = original.bodyGiven else { return .unknown }
        let down = down(exchange.response) ?? .unknown
        var up = DirectionCount()
        up.countRequestLine(of: original, fromURL: false, lineEnd: 2)
        up.countFields(of: original, as: DRDEstimator.fields)
        up.countBody(size, of: original.body, .failure)
        up.stand(for: original, sent: request)
        return .recorded(up: up.finish(), down: down)
    }

    private func down(_ response: ObservedResponse?) -> DirectionEstimate? {
        var count = DirectionCount()
        if let response {
            guard let size = countsDecoded ? response.delivered : response.body.content else { return nil }
            count.countStatusLine(of: response, lineEnd: 2)
            count.countFields(of: response, as: DRDEstimator.fields)
            count.countBody(size, of: response.body, .bodyDecoded)
        } else {
            count.body = 0
        }
        return count.finish()
    }
}
