import Testing

@testable import WireCore

@Suite("TLS 1.2 and earlier: set-up without keys")
struct LegacyHandshakeTests {
    typealias Build = HelloBuilder

    /// Records of both sides: client 0, server 1.
    private func run(_ records: [(side: Direction, bytes: [UInt8])], keys: KeyLog? = nil) -> RecordProtection {
        let connection = RecordProtection(keys: keys)
        var trace = TLSTrace("")
        trace.records = records.map { TLSTrace.Record(side: $0.side, bytes: $0.bytes) }
        _ = trace.replay(connection)
        return connection
    }

    static let changeCipherSpec = Build.record(20, 0x0303, [1])
    static let finished = Build.record(22, 0x0303, [UInt8](repeating: 0x99, count: 40))
    static let certificate = Build.message(11, [UInt8](repeating: 0x30, count: 500))

    private func full(
        client: [UInt8] = Build.clientHello(), server: [UInt8] = Build.serverHello(), ticket: Bool = false
    ) -> [(side: Direction, bytes: [UInt8])] {
        let flight = Build.message(2, server) + Self.certificate + Build.message(12, [1, 2]) + Build.message(14, [])
        var records: [(side: Direction, bytes: [UInt8])] = [
            (0, Build.record(22, 0x0301, Build.message(1, client))), (1, Build.record(22, 0x0303, flight)),
            (0, Build.record(22, 0x0303, Build.message(16, [3, 1, 2, 3]))), (0, Self.changeCipherSpec),
            (0, Self.finished),
        ]
        if ticket { records.append((1, Build.record(22, 0x0303, Build.message(4, [0, 0, 0, 1, 0, 1, 9])))) }
        records.append((1, Self.changeCipherSpec))
        records.append((1, Self.finished))
        return records
    }

    private func abbreviated(client: [UInt8], server: [UInt8]) -> [(side: Direction, bytes: [UInt8])] {
        [
            (0, Build.record(22, 0x0301, Build.message(1, client))),
            (1, Build.record(22, 0x0303, Build.message(2, server))), (1, Self.changeCipherSpec), (1, Self.finished),
            (0, Self.changeCipherSpec), (0, Self.finished),
        ]
    }

    static let versions: [(wire: Int, version: TLSVersion, suite: Int, overhead: (lead: Int, trail: Int))] = [
        (0x0300, .ssl3, 0x002F, (5, 0)), (0x0301, .tls10, 0x002F, (5, 21)), (0x0302, .tls11, 0x002F, (21, 21)),
        (0x0303, .tls12, 0x003C, (21, 33)), (0x0303, .tls12, 0xC02F, (13, 16)), (0x0303, .tls12, 0xCCA8, (5, 16)),
        (0x0303, .tls12, 0xC0A0, (13, 8)), (0x0303, .tls12, 0xFAFA, (5, 0)),
    ]

    @Test("counts a full handshake by message, and the certain overhead of data", arguments: versions.indices)
    func countsFullHandshake(index: Int) {
        let version = Self.versions[index]
        let hello = Build.serverHello(version: version.wire, suite: version.suite)
        var records = full(server: hello, ticket: true)
        records.append((1, Build.record(23, version.wire, [UInt8](repeating: 1, count: 100))))
        records.append((0, Build.record(23, version.wire, [1])))
        records.append((0, Build.record(21, version.wire, [UInt8](repeating: 1, count: 40))))
        let connection = run(records)
        let facts = connection.facts
        #expect(facts.version == version.version)
        #expect(facts.cipher?.hasPrefix(version.suite == 0xFAFA ? "0xfafa" : "TLS_") == true)
        #expect(facts.directions.up.messageText == "1×1:\(4 + Build.clientHello().count) 16×1:8")
        #expect(facts.directions.down.messageText == "2×1:\(4 + hello.count) 11×1:504 12×1:6 14×1:4 4×1:11")
        #expect(facts.certificateBytes == 504)
        #expect(facts.tickets == 1 && facts.ticketLifetime == 1)
        #expect(facts.handshakeWasRead && facts.resumption == nil)
        #expect(facts.blindness == .noKeys)
        let header = Build.record(23, version.wire, [UInt8](repeating: 1, count: 100))
        let content = unsafe RecordHeader(header.span.bytes, at: 0).map { connection.count($0, 1, isMissing: false) }
        #expect(content == .encrypted(lead: version.overhead.lead, trail: version.overhead.trail))
    }

    @Test("an overhead never reaches beyond the record", arguments: 0...60)
    func cutsOverhead(length: Int) throws {
        let connection = run(full(server: Build.serverHello(suite: 0x003C)))
        let bytes = Build.record(23, 0x0303, [UInt8](repeating: 1, count: length))
        let header = try #require(unsafe RecordHeader(bytes.span.bytes, at: 0))
        guard case .counted(let lead, let trail) = connection.plan(header, 0) else {
            Issue.record("nobody opens it")
            return
        }
        #expect(lead == min(21, 5 + length) && trail == min(33, 5 + length - lead))
        #expect(connection.count(header, 0, isMissing: false) == .encrypted(lead: lead, trail: trail))
    }

    static let ticketExtension = Build.fieldExtension(ExtensionType.sessionTicket, [1, 2, 3])
    static let session = [UInt8](repeating: 4, count: 32)
    static let resumptions: [(client: [UInt8], server: [UInt8], expected: TLSResumption)] = [
        (Build.clientHello(session: session), Build.serverHello(session: session), .sessionIdentifier),
        (
            Build.clientHello(session: session, extensions: ticketExtension), Build.serverHello(session: session),
            .ticket
        ),
        // A server that resumes from a ticket may leave the identifier out.
        (Build.clientHello(extensions: ticketExtension), Build.serverHello(), .ticket),
    ]

    @Test("knows a resumption", arguments: resumptions.indices)
    func knowsResumption(index: Int) {
        let (client, server, expected) = Self.resumptions[index]
        let facts = run(abbreviated(client: client, server: server)).facts
        #expect(facts.resumption == expected)
        #expect(facts.certificateBytes == 0)
        #expect(facts.handshakeWasRead)
        // The same hellos, but a full handshake follows where the server did not answer the identifier.
        if index == 2 { #expect(run(full(client: client, server: server)).facts.resumption == nil) }
    }

    @Test("a new session identifier is no resumption")
    func knowsNewSession() {
        let client = Build.clientHello(session: Self.session, extensions: Self.ticketExtension)
        let server = Build.serverHello(session: [UInt8](repeating: 5, count: 32))
        #expect(run(full(client: client, server: server)).facts.resumption == nil)
    }

    @Test("the set-up in clear reads the same from records of one byte, and from one record")
    func splitsHandshake() {
        let whole = full(ticket: true)
        let split = whole.flatMap { side, bytes -> [(side: Direction, bytes: [UInt8])] in
            guard bytes[0] == 22, bytes != Self.finished else { return [(side, bytes)] }
            return bytes.dropFirst(5).map { (side, Build.record(22, 0x0303, [$0])) }
        }
        let (one, other) = (run(whole).facts, run(split).facts)
        #expect(one.directions.down.messages == other.directions.down.messages)
        #expect(one.directions.up.messages == other.directions.up.messages)
        #expect(one.cipher == other.cipher && one.certificateBytes == other.certificateBytes)
        #expect(other.directions.down.records > 500)
    }

    @Test(
        "with keys: what cannot be decrypted is found",
        arguments: [
            (0x0300, 0x002F, 0), (0x0303, 0xFAFA, 0), (0x0303, 0xC02F, 1), (0x0303, 0x0005, 0), (0x0303, 0x1301, 0),
        ])
    func findsUnsupported(version: Int, suite: Int, compression: UInt8) {
        let hello = Build.serverHello(version: version, suite: suite, compression: compression)
        let line = "CLIENT_RANDOM \(hex(Build.clientRandom)) \(hex([UInt8](repeating: 1, count: 48)))\n"
        let log = KeyLog()
        unsafe log.add(Array(line.utf8).span.bytes)
        let connection = run(full(server: hello), keys: log)
        #expect(connection.takeFindings() == [.cipherUnsupported])
        #expect(connection.facts.blindness == .unsupported)
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test("an SSL 2.0 hello opens the stream")
    func readsVersion2Hello() {
        let connection = RecordProtection(keys: nil)
        let hello = Build.version2Hello(challenge: Build.clientRandom)
        unsafe connection.openVersion2Hello(hello.span.bytes, 1)
        var trace = TLSTrace("")
        trace.records = full(server: Build.serverHello(version: 0x0301, suite: 0x002F)).dropFirst().map {
            TLSTrace.Record(side: $0.side.opposite, bytes: $0.bytes)
        }
        _ = trace.replay(connection)
        let facts = connection.facts
        #expect(connection.client == 1)
        #expect(facts.version == .tls10 && facts.handshakeWasRead && facts.certificateBytes == 504)
        #expect(facts.directions.up.messageText == "1×1:\(hello.count - 2) 16×1:8")
        #expect(facts.directions.up.handshake == hello.count + 13 + 45)
        #expect(connection.takeFindings() == [])
    }

    @Test("alerts in clear are read, at most eight kept; close_notify is told")
    func readsAlerts() {
        var records: [(side: Direction, bytes: [UInt8])] = [
            (0, Build.record(22, 0x0301, Build.message(1, Build.clientHello())))
        ]
        for _ in 0..<20 { records.append((1, Build.record(21, 0x0303, [2, 40]))) }
        records.append((0, Build.record(21, 0x0303, [1, 0])))
        let facts = run(records).facts
        #expect(
            facts.alerts == [TLSAlert](repeating: TLSAlert(isFromClient: false, level: 2, description: 40), count: 8))
        #expect(facts.closeNotify == Directions(up: true, down: false))
        #expect(facts.version == nil && !facts.handshakeWasRead && facts.serverName == nil)
    }

    @Test("a handshake that contradicts itself is found, and counted", arguments: 0..<5)
    func findsContradictions(index: Int) {
        let hello = (Direction(0), Build.record(22, 0x0301, Build.message(1, Build.clientHello())))
        let answer = (Direction(1), Build.record(22, 0x0303, Build.message(2, Build.serverHello())))
        let stories: [[(side: Direction, bytes: [UInt8])]] = [
            [hello, (1, hello.1)], [hello, answer, answer], [hello, (0, answer.1)],
            // ChangeCipherSpec inside a message.
            [hello, answer, (1, Build.record(22, 0x0303, [11, 0, 1, 0, 7])), (1, Self.changeCipherSpec)],
            [(0, Build.record(22, 0x0301, Build.message(1, [3, 3, 1])))],
        ]
        let connection = run(stories[index])
        #expect(connection.takeFindings() == [.handshakeMalformed])
        let facts = connection.facts
        let total = stories[index].reduce(0) { $0 + $1.bytes.count }
        #expect(facts.directions.up.total + facts.directions.down.total == total)
    }
}
