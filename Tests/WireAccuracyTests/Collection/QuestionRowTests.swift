import Testing
import WireAccuracy
import WireCore
import WireEstimates
import WireLogs
import WireTesting

@Suite("What users of single SDKs ask")
struct QuestionRowTests {
    @Test(
        "head and body sum to the message for every source that has both, and to the figure where that is their sum",
        arguments: 1...8)
    func parts(seed: UInt64) throws {
        let (result, _) = try SampleCalls(seed: seed).collect("all")
        #expect(result.parts.contains { $0.part == .body && $0.truth > 0 })
        var exact: Set<String> = []
        for head in result.parts where head.part == .head {
            let place = "seed \(seed), \(result.sources[head.source].id) \(head.direction)"
            let body = try #require(
                result.parts.first {
                    $0.source == head.source && $0.direction == head.direction && $0.part == .body
                })
            let total = try #require(
                result.totals.first { $0.source == head.source && $0.direction == head.direction })
            #expect(head.calls == body.calls, "\(place)")
            guard head.calls == total.message.count else { continue }
            #expect(head.truth + body.truth == total.message.truthTotal, "\(place)")
            // Some keep sizes of heads that are not part of their figure.
            guard ["mtnm", "drd"].contains(result.sources[head.source].id) else { continue }
            #expect(head.estimate + body.estimate == total.message.estimateTotal, "\(place)")
            exact.insert(result.sources[head.source].id)
        }
        #expect(exact == ["mtnm", "drd"], "seed \(seed)")
    }

    @Test("MTNM has four sizes; each is right by itself where the system counts chunks, and the body alone where not")
    func fourSizes() throws {
        let (result, _) = try SampleCalls(seed: 3).collect("mtnm,mtnm:metricsChunkedBug=on,dada")
        let parts = result.parts.filter { $0.source == 0 }
        #expect(parts.map(\.direction) == [.up, .up, .down, .down])
        #expect(parts.map(\.part) == [.head, .body, .head, .body])
        // Interim responses are in no count of the system, and are part of the head.
        for part in parts where part.part == .body || part.direction == .up {
            #expect(part.exactCalls == part.calls && part.estimate == part.truth && part.maximum == 0)
        }
        let broken = try #require(result.parts.first { $0.source == 1 && $0.direction == .down && $0.part == .body })
        #expect(broken.exactCalls < broken.calls && broken.estimate < broken.truth && broken.maximum > 0)
        // Dada has no sizes of heads.
        #expect(!result.parts.contains { $0.source == 2 })
        #expect(result.sources.map(\.isExactOnHTTP1) == [true, false, false])
    }

    @Test("sizes before and after encryption differ by the TLS records; plain calls have neither")
    func encryption() throws {
        #expect(try SampleCalls(seed: 4).collect("dada").0.encryption.isEmpty)
        let collector = AccuracyCollector(try EstimatorCatalog.choose("dada"))
        var options = AuditOptions()
        options.keepsHeads = true
        var (before, after) = (0, 0)
        for (number, record) in audit(SampleCalls(seed: 4).frames, options).exchanges.enumerated() {
            var record = record
            // Every second call comes over TLS.
            if number.isMultiple(of: 2) {
                record.costs.up[.tlsRecords] = 29
                record.costs.down[.tlsRecords] = 22
                // A redirection is no row of Dada's.
                if record.status != 302 {
                    before += record.requestCosts.message
                    after += record.requestCosts.message + 29
                }
            }
            collector.receive(record)
        }
        let result = collector.finish()
        let up = try #require(result.encryption.first { $0.direction == .up })
        #expect((up.before, up.after) == (before, after))
        #expect(up.estimate < up.before && up.calls > 3)
    }

    @Test("a screen adds up rows by host and path, each kind by itself, beside the capture's messages")
    func screens() throws {
        var log = SDKLog(path: "dm.ndjson", format: .dmNDJSON, pathForm: .decoded)
        func add(_ kind: LogRow.Kind, _ path: String, _ length: Int?) {
            var row = LogRow(kind: kind, number: log.rows.count + 1)
            row.host = log.texts.number(Array("api.example.com".utf8))
            row.path = log.texts.number(Array(path.utf8))
            if kind == .request { row.up.total = length } else { row.down.total = length }
            log.rows.append(row)
        }
        for length in [100, 200, .max] { add(.request, "/r", length) }
        add(.response, "/r", 40)
        add(.response, "/none", nil)
        let calls = SampleCalls(seed: 2)
        let (result, _) = try calls.collect("none", logs: [log])
        #expect(result.screens.map(\.path) == ["/r", "/none"])
        let row = result.screens[0]
        #expect((row.up.rows, row.down.rows) == (3, 1))
        #expect((row.up.length, row.down.length) == (.max, 40))
        let exchanges = audit(calls.frames, AuditOptions()).exchanges.filter { $0.path == Array("/r".utf8) }
        #expect(row.up.messages == exchanges.count && row.down.messages == exchanges.count && !exchanges.isEmpty)
        #expect(row.up.messageBytes == exchanges.reduce(0) { $0 + $1.requestCosts.message })
        #expect(result.screens[1].down.rows == 1 && result.screens[1].down.messages == 0)
        log.rows = log.rows.map { row in
            var row = row
            row.kind = .exchange
            return row
        }
        #expect(try calls.collect("none", logs: [log]).0.screens.isEmpty)
    }
}

@Suite("TLS handshakes that failed, beside logs")
struct FailedHandshakeTests {
    @Test("they are summed by host, apart from hosts that nobody could read")
    func apart() throws {
        let collector = AccuracyCollector([], logs: [HostTotalTests.log([], InternedTexts())])
        func connection(_ name: String, alert: Bool?) throws {
            var record = try HostTotalTests.connection(name, up: 0, down: 0)
            record.close = .fin
            record.tls?.directions.up.handshake = 517
            if alert == true {
                record.tls?.alerts = [TLSAlert(isFromClient: true, level: 2, description: 48)]
            } else if alert == nil {
                record.tls?.directions.up.applicationData = 800
            }
            collector.receive(record)
        }
        try connection("pinned.example.com", alert: true)
        try connection("Pinned.example.com", alert: false)
        try connection("dark.example.com", alert: nil)
        let result = collector.finish()
        #expect(result.hosts.map(\.host) == ["dark.example.com"])
        let failed = try #require(result.failedHandshakes.first)
        #expect(result.failedHandshakes.count == 1)
        #expect((failed.host, failed.connections, failed.alerts) == ("pinned.example.com", 2, 1))
        #expect(failed.wireUp == result.hosts[0].up.wire * 2 && failed.wireUp > 0)
    }
}
