import Foundation
import Testing

@testable import WireLogs

@Suite("qlog")
struct QLogTests {
    /// As aioquic writes it: who wrote the trace stands behind the events.
    private static func document(_ events: [String], vantagePoint: String = "client", common: String = "") -> String {
        """
        {"qlog_format":"JSON","qlog_version":"0.3","traces":[{"common_fields":{"ODCID":"0badcafe"\(common)},\
        "events":[\(events.joined(separator: ","))],"vantage_point":{"name":"x","type":"\(vantagePoint)"}}]}
        """
    }

    private static func record(_ vantagePoint: String = "client") -> String {
        #"{"file_schema":"urn:ietf:params:qlog:file:sequential","trace":{"vantage_point":{"type":"\#(vantagePoint)"}}}"#
    }

    private static func event(_ name: String, _ data: String, time: String = "1795269818671.5") -> String {
        #"{"time":\#(time),"name":"\#(name)","data":{\#(data)}}"#
    }

    private static func fields(_ names: [(String, String)], stream: Int, length: String) -> String {
        let list = names.map { #"{"name":"\#($0.0)","value":"\#($0.1)"}"# }.joined(separator: ",")
        return #""frame":{"frame_type":"headers","headers":[\#(list)]},\#(length)"stream_id":\#(stream)"#
    }

    private static func content(_ stream: Int, _ length: Int) -> String {
        #""frame":{"frame_type":"data"},"length":\#(length),"stream_id":\#(stream)"#
    }

    /// A packet with one frame of a stream; nil: the bytes are not told.
    private static func packet(
        _ direction: String, _ stream: Int, _ bytes: Range<Int>?, type: String = "stream", space: String = "transport"
    ) -> String {
        let told = bytes.map { #""offset":\#($0.lowerBound),"length":\#($0.count),"# } ?? ""
        let frame = #"{"fin":\#(type == "stream"),\#(told)"frame_type":"\#(type)","stream_id":\#(stream)}"#
        return event("\(space):packet_\(direction)", #""frames":[{"frame_type":"ack"},\#(frame)]"#)
    }

    private static let request = [
        (":method", "POST"), (":scheme", "https"), (":authority", "Api.test:4433"), (":path", "/a?b=c"),
    ]

    /// A request with a body, an interim and a final response, and trailers, as a client or a server tells them.
    private static func exchange(stream: Int = 0, space: String = "http", sends: Bool = true) -> [String] {
        let (up, down) = sends ? ("frame_created", "frame_parsed") : ("frame_parsed", "frame_created")
        return [
            event("\(space):\(up)", fields(request, stream: stream, length: #""length":30,"#)),
            event("\(space):\(up)", content(stream, 28)),
            event("\(space):\(down)", fields([(":status", "103")], stream: stream, length: #""length":7,"#)),
            event("\(space):\(down)", fields([(":status", "200")], stream: stream, length: #""length":40,"#)),
            event("\(space):\(down)", content(stream, 60)), event("\(space):\(down)", content(stream, 6)),
            event(
                "\(space):\(down)", fields([("x", "y")], stream: stream, length: #""length":5,"#), time: "1795269818683"
            ),
        ]
    }

    /// The packets of the exchange: frames with their headers, and the end of both directions.
    private static func ends(stream: Int = 0, sends: Bool = true) -> [String] {
        [packet(sends ? "sent" : "received", stream, 0..<62), packet(sends ? "received" : "sent", stream, 0..<128)]
    }

    private static let line =
        "exchange POST api.test /a?b=c 200 1795269818671500000 1795269818683000000 up -/30/28/58/- down -/52/66/118/-"

    @Test(
        "a stream is a row with the payloads of its frames, whichever endpoint writes, in every namespace",
        arguments: ["http", "h3", "http3"], [true, false])
    func rows(space: String, isClient: Bool) throws {
        let other = Self.event(
            "\(space):frame_created", #""frame":{"frame_type":"settings"},"length":9,"stream_id":2"#)
        let start = Self.event(
            "transport:connection_started",
            isClient ? #""src_port":51000,"dst_port":4433"# : #""src_port":4433,"dst_port":51000"#)
        let log = try LogSamples.read(
            Self.document(
                [start, other] + Self.exchange(space: space, sends: isClient) + Self.ends(sends: isClient),
                vantagePoint: isClient ? "client" : "server"))
        #expect(log.format == .qlog && log.lines == [Self.line] && log.problems.isEmpty)
        #expect(log.rows.map(\.serverPort) == [4433] && log.rows.map(\.clientPort) == [51000])
    }

    @Test("records of a text sequence are read like a document, and a broken one is rejected")
    func sequence() throws {
        let records = [Self.record(), "{\"time\":"] + Self.exchange(space: "http3") + Self.ends()
        let log = try LogSamples.read(Array(records.map { "\u{1E}\($0)\n" }.joined().utf8), pieceSize: 7)
        #expect(log.format == .qlog && log.lines == [Self.line])
        #expect(log.rejectedRows == 1)
    }

    @Test("texts of a sequence may have white space in them, and the last may be cut", arguments: [1, 7, 4096])
    func prettySequence(pieceSize: Int) throws {
        let records = ([Self.record()] + Self.exchange() + Self.ends()).map { record in
            record.replacing("{", with: "{\n  ").replacing(",", with: ",\r\n  ").replacing("}", with: "\n}")
        }
        let text = records.map { "\u{1E}\($0)\n" }.joined()
        for text in [text, "\n" + text, text.replacing("}\n\u{1E}", with: "}\u{1E}"), text + "\u{1E}{\n  \"time\":"] {
            let log = try LogSamples.read(Array(text.utf8), pieceSize: pieceSize)
            #expect(log.format == .qlog && log.lines == [Self.line])
        }
    }

    @Test("drafts whose events are arrays are named", arguments: ["document", "lines"])
    func earlyDraft(form: String) {
        let events =
            #""event_fields":["relative_time","category","event","data"],"events":[[0,"http","frame_created",{}]]"#
        let trace = #"{"vantage_point":{"type":"client"},\#(events)}"#
        let text =
            form == "document"
            ? #"{"qlog_version":"draft-01","traces":[\#(trace)]}"#
            : "{\"qlog_version\":\"draft-01\",\"trace\":\(trace)}\n{}\n"
        let error = #expect(throws: SDKLogError.self) { try LogSamples.read(text) }
        #expect(error?.message.contains("event_fields") == true, "\(String(describing: error))")
    }

    @Test(
        "times count from the reference",
        arguments: [
            (#","reference_time":1795269818671.5,"time_format":"relative""#, "0", "11.5"),
            (#","reference_time":1795269818671.5,"time_format":"delta""#, "0", "11.5"),
            (
                #","reference_time":{"clock_type":"system","epoch":"1970-01-01T00:00:00.000Z"}"#, "1795269818671.5",
                "1795269818683"
            ),
            (
                #","reference_time":{"clock_type":"monotonic","epoch":"unknown","wall_clock_time":"2026-11-21T14:03:38.671500Z"}"#,
                "0", "11.5"
            ),
        ])
    func times(common: String, first: String, last: String) throws {
        let events = [
            Self.event(
                "http:frame_created", Self.fields(Self.request, stream: 4, length: #""length":30,"#), time: first),
            Self.event(
                "http:frame_parsed", Self.fields([(":status", "200")], stream: 4, length: #""length":9,"#), time: last),
        ]
        let log = try LogSamples.read(Self.document(events, common: common))
        #expect(log.rows.map(\.time) == [1_795_269_818_671_500_000])
        #expect(log.rows.map(\.end) == [1_795_269_818_683_000_000])
    }

    @Test("a clock that is not known leaves rows without times")
    func unknownClock() throws {
        let common = #","reference_time":{"clock_type":"monotonic","epoch":"unknown"}"#
        let log = try LogSamples.read(Self.document(Self.exchange(), common: common))
        #expect(log.rows.map(\.time) == [.min] && log.timeResolution == 0)
    }

    @Test("payload_length is the better length; a frame without one leaves its message without a size")
    func lengths() throws {
        let raw = #""length":33,"raw":{"length":33,"payload_length":30},"#
        let log = try LogSamples.read(
            Self.document([
                Self.event("http:frame_created", Self.fields(Self.request, stream: 0, length: raw)),
                Self.event("http:frame_created", Self.fields(Self.request, stream: 4, length: "")),
            ]))
        #expect(log.rows.map(\.up.text) == ["-/30/0/30/-", "-/-/0/-/-"])
        #expect(log.rows.map(\.down.text) == ["-/-/-/-/-", "-/-/-/-/-"])
        #expect(log.complaints == ["frames without a length leave messages without a size 1 @2"])
    }

    @Test("pushes, streams without a request, and traces of the network are no rows")
    func otherStreams() throws {
        let push = Self.event(
            "http:frame_parsed", Self.fields([(":status", "200")], stream: 3, length: #""length":9,"#))
        let lone = Self.event("http:frame_parsed", Self.content(8, 5))
        let log = try LogSamples.read(
            Self.document([push, lone] + Self.exchange(stream: 12) + Self.ends(stream: 12)))
        #expect(log.rows.map(\.number) == [2])
        #expect(log.complaints == ["streams without a request's fields are no rows 1 @1"])
        let network = try LogSamples.read(Self.document(Self.exchange(), vantagePoint: "network"))
        #expect(network.rows.isEmpty)
        #expect(network.complaints == ["traces of a vantage point other than client and server are not read 1"])
    }

    private static let sizes = "up -/30/28/58/- down -/52/66/118/-"
    private static let noResponse = "up -/30/28/58/- down -/-/-/-/-"

    @Test(
        "a message has a size where packets tell its whole stream",
        arguments: [
            (ends(), sizes, false), ([packet("sent", 0, 0..<62)], noResponse, true),
            ([packet("sent", 0, 0..<62), packet("received", 0, nil, space: "quic")], sizes, false),
            ([packet("sent", 0, 0..<62), packet("received", 0, 64..<128)], noResponse, true),
            (
                [packet("sent", 0, 0..<62), packet("received", 0, nil, type: "reset_stream")], noResponse, true
            ),
            (ends() + [packet("received", 0, nil, type: "reset_stream")], sizes, false),
            // Streams of others tell nothing of this one.
            ([packet("sent", 0, 0..<62), packet("received", 4, 0..<128)], noResponse, true),
        ] as [([String], String, Bool)])
    func cutMessages(packets: [String], sizes: String, isCut: Bool) throws {
        let log = try LogSamples.read(Self.document(Self.exchange() + packets))
        #expect(log.lines.map { $0.suffix(sizes.count) } == [sizes[...]])
        #expect(log.complaints == (isCut ? ["responses whose end is not in the log have no size 1 @1"] : []))
    }

    @Test(
        "without packets a response has a size where it says how long it is",
        arguments: [
            ("66", "GET", "200", 66, true), ("67", "GET", "200", 66, false), ("66", "HEAD", "200", 0, true),
            ("9", "GET", "304", 0, true),
        ])
    func announcedLengths(length: String, method: String, status: String, content: Int, isWhole: Bool) throws {
        let request = [(":method", method)] + Self.request.dropFirst()
        let answer = [(":status", status), ("content-length", length)]
        let log = try LogSamples.read(
            Self.document([
                Self.event("h3:frame_created", Self.fields(request, stream: 0, length: #""length":30,"#)),
                Self.event("h3:frame_parsed", Self.fields(answer, stream: 0, length: #""length":9,"#)),
                Self.event("h3:frame_parsed", Self.content(0, content)),
            ]))
        #expect(log.rows.map(\.down.total) == [isWhole ? content + 9 : nil] && log.rows.map(\.up.total) == [30])
    }

    @Test("a lost record leaves sizes only to streams that the frames fill")
    func lostRecords() throws {
        var events = Self.exchange()
        events[5] = "{"
        let records = [Self.record()] + events + Self.ends() + Self.exchange(stream: 4) + Self.ends(stream: 4)
        let log = try LogSamples.read(records.map { "\u{1E}\($0)\n" }.joined())
        #expect(log.lines.map { $0.split(separator: "000 ")[2] } == [Self.noResponse[...], Self.sizes[...]])
    }

    @Test("each trace is a connection, in a sequence, in a document, and in documents on lines")
    func traces() throws {
        let calls = [Self.exchange() + Self.ends(), Self.exchange() + Self.ends()]
        let sequence = calls.flatMap { [Self.record()] + $0 }.map { "\u{1E}\($0)\n" }.joined()
        #expect(try LogSamples.read(sequence).lines == [Self.line, Self.line])
        let documents = calls.map { Self.document($0) }.joined(separator: "\n")
        #expect(try LogSamples.read(documents).lines == [Self.line, Self.line])
        // Two connections in one trace cannot be told apart.
        let mixed = try LogSamples.read(Self.document(calls.flatMap(\.self)))
        #expect(mixed.rows.map(\.up.total) == [nil] && mixed.rows.map(\.down.total) == [nil])
        #expect(mixed.complaints == ["streams with two requests are of several connections, and have no sizes 1 @1"])
    }

    /// The members of an object in reverse, and those of its objects.
    private static func reversed(_ value: Any) -> String {
        if let object = value as? [String: Any] {
            return "{"
                + object.keys.sorted(by: >).map { "\"\($0)\":" + reversed(object[$0] ?? 0) }.joined(separator: ",")
                + "}"
        }
        if let list = value as? [Any] { return "[" + list.map(reversed).joined(separator: ",") + "]" }
        let text = (try? JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)) ?? Data()
        return String(decoding: text, as: UTF8.self)
    }

    @Test(
        "the order of members does not matter",
        arguments: ["", #","reference_time":1795269818660,"time_format":"delta""#])
    func memberOrder(common: String) throws {
        let isDelta = !common.isEmpty
        let first = Self.event("http:x", "", time: isDelta ? "5" : "1795269818665")
        let request = Self.event(
            "http:frame_created", Self.fields(Self.request, stream: 0, length: #""length":30,"#),
            time: isDelta ? "6" : "1795269818671")
        let text = Self.document([first, request] + Self.ends(), common: common)
        let backwards = Self.reversed(try JSONSerialization.jsonObject(with: Data(text.utf8)))
        let expected = try LogSamples.read(text).lines
        #expect(expected[0].contains(" 1795269818671000000 "))
        #expect(try LogSamples.read(backwards).lines == expected)
        #expect(backwards.hasPrefix(#"{"traces":[{"vantage_point""#))
    }

    @Test("a trace that ends before it names its writer is of who makes the requests", arguments: [true, false])
    func cutTraces(isClient: Bool) throws {
        let whole = Self.document(
            Self.exchange(sends: isClient) + Self.ends(sends: isClient) + Self.exchange(stream: 4, sends: isClient),
            vantagePoint: isClient ? "client" : "server")
        let end = try #require(whole.range(of: #","vantage_point""#)).lowerBound
        let log = try LogSamples.read(String(whole[..<end]))
        #expect(log.lines.first == Self.line && log.rows.count == 2 && log.isIncomplete)
        // What is cut has no size: more of the message may have followed.
        #expect(log.rows[1].up == LoggedBytes() && log.rows[1].down == LoggedBytes())
        let other = try LogSamples.read(whole.replacing(#""type":"client"}"#, with: #""type":"network"}"#))
        #expect(other.rows.isEmpty == isClient)
    }

    @Test("the requests of a cut trace without packets have no size")
    func cutRequests() throws {
        let whole = Self.document(Array(Self.exchange().prefix(1)))
        let end = try #require(whole.range(of: #"],"vantage_point""#)).lowerBound
        let log = try LogSamples.read(String(whole[..<end]))
        #expect(log.rows.map(\.up.total) == [nil])
        #expect(try LogSamples.read(whole).rows.map(\.up.total) == [30])
    }

    @Test("fields by the name that quic-go writes are read as well")
    func otherFieldNames() throws {
        let text = Self.document(Self.exchange() + Self.ends())
        let other = text.replacing(#""headers":["#, with: #""header_fields":["#)
        #expect(other != text)
        #expect(try LogSamples.read(other).lines == [Self.line])
    }

    @Test(
        "what stands behind the end of a document is said, and what was read stays",
        arguments: ["x", "\n{}", "\n\n]", "\u{0}"])
    func textBehind(text: String) throws {
        let log = try LogSamples.read(Self.document(Self.exchange() + Self.ends()) + text)
        #expect(log.lines == [Self.line])
        #expect(log.isIncomplete && log.problems.count == 1, "\(log.complaints)")
    }

    @Test("damage inside a document is said with its byte, and what stands before it stays")
    func damagedInside() throws {
        let events = Self.exchange() + Self.ends() + ["{,}"] + Self.exchange(stream: 4)
        let line = Self.document(events)
        // The same over many lines.
        for text in [line, line.replacing(",", with: ",\n  ")] {
            let log = try LogSamples.read(text)
            let place = try #require(Array(text.utf8).firstRange(of: Array("{,".utf8))).lowerBound + 1
            #expect(log.lines == [Self.line])
            let isSaid = log.complaints.contains { $0.contains("at byte \(place)") }
            #expect(log.isIncomplete && isSaid, "\(log.complaints)")
        }
    }

    @Test("every prefix is read as far as it goes, and says so, or is refused")
    func prefixes() throws {
        let text = Array(Self.document(Self.exchange()).utf8)
        for length in 1..<text.count {
            let log = try? LogSamples.read(Array(text.prefix(length)), format: .qlog)
            #expect(log == nil || log?.isIncomplete == true || log?.rejectedRows ?? 0 > 0, "\(length)")
        }
        #expect(throws: SDKLogError.self) { try LogSamples.read(#"{"qlog_version":"0.3","traces":{}}"#) }
    }
}
