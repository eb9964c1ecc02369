import Testing

@testable import WireJoin
@testable import WireLogs

@Suite("Rows far from their exchanges")
struct LateRowTests {
    @Test("a lone row of a response keeps its exchange however late it is", arguments: [40.0, 400, 3000])
    func lateResponse(milliseconds: Double) {
        var scene = SmallLog()
        scene.addUsual()
        let call = scene.call("/late", 20_500, 20_650)
        let request = scene.row(.request, "/late", 20_499)
        let response = scene.row(.response, "/late", 20_650 + milliseconds, status: 200)
        let matching = scene.matching
        #expect(matching.exchanges[request] == call && matching.fates[request] == .matched)
        #expect(matching.exchanges[response] == call && matching.fates[response] == .matched)
        #expect(abs(matching.clock.offset) < 5_000_000)
    }

    @Test("of two exchanges, the late row is that of the one that has no row of its own", arguments: [40.0, 400])
    func lateBetweenOthers(milliseconds: Double) {
        var scene = SmallLog()
        scene.addUsual()
        let first = scene.call("/late", 20_500, 20_650)
        let second = scene.call("/late", 26_500, 26_650)
        let rows = [
            scene.row(.response, "/late", 20_650 + milliseconds, status: 200),
            scene.row(.response, "/late", 26_652, status: 200),
        ]
        let matching = scene.matching
        #expect(rows.map { matching.exchanges[$0] } == [first, second])
    }

    @Test("a row of a request lies before its connection's first packet", arguments: [20.0, 60, 110, 155])
    func setup(milliseconds: Double) {
        var scene = SmallLog()
        scene.addUsual()
        let call = scene.call("/first", 20_500 + milliseconds, 20_900) {
            $0.isFirst = true
            $0.opened = SmallLog.time(20_500)
        }
        // Another of the path is sent on a connection that was open: its row is a little before it.
        let other = scene.call("/first", 21_300, 21_400) { $0.opened = SmallLog.time(20_500) }
        let rows = [scene.row(.request, "/first", 20_499), scene.row(.request, "/first", 21_299)]
        let matching = scene.matching
        #expect(rows.map { matching.exchanges[$0] } == [call, other])
        #expect(rows.map { matching.fates[$0] } == [.matched, .matched])
    }

    /// What happened to the call that the app saw fail: cut after some time, never answered, or answered afterwards.
    static let failures: [(String, end: Double?, status: Int16, isFailed: Bool, row: Double)] = [
        ("cut while the answer came", 20_900, 200, true, 20_905),
        ("no answer at all", nil, 0, true, 25_500),
        ("timed out, and an answer came later, cut", 26_100, 200, true, 25_500),
        ("timed out, and a whole answer came later", 26_100, 200, false, 25_500),
    ]

    @Test("a row of zeros is that of the call that failed for the app", arguments: failures)
    func zeros(name: String, end: Double?, status: Int16, isFailed: Bool, row: Double) {
        var scene = SmallLog()
        scene.addUsual()
        scene.call("/poll", 15_200, 15_300)
        scene.row(.request, "/poll", 15_199)
        let before = scene.row(.response, "/poll", 15_302, status: 200) { $0.down.total = 800 }
        let failed = scene.call("/poll", 20_500, end, status: status) { $0.isFailed = isFailed }
        scene.row(.request, "/poll", 20_499)
        scene.call("/poll", 27_200, 27_300)
        scene.row(.request, "/poll", 27_199)
        let after = scene.row(.response, "/poll", 27_302, status: 200) { $0.down.total = 800 }
        let zeros = scene.row(.response, "/poll", row) { $0.down.total = 0 }
        let matching = scene.matching
        #expect(matching.exchanges[zeros] == failed, "\(name)")
        #expect(matching.exchanges[before] == failed - 1 && matching.exchanges[after] == failed + 1, "\(name)")
    }

    @Test("a row that tells a failure has neither status nor bytes")
    func tellsFailure() {
        func row(_ kind: LogRow.Kind, _ change: (inout LogRow) -> Void) -> Bool {
            var row = LogRow(kind: kind, number: 1)
            row.down.total = 0
            change(&row)
            return row.tellsFailure
        }
        #expect(row(.response) { _ in })
        #expect(row(.exchange) { $0.down.total = -1 })
        #expect(!row(.request) { _ in })
        #expect(!row(.response) { $0.status = 204 })
        #expect(!row(.response) { $0.down.total = nil })
        #expect(!row(.response) { $0.down.total = 1 })
        #expect(!row(.response) { $0.down.headers = 90 })
    }
}
