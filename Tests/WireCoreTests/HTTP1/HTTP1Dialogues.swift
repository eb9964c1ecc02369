import Testing
import WireTesting

@testable import WireCore

/// Dialogues of HTTP/1, with what they must come to.
struct HTTP1Dialogue: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var dialogue = KnownDialogue()
    /// Status and flags of each exchange.
    var statuses: [Int]
    var flags: [[String]]
    /// The connection ends with a FIN of both.
    var isOrderly = true

    private init(
        _ name: String, _ statuses: [Int], flags: [[String]]? = nil, isOrderly: Bool = true,
        write: (inout KnownDialogue) -> Void
    ) {
        testDescription = name
        self.statuses = statuses
        self.flags = flags ?? statuses.map { _ in [] }
        self.isOrderly = isOrderly
        write(&dialogue)
    }

    private static let host = "Host: a\r\n\r\n"

    static let all: [HTTP1Dialogue] = framed + switched + odd

    private static let framed: [HTTP1Dialogue] = [
        HTTP1Dialogue("requests one after another", [200, 204, 304]) { talk in
            talk.say(0, 0, (.startLine, "GET /a HTTP/1.1\r\n"), (.headers, host))
            talk.say(
                1, 0, (.startLine, "HTTP/1.1 200 OK\r\n"), (.headers, "Content-Length: 7\r\n\r\n"), (.body, "content"))
            talk.say(0, 1, (.startLine, "DELETE /b HTTP/1.1\r\n"), (.headers, host))
            talk.say(1, 1, (.startLine, "HTTP/1.1 204 No Content\r\n"), (.headers, "\r\n"))
            talk.say(0, 2, (.startLine, "GET /c HTTP/1.1\r\n"), (.headers, host))
            talk.say(1, 2, (.startLine, "HTTP/1.1 304 Not Modified\r\n"), (.headers, "Content-Length: 900\r\n\r\n"))
        },
        HTTP1Dialogue("chunks with extensions and trailers, both ways", [200]) { talk in
            talk.say(
                0, 0, (.startLine, "POST / HTTP/1.1\r\n"), (.headers, "Host: a\r\nTransfer-Encoding: chunked\r\n\r\n"),
                (.framing, "5\r\n"), (.body, "hello"), (.framing, "\r\n0\r\n\r\n"))
            talk.say(
                1, 0, (.startLine, "HTTP/1.1 200 OK\r\n"), (.headers, "Transfer-Encoding: chunked\r\n\r\n"),
                (.framing, "3;a=b\r\n"), (.body, "abc"), (.framing, "\r\n0A\r\n"), (.body, "0123456789"),
                (.framing, "\r\n0\r\nSum: 1\r\n\r\n"))
        },
        HTTP1Dialogue("interim responses count as headers", [200]) { talk in
            talk.say(
                0, 0, (.startLine, "PUT /x HTTP/1.1\r\n"),
                (.headers, "Host: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"))
            talk.say(1, 0, (.headers, "HTTP/1.1 100 Continue\r\n\r\n"))
            talk.say(0, 0, (.body, "data"))
            talk.say(
                1, 0, (.headers, "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"), (.startLine, "HTTP/1.1 200 OK\r\n"),
                (.headers, "Content-Length: 2\r\n\r\n"), (.body, "ok"))
        },
        HTTP1Dialogue("HEAD has no body, whatever the length says", [200, 200]) { talk in
            talk.say(0, 0, (.startLine, "HEAD / HTTP/1.1\r\n"), (.headers, host))
            talk.say(1, 0, (.startLine, "HTTP/1.1 200 OK\r\n"), (.headers, "Content-Length: 5000\r\n\r\n"))
            talk.say(0, 1, (.startLine, "GET / HTTP/1.1\r\n"), (.headers, host))
            talk.say(1, 1, (.startLine, "HTTP/1.1 200 OK\r\n"), (.headers, "Content-Length: 1\r\n\r\n"), (.body, "x"))
        },
        HTTP1Dialogue("a body that runs to the end", [200]) { talk in
            talk.say(0, 0, (.startLine, "GET / HTTP/1.0\r\n"), (.headers, "\r\n"))
            talk.say(1, 0, (.startLine, "HTTP/1.0 200 OK\r\n"), (.headers, "\r\n"), (.body, "all that comes"))
            talk.say(1, 0, (.body, " and this"))
        },
        HTTP1Dialogue("requests sent without waiting", [200, 404, 200]) { talk in
            talk.say(
                0,
                [
                    KnownRun(Array("GET /1 HTTP/1.1\r\n".utf8), 0, .startLine), KnownRun(Array(host.utf8), 0, .headers),
                    KnownRun(Array("GET /22 HTTP/1.1\r\n".utf8), 1, .startLine),
                    KnownRun(Array(host.utf8), 1, .headers),
                ])
            talk.say(0, 2, (.startLine, "GET /333 HTTP/1.1\r\n"), (.headers, host))
            talk.say(
                1,
                [
                    KnownRun(Array("HTTP/1.1 200 OK\r\n".utf8), 0, .startLine),
                    KnownRun(Array("Content-Length: 1\r\n\r\n".utf8), 0, .headers), KnownRun([65], 0, .body),
                    KnownRun(Array("HTTP/1.1 404 Not Found\r\n".utf8), 1, .startLine),
                    KnownRun(Array("Content-Length: 0\r\n\r\n".utf8), 1, .headers),
                    KnownRun(Array("HTTP/1.1 200 OK\r\n".utf8), 2, .startLine),
                    KnownRun(Array("Content-Length: 2\r\n\r\n".utf8), 2, .headers), KnownRun([66, 67], 2, .body),
                ])
        },
    ]

    private static let switched: [HTTP1Dialogue] = [
        HTTP1Dialogue("what runs in a tunnel is the exchange's that opened it", [200], flags: [["tunnel"]]) { talk in
            talk.say(0, 0, (.startLine, "CONNECT b:443 HTTP/1.1\r\n"), (.headers, "Host: b\r\n\r\n"))
            talk.say(1, 0, (.startLine, "HTTP/1.1 200 OK\r\n"), (.headers, "\r\n"))
            talk.say(0, 0, (.opaque, "\u{1}\u{2}something"))
            talk.say(1, 0, (.opaque, "\u{1}\u{2}something else, and GET / HTTP/1.1\r\n\r\n"))
        },
        HTTP1Dialogue("another protocol behind 101", [101], flags: [["upgraded"]]) { talk in
            talk.say(
                0, 0, (.startLine, "GET /chat HTTP/1.1\r\n"), (.headers, "Host: a\r\nUpgrade: websocket\r\n\r\n"))
            talk.say(
                1, 0, (.startLine, "HTTP/1.1 101 Switching Protocols\r\n"), (.headers, "Upgrade: websocket\r\n\r\n"))
            talk.say(1, 0, (.opaque, "\u{1}\u{5}hello"))
            talk.say(0, 0, (.opaque, "\u{1}\u{5}again"))
        },
    ]

    private static let odd: [HTTP1Dialogue] = [
        HTTP1Dialogue("empty lines in front of a request are nobody's", [200, 200]) { talk in
            talk.say(0, 0, (.startLine, "GET /a HTTP/1.1\r\n"), (.headers, host))
            talk.say(1, 0, (.startLine, "HTTP/1.1 200 OK\r\n"), (.headers, "Content-Length: 0\r\n\r\n"))
            talk.say(
                0,
                [
                    KnownRun([13, 10, 13, 10], KnownRun.connection, .opaque),
                    KnownRun(Array("GET /b HTTP/1.1\r\n".utf8), 1, .startLine), KnownRun(Array(host.utf8), 1, .headers),
                ])
            talk.say(1, 1, (.startLine, "HTTP/1.1 200 OK\r\n"), (.headers, "Content-Length: 0\r\n\r\n"))
        },
        HTTP1Dialogue("a message that ends early is aborted", [200], flags: [["aborted"]]) { talk in
            talk.say(0, 0, (.startLine, "GET /a HTTP/1.1\r\n"), (.headers, host))
            talk.say(
                1, 0, (.startLine, "HTTP/1.1 200 OK\r\n"), (.headers, "Content-Length: 9\r\n\r\n"), (.body, "short"))
        },
        HTTP1Dialogue("an answer that never comes", [0], flags: [["no-end", "no-response"]], isOrderly: false) { talk in
            talk.say(0, 0, (.startLine, "GET /a HTTP/1.1\r\n"), (.headers, host))
        },
        HTTP1Dialogue("bytes that are no request are nobody's, and the next request is found", [200, 200]) { talk in
            talk.say(0, 0, (.startLine, "GET /a HTTP/1.1\r\n"), (.headers, host))
            talk.say(1, 0, (.startLine, "HTTP/1.1 200 OK\r\n"), (.headers, "Content-Length: 0\r\n\r\n"))
            talk.say(0, -1, (.opaque, "\u{1}\u{2}\u{3} nothing known\r\n"))
            talk.say(0, 1, (.startLine, "GET /b HTTP/1.1\r\n"), (.headers, host))
            talk.say(1, 1, (.startLine, "HTTP/1.1 200 OK\r\n"), (.headers, "Content-Length: 0\r\n\r\n"))
        },
    ]
}
