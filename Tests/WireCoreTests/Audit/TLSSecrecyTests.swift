import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: TLS without the right keys")
struct TLSSecrecyTests {
    private static let suites: [TLSSuite] = [.aes128GCM13, .chaCha12, .aes128GCM12, .aes128CBC12]

    private func encrypted(_ suite: TLSSuite) -> (talk: LayeredConversation, content: [Int], overhead: [Int]) {
        var talk = LayeredConversation(suite)
        var content = [0, 0]
        var overhead = [0, 0]
        if suite.isTLS13 {
            // The encrypted part of the handshake looks like data: Finished of the client; of the server also
            // EncryptedExtensions with ALPN, Certificate and CertificateVerify.
            content = [36, 21 + 904 + 74 + 36]
            overhead = [22, 22]
        }
        for length in [(100, 500), (64, 5000)] {
            for (side, count) in [(Dialogue.Side.client, length.0), (.server, length.1)] {
                let bytes = side == .client ? LayeredConversation.request(0) : LayeredConversation.response(0)
                let text = bytes.flatMap(\.bytes)
                talk.seal(side, [KnownRun(text + .filler(count - text.count), 0, .body)])
                talk.sendRest(side, each: 1400)
                let certain = certainOverhead(suite)
                overhead[side.rawValue] += certain
                content[side.rawValue] += suite.recordLength(count) - certain
            }
            talk.acknowledge(.client)
        }
        return (talk, content, overhead)
    }

    /// Bytes of every record that are no content, whatever the content is.
    private func certainOverhead(_ suite: TLSSuite) -> Int {
        switch suite {
        // At least one byte of padding, and 20 of MAC.
        case .aes128CBC12, .aes256CBC12: 5 + 16 + 21
        default: suite.lead + suite.trail(0)
        }
    }

    @Test("without keys: records, opaque bytes and a row for the host", arguments: suites)
    func withoutKeys(suite: TLSSuite) {
        let (talk, content, overhead) = encrypted(suite)
        let capture = talk.audit(keys: "")
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.isEmpty)
        let costs = capture.connections[0].costs
        #expect(costs.up[.opaque] == content[0] && costs.down[.opaque] == content[1])
        #expect(costs.up[.tlsRecords] == overhead[0] && costs.down[.tlsRecords] == overhead[1])
        #expect(capture.result.apis.map(\.api) == ["https://api.example.com (encrypted)"])
        #expect(capture.result.apis.map(\.isEncrypted) == [true])
        #expect(capture.result.apis[0].costs == costs)
        #expect(capture.connections[0].tls?.blindness == .noKeys || capture.findings(.keyMissing) == 0)
        #expect(capture.findings(.keyMissing) == 0)
        #expect(capture.connections[0].serverName.map { String(decoding: $0, as: UTF8.self) } == "api.example.com")
    }

    @Test("keys of another connection, or wrong ones", arguments: suites)
    func wrongKeys(suite: TLSSuite) throws {
        let (talk, content, overhead) = encrypted(suite)
        var stranger = TLSPeers(suite, seed: 99)
        _ = stranger.handshake()
        var capture = talk.audit(keys: stranger.keyLog)
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.isEmpty)
        #expect(capture.findings(.keyMissing) == 1 && capture.findings(.keyWrong) == 0)
        #expect(capture.connections[0].tls?.blindness == .keyMissing)
        #expect(capture.connections[0].costs.down[.opaque] == content[1])
        #expect(capture.connections[0].costs.down[.tlsRecords] == overhead[1])
        // The right client random with secrets of the other.
        let own = try #require(talk.peers?.keyLog)
        let lines = zip(own.split(separator: "\n"), stranger.keyLog.split(separator: "\n"))
        let wrong = lines.map { line, other in
            (line.split(separator: " ").prefix(2) + other.split(separator: " ").suffix(1)).joined(separator: " ") + "\n"
        }
        capture = talk.audit(keys: wrong.joined())
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.isEmpty)
        #expect(capture.findings(.keyWrong) == 1)
        #expect(capture.connections[0].tls?.blindness == .keyWrong)
        #expect(capture.result.apis.map(\.isEncrypted) == [true])
    }

    @Test("the row of an encrypted host pays set-up whatever the policy", arguments: SetupPolicy.allCases)
    func policies(policy: SetupPolicy) {
        let (talk, _, _) = encrypted(.aes128GCM13)
        var options = AuditOptions()
        options.setup = policy
        let capture = audit(talk.talk.frames, options, keys: "")
        #expect(capture.contradictions == [])
        #expect(capture.result.apis.map(\.isEncrypted) == [true])
        #expect(capture.result.apis[0].costs == capture.connections[0].costs)
        #expect(capture.result.apis[0].costs.up[.setupTCP] == 80)
        #expect(capture.result.apis[0].costs.up[.setupTLS] > 100)
    }

    @Test("set-up of TLS follows the policy where the exchanges are known", arguments: SetupPolicy.allCases)
    func sharesSetup(policy: SetupPolicy) {
        var talk = LayeredConversation(.aes128GCM13)
        for exchange in 0..<3 { talk.exchange(exchange) }
        var options = AuditOptions()
        options.setup = policy
        let capture = audit(talk.talk.frames, options, keys: talk.peers?.keyLog ?? "")
        #expect(capture.contradictions == [])
        let setup = talk.account[0][KnownRun.connection]["setup.tls"] ?? 0
        let shares: [Int] =
            switch policy {
            case .first: [setup, 0, 0]
            case .even: KnownCosts.share(setup, [(0, 1), (1, 1), (2, 1)]).map(\.part)
            case .separate: [0, 0, 0]
            }
        #expect(capture.exchanges.map { $0.costs.up[.setupTLS] } == shares)
    }
}
