import Testing

@testable import WireJoin
@testable import WireLogs

@Suite("Logs without times and order, with very many rows of one name")
struct UntimedCrowdsTests {
    /// Calls of one name of so many kinds, in turn; all calls of a kind are alike. Their rows are equal but for their sizes.
    private func matching(
        calls: Int, kinds: Int, sizes: [Int], failures: Int = 0, usesFigures: Bool = false
    ) -> LogMatching {
        var scene = SmallLog(resolution: 0)
        for index in 0..<calls {
            scene.call("/poll", Double(index) * 10, Double(index) * 10 + 5) {
                $0.exchangeLikeness = Int32(index % kinds)
            }
        }
        for (place, size) in (sizes + Array(repeating: 0, count: failures)).enumerated() {
            let isFailure = place >= sizes.count
            scene.row(.exchange, "/poll", 0, status: isFailure ? 0 : 200) {
                ($0.time, $0.down.total) = (.min, size)
            }
        }
        let rows = scene.log.rows
        guard usesFigures else { return scene.matching }
        return LogMatcher.match(scene.log, scene.calls) { _ in
            { pairs in
                pairs.map { pair in
                    rows[Int(pair.row)].down.total == 100 + Int(pair.call) % kinds ? 0 : FigureMisfit.rare
                }
            }
        }
    }

    private func counts(_ matching: LogMatching) -> [LogMatching.Fate: Int] {
        Dictionary(grouping: matching.fates) { $0 }.mapValues(\.count)
    }

    @Test("rows that fit only calls that are alike have one of them each, whichever")
    func alike() {
        let found = matching(calls: 300, kinds: 1, sizes: Array(repeating: 100, count: 280))
        #expect(counts(found) == [.matched: 280])
        #expect(Set(found.exchanges).count == 280)
        #expect(found.hasAlike.allSatisfy { $0 })
    }

    @Test("rows are ambiguous where nothing tells which of different calls they are of, never without an exchange")
    func different() {
        let cases: [(kinds: Int, rows: Int)] = [(2, 299), (300, 290), (7, 120), (1, 301), (1, 900)]
        for (kinds, rows) in cases {
            let found = matching(calls: 300, kinds: kinds, sizes: Array(repeating: 100, count: rows))
            #expect(counts(found) == [.ambiguous: rows], "\(kinds) kinds, \(rows) rows")
            #expect(found.exchanges.filter { $0 >= 0 }.count == min(300, rows), "each has a call of its own to show")
        }
    }

    @Test("figures tell which of several kinds of calls rows are of")
    func figures() {
        // One row for each call would be taken for an order.
        let sizes = (0..<297).map { 100 + $0 % 3 }
        let found = matching(calls: 300, kinds: 3, sizes: sizes, usesFigures: true)
        #expect(counts(found) == [.matched: 297])
        for (row, call) in found.exchanges.enumerated() { #expect(sizes[row] == 100 + Int(call) % 3) }
        // A size that no call gives is no reason for any of them.
        let odd = matching(calls: 300, kinds: 3, sizes: sizes.dropLast() + [777], usesFigures: true)
        #expect(odd.fates.last == .ambiguous)
    }

    @Test("rows of zeros may be of calls that were never sent")
    func failures() {
        let found = matching(calls: 300, kinds: 1, sizes: Array(repeating: 100, count: 250), failures: 20)
        #expect(counts(found) == [.matched: 250, .ambiguous: 20])
    }

    @Test("work grows with the rows, not with the pairs")
    func work() {
        var scene = SmallLog(resolution: 0)
        for index in 0..<20_000 {
            scene.call("/poll", Double(index), Double(index) + 1) { $0.exchangeLikeness = Int32(index % 2) }
            if index == 0 { continue }
            scene.row(.exchange, "/poll", 0, status: 200) { ($0.time, $0.down.total) = (.min, 100) }
        }
        #expect(LogMatcher.counted(scene.log, scene.calls).work.total < 1_000_000)
    }
}
