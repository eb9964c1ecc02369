import Testing

@testable import WireCore

@Suite("What TLS hides")
struct HiddenProtocolTests {
    /// A connection's names of protocols and its port, and the name of its row.
    private static let cases: [(selected: String?, offered: [String], port: UInt16, row: String)] = [
        ("h2", [], 443, "https://a (encrypted)"),
        (nil, ["h2", "http/1.1"], 443, "https://a (encrypted)"),
        (nil, ["http/1.0"], 5432, "https://a (encrypted)"),
        (nil, ["spdy/3.1"], 9999, "https://a (encrypted)"),
        (nil, ["h2-16"], 9999, "https://a (encrypted)"),
        ("dot", ["h2", "dot"], 443, "tls://a (encrypted dot)"),
        (nil, ["postgresql"], 5432, "tls://a (encrypted postgresql)"),
        (nil, ["imap"], 443, "tls://a (encrypted imap)"),
        (nil, [], 443, "https://a (encrypted)"),
        (nil, [], 8443, "https://a (encrypted)"),
        (nil, [], 5223, "tls://a (encrypted xmpp)"),
        (nil, [], 853, "tls://a (encrypted dot)"),
        (nil, [], 5432, "tls://a (encrypted postgresql)"),
        (nil, [], 4242, "tls://a (encrypted)"),
        // Reserved values (RFC 8701), and names that no table may show.
        (nil, ["\u{0A}\u{0A}"], 4242, "tls://a (encrypted)"),
        (nil, ["\u{0A}\u{0A}", "h2"], 4242, "https://a (encrypted)"),
        (nil, ["a b"], 993, "tls://a (encrypted imap)"),
        (nil, [String(repeating: "x", count: 33)], 4242, "tls://a (encrypted)"),
    ]

    @Test("the row names HTTP only where ALPN or the port does", arguments: cases.indices)
    func names(index: Int) {
        let known = HiddenProtocolTests.cases[index]
        let hidden = HiddenProtocol(
            selected: known.selected.map { Array($0.utf8) }, offered: known.offered.map { Array($0.utf8) },
            port: known.port)
        #expect(String(decoding: hidden.rowName(host: Array("a".utf8)), as: UTF8.self) == known.row)
    }
}
