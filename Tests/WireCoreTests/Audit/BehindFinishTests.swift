import Testing
import WireCore
import WireTesting

@Suite("Audit: messages behind a FIN")
struct BehindFinishTests {
    /// What a server says behind both FINs, of which the rest comes when the connection has been concluded.
    static let beginnings = [
        "HTTP/1.1 2", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nab", "HTTP/1.1 200 OK\r\n\r\nab",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 2", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n\0",
    ]

    @Test("what begins there and goes on after the end is counted", arguments: beginnings, SetupPolicy.allCases)
    func goesOn(beginning: String, setup: SetupPolicy) {
        var options = AuditOptions()
        options.setup = setup
        for rest in ["00 OK\r\nContent-Length: 2\r\n\r\nhi", "cdef\r\n0\r\n\r\n", "PUT /f HTTP/1.1\r\n\r\n"] {
            for asks in [false, true] {
                var talk = Dialogue()
                talk.handshake()
                talk.close()
                if asks { talk.data(.client, "GET /a HTTP/1.1\r\nHost: h\r\n\r\n") }
                talk.data(.server, beginning)
                talk.time += 10_000_000_000
                talk.data(.server, rest)
                talk.data(.client, rest)
                let capture = talk.audit(options)
                #expect(capture.contradictions == [], "\(rest), \(asks)")
                #expect(capture.connections.count == 1)
            }
        }
    }
}
