import Testing

@testable import WireJoin

@Suite("Rows whose figures fit no exchange")
struct UnfitRowTests {
    private static let usual = 120
    /// Number of an exchange of `/list`.
    private static let first = Int32(usual)

    /// Usual calls, two of a path near each other, and now and then a row of a call that was never sent. Then two calls of `/list`
    /// and a row that is 60 ms off: that of one of them, or that of a call that was never sent.
    private static func scene(failing: Bool = false) -> SmallLog {
        var scene = SmallLog()
        for index in 0..<usual {
            let start = Double(index / 2) * 1000 + Double(index % 2) * 12
            let path = "/usual/\(index / 2 % 4)"
            scene.call(path, start, start + 90)
            let (lead, lag) = (Double(index * 7 % 19), Double(index * 11 % 23))
            scene.row(.exchange, path, start - lead, status: 200) { $0.end = SmallLog.time(start + 90 + lag) }
            guard index % 10 == 5 else { continue }
            scene.row(.exchange, path, start + 500) { $0.end = SmallLog.time(start + 501) }
        }
        scene.call("/list", 30_500, 30_590) { $0.isFailed = failing }
        scene.call("/list", 30_502, 30_592) { $0.isFailed = failing }
        scene.row(.exchange, "/list", 30_440, status: failing ? 0 : 200) {
            $0.end = SmallLog.time(30_650)
            if failing { $0.down.total = 0 }
        }
        return scene
    }

    /// - Parameters:
    ///   - cost: of the last row's figures at an exchange of `/list`.
    ///   - unfit: so many of the other rows have figures that are not their exchange's.
    private static func last(
        _ scene: SmallLog, unfit: Int = 0, _ cost: @escaping (Int32) -> Int32?
    ) -> (fate: LogMatching.Fate, exchange: Int32) {
        let last = scene.log.rows.count - 1
        let matching = LogMatcher.match(scene.log, scene.calls) { _ in
            { pairs in
                pairs.map { row, call in
                    if Int(row) == last { return cost(call) }
                    return Int(call) % (usual / max(1, unfit)) == 1 && unfit > 0 ? FigureMisfit.rare : 0
                }
            }
        }
        return (matching.fates[last], matching.exchanges[last])
    }

    @Test(
        "a row is rather of no exchange near it, if its figures fit none, and such figures are rare; one of a failure, too",
        arguments: [0, 12], [false, true])
    func noneFits(unfit: Int, failing: Bool) {
        let found = Self.last(Self.scene(failing: failing), unfit: unfit) { _ in FigureMisfit.rare }
        #expect((found.exchange < 0) == (unfit == 0))
        #expect(unfit > 0 || failing || found.fate == .withoutExchange)
    }

    @Test("where other rows of its path fit as badly, that figures fit no exchange says nothing")
    func badPath() {
        for odd in ["/list", "/odd"] {
            var scene = Self.scene()
            let last = scene.log.rows.removeLast()
            for index in 0..<4 {
                let start = 40_000 + Double(index / 2) * 1000 + Double(index % 2) * 12
                scene.call(odd, start, start + 90)
                scene.row(.exchange, odd, start - 9, status: 200) { $0.end = SmallLog.time(start + 101) }
            }
            scene.log.rows.append(last)
            let place = scene.log.rows.count - 1
            let matching = LogMatcher.match(scene.log, scene.calls) { _ in
                { pairs in
                    pairs.map { row, call in
                        let isOdd = scene.calls[Int(call)].path == scene.calls[Self.usual + 2].path
                        return isOdd || Int(row) == place ? FigureMisfit.rare : 0
                    }
                }
            }
            #expect((matching.exchanges[place] < 0) == (odd == "/odd"), "\(odd)")
        }
    }

    @Test(
        "it may be theirs, if its figures fit one of them, are frequent, or nothing is known of them",
        arguments: [0, 700, 3000, 5999, nil] as [Int32?])
    func oneFits(cost: Int32?) {
        let found = Self.last(Self.scene()) { $0 == Self.first ? cost : FigureMisfit.rare }
        #expect(found.fate != .withoutExchange)
        #expect(found.exchange == Self.first)
    }

    @Test("a row that another one pushes from its exchange, because that one's figures fit it, is looked at, too")
    func pushed() {
        var scene = Self.scene()
        let exchanges = [scene.call("/both", 20_500, 20_590), scene.call("/both", 20_508, 20_598)]
        let rows = [0.0, 8].map { late in
            scene.row(.exchange, "/both", 20_491 + late, status: 200) { $0.end = SmallLog.time(20_601 + late) }
        }
        #expect(rows.map { scene.matching.exchanges[$0] } == exchanges)
        #expect(rows.allSatisfy { scene.matching.fates[$0] == .matched })
        for isSeen in [false, true] {
            let matching = LogMatcher.match(scene.log, scene.calls) { _ in
                { pairs in
                    pairs.map { row, call in
                        let isKnown = isSeen || Int(row) == rows[1]
                        return isKnown && rows.contains(Int(row)) && call != exchanges[0] ? 2 * FigureMisfit.rare : 0
                    }
                }
            }
            #expect(rows.map { matching.exchanges[$0] } == (isSeen ? exchanges : exchanges.reversed()))
        }
    }
}
