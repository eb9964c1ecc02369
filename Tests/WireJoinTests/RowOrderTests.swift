import Testing
import WireTesting

@testable import WireJoin

@Suite("Times told by the order of rows")
struct RowOrderTests {
    private static func points(_ times: [Int64]) -> [RowOrder.Point] {
        times.enumerated().map { RowOrder.Point(row: Int32($0.offset * 10), time: $0.element) }
    }

    static let orders: [(times: [Int64], isOrder: Bool, share: Double)] = [
        ([], false, 0), ([1, 2, 3], false, 1), ([1, 2, 3, 4], true, 1), ([5, 5, 5, 5], true, 1),
        ([1, 2, 9, 3, 4], true, 0.8), ([4, 3, 2, 1], false, 0.25), ([1, 9, 2, 8, 3, 7, 4], false, 4.0 / 7),
    ]

    @Test("four points of which three fifths ascend are an order", arguments: orders)
    func isOrder(times: [Int64], isOrder: Bool, share: Double) {
        let order = RowOrder(Self.points(times))
        #expect(order.isOrder == isOrder)
        #expect(order.share == share)
        let shuffled = RowOrder(Self.points(times).reversed())
        #expect(shuffled.share == share)
    }

    static let places: [(row: Int32, time: Int64)] = [
        (-5, 1000), (0, 2000), (5, 1500), (10, 2000), (15, 2500), (30, 3000), (99, 4000),
    ]

    @Test("a row lies between the rows around it, and itself says nothing of its own time", arguments: places)
    func time(row: Int32, expected: Int64) {
        #expect(RowOrder(Self.points([1000, 2000, 3000, 4000])).time(of: row) == expected)
    }

    @Test("a row out of order is held against the others")
    func outlier() {
        let order = RowOrder(Self.points([1000, 2000, 9000, 4000, 5000]))
        #expect(order.time(of: 20) == 3000)
        #expect(order.spread == 0)
    }

    @Test("half of the rows lie within the spread of where their neighbours put them")
    func spread() {
        #expect(RowOrder(Self.points([0, 100, 200, 300, 400])).spread == 0)
        // Misses of 10, 20 and 30.
        #expect(RowOrder(Self.points([0, 110, 200, 330, 400])).spread == 20)
        #expect(RowOrder(Self.points([.min, .max])).spread == 0)
    }

    @Test("the part that ascends is the longest there is")
    func longest() {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let times = (0..<(1 + random.below(9))).map { _ in Int64(random.below(8)) }
            var longest = 0
            for mask in 1..<(1 << times.count) {
                let chosen = times.indices.filter { mask >> $0 & 1 == 1 }.map { times[$0] }
                if chosen == chosen.sorted() { longest = max(longest, chosen.count) }
            }
            let order = RowOrder(Self.points(times))
            #expect(order.share == Double(longest) / Double(times.count), "seed \(seed)")
        }
    }
}
