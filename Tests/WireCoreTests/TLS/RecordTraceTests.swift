import Testing
import WireTesting

@testable import WireCore

@Suite("TLS: whole connections with their keys")
struct RecordTraceTests {
    /// What a trace holds.
    struct Expectation: Sendable {
        var trace: TLSTrace
        var version = TLSVersion.tls13
        var up: String
        var down: String
        var data: (up: [UInt8], down: [UInt8]) = ([], [])
        var certificate: Int? = 441 + 4
        var tickets = 0
        var keyUpdates = 0
        var alerts = 2
        var check: @Sendable (TLSFacts) -> Bool = { _ in true }
    }

    static let count50 = [UInt8](0..<50)

    static let expectations: [Expectation] = [
        Expectation(
            trace: .rfc8448Simple, up: "1×1:196 20×1:36", down: "2×1:90 8×1:40 11×1:445 15×1:136 20×1:36 4×1:205",
            data: (count50, count50), tickets: 1,
            check: { $0.resumption == nil && $0.earlyData == nil && $0.compatibilityRecords == 0 }),
        Expectation(
            trace: .rfc8448Resumed, up: "1×1:512 5×1:4 20×1:36", down: "2×1:96 8×1:44 20×1:36",
            data: (Array("ABCDEF".utf8) + count50, count50), certificate: 0,
            check: { $0.resumption == .preSharedKey && $0.earlyData == .accepted }),
        Expectation(
            trace: .rfc8448Retry, up: "1×2:692 20×1:36", down: "2×2:299 8×1:28 11×1:445 15×1:136 20×1:36",
            check: { $0.helloRetryRequested && !$0.isDecrypted }),
        Expectation(
            trace: .rfc8448Compatibility, up: "1×1:224 20×1:36", down: "2×1:122 8×1:40 11×1:445 15×1:136 20×1:36",
            check: { $0.compatibilityRecords == 2 }),
        Expectation(
            trace: .chained, version: .tls10, up: "1×1:90 16×1:70 20×1:16",
            down: "2×1:97 11×1:359 12×1:145 14×1:4 20×1:16",
            data: (Array("one\nsecond\nthird one\n".utf8), Array("eins\nzweitens\ndrittens\n".utf8)), certificate: 359,
            check: { $0.cipher == "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA" && $0.compatibilityRecords == 0 }),
        Expectation(
            trace: .renegotiation, version: .tls12, up: "1×2:211 16×2:140 20×2:32",
            down: "2×2:210 11×2:718 12×2:296 14×2:8 20×2:32",
            data: (Array("one\ntwo\n".utf8), Array("eins\nzwei\n".utf8)), certificate: 718),
        Expectation(
            trace: .keyUpdate, up: "1×1:222 20×1:36 24×2:10",
            down: "2×1:155 8×1:32 11×1:362 15×1:79 20×1:36 4×1:217 24×1:5",
            data: (Array("one\ntwo\nthree\nfour\n".utf8), Array("eins\nzwei\ndrei\n".utf8)), certificate: 362,
            tickets: 1, keyUpdates: 3, check: { $0.serverName == Array("lab.test".utf8) }),
        Expectation(
            trace: .earlyRejected, up: "1×1:310 20×1:52",
            down: "2×1:122 8×1:6 11×1:362 15×1:79 20×1:52 4×2:130",
            data: (Array("EARLYDATA-REQUEST\none\n".utf8), Array("eins\n".utf8)), certificate: 362, tickets: 2,
            check: { $0.earlyData == .rejected && $0.resumption == nil && $0.compatibilityRecords == 2 }),
        Expectation(
            trace: .earlyRetried, up: "1×2:682 20×1:52",
            down: "2×2:275 8×1:6 11×1:362 15×1:80 20×1:52 4×2:130",
            data: (Array("EARLYDATA-REQUEST\none\n".utf8), Array("eins\n".utf8)), certificate: 362, tickets: 2,
            check: { $0.earlyData == .rejected && $0.helloRetryRequested && $0.compatibilityRecords == 2 }),
    ]

    @Test("finds every message, and every byte of data", arguments: expectations.indices)
    func readsAll(index: Int) {
        let expected = Self.expectations[index]
        let (connection, outcomes) = expected.trace.replay(keys: expected.trace.keyLog())
        let facts = connection.facts
        #expect(connection.client == 0)
        #expect(facts.version == expected.version)
        #expect(facts.directions.up.messageText == expected.up)
        #expect(facts.directions.down.messageText == expected.down)
        #expect(TLSTrace.data(outcomes, side: 0) == expected.data.up)
        #expect(TLSTrace.data(outcomes, side: 1) == expected.data.down)
        #expect(facts.certificateBytes == expected.certificate)
        #expect(facts.tickets == expected.tickets)
        #expect(facts.keyUpdates == expected.keyUpdates)
        #expect(facts.alerts.map(\.description) == [UInt8](repeating: 0, count: expected.alerts))
        #expect(facts.closeNotify == Directions(up: true, down: true))
        #expect(facts.handshakeWasRead)
        #expect(facts.isDecrypted == !(expected.data.up + expected.data.down).isEmpty)
        #expect(facts.blindness == nil)
        #expect(connection.takeFindings() == [])
        #expect(expected.check(facts))
    }

    @Test("tiles every record", arguments: TLSTrace.all.indices, [true, false])
    func tilesRecords(index: Int, hasKeys: Bool) {
        let trace = TLSTrace.all[index]
        let (connection, outcomes) = trace.replay(keys: hasKeys ? trace.keyLog() : nil)
        for (record, outcome) in zip(trace.records, outcomes) {
            switch outcome.content {
            case .applicationData(let content, let lead, let trail):
                #expect(lead + content.count + trail == record.bytes.count)
            case .encrypted(let lead, let trail): #expect(lead + trail <= record.bytes.count)
            case .handshake, .alert, .closeNotify: break
            }
        }
        let facts = connection.facts
        for (index, direction) in [facts.directions.up, facts.directions.down].enumerated() {
            let records = trace.records.filter { $0.side == Direction(index) }
            #expect(direction.records == records.count)
            #expect(direction.total == records.reduce(0) { $0 + $1.bytes.count })
        }
    }

    @Test("knows the client also where it is side 1", arguments: TLSTrace.all.indices)
    func swapsSides(index: Int) {
        var trace = TLSTrace.all[index]
        let straight = trace.replay(keys: trace.keyLog()).connection
        for index in trace.records.indices { trace.records[index].side = trace.records[index].side.opposite }
        let swapped = trace.replay(keys: trace.keyLog()).connection
        #expect(swapped.client == 1)
        #expect(swapped.facts == straight.facts)
    }

    /// Neither has the client answer, before it sends data, to what the server says after its first flight.
    static let reorderable: [TLSTrace] = [.rfc8448Simple, .rfc8448Resumed, .rfc8448Compatibility, .chained, .keyUpdate]

    @Test("reads the same when all of the server comes before the client's answer", arguments: reorderable.indices)
    func toleratesOrder(index: Int) {
        let trace = Self.reorderable[index]
        let straight = trace.replay(keys: trace.keyLog())
        var late = trace
        let first = trace.records.firstIndex { $0.side == 1 } ?? 0
        late.records =
            trace.records[..<first] + trace.records.filter { $0.side == 1 }
            + trace.records[first...].filter { $0.side == 0 }
        let reordered = late.replay(keys: trace.keyLog())
        #expect(reordered.connection.facts.directions == straight.connection.facts.directions)
        for side in Direction.both {
            #expect(TLSTrace.data(reordered.outcomes, side: side) == TLSTrace.data(straight.outcomes, side: side))
        }
    }

    @Test("reads the server also where all of the client comes before the ServerHello")
    func readsClientFirst() {
        for trace in [TLSTrace.rfc8448Simple, .rfc8448Resumed, .keyUpdate] {
            var early = trace
            early.records = trace.records.filter { $0.side == 0 } + trace.records.filter { $0.side == 1 }
            let (connection, outcomes) = early.replay(keys: trace.keyLog())
            let server = TLSTrace.data(trace.replay(keys: trace.keyLog()).outcomes, side: 1)
            #expect(TLSTrace.data(outcomes, side: 1) == server)
            #expect(connection.facts.directions.up.records == trace.records.filter { $0.side == 0 }.count)
            #expect(!connection.takeFindings().contains(.keyWrong))
        }
    }

    @Test("never traps on damaged records, and counts them", arguments: UInt64(1)...6)
    func toleratesDamage(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<60 {
            var trace = random.element(TLSTrace.all)
            for _ in 0..<random.below(4) + 1 {
                let index = random.below(trace.records.count)
                let offset = 5 + random.below(trace.records[index].bytes.count - 5)
                trace.records[index].bytes[offset] ^= UInt8(1 << random.below(8))
            }
            let (connection, _) = trace.replay(keys: random.oneIn(3) ? nil : trace.keyLog())
            let facts = connection.facts
            let total = trace.records.reduce(0) { $0 + $1.bytes.count }
            #expect(facts.directions.up.total + facts.directions.down.total == total, "seed \(seed)")
        }
    }
}
