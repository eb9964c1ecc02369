import Testing
import WireCore
import WireNative

@Suite("URLs of exchanges")
struct ExchangeURLTests {
    private static func record(_ host: String, _ target: String, method: String? = "GET") -> ExchangeRecord {
        var record = ExchangeRecord.blank
        record.server.port = 80
        record.method = method.map { Array($0.utf8) }
        record.host = Array(host.utf8)
        record.target = Array(target.utf8)
        // Path and query as the tracker takes them off the target.
        var rest = target
        if method == "CONNECT" { rest = "" }
        if let mark = target.firstRange(of: "://") {
            rest = target[mark.upperBound...].firstIndex { "/?".contains($0) }.map { String(target[$0...]) } ?? ""
        }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map { Array($0.utf8) }
        record.path = parts[0]
        record.query = parts.count > 1 ? parts[1] : nil
        return record
    }

    private static func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    @Test(
        "a request has the URI that RFC 9112 gives it, without credentials and fragment",
        arguments: [
            ("api.test", "/a?b=c", "http://api.test/a?b=c"), ("Api.TEST:8080", "/", "http://api.test:8080/"),
            ("api.test:80", "/", "http://api.test:80/"), ("[2001:db8::1]:8080", "/", "http://[2001:db8::1]:8080/"),
            ("fe80::1", "/", "http://[fe80::1]/"), ("u:p@api.test", "/", "http://api.test/"),
            ("api.test", "*", "http://api.test"), ("api.test", "/a?", "http://api.test/a?"),
            ("api.test", "/caf\u{E9} \t\"<|>", "http://api.test/caf%C3%A9%20%09%22%3C%7C%3E"),
            ("api.test", "/%c3%a9%zz~", "http://api.test/%c3%a9%zz~"), ("api.test", "/a#b?c", "http://api.test/a"),
            ("\u{E9}.test", "/", "http://xn--9ca.test/"), ("api.test", "?q", "http://api.test/?q"),
        ])
    func urls(host: String, target: String, url: String) {
        #expect(Self.text(Self.record(host, target).url()) == url)
    }

    @Test("a fragment that was sent stays where it is wanted")
    func fragment() {
        let record = Self.record("api.test", "/a#b?c")
        #expect(Self.text(record.url(withFragment: true)) == "http://api.test/a#b?c")
    }

    @Test("the scheme is the connection's, and the port that of the server unless the request names one")
    func ports() {
        var record = Self.record("api.test", "/a")
        record.server.port = 8080
        #expect(Self.text(record.url()) == "http://api.test:8080/a" && record.serverPort == 8080)
        record.tlsVersion = "TLS 1.3"
        record.server.port = 443
        #expect(Self.text(record.url()) == "https://api.test/a")
        record.server.port = 80
        #expect(Self.text(record.url()) == "https://api.test:80/a")
        record.host = Array("api.test:8443".utf8)
        #expect(Self.text(record.url()) == "https://api.test:8443/a" && record.serverPort == 8443)
        (record.client.port, record.isReversed, record.host) = (443, true, Array("api.test".utf8))
        #expect(Self.text(record.url()) == "https://api.test/a")
    }

    @Test("the port of a proxy is none of the URI")
    func proxies() {
        var record = Self.record("api.test", "http://api.test/a?b")
        record.server.port = 3128
        #expect(Self.text(record.url()) == "http://api.test/a?b")
        record = Self.record("tunnel.test:443", "tunnel.test:443", method: "CONNECT")
        record.server.port = 3128
        #expect(Self.text(record.url()) == "http://tunnel.test:443" && record.serverPort == 443)
    }

    @Test("without a request there is no URL")
    func unknown() {
        #expect(Self.record("api.test", "/", method: nil).url() == nil)
        var record = Self.record("api.test", "/")
        (record.target, record.path) = (nil, nil)
        #expect(record.url() == nil)
        #expect(Self.record("", "/").url() == nil)
    }

    @Test(
        "an authority is a host and a port",
        arguments: [
            ("h", "h", nil), ("h:80", "h", 80), ("h:", "h", nil), ("h:x", "h:x", nil), ("h:99999", "h", nil),
            ("h:00080", "h", 80), ("[::1]:8080", "[::1]", 8080), ("[::1]", "[::1]", nil), ("::1", "::1", nil),
            ("u:1@h:2", "h", 2), ("", "", nil), (":80", "", 80),
        ] as [(String, String, UInt16?)])
    func authorities(text: String, host: String, port: UInt16?) {
        let authority = Authority(Array(text.utf8))
        #expect(Self.text(authority.host) == host && authority.port == port)
    }
}
