import Testing
import WireTesting

@testable import WireCore

@Suite("Attribution")
struct AttributionTests {
    struct Kind: Sendable, CustomStringConvertible {
        var seed: UInt64
        var isDirect: Bool
        var description: String { "seed \(seed), units in \(isDirect ? "the stream itself" : "records")" }
    }

    static let kinds = (1...4).flatMap { [Kind(seed: $0, isDirect: true), Kind(seed: $0, isDirect: false)] }

    @Test("gives each byte one owner and one cause, as a ledger with an entry for each byte does", arguments: kinds)
    func agreesWithSlowLedger(kind: Kind) {
        var random = SeededRandom(seed: kind.seed)
        for round in 0..<60 {
            let program = AttributionProgram(seed: random.next(), isDirect: kind.isDirect)
            for _ in 0..<random.below(50) {
                switch random.below(8) {
                case 0, 1: program.addFollowing()
                case 2: program.resolveFollowing(Direction(random.below(2)))
                default: program.sendPacket(Direction(random.below(2)))
                }
            }
            program.finish()
            let place = "\(kind), round \(round)"
            #expect(program.failures.first == nil, "\(place)")
            #expect(sums(program) == program.model.sums(accounts: program.owners.count), "\(place)")
            #expect(wrongOwner(program) == nil, "\(place)")
            #expect(program.attribution.pending.count == 0, "\(place)")
            #expect(program.attribution.depth == 0, "\(place)")
            #expect(program.waitingCount == 0, "\(place)")
        }
    }

    private func sums(_ program: AttributionProgram) -> SlowLedger.Sums {
        var sums = SlowLedger.Sums()
        sums.costs.append([0, 1].map { program.attribution.connection[Direction($0)].unattributed })
        sums.overheadLink = [0, 1].map { program.attribution.connection[Direction($0)].overheadLink }
        for index in 0..<program.attribution.accounts.count {
            sums.costs.append([0, 1].map { program.attribution.accounts[index].costs[Direction($0)] })
        }
        return sums
    }

    /// The first byte with another owner than in the slow ledger.
    private func wrongOwner(_ program: AttributionProgram) -> String? {
        for direction in Direction.both {
            for (place, byte) in program.model.bytes[direction.index].enumerated() {
                let owner = program.attribution.owner(at: StreamPosition(place), direction)
                if owner != byte.owner || !byte.isKnown { return "direction \(direction), byte \(place): \(owner)" }
            }
        }
        return nil
    }

    @Test(
        "finds the owner of a byte among messages that lie in the stream one after another",
        arguments: [1, 2, 3] as [UInt64])
    func findsOwnersInRanges(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<60 {
            var attribution = Attribution()
            let storage = UnsafePairStorage(repeating: ConnectionAccount())
            attribution.connection = storage.pair
            let bytes = layMessages(&attribution, &random)
            for query in 0..<200 {
                let direction = Direction(random.below(2))
                let place = random.below(bytes[direction.index].count)
                let owner = attribution.owner(at: StreamPosition(place), direction)
                #expect(owner == bytes[direction.index][place], "seed \(seed), round \(round), query \(query)")
            }
            for direction in Direction.both {
                let behind = StreamPosition(bytes[direction.index].count + random.below(9))
                let latest = attribution.connection[direction].latest
                let isOpen = latest >= 0 && attribution.accounts[Int(latest)].ranges[direction].end == .never
                let owner = attribution.owner(at: behind, direction)
                #expect(owner.index == (isOpen ? latest : -1), "seed \(seed), round \(round)")
                let costs = bytes[direction.index].map { $0.index }
                chargeAll(costs, direction, &attribution, "seed \(seed), round \(round)")
            }
        }
    }

    /// Messages of some exchanges, in order, with bytes of nobody between them. Returns the owner of each byte.
    private func layMessages(_ attribution: inout Attribution, _ random: inout SeededRandom) -> [[Owner]] {
        var bytes: [[Owner]] = [[.connection], [.connection]]
        var previous: Int32 = -1
        for _ in 0...random.below(12) {
            let owner = attribution.openAccount()
            attribution.accounts[Int(owner.index)].previous = previous
            if previous >= 0 { attribution.accounts[Int(previous)].following = owner.index }
            previous = owner.index
            for direction in Direction.both where !random.oneIn(4) {
                let side = direction.index
                bytes[side] += [Owner](repeating: .connection, count: random.oneIn(3) ? random.below(6) : 0)
                let start = bytes[side].count
                bytes[side] += [Owner](repeating: owner, count: 1 + random.below(12))
                let range = OwnedRange(start: StreamPosition(start), end: StreamPosition(bytes[side].count))
                attribution.accounts[Int(owner.index)].ranges[direction] = range
                attribution.connection[direction].latest = owner.index
            }
        }
        for direction in Direction.both where random.oneIn(2) {
            let latest = attribution.connection[direction].latest
            if latest >= 0 { attribution.accounts[Int(latest)].ranges[direction].end = .never }
        }
        return bytes
    }

    /// A retransmission of all bytes: each owner pays for its own.
    private func chargeAll(_ owners: [Int32], _ direction: Direction, _ attribution: inout Attribution, _ place: String)
    {
        let open = attribution.connection[direction].latest
        let isOpen = open >= 0 && attribution.accounts[Int(open)].ranges[direction].end == .never
        let cost = DeferredCost(
            start: .zero, end: StreamPosition(owners.count), cause: .retransmission, payer: direction)
        attribution.charge(cost, on: direction, next: cost.end)
        for index in 0..<attribution.accounts.count {
            let expected = owners.filter { $0 == Int32(index) }.count
            #expect(attribution.accounts[index].costs.bytes(.retransmission, direction) == expected, "\(place)")
        }
        let nobody = owners.filter { $0 < 0 }.count
        #expect(attribution.connection[direction].unattributed[.retransmission] == nobody, "\(place), open: \(isOpen)")
    }

    @Test("the connection pays what comes for an owner whose account was closed")
    func chargesClosedOwners() {
        var attribution = Attribution()
        let storage = UnsafePairStorage(repeating: ConnectionAccount())
        attribution.connection = storage.pair
        let first = attribution.openAccount()
        attribution.closeAccount(first.index)
        let second = attribution.openAccount()
        #expect(second.index == first.index)
        let areOpen = [first, second].map { attribution.isOpen($0) }
        #expect(areOpen == [false, true])
        #expect(attribution.openCount == 1)
        attribution.enter(packet: HeaderCost(internet: 40, link: 14, hidden: 80))
        attribution.claim(first, .body, 5, 0)
        attribution.claimUnread(first, .framing, 5, 0)
        attribution.leave(0)
        #expect(attribution.connection[0].unattributed.text == "framing 5 body 5 tcpip 40")
        #expect(attribution.connection[0].unattributed.link == 14)
        #expect(attribution.connection[0].unattributed.offloadHidden == 80)
        #expect(attribution.accounts[Int(second.index)].costs[0] == CostVector())
    }

    @Test("an owner was there until the last of its bytes, and unread bytes do not show that it goes on")
    func notesLastTime() {
        var attribution = Attribution()
        let storage = UnsafePairStorage(repeating: ConnectionAccount())
        attribution.connection = storage.pair
        let owner = attribution.openAccount()
        let times: [(claims: Bool, time: Int64, last: Int64)] = [
            (true, 5, 5), (false, 9, 5), (true, 7, 7), (true, 6, 7),
        ]
        for (claims, time, last) in times {
            attribution.packet.time = time
            attribution.enter(packet: HeaderCost())
            if claims { attribution.claim(owner, .body, 1, 1) } else { attribution.claimUnread(owner, .body, 1, 1) }
            attribution.leave(1)
            #expect(attribution.accounts[Int(owner.index)].lastTime == last)
        }
    }

    @Test("set-up and teardown are moved or divided without a rest", arguments: [1, 2] as [UInt64])
    func sharesOverhead(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<200 {
            var attribution = Attribution()
            let storage = UnsafePairStorage(repeating: ConnectionAccount())
            attribution.connection = storage.pair
            var shares = ShareList()
            for _ in 0...random.below(5) { shares.add(attribution.openAccount(), 1 + random.below(3)) }
            for direction in Direction.both {
                for cause in Cause.allCases {
                    attribution.connection[direction].unattributed[cause] = random.below(100)
                }
                attribution.connection[direction].addOverhead(.setupTCP, random.below(9), link: random.below(60))
                attribution.connection[direction].unattributed.handshakeHeaders = random.below(50)
                attribution.connection[direction].unattributed.closingRecords = random.below(50)
            }
            let before = Direction.both.map { storage.pair[$0].unattributed }
            let link = Direction.both.map { storage.pair[$0].overheadLink }
            if random.oneIn(2) { attribution.divideOverhead(among: shares) } else { attribution.moveOverhead(to: 0) }
            for direction in Direction.both {
                var sum = CostVector()
                for index in 0..<attribution.accounts.count { sum += attribution.accounts[index].costs[direction] }
                for cause in Cause.allCases {
                    #expect(
                        sum[cause] == (cause.isOverhead ? before[direction.index][cause] : 0),
                        "seed \(seed), round \(round)")
                    #expect(
                        attribution.connection[direction].unattributed[cause]
                            == (cause.isOverhead ? 0 : before[direction.index][cause]))
                }
                #expect(sum.link == link[direction.index])
                #expect(attribution.connection[direction].overheadLink == 0)
                #expect(sum.handshakeHeaders == before[direction.index].handshakeHeaders)
                #expect(sum.closingRecords == before[direction.index].closingRecords)
            }
        }
    }
}
