import Testing

@testable import WireLogs

@Suite("NetLog of Chromium")
struct NetLogTests {
    /// Numbers of a version of its own: only the file's constants tell what they mean.
    private static let numbers: [(String, Int)] = NetLogConstants.Kind.allCases.enumerated().map {
        ($0.element.rawValue, 700 - 3 * $0.offset)
    }

    private static let constants: String = {
        let events = numbers.map { #""\#($0.0)":\#($0.1)"# }.joined(separator: ",")
        return
            #"{"clientInfo":{"name":"x","path":"/x"},"logEventPhase":{"PHASE_BEGIN":8,"PHASE_END":9,"PHASE_NONE":7},"#
            + #""logEventTypes":{\#(events)},"logSourceType":{"NONE":0},"timeTickOffset":1795269000000}"#
    }()

    private static func document(_ events: [String], constants: String = constants) -> String {
        #"{"constants":\#(constants),"# + "\n\"events\": [\n" + events.joined(separator: ",\n")
            + "],\n\"polledData\":[{\"events\":1}]}"
    }

    private static func event(
        _ kind: NetLogConstants.Kind, _ params: String = "", phase: Int = 7, source: Int = 5, time: Int = 818_671
    ) -> String {
        let number = numbers.first { $0.0 == kind.rawValue }?.1 ?? 0
        let members = params.isEmpty ? "" : #""params":{\#(params)},"#
        return
            #"{\#(members)"phase":\#(phase),"source":{"id":\#(source),"start_time":"1","type":1},"time":"\#(time)","type":\#(number)}"#
    }

    private static let head =
        #""headers":["Host: api.test:8080","Cookie: [32 bytes were stripped]"],"line":"POST /a?b=c HTTP/1.1\r\n""#
    private static let answer = #""headers":["HTTP/1.1 200 OK","content-type: text/plain"]"#

    /// A POST over HTTP/1 whose answer is coded; port of its socket by way of its job.
    private static func request(url: String = "http://Api.test:8080/a?b=c#d", end: Bool = true) -> [String] {
        [
            event(.connected, #""local_address":"127.0.0.1:51000""#, phase: 9, source: 2),
            event(.boundToSocket, #""source_dependency":{"id":2,"type":10}"#, source: 3),
            event(.startJob, #""method":"POST","url":"\#(url)""#, phase: 8, time: 818_600),
            event(.boundToJob, #""source_dependency":{"id":3,"type":17}"#),
            event(.upload, #""is_chunked":false,"total_size":28"#, phase: 9),
            event(.sendRequest, phase: 8), event(.sendHead, head), event(.sendRequest, phase: 9),
            event(.readHead, answer), event(.filters, #""filters":"GZIP""#),
            event(.encodedBytes, #""byte_count":60"#), event(.encodedBytes, #""byte_count":6"#),
            event(.decodedBytes, #""byte_count":2000"#, time: 818_683),
        ] + (end ? [event(.alive, phase: 9, time: 818_900)] : [])
    }

    /// 22 of the request line, 21 and 42 of fields, 2; and 17, 26 and 2.
    private static let line =
        "exchange POST api.test /a?b=c 200 1795269818671000000 1795269818683000000 up -/87/28/115/- down -/45/66/111/2000"

    @Test("a transaction is a row: the text of its heads with hidden values, and its bodies")
    func rows() throws {
        let log = try LogSamples.read(Self.document(Self.request()))
        #expect(log.format == .netlog && log.lines == [Self.line] && log.problems.isEmpty)
        #expect(log.rows.map(\.clientPort) == [51000] && log.rows.map(\.serverPort) == [8080])
        #expect(log.rows[0].isPlain && log.timeResolution == 1_000_000)
    }

    @Test("a session of HTTP/2 leads to the port as well, and the message has only its body")
    func frames() throws {
        let events = [
            Self.event(.connected, #""local_address":"[::1]:51001""#, phase: 9, source: 2),
            Self.event(.session, #""source_dependency":{"id":2,"type":10}"#, source: 4),
            Self.event(.foundSession, #""source_dependency":{"id":4,"type":11}"#, source: 3),
            Self.event(.startJob, #""method":"GET","url":"https://h/x""#, phase: 8),
            Self.event(.boundToJob, #""source_dependency":{"id":3,"type":17}"#), Self.event(.sendRequest, phase: 8),
            Self.event(.sendHTTP2Head, #""headers":[":method: GET"]"#), Self.event(.readHead, Self.answer),
            Self.event(.decodedBytes, #""byte_count":10"#), Self.event(.alive, phase: 9),
        ]
        let log = try LogSamples.read(Self.document(events))
        #expect(log.rows.map(\.clientPort) == [51001])
        #expect(log.rows.map(\.up.text) == ["-/-/0/0/-"] && log.rows.map(\.down.text) == ["-/-/10/10/10"])
    }

    @Test("each hop and each repetition is a row; what the cache answered is none")
    func hops() throws {
        func start(_ url: String) -> String {
            Self.event(.startJob, #""method":"GET","url":"http://h\#(url)""#, phase: 8)
        }
        let send = [Self.event(.sendRequest, phase: 8), Self.event(.sendHead, Self.head)]
        func answer(_ line: String) -> String { Self.event(.readHead, #""headers":["\#(line)"]"#) }
        let events =
            [start("/old")] + send + [answer("HTTP/1.1 302 Found"), start("/new")] + send
            + [answer("HTTP/1.1 401 No")] + send + [answer("HTTP/1.1 200 OK"), start("/cached")]
            + [Self.event(.cacheRead, phase: 9), Self.event(.decodedBytes, #""byte_count":9"#)]
            + [start("/etag")] + send + [answer("HTTP/1.1 304 Not Modified"), Self.event(.cacheRead, phase: 9)]
            + [Self.event(.decodedBytes, #""byte_count":480"#), start("/part")] + send
            + [answer("HTTP/1.1 206 Partial Content"), Self.event(.cacheRead, phase: 9), Self.event(.alive, phase: 9)]
        let log = try LogSamples.read(Self.document(events))
        #expect(log.rows.map { Int($0.status) } == [302, 401, 200, 304, 206])
        #expect(
            log.rows.map { log.texts[$0.path] } == ["/old", "/new", "/new", "/etag", "/part"].map { Array($0.utf8) })
        #expect(log.rows.map(\.down.body) == [0, 0, 0, 0, nil])
        #expect(
            log.complaints == [
                "requests that never used the network are not on the wire 1",
                "bodies that partly came from the cache have no size 1 @5",
            ])
    }

    @Test("a chunked upload has no size, and a request without an answer no response")
    func unknownSizes() throws {
        let events = [
            Self.event(.startJob, #""method":"POST","url":"http://h/""#, phase: 8),
            Self.event(.upload, #""is_chunked":true,"total_size":0"#, phase: 9), Self.event(.sendRequest, phase: 8),
            Self.event(.sendHead, Self.head), Self.event(.failed, #""net_error":-100"#), Self.event(.alive, phase: 9),
        ]
        let log = try LogSamples.read(Self.document(events))
        #expect(log.rows.map(\.up.text) == ["-/87/-/-/-"] && log.rows.map(\.down.text) == ["-/-/-/-/-"])
        #expect(log.rows.map(\.status) == [0])
    }

    @Test(
        "what no event counts has no size; without content there are no counts",
        arguments: [
            ("HTTP/1.1 200 OK", [event(.decodedBytes, #""byte_count":9"#)], 9),
            ("HTTP/1.1 200 OK", [event(.decodedBytes), event(.decodedBytes, #""byte_count":9"#)], nil),
            ("HTTP/1.1 200 OK", [event(.filters), event(.decodedBytes, #""byte_count":9"#)], nil),
            (#"HTTP/1.1 200 OK","Content-Length: 9"#, [], nil), (#"HTTP/1.1 200 OK","content-length: 0"#, [], 0),
            (#"HTTP/1.1 302 Found","Transfer-Encoding: chunked"#, [], nil), ("HTTP/1.1 302 Found", [], 0),
            (#"HTTP/1.1 204 No Content","Content-Length: 9"#, [], 0),
        ] as [(String, [String], Int?)])
    func missingCounts(head: String, events: [String], body: Int?) throws {
        let request = [
            Self.event(.startJob, #""method":"GET","url":"http://h/x""#, phase: 8), Self.event(.sendRequest, phase: 8),
            Self.event(.sendHead, Self.head), Self.event(.readHead, #""headers":["\#(head)"]"#),
        ]
        let log = try LogSamples.read(Self.document(request + events + [Self.event(.alive, phase: 9)]))
        #expect(log.rows.map(\.down.body) == [body] && log.rows.map(\.up.total) == [87])
        #expect(log.complaints == (body == nil ? ["responses without byte counts have no size 1 @1"] : []))
    }

    @Test("an upload and a request line without a length have no size; nor what the constants do not name")
    func missingLengths() throws {
        func read(_ text: String) throws -> [String] {
            try LogSamples.read(text).rows.map { $0.up.text + " " + $0.down.text }
        }
        let text = Self.document(Self.request())
        #expect(try read(text) == ["-/87/28/115/- -/45/66/111/2000"])
        #expect(try read(text.replacing(#","total_size":28"#, with: "")) == ["-/87/-/-/- -/45/66/111/2000"])
        #expect(
            try read(text.replacing(#","line":"POST /a?b=c HTTP/1.1\r\n""#, with: "")) == [
                "-/-/28/-/- -/45/66/111/2000"
            ])
        #expect(
            try read(text.replacing("UPLOAD_DATA_STREAM_INIT", with: "UPLOAD_BEGIN")) == [
                "-/87/-/-/- -/45/66/111/2000"
            ])
        #expect(
            try read(text.replacing("URL_REQUEST_JOB_FILTERED_BYTES_READ", with: "DECODED_BYTES")) == [
                "-/87/28/115/- -/45/-/-/-"
            ])
    }

    @Test(
        "text behind the end of the document is said, and what was read stays",
        arguments: ["x", "\n{}", "\n]", "\u{0}"])
    func textBehind(text: String) throws {
        let log = try LogSamples.read(Self.document(Self.request()) + text)
        #expect(log.lines == [Self.line] && log.isIncomplete && log.problems.count == 1)
    }

    @Test("a log that ends in the middle has its rows, says so, and gives no size of what did not end")
    func truncation() throws {
        let whole = Self.document(Self.request() + Self.request(end: false))
        let cut = try LogSamples.read(String(whole.dropLast(60)))
        #expect(cut.rows.count == 2 && cut.isIncomplete)
        #expect(cut.rows[0].down.total == 111 && cut.rows[1].down.total == nil)
        #expect(cut.complaints.contains { $0.hasPrefix("responses whose end is not in the log have no size 1") })
        let text = Array(whole.utf8)
        for length in stride(from: 1, to: text.count, by: 3) {
            let log = try? LogSamples.read(Array(text.prefix(length)), format: .netlog)
            #expect(log == nil || log?.isIncomplete == true, "\(length)")
            #expect(log?.rows.count ?? 0 <= 2)
        }
    }

    @Test("events that are no requests, strange members and absurd numbers are no trouble")
    func oddities() throws {
        let odd = [
            "7", "[]", "{}", #"{"type":-1,"source":7,"params":[1]}"#,
            #"{"type":700,"phase":8,"source":{"id":1e30},"time":"x"}"#, Self.event(.sendHead, Self.head, source: 99),
        ]
        let log = try LogSamples.read(Self.document(odd + Self.request(url: "chrome://settings") + Self.request()))
        #expect(log.lines.contains(Self.line))
        let large = [
            Self.event(.startJob, #""url":"http://h/""#, phase: 8), Self.event(.sendRequest, phase: 8, time: .max),
            Self.event(.readHead, #""headers":[]"#), Self.event(.decodedBytes, #""byte_count":9007199254740992"#),
            Self.event(.decodedBytes, #""byte_count":9007199254740992"#), Self.event(.alive, phase: 9),
        ]
        let sizes = try LogSamples.read(Self.document(large))
        #expect(sizes.rows.map(\.down.total) == [nil] && sizes.rows.map(\.time) == [.min])
        let unnamed = try LogSamples.read(#"{"events":[{"type":1,"source":{"id":1}}],"constants":\#(Self.constants)}"#)
        #expect(unnamed.complaints == ["events before the constants that name them 1"])
    }

    @Test(
        "hidden values have the length that is named for them",
        arguments: [
            ("Cookie: [32 bytes were stripped]", 40), ("X: NTLM [5 bytes were stripped]", 13), ("X: [bytes]", 10),
            ("X: [x bytes were stripped]", 26), ("[1 bytes were stripped] y", 25), ("", 0), ("]", 1),
        ])
    func hiddenValues(line: String, length: Int) {
        #expect(NetLogParameters.lineLength(Array(line.utf8)) == length)
    }
}
