import WireCore

extension CostVector {
    /// What opening and closing a connection cost, look-ups of its address included: bytes.
    var connectionCost: Int {
        let causes: [Cause] = [.setupDNS, .setupTCP, .setupTLS, .setupQUIC, .setupHTTP, .teardown]
        return causes.reduce(0) { $0 + self[$1] }
    }

    /// All bytes but those of which nobody knows how many there would be otherwise: of packets that only acknowledge, that keep
    /// a connection alive, or that were sent again.
    var attributable: Int { internet - self[.ack] - self[.keepalive] - self[.retransmission] }
}
