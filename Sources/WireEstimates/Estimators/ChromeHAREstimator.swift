/// HAR as Chrome's developer tools export it.
public struct ChromeHAREstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "har-chrome", aliases: ["har.chrome"], title: "HAR of Chrome DevTools", evidence: .source,
        source: "Chrome DevTools, models/har/Log",
        sees: "Every exchange of the browser, each hop of a redirection as an entry.",
        cannotSee: "Everything below HTTP; framing of request bodies; head sizes with HTTP/2 and HTTP/3.",
        counts: """
            Request: the raw head, plus the body's data. Response: the raw head, plus all else that was received for \
            the exchange, framing included; for a 304 the head only. With HTTP/2 the sizes of heads are -1: a request \
            has only the body's data, a response only the figure _transferSize, which includes compressed fields, body \
            and the headers of their frames.
            """)

    public init(_ parameters: EstimatorParameters) {}

    public var needs: ContentNeeds { [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        var up = DirectionCount()
        if request.http2 == nil { up.countWholeHead(of: request) } else { up.skipHead(of: request) }
        up.countBody(request.body.content, of: request.body, .bodyMissing)
        guard let response = exchange.response else {
            return .recorded(up: up.finish(), down: DirectionCount().finishWithoutFigure())
        }
        return .recorded(up: up.finish(), down: down(response))
    }

    private func down(_ response: ObservedResponse) -> DirectionEstimate {
        if let http2 = response.http2 { return transferSize(response, http2) }
        var count = DirectionCount()
        count.countWholeHead(of: response)
        if response.status == 304 {
            count.charge(0, for: response.body.transferred, .cache)
            count.body = 0
        } else {
            // What was transferred beyond the head's text is taken for the body: interim responses too.
            count.charge(response.interim, for: 0, .retry)
            count.body = response.body.transferred + response.interim
        }
        return count.finish()
    }

    /// `_transferSize`: what the stream received in HEADERS, CONTINUATION and DATA frames, in one figure.
    private func transferSize(_ response: ObservedResponse, _ http2: HTTP2Costs) -> DirectionEstimate {
        var count = DirectionCount()
        count.charge(0, for: http2.otherFraming, .headerCompression)
        var estimate = count.finishWithoutFigure()
        estimate.total = response.message - http2.otherFraming
        return estimate
    }
}
