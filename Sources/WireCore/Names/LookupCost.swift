/// What lookups of one name cost a client: queries with their answers, and all retransmissions.
struct LookupCost: Sendable {
    struct Part: Sendable {
        /// The row in which its datagrams are counted until a connection pays.
        var row: Int32
        var counts = Directions<DatagramCounts>()
    }

    /// Tells it from others.
    let serial: Int
    private(set) var parts: [Part] = []
    /// Serial number of the cost that was added to it; nil where none was.
    private(set) var joined: Int?

    var isEmpty: Bool { parts.isEmpty }

    init(serial: Int) { self.serial = serial }

    mutating func add(_ counts: DatagramCounts, at seat: DatagramTable.Seat) {
        let place = self.place(of: seat.row)
        if seat.isUp { parts[place].counts.up += counts } else { parts[place].counts.down += counts }
    }

    /// No message is part of it any more.
    var isVoid: Bool { parts.allSatisfy { $0.counts == Directions() } }

    mutating func join(_ other: LookupCost) {
        joined = other.serial
        for part in other.parts { parts[place(of: part.row)].counts += part.counts }
    }

    private mutating func place(of row: Int32) -> Int {
        if let place = parts.firstIndex(where: { $0.row == row }) { return place }
        parts.append(Part(row: row))
        return parts.count - 1
    }

    var bytes: LookupBytes {
        var bytes = LookupBytes(serial: serial)
        for part in parts {
            bytes.up += part.counts.up.internet
            bytes.down += part.counts.down.internet
            bytes.upLink += part.counts.up.link
            bytes.downLink += part.counts.down.link
        }
        return bytes
    }
}

/// Of lookups, what a connection pays: IP bytes, and link bytes.
struct LookupBytes: Equatable, Sendable {
    var up = 0
    var down = 0
    var upLink = 0
    var downLink = 0
    /// As in `LookupCost`.
    var serial: Int

    static func += (left: inout Self, right: Self) {
        left.up += right.up
        left.down += right.down
        left.upLink += right.upLink
        left.downLink += right.downLink
    }
}

/// A connection that pays for lookups.
struct LookupPayer: Sendable {
    var key: ConnectionKey
    /// It is a connection of QUIC.
    var isDatagram: Bool
}
