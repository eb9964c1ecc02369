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
    /// IP bytes of the connections that could not be decrypted.
    public var encrypted: Int
    /// Hosts of TLS connections that could not be read, those whose handshake failed among them.
    public var unreadHosts: Int

    public var bytesPerSession: Double? { sessions > 0 ? Double(bytes) / Double(sessions) : nil }
    public var wirePerExchange: Double? { exchanges > 0 ? Double(wire) / Double(exchanges) : nil }
}

extension PartialResult {
    /// The cost of the sessions behind these sums.
    public var cost: FleetCost {
        var cost = FleetCost(
            sessions: sessions.count, exchanges: 0, bytes: row(.capture).integer("bytes"), wire: 0, encrypted: 0,
            unreadHosts: rows(.unreadHost).count)
        for (_, row) in rows(.api) {
            let costs = row.costs("cost")
            let wire = costs.up.internet &+ costs.down.internet
            if row.integer("encrypted") == 1 {
                cost.encrypted &+= wire
            } else {
                cost.wire &+= wire
                cost.exchanges &+= row.integer("exchanges")
            }
        }
        return cost
    }
}
