/// Cronet's metrics of a request: what its streams sent and received
/// (https://developer.android.com/develop/connectivity/cronet/reference/org/chromium/net/RequestFinishedInfo.Metrics).
public struct CronetEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "cronet", title: "Cronet RequestFinishedInfo", evidence: .documentation,
        source: "Cronet, RequestFinishedInfo.Metrics: getSentByteCount, getReceivedByteCount",
        sees: "Every request that the Cronet engine sends.",
        cannotSee: """
            Everything below HTTP; with HTTP/2 and HTTP/3 padding and control frames; earlier hops of redirections.
            """,
        counts: """
            Request: all bytes of the message. Response: all bytes of the message, interim responses included. With \
            HTTP/2 and HTTP/3 compressed fields, bodies and the headers of their frames.
            """)

    public init(_ parameters: EstimatorParameters) {}

    public var needs: ContentNeeds { [] }

    public var isExactOnHTTP1: Bool { true }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        if exchange.response?.isRedirect == true { return .unseen(.redirect) }
        let down = exchange.response.map { chromiumTransfer($0, $0.message) }
        return .recorded(
            up: chromiumTransfer(request, request.message), down: down ?? DirectionCount().finishWithoutFigure())
    }
}

/// What Chromium's network stack counts for a message of so many bytes, in one figure: all of HTTP/1, in HTTP/2 and HTTP/3
/// HEADERS, CONTINUATION and DATA frames.
func chromiumTransfer<Message: ObservedMessage>(_ message: Message, _ size: Int) -> DirectionEstimate {
    let other = message.http2?.otherFraming ?? 0
    var count = DirectionCount()
    count.charge(0, for: other, .headerCompression)
    var estimate = count.finishWithoutFigure()
    estimate.total = size - other
    return estimate
}
