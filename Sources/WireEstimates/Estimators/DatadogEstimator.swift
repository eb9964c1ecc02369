/// Datadog: body sizes of the last transaction.
public struct DatadogEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "datadog", title: "Datadog RUM", evidence: .source,
        source: """
            DataDog/dd-sdk-ios, URLSessionTaskInterception.swift; DataDog/rum-events-format, resource-schema.json
            """,
        sees: "HTTP and HTTPS tasks of the sessions it instruments.",
        cannotSee: """
            Heads, cookies; earlier hops of redirections; with figure=size also requests, framing and compressed \
            sizes. It may add trace fields to requests.
            """,
        counts: """
            Request: nothing. Response: the decoded body of the last transaction (resource.size, published as the \
            size of the response body). figure=encoded: both bodies as the system counts them, with framing \
            (encoded_body_size). figure=content: both bodies before decoding, without framing, which is the published \
            definition of encoded_body_size.
            """,
        parameters: [
            .init(
                "figure", ["size", "encoded", "content"],
                "size: the resource's size. encoded: bodies as transferred. content: bodies without framing."),
            .chunkedBug,
        ])

    private let figure: String
    private let rules: MetricsRules

    public init(_ parameters: EstimatorParameters) {
        figure = parameters["figure"]
        rules = parameters.metricsRules
    }

    public var needs: ContentNeeds { figure == "size" ? .decodedSizes : [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        switch figure {
        case "encoded":
            return .recorded(
                up: DirectionCount.bodyMetrics(request, rules),
                down: DirectionCount.bodyMetrics(exchange.response, rules))
        case "content": return encodedBodies(request, exchange.response)
        default:
            let down = DirectionCount.delivered(exchange.response) ?? .unknown
            return .recorded(up: nil, down: down)
        }
    }

    public func addedBytes(_ request: ObservedRequest) -> Int {
        request.fieldBytes { field in
            field.name.count > 10
                && request.fields.isEqual(field.name.lowerBound..<field.name.lowerBound + 10, "x-datadog-")
        }
    }
}
