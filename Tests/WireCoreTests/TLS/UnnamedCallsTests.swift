import Testing
import WireTesting

@testable import WireAccuracy
@testable import WireCore

@Suite("Calls of unread HTTP/1.1 connections")
struct HiddenTurnsTests {
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
        Case(name: "a request without an answer", records: hello + [(">", 200)], turns: []),
    ]

    @Test("are cut where the direction changes", arguments: cases)
    func cut(item: Case) throws {
        var record = ConnectionRecord.blank
        var facts = TLSFacts()
        (facts.version, facts.handshakeWasRead, facts.blindness) = (.tls13, true, .noKeys)
        record.tls = facts
        let pieces = item.records.enumerated().map { time, record in
            HiddenPiece(
                time: Int64(time), bytes: record.1 + 22, content: record.1, isFromClient: record.0 == ">")
        }
        record.hidden = HiddenTraffic(pieces: pieces, isComplete: true, showsContentLength: true)
        let turns = try #require(HiddenConnection(record, host: [])).turns
        #expect(turns?.map(\.up) == item.turns?.map(\.0))
        #expect(turns?.map(\.down) == item.turns?.map(\.1))
    }

    @Test("are not known where HTTP/2 was offered, early data sent, or something is missing")
    func unknown() throws {
        for change in 0..<4 {
            var record = ConnectionRecord.blank
            var facts = TLSFacts()
            (facts.version, facts.handshakeWasRead, facts.blindness) = (.tls13, change != 0, .noKeys)
            if change == 1 { facts.offeredProtocols = [Array("h2".utf8), Array("http/1.1".utf8)] }
            if change == 2 { facts.earlyData = .offered }
            record.tls = facts
            record.hidden = HiddenTraffic(pieces: [], isComplete: change != 3, showsContentLength: true)
            #expect(try #require(HiddenConnection(record, host: [])).turns == nil, "\(change)")
        }
    }
}
