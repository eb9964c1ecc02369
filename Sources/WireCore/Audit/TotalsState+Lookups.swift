/// Links of records to the calls whose DNS answers gave their servers' addresses.
extension TotalsState {
    /// A connection is opened for its first exchange; those that follow need no lookup.
    func link(_ record: inout ExchangeRecord) {
        guard record.exchange == 0 else { return }
        record.lookup = learned.link(
            for: record.server.address, client: record.client.address,
            name: record.serverName ?? TotalsState.name(ofHost: record.host), at: record.connectionTime)
    }

    /// `host`: of its exchanges; nil where it had none.
    func link(_ record: inout ConnectionRecord, host: [UInt8]?) {
        record.lookup = learned.link(
            for: record.server.address, client: record.client.address,
            name: record.tls?.serverName ?? host.map(TotalsState.name), at: record.time)
    }

    /// The host without its port.
    private static func name(ofHost host: [UInt8]) -> [UInt8] {
        guard let colon = host.lastIndex(of: 0x3A), !host[colon...].contains(0x5D) else { return host }
        return Array(host[..<colon])
    }
}
