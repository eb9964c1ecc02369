/// FLEX's network recorder: data as delegates get it.
public struct FLEXEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "flex", title: "FLEX network recorder", evidence: .source,
        source: "FLEXTool/FLEX, FLEXNetworkTransaction.m, FLEXNetworkRecorder.m, FLEXNetworkObserver.m",
        sees: "HTTP and HTTPS of NSURLConnection and NSURLSession, by their delegates and completion handlers.",
        cannotSee: "Heads, cookies and framing; compressed sizes; bodies of upload tasks; bodies of redirections.",
        counts: """
            Request: the body data or the stream. Response: the decoded data as it arrives. Each redirection is a \
            separate record, without response body.
            """,
        parameters: [.body(.data)])

    private let body: RequestBodySource

    public init(_ parameters: EstimatorParameters) { body = parameters.bodySource }

    public var needs: ContentNeeds { .decodedSizes }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        let up = request.bodyEstimate(isFound: body != .none, sent: request) ?? .unknown
        if let response = exchange.response, response.isRedirect {
            return .recorded(
                up: up, down: DirectionCount.bodyOnly(response, counted: 0, cause: .redirect).finish())
        }
        let down = DirectionCount.delivered(exchange.response) ?? .unknown
        return .recorded(up: up, down: down)
    }
}
