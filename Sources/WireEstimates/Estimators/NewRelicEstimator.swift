/// New Relic's session instrumentation: the task's counters, of tasks that succeeded.
public struct NewRelicEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "newrelic", title: "New Relic", evidence: .source,
        source: "newrelic/newrelic-ios-agent, NRMAURLSessionOverride.m",
        sees: "HTTP and HTTPS tasks of NSURLSession that end without error.",
        cannotSee: """
            Heads, cookies and framing; compressed sizes; failed tasks; hops of redirections. It adds fields of its \
            own to requests.
            """,
        counts: "Request: body bytes sent. Response: decoded body bytes received.")

    public init(_ parameters: EstimatorParameters) {}

    public var needs: ContentNeeds { .decodedSizes }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard exchange.request != nil else { return .unknown }
        guard exchange.isFinished else { return .unseen(.failure) }
        return taskCountsOutcome(exchange)
    }

    public func addedBytes(_ request: ObservedRequest) -> Int {
        request.fieldBytes {
            request.fields.isEqual($0.name, "newrelic") || request.fields.isEqual($0.name, "x-newrelic-id")
        }
    }
}
