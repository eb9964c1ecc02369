/// qlog: payloads of the frames of HTTP/3.
public struct QLogEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "qlog", title: "qlog of HTTP/3", evidence: .documentation,
        source: "draft-ietf-quic-qlog-h3-events, frame_created and frame_parsed; the field length as aioquic writes it",
        sees: "Every request stream of HTTP/3 connections that are logged, each hop of a redirection as its own.",
        cannotSee: "Everything below HTTP; HTTP/1 and HTTP/2; headers of frames; frames of other types.",
        counts: """
            Request and response: the payloads of HEADERS frames, which are compressed fields with those of interim \
            responses and trailers, and the payloads of DATA frames.
            """)

    public init(_ parameters: EstimatorParameters) {}

    public var needs: ContentNeeds { [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        guard let request = exchange.request else { return .unknown }
        guard request.http2 != nil else { return .unseen(.scope) }
        let down = exchange.response.map { payloads(of: $0) } ?? DirectionCount().finishWithoutFigure()
        return .recorded(up: payloads(of: request), down: down)
    }

    private func payloads<Message: ObservedMessage>(of message: Message) -> DirectionEstimate {
        var count = DirectionCount()
        let costs = message.http2
        count.charge(0, for: costs?.framing ?? 0, .headerCompression)
        count.headers = costs?.fieldBlocks ?? 0
        count.body = message.body.transferred
        return count.finish()
    }
}
