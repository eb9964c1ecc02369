import Testing

@testable import WireJoin
@testable import WireLogs

@Suite("Logs of URLs whose queries were left out")
struct StrippedQueryTests {
    private static func har(_ urls: [String]) throws -> SDKLog {
        let entries = urls.enumerated().map { index, url in
            """
            {"startedDateTime":"2026-11-21T14:03:\(10 + index).671Z","time":12.5,
            "request":{"method":"GET","url":"\(url)","headers":[],"headersSize":291,"bodySize":0},
            "response":{"status":200,"headers":[],"headersSize":202,"bodySize":66,"content":{"size":66}},"cache":{}}
            """
        }
        return try LogSamples.read(
            #"{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":["#
                + entries.joined(separator: ",") + "]}}")
    }

    static let cases: [(urls: [String], form: SDKLog.PathForm)] = [
        (["http://a.test/x", "http://a.test/y"], .encoded), (["http://a.test/x?q=1"], .encodedWithQuery),
        (["http://a.test/x", "http://a.test/y?q=1"], .encodedWithQuery),
        // An empty query is one; what stands behind the path is none.
        (["http://a.test/x", "http://a.test/y?"], .encodedWithQuery), (["http://a.test/x#y?q"], .encoded),
    ]

    @Test("paths alone are compared where no URL has a query, and both where some has", arguments: cases)
    func form(urls: [String], form: SDKLog.PathForm) throws {
        #expect(try Self.har(urls).pathForm == form)
    }

    /// Calls whose targets are `/x` with the queries; times are those of the log's rows.
    private static func fates(_ urls: [String], targets: [(path: String, query: String?)]) throws -> [Int32] {
        let log = try har(urls)
        let calls = targets.enumerated().map { index, target in
            let text = log.pathForm.text(path: Array(target.path.utf8), query: target.query.map { Array($0.utf8) })
            let start = log.rows[index].time + 1_000_000
            return WireCall(
                number: index, host: log.texts.find(Array("a.test".utf8)) ?? -1, path: log.texts.find(text) ?? -1,
                method: log.texts.find(Array("GET".utf8)) ?? -1, status: 200, clientPort: 0, serverPort: 80,
                start: start, end: start + 11_000_000)
        }
        return LogMatcher.match(log, calls).exchanges
    }

    @Test("a log without queries finds calls that had some")
    func stripped() throws {
        let urls = (0..<6).map { "http://a.test/x\($0 % 2)" }
        let found = try Self.fates(urls, targets: (0..<6).map { ("/x\($0 % 2)", "n=\($0)") })
        #expect(found == [0, 1, 2, 3, 4, 5])
    }

    @Test("a log with queries tells calls apart by them")
    func kept() throws {
        let urls = (0..<6).map { "http://a.test/x" + ($0 == 5 ? "" : "?n=\($0)") }
        let targets: [(path: String, query: String?)] = (0..<6).map { ("/x", $0 == 5 ? nil : "n=\($0)") }
        #expect(try Self.fates(urls, targets: targets) == [0, 1, 2, 3, 4, 5])
        // The call's query is another, and the last has one where the log has none.
        let others: [(path: String, query: String?)] = (0..<6).map { ("/x", "m=\($0)") }
        #expect(try Self.fates(urls, targets: others).allSatisfy { $0 == -1 })
    }
}
