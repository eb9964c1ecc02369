import WireCore
import WireTesting

extension MessageCase {
    static let all = bodies + lengths + codings + lines + tunnels + pairs

    private static let plain = Facts(request: BodyFraming.none, response: .contentLength, status: 200)
    private static let ok = Part.start("HTTP/1.1 200 OK\r\n")
    private static let second = Turn.server(
        .start("HTTP/1.1 200 OK\r\n", 1), .headers("Content-Length: 2\r\n\r\n", 1), .body("hi", 1))

    /// Which messages have a body, whatever their fields say (RFC 9112 §6.3).
    private static let bodies = [
        MessageCase(
            testDescription: "a response to HEAD has no body",
            facts: [Facts(request: BodyFraming.none, response: BodyFraming.none, status: 200), plain],
            turns: [
                .client(.start("HEAD /a HTTP/1.1\r\n"), .headers("Host: h\r\n\r\n")),
                .server(ok, .headers("Content-Length: 1234\r\n\r\n")), .get(1), second,
            ]),
        MessageCase(
            testDescription: "204 has no body",
            facts: [Facts(request: BodyFraming.none, response: BodyFraming.none, status: 204), plain],
            turns: [
                .get(), .server(.start("HTTP/1.1 204 No Content\r\n"), .headers("Content-Length: 9\r\n\r\n")), .get(1),
                second,
            ]),
        MessageCase(
            testDescription: "304 has no body, though it tells a length and a coding",
            facts: [Facts(request: BodyFraming.none, response: BodyFraming.none, status: 304), plain],
            turns: [
                .get(),
                .server(
                    .start("HTTP/1.1 304 Not Modified\r\n"),
                    .headers("Transfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n")), .get(1), second,
            ]),
        MessageCase(
            testDescription: "an empty body of known length",
            facts: [Facts(request: .contentLength, response: .contentLength, status: 201)],
            turns: [
                .client(.start("PUT /a HTTP/1.1\r\n"), .headers("Host: h\r\nContent-Length: 0\r\n\r\n")),
                .server(.start("HTTP/1.1 201 Created\r\n"), .headers("Content-Length: 0\r\n\r\n")),
            ]),
        MessageCase(
            testDescription: "a request waits for 100, which is part of the final response's headers",
            facts: [Facts(request: .contentLength, response: .contentLength, status: 200)],
            turns: [
                .client(
                    .start("POST /a HTTP/1.1\r\n"),
                    .headers("Host: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")),
                .server(.headers("HTTP/1.1 100 Continue\r\n\r\n")), .client(.body("hello")),
                .server(ok, .headers("Content-Length: 2\r\n\r\n"), .body("hi")),
            ]),
        MessageCase(
            testDescription: "several interim responses",
            facts: [plain],
            turns: [
                .get(),
                .server(
                    .headers("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"), ok,
                    .headers("Content-Length: 2\r\n\r\n"), .body("hi")),
            ]),
        MessageCase(
            testDescription: "the end of the connection ends a body without length",
            facts: [Facts(request: BodyFraming.none, response: .close, status: 200)],
            turns: [.get(), .server(.start("HTTP/1.0 200 OK\r\n"), .headers("A: b\r\n\r\n"), .body("some text"))]),
    ]

    private static let lengths = [
        MessageCase(
            testDescription: "two equal lengths",
            facts: [plain],
            turns: [
                .get(), .server(ok, .headers("Content-Length: 3\r\nContent-Length: 3, 3\r\n\r\n"), .body("abc")),
            ]),
        MessageCase(
            testDescription: "two different lengths: the first stands, and it is said",
            facts: [Facts(request: BodyFraming.none, response: .contentLength, status: 200, flags: .malformed)],
            turns: [
                .get(), .server(ok, .headers("Content-Length: 3\r\nContent-Length: 4\r\n\r\n"), .body("abc")),
            ]),
        MessageCase(
            testDescription: "a length with leading zeros, over a folded line",
            facts: [plain],
            turns: [.get(), .server(ok, .headers("Content-Length:\r\n \t003\r\n\r\n"), .body("abc"))]),
        MessageCase(
            testDescription: "a negative length is none",
            facts: [Facts(request: BodyFraming.none, response: .close, status: 200, flags: .malformed)],
            turns: [.get(), .server(ok, .headers("Content-Length: -3\r\n\r\n"), .body("abc"))]),
        MessageCase(
            testDescription: "a length beyond 64 bits is none",
            facts: [Facts(request: BodyFraming.none, response: .close, status: 200, flags: .malformed)],
            turns: [
                .get(),
                .server(ok, .headers("Content-Length: 99999999999999999999999999\r\n\r\n"), .body("abc")),
            ]),
    ]

    private static let codings = [
        MessageCase(
            testDescription: "chunks with extensions, upper case, leading zeros, and trailers",
            facts: [Facts(request: .chunked, response: .chunked, status: 200)],
            turns: [
                .client(
                    .start("POST /a HTTP/1.1\r\n"), .headers("Host: h\r\nTransfer-Encoding: Chunked\r\n\r\n"),
                    .framing("0005\r\n"), .body("hello"), .framing("\r\n0\r\n\r\n")),
                .server(
                    ok, .headers("transfer-encoding:chunked\r\n\r\n"), .framing("5;name=\"va;lue\"\r\n"),
                    .body("hel\r\n"), .framing("\r\n0A ; x\r\n"), .body("0123456789"),
                    .framing("\r\n000;last\r\nDigest: abc\r\nX: y\r\n\r\n")),
            ]),
        MessageCase(
            testDescription: "an empty body in chunks",
            facts: [Facts(request: BodyFraming.none, response: .chunked, status: 200), plain],
            turns: [
                .get(), .server(ok, .headers("Transfer-Encoding: chunked\r\n\r\n"), .framing("0\r\n\r\n")), .get(1),
                second,
            ]),
        MessageCase(
            testDescription: "chunks win over a length, and it is said",
            facts: [Facts(request: BodyFraming.none, response: .chunked, status: 200, flags: .malformed)],
            turns: [
                .get(),
                .server(
                    ok, .headers("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"), .framing("1\r\n"),
                    .body("a"), .framing("\r\n0\r\n\r\n")),
            ]),
        MessageCase(
            testDescription: "chunked as the last of several codings",
            facts: [Facts(request: BodyFraming.none, response: .chunked, status: 200)],
            turns: [
                .get(),
                .server(
                    ok, .headers("Transfer-Encoding: gzip\r\nTransfer-Encoding: , chunked\r\n\r\n"),
                    .framing("1\r\n"), .body("a"), .framing("\r\n0\r\n\r\n")),
            ]),
        MessageCase(
            testDescription: "another last coding: the response goes on to the end of the connection",
            facts: [Facts(request: BodyFraming.none, response: .close, status: 200, flags: .malformed)],
            turns: [.get(), .server(ok, .headers("Transfer-Encoding: chunked, gzip\r\n\r\n"), .body("1\r\na"))]),
    ]

    private static let lines = [
        MessageCase(
            testDescription: "lines that end in a line feed alone",
            facts: [Facts(request: BodyFraming.none, response: .chunked, status: 200)],
            turns: [
                .client(.start("GET / HTTP/1.1\n"), .headers("Host: h\n\n")),
                .server(
                    .start("HTTP/1.1 200\n"), .headers("Transfer-Encoding: chunked\n\n"), .framing("1\n"), .body("a"),
                    .framing("\n0\n\n")),
            ]),
        MessageCase(
            testDescription: "the coding identity alone: the length counts, and it is said",
            facts: [
                Facts(request: BodyFraming.none, response: .contentLength, status: 200, flags: .malformed), plain,
            ],
            turns: [
                .get(),
                .server(ok, .headers("Content-Length: 3\r\nTransfer-Encoding: identity\r\n\r\n"), .body("abc")),
                .get(1),
                second,
            ]),
        MessageCase(
            testDescription: "a word behind chunked, in a line of its own",
            facts: [Facts(request: BodyFraming.none, response: .chunked, status: 200, flags: .malformed)],
            turns: [
                .get(),
                .server(
                    ok, .headers("Transfer-Encoding: chunked\r\n\tx-odd\r\n\r\n"), .framing("4\r\n"), .body("four"),
                    .framing("\r\n0\r\n\r\n")),
            ]),
        MessageCase(
            testDescription: "the status line of a SHOUTcast server",
            facts: [Facts(request: BodyFraming.none, response: .close, status: 200, flags: .malformed)],
            turns: [
                .get(), .server(.start("ICY 200 OK\r\n"), .headers("icy-name: x\r\n\r\n"), .body("HTTP/1.1 music")),
            ]),
        MessageCase(
            testDescription: "folded fields",
            facts: [Facts(request: BodyFraming.none, response: .contentLength, status: 200)],
            turns: [
                .client(.start("GET / HTTP/1.1\r\n"), .headers("X: a\r\n\tb\r\n c\r\nHost: h\r\n\r\n")),
                .server(ok, .headers("X: a\r\n Content-Length: 9\r\nContent-Length: 1\r\n\r\n"), .body("a")),
            ]),
        MessageCase(
            testDescription: "empty lines before a start line belong to no message",
            facts: [plain, plain],
            turns: [
                .client(.start("GET / HTTP/1.1\r\n"), .headers("\r\n")),
                .server(ok, .headers("Content-Length: 1\r\n\r\n"), .body("a"), .opaque("\r\n")),
                .client(.opaque("\r\n\n"), .start("GET / HTTP/1.1\r\n", 1), .headers("\r\n", 1)), second,
            ]),
        MessageCase(
            testDescription: "a simple request of HTTP/0.9",
            facts: [Facts(request: BodyFraming.none, response: .close)],
            turns: [.client(.start("GET /index.html\r\n")), .server(.body("<html>HTTP</html>"))]),
        MessageCase(
            testDescription: "a method nobody knows, an absolute target, and a status of its own",
            facts: [Facts(request: BodyFraming.none, response: .contentLength, status: 799)],
            turns: [
                .client(.start("M-SEARCH http://h/a?b HTTP/1.1\r\n"), .headers("Host: x\r\n\r\n")),
                .server(.start("HTTP/1.1 799 \r\n"), .headers("Content-Length: 1\r\n\r\n"), .body("a")),
            ]),
    ]

    private static let tunnels = [
        MessageCase(
            testDescription: "what follows CONNECT is the tunnel's",
            facts: [Facts(request: BodyFraming.none, response: .tunnel, status: 200, flags: .tunnel)],
            turns: [
                .client(.start("CONNECT h:443 HTTP/1.1\r\n"), .headers("Host: h:443\r\n\r\n")),
                .server(.start("HTTP/1.1 200 Connected\r\n"), .headers("Content-Length: 5\r\n\r\n")),
                .client(.opaque("\u{16}\u{3}\u{1}GET / HTTP/1.1\r\n\r\n", 0)),
                .server(.opaque("HTTP/1.1 200 OK\r\n\r\n", 0)), .client(.opaque("more", 0)),
            ]),
        MessageCase(
            testDescription: "a refused CONNECT is a message like others",
            facts: [
                Facts(request: BodyFraming.none, response: .contentLength, status: 407),
                Facts(request: BodyFraming.none, response: .tunnel, status: 200, flags: .tunnel),
            ],
            turns: [
                .client(.start("CONNECT h:443 HTTP/1.1\r\n"), .headers("\r\n")),
                .server(
                    .start("HTTP/1.1 407 Authenticate\r\n"), .headers("Content-Length: 4\r\n\r\n"), .body("who?")),
                .client(.start("CONNECT h:443 HTTP/1.1\r\n", 1), .headers("\r\n", 1)),
                .server(.start("HTTP/1.1 200 Connected\r\n", 1), .headers("\r\n", 1), .opaque("\u{16}", 1)),
            ]),
        MessageCase(
            testDescription: "after 101 the connection speaks another protocol",
            facts: [Facts(request: BodyFraming.none, response: .tunnel, status: 101, flags: .upgraded)],
            turns: [
                .client(.start("GET /chat HTTP/1.1\r\n"), .headers("Host: h\r\nUpgrade: websocket\r\n\r\n")),
                .server(
                    .start("HTTP/1.1 101 Switching Protocols\r\n"), .headers("Upgrade: websocket\r\n\r\n"),
                    .opaque("\u{1}\u{2}HTTP/1.1 200 OK\r\n", 0)),
                .client(.opaque("\u{1}\u{5}hello", 0)),
            ]),
    ]

    private static let pairs = [
        MessageCase(
            testDescription: "pipelined requests are answered in their order",
            facts: [
                plain, Facts(request: .contentLength, response: BodyFraming.none, status: 204),
                Facts(request: BodyFraming.none, response: BodyFraming.none, status: 200), plain,
            ],
            turns: [
                .client(
                    .start("GET /a HTTP/1.1\r\n"), .headers("Host: h\r\n\r\n"), .start("POST /b HTTP/1.1\r\n", 1),
                    .headers("Content-Length: 3\r\n\r\n", 1), .body("abc", 1), .start("HEAD /c HTTP/1.1\r\n", 2),
                    .headers("Host: h\r\n\r\n", 2), .start("GET /d HTTP/1.1\r\n", 3), .headers("Host: h\r\n\r\n", 3)),
                .server(
                    ok, .headers("Content-Length: 2\r\n\r\n"), .body("hi"), .start("HTTP/1.1 204 None\r\n", 1),
                    .headers("\r\n", 1), .start("HTTP/1.1 200 OK\r\n", 2), .headers("Content-Length: 99\r\n\r\n", 2),
                    .start("HTTP/1.1 200 OK\r\n", 3), .headers("Content-Length: 1\r\n\r\n", 3), .body("d", 3)),
            ]),
        MessageCase(
            testDescription: "an answer before the request has ended",
            facts: [Facts(request: .contentLength, response: .contentLength, status: 413), plain],
            turns: [
                .client(.start("POST /a HTTP/1.1\r\n"), .headers("Content-Length: 6\r\n\r\n"), .body("abc")),
                .server(.start("HTTP/1.1 413 Large\r\n"), .headers("Content-Length: 1\r\n\r\n"), .body("x")),
                .client(.body("def")), .get(1), second,
            ]),
    ]
}
