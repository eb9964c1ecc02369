/// Chromium's NetLog: heads as text, and bodies.
public struct NetLogEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "netlog", title: "NetLog of Chromium", evidence: .documentation,
        source: "chromium/src, net/log/net_log_event_type_list.h; sizes as Chromium 156 writes them",
        sees: "Every transaction of the browser that used the network, each hop of a redirection separately.",
        cannotSee: """
            Everything below HTTP; interim responses; chunk framing; bodies of redirections; with HTTP/2 and HTTP/3 \
            also heads and frames: the log has fields before compression only.
            """,
        counts: """
            Request and response: with HTTP/1 the head's text, the length of hidden values included, and the body as \
            transferred without framing (URL_REQUEST_JOB_BYTES_READ). With HTTP/2 and HTTP/3 the body only.
            """)

    public init(_ parameters: EstimatorParameters) {}

    public var needs: ContentNeeds { [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        var up = head(of: request)
        up.countBody(request.body.content, of: request.body, .bodyMissing)
        guard let response = exchange.response else {
            return .recorded(up: up.finish(), down: DirectionCount().finishWithoutFigure())
        }
        var down = head(of: response)
        if response.isRedirect {
            down.countBody(0, of: response.body, .redirect)
        } else {
            down.countBody(response.body.content, of: response.body, .bodyMissing)
        }
        return .recorded(up: up.finish(), down: down.finish())
    }

    private func head<Message: ObservedMessage>(of message: Message) -> DirectionCount {
        var count = DirectionCount()
        if message.http2 == nil { count.countWholeHead(of: message) } else { count.skipHead(of: message) }
        return count
    }
}
