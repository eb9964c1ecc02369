import Testing

@testable import WireLogs

@Suite("OTLP JSON")
struct OTLPLogTests {
    private static func attribute(_ key: String, _ value: String) -> String {
        #"{"key":"\#(key)","value":{\#(value)}}"#
    }

    private static func span(
        kind: String = "3", _ attributes: [String],
        times: String = #""startTimeUnixNano":"1795269818671000321","endTimeUnixNano":"1795269818683500000""#
    ) -> String {
        #"{"traceId":"5B8EFFF798038103D269B633813FC60C","name":"POST","kind":\#(kind),\#(times),"attributes":[\#(attributes.joined(separator: ","))],"status":{}}"#
    }

    private static func value(_ spans: String...) -> String {
        #"{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"x"}}]},"scopeSpans":[{"scope":{"name":"s"},"spans":["#
            + spans.joined(separator: ",") + "]}]}]}"
    }

    private static let names = [
        attribute("url.full", #""stringValue":"http://Api.test:8080/a?b=c#d""#),
        attribute("http.request.method", #""stringValue":"post""#),
        attribute("http.response.status_code", #""intValue":"200""#),
    ]
    private static let sizes = [
        attribute("http.request.size", #""intValue":"319""#), attribute("http.response.size", #""intValue":279"#),
        attribute("http.request.body.size", #""intValue":"28""#),
        attribute("http.response.body.size", #""intValue":"66""#),
    ]
    private static let start = "exchange POST api.test /a?b=c 200 1795269818671000321 1795269818683500000"

    @Test("spans of clients are rows, with the sizes of messages and bodies")
    func rows() throws {
        let log = try LogSamples.read(Self.value(Self.span(Self.names + Self.sizes), Self.span(Self.names)))
        #expect(log.format == .otlp)
        #expect(log.rows.count == 2)
        #expect(log.line(0).hasPrefix(Self.start))
        #expect(log.rows[0].serverPort == 8080 && log.rows[0].isPlain)
        #expect([log.rows[0].up.total, log.rows[0].up.body] == [319, 28])
        #expect([log.rows[0].down.total, log.rows[0].down.body] == [279, 66])
        // A span without sizes says that there was a call, and nothing about its bytes.
        #expect(log.rows[1].up == LoggedBytes() && log.rows[1].down == LoggedBytes())
        #expect(log.problems.isEmpty)
    }

    @Test(
        "spans under the names of earlier versions are read",
        arguments: ["instrumentationLibrarySpans", "instrumentation_library_spans", "scope_spans"])
    func earlierNames(name: String) throws {
        let value = Self.value(Self.span(Self.names + Self.sizes))
        let log = try LogSamples.read(value.replacing("scopeSpans", with: name))
        #expect(log.lines == (try LogSamples.read(value)).lines && log.rows.count == 1 && log.problems.isEmpty)
    }

    @Test("without the size of the message the body's size is the figure")
    func bodies() throws {
        let log = try LogSamples.read(Self.value(Self.span(Self.names + Self.sizes.suffix(2))))
        #expect([log.rows[0].up.total, log.rows[0].down.total] == [28, 66])
        #expect(log.figures.up == .requestBody && log.figures.down == .responseBody)
    }

    @Test("figures of two definitions in one log: those that fewer rows have are not judged, and that is said")
    func mixedDefinitions() throws {
        let (message, body) = (Self.span(Self.names + Self.sizes), Self.span(Self.names + Self.sizes.suffix(2)))
        let log = try LogSamples.read(Self.value(message, body, message, body, body))
        #expect(log.rows.map(\.up.total) == [nil, 28, nil, 28, 28])
        #expect(log.rows.map(\.down.total) == [nil, 66, nil, 66, 66])
        #expect(
            log.complaints == [
                "figures http.request.size are not judged: most requests have http.request.body.size 2 @1",
                "figures http.response.size are not judged: most responses have http.response.body.size 2 @1",
            ])
    }

    @Test("names of the older conventions, snake case, and kinds by name are read as well")
    func olderNames() throws {
        let attributes = [
            Self.attribute("http.url", #""stringValue":"https://h/p""#),
            Self.attribute("http.method", #""stringValue":"GET""#),
            Self.attribute("http.status_code", #""intValue":204"#),
            Self.attribute("http.response_content_length", #""intValue":"12""#),
            Self.attribute("http.response_content_length_uncompressed", #""intValue":"50""#),
        ]
        let times = #""start_time_unix_nano":1795269818671000000,"end_time_unix_nano":1795269818683000000"#
        let text = Self.value(Self.span(kind: #""SPAN_KIND_CLIENT""#, attributes, times: times))
            .replacing("resourceSpans", with: "resource_spans").replacing("scopeSpans", with: "scope_spans")
        let log = try LogSamples.read(text)
        #expect(log.line(0).hasPrefix("exchange GET h /p 204 1795269818671000000 1795269818683000000"))
        #expect([log.rows[0].down.total, log.rows[0].down.decodedBody] == [12, 50])
    }

    @Test(
        "members of a value that the format does not know yet, and those that are null, leave the value as it is",
        arguments: [
            #"{"stringValue":"http://h/p","zFuture":"x"}"#, #"{"zFuture":{"a":[1]},"stringValue":"http://h/p"}"#,
            #"{"stringValue":"http://h/p","intValue":null}"#, #"{"string_value":"http://h/p"}"#,
        ])
    func unknownMembers(value: String) throws {
        let log = try LogSamples.read(Self.value(Self.span([#"{"key":"url.full","value":\#(value)}"#])))
        #expect(log.line(0).hasPrefix("exchange - h /p 0 ") && log.problems.isEmpty)
    }

    @Test("a method that its writer does not know is the one that was sent, or none")
    func otherMethods() throws {
        let other = [Self.names[0], Self.attribute("http.request.method", #""stringValue":"_OTHER""#)]
        let original = Self.attribute("http.request.method_original", #""stringValue":"purge""#)
        let log = try LogSamples.read(Self.value(Self.span(other + [original]), Self.span(other)))
        #expect(log.line(0).hasPrefix("exchange PURGE ") && log.line(1).hasPrefix("exchange - "))
    }

    @Test("a truth value is no size")
    func truthValues() throws {
        let size = Self.attribute("http.response.size", #""boolValue":true"#)
        let log = try LogSamples.read(Self.value(Self.span(Self.names + [size])))
        #expect(log.rows.map(\.down.total) == [nil])
        #expect(log.complaints == ["http.response.size is not a number 1 @1"])
    }

    @Test("host and path can stand apart")
    func parts() throws {
        let attributes = [
            Self.attribute("server.address", #""stringValue":"api.test""#),
            Self.attribute("server.port", #""intValue":"443""#), Self.attribute("url.path", #""stringValue":"/a""#),
            Self.attribute("url.query", #""stringValue":"b=c""#),
        ]
        let log = try LogSamples.read(Self.value(Self.span(attributes)))
        #expect(log.line(0).hasPrefix("exchange - api.test /a?b=c 0") && log.rows[0].serverPort == 443)
    }

    @Test("other spans are passed over, and said")
    func otherSpans() throws {
        let database = [Self.attribute("db.system", #""stringValue":"sqlite""#)]
        let log = try LogSamples.read(
            Self.value(
                Self.span(kind: "2", Self.names), Self.span(kind: "1", database), Self.span(database),
                Self.span(Self.names)))
        #expect(log.rows.map(\.number) == [4])
        #expect(
            log.problems.map(\.what) == [
                "spans that are no client's are not requests of the app", "spans without a URL are no HTTP requests",
            ])
        #expect(log.rejectedRows == 0)
    }

    @Test("one value on each line; a broken line is rejected, and the others are read")
    func lines() throws {
        let line = Self.value(Self.span(Self.names + Self.sizes))
        let log = try LogSamples.read([line, "{\"resourceSpans\":[", "[1]", line].joined(separator: "\n") + "\n")
        #expect(log.rows.count == 2)
        #expect(log.rejectedRows == 2)
    }

    @Test("every prefix of a value gives the spans before its end, or is refused")
    func prefixes() throws {
        let text = Array(Self.value(Self.span(Self.names + Self.sizes), Self.span(Self.names)).utf8)
        for length in 1..<text.count {
            let log = try? LogSamples.read(Array(text.prefix(length)), format: .otlp)
            #expect((log?.rows.count ?? 0) <= 2)
            #expect(
                log == nil || log?.isIncomplete == true || log?.rejectedRows ?? 0 > 0 || log?.rows.count == 2,
                "\(length)")
        }
        #expect(throws: SDKLogError.self) { try LogSamples.read(#"{"resourceSpans":{}}"#) }
    }
}
