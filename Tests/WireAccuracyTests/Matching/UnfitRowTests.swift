import Testing

@testable import WireAccuracy

@Suite("Rows whose figures fit no exchange")
struct UnfitRowTests {
    private static let usual = 120
    private static let first = usual

    /// Usual calls, and now and then the row of a call that was never sent. Then two calls of `/list`, near which the last row of
    /// the log stands: that of one of them, somewhat off, or that of a call that was never sent.
    private static func scene() -> SmallLog {
        var scene = SmallLog()
        for index in 0..<usual {
            let start = Double(index) * 500
            let path = "/usual/\(index % 4)"
            scene.call(path, start, start + 90)
            let (lead, lag) = (Double(index % 9), Double(index % 11))
            scene.row(.exchange, path, start - lead, status: 200) { $0.end = SmallLog.time(start + 90 + lag) }
            if index % 10 == 5 {
                scene.row(.exchange, path, start + 250) { $0.end = SmallLog.time(start + 251) }
            }
        }
        scene.call("/list", 30_500, 30_590)
        scene.call("/list", 30_502, 30_592)
        scene.row(.exchange, "/list", 30_440, status: 200) { $0.end = SmallLog.time(30_650) }
        return scene
    }

    /// What becomes of the last row.
    ///
    /// - Parameter cost: of its figures at an exchange of `/list`.
    private static func last(_ cost: @escaping (Int) -> Int32?) -> (fate: LogMatching.Fate, exchange: Int32) {
        let scene = scene()
        let last = scene.log.rows.count - 1
        let matching = LogMatcher.match(scene.log, scene.calls) { _ in
            { pairs in pairs.map { row, call in Int(row) == last ? cost(Int(call)) : 0 } }
        }
        return (matching.fates[last], matching.exchanges[last])
    }

    @Test("a row that lies in an exchange's time is not its row, if other figures are that rare")
    func noneFits() {
        let found = Self.last { _ in FigureMisfit.rare }
        #expect(found.fate == .withoutExchange)
    }

    @Test("but may be, if its figures fit, are frequent, or no formula is known", arguments: [0, 700, nil] as [Int32?])
    func oneFits(cost: Int32?) {
        let found = Self.last { $0 == Self.first ? cost : FigureMisfit.rare }
        #expect(found.fate != .withoutExchange)
        #expect(found.exchange == Int32(Self.first))
    }

    @Test("a row that another one pushes from its exchange, because that one's figures fit it, is looked at, too")
    func pushed() {
        var scene = SmallLog()
        for index in 0..<Self.usual {
            let start = Double(index / 2) * 1000 + Double(index % 2) * 8
            let path = "/usual/\(index / 2 % 4)"
            scene.call(path, start, start + 90)
            let (lead, lag) = (Double(index * 7 % 19), Double(index * 11 % 23))
            scene.row(.exchange, path, start - lead, status: 200) { $0.end = SmallLog.time(start + 90 + lag) }
        }
        let exchanges = [scene.call("/list", 30_500, 30_590), scene.call("/list", 30_508, 30_598)]
        let rows = [0.0, 8].map { late in
            scene.row(.exchange, "/list", 30_491 + late, status: 200) { $0.end = SmallLog.time(30_601 + late) }
        }
        let matching = LogMatcher.match(scene.log, scene.calls) { _ in
            { pairs in
                pairs.map { rows.contains(Int($0.row)) && $0.call != exchanges[0] ? 2 * FigureMisfit.rare : 0 }
            }
        }
        #expect(rows.map { matching.fates[$0] } == [.matched, .matched])
        #expect(rows.map { matching.exchanges[$0] } == exchanges)
    }
}
