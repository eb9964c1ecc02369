import Testing

@testable import WireLogs

@Suite("Logs of Sentry")
struct SentryLogTests {
    /// Envelopes that sentry-sdk 2.75.0 (Python, http.client) sent to a server on this machine, without the members that
    /// describe the process.
    private static let envelopes = #"""
        {"event_id":"9d01fe6335f24472ba6a1f0bc494e559","sent_at":"2026-11-25T10:28:54.989365Z","trace":{"trace_id":"69a76761bf4247f28d3aa9c12904d774","sample_rand":"0.821984","environment":"production","public_key":"key","transaction":"t","sample_rate":"1.0","sampled":"true"}}
        {"type":"event","content_type":"application/json","length":2977}
        {"level": "error", "event_id": "9d01fe6335f24472ba6a1f0bc494e559", "timestamp": "2026-11-25T10:28:54.984901Z", "transaction": "t", "transaction_info": {"source": "custom"}, "breadcrumbs": {"values": [{"type": "http", "category": "httplib", "data": {"http.method": "GET", "http.fragment": "", "url": "http://127.0.0.1:47911/v1/list", "http.query": "page=2", "http.response.status_code": 200, "reason": "OK"}, "timestamp": "2026-11-25T10:28:54.940185Z"}, {"type": "http", "category": "httplib", "data": {"http.method": "POST", "http.fragment": "", "url": "http://127.0.0.1:47911/v1/orders", "http.query": "", "http.response.status_code": 200, "reason": "OK"}, "timestamp": "2026-11-25T10:28:54.940650Z"}]}, "environment": "production", "sdk": {"name": "sentry.python", "version": "2.75.0", "packages": [{"name": "pypi:sentry-sdk", "version": "2.75.0"}], "integrations": ["argv", "atexit", "dedupe", "excepthook", "logging", "modules", "stdlib", "threading"]}, "platform": "python"}
        {"event_id":"cec87b5c80da4ad094b67a1c2e3f374f","sent_at":"2026-11-25T10:28:54.990139Z","trace":{"trace_id":"69a76761bf4247f28d3aa9c12904d774","sample_rand":"0.821984","environment":"production","public_key":"key","transaction":"t","sample_rate":"1.0","sampled":"true"}}
        {"type":"transaction","content_type":"application/json","length":2146}
        {"type": "transaction", "transaction": "t", "transaction_info": {"source": "custom"}, "tags": {}, "timestamp": "2026-11-25T10:28:54.989735Z", "start_timestamp": "2026-11-25T10:28:54.938394Z", "spans": [{"trace_id": "69a76761bf4247f28d3aa9c12904d774", "span_id": "9b3ea8eb29076396", "parent_span_id": "9aae75f065579ded", "same_process_as_parent": true, "op": "http.client", "description": "GET http://127.0.0.1:47911/v1/list", "start_timestamp": "2026-11-25T10:28:54.939004Z", "timestamp": "2026-11-25T10:28:54.940197Z", "origin": "auto.http.stdlib.httplib", "status": "ok", "tags": {"http.status_code": "200", "status": "ok"}, "data": {"thread.id": "140442324593536", "http.method": "GET", "http.fragment": "", "url": "http://127.0.0.1:47911/v1/list", "http.query": "page=2", "http.response.status_code": 200, "reason": "OK"}}, {"trace_id": "69a76761bf4247f28d3aa9c12904d774", "span_id": "881ba7a17fa8bc89", "parent_span_id": "9aae75f065579ded", "same_process_as_parent": true, "op": "http.client", "description": "POST http://127.0.0.1:47911/v1/orders", "start_timestamp": "2026-11-25T10:28:54.940276Z", "timestamp": "2026-11-25T10:28:54.984490Z", "origin": "auto.http.stdlib.httplib", "status": "ok", "tags": {"http.status_code": "200", "status": "ok"}, "data": {"thread.id": "140442324593536", "http.method": "POST", "http.fragment": "", "url": "http://127.0.0.1:47911/v1/orders", "http.query": "", "http.response.status_code": 200, "reason": "OK"}}], "measurements": {}, "event_id": "cec87b5c80da4ad094b67a1c2e3f374f", "environment": "production", "sdk": {"name": "sentry.python", "version": "2.75.0", "packages": [{"name": "pypi:sentry-sdk", "version": "2.75.0"}], "integrations": ["argv", "atexit", "dedupe", "excepthook", "logging", "modules", "stdlib", "threading"]}, "platform": "python"}
        """#

    @Test("envelopes of a real SDK: a request with breadcrumb and span is one row, with the span's times")
    func realEnvelopes() throws {
        let log = try LogSamples.read(Self.envelopes)
        #expect(log.format == .sentry)
        #expect(
            log.rows.indices.map { log.line($0) }.sorted() == [
                "exchange GET 127.0.0.1 /v1/list?page=2 200 1795602534939004000 1795602534940197000 up -/-/-/-/- down -/-/-/-/-",
                "exchange POST 127.0.0.1 /v1/orders 200 1795602534940276000 1795602534984490000 up -/-/-/-/- down -/-/-/-/-",
            ])
        #expect(log.rows.allSatisfy { $0.serverPort == 47911 && $0.isPlain })
        #expect(log.complaints == ["breadcrumbs of requests that have a span are one row with it 2 @1"])
        #expect(log.timeResolution == 1000 && log.rejectedRows == 0)
    }

    private static func event(_ breadcrumbs: String..., spans: [String] = []) -> String {
        #"{"event_id":"9d01fe6335f24472ba6a1f0bc494e559","platform":"cocoa","breadcrumbs":["#
            + breadcrumbs.joined(separator: ",") + #"],"spans":["# + spans.joined(separator: ",") + "]}"
    }

    /// As SentryNetworkTracker.m writes it.
    private static func apple(_ path: String, at second: String = "01.250", up: Int = 28, down: Int = 2000) -> String {
        """
        {"category":"http","level":"info","type":"http","timestamp":"2026-11-21T10:00:\(second)Z","data":{
        "url":"https://api.test\(path)","method":"POST","request_start":"2026-11-21T10:00:01.000Z",
        "request_body_size":\(up),"response_body_size":\(down),"status_code":200,"reason":"no error","http.query":"b=c"}}
        """.replacing("\n", with: "")
    }

    /// As SentryOkHttpEvent.kt writes it, with the span of the same call.
    private static let android = """
        {"type":"http","category":"http","timestamp":"2026-11-21T10:00:01.000Z","data":{"url":"https://api.test/a",\
        "method":"GET","http.query":"b=c","host":"api.test","path":"/a","protocol":"h2","status_code":200,\
        "request_content_length":0,"response_content_length":77,"http.start_timestamp":1795255201000,\
        "http.end_timestamp":1795255201250}}
        """
    private static let androidSpan = """
        {"op":"http.client","description":"GET https://api.test/a","start_timestamp":1795255201.0001,\
        "timestamp":1795255201.2512,"data":{"url":"https://api.test/a","http.query":"b=c",\
        "http.request.method":"GET","http.response.status_code":200,"http.request_content_length":0,\
        "http.response_content_length":77}}
        """

    @Test("a breadcrumb of Apple's systems has the task's counters, its start and its end")
    func appleBreadcrumbs() throws {
        let log = try LogSamples.read(Self.event(Self.apple("/a")))
        #expect(
            log.lines == [
                "exchange POST api.test /a?b=c 200 1795255201000000000 1795255201250000000 up -/-/28/28/- down -/-/2000/2000/-"
            ])
        #expect(log.problems.isEmpty)
    }

    @Test("breadcrumb and span of Android are one row; one of them alone is a row too")
    func androidCalls() throws {
        let both = try LogSamples.read(Self.event(Self.android, spans: [Self.androidSpan]))
        let span =
            "exchange GET api.test /a?b=c 200 1795255201000100000 1795255201251200000 up -/-/0/0/- down -/-/77/77/-"
        #expect(both.lines == [span])
        #expect(try LogSamples.read(Self.event(spans: [Self.androidSpan])).lines == [span])
        #expect(
            try LogSamples.read(Self.event(Self.android)).lines == [
                "exchange GET api.test /a?b=c 200 1795255201000000000 1795255201250000000 up -/-/0/0/- down -/-/77/77/-"
            ])
    }

    @Test("a breadcrumb out of the time of a span, or of another status, is a request of its own")
    func otherCalls() throws {
        let later = Self.android.replacing("1795255201250}", with: "1795255201302}")
        #expect(try LogSamples.read(Self.event(later, spans: [Self.androidSpan])).rows.count == 2)
        let failed = Self.android.replacing(#""status_code":200"#, with: #""status_code":503"#)
        #expect(try LogSamples.read(Self.event(failed, spans: [Self.androidSpan])).rows.count == 2)
        // Two requests of which one has a span.
        let two = try LogSamples.read(Self.event(Self.android, Self.android, spans: [Self.androidSpan]))
        #expect(two.rows.count == 2)
    }

    @Test("of two spans of one URL a breadcrumb belongs to the one that is nearest in time")
    func nearestSpan() throws {
        func breadcrumb(_ start: Int, _ end: Int, _ size: Int) -> String {
            Self.android.replacing("1795255201000,", with: "\(start),").replacing("1795255201250}", with: "\(end)}")
                .replacing(#""response_content_length":77"#, with: #""response_content_length":\#(size)"#)
        }
        func span(_ start: String, _ end: String) -> String {
            Self.androidSpan.replacing("1795255201.0001", with: start).replacing("1795255201.2512", with: end)
                .replacing(#","http.response_content_length":77"#, with: "")
        }
        // The second began and ended within the first; and a third ended a little before.
        let spans = [
            span("1795255201.000", "1795255202.000"), span("1795255201.500", "1795255201.600"),
            span("1795255201.500", "1795255201.580"),
        ]
        let breadcrumbs = [
            breadcrumb(1_795_255_201_000, 1_795_255_201_999, 1), breadcrumb(1_795_255_201_500, 1_795_255_201_601, 2),
            breadcrumb(1_795_255_201_500, 1_795_255_201_581, 3),
        ]
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let log = try LogSamples.read(
                Self.event(order.map { breadcrumbs[$0] }.joined(separator: ","), spans: spans))
            #expect(log.rows.sorted { $0.end > $1.end }.map(\.down.total) == [1, 2, 3])
        }
        // One breadcrumb alone takes the nearest span, not the first.
        let one = try LogSamples.read(Self.event(breadcrumbs[1], spans: spans))
        #expect(one.rows.sorted { $0.end > $1.end }.map(\.down.total) == [nil, 2, nil])
    }

    @Test("a breadcrumb that later events repeat is one row; equal ones in one event are requests of their own")
    func repetitions() throws {
        let (first, second) = (Self.apple("/a"), Self.apple("/b", at: "02.000"))
        let events = [Self.event(first), Self.event(first, first), Self.event(first, second)]
        let log = try LogSamples.read(events.joined(separator: "\n") + "\n")
        #expect(log.rows.map { log.texts[$0.path].count } == [6, 6, 6])
        #expect(log.complaints == ["breadcrumbs that later events repeat count once 2 @2"])
    }

    @Test("spans of a browser have the size of the transfer; those from its cache are no rows")
    func browserSpans() throws {
        func span(_ op: String, _ description: String, _ data: String) -> String {
            #"{"op":"\#(op)","description":"\#(description)","start_timestamp":1795255201.5,"timestamp":1795255201.75,"data":{\#(data)}}"#
        }
        let log = try LogSamples.read(
            Self.event(
                spans: [
                    span(
                        "resource.script", "https://cdn.test/x.js",
                        #""http.response_transfer_size":600,"http.response_content_length":300,"http.decoded_response_content_length":900"#
                    ),
                    span(
                        "resource.script", "https://cdn.test/y.js",
                        #""http.response_transfer_size":0,"http.response_content_length":300"#),
                    span("http.client", "PUT https://api.test/z", #""http.response.status_code":204"#),
                    span("http.client.connect", "https://api.test/z", ""), span("db", "SELECT 1", ""),
                    span("http.client", "GET /relative", ""), span("resource.img", "data:image/png;base64,xx", ""),
                ]))
        #expect(
            log.lines.map { $0.split(separator: " 17")[0] } == [
                "exchange - cdn.test /x.js 0", "exchange PUT api.test /z 204",
            ])
        #expect(log.rows[0].down.text == "-/-/300/600/900" && log.rows[1].down == LoggedBytes())
        #expect(log.rejectedRows == 1)
        #expect(log.problems.map(\.what).contains("resources answered from the cache are not on the wire"))
        #expect(log.problems.map(\.what).contains("spans with schemes other than http and https are not on the wire"))
    }

    @Test("a breadcrumb without start has its own time as the end of the request")
    func endsOnly() throws {
        let text = """
            {"type":"http","category":"xhr","timestamp":1795255201.25,"data":{"url":"https://api.test/a","method":"GET",\
            "status_code":200,"request_body_size":null,"response_body_size":-1}}
            """
        let log = try LogSamples.read(Self.event(text))
        #expect(log.lines == ["exchange GET api.test /a 200 - 1795255201250000000 up -/-/-/-/- down -/-/-/-/-"])
        #expect(log.timeResolution == 10_000_000)
    }

    @Test("breadcrumbs and spans that count differently are not judged by one definition")
    func mixedDefinitions() throws {
        let span = Self.androidSpan.replacing("https://api.test/a", with: "https://api.test/s")
        let log = try LogSamples.read(Self.event(Self.apple("/a"), Self.apple("/b"), spans: [span]))
        #expect(log.rows.map(\.up.total) == [28, 28, nil] && log.rows.map(\.down.total) == [2000, 2000, nil])
        #expect(
            log.complaints == [
                "figures http.request.body.size are not judged: most requests have request_body_size 1 @3",
                "figures http.response.body.size are not judged: most responses have response_body_size 1 @3",
                "times have a different unit than in most rows 1 @3",
            ])
    }

    @Test("an event over several lines, a list of events, and other breadcrumbs")
    func layouts() throws {
        let other = #"{"type":"navigation","category":"ui","timestamp":1795255201,"data":{"url":"https://a.test/"}}"#
        let pretty = Self.event(Self.apple("/a"), other).replacing(",", with: ",\n")
        #expect(try LogSamples.read(pretty).rows.count == 1)
        let list = "[" + Self.event(Self.apple("/a")) + "," + Self.event(other, Self.apple("/b")) + "]"
        #expect(try LogSamples.read(list).rows.count == 2)
        let without = Self.event(other).replacing(#""spans":[]"#, with: #""x":[]"#)
        #expect(throws: SDKLogError.self) { try LogSamples.read(without, format: .sentry) }
    }

    @Test("every prefix gives the rows before its end, or is refused")
    func prefixes() throws {
        let text = Array(Self.event(Self.apple("/a"), Self.apple("/b"), spans: [Self.androidSpan]).utf8)
        for length in 1..<text.count {
            let log = try? LogSamples.read(Array(text.prefix(length)), format: .sentry)
            #expect((log?.rows.count ?? 0) <= 3)
            #expect(log == nil || log?.isIncomplete == true || log?.rejectedRows ?? 0 > 0, "\(length)")
        }
        #expect(try LogSamples.read(text).rows.count == 3)
        #expect(try LogSamples.read(text, rowLimit: 2).isIncomplete)
    }
}
