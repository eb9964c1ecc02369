import Testing
import WireAccuracy
import WireCore
import WireEstimates
import WireLogs
import WireTesting

@Suite("Accuracy of simulated estimators")
struct AccuracyCollectorTests {
    @Test("causes sum to the error, in every row and in total, against both truths", arguments: 1...12)
    func causesSum(seed: UInt64) throws {
        let (result, audit) = try SampleCalls(seed: seed).collect("all")
        #expect(audit.ledger.balanced)
        #expect(result.exchanges == 48)
        #expect(result.counted == 48)
        #expect(!result.rows.isEmpty)
        for row in result.rows + result.totals {
            let place = "seed \(seed), \(result.sources[row.source].id) \(row.direction)"
            #expect(row.messageCauses.sum == row.message.errorTotal, "\(place)")
            #expect(row.causes.sum == row.wire.errorTotal, "\(place)")
            #expect(row.coverage.messageBytes - row.coverage.recordedMessageBytes == -row.unseen.sum, "\(place)")
            #expect(row.message.count == row.coverage.recordedCalls, "\(place)")
            #expect(row.message.truthTotal == row.coverage.recordedMessageBytes, "\(place)")
            #expect(row.wire.truthTotal == row.coverage.recordedWireBytes, "\(place)")
        }
    }

    @Test("totals are the sums of the APIs' rows", arguments: 1...4)
    func totals(seed: UInt64) throws {
        let (result, _) = try SampleCalls(seed: seed).collect("all")
        for total in result.totals {
            let rows = result.rows.filter { $0.source == total.source && $0.direction == total.direction }
            var coverage = Coverage()
            var causes = CauseLedger()
            for row in rows {
                coverage += row.coverage
                causes += row.causes
            }
            #expect(coverage == total.coverage)
            #expect(causes == total.causes)
            #expect(rows.reduce(0) { $0 + $1.wire.estimateTotal } == total.wire.estimateTotal)
        }
        #expect(result.apiCalls.reduce(0, +) == result.counted)
    }

    @Test("the wire's truth is what the audit booked to the exchanges")
    func wireTruth() throws {
        let (result, audit) = try SampleCalls(seed: 3).collect("mtnm")
        let up = result.totals.first { $0.direction == .up }
        let down = result.totals.first { $0.direction == .down }
        #expect(up?.coverage.wireBytes == audit.apis.reduce(0) { $0 + $1.costs.up.internet })
        #expect(down?.coverage.wireBytes == audit.apis.reduce(0) { $0 + $1.costs.down.internet })
    }

    @Test("threads change nothing", arguments: [2, 5])
    func threads(jobs: Int) throws {
        var options = AccuracyOptions()
        let (alone, _) = try SampleCalls(seed: 9).collect("all", options: options)
        options.jobs = jobs
        let (shared, _) = try SampleCalls(seed: 9).collect("all", options: options)
        #expect(alone.rows.map(\.message) == shared.rows.map(\.message))
        #expect(alone.rows.map(\.wire) == shared.rows.map(\.wire))
        #expect(alone.totals.map(\.causes) == shared.totals.map(\.causes))
    }

    @Test("without re-compression an estimator that needs it has no figure, and says for how many exchanges")
    func withoutRecompression() throws {
        var options = AccuracyOptions()
        options.recompresses = false
        let (result, _) = try SampleCalls(seed: 2).collect("dmurlprotocol,hertz", options: options)
        #expect(result.sources[0].unknown > 0)
        #expect(result.sources[1].unknown == 0)
        #expect(result.work.recompressedBodies == 0)
        let (full, _) = try SampleCalls(seed: 2).collect("dmurlprotocol,hertz")
        #expect(full.sources[0].unknown == 0)
    }

    @Test("exchanges that the capture shows in part are left out and counted by the reason")
    func leftOut() throws {
        var calls = SampleCalls(seed: 5)
        calls.frames.removeLast(2)
        let late = calls.frames.firstIndex { $0.time > calls.frames[0].time + 3_000_000 }!
        calls.frames.removeSubrange(0..<late)
        let (result, _) = try calls.collect("mtnm")
        #expect(result.counted < result.exchanges)
        #expect(result.leftOut.reduce(0) { $0 + $1.count } == result.exchanges - result.counted)
        let reasons = ["gap", "snapped", "no-start", "no-end", "no-request", "cut-head"]
        #expect(result.leftOut.allSatisfy { reasons.contains($0.reason) })
    }

    @Test("a request that follows a redirection is recognised, on the same client only")
    func redirects() throws {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, "GET /r HTTP/1.1\r\nHost: api.example.com\r\nAccept: */*\r\n\r\n")
        talk.data(.server, "HTTP/1.1 302 Found\r\nLocation: /s\r\nContent-Length: 0\r\n\r\n")
        talk.data(.client, "GET /s HTTP/1.1\r\nHost: api.example.com\r\nAccept: */*\r\n\r\n")
        talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Type: text/plain\r\n\r\nhello")
        talk.close()
        var calls = SampleCalls(seed: 1, connections: 0)
        calls.frames = talk.frames
        var figures: [String: [Int]] = [:]
        _ = try calls.collect("pulse,datadog,networkeye") { call in
            guard call.direction == .down || call.source == "pulse" else { return }
            figures["\(call.source) \(call.direction)", default: []].append(call.estimate ?? -999)
        }
        #expect(figures["pulse up"]?.reduce(0, +) == 110)
        #expect(figures["pulse down"]?.reduce(0, +) == 124)
        #expect(figures["datadog down"]?.filter { $0 > 0 } == [5])
        #expect(figures["networkeye down"]?.filter { $0 > 0 } == [5])
    }

    @Test("no exchanges make an empty result")
    func nothing() throws {
        let (result, _) = try SampleCalls(seed: 1, connections: 0).collect("all")
        #expect(result.exchanges == 0)
        #expect(result.rows.isEmpty)
        #expect(result.totals.isEmpty)
        #expect(result.sources.count == 43)
    }
}

@Suite("Accuracy of logs")
struct LogAccuracyTests {
    /// A log as an app would write it: one row for each request and response, with what an estimator gives.
    private func log(_ calls: SampleCalls, lead: Int64 = 0, leavingOut: Set<Int> = []) throws -> SDKLog {
        var log = SDKLog(path: "run/app.sqlite", format: .dmSQLite, pathForm: .decoded)
        log.timeResolution = 1
        var collected: [(ExchangeRecord, [EstimateOutcome])] = []
        let sink = RecordCollector()
        var simulator = ExchangeSimulator(try EstimatorCatalog.choose("dmurlprotocol:headers=min"), jobs: 1)
        var options = AuditOptions()
        options.keepsHeads = true
        _ = audit(calls.frames, options, sink: sink, examiner: simulator.examiner)
        for var record in sink.records.sorted(by: { $0.time < $1.time }) {
            let outcomes = simulator.simulate(&record).1
            collected.append((record, outcomes))
        }
        for (number, (record, outcomes)) in collected.enumerated() where !leavingOut.contains(number) {
            guard case .recorded(let up?, let down?) = outcomes[0] else { continue }
            let path = SDKLogPath.decoded(record.path ?? [])
            for (kind, estimate) in [(LogRow.Kind.request, up), (.response, down)] {
                var row = LogRow(kind: kind, number: log.rows.count + 1)
                row.host = log.texts.number(record.host)
                row.path = log.texts.number(path)
                row.time = (kind == .request ? record.time : record.responseEnd ?? record.time) + lead
                var bytes = LoggedBytes()
                bytes.startLine = estimate.startLine
                bytes.headers = estimate.headers
                bytes.body = estimate.body
                bytes.total = estimate.total
                if kind == .request { row.up = bytes } else { row.down = bytes }
                log.rows.append(row)
            }
        }
        return log
    }

    private final class RecordCollector: AuditSink {
        var records: [ExchangeRecord] = []
        func receive(_ record: ExchangeRecord) { records.append(record) }
        func receive(_ record: ConnectionRecord) {}
    }

    private enum SDKLogPath {
        /// Only what the sample's paths need: `%20`, and no slash at the end.
        static func decoded(_ path: [UInt8]) -> [UInt8] {
            var text = String(decoding: path, as: UTF8.self).replacing("%20", with: " ")
            if text.count > 1, text.hasSuffix("/") { text.removeLast() }
            return Array(text.utf8)
        }
    }

    @Test("every row finds its exchange, and the formula that made the log explains all of it", arguments: 1...6)
    func explained(seed: UInt64) throws {
        let calls = SampleCalls(seed: seed)
        let (result, _) = try calls.collect("none", logs: [log(calls, lead: 2_500_000_000)])
        let summary = try #require(result.logs.first)
        #expect(summary.matched + summary.ambiguous == summary.rows, "seed \(seed)")
        #expect(summary.exchangesUnseen == 0, "seed \(seed)")
        #expect(abs((summary.clock?.offset ?? 0) - 2_500_000_000) < 1_000_000, "seed \(seed)")
        #expect(result.sources.first?.id == "app.sqlite")
        for total in result.totals {
            #expect(total.messageCauses.sum == total.message.errorTotal, "seed \(seed)")
            #expect(total.causes.sum == total.wire.errorTotal, "seed \(seed)")
            #expect(total.coverage.recordedCalls == 48, "seed \(seed)")
        }
        let requests = try #require(result.totals.first { $0.direction == .up })
        #expect(requests.messageCauses[.unexplained] == 0, "seed \(seed)")
    }

    @Test("exchanges that the log lacks are its coverage; causes still sum", arguments: 1...4)
    func coverage(seed: UInt64) throws {
        let calls = SampleCalls(seed: seed)
        let (result, _) = try calls.collect("none", logs: [log(calls, leavingOut: [3, 20, 41])])
        let summary = try #require(result.logs.first)
        #expect(summary.exchangesUnseen == 3, "seed \(seed)")
        for total in result.totals {
            #expect(total.coverage.calls == 48)
            #expect(total.coverage.recordedCalls == 45)
            // Other calls of these APIs have rows: the SDK sees them.
            #expect(total.unseen[.rowMissing] == total.coverage.recordedMessageBytes - total.coverage.messageBytes)
            #expect(total.causes.sum == total.wire.errorTotal)
        }
    }

    @Test("heads are kept of so many exchanges; of the others errors are not told by cause")
    func keptHeads() throws {
        let calls = SampleCalls(seed: 2)
        var options = AccuracyOptions()
        options.headLimit = 40
        let (result, _) = try calls.collect("none", logs: [log(calls)], options: options)
        let problem = try #require(result.logs.first?.problems.first { $0.what.contains("kept-heads") })
        #expect(problem.count == 8)
        for total in result.totals { #expect(total.causes.sum == total.wire.errorTotal) }
        let (whole, _) = try calls.collect("none", logs: [log(calls)])
        #expect(whole.logs.first?.problems.contains { $0.what.contains("kept-heads") } == false)
    }

    @Test("a row that lacks for one direction is not an exchange that the SDK does not see")
    func missingRow() throws {
        let calls = SampleCalls(seed: 4)
        var log = try log(calls)
        log.rows.remove(at: log.rows.firstIndex { $0.kind == .response }!)
        let (result, _) = try calls.collect("none", logs: [log])
        let down = try #require(result.totals.first { $0.direction == .down })
        #expect(down.unseen[.scope] == 0)
        #expect(down.unseen[.rowMissing] < 0)
        #expect(result.logs.first?.exchangesUnseen == 0)
    }

    @Test("calls that were not chosen are matched all the same, and counted apart")
    func selection() throws {
        let calls = SampleCalls(seed: 5)
        let log = try log(calls)
        let collector = AccuracyCollector(
            [], logs: [log], isSelected: { String(decoding: $0.path ?? [], as: UTF8.self).hasPrefix("/img") })
        var options = AuditOptions()
        options.keepsHeads = true
        _ = audit(calls.frames, options, sink: collector, examiner: collector.examiner)
        let summary = try #require(collector.finish().logs.first)
        #expect(summary.exchangesTotal > 0 && summary.exchangesTotal < 48)
        #expect(summary.exchangesUnseen == 0)
        #expect(summary.matched + summary.ambiguous == 2 * summary.exchangesTotal)
        #expect(summary.notSelected == summary.rows - 2 * summary.exchangesTotal)
    }

    @Test("logs of one name are told apart")
    func names() throws {
        let calls = SampleCalls(seed: 2)
        var other = try log(calls)
        other.path = "other/app.sqlite"
        let (result, _) = try calls.collect("none", logs: [log(calls), other])
        #expect(result.sources.map(\.id) == ["app.sqlite", "app.sqlite #2"])
    }
}
