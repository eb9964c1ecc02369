import WireCore

extension CostVector {
    /// What opening and closing a connection cost, look-ups of its address included: bytes.
    var connectionCost: Int {
        let causes: [Cause] = [.setupDNS, .setupTCP, .setupTLS, .setupQUIC, .setupHTTP, .teardown]
        return causes.reduce(0) { $0 + self[$1] }
    }
}
