import Testing

@testable import WireCore

@Suite("Calls of unread HTTP/1.1 connections")
struct UnnamedCallsTests {
    /// Records by direction and bytes of content: `>` of the client, `<` of the server.
    struct Case: CustomTestStringConvertible {
        var name: String
        var records: [(Character, Int)]
        /// Nil: the records do not tell calls apart.
        var turns: [(ClosedRange<Int>, ClosedRange<Int>)]?

        var testDescription: String { name }
    }

    static let hello: [(Character, Int)] = [("<", 2100), (">", 36)]

    static let cases = [
        Case(name: "one call", records: hello + [(">", 200), ("<", 700)], turns: [(200...200, 700...700)]),
        Case(
            name: "messages of several records",
            records: hello + [("<", 255), (">", 200), (">", 51), ("<", 700), ("<", 90)],
            turns: [(251...251, 790...790)]),
        Case(
            name: "tickets before the first request", records: hello + [("<", 255), (">", 200), ("<", 700)],
            turns: [(200...200, 700...700)]),
        Case(
            name: "tickets may stand before the first answer",
            records: hello + [(">", 200), ("<", 255), ("<", 255), ("<", 700)], turns: [(200...200, 700...1210)]),
        Case(
            name: "a ticket in the middle is as long as the others",
            records: hello + [("<", 255), (">", 200), ("<", 700), (">", 210), ("<", 255), ("<", 710)],
            turns: [(200...200, 700...700), (210...210, 710...965)]),
        Case(
            name: "a record of five bytes ends a chunked body, or is a key update",
            records: hello + [("<", 255), (">", 200), ("<", 700), ("<", 5)], turns: [(200...200, 700...705)]),
        Case(
            name: "an alert ends the connection",
            records: hello + [("<", 255), (">", 200), ("<", 700), ("<", 2), (">", 2)],
            turns: [(200...200, 700...702)]),
        Case(
            name: "a server that pads", records: hello + [("<", 255), (">", 200), ("<", 703), (">", 201), ("<", 1007)],
            turns: [(200...200, 0...703), (201...201, 0...1007)]),
        Case(
            name: "a certificate of the client", records: [("<", 2100), (">", 900), (">", 36), (">", 200), ("<", 700)]),
        Case(name: "no call", records: hello, turns: []),
        Case(name: "a request without an answer", records: hello + [(">", 200)], turns: [(200...200, 0...0)]),
        Case(
            name: "an alert that is answered is no call",
            records: hello + [("<", 255), (">", 200), ("<", 700), (">", 2), ("<", 2)], turns: [(200...200, 700...700)]),
        Case(
            name: "a request whose first byte has a record of its own",
            records: hello + [("<", 255), (">", 1), (">", 199), ("<", 700)], turns: [(200...200, 700...700)]),
    ]

    private func facts(_ change: (inout TLSFacts) -> Void = { _ in }) -> TLSFacts {
        var facts = TLSFacts()
        (facts.version, facts.handshakeWasRead) = (.tls13, true)
        change(&facts)
        return facts
    }

    private func cut(_ records: [(Character, Int)], _ facts: TLSFacts) -> UnnamedCalls {
        var calls = UnnamedCalls()
        calls.decide(facts, client: 0)
        for (time, record) in records.enumerated() {
            let direction: Direction = record.0 == ">" ? 0 : 1
            _ = calls.begin(record.1, direction, at: Int64(10 * time), keeps: true)
            calls.end(direction, at: Int64(10 * time + 5))
        }
        return calls
    }

    @Test("are cut where the direction changes", arguments: cases)
    func cut(item: Case) {
        let calls = cut(item.records, facts())
        #expect(calls.areKnown == (item.turns != nil))
        guard let turns = item.turns else { return }
        let found = calls.finish(showsLength: true)
        #expect(found.map(\.up) == turns.map(\.0))
        #expect(found.map(\.down) == turns.map(\.1))
        #expect(calls.count == turns.count)
    }

    @Test("have their times")
    func times() throws {
        let records = Self.hello + [(">", 200), (">", 51), ("<", 700), ("<", 90)]
        let call = try #require(cut(records, facts()).finish(showsLength: true).first)
        #expect(call.time == 20...55)
        #expect(call.requestEnd == 35)
        #expect(call.answerStart == 40)
    }

    @Test("have no least where the cipher hides lengths")
    func hiddenLengths() {
        let calls = cut([(">", 200), ("<", 700)], facts { $0.version = .tls12 })
        #expect(calls.finish(showsLength: false).map(\.up) == [0...200])
        #expect(calls.finish(showsLength: true).map(\.down) == [700...700])
    }

    static let unknown: [(name: String, change: @Sendable (inout TLSFacts) -> Void)] = [
        ("no handshake", { $0.handshakeWasRead = false }), ("no version", { $0.version = nil }),
        ("HTTP/2 offered", { $0.offeredProtocols = [Array("h2".utf8), Array("http/1.1".utf8)] }),
        ("early data", { $0.earlyData = .offered }),
    ]

    @Test("are not known where HTTP/2 was offered, early data sent, or the handshake not read", arguments: 0..<4)
    func unknown(place: Int) {
        var calls = UnnamedCalls()
        calls.decide(facts(Self.unknown[place].change), client: 0)
        #expect(!calls.areKnown, "\(Self.unknown[place].name)")
        calls = UnnamedCalls()
        calls.decide(facts(), client: nil)
        #expect(!calls.areKnown)
    }
}
