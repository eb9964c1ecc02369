import Testing

@testable import WireJoin
@testable import WireLogs

@Suite("Redirected calls as logs record them")
struct RedirectChainsTests {
    /// Calls of `/start` that are redirected to `/middle` and from there to `/end`, and how a log has them.
    private static func scene(_ convention: RedirectConvention, _ kind: LogRow.Kind, chains: Int = 6) -> (
        SmallLog, expected: [(row: Int, call: Int32)]
    ) {
        var scene = SmallLog()
        scene.addUsual(whole: kind == .exchange)
        var expected: [(row: Int, call: Int32)] = []
        for index in 0..<chains {
            let time = 2500 + Double(index) * 5000
            let paths = ["/start", "/middle", "/end"]
            var hops: [Int32] = []
            for (hop, path) in paths.enumerated() {
                let before = hops.last ?? -1
                let start = time + Double(hop) * 100
                let call = scene.call(path, start, start + 80, status: hop < 2 ? 302 : 200) {
                    $0.redirectedFrom = before
                }
                hops.append(call)
            }
            let shown = convention == .task ? [2] : [0, 1, 2]
            for hop in shown {
                let path = hop == 2 && convention != .hops ? "/start" : paths[hop]
                let (start, end) = (time + Double(hop) * 100, time + Double(hop) * 100 + 81)
                let isWholeTask = convention == .task && kind == .exchange
                let row = scene.row(
                    kind, path, kind == .response ? end : (isWholeTask ? time : start) - 1, status: hop < 2 ? 302 : 200
                ) {
                    if kind == .exchange { $0.end = SmallLog.time(end) }
                }
                expected.append((row, hops[hop]))
            }
        }
        return (scene, expected)
    }

    static let cases: [(RedirectConvention, LogRow.Kind)] = [
        (.hops, .response), (.firstURLOnLast, .response), (.task, .response), (.hops, .exchange), (.task, .exchange),
    ]

    @Test("how a log has them is found out, and the last row is booked to the last hop", arguments: cases)
    func inferred(convention: RedirectConvention, kind: LogRow.Kind) {
        let (scene, expected) = Self.scene(convention, kind)
        let matching = scene.matching
        #expect(matching.redirects == convention)
        for (row, call) in expected {
            #expect(matching.exchanges[row] == call, "row \(row)")
            #expect(matching.fates[row] == .matched, "row \(row)")
        }
    }

    @Test("redirections of other apps, which the log never names, tell nothing of how it has its own", arguments: cases)
    func foreign(convention: RedirectConvention, kind: LogRow.Kind) {
        var (scene, expected) = Self.scene(convention, kind)
        for index in 0..<60 {
            let time = 2700 + Double(index) * 510
            let first = scene.call("/start", time, time + 80, status: 302) { ($0.host, $0.path) = (-1, -1) }
            scene.call("/end", time + 100, time + 180) { ($0.host, $0.redirectedFrom) = (-1, first) }
        }
        let matching = scene.matching
        #expect(matching.redirects == convention)
        for (row, call) in expected { #expect(matching.exchanges[row] == call, "row \(row)") }
    }

    @Test("without times their order tells it", arguments: cases)
    func untimed(convention: RedirectConvention, kind: LogRow.Kind) {
        var (scene, expected) = Self.scene(convention, kind)
        if kind == .response {
            // A log of responses has requests too: of a task the first.
            for call in scene.calls where call.status == 302 || call.redirectedFrom >= 0 {
                guard convention != .task || call.redirectedFrom < 0 else { continue }
                let start = Double(call.start - SmallLog.epoch) / 1_000_000
                scene.row(.request, String(decoding: scene.log.texts[call.path], as: UTF8.self), start - 1)
            }
        }
        func time(_ row: LogRow) -> Int64 { max(row.time, row.end) }
        let order = scene.log.rows.indices.sorted { time(scene.log.rows[$0]) < time(scene.log.rows[$1]) }
        scene.log.rows = order.map { place in
            var row = scene.log.rows[place]
            (row.time, row.end) = (.min, .min)
            return row
        }
        scene.log.timeResolution = 0
        expected = expected.map { item in (order.firstIndex(of: item.row) ?? -1, item.call) }
        let matching = scene.matching
        #expect(matching.redirects == convention)
        for (row, call) in expected {
            #expect(matching.fates[row] == .matched || matching.fates[row] == .ambiguous, "row \(row)")
            #expect(matching.exchanges[row] == call || matching.fates[row] == .ambiguous, "row \(row)")
        }
        #expect(expected.count { matching.fates[$0.row] == .matched } * 2 > expected.count)
    }

    @Test("without redirections, or without rows of such calls, nothing is said")
    func unknown() {
        var (scene, _) = Self.scene(.task, .response)
        scene.log.rows.removeAll { scene.log.texts[$0.path].starts(with: "/start".utf8) }
        #expect(scene.matching.redirects == nil)
        var usual = SmallLog()
        usual.addUsual()
        #expect(usual.matching.redirects == nil)
    }

    @Test("rows that have no redirected call tell nothing: those of another host, or of another time", arguments: cases)
    func noEvidence(convention: RedirectConvention, kind: LogRow.Kind) {
        let (whole, expected) = Self.scene(convention, kind)
        for (host, shift) in [("elsewhere", Int64(0)), ("api", 7_000_000_000_000)] {
            var scene = whole
            for (row, _) in expected {
                scene.log.rows[row].host = scene.number(host)
                scene.log.rows[row].time += shift
                if scene.log.rows[row].end != .min { scene.log.rows[row].end += shift }
            }
            #expect(scene.matching.redirects == nil, "\(host)")
        }
    }

    @Test("a chain is seen under the names of its first hop, by its last")
    func chains() {
        var scene = SmallLog()
        scene.call("/other", 0, 5)
        scene.call("/a", 10, 20, status: 301)
        scene.call("/b", 30, 40, status: 302) { $0.redirectedFrom = 1 }
        scene.call("/c", 50, 60) { $0.redirectedFrom = 2 }
        let chains = RedirectChains(scene.calls)
        #expect(!chains.isEmpty)
        #expect((0..<4).map { chains.isHop($0) } == [false, true, true, true])
        func shown(_ convention: RedirectConvention, _ kind: LogRow.Kind) -> [String] {
            chains.calls(as: convention, for: kind).map { call in
                "\(call.number) \(String(decoding: scene.log.texts[call.path], as: UTF8.self)) "
                    + "\(call.status) \((call.start - SmallLog.epoch) / 1_000_000)"
            }
        }
        let hops = ["0 /other 200 0", "1 /a 301 10", "2 /b 302 30", "3 /c 200 50"]
        #expect(shown(.hops, .response) == hops)
        #expect(shown(.firstURLOnLast, .response) == Array(hops[..<3]) + ["3 /a 200 50"])
        #expect(shown(.task, .response) == [hops[0], "-1 /a 301 10", "-1 /b 302 30", "3 /a 200 50"])
        #expect(shown(.task, .exchange) == [hops[0], "-1 /a 301 10", "-1 /b 302 30", "3 /a 200 10"])
    }

    @Test("a hop that follows itself or a later call makes no chain", arguments: [0, 1, 7, -5] as [Int32])
    func nonsense(place: Int32) {
        var scene = SmallLog()
        scene.call("/a", 10, 20, status: 301) { $0.redirectedFrom = place }
        scene.call("/b", 30, 40)
        #expect(RedirectChains(scene.calls).isEmpty)
        #expect(RedirectChains(scene.calls).calls(as: .task, for: .response).map(\.number) == [0, 1])
    }

    /// A call of `/go` is redirected to `/old` while the app asks for `/old` itself; both `/old` lead to `/new`. The first
    /// request for `/old` is taken for the one that followed. `truth` says whose last hop ends first.
    private static func rivals(goEndsFirst: Bool, hasTimes: Bool) -> (SmallLog, go: Int, old: Int) {
        var scene = SmallLog()
        scene.addUsual(whole: true)
        scene.addUsualRedirections()
        let go = scene.call("/go", 50_000, 50_020, status: 302)
        let one = scene.call("/old", 50_021, 50_030, status: 301) { $0.redirectedFrom = go }
        let two = scene.call("/old", 50_032, 50_060, status: 301) { $0.redirectRival = one }
        scene.call("/new", 50_040, 50_080) { $0.redirectedFrom = one }
        scene.call("/new", 50_070, 50_400) { $0.redirectedFrom = two }
        let (early, late) = (50_081.0, 50_401.0)
        let goRow = scene.row(.exchange, "/go", 49_999, status: 200) {
            $0.end = SmallLog.time(goEndsFirst ? early : late)
        }
        let oldRow = scene.row(.exchange, "/old", 50_020, status: 200) {
            $0.end = SmallLog.time(goEndsFirst ? late : early)
        }
        if !hasTimes {
            for row in scene.log.rows.indices { (scene.log.rows[row].time, scene.log.rows[row].end) = (.min, .min) }
            scene.log.rows.swapAt(goRow, oldRow)
            scene.log.rows.swapAt(0, 17)
            return (scene, oldRow, goRow)
        }
        return (scene, goRow, oldRow)
    }

    @Test("which of two requests followed a redirection is told by the times of rows", arguments: [true, false])
    func settledDoubt(goEndsFirst: Bool) {
        let (scene, go, old) = Self.rivals(goEndsFirst: goEndsFirst, hasTimes: true)
        let matching = scene.matching
        let (early, late) = (Int32(scene.calls.count - 2), Int32(scene.calls.count - 1))
        #expect(matching.redirects == .task)
        #expect(matching.exchanges[go] == (goEndsFirst ? early : late))
        #expect(matching.exchanges[old] == (goEndsFirst ? late : early))
        #expect([go, old].allSatisfy { matching.fates[$0] == .matched })
    }

    @Test("without times the rows of both are ambiguous, with the other end as alternative")
    func openDoubt() {
        let (scene, go, old) = Self.rivals(goEndsFirst: true, hasTimes: false)
        let matching = scene.matching
        let ends = [Int32(scene.calls.count - 2), Int32(scene.calls.count - 1)]
        for row in [go, old] {
            #expect(matching.fates[row] == .ambiguous)
            #expect(Set([matching.exchanges[row]] + (matching.alternatives[Int32(row)] ?? [])).isSuperset(of: ends))
        }
    }

    @Test(
        "of several redirections to one target each row finds its own last hop by its times",
        arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func severalRivals(order: [Int]) {
        var scene = SmallLog()
        scene.addUsual(whole: true)
        scene.addUsualRedirections()
        let origins = (0..<3).map { scene.call("/from\($0)", 50_000 + Double($0), 50_020, status: 302) }
        var ends: [Int32] = []
        for index in 0..<3 {
            ends.append(
                scene.call("/to", 50_030 + Double(index), 50_100 + 200 * Double(index)) {
                    $0.redirectedFrom = origins[index]
                    $0.redirectRival = ends.last ?? -1
                })
        }
        let rows = (0..<3).map { index in
            scene.row(.exchange, "/from\(index)", 49_999 + Double(index), status: 200) {
                $0.end = SmallLog.time(50_101 + 200 * Double(order[index]))
            }
        }
        let matching = scene.matching
        for index in 0..<3 {
            #expect(matching.fates[rows[index]] == .matched)
            #expect(matching.exchanges[rows[index]] == ends[order[index]])
        }
    }
}
