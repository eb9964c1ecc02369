import Testing
import WireTesting

@testable import WireCore

@Suite("Bodies by content type")
struct ContentTypeTests {
    /// A connection with two calls, on a port of its own.
    private func talk(_ port: UInt16, types: [String], bodies: [String]) -> Dialogue {
        var talk = Dialogue(clientPort: port)
        talk.handshake()
        for (type, body) in zip(types, bodies) {
            let field = type.isEmpty ? "" : "Content-Type: \(type)\r\n"
            talk.data(
                .client, "POST /a HTTP/1.1\r\nHost: a.test\r\n\(field)Content-Length: \(body.count)\r\n\r\n\(body)")
            talk.data(
                .server, "HTTP/1.1 200 OK\r\n\(field)Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
        }
        talk.close()
        return talk
    }

    private func sorted(_ audit: AuditedCapture) -> [ContentTypeSummary] {
        audit.result.contentTypes.sorted { ($0.type ?? "") < ($1.type ?? "") }
    }

    @Test("rows have the bodies of all connections, and add up to the bodies of the APIs")
    func rows() {
        let frames = [
            talk(40_001, types: ["Image/PNG; x=y", ""], bodies: ["12345", "123"]),
            talk(40_002, types: ["image/png", "text/html;charset=utf-8"], bodies: ["", "1234567"]),
        ].flatMap(\.frames)
        let audit = WireTesting.audit(frames, AuditOptions())
        var none = ContentTypeSummary(type: nil)
        (none.bodies, none.bytes) = (Directions(up: 1, down: 1), Directions(up: 3, down: 3))
        var image = ContentTypeSummary(type: "image/png")
        (image.bodies, image.bytes) = (Directions(up: 1, down: 2), Directions(up: 5, down: 6))
        var html = ContentTypeSummary(type: "text/html")
        (html.bodies, html.bytes) = (Directions(up: 1, down: 1), Directions(up: 7, down: 3))
        #expect(sorted(audit) == [none, image, html])
        let bodies = audit.result.apis.reduce(0) { $0 + $1.costs.up[.body] + $1.costs.down[.body] }
        #expect(audit.result.contentTypes.reduce(0) { $0 + $1.sum } == bodies)
        #expect(
            audit.exchanges.map { $0.response?.contentType.map { String(decoding: $0, as: UTF8.self) } } == [
                "image/png", nil, "image/png", "text/html",
            ])
    }

    @Test("types beyond the limit, and long ones, share a row")
    func limit() {
        let types = (0..<MediaTypes.limit + 5).map { "a/b\($0)" } + [String(repeating: "x", count: 200)]
        let audit = talk(40_001, types: types, bodies: types.map { _ in "1" }).audit()
        #expect(audit.result.contentTypes.count == MediaTypes.limit - 1)
        let others = audit.result.contentTypes.first { $0.type == "(other types)" }
        #expect(others?.bodies == Directions(up: 8, down: 8))
        #expect(audit.result.contentTypes.reduce(0) { $0 + $1.sum } == types.count * 4)
    }

    @Test("a type that must not be shown is not")
    func withheld() {
        var options = AuditOptions()
        options.operations.withheld = ["content-type"]
        let audit = talk(40_001, types: ["image/png"], bodies: ["12345"]).audit(options)
        #expect(audit.result.contentTypes.map(\.type) == [nil])
        #expect(audit.exchanges.first?.response?.contentType == nil)
    }
}
