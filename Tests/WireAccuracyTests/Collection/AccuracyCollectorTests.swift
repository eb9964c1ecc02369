import Testing
import WireAccuracy
import WireCore
import WireEstimates
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
        #expect(result.sources.count == 25)
    }
}
