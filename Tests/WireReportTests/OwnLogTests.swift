import Testing
import WireAccuracy
import WireCore
import WireLogs
import WireRecords
import WireReport
import WireTesting

/// Texts that hold themselves out as a log.
private final class TextLog: LogByteSource {
    let openingFault: String? = nil
    let fault: String? = nil
    let hasReadingFault = false
    private var bytes: [UInt8]?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func next() -> [UInt8]? {
        defer { bytes = nil }
        return bytes
    }
}

/// Connections whose requests name their targets in every way.
@Suite("Exchanges written as HAR or OTLP are recognised when they are read as a log")
struct OwnLogTests {
    private static func request(_ line: String, host: String = "api.example.com") -> [UInt8] {
        Array("\(line) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)
    }

    static let requests: [(name: String, bytes: [UInt8])] =
        [
            ("plain", request("GET /a?b=c")), ("UTF-8", request("GET /caf\u{E9}?\u{2126}")),
            ("bytes that are no UTF-8", Array("GET /a".utf8) + [0xFF, 0x7F] + request(" ").dropFirst(1)),
            ("percent-encoding", request("GET /caf%C3%A9/%zz")), ("signs", request("GET /a\"b\\|^{c}")),
            ("another port", request("GET /a", host: "api.example.com:8080")),
            ("credentials", request("GET /a", host: "user:secret@api.example.com")),
            ("an odd host", request("GET /a", host: "a b\u{E9}.example.com")),
            ("lower-case method", request("patch /a")), ("own method", request("PURGE /a")),
            ("asterisk", request("OPTIONS *")), ("absolute form", request("GET http://api.example.com/a?b")),
            ("another port of an absolute form", request("GET http://api.example.com:8080")),
            ("fragment", request("GET /a#b?c")), ("empty query", request("GET /a?")),
            ("CONNECT", request("CONNECT tunnel.example.com:443", host: "tunnel.example.com:443")),
        ]

    private static func frames(_ request: [UInt8], count: Int = 3) -> [CapturedFrame] {
        var frames: [CapturedFrame] = []
        for number in 0..<count {
            var talk = Dialogue(clientPort: UInt16(40_000 + number))
            talk.time = 1_795_168_800_000_000_000 + Int64(number) * 1_000_000_000
            talk.handshake()
            talk.data(.client, request)
            talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            talk.close()
            frames += talk.frames
        }
        return frames
    }

    private static func write(_ records: [ExchangeRecord], _ format: RecordFormat) -> [UInt8] {
        let text = renderedRecords(.exchanges, format) { report in for record in records { report.receive(record) } }
        return Array(text.utf8)
    }

    private static func read(_ bytes: [UInt8]) throws -> SDKLog {
        try SDKLogReader.read(path: "own.log", source: TextLog(bytes))
    }

    @Test("every row finds its exchange", arguments: requests.map(\.name), [RecordFormat.har, .otlp])
    func roundTrip(name: String, format: RecordFormat) throws {
        let request = try #require(Self.requests.first { $0.name == name })
        let frames = Self.frames(request.bytes)
        let records = WireTesting.audit(frames).exchanges
        #expect(records.count == 3)
        let log = try Self.read(Self.write(records, format))
        #expect(log.rows.count == 3 && log.rejectedRows == 0 && log.problems.isEmpty)
        let collector = AccuracyCollector([], logs: [log])
        for record in records { collector.receive(record) }
        let summary = try #require(collector.finish().logs.first)
        #expect(summary.matched == 3, "\(log.problems)")
    }

    @Test("of a capture without exchanges both are logs without rows", arguments: [RecordFormat.har, .otlp])
    func empty(format: RecordFormat) throws {
        let log = try Self.read(Self.write([], format))
        #expect(log.rows.isEmpty && !log.isIncomplete)
    }
}
