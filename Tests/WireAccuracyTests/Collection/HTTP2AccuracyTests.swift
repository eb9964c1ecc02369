import Testing
import WireAccuracy
import WireCore
import WireEstimates
import WireLogs
import WireTesting

/// Records of HTTP/2 over TLS, made of those of HTTP/1 exchanges: other costs around the same messages.
private struct HTTP2Records {
    var random: SeededRandom
    var records: [ExchangeRecord] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        let calls = SampleCalls(seed: seed)
        var options = AuditOptions()
        options.keepsHeads = true
        records = audit(calls.frames, options).exchanges.sorted { $0.time < $1.time }
        for index in records.indices {
            var record = records[index]
            convert(&record, index)
            records[index] = record
        }
    }

    private mutating func convert(_ record: inout ExchangeRecord, _ index: Int) {
        record.stream = 2 * index + 1
        let isSecure = !random.oneIn(4)
        record.tlsVersion = isSecure ? "TLS 1.3" : nil
        record.request?.frames = convert(&record.costs.up, isSecure: isSecure, interim: 0)
        record.request?.version = "HTTP/2"
        let interim = random.oneIn(5) ? 1 + random.below(30) : 0
        record.response?.frames = convert(&record.costs.down, isSecure: isSecure, interim: interim)
        record.response?.version = "HTTP/2"
        record.response?.interim = interim
    }

    private mutating func convert(_ costs: inout CostVector, isSecure: Bool, interim: Int) -> FrameHeaderBytes {
        let counts = FrameHeaderBytes(headerFrames: 9 * (1 + random.below(3)), dataFrames: 9 * random.below(5))
        costs[.startLine] = 0
        costs[.headers] = interim + 1 + random.below(300)
        costs[.framing] = counts.headerFrames + counts.dataFrames + (random.oneIn(3) ? 13 + random.below(256) : 0)
        costs[.setupHTTP] = random.oneIn(4) ? 60 + random.below(100) : 0
        guard isSecure else { return counts }
        costs[.tlsRecords] = 22 * (1 + random.below(6))
        costs[.setupTLS] = random.oneIn(4) ? 300 + random.below(5000) : 0
        return counts
    }

    func collect(_ estimators: String, onCall: ((AccuracyCall) -> Void)? = nil) throws -> AccuracyResult {
        let collector = AccuracyCollector(try EstimatorCatalog.choose(estimators), onCall: onCall)
        for record in records { collector.receive(record) }
        return collector.finish()
    }
}

@Suite("Accuracy of exchanges over HTTP/2 and TLS")
struct HTTP2AccuracyTests {
    @Test("what passes through a tunnel is no body, whatever is simulated", arguments: ["none", "all"])
    func tunnel(estimators: String) throws {
        var talk = Dialogue()
        talk.handshake()
        var (client, server) = (HTTP2FieldEncoder(), HTTP2FieldEncoder())
        let connect = client.block([.init(":method", "CONNECT"), .init(":authority", "h:80")])
        talk.data(.client, HTTP2Frame.preface + HTTP2Frame.settings().bytes + HTTP2Frame.headers(1, connect).bytes)
        talk.data(.server, HTTP2Frame.settings().bytes + HTTP2Frame.headers(1, server.response()).bytes)
        talk.data(.client, HTTP2Frame.data(1, [1, 2, 3], endStream: true).bytes)
        talk.data(.server, HTTP2Frame.data(1, [4, 5], endStream: true).bytes)
        talk.close()
        var options = AuditOptions()
        options.keepsHeads = true
        let records = talk.audit(options).exchanges
        var record = try #require(records.count == 1 ? records.first : nil)
        #expect(record.flags.contains(.tunnel) && record.request?.complete == true)
        #expect(record.decodedBody.up == nil && record.decodedBody.down == nil)
        var simulator = ExchangeSimulator(try EstimatorCatalog.choose(estimators), needs: .decodedSizes, jobs: 1)
        _ = simulator.simulate(&record)
        #expect(record.decodedBody.up == nil && record.decodedBody.down == nil)
    }

    @Test("causes sum to the error against both truths, for every estimator and every single call", arguments: 1...12)
    func balance(seed: UInt64) throws {
        let records = HTTP2Records(seed: seed)
        var (unbalanced, compared) = ([String](), 0)
        let result = try records.collect("all,dm:gate=both,mtnm:h2HeaderFraming=excluded,okhttp:total=all") { call in
            guard !call.isUnknown, call.unseen == nil, let message = call.message else { return }
            compared += 1
            if call.causes.sum != (call.estimate ?? 0) - message {
                unbalanced.append("\(call.source) \(call.direction)")
            }
        }
        #expect(unbalanced.isEmpty && compared > 48 * result.sources.count, "seed \(seed)")
        #expect(result.counted == 48)
        for row in result.rows + result.totals {
            let place = "seed \(seed), \(result.sources[row.source].id) \(row.direction)"
            #expect(row.messageCauses.sum == row.message.errorTotal, "\(place)")
            #expect(row.causes.sum == row.wire.errorTotal, "\(place)")
            #expect(row.coverage.messageBytes - row.coverage.recordedMessageBytes == -row.unseen.sum, "\(place)")
        }
    }

    @Test("what lies between messages and wire is named: records, set-up with its handshakes", arguments: 1...4)
    func transport(seed: UInt64) throws {
        let records = HTTP2Records(seed: seed)
        let result = try records.collect("mtnm:redirects=allHops,drd,android-uid,matrix")
        for (direction, costs) in [
            (Direction.up, records.records.map(\.requestCosts)), (.down, records.records.map(\.responseCosts)),
        ] {
            let total = try #require(result.totals.first { $0.source == 0 && $0.direction == direction })
            #expect(total.causes[.tlsRecords] == -costs.reduce(0) { $0 + $1[.tlsRecords] })
            #expect(total.causes[.handshake] == -costs.reduce(0) { $0 + $1.setup - $1[.setupDNS] + $1[.teardown] })
            let android = try #require(result.totals.first { $0.source == 2 && $0.direction == direction })
            #expect(android.message.errorTotal > 0)
            #expect(android.wire.errorTotal == 0)
            let matrix = try #require(result.totals.first { $0.source == 3 && $0.direction == direction })
            #expect(matrix.messageCauses[.tlsRecords] == -total.causes[.tlsRecords])
            #expect(matrix.messageCauses[.handshake] == costs.reduce(0) { $0 + $1[.setupTLS] + $1[.setupHTTP] })
        }
    }

    @Test("metrics count the frames of every message", arguments: 1...4)
    func metrics(seed: UInt64) throws {
        let records = HTTP2Records(seed: seed)
        let result = try records.collect("wormholy,wormholy:h2HeaderFraming=excluded")
        func total(_ source: Int) -> Int {
            result.totals.filter { $0.source == source }.reduce(0) { $0 + $1.message.estimateTotal }
        }
        var included = 0
        var headerFrames = 0
        for record in records.records {
            for (costs, facts) in [(record.requestCosts, record.request), (record.responseCosts, record.response)] {
                let frames = facts?.frames ?? FrameHeaderBytes(headerFrames: 0, dataFrames: 0)
                included += costs[.headers] - (facts?.interim ?? 0) + costs[.body]
                included += frames.headerFrames + frames.dataFrames
                headerFrames += frames.headerFrames
            }
        }
        #expect(total(0) == included)
        #expect(total(1) == included - headerFrames)
    }

    @Test("TLS makes the scheme https: an SDK that handles http only does not see the exchange")
    func scheme() throws {
        var records = HTTP2Records(seed: 5)
        for index in records.records.indices { records.records[index].tlsVersion = index < 10 ? nil : "TLS 1.2" }
        // Copies of the SDK that never compress, so that every size is known.
        let result = try records.collect("dm:variant=dcapm:body=data,dm:variant=dcapm:body=data:gate=https")
        for (source, recorded) in [10, 38].enumerated() {
            let up = try #require(result.totals.first { $0.source == source && $0.direction == .up })
            #expect(up.coverage.calls == 48)
            #expect(up.coverage.recordedCalls == recorded)
            #expect(up.unseen[.scope] == up.coverage.recordedMessageBytes - up.coverage.messageBytes)
        }
    }

    @Test("what cannot be compared is left out and named")
    func leftOut() throws {
        var records = HTTP2Records(seed: 6)
        // A stream that the server refused.
        records.records[3].response = nil
        records.records[3].responseHead = nil
        records.records[3].costs.down[.headers] = 0
        records.records[3].costs.down[.body] = 0
        records.records[3].costs.down[.framing] = 13
        // Fields that nobody could decompress; and such a message that was cut.
        records.records[4].requestHead = nil
        records.records[5].responseHead = nil
        records.records[6].responseHead = nil
        records.records[6].response?.complete = false
        records.records[7].stream = 4
        let result = try records.collect("drd")
        #expect(result.counted == 43)
        let reasons = Dictionary(uniqueKeysWithValues: result.leftOut.map { ($0.reason, $0.count) })
        #expect(reasons == ["no-response": 1, "unread-fields": 2, "cut-head": 1, "pushed": 1])
    }

    @Test("a redirection over TLS is followed to the same host, with or without its port", arguments: ["", ":443"])
    func redirect(port: String) throws {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, "GET /r HTTP/1.1\r\nHost: api.example.com\r\n\r\n")
        talk.data(
            .server,
            "HTTP/1.1 302 Found\r\nLocation: https://API.example.com\(port)/s\r\nContent-Length: 0\r\n\r\n")
        talk.data(.client, "GET /s HTTP/1.1\r\nHost: api.example.com\r\n\r\n")
        talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        talk.close()
        var options = AuditOptions()
        options.keepsHeads = true
        var records = HTTP2Records(seed: 1)
        records.records = audit(talk.frames, options).exchanges
        for index in records.records.indices { records.records[index].tlsVersion = "TLS 1.3" }
        let up = try #require(records.collect("mtnm").totals.first { $0.direction == .up })
        // The first hop only.
        #expect(up.coverage.recordedCalls == 1)
        #expect(up.unseen[.redirect] < 0)
    }
}
