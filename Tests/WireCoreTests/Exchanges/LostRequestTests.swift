import Testing
import WireTesting

@testable import WireCore

@Suite("Requests that the capture lacks in whole or in part")
struct LostRequestTests {
    private static func request(_ path: String, _ method: String = "GET") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: h\r\n\r\n"
    }

    private static func response(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n\(body)"
    }

    /// A dialogue with one whole exchange, whose response the client has acknowledged.
    private static func begun() -> Dialogue {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, request("/a"))
        talk.data(.server, response("a"))
        talk.ack(.client)
        return talk
    }

    private func flags(_ capture: AuditedCapture, _ target: String) -> [RecordFlags] {
        capture.exchanges.filter { $0.target.map { String(decoding: $0, as: UTF8.self) } == target }.map(\.flags)
    }

    @Test("one that was sent without waiting makes the answers behind it doubtful", arguments: [0, 10])
    func pipelined(rest: Int) {
        var talk = Self.begun()
        let lost = Self.request("/b")
        talk.lose(.client, lost.count - rest)
        talk.data(.client, String(lost.suffix(rest)) + Self.request("/c"))
        talk.data(.server, Self.response("for b"))
        talk.data(.server, Self.response("for c!"))
        let capture = talk.audit()
        #expect(flags(capture, "/c").map { $0.contains(.gap) } == [true])
        #expect(flags(capture, "/a") == [[]])
    }

    @Test("one that had its answer before the next was sent does not")
    func sequential() {
        var talk = Self.begun()
        talk.lose(.client, Self.request("/b").count)
        talk.data(.server, Self.response("b"))
        talk.data(.client, Self.request("/c"))
        talk.data(.server, Self.response("c"))
        let capture = talk.audit()
        #expect(flags(capture, "/c") == [[]] && flags(capture, "/a") == [[]])
    }

    @Test(
        "a method behind missing bytes is known only if no other one ends so",
        arguments: [("GET", 0, true), ("GET", 1, false), ("HEAD", 1, false), ("POST", 0, true), ("REPORT", 0, false)])
    func methods(method: String, missing: Int, isCertain: Bool) {
        var talk = Self.begun()
        talk.lose(.client, Self.request("/b").count)
        talk.data(.server, Self.response("b"))
        talk.lose(.client, missing)
        talk.data(.client, String(Self.request("/c", method).dropFirst(missing)))
        talk.data(.server, "HTTP/1.1 204 No Content\r\n\r\n")
        #expect(flags(talk.audit(), "/c").map { $0.contains(.gap) } == [!isCertain])
    }
}
