import WireCore

/// What the sessions of a group sent and received, whatever was recorded of it.
public struct FleetCost: Sendable {
    public var sessions: Int
    /// Exchanges that were read.
    public var exchanges: Int
    /// All bytes of the frames.
    public var bytes: Int
    /// IP bytes of the exchanges that were read, both directions.
    public var wire: Int
    /// IP bytes of the connections that could not be decrypted, and hosts with such connections.
    public var encrypted: Int
    public var encryptedHosts: Int

    public var bytesPerSession: Double? { sessions > 0 ? Double(bytes) / Double(sessions) : nil }
    public var wirePerExchange: Double? { exchanges > 0 ? Double(wire) / Double(exchanges) : nil }
}

extension PartialResult {
    /// The cost of the sessions behind these sums.
    public var cost: FleetCost {
        var cost = FleetCost(
            sessions: sessions.count, exchanges: 0, bytes: row(.capture).integer("bytes"), wire: 0, encrypted: 0,
            encryptedHosts: 0)
        for (_, row) in rows(.api) {
            let costs = row.costs("cost")
            let wire = costs.up.internet &+ costs.down.internet
            if row.integer("encrypted") == 1 {
                cost.encrypted &+= wire
                cost.encryptedHosts += 1
            } else {
                cost.wire &+= wire
                cost.exchanges &+= row.integer("exchanges")
            }
        }
        return cost
    }
}
