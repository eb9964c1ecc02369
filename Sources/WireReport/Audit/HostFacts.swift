import WireCore

/// What tables say of a host where its figures alone would mislead.
extension HostSummary {
    /// How many calls there were nobody knows: encryption hides them, or parts of what was encrypted were not read and hold
    /// no call that was. In UDP nobody looks for calls.
    var callsAreUnknown: Bool {
        if datagrams != nil { return true }
        guard exchanges == 0 else { return false }
        let isPartlyRead = setup.partlyReadConnections > 0 && costs.up[.opaque] + costs.down[.opaque] > 0
        return isPartlyRead || !protocols.isDisjoint(with: [.hidden, .hiddenQUIC])
    }

    /// Protocols that were seen. What QUIC carried may be unknown, but it was QUIC.
    var shownProtocols: [String] {
        let names = protocolNames
        guard names.isEmpty else { return names }
        let quic = [Cause.quic, .setupQUIC].reduce(0) { $0 + costs.up[$1] + costs.down[$1] }
        return quic > 0 ? ["QUIC"] : []
    }
}
