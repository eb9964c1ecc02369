import Testing

@testable import WireLogs

/// Events by the published schema (rum-events-format, resource-schema.json); no SDK wrote them here.
@Suite("Logs of Datadog RUM")
struct DatadogLogTests {
    private static func event(_ resource: String, type: String = "resource", date: String = "1795255201000") -> String {
        """
        {"type":"\(type)","date":\(date),"application":{"id":"a"},"session":{"id":"s","type":"user"},"source":"ios",\
        "view":{"id":"v","url":"https://view.test/","resource":{"count":3}},"resource":{\(resource)},"_dd":{"format_version":2}}
        """
    }

    private static let names =
        #""type":"native","method":"POST","url":"https://api.test:8443/a?b=c","status_code":200,"duration":250000000"#
    private static let sizes = """
        ,"size":2000,"encoded_body_size":77,"decoded_body_size":2000,\
        "request":{"encoded_body_size":28,"decoded_body_size":30,"headers":{"a":"b"}}
        """
    private static let line =
        "exchange POST api.test /a?b=c 200 1795255201000000000 1795255201250000000 up -/-/28/28/30 down -/-/77/2000/2000"

    @Test("resource events are rows: milliseconds for the start, nanoseconds for the duration")
    func rows() throws {
        let log = try LogSamples.read(Self.event(Self.names + Self.sizes) + "\n" + Self.event(Self.names))
        #expect(log.format == .datadog)
        #expect(log.line(0) == Self.line && log.rows[0].serverPort == 8443)
        // An event without sizes says that there was a call.
        #expect(log.rows[1].up == LoggedBytes() && log.rows[1].down == LoggedBytes())
        #expect(log.problems.isEmpty && log.timeResolution == 1_000_000_000)
    }

    @Test(
        "an event of the events interface has the time beside it, and often no date of its own",
        arguments: ["", #""date":1795255201000,"#])
    func answers(date: String) throws {
        let event = Self.event(Self.names + Self.sizes).replacing(#""date":1795255201000,"#, with: date)
        for time in [
            #""timestamp":"2026-11-21T10:00:01Z","attributes":\#(event)"#,
            #""attributes":\#(event),"timestamp":"2026-11-21T10:00:01Z""#,
        ] {
            let answer = #"{"data":[{"type":"rum","id":"x","attributes":{"service":"app",\#(time)}}],"meta":{}}"#
            let log = try LogSamples.read(answer)
            #expect(log.format == .datadog && log.lines == [Self.line] && log.problems.isEmpty)
        }
        // Of the interface's other events none is a row.
        let view =
            #"{"data":[{"type":"rum","attributes":{"timestamp":"2026-11-21T10:00:01Z","attributes":\#(Self.event(Self.names, type: "action"))}}]}"#
        #expect((try? LogSamples.read(view, format: .datadog))?.rows.isEmpty ?? true)
    }

    @Test("a truth value is no size, in any member")
    func truthValues() throws {
        let log = try LogSamples.read(Self.event(Self.names + #","size":true"#))
        #expect(log.rows.map(\.down.total) == [nil])
        #expect(log.complaints == ["resource.size is not a number 1 @1"])
    }

    /// As the SDKs send a network error: with the request within the error.
    private static func error(_ date: String, status: Int = 200, url: String = "https://api.test:8443/a?b=c") -> String
    {
        """
        {"type":"error","date":\(date),"application":{"id":"a"},"session":{"id":"s","type":"user"},"source":"ios",\
        "view":{"id":"v"},"error":{"id":"e","message":"x","source":"network","type":"NSURLErrorDomain - -1005",\
        "resource":{"method":"POST","status_code":\(status),"url":"\(url)"}},"_dd":{"format_version":2}}
        """
    }

    @Test(
        "one call has one row, whether an error tells of it as well or alone",
        arguments: [
            (error("1795255201250"), 1), (error("1795255201240", status: 0), 1), (error("1795255209000"), 2),
            (error("1795255201250", status: 503), 2), (error("1795255201250", url: "https://api.test/b"), 2),
        ])
    func errors(error: String, rows: Int) throws {
        let resource = Self.event(Self.names + Self.sizes)
        for events in [[resource, error], [error, resource]] {
            let log = try LogSamples.read(events.joined(separator: "\n"))
            #expect(log.rows.count == rows && log.lines.contains(Self.line))
            let complaint = "errors of requests that have a resource event are one row with it"
            #expect(log.problems.map(\.what) == (rows == 1 ? [complaint] : []))
        }
        let failed = try LogSamples.read(Self.error("1795255201250", status: 0), format: .datadog)
        #expect(failed.lines == ["exchange POST api.test /a?b=c 0 - 1795255201250000000 up -/-/-/-/- down -/-/-/-/-"])
    }

    @Test("other events are passed over; lists and answers of the events interface are read")
    func layouts() throws {
        let view = Self.event(#""count":1"#, type: "view")
        let error = Self.event(Self.names, type: "error")
        let resource = Self.event(Self.names + Self.sizes)
        #expect(try LogSamples.read([view, error, resource].joined(separator: "\n")).lines == [Self.line])
        #expect(try LogSamples.read("[\(view),\(resource)]").lines == [Self.line])
        let answer =
            #"{"data":[{"id":"x","type":"rum","attributes":{"service":"app","attributes":\#(resource)}}],"links":{}}"#
        #expect(try LogSamples.read(answer).lines == [Self.line])
    }

    @Test(
        "what was not transferred is no row; the size of the transfer counts where no other is told",
        arguments: [
            (#","size":10,"encoded_body_size":10,"transfer_size":0"#, nil),
            (#","size":10,"transfer_size":310,"delivery_type":"cache""#, nil),
            (#","transfer_size":310,"encoded_body_size":10,"delivery_type":"other""#, "-/-/10/310/-"),
            (#","encoded_body_size":10"#, "-/-/10/10/-"), (#","size":0,"transfer_size":0"#, "-/-/-/0/-"),
        ] as [(String, String?)])
    func transfers(members: String, expected: String?) throws {
        let log = try LogSamples.read(Self.event(Self.names + members), format: .datadog)
        #expect(log.rows.first?.down.text == expected)
        #expect(
            log.complaints == (expected == nil ? ["resources answered from the cache are not on the wire 1 @1"] : []))
    }

    @Test(
        "wrong values are named",
        arguments: [
            (#""url":"https://h/","size":-1"#, "resource.size is negative 1 @1"),
            (#""url":"https://h/","size":9,"duration":-5"#, "resource.duration is no duration 1 @1"),
            (#""url":"https://h/","size":9,"duration":9e18"#, "resource.duration is implausibly large 1 @1"),
            (
                #""url":"file:///x","size":9"#,
                "resources with schemes other than http and https are not on the wire 1 @1"
            ),
            (#""url":"https://h/","size":"x""#, "resource.size is not a number 1 @1"),
        ])
    func wrongValues(resource: String, complaint: String) throws {
        #expect(try LogSamples.read(Self.event(resource), format: .datadog).complaints == [complaint])
    }

    @Test("every prefix gives the rows before its end, or is refused")
    func prefixes() throws {
        let text = Array("[\(Self.event(Self.names + Self.sizes)),\(Self.event(Self.names))]".utf8)
        for length in 1..<text.count {
            let log = try? LogSamples.read(Array(text.prefix(length)), format: .datadog)
            #expect(log == nil || log?.isIncomplete == true && (1...2).contains(log?.rows.count ?? 0), "\(length)")
        }
        #expect(try LogSamples.read(text).rows.count == 2)
    }
}
