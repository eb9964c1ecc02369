import Testing

@testable import WireJoin
@testable import WireLogs

/// A small capture and a log that are written by hand. Times are in milliseconds.
private struct SmallScene {
    var log = SDKLog(path: "log", format: .har, pathForm: .decoded)
    var calls: [WireCall] = []
    static let epoch: Int64 = 1_790_000_000_000_000_000

    /// Eight calls of as many APIs, half a second apart, each of which has a row.
    init(resolution: Int64 = 1000) {
        log.timeResolution = resolution
        for number in 0..<8 {
            let start = 500 * number + number * number
            call("/\(number)", start, start + 40)
            row("/\(number)", start, start + 40)
        }
    }

    private mutating func number(_ text: String) -> Int32 { log.texts.number(Array(text.utf8)) }

    @discardableResult
    mutating func call(_ path: String, _ start: Int, _ end: Int, status: Int16 = 200, port: UInt16 = 1) -> Int {
        calls.append(
            WireCall(
                number: calls.count, host: number("host"), path: number(path), method: number("GET"),
                status: status, clientPort: port, serverPort: 443, start: SmallScene.time(start),
                end: SmallScene.time(end)))
        return calls.count - 1
    }

    @discardableResult
    mutating func row(
        _ path: String?, _ start: Int, _ end: Int, host: String? = "host", status: Int16 = 200,
        change: (inout LogRow) -> Void = { _ in }
    ) -> Int {
        var row = LogRow(kind: .exchange, number: log.rows.count + 1)
        if let host { row.host = number(host) }
        if let path { row.path = number(path) }
        (row.time, row.end, row.status) = (SmallScene.time(start), SmallScene.time(end), status)
        row.down.total = log.rows.count
        change(&row)
        log.rows.append(row)
        return log.rows.count - 1
    }

    static func time(_ milliseconds: Int) -> Int64 { epoch + Int64(milliseconds) * 1_000_000 }

    func match() -> LogMatching { LogMatcher.match(log, calls) }
}

@Suite("What becomes of a row")
struct LogFateTests {
    @Test("is told for each row that has no exchange, and for each exchange that has no row")
    func withoutExchange() {
        var scene = SmallScene()
        let unseen = scene.call("/unseen", 700, 900)
        let cached = scene.row("/3", 2900, 2910)
        let unknown = scene.row("/never", 900, 950)
        let foreign = scene.row("/3", 1509, 1549, host: "elsewhere")
        let (before, after) = (scene.row("/3", -900_000, -899_000), scene.row("/3", 900_000, 901_000))
        let matching = scene.match()
        #expect(matching.fates[..<8].allSatisfy { $0 == .matched })
        #expect(matching.exchanges[..<8].elementsEqual(0..<8))
        #expect(matching.fates[cached] == .withoutExchange && matching.fates[unknown] == .withoutExchange)
        #expect(matching.fates[foreign] == .foreignHost)
        #expect(matching.fates[before] == .outsideCapture && matching.fates[after] == .outsideCapture)
        #expect(matching.requestRows[unseen] == -1 && matching.responseRows[unseen] == -1)
        #expect(matching.requestRows[..<8].elementsEqual(0..<8))
        #expect(matching.responseRows[..<8].elementsEqual(0..<8))
    }

    @Test("duplicate: equal in all columns, and no other exchange is left for it")
    func duplicates() {
        var scene = SmallScene()
        let copy = scene.row("/3", 1509, 1549) { $0.down.total = 3 }
        var matching = scene.match()
        #expect(matching.fates[copy] == .duplicate && matching.exchanges[copy] == -1 && matching.fates[3] == .matched)
        let second = scene.call("/3", 1513, 1553)
        matching = scene.match()
        #expect(matching.fates[copy] == .matched && matching.fates[3] == .matched)
        #expect(Set([matching.exchanges[copy], matching.exchanges[3]]) == [3, Int32(second)])
    }

    @Test("ambiguous: rows that differ in a figure and fit one exchange")
    func rivals() {
        var scene = SmallScene()
        let other = scene.row("/5", 2525, 2565) { $0.down.total = 1 << 40 }
        let matching = scene.match()
        #expect(matching.fates[other] == .ambiguous && matching.fates[5] == .ambiguous)
    }

    @Test("of equal rows with coarse times: as many are matched as there are exchanges at that time")
    func coarseCopies() {
        var scene = SmallScene(resolution: 1_000_000_000)
        for index in scene.log.rows.indices {
            scene.log.rows[index].time -= scene.log.rows[index].time % 1_000_000_000
            scene.log.rows[index].end -= scene.log.rows[index].end % 1_000_000_000
        }
        for start in [2100, 2300, 2500] { scene.call("/beacon", start, start + 50) }
        scene.call("/beacon", 90_000, 90_050)
        let rows = (0..<5).map { _ in scene.row("/beacon", 2000, 2000) { $0.down.total = 7 } }
        let matching = scene.match()
        let fates = rows.map { matching.fates[$0] }
        #expect(fates.count { $0 == .matched } == 3 && fates.count { $0 == .duplicate } == 2, "\(fates)")
        #expect(Set(rows.map { matching.exchanges[$0] }) == [-1, 8, 9, 10])
    }

    @Test("status: a 304 is a 200 for the app, a response that was not captured may be any, others are no pair")
    func status() {
        var scene = SmallScene()
        let notModified = scene.call("/a", 100, 130, status: 304)
        let unseen = scene.call("/b", 200, 230, status: 0)
        let missing = scene.call("/c", 300, 330, status: 404)
        let rows = ["/a", "/b", "/c"].enumerated().map { scene.row($1, 100 + 100 * $0, 130 + 100 * $0) }
        let matching = scene.match()
        #expect(rows.map { matching.exchanges[$0] } == [Int32(notModified), Int32(unseen), -1])
        #expect(matching.fates[rows[2]] == .withoutExchange && matching.requestRows[missing] == -1)
    }

    @Test("ports tell exchanges apart that times do not")
    func ports() {
        var scene = SmallScene()
        let calls = [7, 9, 8].map { scene.call("/a", 100, 140, port: $0) }
        let rows = [8, 7, 9].map { port in scene.row("/a", 100, 140) { $0.clientPort = port } }
        let matching = scene.match()
        #expect(rows.map { matching.exchanges[$0] } == [calls[2], calls[0], calls[1]].map { Int32($0) })
        #expect(rows.allSatisfy { matching.fates[$0] == .matched })
    }

    @Test("ends tell exchanges apart that start at the same moment")
    func spans() {
        var scene = SmallScene()
        let calls = [(100, 400), (100, 250), (101, 330)].map { scene.call("/a", $0.0, $0.1) }
        let rows = [(100, 330), (101, 400), (100, 250)].map { scene.row("/a", $0.0, $0.1) }
        let matching = scene.match()
        #expect(rows.map { matching.exchanges[$0] } == [calls[2], calls[0], calls[1]].map { Int32($0) })
        #expect(rows.allSatisfy { matching.fates[$0] == .matched })
    }

    @Test("ambiguous: rows that may be each other's, with both exchanges as alternatives")
    func ambiguous() {
        var scene = SmallScene()
        let calls = [scene.call("/a", 100, 140), scene.call("/a", 100, 140)]
        let rows = [scene.row("/a", 100, 140), scene.row("/a", 100, 140)]
        let matching = scene.match()
        #expect(rows.map { matching.fates[$0] } == [.ambiguous, .ambiguous])
        #expect(Set(rows.map { matching.exchanges[$0] }) == Set(calls.map { Int32($0) }))
        for row in rows {
            let others = matching.alternatives[Int32(row)] ?? []
            #expect(Set(others + [matching.exchanges[row]]) == Set(calls.map { Int32($0) }))
        }
    }

    @Test("rows that know neither host nor path are held against what is left, by time and status")
    func nameless() {
        var scene = SmallScene()
        let alone = scene.call("/x", 4700, 4790)
        let rows = [
            scene.row(nil, 4700, 4790, host: nil), scene.row(nil, 500 + 1, 541, host: nil),
            scene.row(nil, 4700, 4790, host: nil, status: 500),
        ]
        let matching = scene.match()
        #expect(rows.map { matching.exchanges[$0] } == [Int32(alone), -1, -1])
        // The second could as well be the row of the exchange that has one.
        #expect(rows.map { matching.fates[$0] } == [.matched, .ambiguous, .withoutExchange])
    }
}
