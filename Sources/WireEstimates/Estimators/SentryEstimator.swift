/// Sentry's network tracker: the task's counters.
public struct SentryEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "sentry", title: "Sentry network tracker", evidence: .source,
        source: "getsentry/sentry-cocoa, SentryNetworkTracker.m",
        sees: "HTTP and HTTPS tasks of NSURLSession.",
        cannotSee: """
            Heads, cookies and framing; compressed sizes; hops of redirections. The counter of sent bytes is 0 when a \
            URL protocol handles the task. It may add trace fields to requests.
            """,
        counts: "Request: body bytes sent. Response: decoded body bytes received.")

    public init(_ parameters: EstimatorParameters) {}

    public var needs: ContentNeeds { .decodedSizes }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome { taskCountsOutcome(exchange) }

    public func addedBytes(_ request: ObservedRequest) -> Int {
        request.fieldBytes { request.fields.isEqual($0.name, "sentry-trace") }
    }
}
