/// PPSNetworkMonitor: a URL protocol that logs fields and data, and never gets at a request's body.
public struct PPSEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "pps", aliases: ["zgpeace", "ppsnetworkmonitor"], title: "PPSNetworkMonitor (zgpeace)", evidence: .model,
        source: "yangqian111/PPSNetworkMonitor, PPSURLProtocol.m; it gives no byte figures, so this is a model",
        sees: "HTTP and HTTPS of NSURLConnection, the shared session, and sessions whose configuration it extends.",
        cannotSee: """
            Bodies of requests; start lines, cookies and framing; compressed sizes; hops of redirections; WKWebView.
            """,
        counts: "Request: 0. Response: the decoded data.",
        parameters: [
            .init(
                "count", ["body", "naive"],
                """
                naive: what one gets by adding up the request fields that it logs, as text with CRLF (profile min, \
                without cookies).
                """)
        ])

    private let fields: FieldFormat?

    public init(_ parameters: EstimatorParameters) {
        guard parameters["count"] == "naive" else {
            fields = nil
            return
        }
        var hidden = HiddenFields("min")
        hidden.hideCookies()
        fields = FieldFormat(style: .text(lineEnd: 2), hidden: hidden, mergeSeparator: 2)
    }

    public var needs: ContentNeeds { .decodedSizes }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request, let original = exchange.taskRequest else { return .unknown }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        let down = DirectionCount.delivered(exchange.response) ?? .unknown
        var up = DirectionCount()
        if let fields {
            up.skipRequestLine(of: original)
            up.countFields(of: original, as: fields)
        } else {
            up.skipHead(of: original)
        }
        up.countBody(0, of: original.body, .bodyMissing)
        up.stand(for: original, sent: request)
        return .recorded(up: up.finish(), down: down)
    }
}
