import Testing
import WireTesting

@testable import WireCore

/// What is done with a connection after its handshakes.
struct TLSCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Suites that it makes sense with; empty: two of them.
    var suites: [TLSSuite] = []
    var write: @Sendable (inout LayeredConversation) -> Void

    init(_ name: String, _ suites: [TLSSuite] = [], write: @escaping @Sendable (inout LayeredConversation) -> Void) {
        testDescription = name
        self.suites = suites.isEmpty ? [.aes128GCM13, .aes128CBC12] : suites
        self.write = write
    }
}

@Suite("Audit: what records cost whom")
struct TLSSharingTests {
    static let cases = [
        TLSCase("several requests in one record") { talk in
            talk.seal(.client, (0..<3).flatMap { LayeredConversation.request($0) })
            talk.sendRest(.client)
            talk.seal(.server, (0..<3).flatMap { LayeredConversation.response($0, body: 10 + $0) })
            talk.sendRest(.server)
            talk.acknowledge(.client)
        },
        TLSCase("a message over many records") { talk in
            for run in LayeredConversation.request(0, body: 300) {
                for byte in run.bytes { talk.seal(.client, [KnownRun([byte], run.owner, run.cause)]) }
            }
            talk.sendRest(.client, each: 1000)
            for run in LayeredConversation.response(0, body: 3000) { talk.seal(.server, [run], padding: 3) }
            talk.sendRest(.server)
        },
        TLSCase("a record over many segments") { talk in
            talk.seal(.client, LayeredConversation.request(0, body: 5000))
            talk.sendRest(.client, each: 700)
            talk.seal(.server, LayeredConversation.response(0, body: 900))
            talk.sendRest(.server, each: 1)
            talk.acknowledge(.client)
        },
        TLSCase("many records in one segment") { talk in
            for exchange in 0..<4 { talk.seal(.client, LayeredConversation.request(exchange, body: exchange * 9)) }
            talk.sendRest(.client)
            for exchange in 0..<4 { talk.seal(.server, LayeredConversation.response(exchange)) }
            talk.sendRest(.server)
            talk.acknowledge(.client)
        },
        TLSCase("pipelined requests, records that end inside of messages, segments that end inside of records") {
            talk in
            let runs = (0..<5).flatMap { LayeredConversation.request($0, body: 50) }
            talk.sealCut(.client, runs, each: 33)
            talk.sendRest(.client, each: 71)
            talk.sealCut(.server, (0..<5).flatMap { LayeredConversation.response($0, body: 44) }, each: 61)
            talk.sendRest(.server, each: 47)
            talk.acknowledge(.client)
        },
        TLSCase("an acknowledgment of part of a record") { talk in
            talk.seal(.client, LayeredConversation.request(0))
            talk.sendRest(.client)
            talk.seal(.server, LayeredConversation.response(0, body: 3000))
            let end = talk.streams[1].bytes.count
            let start = talk.streams[1].sent
            for from in stride(from: start, to: end, by: 500) {
                talk.send(.server, from..<min(from + 500, end))
                talk.acknowledge(.client)
            }
        },
        TLSCase("records sent again, late, and overlapping") { talk in
            talk.seal(.client, LayeredConversation.request(0, body: 900) + LayeredConversation.request(1, body: 90))
            let start = talk.streams[0].sent
            let end = talk.streams[0].bytes.count
            talk.send(.client, start + 600..<end)
            talk.send(.client, start + 100..<start + 700)
            talk.send(.client, start..<start + 200)
            talk.send(.client, start..<end)
            talk.seal(.server, LayeredConversation.response(0))
            talk.seal(.server, LayeredConversation.response(1))
            let first = talk.streams[1].bytes.count
            talk.send(.server, first - 40..<first)
            talk.send(.server, first - 70..<first - 20)
            talk.sendUnseen(.server, each: 1000)
            talk.send(.server, first - 30..<first)
            talk.acknowledge(.client)
        },
        TLSCase("close_notify and FIN") { talk in
            talk.exchange(0)
            talk.sealOther(.client, KnownRun.connection, .teardown) { $0.closeNotify(.client) }
            talk.sendRest(.client)
            talk.sealOther(.server, KnownRun.connection, .teardown) { $0.closeNotify(.server) }
            talk.sendRest(.server)
        },
        TLSCase("close_notify behind the response, in its segment") { talk in
            talk.seal(.client, LayeredConversation.request(0))
            talk.sendRest(.client)
            talk.seal(.server, LayeredConversation.response(0))
            talk.sealOther(.server, KnownRun.connection, .teardown) { $0.closeNotify(.server) }
            talk.sendRest(.server)
        },
        TLSCase("an alert") { talk in
            talk.exchange(0)
            talk.sealOther(.client, KnownRun.connection, .tlsRecords) { $0.fatalAlert(.client) }
            talk.sendRest(.client)
        },
        TLSCase("empty records between others") { talk in
            talk.seal(.client, [])
            talk.seal(.client, LayeredConversation.request(0))
            talk.seal(.client, [])
            talk.sendRest(.client)
            talk.seal(.server, [])
            talk.sendRest(.server)
            talk.sealCut(.server, LayeredConversation.response(0), each: 20)
            talk.seal(.server, [])
            talk.sendRest(.server, each: 7)
        },
        TLSCase("session tickets before the response, and KeyUpdates", [.aes128GCM13, .chaCha13]) { talk in
            talk.seal(.client, LayeredConversation.request(0))
            talk.sendRest(.client)
            talk.sealOther(.server, KnownRun.handshake, .setupTLS) { $0.ticket() }
            talk.sealOther(.server, KnownRun.handshake, .setupTLS) { $0.ticket(30) }
            talk.sendRest(.server)
            talk.acknowledge(.client)
            talk.sealOther(.server, KnownRun.handshake, .setupTLS) { $0.ticket(77) }
            talk.seal(.server, LayeredConversation.response(0))
            talk.sendRest(.server)
            talk.sealOther(.client, KnownRun.handshake, .setupTLS) { $0.keyUpdate(.client) }
            talk.seal(.client, LayeredConversation.request(1, body: 33))
            talk.sendRest(.client, each: 50)
            talk.sealOther(.server, KnownRun.handshake, .setupTLS) { $0.keyUpdate(.server) }
            talk.seal(.server, LayeredConversation.response(1))
            talk.sendRest(.server)
        },
        TLSCase("a KeyUpdate inside of a message", [.aes256GCM13]) { talk in
            let runs = LayeredConversation.request(0, body: 100)
            talk.seal(.client, [runs[0]])
            talk.sealOther(.client, KnownRun.handshake, .setupTLS) { $0.keyUpdate(.client) }
            talk.seal(.client, Array(runs[1...]))
            talk.sendRest(.client)
            talk.seal(.server, LayeredConversation.response(0))
            talk.sendRest(.server)
        },
    ]

    @Test("shares records and packets as the account says", arguments: cases)
    func agrees(with example: TLSCase) {
        for suite in example.suites {
            var talk = LayeredConversation(suite)
            example.write(&talk)
            let capture = talk.check(suite.rawValue)
            #expect(capture.exchanges.allSatisfy { $0.flags.isEmpty }, "\(suite)")
            #expect(capture.connections.first?.tls?.blindness == nil, "\(suite)")
        }
    }

    @Test("books known sizes", arguments: [TLSSuite.aes128GCM13, .chaCha12, .aes128GCM12, .aes128CBC12])
    func booksKnownSizes(suite: TLSSuite) {
        var talk = LayeredConversation(suite)
        talk.seal(.client, LayeredConversation.request(0) + LayeredConversation.request(1))
        talk.sendRest(.client)
        talk.seal(.server, LayeredConversation.response(0))
        talk.seal(.server, LayeredConversation.response(1))
        talk.sendRest(.server)
        let capture = talk.check()
        // Two requests of 28 bytes in one record; CBC: 56 + 20 bytes, padded to 80.
        let overhead: [TLSSuite: Int] = [.aes128GCM13: 22, .chaCha12: 21, .aes128GCM12: 29, .aes128CBC12: 45]
        let up = overhead[suite] ?? 0
        #expect(capture.exchanges.map { $0.costs.up[.tlsRecords] } == [up - up / 2, up / 2])
        // In a packet the bytes before the content go with the first owner, those behind it with the last.
        let parts = KnownCosts.share(40, [(0, suite.lead + 28), (1, 28 + up - suite.lead)]).map(\.part)
        #expect(capture.exchanges.map { $0.costs.up[.tcpip] } == parts)
        // 43 bytes; CBC: 63, padded to 64.
        let down = suite == .aes128CBC12 ? 42 : up
        #expect(capture.exchanges.map { $0.costs.down[.tlsRecords] } == [down, down])
    }
}

extension LayeredConversation {
    /// Runs cut into records of so many bytes.
    mutating func sealCut(_ side: Dialogue.Side, _ runs: [KnownRun], each length: Int) {
        var record: [KnownRun] = []
        var room = length
        for run in runs {
            var rest = run.bytes[...]
            while !rest.isEmpty {
                record.append(KnownRun(Array(rest.prefix(room)), run.owner, run.cause))
                let taken = min(room, rest.count)
                rest = rest.dropFirst(taken)
                room -= taken
                guard room == 0 else { continue }
                seal(side, record)
                record = []
                room = length
            }
        }
        if !record.isEmpty { seal(side, record) }
    }

    /// Everything that was written and no segment held.
    mutating func sendUnseen(_ side: Dialogue.Side, each length: Int) {
        while let gap = streams[side.rawValue].isSeen.firstIndex(of: false) {
            let seen = streams[side.rawValue].isSeen[gap...].firstIndex(of: true)
            send(side, gap..<min(gap + length, seen ?? streams[side.rawValue].bytes.count))
        }
        skipSent(side)
    }
}
