/// MTNM: takes the system's transaction metrics; on older systems, sizes of captured data.
public struct MTNMEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "mtnm", title: "MTNM", evidence: .article,
        source: "The article on MTNM; the choice of fields is our reading of it",
        sees: "HTTP and HTTPS of NSURLSession and, routed into sessions of its own, of NSURLConnection.",
        cannotSee: """
            Everything below HTTP; background sessions, sockets. State is kept per session, so that concurrent tasks \
            may take each other's figures. Before iOS 13: heads, framing and compressed sizes too.
            """,
        counts: """
            From iOS 13: bytes of heads and bodies in both directions as the system's metrics report them. Before: the \
            body data or a POST's stream; the decoded data.
            """,
        parameters: [
            .init("os", ["13", "pre13"], "13: iOS 13 and later, with metrics. pre13: before, from captured data."),
            .init(
                "redirects", ["firstHop", "allHops"],
                "Which transactions of a redirected task are recorded (iOS 13 and later)."),
            .body(.stream),
        ] + EstimatorDescription.Parameter.metricsRules)

    private let hasMetrics: Bool
    private let keepsAllHops: Bool
    private let body: RequestBodySource
    private let rules: MetricsRules

    public init(_ parameters: EstimatorParameters) {
        hasMetrics = parameters["os"] == "13"
        keepsAllHops = parameters["redirects"] == "allHops"
        body = parameters.bodySource
        rules = parameters.metricsRules
    }

    public var needs: ContentNeeds { hasMetrics ? [] : .decodedSizes }

    public var isExactOnHTTP1: Bool { hasMetrics && !rules.hasChunkedBug }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request, let original = exchange.taskRequest else { return .unknown }
        if hasMetrics {
            if exchange.redirectedFrom != nil, !keepsAllHops { return .unseen(.redirect) }
            return .recorded(
                up: DirectionCount.metrics(request, rules).finish(),
                down: DirectionCount.metrics(exchange.response, rules).finish())
        }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        let up = original.bodyEstimate(isFound: original.bodyIsFound(at: body), sent: request) ?? .unknown
        let down = DirectionCount.delivered(exchange.response) ?? .unknown
        return .recorded(up: up, down: down)
    }
}
