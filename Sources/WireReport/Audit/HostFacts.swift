import WireCore
import WireRecords

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

    /// Calls that nobody could read, as far as records tell them apart, with a sign where others are in no such number.
    var unnamedCalls: String? {
        guard setup.unnamedCalls > 0 else { return nil }
        let isPart = setup.cutConnections < setup.unreadConnections || protocols.contains(.hiddenQUIC)
        return "~" + grouped(setup.unnamedCalls) + (isPart ? "+" : "")
    }

    /// What QUIC sent again nobody can tell from new data without its keys: TCP has sequence numbers in clear, QUIC has not.
    var retransmissionsAreUnknown: Bool {
        protocols.contains(.hiddenQUIC)
            || (setup.partlyReadConnections > 0 && costs.hasQUIC && costs.up[.opaque] + costs.down[.opaque] > 0)
    }

    /// Protocols that were seen. What QUIC carried may be unknown, but it was QUIC.
    var shownProtocols: [String] {
        let names = protocolNames
        guard names.isEmpty else { return names }
        return costs.hasQUIC ? ["QUIC"] : []
    }
}

extension APISummary {
    /// The same of what was not read of a host.
    var retransmissionsAreUnknown: Bool { isEncrypted && costs.hasQUIC }
}

extension Directions<CostVector> {
    fileprivate var hasQUIC: Bool { [Cause.quic, .setupQUIC].contains { up[$0] + down[$0] > 0 } }
}
