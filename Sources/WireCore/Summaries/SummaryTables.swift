/// The rows of the API and host tables while they grow.
struct SummaryTables {
    private(set) var apis = NameTable()
    private(set) var apiRows: [APISummary] = []
    private(set) var hosts = NameTable()
    var hostRows: [HostSummary] = []

    /// The row of an API; when the table is full, the row that all further APIs share.
    mutating func api(_ name: RawSpan, limit: Int, isFull: inout Bool) -> Int32 {
        if let index = apis.intern(name, limit: limit) { return apiRow(index) }
        isFull = true
        return apiRow("(other APIs)")
    }

    /// The row in which all encrypted connections to a host stand; when the table is full, that of all further hosts.
    mutating func encrypted(_ hidden: HiddenProtocol, host: Int, limit: Int, isFull: inout Bool) -> Int32 {
        if let index = apis.intern(hidden.rowName(host: hosts.names[host]), limit: limit) { return apiRow(index) }
        isFull = true
        return apiRow("tls://(other hosts) (encrypted)")
    }

    private mutating func apiRow(_ text: String) -> Int32 {
        apiRow(apis.intern(Array(text.utf8))!)
    }

    private mutating func apiRow(_ index: Int) -> Int32 {
        if index == apiRows.count { apiRows.append(APISummary(api: NameTable.text(apis.names[index]))) }
        return Int32(index)
    }

    /// The row that an API has already.
    func row(ofAPI name: [UInt8]) -> Int? { apis.find(name) }

    func apiName(_ index: Int32) -> [UInt8] { apis.names[Int(index)] }
    func hostName(_ index: Int32) -> [UInt8] { hosts.names[Int(index)] }

    /// Adds an exchange whose costs, up and down, stand at `place` in `costs`.
    mutating func addExchange(api: Int32, host: Int32, _ costs: [CostVector], at place: Int) {
        apiRows[Int(api)].exchanges += 1
        apiRows[Int(api)].costs.up.add(costs[place])
        apiRows[Int(api)].costs.down.add(costs[place + 1])
        hostRows[Int(host)].exchanges += 1
        hostRows[Int(host)].costs.up.add(costs[place])
        hostRows[Int(host)].costs.down.add(costs[place + 1])
    }

    /// Whether a connection was needed.
    mutating func addUse(host: Int, cost: Int, _ verdict: ConnectionPools.Verdict) {
        hostRows[host].setup.usedConnections += 1
        if verdict == .needless {
            hostRows[host].setup.reuseSaving += cost
        } else {
            hostRows[host].setup.neededConnections += 1
        }
    }

    /// What an encrypted connection cost.
    mutating func addEncrypted(api: Int32, _ costs: Directions<CostVector>) {
        apiRows[Int(api)].isEncrypted = true
        apiRows[Int(api)].costs += costs
    }

    // MARK: What is open, in a copy

    /// The same in a copy that is thrown away.
    mutating func host(_ name: [UInt8], limit: Int) -> Int32 {
        var isFull = false
        return unsafe host(name.span.bytes, limit: limit, isFull: &isFull)
    }

    mutating func addOpenExchange(host: Int32, _ up: borrowing CostVector, _ down: borrowing CostVector) {
        hostRows[Int(host)].exchanges += 1
        hostRows[Int(host)].costs.up.add(up)
        hostRows[Int(host)].costs.down.add(down)
    }

    mutating func addOpenConnection(
        host: Int32, own: Directions<CostVector>, unassigned: Directions<CostVector>, protocols: ProtocolSet,
        hasExchanges: Bool
    ) {
        let row = Int(host)
        hostRows[row].connections += 1
        hostRows[row].protocols.formUnion(protocols)
        if !hasExchanges, protocols.isDisjoint(with: [.hidden, .hiddenQUIC]) {
            hostRows[row].connectionsWithoutExchange += 1
        }
        hostRows[row].costs += own
        hostRows[row].unassigned += unassigned
    }

    // MARK: Hosts

    /// The row of a host; when the table is full, the row that all further hosts share.
    mutating func host(_ name: RawSpan, limit: Int, isFull: inout Bool) -> Int32 {
        if let index = hosts.intern(name, limit: limit) {
            if index == hostRows.count { hostRows.append(HostSummary(host: NameTable.text(hosts.names[index]))) }
            return Int32(index)
        }
        isFull = true
        let index = hosts.intern(Array("(other hosts)".utf8))!
        if index == hostRows.count { hostRows.append(HostSummary(host: "(other hosts)")) }
        return Int32(index)
    }
}
