/// The rows of the API and host tables while they grow.
struct SummaryTables {
    private(set) var apis = NameTable()
    private(set) var apiRows: [APISummary] = []
    private(set) var hosts = NameTable()
    var hostRows: [HostSummary] = []

    /// The row of an API; when the table is full, the row that all further APIs share.
    mutating func api(_ name: [UInt8], limit: Int, isFull: inout Bool) -> Int32 {
        if let index = apis.intern(name, limit: limit) {
            if index == apiRows.count { apiRows.append(APISummary(api: NameTable.text(name))) }
            return Int32(index)
        }
        isFull = true
        let other = Array("(other APIs)".utf8)
        let index = apis.intern(other)!
        if index == apiRows.count { apiRows.append(APISummary(api: "(other APIs)")) }
        return Int32(index)
    }

    /// The row that an API has already.
    func row(ofAPI name: [UInt8]) -> Int? { apis.find(name) }

    func apiName(_ index: Int32) -> [UInt8] { apis.names[Int(index)] }
    func hostName(_ index: Int32) -> [UInt8] { hosts.names[Int(index)] }

    mutating func addExchange(api: Int32, host: Int32, _ costs: Directions<CostVector>) {
        apiRows[Int(api)].exchanges += 1
        apiRows[Int(api)].costs += costs
        hostRows[Int(host)].exchanges += 1
        hostRows[Int(host)].costs += costs
    }

    /// What an encrypted connection cost.
    mutating func addEncrypted(api: Int32, _ costs: Directions<CostVector>) {
        apiRows[Int(api)].isEncrypted = true
        apiRows[Int(api)].costs += costs
    }

    /// The row of a host; when the table is full, the row that all further hosts share.
    mutating func host(_ name: [UInt8], limit: Int, isFull: inout Bool) -> Int32 {
        if let index = hosts.intern(name, limit: limit) {
            if index == hostRows.count { hostRows.append(HostSummary(host: NameTable.text(name))) }
            return Int32(index)
        }
        isFull = true
        let index = hosts.intern(Array("(other hosts)".utf8))!
        if index == hostRows.count { hostRows.append(HostSummary(host: "(other hosts)")) }
        return Int32(index)
    }
}
