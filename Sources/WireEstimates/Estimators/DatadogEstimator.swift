/// Datadog: body sizes of the last transaction.
public struct DatadogEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "datadog", title: "Datadog RUM", evidence: .source,
        source: "DataDog/dd-sdk-ios, URLSessionTaskInterception.swift",
        sees: "HTTP and HTTPS tasks of the sessions it instruments.",
        cannotSee: """
            Heads, cookies; earlier hops of redirections; with figure=size also requests, framing and compressed \
            sizes. It may add trace fields to requests.
            """,
        counts: """
            Request: nothing. Response: the decoded body of the last transaction. Also both bodies as they were \
            transferred.
            """,
        parameters: [
            .init("figure", ["size", "encoded"], "size: the resource's size. encoded: bodies as transferred."),
            .chunkedBug,
        ])

    private let countsSize: Bool
    private let rules: MetricsRules

    public init(_ parameters: EstimatorParameters) {
        countsSize = parameters["figure"] == "size"
        rules = parameters.metricsRules
    }

    public var needs: ContentNeeds { countsSize ? .decodedSizes : [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        guard countsSize else {
            return .recorded(
                up: DirectionCount.bodyMetrics(request, rules),
                down: DirectionCount.bodyMetrics(exchange.response, rules))
        }
        let down = DirectionCount.delivered(exchange.response) ?? .unknown
        return .recorded(up: nil, down: down)
    }

    public func addedBytes(_ request: ObservedRequest) -> Int {
        request.fieldBytes { field in
            field.name.count > 10
                && request.fields.isEqual(field.name.lowerBound..<field.name.lowerBound + 10, "x-datadog-")
        }
    }
}
