import Testing

@testable import WireLogs

/// By the published format of envelopes (develop.sentry.dev, Envelopes and Span Protocol).
@Suite("Envelopes of Sentry")
struct SentryEnvelopeTests {
    private static let header = #"{"event_id":"9d01fe6335f24472ba6a1f0bc494e559","dsn":"https://k@h.test/1"}"#
    private static let line =
        "exchange GET api.test /a 200 1795255201000000000 1795255201250000000 up -/-/-/-/- down -/-/2000/2000/-"

    private static func event(_ path: String = "/a") -> String {
        """
        {"event_id":"9d01fe6335f24472ba6a1f0bc494e559","platform":"cocoa","breadcrumbs":[{"type":"http",
        "timestamp":"2026-11-21T10:00:01.250Z","data":{"url":"https://api.test\(path)","method":"GET",
        "request_start":"2026-11-21T10:00:01.000Z","response_body_size":2000,"status_code":200}}]}
        """
    }

    private static var flat: String { event().replacing("\n", with: "") }

    /// An item whose header tells the length of the payload, or so many bytes more.
    private static func item(_ type: String, _ payload: [UInt8], off: Int = 0) -> [UInt8] {
        Array("{\"type\":\"\(type)\",\"length\":\(payload.count + off),\"filename\":\"x\"}\n".utf8) + payload + [0x0A]
    }

    private static func item(_ type: String, _ payload: String, off: Int = 0) -> [UInt8] {
        item(type, Array(payload.utf8), off: off)
    }

    private static func envelope(_ items: [UInt8]...) -> [UInt8] { Array((header + "\n").utf8) + items.flatMap(\.self) }

    private static func read(_ bytes: [UInt8], format: SDKLogFormat? = nil) throws -> [SDKLog] {
        try [1, 7, 100_000].map { try LogSamples.read(bytes, format: format, pieceSize: $0) }
    }

    @Test("a payload is as long as its header says, over any number of lines")
    func payloadsOfLines() throws {
        for bytes in [Self.envelope(Self.item("event", Self.event())), Self.envelope(Self.item("event", Self.flat))] {
            for bytes in [bytes, Array(bytes.dropLast())] {
                for log in try Self.read(bytes) {
                    #expect(log.format == .sentry && log.lines == [Self.line] && log.problems.isEmpty)
                }
            }
        }
    }

    @Test(
        "what an attachment holds tells of no request",
        arguments: [
            flat, event() + "\n" + flat, #"{"type":"event"}"# + "\n" + flat, "x\u{0}\n\n{", "",
            String(repeating: "\u{1}", count: 5000),
        ])
    func attachments(content: String) throws {
        let bytes = Self.envelope(Self.item("attachment", content), Self.item("event", Self.event()))
        for log in try Self.read(bytes) {
            #expect(log.lines == [Self.line] && log.problems.isEmpty && log.rejectedRows == 0)
        }
        // Without a length it ends with its line.
        let implicit = Self.envelope(
            Array("{\"type\":\"attachment\"}\n\(Self.flat)\n".utf8), Self.item("event", Self.event("/b")))
        for log in try Self.read(implicit) { #expect(log.lines == [Self.line.replacing(" /a ", with: " /b ")]) }
    }

    @Test("several envelopes are read one behind the other, those without headers too")
    func severalEnvelopes() throws {
        let first = Self.envelope(Self.item("attachment", Self.flat), Self.item("event", Self.event()))
        let second = Array("{}\n".utf8) + Self.item("session", "{\"a\":1}") + Self.item("event", Self.event("/b"))
        for log in try Self.read(first + second) {
            #expect(log.rows.count == 2 && log.rejectedRows == 0)
        }
    }

    @Test("where a length does not lead to the end of a line the payload is its line", arguments: [-1, 1, 5000])
    func wrongLengths(off: Int) throws {
        let bytes = Self.envelope(Self.item("event", Self.flat, off: off), Self.item("event", Self.flat))
        for log in try Self.read(bytes) { #expect(log.rows.count == 1 && log.rejectedRows == 0) }
    }

    @Test("a log that ends within an attachment is incomplete")
    func cut() throws {
        let bytes = Self.envelope(Self.item("event", Self.event()), Self.item("attachment", Self.flat, off: 9))
        for log in try Self.read(bytes) {
            #expect(log.lines == [Self.line] && log.isIncomplete)
            #expect(log.complaints == ["the log ends inside an item of an envelope 1"])
        }
    }

    @Test("every prefix is read as far as it goes, or is refused")
    func prefixes() throws {
        let bytes = Self.envelope(Self.item("attachment", Self.flat), Self.item("event", Self.event()))
        let first = bytes.count - Self.event().utf8.count
        for length in stride(from: 1, to: bytes.count - 2, by: 7) {
            let log = try? LogSamples.read(Array(bytes.prefix(length)), format: .sentry)
            #expect(log == nil || length > first || log?.rows.isEmpty == true, "\(length)")
        }
    }

    @Test("events on lines that are no envelope stay as they are")
    func plainLines() throws {
        let lines = [Self.flat, Self.flat.replacing("/a", with: "/b"), "x"].joined(separator: "\n")
        for log in try Self.read(Array(lines.utf8)) {
            #expect(log.rows.count == 2 && log.rejectedRows == 1 && log.rejections.map(\.row) == [3])
        }
    }

    @Test("spans of a container have typed attributes")
    func containers() throws {
        let span = """
            {"trace_id":"a","span_id":"b","name":"GET https://api.test/x","is_segment":false,"status":"ok",\
            "start_timestamp":1795255201.000,"end_timestamp":1795255201.250,"attributes":{\
            "sentry.op":{"type":"string","value":"http.client"},"url.full":{"type":"string","value":"https://api.test/a"},\
            "http.request.method":{"type":"string","value":"GET"},\
            "http.response.status_code":{"type":"integer","value":200},\
            "http.response.body.size":{"value":2000,"type":"integer"}}}
            """
        let other = span.replacing("http.client", with: "db.query")
        let bytes = Self.envelope(Self.item("span", #"{"version":2,"items":[\#(span),\#(other)]}"#))
        for log in try Self.read(bytes) { #expect(log.lines == [Self.line] && log.problems.isEmpty) }
        // Without the attribute the name tells the URL.
        let unnamed = span.replacing(#""url.full""#, with: #""x""#)
        let log = try LogSamples.read(Self.envelope(Self.item("span", #"{"items":[\#(unnamed)]}"#)))
        #expect(log.lines == [Self.line.replacing(" /a ", with: " /x ")])
    }

    @Test("a truth value is no size")
    func truthValues() throws {
        let text = Self.flat.replacing(#""response_body_size":2000"#, with: #""response_body_size":true"#)
        let log = try LogSamples.read(text)
        #expect(log.rows.map(\.down.total) == [nil])
        #expect(log.complaints == ["data.response_body_size is not a number 1 @1"])
    }
}
