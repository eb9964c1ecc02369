/// Set-up, teardown and keep-alives of a connection, which no bytes of messages carry: they go where a policy says.
extension Attribution {
    static let overheadCauses = Cause.allCases.filter(\.isOverhead)

    /// The first connection to an address that a DNS answer gave, opened after it, pays for the lookup.
    mutating func pay(for lookup: LookupBytes, client: Direction) {
        connection[client].addOverhead(.setupDNS, lookup.up, link: lookup.upLink)
        connection[client.opposite].addOverhead(.setupDNS, lookup.down, link: lookup.downLink)
        if isTraced { selected?.pay(lookup.serial, client) }
    }

    /// One owner pays all of it.
    mutating func moveOverhead(to index: Int) {
        for direction in Direction.both {
            for cause in Attribution.overheadCauses where connection[direction].unattributed[cause] > 0 {
                accounts[index].costs.add(cause, connection[direction].unattributed[cause], direction)
                connection[direction].unattributed[cause] = 0
            }
            accounts[index].costs.addLink(connection[direction].overheadLink, direction)
            connection[direction].overheadLink = 0
            let headers = connection[direction].unattributed.handshakeHeaders
            let records = connection[direction].unattributed.closingRecords
            guard headers > 0 || records > 0 else { continue }
            accounts[index].costs[direction].handshakeHeaders += headers
            accounts[index].costs[direction].closingRecords += records
            connection[direction].unattributed.handshakeHeaders = 0
            connection[direction].unattributed.closingRecords = 0
        }
    }

    /// Several owners pay it, in these shares.
    mutating func divideOverhead(among shares: ShareList) {
        for direction in Direction.both {
            for cause in Attribution.overheadCauses where connection[direction].unattributed[cause] > 0 {
                let amount = connection[direction].unattributed[cause]
                for (place, part) in divide(amount, among: shares).enumerated() {
                    accounts[Int(shares[place].owner.index)].costs.add(cause, part, direction)
                }
                connection[direction].unattributed[cause] = 0
            }
            for (place, part) in divide(connection[direction].overheadLink, among: shares).enumerated() {
                accounts[Int(shares[place].owner.index)].costs.addLink(part, direction)
            }
            connection[direction].overheadLink = 0
            divideParts(among: shares, direction)
        }
    }

    /// The parts of causes that stand beside them go where the causes go.
    private mutating func divideParts(among shares: ShareList, _ direction: Direction) {
        let headers = connection[direction].unattributed.handshakeHeaders
        let records = connection[direction].unattributed.closingRecords
        guard headers > 0 || records > 0 else { return }
        for (place, part) in divide(headers, among: shares).enumerated() {
            accounts[Int(shares[place].owner.index)].costs[direction].handshakeHeaders += part
        }
        for (place, part) in divide(records, among: shares).enumerated() {
            accounts[Int(shares[place].owner.index)].costs[direction].closingRecords += part
        }
        connection[direction].unattributed.handshakeHeaders = 0
        connection[direction].unattributed.closingRecords = 0
    }
}
