import Testing
import WireTesting

@testable import WireCore

@Suite("TLS: keys that are missing or wrong")
struct KeyTroubleTests {
    static let traces: [TLSTrace] = [
        .rfc8448Simple, .rfc8448Resumed, .rfc8448Compatibility, .chained, .renegotiation, .keyUpdate,
    ]

    /// The secret with its first byte changed.
    private static func damaged(_ secret: String) -> String {
        (secret.first == "0" ? "1" : "0") + secret.dropFirst()
    }

    private func hasData(_ outcomes: [TLSTrace.Outcome], side: Direction) -> Bool {
        outcomes.contains { outcome in
            guard case .applicationData = outcome.content else { return false }
            return outcome.side == side
        }
    }

    @Test("without a key log: the overhead that is certain, no finding", arguments: traces.indices)
    func countsWithoutKeys(index: Int) {
        let trace = Self.traces[index]
        let (connection, outcomes) = trace.replay(keys: nil)
        #expect(connection.takeFindings() == [])
        #expect(connection.facts.blindness == .noKeys)
        #expect(!connection.facts.isDecrypted)
        let truth = trace.replay(keys: trace.keyLog())
        for (outcome, real) in zip(outcomes, truth.outcomes) {
            switch (outcome.content, real.content) {
            case (.encrypted(let lead, let trail), .applicationData(_, let trueLead, let trueTrail)):
                #expect(lead == trueLead || lead == 5)
                #expect(trail <= trueTrail)
            case (.encrypted, .handshake), (.encrypted, .closeNotify): #expect(connection.facts.version == .tls13)
            case (.alert, .closeNotify): #expect(connection.facts.version != .tls13)
            default: #expect(outcome == real)
            }
        }
    }

    @Test("TLS 1.3 without keys: five bytes before and 17 behind, and no guess what is handshake")
    func countsVersion13() {
        let (connection, outcomes) = TLSTrace.rfc8448Simple.replay(keys: nil)
        #expect(outcomes[...1].allSatisfy { $0.content == .handshake })
        #expect(outcomes[2...].allSatisfy { $0.content == .encrypted(lead: 5, trail: 17) })
        #expect(connection.facts.certificateBytes == nil)
        #expect(connection.handshake.known.applicationProtocol == nil)
        // Early data: any of the offered suites adds as much.
        let resumed = TLSTrace.rfc8448Resumed.replay(keys: nil)
        #expect(resumed.outcomes[1].content == .encrypted(lead: 5, trail: 17))
        #expect(resumed.connection.facts.earlyData == .offered)
    }

    @Test("a log of other connections: the key is missing, found once", arguments: traces.indices)
    func findsNoLine(index: Int) {
        let log = (index == 0 ? TLSTrace.chained : .rfc8448Simple).keyLog()
        let (connection, outcomes) = Self.traces[index].replay(keys: log)
        #expect(connection.takeFindings() == [.keyMissing])
        #expect(connection.takeFindings() == [])
        #expect(connection.facts.blindness == .keyMissing)
        #expect(!hasData(outcomes, side: 0) && !hasData(outcomes, side: 1))
        let blind = Self.traces[index].replay(keys: nil)
        #expect(outcomes.map(\.content) == blind.outcomes.map(\.content))
    }

    @Test("wrong keys: found once, and counted as without keys", arguments: traces.indices)
    func findsWrongKeys(index: Int) {
        let trace = Self.traces[index]
        let (connection, outcomes) = trace.replay(keys: trace.keyLog(changing: { Self.damaged($1) }))
        #expect(connection.takeFindings() == [.keyWrong])
        #expect(connection.facts.blindness == .keyWrong)
        #expect(!hasData(outcomes, side: 0) && !hasData(outcomes, side: 1))
        #expect(connection.facts.directions.up.records == trace.records.filter { $0.side == 0 }.count)
    }

    @Test("one wrong secret stops its direction only, where others were right")
    func stopsOneDirection() {
        let trace = TLSTrace.rfc8448Simple
        let log = trace.keyLog(changing: { $0 == "CLIENT_TRAFFIC_SECRET_0" ? Self.damaged($1) : $1 })
        let (connection, outcomes) = trace.replay(keys: log)
        #expect(connection.takeFindings() == [.keyWrong])
        #expect(!hasData(outcomes, side: 0))
        #expect(TLSTrace.data(outcomes, side: 1) == [UInt8](0..<50))
        #expect(connection.facts.closeNotify == Directions(up: false, down: true))
        #expect(connection.facts.blindness == .keyWrong)
    }

    @Test("a log without handshake secrets still opens the data")
    func searchesData() {
        for trace in [TLSTrace.rfc8448Simple, .keyUpdate, .rfc8448Resumed] {
            let log = trace.keyLog { !$0.contains("HANDSHAKE") }
            let (connection, outcomes) = trace.replay(keys: log)
            let truth = trace.replay(keys: trace.keyLog())
            for side in Direction.both {
                #expect(TLSTrace.data(outcomes, side: side) == TLSTrace.data(truth.outcomes, side: side))
            }
            #expect(connection.facts.isDecrypted)
            #expect(connection.facts.blindness == nil)
            #expect(connection.takeFindings() == [])
        }
    }

    @Test("a log with handshake secrets only shows the handshake")
    func opensHandshakeOnly() {
        let trace = TLSTrace.rfc8448Simple
        let (connection, outcomes) = trace.replay(keys: trace.keyLog { $0.contains("HANDSHAKE") })
        #expect(connection.takeFindings() == [.keyMissing])
        #expect(connection.facts.certificateBytes == 445)
        #expect(outcomes[2].content == .handshake && outcomes[3].content == .handshake)
        #expect(outcomes[4...].allSatisfy { $0.content == .encrypted(lead: 5, trail: 17) })
    }

    @Test(
        "early data without its secret, or with a wrong one, leaves the rest readable",
        arguments: [true, false])
    func losesEarlyData(isWrong: Bool) {
        let trace = TLSTrace.rfc8448Resumed
        let log = trace.keyLog(
            { isWrong || !$0.contains("EARLY") }, changing: { $0.contains("EARLY") ? Self.damaged($1) : $1 })
        let (connection, outcomes) = trace.replay(keys: log)
        #expect(TLSTrace.data(outcomes, side: 0) == [UInt8](0..<50))
        #expect(TLSTrace.data(outcomes, side: 1) == [UInt8](0..<50))
        #expect(outcomes[1].content == .encrypted(lead: 5, trail: 17))
        #expect(connection.takeFindings().contains(isWrong ? .keyWrong : .keyMissing))
        #expect(connection.facts.closeNotify == Directions(up: true, down: true))
        #expect(connection.facts.blindness == (isWrong ? .keyWrong : .keyMissing))
    }

    @Test("a stream without its handshake is counted, keys or not", arguments: traces.indices)
    func joinsLate(index: Int) {
        var trace = Self.traces[index]
        trace.records.removeAll { [20, 22].contains($0.bytes[0]) }
        let (connection, outcomes) = trace.replay(keys: trace.keyLog())
        #expect(connection.takeFindings() == [])
        #expect(connection.facts.blindness == .noHandshake)
        #expect(connection.client == nil)
        #expect(connection.facts.directions.up.messages == [])
        #expect(!hasData(outcomes, side: 0) && !hasData(outcomes, side: 1))
        #expect(outcomes.contains { $0.content == .encrypted(lead: 5, trail: 0) })
    }

    @Test("a direction that was lost stays lost; the other goes on", arguments: traces.indices)
    func losesDirection(index: Int) {
        let trace = Self.traces[index]
        let half = trace.records.firstIndex { $0.bytes[0] == 23 && $0.side == 0 } ?? 0
        let connection = RecordProtection(keys: trace.keyLog())
        var begin = trace
        begin.records = Array(trace.records[...half])
        _ = begin.replay(connection)
        connection.lose(0, .gap)
        var rest = trace
        rest.records = Array(trace.records[(half + 1)...])
        let outcomes = rest.replay(connection)
        #expect(!hasData(outcomes, side: 0))
        #expect(connection.facts.blindness == .gap)
        let truth = Array(trace.replay(keys: trace.keyLog()).outcomes[(half + 1)...])
        // A renegotiation needs both hellos.
        if index != 4 { #expect(TLSTrace.data(outcomes, side: 1) == TLSTrace.data(truth, side: 1)) }
    }
}
