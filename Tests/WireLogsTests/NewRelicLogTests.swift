import Testing

@testable import WireLogs

/// Events by the published data dictionary and the agents' sources; no agent wrote them here.
@Suite("Logs of New Relic")
struct NewRelicLogTests {
    private static func event(_ members: String, type: String = "MobileRequest") -> String {
        #"{"eventType":"\#(type)","timestamp":1795255201250,"requestUrl":"https://api.test/a","requestMethod":"POST",\#(members)}"#
    }

    private static let answered = event(#""statusCode":200,"responseTime":0.25,"bytesSent":28,"bytesReceived":2000"#)
    private static let line =
        "exchange POST api.test /a 200 1795255201000000000 1795255201250000000 up -/-/28/28/- down -/-/2000/2000/-"

    @Test("an event is written at the end of the request; the response time is in seconds")
    func rows() throws {
        let log = try LogSamples.read("[\(Self.answered)]")
        #expect(log.format == .newrelic && log.lines == [Self.line])
        // The agents leave the query out.
        #expect(log.pathForm == .encoded && log.problems.isEmpty)
        #expect(log.timeResolution == 10_000_000)
    }

    @Test(
        "results of queries, answers of the interfaces, and lines",
        arguments: [
            #"{"results":[{"events":[EVENT]}],"metadata":{"contents":[{"function":"events"}]}}"#,
            #"{"data":{"actor":{"account":{"nrql":{"results":[EVENT]}}}}}"#, #"{"facets":[],"results":[EVENT]}"#,
            "EVENT", "[EVENT]",
        ])
    func layouts(text: String) throws {
        #expect(try LogSamples.read(text.replacing("EVENT", with: Self.answered)).lines == [Self.line])
        guard !text.hasPrefix("[") else { return }
        let other = Self.event(#""bytesSent":1"#, type: "MobileSession")
        let lines = [Self.answered, other, Self.answered].map { text.replacing("EVENT", with: $0) }
        #expect(try LogSamples.read(lines.joined(separator: "\n")).lines == [Self.line, Self.line])
    }

    @Test("a size that an answered request lacks is zero where other events have it: the iOS agent writes no zero")
    func zeroes() throws {
        let empty = Self.event(#""statusCode":204,"responseTime":0.25"#)
        let failed = Self.event(#""networkErrorCode":-1001,"responseTime":0.25"#, type: "MobileRequestError")
        let log = try LogSamples.read([Self.answered, empty, failed].joined(separator: "\n"))
        #expect(log.rows.map { $0.up.total } == [28, 0, nil])
        #expect(log.rows.map { $0.down.total } == [2000, 0, nil])
        // Without any size the log says nothing about sizes.
        #expect(try LogSamples.read(empty).rows[0].up == LoggedBytes())
        // A wrong size is not zero.
        let wrong = Self.event(#""statusCode":200,"bytesSent":-5,"bytesReceived":1"#)
        #expect(try LogSamples.read(Self.answered + "\n" + wrong).rows[1].up.total == nil)
    }

    @Test(
        "what a failed request transferred is not measured, unless it was answered with a size",
        arguments: [
            (#""networkErrorCode":-1001,"bytesSent":0,"bytesReceived":0"#, "MobileRequestError", nil, nil),
            (#""networkErrorCode":-1001,"bytesSent":28,"bytesReceived":9"#, "MobileRequestError", nil, nil),
            (#""statusCode":503,"bytesSent":0,"bytesReceived":9"#, "MobileRequestError", nil, 9),
            (#""statusCode":0,"networkErrorCode":53,"bytesSent":0,"bytesReceived":0"#, "MobileRequest", nil, nil),
            (#""statusCode":200,"networkErrorCode":0,"bytesSent":0,"bytesReceived":9"#, "MobileRequest", 0, 9),
            (#""statusCode":503,"responseTime":1"#, "MobileRequestError", nil, nil),
        ] as [(String, String, Int?, Int?)])
    func failures(members: String, type: String, up: Int?, down: Int?) throws {
        let log = try LogSamples.read(Self.answered + "\n" + Self.event(members, type: type))
        #expect([log.rows[1].up.total, log.rows[1].down.total] == [up, down])
        let isTold = members.contains("bytes") && (up == nil || down == nil)
        #expect(log.problems.map(\.what) == (isTold ? ["failed requests have no measured sizes"] : []))
    }

    @Test("domain and path can stand for the URL; events of other types are passed over")
    func parts() throws {
        let text =
            #"{"requestDomain":"API.test","requestPath":"/a","bytesSent":5,"bytesReceived":null,"timestamp":1795255201250}"#
        let log = try LogSamples.read(text, format: .newrelic)
        #expect(log.lines == ["exchange - api.test /a 0 - 1795255201250000000 up -/-/5/5/- down -/-/-/-/-"])
        let other = Self.event(#""statusCode":200,"bytesSent":1"#, type: "MobileSession")
        #expect(throws: SDKLogError.self) { try LogSamples.read(other, format: .newrelic) }
        let nowhere = #"{"requestUrl":"/relative","bytesSent":5}"#
        #expect(try LogSamples.read(nowhere + "\n" + Self.answered).rejectedRows == 1)
    }

    @Test("every prefix gives the rows before its end, or is refused")
    func prefixes() throws {
        let text = Array(#"{"results":[\#(Self.answered),\#(Self.answered)]}"#.utf8)
        for length in 1..<text.count {
            let log = try? LogSamples.read(Array(text.prefix(length)), format: .newrelic)
            #expect(log == nil || log?.isIncomplete == true && (1...2).contains(log?.rows.count ?? 0), "\(length)")
        }
        #expect(try LogSamples.read(text).rows.count == 2)
    }
}
