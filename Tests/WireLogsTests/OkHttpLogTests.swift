import Testing

@testable import WireLogs

/// Lines by the interceptor's source (versions 3 to 5); no app wrote them here.
@Suite("Lines of OkHttp's interceptor")
struct OkHttpLogTests {
    private static func logcat(_ lines: [(second: String, thread: Int, text: String)]) -> String {
        lines.map { "11-21 14:03:\($0.second)  4711  \($0.thread) I okhttp.OkHttpClient: \($0.text)" }
            .joined(separator: "\n")
    }

    /// Seconds of 2000-11-21 14:03, which stands for any year.
    private static func time(_ second: Int, _ milliseconds: Int = 0) -> String {
        "\(974_815_380 + second)" + String("\(1000 + milliseconds)".dropFirst()) + "000000"
    }

    @Test("level BASIC tells the length of bodies beforehand; a request without a length has no body")
    func basic() throws {
        let log = try LogSamples.read(
            Self.logcat([
                ("38.100", 1, "--> POST https://Api.test/a?b=c http/1.1 (28-byte body)"),
                ("38.200", 2, "--> GET https://api.test/b"),
                ("38.300", 1, "<-- 200 OK https://api.test/a?b=c (199ms, 66-byte body)"),
                ("38.400", 2, "<-- 404 https://api.test/b (200ms, unknown-length body)"),
                ("38.500", 2, "--> PUT https://api.test/c (-1-byte body)"),
                ("38.600", 2, "<-- HTTP FAILED: java.net.SocketTimeoutException: timeout"),
            ]))
        #expect(log.format == .okhttpLog && log.rows.map(\.number) == [1, 2, 5])
        #expect(
            log.lines == [
                "exchange POST api.test /a?b=c 200 \(Self.time(38, 100)) - up -/-/28/28/- down -/-/66/66/-",
                "exchange GET api.test /b 404 \(Self.time(38, 200)) - up -/-/0/0/- down -/-/-/-/-",
                "exchange PUT api.test /c 0 \(Self.time(38, 500)) \(Self.time(38, 600)) up -/-/-/-/- down -/-/-/-/-",
            ])
        #expect(log.figures[.up] == .basicBody && log.figures[.down] == .basicBody)
        #expect(log.complaints == ["times have no year: only their differences count 1"])
    }

    @Test("level BODY counts what was read, and ends when that is whole; HEADERS tells no sizes")
    func body() throws {
        let log = try LogSamples.read(
            Self.logcat([
                ("38.100", 1, "--> POST https://api.test/a"), ("38.101", 1, "Content-Length: 5"), ("38.101", 1, ""),
                ("38.102", 1, "{--> }"), ("38.103", 1, "--> END POST (5-byte body)"),
                ("38.150", 2, "--> GET https://api.test/b"), ("38.151", 2, "--> END GET"),
                ("38.200", 1, "<-- 200 https://api.test/a (90ms)"), ("38.200", 1, "Content-Encoding: gzip"),
                ("38.250", 1, "<-- END HTTP (2000-byte, 66-gzipped-byte body)"),
                ("38.300", 2, "<-- 200 https://api.test/b (90ms)"),
                ("38.400", 2, "<-- END HTTP (250ms, binary 9-byte body omitted)"),
                ("39.000", 2, "--> POST https://api.test/c"), ("39.001", 2, "--> END POST (encoded body omitted)"),
                ("39.100", 2, "<-- 200 https://api.test/c (90ms)"),
                ("39.100", 2, "<-- END HTTP (encoded body omitted)"),
            ]))
        #expect(
            log.lines == [
                "exchange POST api.test /a 200 \(Self.time(38, 100)) \(Self.time(38, 250)) up -/-/5/5/- down -/-/66/2000/2000",
                "exchange GET api.test /b 200 \(Self.time(38, 150)) \(Self.time(38, 400)) up -/-/0/0/- down -/-/9/9/-",
                "exchange POST api.test /c 200 \(Self.time(39)) - up -/-/-/-/- down -/-/-/-/-",
            ])
        #expect(log.figures[.down] == .loggedBody)
    }

    @Test(
        "what stands before a line, with or without time and thread",
        arguments: [
            ("--> GET http://h/a", "-"), ("D/OkHttp: --> GET http://h/a", "-"), ("INFO: --> GET http://h/a", "-"),
            ("I/okhttp( 1234): --> GET http://h/a", "-"),
            ("11-21 14:03:38.100 I/okhttp( 1234): --> GET http://h/a", time(38, 100)),
            ("11-21 14:03:38.100  1234  5678 D OkHttp  : --> GET http://h/a", time(38, 100)),
            ("11-21 14:03:38.100 +0100  1234  5678 D OkHttp: --> GET http://h/a", time(38, 100)),
            (
                "2026-11-21 14:03:38.100  1234-5678  okhttp.OkHttpClient  com.shop  I  --> GET http://h/a",
                "1795269818100000000"
            ),
            ("2026-11-21T14:03:38.100Z [main] INFO --> GET http://h/a", "1795269818100000000"),
        ])
    func prefixes(line: String, time: String) throws {
        let answer = line.replacing("--> GET http://h/a", with: "<-- 204 No Content http://h/a (9ms, 0-byte body)")
        let log = try LogSamples.read("something else\n" + line + "\n" + answer)
        #expect(log.lines == ["exchange GET h /a 204 \(time) - up -/-/0/0/- down -/-/0/0/-"])
        #expect(log.rows[0].isPlain && log.rows[0].number == 2)
    }

    @Test("without threads requests for one URL are told apart by their times, or not at all")
    func mixed() throws {
        let timed = try LogSamples.read(
            """
            11-21 14:03:38.100 I/okhttp( 1): --> GET http://h/a
            11-21 14:03:38.200 I/okhttp( 1): --> GET http://h/a
            11-21 14:03:38.300 I/okhttp( 1): <-- 200 http://h/a (99ms, 7-byte body)
            11-21 14:03:38.400 I/okhttp( 1): <-- 500 http://h/a (299ms, 8-byte body)
            """)
        #expect(timed.rows.map(\.status) == [500, 200] && timed.rows.map { $0.down.total } == [8, 7])
        let untimed = try LogSamples.read(
            """
            --> GET http://h/a
            --> GET http://h/a
            --> GET http://h/b
            <-- 200 http://h/a (99ms, 7-byte body)
            <-- 200 http://h/a (299ms, 8-byte body)
            <-- 201 http://other/b (9ms, 6-byte body)
            """)
        #expect(untimed.rows.map(\.status) == [0, 0, 0])
        #expect(untimed.complaints == ["a response may be of several requests, or of none 3 @4"])
        // A redirected call: nothing else can be meant.
        let moved = try LogSamples.read("--> GET http://h/a\n<-- 200 http://h/z (99ms, 7-byte body)\n")
        #expect(moved.lines == ["exchange GET h /a 200 - - up -/-/0/0/- down -/-/7/7/-"])
    }

    @Test("a response without request, mixed ends and huge numbers are no figures")
    func broken() throws {
        let log = try LogSamples.read(
            """
            <-- 200 http://h/a (9ms, 7-byte body)
            <-- END HTTP (7-byte body)
            --> END GET
            --> get http://h/a
            --> GET ftp://h/a
            --> GET http://h/1
            --> GET http://h/2
            <-- 200 http://h/1 (99999999999999ms)
            <-- 200 http://h/2 (9ms)
            <-- END HTTP (99999999999999999999-byte body)
            --> GET http://h/3
            <-- 20 http://h/3
            """)
        #expect(log.rows.map(\.status) == [200, 200, 0])
        #expect(log.rows.allSatisfy { $0.down == LoggedBytes() })
        #expect(
            log.complaints == [
                "a response may be of several requests, or of none 1 @1",
                "ends of responses are mixed, and no thread tells them apart 1 @10",
            ])
        #expect(throws: SDKLogError.self) { try LogSamples.read("<-- 200 http://h/a (9ms)\n", format: .okhttpLog) }
    }

    @Test("redacted values of queries are no part of a URL: calls are then known by path")
    func redactedQueries() throws {
        let log = try LogSamples.read("--> GET http://h/a?token=██&b=1\n--> GET http://h/c?d\n")
        #expect(log.lines.map { $0.split(separator: " ")[3] } == ["/a", "/c"] && log.pathForm == .encoded)
        #expect(log.complaints == ["queries are redacted: calls are known by path 1 @1"])
    }
}
