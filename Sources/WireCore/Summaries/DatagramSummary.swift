/// UDP to and from one server and port that is of no QUIC connection, without DNS that a connection pays for.
public struct DatagramSummary: Sendable, Equatable {
    /// Name or address, and port; nil of the row that all endpoints beyond the limit share.
    public var endpoint: String?
    /// Those that bytes have proved.
    public var protocols: DatagramProtocols
    public var counts: Directions<DatagramCounts>

    public init(
        endpoint: String?, protocols: DatagramProtocols = [],
        counts: Directions<DatagramCounts> = Directions<DatagramCounts>()
    ) {
        (self.endpoint, self.protocols, self.counts) = (endpoint, protocols, counts)
    }

    /// `dtls://turn.example.com:443`; `udp://` where no protocol was proved.
    public var name: String {
        endpoint.map { "\(protocols.scheme)://\($0)" } ?? "udp://(other endpoints)"
    }
}

extension HostSummary {
    /// The row of UDP among the hosts. Nothing of it is a message: what it carries counts as not read.
    public init(_ row: DatagramSummary) {
        self.init(host: row.name)
        datagrams = row
        costs = Directions(up: CostVector(row.counts.up), down: CostVector(row.counts.down))
        unassigned = costs
    }

    /// What it carried, as it stands in outputs.
    public var protocolNames: [String] { datagrams?.protocols.names ?? protocols.names }
}

extension CostVector {
    init(_ counts: DatagramCounts) {
        self.init()
        self[.tcpip] = counts.internet - counts.payload
        self[.opaque] = counts.payload
        link = counts.link
    }
}

/// Rows of UDP put together from the tables of the parts of an audit.
struct DatagramRows {
    private(set) var rows: [DatagramSummary] = []
    /// The same by the numbers of the processes that they name.
    private(set) var processes: [Directions<DatagramCounts>] = []
    /// IP bytes of all, those of processes that are not wanted included.
    private(set) var total = 0
    private var places: [[UInt8]: Int] = [:]
    private let limit: Int
    private let includes: (UInt16) -> Bool

    /// - Parameter includes: processes whose datagrams have rows.
    init(limit: Int, includes: @escaping (UInt16) -> Bool) {
        self.limit = max(limit, 1)
        self.includes = includes
    }

    /// Adds a table. `changes`: what others add to its rows, by their places.
    mutating func add(_ table: DatagramTable, _ changes: [[Int32: Directions<DatagramCounts>]]) {
        for (index, row) in table.rows.enumerated() {
            var counts = row.counts
            for change in changes { counts += change[Int32(index)] ?? Directions() }
            guard counts != Directions() else { continue }
            while processes.count <= Int(row.process) { processes.append(Directions()) }
            processes[Int(row.process)] += counts
            total += counts.internet
            guard includes(row.process) else { continue }
            let place = place(row.endpoint)
            rows[place].protocols.formUnion(row.protocols)
            rows[place].counts += counts
        }
    }

    private mutating func place(_ endpoint: [UInt8]) -> Int {
        if let place = places[endpoint] { return place }
        guard endpoint.isEmpty || rows.count < limit else { return place([]) }
        rows.append(DatagramSummary(endpoint: endpoint.isEmpty ? nil : NameTable.text(endpoint)))
        places[endpoint] = rows.count - 1
        return rows.count - 1
    }
}
