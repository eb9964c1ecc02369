/// New Relic's mobile agents: the task's counters of tasks that succeeded, lengths of bodies on Android, or the sizes
/// that the data dictionary defines.
public struct NewRelicEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "newrelic", title: "New Relic", evidence: .source,
        source: """
            newrelic/newrelic-ios-agent, NRMAURLSessionOverride.m; newrelic-android-agent, \
            OkHttp3TransactionStateUtil.java; data dictionary, MobileRequest: bytesSent and bytesReceived
            """,
        sees: "HTTP and HTTPS tasks of NSURLSession that end without error; calls of OkHttp.",
        cannotSee: """
            Heads, cookies and framing; compressed sizes; failed tasks; hops of redirections. It adds fields of its \
            own to requests.
            """,
        counts: """
            Request: body bytes sent. Response: decoded body bytes received. figure=encoded: both bodies before \
            decoding, as on Android. figure=definition: the sizes of request and response, which is how the data \
            dictionary defines bytesSent and bytesReceived.
            """,
        parameters: [
            .init(
                "figure", ["task", "encoded", "definition"],
                "task: the task's counters. encoded: bodies before decoding. definition: whole messages.")
        ])

    private let figure: String

    public init(_ parameters: EstimatorParameters) { figure = parameters["figure"] }

    public var needs: ContentNeeds { figure == "task" ? .decodedSizes : [] }

    public var isExactOnHTTP1: Bool { figure == "definition" }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        guard exchange.isFinished else { return .unseen(.failure) }
        switch figure {
        case "encoded": return encodedBodiesOutcome(exchange)
        case "definition":
            if exchange.response?.isRedirect == true { return .unseen(.redirect) }
            return wholeMessages(request, exchange.response)
        default: return taskCountsOutcome(exchange)
        }
    }

    public func addedBytes(_ request: ObservedRequest) -> Int {
        request.fieldBytes {
            request.fields.isEqual($0.name, "newrelic") || request.fields.isEqual($0.name, "x-newrelic-id")
        }
    }
}
