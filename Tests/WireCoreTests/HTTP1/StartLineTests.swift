import Testing

@testable import WireCore

@Suite("HTTP/1: start line")
struct StartLineTests {
    private func text(_ bytes: [UInt8], _ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    static let requests: [(line: String, method: String, target: String, version: HTTPVersion)?] = [
        ("GET / HTTP/1.1", "GET", "/", .http11), ("GET / HTTP/1.0", "GET", "/", .http10),
        ("GET / HTTP/1.9", "GET", "/", HTTPVersion(rawValue: 19)), ("get /a HTTP/1.1", "get", "/a", .http11),
        ("M-SEARCH * HTTP/1.1", "M-SEARCH", "*", .http11), ("GET  /a  HTTP/1.1  ", "GET", "/a", .http11),
        ("GET /a b HTTP/1.1", "GET", "/a b", .http11), ("GET /index.html", "GET", "/index.html", .http09),
        ("CONNECT h:443 HTTP/1.1", "CONNECT", "h:443", .http11),
    ]

    @Test("reads request lines", arguments: requests.compactMap(\.self).indices)
    func readsRequest(index: Int) throws {
        let expected = Self.requests.compactMap(\.self)[index]
        let bytes = Array("ab".utf8) + Array(expected.line.utf8) + Array("\r\n".utf8)
        let line = try #require(unsafe StartLine.request(bytes.span.bytes, 2..<bytes.count - 2))
        #expect(text(bytes, line.method) == expected.method)
        #expect(text(bytes, line.target) == expected.target)
        #expect(line.version == expected.version)
    }

    @Test(
        "refuses what is no request line",
        arguments: [
            "", " ", "GET", "GET ", " GET / HTTP/1.1", "GET / HTTP/2.0", "GET / HTTP/1.x", "G(T / HTTP/1.1",
            "POST /form", "GET nowhere", "GET /a b", "HTTP/1.1 200 OK", "GET\t/ HTTP/1.1",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFG / HTTP/1.1",
        ])
    func refusesRequest(line: String) {
        let bytes = Array(line.utf8)
        #expect(unsafe StartLine.request(bytes.span.bytes, 0..<bytes.count) == nil)
    }

    static let statuses: [(line: String, status: Int?)] = [
        ("HTTP/1.1 200 OK", 200), ("HTTP/1.0 404 Not Found", 404), ("HTTP/1.1 200", 200), ("HTTP/1.1 200 ", 200),
        ("HTTP/1.1  503 x", 503), ("HTTP/1.1 999 x", 999), ("HTTP/1.1 099 x", nil), ("HTTP/1.1 20", nil),
        ("HTTP/1.1 2000", nil), ("HTTP/1.1 2x0 a", nil), ("HTTP/2.0 200 OK", nil), ("HTTP/1.1200 OK", nil),
        ("http/1.1 200 OK", nil), ("HTTP/1.1", nil), ("", nil),
    ]

    @Test("reads status lines", arguments: statuses.indices)
    func readsStatus(index: Int) {
        let bytes = Array(Self.statuses[index].line.utf8)
        #expect(unsafe StartLine.status(bytes.span.bytes, 0..<bytes.count)?.status == Self.statuses[index].status)
    }

    static let beginnings: [(bytes: String, plausibility: StartLinePlausibility)] = [
        ("", .maybe), ("G", .maybe), ("GET", .maybe), ("GET /a", .maybe), ("GET / HTTP/1.1\r\n", .request),
        ("GET /\n", .request), ("PURGE /a HTTP/1.1\r\nx", .request), ("PURGE /a", .no), ("H", .maybe),
        ("HTTP/1.", .maybe),
        ("HTTP/1.1 20", .maybe), ("HTTP/1.1 200", .response), ("HTTP/1.1 x00 ", .no), ("HEAD / HTTP/1.0\n", .request),
        ("HTTPS / HTTP/1.1\n", .request), ("hello", .no), ("hello world\n", .no), ("\u{16}\u{3}", .no), ("123\n", .no),
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", .no), ("GET \u{1}", .no),
        ("GET /\u{1} HTTP/1.1\r\n", .no), ("PRI * HTTP/2.0\r\n", .no),
    ]

    @Test("takes an unfinished line with a rare method for a request only where a connection begins")
    func judgesFirstBytes() {
        for (text, atStart, elsewhere) in [
            ("PROPFIND /calendar/of", StartLinePlausibility.maybe, StartLinePlausibility.no),
            ("M-SEARCH *", .maybe, .no), ("Propfind /a", .no, .no), ("GET /a", .maybe, .maybe),
            ("LIST \u{1}", .no, .no),
        ] {
            let bytes = Array(text.utf8)
            #expect(unsafe StartLinePlausibility.probe(bytes.span.bytes, at: 0, isFirst: true) == atStart)
            #expect(unsafe StartLinePlausibility.probe(bytes.span.bytes, at: 0) == elsewhere)
        }
    }

    @Test("judges whether a message may begin", arguments: beginnings.indices)
    func judges(index: Int) {
        let bytes = Array("..".utf8) + Array(Self.beginnings[index].bytes.utf8)
        let judged = unsafe StartLinePlausibility.probe(bytes.span.bytes, at: 2)
        #expect(judged == Self.beginnings[index].plausibility)
    }
}
