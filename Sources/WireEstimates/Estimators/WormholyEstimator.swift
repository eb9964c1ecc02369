/// Wormholy: the system's metrics of each hop.
public struct WormholyEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "wormholy", title: "Wormholy 2", evidence: .source,
        source: "pmusolino/Wormholy, CustomHTTPProtocol.swift, RequestModel.swift, StatsView.swift",
        sees: "HTTP and HTTPS of NSURLConnection, the shared session, and sessions that its hook extends.",
        cannotSee: "Everything below HTTP; interim responses; requests that may be answered from the cache first.",
        counts: """
            Request and response: bytes of head and body as the system's metrics report them. Its statistics page adds \
            bodies only.
            """,
        parameters: [
            .init(
                "figure", ["metrics", "stats"], "metrics: head and body. stats: bodies, as its statistics page adds.")
        ] + EstimatorDescription.Parameter.metricsRules)

    private let countsHeads: Bool
    private let rules: MetricsRules

    public init(_ parameters: EstimatorParameters) {
        countsHeads = parameters["figure"] == "metrics"
        rules = parameters.metricsRules
    }

    public var needs: ContentNeeds { [] }

    public var isExactOnHTTP1: Bool { countsHeads && !rules.hasChunkedBug }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        guard countsHeads else {
            return .recorded(
                up: DirectionCount.bodyMetrics(request, rules),
                down: DirectionCount.bodyMetrics(exchange.response, rules))
        }
        return .recorded(
            up: DirectionCount.metrics(request, rules).finish(),
            down: DirectionCount.metrics(exchange.response, rules).finish())
    }
}
