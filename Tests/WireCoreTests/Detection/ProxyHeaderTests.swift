import Testing
import WireTesting

@testable import WireCore

@Suite("Headers of the PROXY protocol")
struct ProxyHeaderTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        var client: String?
    }

    private static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]

    private static func line(_ text: String, _ client: String? = nil) -> Example {
        Example(testDescription: text, bytes: Array((text + "\r\n").utf8), client: client)
    }

    private static func binary(
        _ name: String, _ command: UInt8, _ family: UInt8, _ rest: [UInt8], _ client: String? = nil
    ) -> Example {
        let length = [UInt8(rest.count >> 8), UInt8(rest.count & 0xFF)]
        return Example(testDescription: name, bytes: signature + [command, family] + length + rest, client: client)
    }

    private static let version4: [UInt8] = [203, 0, 113, 7, 192, 0, 2, 1, 0xA0, 0x29, 0, 80]
    private static let version6: [UInt8] =
        [0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [7] + [0x20, 1, 0xD, 0xB8]
        + [UInt8](repeating: 0, count: 11) + [1, 0xA0, 0x2B, 0, 80]

    static let headers: [Example] = [
        line("PROXY TCP4 203.0.113.7 192.0.2.1 41001 80", "203.0.113.7:41001"),
        line("PROXY TCP6 2001:db8::7 2001:db8::1 41003 80", "[2001:db8::7]:41003"),
        line("PROXY TCP6 ::ffff:203.0.113.7 ::1 65535 80", "[::ffff:203.0.113.7]:65535"),
        line(
            "PROXY TCP6 ffff:f...f:ffff ffff:f...f:ffff 65535 65535"
                .replacing("f...f", with: "ffff:ffff:ffff:ffff:ffff:ffff"),
            "[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535"),
        line("PROXY UNKNOWN"),
        line("PROXY UNKNOWN 203.0.113.7 192.0.2.1 41001 80"),
        binary("version 2 of IPv4", 0x21, 0x11, version4, "203.0.113.7:41001"),
        binary("version 2 of IPv6", 0x21, 0x21, version6, "[2001:db8::7]:41003"),
        binary(
            "version 2 of IPv4 with further fields", 0x21, 0x11, version4 + [UInt8](repeating: 4, count: 3000),
            "203.0.113.7:41001"),
        binary("version 2 of a health check", 0x20, 0x00, []),
        binary("version 2 of a local socket", 0x21, 0x31, [UInt8](repeating: 47, count: 216)),
    ]

    /// What follows the header, and what of it the client pays for besides.
    static let contents: [(name: String, bytes: [UInt8], costs: String)] = [
        ("a request of HTTP/1", Array("GET /a HTTP/1.1\r\n\r\n".utf8), "start_line 17 headers 2"),
        ("HTTP/2", HTTP2Frame.preface + HTTP2Frame.settings([(3, 100)]).bytes, ""),
        ("TLS", DetectionTests.hello, "setup.tls \(DetectionTests.hello.count)"),
        ("nothing known", Array("SSH-2.0-nothing\r\n".utf8), "opaque 17"),
    ]

    @Test("are set-up, name the client, and what follows is read, however the bytes come", arguments: headers)
    func reads(example: Example) {
        for content in Self.contents {
            let bytes = example.bytes + content.bytes
            let places = Set([
                1, 2, 5, 13, 30, 60, example.bytes.count - 1, example.bytes.count, example.bytes.count + 1,
            ])
            var pieces = places.filter { $0 < bytes.count }.map { [Array(bytes[..<$0]), Array(bytes[$0...])] }
            pieces += [[bytes], bytes.map { [$0] }]
            for packets in pieces {
                let bench = LayerBench()
                for packet in packets { bench.deliver(packet, 0) }
                bench.finish()
                var costs = bench.costs(0)
                costs[.setupTLS] -= costs.handshakeHeaders
                costs[.tcpip] = 0
                let own = content.name == "HTTP/2" ? content.bytes.count : 0
                let words = content.costs.isEmpty ? [] : [content.costs]
                let setup = "setup.http \(example.bytes.count + own)"
                #expect(
                    Set(costs.text.split(separator: " "))
                        == Set((words + [setup]).joined(separator: " ").split(separator: " ")),
                    "\(content.name) \(packets.map(\.count))")
                #expect(bench.tracker.connection.proxiedClient?.description == example.client)
                #expect(bench.findings[.proxyHeader] == 1)
                #expect(bench.shard.streams.buffered.records == 0)
                #expect(bench.shard.streams.attribution.pending.count == 0)
            }
        }
    }

    @Test("of two proxies, both are read: the inner one names the client")
    func twoProxies() {
        let bench = LayerBench()
        let outer = Self.headers[6].bytes
        let inner = Self.headers[1].bytes
        bench.deliver(outer + inner + Array("GET /a HTTP/1.1\r\n\r\n".utf8), 0)
        #expect(bench.costs(0).text.contains("setup.http \(outer.count + inner.count)"))
        #expect(bench.tracker.connection.proxiedClient?.description == Self.headers[1].client)
        #expect(bench.takeRecords().map(\.path) == [Array("/a".utf8)])
    }

    @Test(
        "what only looks like one is none",
        arguments: [
            "PROXY TCP4 203.0.113.300 192.0.2.1 41001 80\r\n", "PROXY TCP4 203.0.113.7 192.0.2.1 41001\r\n",
            "PROXY TCP4 203.0.113.7 192.0.2.1 41001 80 \r\n", "PROXY TCP4 203.0.113.7 192.0.2.1 41001 65536\r\n",
            "PROXY TCP4 2001:db8::7 2001:db8::1 41001 80\r\n", "PROXY TCP6 203.0.113.7 192.0.2.1 41001 80\r\n",
            "PROXY TCP4 203.0.113.7 192.0.2.1 41001 80\n", "PROXY UNIX\r\n",
            "PROXY UNKNOWN " + String(repeating: "x", count: 100) + "\r\n",
            "\r\n\r\n\0\r\nQUIT\n\u{11}\u{11}\0\0", "\r\n\r\n\0\r\nQUIT\n\u{22}\u{11}\0\0",
        ])
    func notHeaders(text: String) {
        for size in [1, 1000] {
            let bench = LayerBench()
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                bench.deliver(Array(bytes[start..<min(bytes.count, start + size)]), 0)
            }
            bench.finish()
            #expect(bench.costs(0)[.setupHTTP] == 0)
            #expect(bench.tracker.connection.proxiedClient == nil)
            let costs = bench.costs(0)
            #expect(costs.message + costs[.opaque] == bytes.count)
        }
    }

    @Test("bytes of one that are missing are set-up, and what follows is read")
    func gap() {
        let bench = LayerBench()
        let header = Self.headers[8].bytes
        bench.deliver(Array(header[..<100]), 0)
        let claims = bench.skip(header.count - 100, 0)
        #expect(claims.map(\.cause) == [.setupHTTP] && claims.map(\.count) == [header.count - 100])
        bench.deliver(Array("GET /a HTTP/1.1\r\n\r\n".utf8), 0)
        bench.finish()
        #expect(bench.takeRecords().map(\.path) == [Array("/a".utf8)])
    }

    @Test("whole connections: the packets' addresses stay, the client's stands beside them", arguments: [true, false])
    func connection(hasStart: Bool) throws {
        var talk = Dialogue()
        if hasStart { talk.handshake() }
        talk.data(.client, "PROXY TCP4 203.0.113.7 192.0.2.1 41001 80\r\n" + (hasStart ? "" : Sample.request))
        if hasStart { talk.data(.client, Sample.request) }
        talk.data(.server, Sample.response)
        talk.close()
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        let record = try #require(capture.connections.first)
        #expect(record.client.port == 51_234 && record.proxiedClient?.description == "203.0.113.7:41001")
        #expect(record.costs.up[.setupHTTP] == 43 && record.costs.up[.opaque] == 0)
        #expect(capture.exchanges.map(\.status) == [200])
        #expect(capture.exchanges[0].costs.up.message == Sample.request.utf8.count)
    }
}
