import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: long names of APIs and hosts")
struct LongNameTests {
    /// The API's name is cut at 512 bytes, with the host in it; the host's own at 512 too.
    @Test(
        "each is cut by itself, and the next exchange's are whole",
        arguments: [1, 505, 507, 508, 511, 512, 513, 600])
    func cut(length: Int) {
        let host = String(repeating: "h", count: length)
        var talk = Dialogue()
        talk.handshake()
        for name in [host, "a.test", host, "b.test"] {
            talk.data(.client, "GET /path HTTP/1.1\r\nHost: \(name)\r\n\r\n")
            talk.data(.server, "HTTP/1.1 204 No Content\r\n\r\n")
        }
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        let kept = String(host.prefix(512))
        let whole = "GET \(kept) /path"
        let api = whole.utf8.count > 512 ? String(whole.prefix(512)) + "…" : whole
        let apis = Dictionary(uniqueKeysWithValues: capture.result.apis.map { ($0.api, $0.exchanges) })
        #expect(apis == [api: 2, "GET a.test /path": 1, "GET b.test /path": 1])
        let hosts = Dictionary(uniqueKeysWithValues: capture.result.hosts.map { ($0.host, $0.exchanges) })
        #expect(hosts == [kept: 2, "a.test": 1, "b.test": 1])
    }
}
