/// UDP that is of no QUIC connection, by server and port.
///
/// Who of two is the server is decided at the first datagram between them; and there the server gets the name that its
/// row has.
struct DatagramTable: Sendable {
    /// Where a datagram is counted.
    struct Seat: Sendable {
        var row: Int32
        var isUp: Bool
    }

    struct Row: Sendable {
        /// Name or address, and port; empty of the row that all endpoints beyond the limit share.
        var endpoint: [UInt8]
        /// Number of the process that its packets name; 0 for none.
        var process: UInt16 = 0
        var protocols: DatagramProtocols = []
        var counts = Directions<DatagramCounts>()
    }

    private struct Flow: Sendable {
        var row: Int32
        /// What its latest packet named that named a process.
        var process: UInt16
        /// The server is what the key has as the sender of direction 0.
        var isServerFirst: Bool
        var protocols: DatagramProtocols = []
    }

    private(set) var rows: [Row] = []
    /// Endpoints with their processes, in the order of the rows.
    private var keys = NameTable()
    private var flows: [UInt64: Flow] = [:]
    private let rowLimit: Int
    private let flowLimit: Int
    /// Nobody can choose addresses that are taken for others.
    private let seed = UInt64.random(in: .min ... .max)
    /// How often an endpoint had no row of its own, or all flows were forgotten.
    private(set) var overflows = 0
    private(set) var openedFlows = 0

    init(rowLimit: Int, flowLimit: Int) {
        self.rowLimit = max(rowLimit, 1)
        self.flowLimit = max(flowLimit, 1)
    }

    /// Where a datagram is counted.
    ///
    /// - Parameters:
    ///   - payload: what was captured of it; the datagram has `length` bytes.
    ///   - proved: what is known of it already.
    ///   - process: number of the one that it names. A datagram without counts with those before it.
    ///   - name: of an address, if it has one.
    mutating func seat(
        _ key: ConnectionKey, _ payload: RawSpan, length: Int, proved: DatagramProtocols = [], process: UInt16 = 0,
        name: (IPAddress) -> [UInt8]?
    ) -> Seat {
        let pair = key.hash(seed: seed)
        let sender = key.sender(of: key.sender)
        let receiver = key.sender(of: key.sender.opposite)
        let known = flows[pair]
        let evidence = DatagramEvidence(
            payload, length: length, ports: (sender.port, receiver.port), known: known?.protocols ?? [])
        let found = evidence.protocols.union(proved)
        var flow = known ?? open(key, evidence.sender, process, name)
        if process != 0, process != flow.process {
            flow.process = process
            flow.row = row(rows[Int(flow.row)].endpoint, process)
        }
        if known == nil || known?.process != flow.process || !found.isSubset(of: flow.protocols) {
            flow.protocols.formUnion(found)
            flows[pair] = flow
            rows[Int(flow.row)].protocols.formUnion(flow.protocols)
        }
        return Seat(row: flow.row, isUp: (key.sender.index == 0) != flow.isServerFirst)
    }

    mutating func add(_ counts: DatagramCounts, at seat: Seat) {
        if seat.isUp {
            rows[Int(seat.row)].counts.up += counts
        } else {
            rows[Int(seat.row)].counts.down += counts
        }
    }

    private mutating func open(
        _ key: ConnectionKey, _ role: DatagramEvidence.Sender?, _ process: UInt16, _ name: (IPAddress) -> [UInt8]?
    ) -> Flow {
        let sender = key.sender(of: key.sender)
        let receiver = key.sender(of: key.sender.opposite)
        openedFlows += 1
        if flows.count >= flowLimit {
            flows.removeAll(keepingCapacity: true)
            overflows += 1
        }
        let isFromServer = DatagramTable.isFromServer(role, sender, receiver)
        let server = isFromServer ? sender : receiver
        var endpoint: [UInt8] = name(server.address).map { $0 + Array(":\(server.port)".utf8) } ?? []
        if endpoint.isEmpty { server.appendText(to: &endpoint) }
        return Flow(
            row: row(endpoint, process), process: process,
            isServerFirst: isFromServer == (key.sender.index == 0))
    }

    private mutating func row(_ endpoint: [UInt8], _ process: UInt16) -> Int32 {
        // An endpoint ends with the digits of its port.
        let key = process == 0 ? endpoint : endpoint + [0, UInt8(process >> 8), UInt8(truncatingIfNeeded: process)]
        guard let place = keys.intern(key, limit: rowLimit) else {
            overflows += 1
            if rows.count == rowLimit { rows.append(Row(endpoint: [])) }
            return Int32(rowLimit)
        }
        if place == rows.count { rows.append(Row(endpoint: endpoint, process: process)) }
        return Int32(place)
    }

    /// A group is no client. Then the bytes decide, then the ports, where one is a service's and the other is not, then
    /// the addresses, where one is of a private network and the other is not; else who speaks first is the client.
    private static func isFromServer(
        _ role: DatagramEvidence.Sender?, _ sender: Endpoint, _ receiver: Endpoint
    ) -> Bool {
        if receiver.address.isGroup { return false }
        if let role { return role == .server }
        for limit: UInt16 in [1024, 32_768] where (sender.port < limit) != (receiver.port < limit) {
            return sender.port < limit
        }
        return !sender.address.isPrivate && receiver.address.isPrivate
    }
}

extension IPAddress {
    /// Of a network that the Internet does not reach (RFC 1918, 4193, 6598), or of one link.
    var isPrivate: Bool {
        if isVersion6 { return high >> 57 == 0x7E || high >> 54 == 0x3FA }
        let value = UInt32(truncatingIfNeeded: low)
        return value >> 24 == 10 || value >> 20 == 0xAC1 || value >> 16 == 0xC0A8 || value >> 22 == 0x191
            || value >> 16 == 0xA9FE
    }

    /// Multicast, or broadcast to all.
    var isGroup: Bool {
        isVersion6 ? high >> 56 == 0xFF : low >> 28 == 0xE || low == 0xFFFF_FFFF
    }
}
