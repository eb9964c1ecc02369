import WireTesting

@testable import WireCore

/// Whose each byte is, the slow way: an entry for each byte, and packets and records as lists of places.
struct SlowLedger {
    struct Byte {
        var owner = Owner.connection
        /// Nil for the bytes around a record's content, which have no cause of their own.
        var cause: Cause?
        var isKnown = false
    }

    struct Packet {
        var direction: Direction
        var cost: HeaderCost
        var places: [Int] = []
    }

    struct Record {
        var direction: Direction
        var start: Int
        var lead: Int
        var content: Int
        var trail: Int
    }

    /// By direction.
    var bytes: [[Byte]] = [[], []]
    var packets: [Packet] = []
    var records: [Record] = []
    /// Costs that follow bytes, which lie in the direction beside them.
    var following: [(cost: DeferredCost, direction: Direction)] = []

    mutating func append(_ count: Int, _ direction: Direction) {
        bytes[direction.index] += [Byte](repeating: Byte(), count: count)
    }

    mutating func set(_ range: Range<Int>, _ direction: Direction, _ owner: Owner, _ cause: Cause?) {
        for place in range { bytes[direction.index][place] = Byte(owner: owner, cause: cause, isKnown: true) }
    }

    /// What a record has around its content is the first owner's and the last one's.
    mutating func close(_ record: Record) {
        let content = record.start + record.lead..<record.start + record.lead + record.content
        let first = bytes[record.direction.index][content.lowerBound].owner
        let last = bytes[record.direction.index][content.upperBound - 1].owner
        set(record.start..<content.lowerBound, record.direction, first, nil)
        set(content.upperBound..<content.upperBound + record.trail, record.direction, last, nil)
        records.append(record)
    }

    // MARK: Sums

    /// Costs of an owner by direction; `overheadLink` is the connection's alone.
    struct Sums: Equatable {
        var costs: [[CostVector]] = []
        var overheadLink = [0, 0]
    }

    /// What each owner has cost: first the connection, then the accounts in their order.
    func sums(accounts: Int) -> Sums {
        var sums = Sums(
            costs: [[CostVector]](repeating: [CostVector(), CostVector()], count: accounts + 1))
        func add(_ owner: Int, _ cause: Cause, _ count: Int, _ direction: Direction) {
            sums.costs[max(0, owner + 1)][direction.index][cause] += count
        }
        for direction in Direction.both {
            for byte in bytes[direction.index] {
                if let cause = byte.cause { add(Int(byte.owner.index), cause, 1, direction) }
            }
        }
        for record in records {
            let start = record.start + record.lead
            let owners = (start..<start + record.content).map { bytes[record.direction.index][$0].owner }
            for (owner, part) in SlowLedger.divide(record.lead + record.trail, owners) {
                add(owner, .tlsRecords, part, record.direction)
            }
        }
        for packet in packets {
            let owners = packet.places.map { bytes[packet.direction.index][$0].owner }
            if owners.allSatisfy({ $0 == .handshake }) {
                sums.costs[0][packet.direction.index][.setupTLS] += packet.cost.internet
                sums.costs[0][packet.direction.index].handshakeHeaders += packet.cost.internet
                sums.costs[0][packet.direction.index].offloadHidden += packet.cost.hidden
                sums.overheadLink[packet.direction.index] += packet.cost.link
            } else {
                share(packet.cost, .tcpip, owners, packet.direction, &sums)
            }
        }
        for (cost, direction) in following {
            let places = cost.start.value..<(cost.cause == .ack ? cost.start.value + 1 : cost.end.value)
            let owners = places.map { bytes[direction.index][$0].owner }
            if cost.cause == .retransmission {
                for owner in owners { add(Int(owner.index), .retransmission, 1, cost.payer) }
            }
            share(cost.cost, cost.cause, owners, cost.payer, &sums)
        }
        return sums
    }

    private func share(
        _ cost: HeaderCost, _ cause: Cause, _ owners: [Owner], _ direction: Direction, _ sums: inout Sums
    ) {
        for (owner, part) in SlowLedger.divide(cost.internet, owners) {
            sums.costs[owner + 1][direction.index][cause] += part
        }
        for (owner, part) in SlowLedger.divide(cost.link, owners) {
            sums.costs[owner + 1][direction.index].link += part
        }
        for (owner, part) in SlowLedger.divide(cost.hidden, owners) {
            sums.costs[owner + 1][direction.index].offloadHidden += part
        }
    }

    /// In proportion to the bytes of each owner, by largest remainder, the earlier one first where they are equal.
    private static func divide(_ amount: Int, _ owners: [Owner]) -> [(owner: Int, part: Int)] {
        KnownCosts.share(amount, KnownCosts.count(owners.map { Int($0.index) }))
    }
}
