/// OkHttp's event listener: body bytes at the codec.
public struct OkHttpEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "okhttp", title: "OkHttp EventListener", evidence: .source,
        source: "square/okhttp, Exchange.kt; Headers.byteCount()",
        sees: "Every request that the OkHttp client makes, each hop and retry separately.",
        cannotSee: """
            Start lines and framing; bodies of failed exchanges, and discarded bodies, such as those of redirections; \
            interim responses; everything below HTTP.
            """,
        counts: """
            Request: body bytes written, before framing. Response: body bytes read, after framing was undone and \
            before decompression. Also the header fields as text, plus four bytes for each.
            """,
        parameters: [.init("total", ["body", "all"], "all: the header fields' byte count is added to the body.")])

    private static let fields = FieldFormat(style: .text(lineEnd: 2))
    private let countsFields: Bool

    public init(_ parameters: EstimatorParameters) { countsFields = parameters["total"] == "all" }

    public var needs: ContentNeeds { [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        let up = estimate(of: request, isComplete: request.isComplete, readsBody: true)
        guard let response = exchange.response else {
            return .recorded(up: up, down: DirectionCount().finishWithoutFigure())
        }
        return .recorded(
            up: up,
            down: estimate(of: response, isComplete: response.isComplete, readsBody: !response.isRedirect))
    }

    private func estimate<Message: ObservedMessage>(
        of message: Message, isComplete: Bool, readsBody: Bool
    ) -> DirectionEstimate {
        var count = DirectionCount()
        if countsFields {
            message.skipStartLine(&count)
            count.countFields(of: message, as: OkHttpEstimator.fields)
        } else {
            count.skipHead(of: message, cookiesApart: false)
        }
        guard isComplete else {
            // The listener is told of the failure, without a number of bytes.
            count.skipBody(message.body, .failure)
            return countsFields ? count.finish() : count.finishWithoutFigure()
        }
        count.countBody(readsBody ? message.body.content : 0, of: message.body, .redirect)
        var estimate = count.finish()
        if !countsFields { estimate.headers = byteCount(message) }
        return estimate
    }

    /// What `Headers.byteCount()` gives.
    private func byteCount<Message: ObservedMessage>(_ message: Message) -> Int {
        var count = DirectionCount()
        count.countFields(of: message, as: OkHttpEstimator.fields)
        return count.headers ?? 0
    }
}
