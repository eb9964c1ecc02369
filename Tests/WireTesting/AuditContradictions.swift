import WireCore

/// Checks an audit against sums that are made here from its records alone. Frames must have no pseudo-headers.
///
/// The ledger says of itself whether it balances; this says whether the records add up to the ledger as well.
extension AuditedCapture {
    /// What contradicts itself; empty when everything adds up.
    public var contradictions: [String] {
        var list: [String] = []
        let ledger = result.ledger
        func demand(_ condition: Bool, _ text: @autoclosure () -> String) {
            if !condition { list.append(text()) }
        }
        demand(ledger.balanced, "the ledger is out of balance")
        demand(ledger.bytes == frameBytes, "\(ledger.bytes) ledger bytes of \(frameBytes) frame bytes")
        demand(ledger.layers.total == frameBytes, "\(ledger.layers.total) layer bytes of \(frameBytes) frame bytes")
        var connectionCosts = Directions<CostVector>()
        for record in connections {
            connectionCosts += record.costs
            list += contradictions(in: record)
        }
        demand(connectionCosts == ledger.causes, "connections do not add up to the causes")
        var ownedCosts = Directions<CostVector>()
        for record in exchanges { ownedCosts += record.costs }
        for host in result.hosts { ownedCosts += host.unassigned }
        for row in result.apis where row.isEncrypted { ownedCosts += row.costs }
        demand(ownedCosts == ledger.causes, "exchanges and hosts' own lines do not add up to the causes")
        var hostCosts = Directions<CostVector>()
        for host in result.hosts { hostCosts += host.costs }
        demand(hostCosts == ledger.causes, "hosts do not add up to the causes")
        let datagrams = result.datagrams.reduce(0) { $0 + $1.counts.internet }
        demand(datagrams == ledger.other.datagrams, "rows of UDP do not add up to its lines")
        for row in result.datagrams {
            for counts in [row.counts.up, row.counts.down] {
                demand(
                    counts.packets >= 0 && counts.payload >= 0 && counts.internet >= counts.payload && counts.link >= 0,
                    "\(row.name): \(counts)")
            }
        }
        demand(result.connections == connections.count, "\(result.connections) connections")
        demand(result.exchanges == exchanges.count, "\(result.exchanges) exchanges")
        demand(result.apis.reduce(0) { $0 + $1.exchanges } == exchanges.count, "exchanges of the APIs")
        demand(result.hosts.reduce(0) { $0 + $1.connections } == connections.count, "connections of the hosts")
        for exchange in exchanges {
            demand(exchange.unseenBytes >= 0, "exchange \(exchange.exchange): \(exchange.unseenBytes) unseen bytes")
            for costs in [exchange.costs.up, exchange.costs.down] where !isSound(costs) {
                list.append("exchange \(exchange.exchange) of connection \(exchange.connection) has negative costs")
            }
        }
        return list
    }

    private func contradictions(in record: ConnectionRecord) -> [String] {
        var list: [String] = []
        let name = "connection \(record.connection)"
        let own = exchanges(of: record.connection)
        if own.count != record.exchanges { list.append("\(name): \(record.exchanges) exchanges, \(own.count) records") }
        if own.map(\.exchange) != Array(0..<own.count) { list.append("\(name): numbers \(own.map(\.exchange))") }
        for (direction, costs, counts) in [
            ("up", record.costs.up, record.counts.up), ("down", record.costs.down, record.counts.down),
        ] {
            if !isSound(costs) { list.append("\(name) \(direction) has negative costs") }
            let lookup = costs[.setupDNS]
            if costs.internet - lookup != counts.internet {
                list.append("\(name) \(direction): \(costs.internet) cost bytes of \(counts.internet) IP bytes")
            }
            if lookup == 0, counts.frames != counts.internet + costs.link {
                list.append("\(name) \(direction): \(counts.frames) frame bytes")
            }
            // In QUIC new and repeated bytes are told by stream, not by payload.
            if record.transport != .quic,
                counts.payload != counts.payloadNew + counts.payloadRepeated + counts.payloadRefused
            {
                list.append("\(name) \(direction): payload \(counts)")
            }
            for cause in Cause.allCases {
                let paid = own.reduce(0) { $0 + (direction == "up" ? $1.costs.up[cause] : $1.costs.down[cause]) }
                if paid > costs[cause] { list.append("\(name) \(direction): exchanges pay more \(cause.name)") }
            }
        }
        return list
    }

    private func isSound(_ costs: CostVector) -> Bool {
        Cause.allCases.allSatisfy { costs[$0] >= 0 } && costs.link >= 0 && costs.offloadHidden >= 0
    }
}

extension CostVector {
    /// The causes that cost something, by name.
    public var lines: [String: Int] {
        var lines: [String: Int] = [:]
        for cause in Cause.allCases where self[cause] != 0 { lines[cause.name] = self[cause] }
        return lines
    }
}
