import Testing

@testable import WireJoin

@Suite("Logs of a row or two")
struct FewRowsTests {
    /// By how much the log's clock is off, how long the call takes, and what opening its connection took. Milliseconds.
    static let lone: [(clock: Double, lasts: Double, opening: Double)] = [
        (0, 200, 0), (0, 0.4, 0), (0, 30_000, 0), (3, 200, 0), (-1800, 200, 0), (2900, 5, 0), (0, 200, 80),
        (900, 200, 80),
    ]

    @Test("a lone row with start and end is the lone exchange's", arguments: lone)
    func loneRow(clock: Double, lasts: Double, opening: Double) {
        var scene = SmallLog()
        let call = scene.call("/one", 1000 + opening, 1000 + opening + lasts) {
            $0.isFirst = opening > 0
            $0.opened = opening > 0 ? SmallLog.time(1000) : .min
        }
        let row = scene.row(.exchange, "/one", 999 + clock, status: 200) {
            $0.end = SmallLog.time(1002 + clock + opening + lasts)
        }
        let matching = scene.matching
        #expect(matching.exchanges[row] == call && matching.fates[row] == .matched)
    }

    @Test("of two exchanges, the one that took as long as the row says", arguments: [false, true])
    func byDuration(isLong: Bool) {
        var scene = SmallLog()
        let calls = [scene.call("/one", 1000, 1080), scene.call("/one", 2500, 4600)]
        let row = scene.row(.exchange, "/one", 1900, status: 200) {
            $0.end = SmallLog.time(isLong ? 4001 : 1981)
        }
        #expect(scene.matching.exchanges[row] == calls[isLong ? 1 : 0])
    }

    @Test("two rows with start and end are those of two exchanges")
    func twoRows() {
        var scene = SmallLog()
        let calls = [scene.call("/one", 1000, 1200), scene.call("/two", 1500, 1630)]
        let rows = [("/one", 1000.0, 1201.0), ("/two", 1499, 1632)].map { path, start, end in
            scene.row(.exchange, path, start, status: 200) { $0.end = SmallLog.time(end) }
        }
        #expect(rows.map { scene.matching.exchanges[$0] } == calls)
    }

    @Test("a row of another hour or day is not the lone exchange's", arguments: [1.0, 24.0, -24.0, 8760.0])
    func far(hours: Double) {
        var scene = SmallLog()
        scene.call("/one", 1000, 1200)
        let start = 999 + hours * 3_600_000
        let row = scene.row(.exchange, "/one", start, status: 200) { $0.end = SmallLog.time(start + 203) }
        #expect(scene.matching.exchanges[row] == -1 && scene.matching.fates[row] == .outsideCapture)
    }
}
