import Testing

@testable import WireAccuracy

@Suite("qlog")
struct QLogTests {
    /// As aioquic writes it: who wrote the trace stands behind the events.
    private static func document(_ events: [String], vantagePoint: String = "client", common: String = "") -> String {
        """
        {"qlog_format":"JSON","qlog_version":"0.3","traces":[{"common_fields":{"ODCID":"0badcafe"\(common)},\
        "events":[\(events.joined(separator: ","))],"vantage_point":{"name":"x","type":"\(vantagePoint)"}}]}
        """
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
                [start, other] + Self.exchange(space: space, sends: isClient),
                vantagePoint: isClient ? "client" : "server"))
        #expect(log.format == .qlog && log.lines == [Self.line] && log.problems.isEmpty)
        #expect(log.rows.map(\.serverPort) == [4433] && log.rows.map(\.clientPort) == [51000])
    }

    @Test("records of a text sequence are read like a document, and a broken one is rejected")
    func sequence() throws {
        let head =
            #"{"file_schema":"urn:ietf:params:qlog:file:sequential","serialization_format":"application/qlog+json-seq","trace":{"vantage_point":{"type":"client"}}}"#
        let records = [head, "{\"time\":"] + Self.exchange(space: "http3")
        let log = try LogSamples.read(Array(records.map { "\u{1E}\($0)\n" }.joined().utf8), pieceSize: 7)
        #expect(log.format == .qlog && log.lines == [Self.line])
        #expect(log.rejectedRows == 1)
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
        let log = try LogSamples.read(Self.document([push, lone] + Self.exchange(stream: 12)))
        #expect(log.rows.map(\.number) == [2])
        #expect(log.complaints == ["streams without a request's fields are no rows 1 @1"])
        let network = try LogSamples.read(Self.document(Self.exchange(), vantagePoint: "network"))
        #expect(network.rows.isEmpty)
        #expect(network.complaints == ["traces of a vantage point other than client and server are not read 1"])
    }

    @Test("every prefix is read as far as it goes, and says so, or is refused")
    func prefixes() throws {
        let text = Array(Self.document(Self.exchange()).utf8)
        for length in 1..<text.count {
            let log = try? LogSamples.read(Array(text.prefix(length)), format: .qlog)
            #expect(log == nil || log?.isIncomplete == true || log?.rejectedRows ?? 0 > 0, "\(length)")
        }
        #expect(throws: SDKLogError.self) { try LogSamples.read(#"{"qlog_version":"0.3","traces":[]}"#) }
    }
}
