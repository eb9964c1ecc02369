/// Hertz: body sizes of loads that succeeded.
public struct HertzEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "hertz", aliases: ["meituan-hertz"], title: "Hertz (Meituan)", evidence: .article,
        source: "Meituan's article on Hertz; the response rule is our reading of it",
        sees: "Loads of NSURLConnection and the shared session that finished.",
        cannotSee: """
            Heads, cookies, query strings and framing; bodies that are sent as a stream; failed loads; hops of \
            redirections.
            """,
        counts: "Request: the body data of the original request, or 0. Response: the decoded data.",
        parameters: [.body(.stream)])

    private let body: RequestBodySource

    public init(_ parameters: EstimatorParameters) { body = parameters.bodySource }

    public var needs: ContentNeeds { .decodedSizes }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request, let original = exchange.taskRequest else { return .unknown }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        guard exchange.isFinished else { return .unseen(.failure) }
        let up = original.bodyEstimate(isFound: body == .data, sent: request) ?? .unknown
        let down = DirectionCount.delivered(exchange.response) ?? .unknown
        return .recorded(up: up, down: down)
    }
}
