import Testing
import WireCore
import WireEstimates
import WireReport
import WireTesting

@testable import WireAccuracy
@testable import WireLogs

@Suite("What became of each row of a log, line by line")
struct RowReportTests {
    private static let names = [
        "schema", "source", "row", "kind", "state", "selected", "file", "connection", "exchange", "api", "time",
        "time_ns", "residual", "residual_ns", "alternatives", "bounds", "why",
    ]

    private func lines(_ rows: [JoinedRow]) throws -> [StrictJSON] {
        var bytes: [UInt8] = []
        let report = CallReport { span in for index in span.indices { bytes.append(span[index]) } }
        for row in rows { report.receive(row) }
        report.finish()
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.isEmpty || text.hasSuffix("\n"))
        return try text.split(separator: "\n").map { try StrictJSON.parse(String($0)) }
    }

    private func exchange(_ number: Int) -> AccuracyCall.Exchange {
        AccuracyCall.Exchange(file: "a.pcap", connection: 3, exchange: number, time: 5, api: "GET api.test /a")
    }

    @Test("every line has all keys in one order; what is unknown is null", arguments: JoinedRow.State.allCases)
    func keys(state: JoinedRow.State) throws {
        let line = try #require(try lines([JoinedRow(source: "log", row: 7, state: state)]).first)
        #expect(line.names == Self.names)
        #expect(line["schema"]?.string == "wireaudit.row/1")
        #expect(line["source"]?.string == "log" && line["row"]?.integer == 7)
        #expect(line["state"]?.string == state.rawValue)
        for name in ["kind", "selected", "file", "connection", "exchange", "api", "time", "residual", "bounds"] {
            #expect(line[name] == .null, "\(name)")
        }
        #expect(line["alternatives"] == .array([]))
    }

    @Test("a matched row tells its exchange, and how late it is in seconds")
    func matched() throws {
        var row = JoinedRow(source: "log", row: 1, state: .matched)
        row.kind = .response
        row.exchange = exchange(4)
        (row.time, row.residual) = (1_795_000_000_123_000_000, -2_500_000)
        row.reason = "nearest"
        let line = try #require(try lines([row]).first)
        #expect(line["kind"]?.string == "response" && line["why"]?.string == "nearest")
        #expect(line["file"]?.string == "a.pcap" && line["connection"]?.integer == 3 && line["exchange"]?.integer == 4)
        #expect(line["api"]?.string == "GET api.test /a")
        #expect(line["time"]?.double == 1_795_000_000.123 && line["residual"]?.double == -0.0025)
        #expect(line["time_ns"]?.integer == 1_795_000_000_123_000_000 && line["residual_ns"]?.integer == -2_500_000)
    }

    @Test("an ambiguous row tells its alternatives in their order, and no exchange of its own")
    func ambiguous() throws {
        var row = JoinedRow(source: "log", row: 2, state: .ambiguous)
        row.kind = .request
        row.alternatives = [
            JoinedRow.Alternative(exchange: exchange(9), residual: 1_000_000),
            JoinedRow.Alternative(exchange: exchange(2), residual: nil),
        ]
        let line = try #require(try lines([row]).first)
        #expect(line["exchange"] == .null)
        let alternatives = try #require(line["alternatives"]?.array)
        #expect(
            alternatives.map(\.names)
                == Array(repeating: ["file", "connection", "exchange", "residual", "residual_ns"], count: 2))
        #expect(alternatives.map { $0["exchange"]?.integer } == [9, 2])
        #expect(alternatives[0]["residual"]?.double == 0.001 && alternatives[1]["residual"] == .null)
    }

    // MARK: From the log

    /// Ten calls, and a log of them.
    private static func capture(_ path: (Int) -> String = { "/v1/\($0)" }) -> [CapturedFrame] {
        var talk = Dialogue(clientPort: 40_123)
        talk.time = 1_795_269_800_000_000_000
        talk.handshake()
        for index in 0..<10 {
            talk.time = 1_795_269_800_000_000_000 + Int64(index + 1) * 1_000_000_000
            talk.data(.client, "GET \(path(index)) HTTP/1.1\r\nHost: api.test\r\n\r\n")
            talk.time += 40_000_000
            talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")
        }
        talk.close()
        return talk.frames
    }

    private static func entry(_ second: Int, url: String, minute: Int = 3) -> String {
        """
        {"startedDateTime":"2026-11-21T14:0\(minute):\(20 + second).000Z","time":41,
        "request":{"method":"GET","url":"\(url)","headers":[],"headersSize":40,"bodySize":0},
        "response":{"status":200,"headers":[],"headersSize":38,"bodySize":4,"content":{"size":4}},"cache":{}}
        """
    }

    private static func joined(
        _ entries: [String], isSelected: @escaping (ExchangeRecord) -> Bool = { _ in true }
    ) throws -> (rows: [JoinedRow], log: SDKLog, result: AccuracyResult) {
        let text =
            #"{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":["#
            + entries.joined(separator: ",") + "]}}"
        let log = try SDKLogReader.read(path: "log.har", format: .har, source: TextLog(Array(text.utf8)))
        var rows: [JoinedRow] = []
        let collector = AccuracyCollector([], logs: [log], isSelected: isSelected, onRow: { rows.append($0) })
        var options = AuditOptions()
        options.keepsHeads = true
        _ = audit(capture(), options, sink: collector, examiner: collector.examiner)
        let result = collector.finish()
        return (rows, log, result)
    }

    @Test("each row of a log stands in it exactly once, those that could not be used too")
    func everyRow() throws {
        var entries = (0..<10).map { Self.entry($0 + 1, url: "http://api.test/v1/\($0)") }
        entries.append(Self.entry(30, url: "http://elsewhere.test/x"))
        entries.append(Self.entry(9, url: "http://api.test/nowhere"))
        entries.append(entries[2])
        entries.append("7")
        entries.append(#"{"startedDateTime":"2026-11-21T14:03:25.000Z","request":{"method":"GET"},"response":{}}"#)
        let (rows, log, _) = try Self.joined(entries)
        #expect(log.rows.count == 13 && log.rejectedRows == 2)
        #expect(rows.map(\.row).sorted() == Array(1...15))
        #expect(rows.prefix(10).map { $0.exchange?.exchange } == (0..<10).map { $0 })
        let states = Dictionary(uniqueKeysWithValues: rows.map { ($0.row, $0.state) })
        #expect((1...10).allSatisfy { states[$0] == .matched })
        #expect((11...15).map { states[$0] } == [.foreignHost, .noExchange, .duplicate, .unusable, .unusable])
        #expect(rows.allSatisfy { !$0.reason.isEmpty && $0.source == rows[0].source })
        #expect(rows.allSatisfy { ($0.exchange != nil) == ($0.state == .matched) })
        for line in try lines(rows) { #expect(line.names == Self.names) }
    }

    @Test("rows of calls that were not chosen are told as that, as many as the summary counts")
    func notSelected() throws {
        var entries = (0..<10).map { Self.entry($0 + 1, url: "http://api.test/v1/\($0)") }
        entries.append(Self.entry(30, url: "http://elsewhere.test/x"))
        let (rows, _, result) = try Self.joined(entries) { record in
            record.target.map { $0.last == 0x33 || $0.last == 0x34 } ?? false
        }
        #expect(rows.map(\.isSelected) == (0..<10).map { $0 == 3 || $0 == 4 } + [nil])
        #expect(result.logs[0].notSelected == 8 && result.logs[0].matched == 2)
        let shown = try lines(rows)
        #expect(shown[3]["selected"] == .boolean(true) && shown[5]["selected"] == .boolean(false))
        #expect(shown[10]["selected"] == .null)
    }

    @Test("a log whose clock is farther off than clocks of devices are may be of another session", arguments: [3, 4])
    func otherSession(minute: Int) throws {
        let entries = (0..<10).map { Self.entry($0 + 5, url: "http://api.test/v1/\($0)", minute: minute) }
        let log = try #require(try Self.joined(entries).result.logs.first)
        #expect(log.matched == 10)
        guard minute == 4 else {
            #expect(log.sessionDoubt == nil)
            return
        }
        let doubt = try #require(log.sessionDoubt)
        // The log's times are whole seconds.
        #expect(abs(doubt.clockOffset - 64_000_000_000) < 600_000_000)
        #expect(doubt.agreeingSizes <= 20)
    }

    /// Paths of calls that differ in their sizes, or only in their API.
    static let paths: [@Sendable (Int) -> String] = [
        { "/v1/" + String(repeating: "1", count: $0 + 1) }, { $0 % 2 == 0 ? "/orders" : "/routes" },
    ]

    @Test("a row without time and path is open among calls that differ in figures or API", arguments: paths.indices)
    func openRow(place: Int) throws {
        var log = SDKLog(path: "log", format: .godeye, pathForm: .encoded)
        var row = LogRow(kind: .exchange, number: 1)
        row.host = log.texts.number(Array("api.test".utf8))
        // A log that told nothing of requests could not tell these calls apart at all.
        (row.up.total, row.down.total) = (100, 4)
        log.rows = [row]
        var rows: [JoinedRow] = []
        let collector = AccuracyCollector([], logs: [log], onRow: { rows.append($0) })
        var options = AuditOptions()
        options.keepsHeads = true
        _ = audit(Self.capture(Self.paths[place]), options, sink: collector, examiner: collector.examiner)
        let result = collector.finish()
        let found = try #require(rows.first)
        #expect(rows.count == 1 && found.state == .ambiguous)
        let alternatives = found.alternatives.map(\.exchange.exchange)
        #expect((2...9).contains(alternatives.count) && Set(alternatives).count == alternatives.count)
        #expect(found.exchange == nil && found.residual == nil)
        #expect(result.logs.map(\.ambiguous) == [1])
    }
}

/// A log in memory.
private final class TextLog: LogByteSource {
    var fault: String?
    var openingFault: String?
    var hasReadingFault = false
    private var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func next() -> [UInt8]? {
        defer { bytes = [] }
        return bytes.isEmpty ? nil : bytes
    }
}
