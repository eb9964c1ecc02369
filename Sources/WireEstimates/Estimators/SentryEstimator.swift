/// Sentry's breadcrumbs and spans of HTTP requests: the task's counters, or sizes by Sentry's conventions.
public struct SentryEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "sentry", title: "Sentry network tracker", evidence: .source,
        source: """
            getsentry/sentry-cocoa, SentryNetworkTracker.m; sentry-java, SentryOkHttpEvent.kt; sentry-conventions, \
            http.response.body.size and http.response.size
            """,
        sees: "HTTP and HTTPS tasks of NSURLSession; calls of OkHttp; fetches of browsers.",
        cannotSee: """
            Heads, cookies and framing; compressed sizes; hops of redirections. The counter of sent bytes is 0 when a \
            URL protocol handles the task. With figure=encoded also nothing where a length is unknown; with \
            figure=transfer requests. It may add trace fields to requests.
            """,
        counts: """
            Request: body bytes sent. Response: decoded body bytes received (a breadcrumb's request_body_size and \
            response_body_size on Apple's systems). figure=encoded: both bodies before decoding, which is the published \
            definition of http.response.body.size and http.response_content_length, and what Android counts. \
            figure=transfer: the response as transferred, the published definition of http.response.size and \
            http.response_transfer_size.
            """,
        parameters: [
            .init(
                "figure", ["task", "encoded", "transfer"],
                "task: the task's counters. encoded: bodies before decoding. transfer: the whole response.")
        ])

    private let figure: String

    public init(_ parameters: EstimatorParameters) { figure = parameters["figure"] }

    public var needs: ContentNeeds { figure == "task" ? .decodedSizes : [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        switch figure {
        case "encoded": return encodedBodiesOutcome(exchange)
        case "transfer":
            guard exchange.request != nil else { return .unknown }
            if exchange.response?.isRedirect == true { return .unseen(.redirect) }
            return wholeMessages(nil, exchange.response)
        default: return taskCountsOutcome(exchange)
        }
    }

    public func addedBytes(_ request: ObservedRequest) -> Int {
        request.fieldBytes { request.fields.isEqual($0.name, "sentry-trace") }
    }
}
