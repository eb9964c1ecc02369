/// Matrix's traffic plugin on Android: buffers of socket calls.
public struct MatrixEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "matrix", aliases: ["matrix-traffic"], title: "Matrix traffic plugin (Tencent)", evidence: .source,
        source: "Tencent/matrix, matrix-traffic, TrafficCollector.cc",
        sees: "All calls that read and write sockets in the app's process, with TLS records and handshakes.",
        cannotSee: "Headers of TCP and IP, retransmissions, acknowledgments; name resolution; URLs.",
        counts: """
            Both directions: bytes in the buffers of the calls, which is the payload of TCP: messages, TLS records and \
            handshakes, and what HTTP/2 sends for the connection itself.
            """)

    public init(_ parameters: EstimatorParameters) {}

    public var needs: ContentNeeds { [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        .recorded(
            up: direction(exchange.request?.message ?? 0, exchange.upTransport),
            down: direction(exchange.response?.message ?? 0, exchange.downTransport))
    }

    private func direction(_ message: Int, _ transport: TransportBytes) -> DirectionEstimate {
        var payload = TransportBytes()
        payload.tlsRecords = transport.tlsRecords
        payload.tlsSetup = transport.tlsSetup - transport.setupHeaders
        payload.handshake = transport.closingPayload
        payload.opaque = transport.opaque
        var estimate = DirectionEstimate()
        estimate.causes = payload.causes
        estimate.total = message + estimate.causes.sum
        return estimate
    }
}
