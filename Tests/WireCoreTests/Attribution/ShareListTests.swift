import Testing
import WireTesting

@testable import WireCore

@Suite("Shares")
struct ShareListTests {
    private func divide(_ amount: Int, _ sizes: [Int]) -> [Int] {
        var list = ShareList()
        for (index, size) in sizes.enumerated() { list.add(Owner(index: Int32(index), serial: 1), size) }
        var parts: [Int] = [9, 9]
        list.divide(amount, into: &parts)
        return parts
    }

    static let table: [(amount: Int, sizes: [Int], parts: [Int])] = [
        (40, [1], [40]), (40, [1, 1], [20, 20]), (41, [1, 1], [21, 20]), (40, [1, 1, 1], [14, 13, 13]),
        (41, [1, 1, 1], [14, 14, 13]), (1, [1, 1, 1], [1, 0, 0]), (1, [1, 2], [0, 1]), (0, [3, 4], [0, 0]),
        (40, [10, 20], [13, 27]), (40, [2, 27], [3, 37]), (10, [1, 1, 1, 1, 1, 1, 94], [0, 0, 0, 0, 0, 0, 10]),
        (3, [1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0]), (7, [0, 0], [7, 0]), (5, [0, 3], [0, 5]),
        (1 << 62, [1 << 61, 1 << 61], [1 << 61, 1 << 61]), (3, [1 << 62, 1], [3, 0]),
    ]

    @Test("divide by largest remainder, the earlier first on ties", arguments: 0..<table.count)
    func divides(index: Int) {
        #expect(divide(Self.table[index].amount, Self.table[index].sizes) == Self.table[index].parts)
    }

    @Test("lose nothing, and are never off by a byte or more", arguments: [1, 2] as [UInt64])
    func dividesRandom(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<2000 {
            let sizes = (0..<1 + random.below(9)).map { _ in 1 + random.below([2, 50, 65_536][random.below(3)]) }
            let amount = random.below([60, 10_000][random.below(2)])
            let parts = divide(amount, sizes)
            let total = sizes.reduce(0, +)
            #expect(parts.reduce(0, +) == amount, "seed \(seed), round \(round): \(amount) among \(sizes)")
            for (part, size) in zip(parts, sizes) {
                let isNear = abs(part * total - amount * size) < total
                #expect(isNear, "seed \(seed), round \(round): \(amount) among \(sizes)")
            }
        }
    }

    @Test("join what the same owner adds twice in a row")
    func joinsNeighbours() {
        var list = ShareList()
        let (first, second) = (Owner(index: 0, serial: 1), Owner(index: 0, serial: 2))
        for owner in [first, first, second, first] { list.add(owner, 5) }
        #expect((0..<list.count).map { list[$0].bytes } == [10, 5, 5])
    }

    @Test("merge into one for each owner, earliest first, however many there are", arguments: [1, 2] as [UInt64])
    func mergesOwners(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<500 {
            let most = [1, 2, 15, 16, 17, 18, 40][random.below(7)]
            var list = ShareList()
            var expected: [(owner: Owner, bytes: Int)] = []
            for _ in 0..<random.below(3 * most) {
                // -2 stands for the handshake, which the connection pays for.
                let index = Int32(random.below(most)) - 2
                let owner = Owner(index: index, serial: index < 0 ? 0 : 1)
                let bytes = 1 + random.below(9)
                list.add(owner, bytes)
                let payer = owner == .handshake ? .connection : owner
                if let place = expected.firstIndex(where: { $0.owner == payer }) {
                    expected[place].bytes += bytes
                } else {
                    expected.append((payer, bytes))
                }
            }
            let merged = list.merged()
            let all = (0..<merged.count).map { merged[$0] }
            #expect(all.map(\.owner) == expected.map(\.owner), "seed \(seed), round \(round)")
            #expect(all.map(\.bytes) == expected.map(\.bytes), "seed \(seed), round \(round)")
        }
    }

    @Test("deferred costs come out in order of arrival once their range is delivered")
    func settlesInOrder() {
        var costs = DeferredCosts()
        var (chain, other) = (DeferredCosts.Chain(), DeferredCosts.Chain())
        for end in [30, 10, 20, 10, 40] {
            costs.append(DeferredCost(end: StreamPosition(end)), to: &chain)
            costs.append(DeferredCost(end: StreamPosition(end + 100)), to: &other)
        }
        func take(_ position: Int) -> [Int] {
            costs.takeAll(endingBy: StreamPosition(position), from: &chain).map(\.end.value)
        }
        #expect(take(9) == [])
        #expect(take(20) == [10, 20, 10])
        #expect(take(29) == [])
        costs.append(DeferredCost(end: StreamPosition(35)), to: &chain)
        #expect(take(35) == [30, 35])
        #expect(take(100) == [40])
        #expect(chain.isEmpty)
        #expect(!other.isEmpty)
    }
}

@Suite("Causes and costs")
struct CauseTests {
    @Test("have one name each, and sums that hold all of them")
    func namesCauses() {
        #expect(Set(Cause.allCases.map(\.name)).count == 17)
        var costs = CostVector()
        for (index, cause) in Cause.allCases.enumerated() { costs[cause] = 1 << index }
        #expect(costs.internet == 1 << 17 - 1)
        #expect(costs.message == 0b1111)
        #expect(costs.setup == 0b11111 << 9)
        costs.link = 1 << 20
        costs.offloadHidden = 1 << 21
        #expect(costs.internet == 1 << 17 - 1)
        var sum = costs
        sum += costs
        #expect(sum.internet == 2 * costs.internet)
        #expect(sum.link == 1 << 21)
        #expect(sum != costs)
        let overhead = Cause.allCases.filter(\.isOverhead)
        #expect(overhead == [.setupDNS, .setupTCP, .setupTLS, .setupQUIC, .setupHTTP, .teardown, .keepalive])
    }
}
