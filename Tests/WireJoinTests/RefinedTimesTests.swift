import Testing

@testable import WireJoin
@testable import WireLogs

@Suite("Whole seconds, and the order of rows")
struct RefinedTimesTests {
    /// Usual calls, and two of `/list` within one second: the app gave up the first. Rows stand in the order of their ends.
    private static func scene(shuffled: Bool, fraction: Double = 0) -> (SmallLog, rows: [LogRow]) {
        var scene = SmallLog(resolution: 1_000_000_000)
        var ends: [(time: Double, row: LogRow)] = []
        func add(_ path: String, _ start: Double, _ end: Double, isZero: Bool = false) {
            scene.call(path, start, end)
            let place = scene.row(
                .exchange, path, ((start - 1) / 1000).rounded(.down) * 1000 + fraction, status: isZero ? 0 : 200
            ) {
                $0.end = SmallLog.time(((end + 2) / 1000).rounded(.down) * 1000 + fraction)
                $0.down.total = isZero ? 0 : 75
            }
            ends.append((end, scene.log.rows[place]))
        }
        for index in 0..<60 {
            // As uneven as calls are: rows are expected midway between their neighbours.
            let start = Double(index * 310 + index * index * 29 % 140)
            add("/usual/\(index % 5)", start, start + 90)
        }
        add("/list", 6_020, 6_110, isZero: true)
        add("/list", 6_700, 6_790)
        ends.sort { $0.time < $1.time }
        if shuffled { ends.sort { $0.row.number * 37 % 62 < $1.row.number * 37 % 62 } }
        scene.log.rows = ends.map(\.row)
        return (scene, scene.log.rows)
    }

    @Test("of two calls within a second each has the row that stands where it ended")
    func order() {
        let (scene, rows) = Self.scene(shuffled: false)
        let matching = scene.matching
        for (row, call) in [(61, 60), (62, 61)] {
            let place = rows.firstIndex { $0.number == row } ?? 0
            #expect(matching.fates[place] == .matched)
            #expect(matching.exchanges[place] == Int32(call))
        }
    }

    @Test("rows in disorder tell nothing more than their times")
    func disorder() {
        let (scene, rows) = Self.scene(shuffled: true)
        let matching = scene.matching
        let places = rows.indices.filter { rows[$0].number > 60 }
        #expect(places.map { matching.fates[$0] } == [.ambiguous, .ambiguous])
    }

    /// Calls that were given up, each with a row of zeros, which teaches that this app writes zeros for such calls. Two calls of
    /// `/list` end together, the second was given up; two of `/pair` end together, and only figures tell their rows apart.
    private static func taught() -> SmallLog {
        var scene = SmallLog(resolution: 1_000_000_000)
        var rows: [(time: Double, row: LogRow)] = []
        func add(_ path: String, _ start: Double, _ end: Double, isCut: Bool = false, total: Int = 75) {
            scene.call(path, start, end) { ($0.isFailed, $0.isGivenUp) = (isCut, isCut) }
            let time = ((start - 1) / 1000).rounded(.down) * 1000
            let place = scene.row(.exchange, path, time, status: isCut ? 0 : 200) {
                $0.end = SmallLog.time(((end + 2) / 1000).rounded(.down) * 1000)
                $0.down.total = isCut ? 0 : total
            }
            rows.append((end, scene.log.rows[place]))
        }
        for index in 0..<60 {
            let start = Double(index * 310 + index * index * 29 % 140)
            add("/usual/\(index)", start, start + 90)
            if index % 3 == 0 { add("/cut/\(index)", start + 20, start + 120, isCut: true) }
        }
        add("/list", 6_420, 6_510)
        add("/list", 6_420, 6_511, isCut: true)
        add("/pair", 9_420, 9_510, total: 75)
        add("/pair", 9_420, 9_511, total: 76)
        scene.log.rows = rows.sorted { $0.time < $1.time }.map(\.row)
        return scene
    }

    @Test("where figures decide some rows, what was learned of times and failures decides the others as before")
    func figures() {
        let scene = Self.taught()
        let rows = scene.log.rows
        let places = [81, 82, 83, 84].map { number in rows.firstIndex { $0.number == number } ?? 0 }
        let byTimes = scene.matching
        #expect(places.map { byTimes.fates[$0] } == [.matched, .matched, .ambiguous, .ambiguous])
        let judged = LogMatcher.match(scene.log, scene.calls) { _ in
            { pairs in
                pairs.map { pair in
                    let number = rows[Int(pair.row)].number
                    return number > 82 ? (number == Int(pair.call) + 1 ? 0 : FigureMisfit.rare) : nil
                }
            }
        }
        #expect(places.map { judged.fates[$0] } == [.matched, .matched, .matched, .matched])
        #expect(places.map { judged.exchanges[$0] } == [80, 81, 82, 83])
    }
}
