/// CFNetwork's task summary in the device's log.
public struct CFNetworkEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "cfnetwork", aliases: ["cfnetwork-summary"], title: "CFNetwork task summary", evidence: .model,
        source: """
            Device logs; the formula is our reading of their figures. For HAR of Safari's Web Inspector, whose \
            sizes are these counts, WebKit/WebKit, HARBuilder.js
            """,
        sees: "HTTP and HTTPS of every user of CFNetwork, each hop of a redirection separately.",
        cannotSee: "Everything below HTTP; interim responses; the URL, which the line does not have.",
        counts: "Request and response: head and body as transferred, in one figure each.",
        parameters: EstimatorDescription.Parameter.metricsRules)

    private let rules: MetricsRules

    public init(_ parameters: EstimatorParameters) { rules = parameters.metricsRules }

    public var needs: ContentNeeds { [] }

    public var isExactOnHTTP1: Bool { !rules.hasChunkedBug }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        return .recorded(
            up: DirectionCount.metrics(request, rules).finish().totalOnly,
            down: DirectionCount.metrics(exchange.response, rules).finish().totalOnly)
    }
}
