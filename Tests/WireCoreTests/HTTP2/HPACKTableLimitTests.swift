import Testing
import WireTesting

@testable import WireCore

@Suite("What a receiver lets the dynamic table of HTTP/2 hold")
struct HPACKTableLimitTests {
    private static let options: AuditOptions = {
        var options = AuditOptions()
        (options.keepsHeads, options.keepsFieldSizes) = (true, true)
        return options
    }()

    /// The limit of the response to a client that said this; `missing`: bytes of its first frame that were not captured.
    private func limit(
        _ settings: [HTTP2Frame], missing: Range<Int>? = nil, upgrade: (request: String, answer: String)? = nil,
        joinsLate: Bool = false
    ) -> Int? {
        let bench = LayerBench(Self.options, joinsLate: joinsLate)
        var encoders = [HTTP2FieldEncoder(), HTTP2FieldEncoder()]
        if let upgrade {
            bench.deliver(Array(upgrade.request.utf8), LayerBench.client)
            bench.deliver(Array(upgrade.answer.utf8), LayerBench.server)
        }
        if !joinsLate { bench.deliver(HTTP2Frame.preface, LayerBench.client) }
        let bytes = settings.bytes
        bench.deliver(Array(bytes[..<(missing?.lowerBound ?? bytes.count)]), LayerBench.client)
        if let missing {
            bench.skip(missing.count, LayerBench.client)
            bench.deliver(Array(bytes[missing.upperBound...]), LayerBench.client)
        }
        // What the server says of its own receiving has no part in it.
        if !joinsLate { bench.deliver(HTTP2Frame.settings([(1, 77)]).bytes, LayerBench.server) }
        let request = encoders[0].request("/1")
        bench.deliver(HTTP2Frame.headers(3, request, endStream: true).bytes, LayerBench.client)
        let response = encoders[1].response()
        bench.deliver(HTTP2Frame.headers(3, response, endStream: true).bytes, LayerBench.server)
        let records = bench.takeRecords()
        #expect(records.last?.status == 200)
        return records.last?.responseFields?.tableLimit
    }

    private static let said: [(settings: [[(identifier: UInt16, value: UInt32)]], limit: Int)] = [
        ([[]], 4096), ([[(3, 100)]], 4096), ([[(1, 0)]], 0), ([[(3, 100), (1, 100)]], 100), ([[(1, 65_536)]], 65_536),
        ([[(1, 0)], [(4, 9)]], 0), ([[(1, 0)], [(1, 4096)]], 4096),
    ]

    @Test("is what its SETTINGS said last, and 4,096 bytes where they did not", arguments: said.indices)
    func announced(index: Int) {
        let (settings, limit) = Self.said[index]
        #expect(self.limit(settings.map { HTTP2Frame.settings($0) }) == limit)
    }

    @Test(
        "is not known where bytes of SETTINGS are missing, unless a whole one follows",
        arguments: [(3..<12, 0), (9..<10, 8192), (12..<21, 0), (20..<21, 0)])
    func missing(bytes: Range<Int>, limit: Int) {
        let settings = [HTTP2Frame.settings([(3, 100), (1, 8192)])]
        #expect(self.limit(settings, missing: bytes) == limit)
    }

    @Test("is not known of connections that were joined late, and those that began as HTTP/1")
    func unseen() {
        #expect(limit([.settings()], joinsLate: true) == 0)
        let request = "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAAAA\r\n\r\n"
        let answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n"
        #expect(limit([.settings()], upgrade: (request, answer)) == 0)
        #expect(limit([.settings([(1, 512)])], upgrade: (request, answer)) == 512)
    }
}
