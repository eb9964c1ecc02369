/// Pulse: the system's metrics, added over all transactions of a task.
public struct PulseEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "pulse", title: "Pulse", evidence: .source,
        source: "kean/Pulse, NetworkLogger+Entities.swift, LoggerStore.swift, LoggerStore+Model.swift",
        sees: "HTTP and HTTPS tasks of sessions whose delegate it replaces.",
        cannotSee: "Everything below HTTP; interim responses; sessions without its delegate; NSURLConnection.",
        counts: """
            Request and response: bytes of head and body as the system's metrics report them, all hops of a task \
            together. Also the stored bodies: the body data; the decoded data.
            """,
        parameters: [
            .init("figure", ["transfer", "bodies"], "transfer: head and body. bodies: the stored bodies' sizes.")
        ] + EstimatorDescription.Parameter.metricsRules)

    private let countsTransfer: Bool
    private let rules: MetricsRules

    public init(_ parameters: EstimatorParameters) {
        countsTransfer = parameters["figure"] == "transfer"
        rules = parameters.metricsRules
    }

    public var needs: ContentNeeds { countsTransfer ? [] : .decodedSizes }

    public var isExactOnHTTP1: Bool { countsTransfer && !rules.hasChunkedBug }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request, let original = exchange.taskRequest else { return .unknown }
        if countsTransfer {
            return .recorded(
                up: DirectionCount.metrics(request, rules).finish(),
                down: DirectionCount.metrics(exchange.response, rules).finish())
        }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        let up = original.bodyEstimate(isFound: true, sent: request) ?? .unknown
        let down = DirectionCount.delivered(exchange.response) ?? .unknown
        return .recorded(up: up, down: down)
    }
}
