import Testing
import WireCore
import WireTesting

/// A dialogue with the costs that the ledger must give its connection.
struct Scenario: Sendable, CustomTestStringConvertible {
    var name: String
    /// By cause, those that cost nothing left out.
    var up: [String: Int]
    var down: [String: Int]
    var close = ConnectionClose.open
    var write: @Sendable (inout Dialogue) -> Void

    var testDescription: String { name }

    init(
        _ name: String, up: [String: Int], down: [String: Int], close: ConnectionClose = .open,
        write: @escaping @Sendable (inout Dialogue) -> Void
    ) {
        self.name = name
        self.up = up
        self.down = down
        self.close = close
        self.write = write
    }

    /// Audits the dialogue and compares the connection's costs.
    func check() throws {
        var talk = Dialogue()
        write(&talk)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        try #require(capture.connections.count == 1)
        #expect(capture.connections[0].costs.up.lines == up)
        #expect(capture.connections[0].costs.down.lines == down)
        #expect(capture.connections[0].close == close)
        #expect(capture.connections[0].client.port == 51_234)
    }
}

/// Messages of known sizes.
enum Sample {
    /// 16 bytes of start line and 11 of headers.
    static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    /// 17 bytes of start line, 21 of headers, 5 of body.
    static let response = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    /// 17 bytes of start line, 31 of headers, 20 of body.
    static let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n0123456789abcdefghij"

    /// A request of the length given, 26 at least.
    static func request(length: Int) -> String {
        "GET /" + String(repeating: "x", count: length - 27 + 1) + " HTTP/1.1\r\nHost:a\r\n\r\n"
    }
}

extension Dialogue {
    /// `Sample.request`, `Sample.response`, and the client's acknowledgment.
    mutating func exchange() {
        data(.client, Sample.request)
        data(.server, Sample.response)
        ack(.client)
    }
}
