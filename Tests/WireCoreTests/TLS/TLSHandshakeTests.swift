import Testing

@testable import WireCore

/// Messages only, as CRYPTO frames of QUIC carry them (RFC 9001 §4): no record anywhere.
@Suite("TLS handshake, without records")
struct TLSHandshakeTests {
    typealias Build = HelloBuilder

    /// A piece of the stream of messages of one direction, and the keys that it was protected by.
    private struct Flight {
        var direction: Direction
        var epoch: TLSEpoch
        var bytes: [UInt8]
    }

    private static let version13 = Build.fieldExtension(ExtensionType.supportedVersions, [3, 4])
    private static let presharedKey = Build.fieldExtension(ExtensionType.preSharedKey, [0, 0])
    private static let earlyData = Build.fieldExtension(ExtensionType.earlyData, [])
    private static let retryRandom = TLSTrace.bytes("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c")

    private static func clientHello(_ more: [UInt8] = []) -> [UInt8] {
        Build.message(
            1, Build.clientHello(extensions: Build.serverName("a.test") + Build.protocols(["h3"]) + more))
    }

    private static func serverHello(_ more: [UInt8] = [], random: [UInt8] = Build.serverRandom) -> [UInt8] {
        Build.message(2, Build.serverHello(random: random, suite: 0x1301, extensions: version13 + more))
    }

    /// EncryptedExtensions with ALPN, and what else the server says in them.
    private static func encryptedExtensions(_ more: [UInt8] = []) -> [UInt8] {
        Build.message(8, Build.vector16(Build.protocols(["h3"]) + more))
    }

    private static let certificate = Build.message(11, [UInt8](repeating: 0x30, count: 700))
    private static let finished = Build.message(20, [UInt8](repeating: 9, count: 32))
    private static let ticket = Build.message(4, [UInt8](repeating: 1, count: 60))
    private static let keyUpdate = Build.message(24, [0])

    /// Gives the flights to a handshake in pieces of `size` bytes.
    private func run(_ flights: [Flight], pieces size: Int = .max) -> (handshake: TLSHandshake, changes: [String]) {
        let handshake = TLSHandshake(keys: nil)
        var changes: [String] = []
        for flight in flights {
            var start = 0
            while start < flight.bytes.count {
                let end = min(flight.bytes.count, start + min(size, flight.bytes.count))
                var offset = start
                while let effect = unsafe handshake.next(
                    flight.bytes.span.bytes, &offset, end: end, flight.direction, epoch: flight.epoch)
                {
                    let name = effect.change.map { "\($0)" } ?? "-"
                    changes.append("\(flight.direction.index)\(name)\(effect.endsRecord ? "!" : "")")
                }
                start = end
            }
        }
        return (handshake, changes)
    }

    private static let full: [Flight] = [
        Flight(direction: 0, epoch: .clear, bytes: clientHello()),
        Flight(direction: 1, epoch: .clear, bytes: serverHello()),
        Flight(direction: 1, epoch: .handshake, bytes: encryptedExtensions() + certificate + finished),
        Flight(direction: 0, epoch: .handshake, bytes: finished),
        Flight(direction: 1, epoch: .application, bytes: ticket + ticket + keyUpdate),
    ]

    @Test(
        "a full handshake tells its facts and changes keys in order, whatever the pieces",
        arguments: [1, 2, 3, 5, 64, 10_000])
    func fullHandshake(size: Int) {
        let (handshake, changes) = run(Self.full, pieces: size)
        #expect(
            changes == ["0-", "1serverHello!", "1-", "1-", "1finished!", "0finished!", "1-", "1-", "1keyUpdate!"])
        #expect(handshake.client == 0)
        let known = handshake.known
        #expect(known.version == .tls13 && known.cipher == "TLS_AES_128_GCM_SHA256" && known.handshakeWasRead)
        #expect(known.applicationProtocol == Array("h3".utf8) && known.serverName == Array("a.test".utf8))
        #expect(known.certificateBytes == 704 && known.tickets == 2 && known.keyUpdates == 1)
        // No ticket is taken for longer than seven days, whatever the server says.
        #expect(known.ticketLifetime == 604_800)
        #expect(known.resumption == nil && known.earlyData == nil)
        #expect(handshake.directions[1].counts.map(\.count) == [1, 1, 1, 1, 2, 1])
        #expect(Array(handshake.findings.takeNew()) == [])
    }

    @Test(
        "how long a ticket is taken stands at its beginning; 0 takes none",
        arguments: [([0, 0, 0x1C, 0x20], 7200), ([0, 0, 0, 0], 0), ([0, 0, 1], nil)] as [([UInt8], Int?)])
    func ticketLifetime(first: [UInt8], seconds: Int?) {
        let body = first.count < 4 ? first : first + [UInt8](repeating: 9, count: 40)
        var flights = Self.full
        flights[4].bytes = Build.message(4, body)
        #expect(run(flights, pieces: 3).handshake.known.ticketLifetime == seconds)
    }

    @Test("a resumed handshake says whether the server took the early data", arguments: [true, false])
    func earlyData(isAccepted: Bool) {
        let extensions = Self.encryptedExtensions(isAccepted ? Self.earlyData : [])
        let hello = Self.clientHello(Self.earlyData + Self.presharedKey)
        let (handshake, changes) = run([
            Flight(direction: 0, epoch: .clear, bytes: hello),
            Flight(direction: 1, epoch: .clear, bytes: Self.serverHello(Self.presharedKey)),
            Flight(direction: 1, epoch: .handshake, bytes: extensions + Self.finished),
            Flight(direction: 0, epoch: .early, bytes: Build.message(5, [])),
            Flight(direction: 0, epoch: .handshake, bytes: Self.finished),
        ])
        #expect(
            changes == ["0earlyDataBegins", "1serverHello!", "1-", "1finished!", "0endOfEarlyData!", "0finished!"])
        #expect(handshake.known.earlyData == (isAccepted ? .accepted : .rejected))
        #expect(handshake.known.resumption == .preSharedKey && handshake.known.certificateBytes == 0)
    }

    @Test("a HelloRetryRequest refuses early data, and the second ClientHello offers none")
    func retry() {
        let (handshake, changes) = run([
            Flight(direction: 0, epoch: .clear, bytes: Self.clientHello(Self.earlyData + Self.presharedKey)),
            Flight(direction: 1, epoch: .clear, bytes: Self.serverHello(random: Self.retryRandom)),
            Flight(direction: 0, epoch: .clear, bytes: Self.clientHello(Self.earlyData)),
            Flight(direction: 1, epoch: .clear, bytes: Self.serverHello()),
        ])
        #expect(changes == ["0earlyDataBegins", "1earlyDataIsRefused", "0-", "1serverHello!"])
        #expect(handshake.known.helloRetryRequested && handshake.known.earlyData == .rejected)
    }

    private struct Refusal {
        var name: String
        var flights: [Flight]
        var findings: [FindingCode]
        var version: TLSVersion?
    }

    private static let refusals = [
        Refusal(
            name: "a ServerHello from the client",
            flights: [
                Flight(direction: 0, epoch: .clear, bytes: clientHello()),
                Flight(direction: 0, epoch: .clear, bytes: serverHello()),
            ], findings: [.handshakeMalformed], version: nil),
        Refusal(
            name: "a second ServerHello",
            flights: Array(full.prefix(3)) + [Flight(direction: 1, epoch: .clear, bytes: serverHello())],
            findings: [.handshakeMalformed], version: .tls13),
        Refusal(
            name: "a ClientHello behind the ServerHello",
            flights: Array(full.prefix(2)) + [Flight(direction: 0, epoch: .clear, bytes: clientHello())],
            findings: [.handshakeMalformed], version: .tls13),
        Refusal(
            name: "a hello that is cut",
            flights: [Flight(direction: 0, epoch: .clear, bytes: Build.message(1, [3, 3, 1]))],
            findings: [.handshakeMalformed], version: nil),
        Refusal(
            name: "a stream that begins with another message",
            flights: [Flight(direction: 0, epoch: .clear, bytes: certificate + clientHello())], findings: [],
            version: nil),
    ]

    @Test("what no endpoint may send changes no key", arguments: refusals.indices)
    func refuses(index: Int) {
        let refusal = Self.refusals[index]
        let (handshake, changes) = run(refusal.flights)
        #expect(Array(handshake.findings.takeNew()) == refusal.findings, "\(refusal.name)")
        #expect(handshake.known.version == refusal.version, "\(refusal.name)")
        #expect(changes.filter { $0.contains("serverHello") }.count == (refusal.version == nil ? 0 : 1))
    }
}
