import Testing
import WireTesting

@testable import WireCore

@Suite("TLS: records that the capture lacks")
struct MissingRecordTests {
    /// Whether the record tells, in clear, what the keys depend on.
    private static func isHello(_ trace: TLSTrace, _ index: Int) -> Bool {
        let bytes = trace.records[index].bytes
        return bytes[0] == 22 && (bytes[5] == 1 || bytes[5] == 2)
    }

    @Test("one missing record costs its own content only", arguments: TLSTrace.all.indices)
    func losesOne(index: Int) {
        let trace = TLSTrace.all[index]
        let truth = trace.replay(keys: trace.keyLog()).outcomes
        var compared = 0
        let hasData = truth.contains { if case .applicationData = $0.content { true } else { false } }
        for missing in trace.records.indices where !Self.isHello(trace, missing) {
            // A renegotiation's own hellos are encrypted.
            if index == 5, [12, 13].contains(missing) { continue }
            let connection = RecordProtection(keys: trace.keyLog())
            let outcomes = trace.replay(connection, missing: [missing])
            for (position, outcome) in outcomes.enumerated() where position != missing {
                // TLS 1.0 chains each record to the one before.
                if index == 4, position > missing, trace.records[position].side == trace.records[missing].side,
                    !outcomes[missing..<position].contains(where: { $0.side == outcome.side && !$0.data.isEmpty })
                {
                    continue
                }
                if case .applicationData = truth[position].content {
                    #expect(outcome == truth[position], "\(index): \(missing) missing, \(position)")
                    compared += 1
                }
            }
            #expect(!connection.takeFindings().contains(.keyWrong), "\(index): \(missing) missing")
        }
        #expect((compared > 0) == hasData)
    }

    @Test("data is right or not there, whatever is missing", arguments: UInt64(1)...8)
    func losesAny(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var compared = 0
        for _ in 0..<50 {
            let index = random.below(TLSTrace.all.count)
            let trace = TLSTrace.all[index]
            let truth = trace.replay(keys: trace.keyLog()).outcomes
            let missing = Set(trace.records.indices.filter { _ in random.oneIn(5) })
            let connection = RecordProtection(keys: trace.keyLog())
            let outcomes = trace.replay(connection, missing: missing)
            for (outcome, real) in zip(outcomes, truth) {
                if case .applicationData = outcome.content {
                    #expect(outcome == real, "seed \(seed), \(missing)")
                    compared += 1
                }
            }
            let facts = connection.facts
            let total = trace.records.reduce(0) { $0 + $1.bytes.count }
            #expect(facts.directions.up.total + facts.directions.down.total == total)
        }
        #expect(compared > 0, "seed \(seed)")
    }

    @Test("a missing handshake record under handshake keys is known to be set-up")
    func knowsMissingHandshake() {
        let trace = TLSTrace.rfc8448Simple
        let connection = RecordProtection(keys: trace.keyLog())
        let outcomes = trace.replay(connection, missing: [2, 6])
        #expect(outcomes[2].content == .handshake)
        #expect(outcomes[6].content == .encrypted(lead: 5, trail: 17))
        #expect(outcomes[5].data == [UInt8](0..<50) && outcomes[8].content == .closeNotify)
        #expect(connection.facts.certificateBytes == nil)
        #expect(connection.facts.blindness == .gap)
    }

    @Test("a missing hello makes the connection unreadable, without a finding", arguments: [0, 1])
    func losesHello(missing: Int) {
        let trace = TLSTrace.rfc8448Simple
        let connection = RecordProtection(keys: trace.keyLog())
        let outcomes = trace.replay(connection, missing: [missing])
        #expect(connection.takeFindings() == [])
        #expect(connection.facts.blindness == (missing == 0 ? .noHandshake : .gap))
        #expect(outcomes.allSatisfy { $0.data.isEmpty })
        #expect(connection.facts.handshakeWasRead == false)
        #expect(connection.facts.version == (missing == 0 ? .tls13 : nil))
    }
}
