/// Android's traffic counters of an app: IP packets as the kernel sees them.
public struct AndroidUIDEstimator: Estimator {
    public static let description = EstimatorDescription(
        id: "android-uid", aliases: ["trafficstats"], title: "Android traffic counters (TrafficStats)",
        evidence: .documentation, source: "Android documentation; AOSP's netd for packets above 1500 bytes",
        sees: "All IP packets of the app, with handshakes, acknowledgments and retransmissions.",
        cannotSee: "Single exchanges: the counter is per app. Link-layer headers.",
        counts: """
            Both directions: IP bytes. A packet above 1500 bytes counts as the packets from which it was assembled, \
            with a header each.
            """)

    public init(_ parameters: EstimatorParameters) {}

    public var needs: ContentNeeds { [] }

    public func estimate(_ exchange: ObservedExchange) -> EstimateOutcome {
        .recorded(
            up: direction(exchange.request?.message ?? 0, exchange.upTransport),
            down: direction(exchange.response?.message ?? 0, exchange.downTransport))
    }

    private func direction(_ message: Int, _ transport: TransportBytes) -> DirectionEstimate {
        var estimate = DirectionEstimate()
        estimate.causes = transport.causes
        estimate.causes[.offload] = transport.offloadHidden
        estimate.total = message + estimate.causes.sum
        return estimate
    }
}
