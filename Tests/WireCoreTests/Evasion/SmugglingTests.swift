import Testing
import WireCore
import WireTesting

/// Messages of which programs see different ends, or hosts: what is chosen here, and that it is said.
@Suite("Evasion: request smuggling")
struct SmugglingTests {
    struct Shape: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var client: String
        var server: String
        var findings: [String: Int]
        var exchanges: [String]

        /// A request alone: its head's rest behind "POST / HTTP/1.1", and what follows the head.
        static func request(
            _ name: String, _ fields: String, _ rest: String, ambiguous: Int = 1, malformed: Int = 0,
            version: String = "1.1", _ exchanges: String...
        ) -> Shape {
            var findings = ["framing-ambiguous": ambiguous, "message-malformed": malformed]
            findings = findings.filter { $0.value > 0 }
            return Shape(
                testDescription: name, client: "POST / HTTP/\(version)\r\nHost: a\r\n\(fields)\r\n\(rest)", server: "",
                findings: findings, exchanges: exchanges)
        }

        /// A response to GET, or another request line, with what follows its status line.
        static func response(
            _ name: String, _ rest: String, to line: String = "GET / HTTP/1.1", status: String = "1.1 200 OK",
            findings: [String: Int] = [:], _ exchanges: String...
        ) -> Shape {
            Shape(
                testDescription: name, client: "\(line)\r\nHost: a\r\n\r\n", server: "HTTP/\(status)\r\n\(rest)",
                findings: findings, exchanges: exchanges)
        }

        /// The dialogue with each side's bytes cut into pieces of this size.
        func dialogue(piece: Int) -> Dialogue {
            var talk = Dialogue()
            talk.handshake()
            for (side, text) in [(Dialogue.Side.client, client), (.server, server)] {
                let bytes = Array(text.utf8)
                for start in stride(from: 0, to: bytes.count, by: piece) {
                    talk.data(side, Array(bytes[start..<min(start + piece, bytes.count)]))
                }
            }
            talk.close()
            return talk
        }
    }

    private static let chunked = "Transfer-Encoding: chunked\r\n"
    private static let lines = "POST / chunked - - no-response malformed"
    private static let whole = "POST / chunked - - no-response"

    static let requests: [Shape] = [
        .request("length and chunked", "Content-Length: 3\r\n" + chunked, "5\r\nhello\r\n0\r\n\r\n", lines),
        .request("chunked and length", chunked + "Content-Length: 3\r\n", "5\r\nhello\r\n0\r\n\r\n", lines),
        .request(
            "two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n", "hello",
            "POST / content-length - - no-response malformed"),
        .request(
            "a list of two lengths", "Content-Length: 5, 6\r\n", "hello",
            "POST / content-length - - no-response malformed"),
        .request("a length with a sign", "Content-Length: +5\r\n", "", "POST / none - - no-response malformed"),
        .request(
            "a length behind a vertical tab", "Content-Length: \u{b}5\r\n", "",
            "POST / none - - no-response malformed"),
        .request(
            "a length with many zeros", "Content-Length: 00000000000000000005\r\n", "hello", ambiguous: 0,
            "POST / content-length - - no-response"),
        .request(
            "white space before the colon of a length", "Content-Length : 5\r\n", "hello",
            "POST / content-length - - no-response malformed"),
        .request("white space before the colon of a coding", "Transfer-Encoding\t: chunked\r\n", "0\r\n\r\n", lines),
        .request(
            "another last coding", "Transfer-Encoding: chunked, identity\r\n", "",
            "POST / none - - no-response malformed"),
        .request("chunked twice", "Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n", lines),
        .request("chunked twice in two lines", chunked + chunked, "0\r\n\r\n", lines),
        .request(
            "identity behind chunked in another line", chunked + "Transfer-Encoding: identity\r\n", "",
            "POST / none - - no-response malformed"),
        .request("an unknown coding", "Transfer-Encoding: xchunked\r\n", "", "POST / none - - no-response malformed"),
        .request(
            "a coding behind a control character", "Transfer-Encoding: \u{b}chunked\r\n", "",
            "POST / none - - no-response malformed"),
        .request(
            "a coding before a zero byte", "Transfer-Encoding: chunked\0\r\n", "",
            "POST / none - - no-response malformed"),
        .request(
            "a folded coding", "Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n", ambiguous: 0,
            "POST / chunked - - no-response"),
        .request(
            "a bare carriage return hides no field", "X: a\rContent-Length: 5\r\n", "", ambiguous: 0,
            "POST / none - - no-response"),
        .request(
            "a line feed alone ends a field", "X: a\nContent-Length: 5\n", "hello", ambiguous: 0,
            "POST / content-length - - no-response"),
        .request("a name of no letters", ": x\r\n", "", "POST / none - - no-response malformed"),
        .request("chunked in HTTP/1.0", chunked, "0\r\n\r\n", version: "1.0", lines),
        .request("a second host", "Host: b\r\n", "", "POST / none - - no-response malformed"),
        .request("a host behind white space", "Host : b\r\n", "", "POST / none - - no-response malformed"),
    ]

    static let chunks: [Shape] = [
        .request("a size line that a line feed ends", chunked, "5\nhello\r\n0\r\n\r\n", whole),
        .request("data that a line feed ends", chunked, "5\r\nhello\n0\r\n\r\n", whole),
        .request("a carriage return in an extension", chunked, "5;a\rb\r\nhello\r\n0\r\n\r\n", whole),
        .request("white space before a size", chunked, " 5\r\nhello\r\n0\r\n\r\n", whole),
        .request(
            "white space behind a size", chunked, "5 \r\nhello\r\n0\r\n\r\n", ambiguous: 0,
            whole),
        .request(
            "sizes with zeros in front", chunked, "0000000000000000000005\r\nhello\r\n00\r\n\r\n", ambiguous: 0,
            whole),
        .request(
            "a size of two numbers", chunked, "1 0\r\nhello", ambiguous: 0, malformed: 1,
            "POST / chunked… - - no-response malformed"),
        .request(
            "a size with a prefix", chunked, "0x5\r\nhello", ambiguous: 0, malformed: 1,
            "POST / chunked… - - no-response malformed"),
        .request(
            "a size beyond 64 bits", chunked, "10000000000000005\r\nhello", ambiguous: 0, malformed: 1,
            "POST / chunked… - - no-response malformed"),
        .request(
            "a negative size", chunked, "-5\r\nhello", ambiguous: 0, malformed: 1,
            "POST / chunked… - - no-response malformed"),
        .request(
            "data longer than its size", chunked, "3\r\nhello\r\n0\r\n\r\n", ambiguous: 0, malformed: 1,
            "POST / chunked… - - no-response malformed"),
        .request(
            "an extension of 5,000 bytes", chunked,
            "5;x=" + String(repeating: "y", count: 5000) + "\r\nhello\r\n0\r\n\r\n", ambiguous: 0,
            whole),
    ]

    static let responses: [Shape] = [
        .response(
            "a body that answers HEAD", "Content-Length: 5\r\n\r\nhello", to: "HEAD / HTTP/1.1",
            findings: ["message-malformed": 1], "HEAD / none 200 none"),
        .response(
            "a body of 204", "Content-Length: 5\r\n\r\nhello", status: "1.1 204 None",
            findings: ["message-malformed": 1], "GET / none 204 none"),
        .response(
            "a body of 304", "Content-Length: 5\r\n\r\nhello", status: "1.1 304 Same",
            findings: ["message-malformed": 1], "GET / none 304 none"),
        .response(
            "length and chunked", "Content-Length: 3\r\n" + chunked + "\r\n0\r\n\r\n",
            findings: ["framing-ambiguous": 1], "GET / none 200 chunked malformed"),
        .response(
            "chunked is not the last coding", "Transfer-Encoding: chunked, gzip\r\n\r\nhello",
            findings: ["framing-ambiguous": 1], "GET / none 200 close malformed"),
        .response("another coding alone", "Transfer-Encoding: gzip\r\n\r\nhello", "GET / none 200 close"),
        .response(
            "two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
            findings: ["framing-ambiguous": 1], "GET / none 200 content-length malformed"),
        .response(
            "a length that is none", "Content-Length: five\r\n\r\nhello",
            findings: ["framing-ambiguous": 1], "GET / none 200 close malformed"),
        .response(
            "a thousand interim responses",
            "\r\n" + String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 999) + Sample.response,
            status: "1.1 100 Continue", "GET / none 200 content-length"),
        .response(
            "an interim response and no other", "\r\n", status: "1.1 100 Continue",
            "GET / none - - no-response"),
        Shape(
            testDescription: "an answer to HTTP/0.9 has no head, though it looks like one", client: "GET /\r\n",
            server: "HTTP/0.9 200 OK\r\n\r\n", findings: [:], exchanges: ["GET / none - close"]),
        Shape(
            testDescription: "an answer to HTTP/0.9 with a head", client: "GET /\r\n", server: Sample.response,
            findings: [:], exchanges: ["GET / none 200 content-length"]),
        .response(
            "CONNECT with a length", "Content-Length: 5\r\n\r\nhello", to: "CONNECT a:1 HTTP/1.1",
            "CONNECT a:1 none 200 tunnel tunnel"),
        .response(
            "CONNECT that is refused", "Content-Length: 5\r\n\r\nhello", to: "CONNECT a:1 HTTP/1.1",
            status: "1.1 403 No", "CONNECT a:1 none 403 content-length"),
        .response(
            "an upgrade that nobody asked for", "Upgrade: websocket\r\n\r\n\u{1}\u{2}HTTP/1.1 200 OK",
            status: "1.1 101 Switching", "GET / none 101 tunnel upgraded"),
        .response(
            "two answers to one request", "Content-Length: 0\r\n\r\n" + Sample.response,
            "GET / none 200 content-length", "- - - 200 content-length no-request"),
    ]

    @Test("bodies are framed by RFC 9112 §6.3, in pieces of any size", arguments: requests + chunks + responses)
    func framesBodies(shape: Shape) {
        for piece in [Int.max >> 1, 1, 7, 100] {
            let capture = checkEvasion(shape.dialogue(piece: piece).frames, "\(shape), pieces of \(piece)")
            #expect(capture.findingCounts == shape.findings, "pieces of \(piece)")
            #expect(capture.exchanges.map(EvasionCase.line) == shape.exchanges, "pieces of \(piece)")
        }
    }

    /// Behind each of these a second request stands, which some programs take for part of the first.
    static let smuggled: [(name: String, request: String, isSecond: Bool)] = [
        ("chunked wins over a length", "Content-Length: 100\r\n" + chunked + "\r\n0\r\n\r\n", true),
        ("the first length wins", "Content-Length: 0\r\nContent-Length: 100\r\n\r\n", true),
        ("the first length wins, however long", "Content-Length: 26\r\nContent-Length: 0\r\n\r\n", false),
        ("white space does not hide a length", "Content-Length : 26\r\n\r\n", false),
        ("a coding that is none leaves no body", "Transfer-Encoding: \u{b}chunked\r\nContent-Length: 26\r\n\r\n", true),
        ("an extension goes on to its line feed", chunked + "\r\n1;a\rb\r\nx\r\n0\r\n\r\n", true),
    ]

    @Test("a request behind an ambiguous one", arguments: smuggled.indices)
    func findsSmuggled(index: Int) {
        let (name, request, isSecond) = Self.smuggled[index]
        let hidden = "GET / HTTP/1.1\r\nHost:b\r\n\r\n"
        #expect(hidden.utf8.count == 26)
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, "POST /a HTTP/1.1\r\nHost: a\r\n" + request + hidden)
        let capture = checkEvasion(talk.frames, name)
        #expect(capture.exchanges.count == (isSecond ? 2 : 1), "\(name)")
        #expect(capture.findings(.framingAmbiguous) == 1, "\(name)")
        #expect(capture.exchanges.last?.costs.up[.body] == (isSecond ? 0 : 26), "\(name)")
    }

    @Test("an absolute target's host counts, and a Host field that names another is said")
    func choosesHost() {
        for (target, host, isAmbiguous) in [
            ("http://one/a", "two", true), ("http://one/a", "ONE:80", false), ("http://one:81/a", "one", true),
            ("/a", "two", false), ("*", "two", false),
        ] {
            var talk = Dialogue()
            talk.handshake()
            talk.data(.client, "OPTIONS \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            let capture = checkEvasion(talk.frames, target)
            #expect(capture.findingCounts == (isAmbiguous ? ["framing-ambiguous": 1] : [:]), "\(target) \(host)")
            let name = String(decoding: capture.exchanges[0].host, as: UTF8.self)
            #expect(name.hasPrefix(target.hasPrefix("http") ? "one" : "two"))
        }
    }

    @Test("fields of HTTP/1 in HTTP/2 change no framing, and are said")
    func ignoresConnectionFields() {
        for (name, value, isMalformed) in [
            ("transfer-encoding", "chunked", true), ("connection", "close", true), ("content-length", "3", true),
            ("te", "trailers", false), ("te", "gzip", true), ("x", "a\r\nhost: b", true), ("x y", "z", true),
        ] {
            var talk = HTTP2Talk()
            talk.frames(.client, [HTTP2Frame.headers(1, talk.request("/", [(name, value)]), endStream: true)])
            talk.frames(.server, [HTTP2Frame.headers(1, talk.response(), endStream: true)])
            let capture = checkEvasion(talk.talk.talk.frames, name)
            #expect(capture.exchanges.count == 1)
            #expect(capture.exchanges[0].flags.contains(.malformed) == isMalformed, "\(name): \(value)")
            #expect(capture.exchanges[0].costs.up[.body] == 0)
        }
    }
}
