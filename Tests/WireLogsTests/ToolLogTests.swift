import Testing

@testable import WireLogs

/// Logs by the sources of their writers, and of programs that read them; the writers did not run here.
@Suite("Logs of Chucker, Charles and Flutter")
struct ToolLogTests {
    // MARK: Chucker

    private static let table = """
        CREATE TABLE transactions(id INTEGER PRIMARY KEY, requestDate INTEGER, responseDate INTEGER, tookMs INTEGER,
          protocol TEXT, method TEXT, url TEXT, host TEXT, path TEXT, scheme TEXT, requestPayloadSize INTEGER,
          requestHeadersSize INTEGER, responseCode INTEGER, error TEXT, responsePayloadSize INTEGER,
          responseHeadersSize INTEGER);
        """

    @Test(
        "a transaction has the sums of Chucker's screens; without body no payload is written, and -1 is added as it is",
        arguments: [
            ("28, 60, 200, NULL, 2000, 159", "200", "-/60/28/88/- down -/159/2000/2159/-"),
            ("NULL, 60, 204, NULL, NULL, 40", "204", "-/60/0/60/- down -/40/0/40/-"),
            ("-1, 60, 200, NULL, 5, 40", "200", "-/60/-1/59/- down -/40/5/45/-"),
            ("28, 60, NULL, 'java.io.IOException', NULL, NULL", "0", "-/60/28/88/- down -/-/-/-/-"),
        ])
    func chucker(values: String, status: String, bytes: String) throws {
        let log = try LogSamples.readDatabase(
            Self.table
                + "INSERT INTO transactions VALUES (7, 1795269818671, 1795269818700, 29, 'h2', 'POST', "
                + "'https://api.test/a b?q=c d', 'api.test', '/a b?q=c d', 'https', \(values))")
        #expect(log.format == .chucker && log.platform == .android && log.pathForm == .decodedWithQuery)
        #expect(
            log.lines == [
                "exchange POST api.test /a%20b?q=c%20d \(status) 1795269818671000000 - up \(bytes)"
            ])
        #expect(log.problems.isEmpty)
    }

    @Test(
        "its URLs are decoded, and so are those of the exchanges",
        arguments: [
            ("/a b?q=c d", "/a%20b", "q=c+d"), ("/a b?q=c d", "/a b", "q=c%20d"), ("/ü", "/%C3%BC", nil),
            ("/100%?a&b", "/100%25", "a%26b"), ("/plain", "/plain", nil),
        ] as [(String, String, String?)])
    func decodedURLs(written: String, path: String, query: String?) throws {
        let log = try LogSamples.readDatabase(
            Self.table
                + "INSERT INTO transactions(requestDate, url, requestHeadersSize, responsePayloadSize) "
                + "VALUES (1795269818671, 'https://h\(written)', 1, 1)")
        let own = log.pathForm.text(path: Array(path.utf8), query: query.map { Array($0.utf8) })
        #expect(log.texts[log.rows[0].path] == own)
    }

    private static func har(_ creator: String, _ request: String, _ response: String) throws -> SDKLog {
        try LogSamples.read(
            #"""
            {"log":{"creator":{"name":"\#(creator)"},"entries":[{"startedDateTime":"2026-11-21T14:03:38.671Z","time":29,
            "connection":"40001","request":{"method":"POST","url":"https://api.test/a?b",\#(request)},
            "response":{\#(response)},"timings":{"connect":0,"send":0,"wait":29,"receive":0}}]}}
            """#)
    }

    @Test(
        "HAR of Chucker and of Flutter's DevTools has sizes of their own, and no port",
        arguments: [
            (
                "Chucker", #""headersSize":60,"bodySize":28"#,
                #""status":200,"headersSize":159,"bodySize":2000,"content":{"size":2000}"#,
                "200 1795269818671000000 - up -/60/28/88/- down -/159/2000/2159/2000"
            ),
            (
                "Chucker", #""headersSize":60,"bodySize":-1"#, #""status":0,"headersSize":-1,"bodySize":0"#,
                "0 1795269818671000000 - up -/60/-1/59/- down -/-/-/-/-"
            ),
            (
                "devtools", #""headersSize":60,"bodySize":28"#,
                #""status":"200","headersSize":159,"bodySize":2000,"content":{"size":2000}"#,
                "200 1795269818671000000 1795269818700000000 up -/-/28/28/- down -/-/2000/2000/-"
            ),
            // A body that is no UTF-8 is counted as `<binary data>`.
            (
                "devtools", #""headersSize":60,"bodySize":0"#, #""status":"200","headersSize":159,"bodySize":13"#,
                "200 1795269818671000000 1795269818700000000 up -/-/0/0/- down -/-/-/-/-"
            ),
        ])
    func writers(creator: String, request: String, response: String, rest: String) throws {
        let log = try Self.har(creator, request, response)
        #expect(log.lines == ["exchange POST api.test /a?b \(rest)"])
        #expect(log.rows[0].clientPort == 0 && log.format == .har)
    }

    // MARK: Charles

    private static func transaction(_ members: String = #""tunnel":false"#, port: Int = 443) -> String {
        """
        {"status":"COMPLETE","method":"POST","protocolVersion":"HTTP/1.1","scheme":"https","host":"Api.test",
        "actualPort":\(port),"path":"/a","query":"b=c",\(members),"keptAlive":true,"clientAddress":"10.0.0.2",
        "clientPort":51234,"times":{"start":"2026-11-21T14:03:38.600+00:00",
        "requestBegin":"2026-11-21T14:03:38.671+00:00","end":"2026-11-21T14:03:38.900+00:00"},
        "durations":{"total":300},"totalSize":600,
        "request":{"sizes":{"headers":291,"body":28},"header":{"firstLine":"POST /a HTTP/1.1",
        "headers":[{"name":"Host","value":"x"}]},"body":{"text":"{}"}},
        "response":{"status":200,"sizes":{"headers":202,"body":66},"body":{"text":"x"}}}
        """
    }

    @Test("a session of Charles has the port of the app's connection to it; tunnels are no calls")
    func charles() throws {
        let tunnel = Self.transaction(#""tunnel":true"#)
        let log = try LogSamples.read("[\(tunnel),\(Self.transaction()),\(Self.transaction(port: 8443))]")
        #expect(log.format == .charles && log.rows.map(\.clientPort) == [51234, 51234])
        let line =
            "exchange POST api.test /a?b=c 200 1795269818671000000 1795269818900000000 "
            + "up -/291/28/319/- down -/202/66/268/-"
        #expect(log.lines == [line, line] && log.rows.map(\.serverPort) == [0, 8443])
        #expect(log.complaints == ["tunnels whose content was not decrypted are no calls 1 @1"])
    }

    @Test("a transaction without response has neither its sizes nor an end")
    func unanswered() throws {
        let text = Self.transaction().replacing(#""response":{"status":200"#, with: #""response":{"status":null"#)
        let log = try LogSamples.read("[\(text)]")
        #expect(log.lines == ["exchange POST api.test /a?b=c 0 1795269818671000000 - up -/291/28/319/- down -/-/-/-/-"])
    }

    // MARK: Flutter

    private static func request(
        _ bodies: String = "", response: String = #""statusCode":200,"contentLength":66"#, redirects: String = "[]"
    ) -> String {
        """
        {"type":"HttpProfileRequest","isolateId":"isolates/1","id":"7","method":"POST","uri":"https://api.test/a?b=c",
        "events":[{"timestamp":1795269818700000,"event":"connection established"}],"startTime":1795269818671000,
        "endTime":1795269818690000,
        "request":{"headers":{"uri":["x"]},"connectionInfo":{"localPort":51234,"remoteAddress":"1.2.3.4","remotePort":443},
        "contentLength":28,"cookies":[]},
        "response":{"startTime":1795269818700000,"endTime":1795269818900001,\(response),"redirects":\(redirects)}
        \(bodies)}
        """
    }

    private static let start = "exchange POST api.test /a?b=c"

    @Test(
        "a profile of the VM, or its request in an export of DevTools",
        arguments: [
            #"{"type":"HttpProfile","timestamp":1,"requests":[REQUEST]}"#,
            #"{"jsonrpc":"2.0","result":{"type":"HttpProfile","requests":[REQUEST]},"id":"1"}"#,
            #"{"devToolsSnapshot":true,"network":{"httpRequestData":[{"request":REQUEST}],"socketData":[]}}"#,
        ])
    func flutter(text: String) throws {
        let log = try LogSamples.read(text.replacing("REQUEST", with: Self.request()))
        #expect(log.format == .flutter && log.rows.map(\.clientPort) == [51234])
        #expect(
            log.lines == [
                "\(Self.start) 200 1795269818671000000 1795269818900001000 up -/-/28/28/- down -/-/66/66/-"
            ])
        #expect(log.problems.isEmpty && log.timeResolution == 1_000_000)
    }

    @Test(
        "bodies are counted where they are there; a length that is told is none of a decompressed body",
        arguments: [
            (#","requestBody":[1,2,3],"responseBody":[1,2,3,4]"#, #""statusCode":200,"contentLength":-1"#, 3, 4),
            (#","requestBody":[],"responseBody":null"#, #""statusCode":200,"contentLength":66"#, 0, 66),
            ("", #""statusCode":200,"contentLength":66,"compressionState":"X.decompressed""#, 28, nil),
            ("", #""statusCode":200,"contentLength":66,"compressionState":"X.notCompressed""#, 28, 66),
            ("", #""statusCode":304,"contentLength":66"#, 28, nil),
            ("", #""statusCode":200,"contentLength":-1"#, 28, nil),
            ("", #""statusCode":null,"contentLength":66"#, 28, nil),
        ] as [(String, String, Int?, Int?)])
    func bodies(bodies: String, response: String, up: Int?, down: Int?) throws {
        let log = try LogSamples.read("[\(Self.request(bodies, response: response))]", format: .flutter)
        #expect(log.rows.map { $0.up.total } == [up] && log.rows.map { $0.down.total } == [down])
    }

    @Test("behind redirections the port may be of another hop")
    func redirected() throws {
        let redirects = #"[{"statusCode":302,"method":"GET","location":"/b"}]"#
        let log = try LogSamples.read("[\(Self.request(redirects: redirects))]", format: .flutter)
        #expect(log.rows.map(\.clientPort) == [0])
    }

    @Test(
        "every prefix of a log gives the rows before its end, or is refused",
        arguments: [SDKLogFormat.charles, .flutter])
    func prefixes(format: SDKLogFormat) throws {
        let record = format == .charles ? Self.transaction() : Self.request()
        let text = Array("[\(record),\(record)]".utf8)
        for length in 1..<text.count {
            let log = try? LogSamples.read(Array(text.prefix(length)), format: format)
            #expect(log == nil || log?.isIncomplete == true && (1...2).contains(log?.rows.count ?? 0), "\(length)")
        }
        #expect(try LogSamples.read(text).rows.count == 2)
    }
}
