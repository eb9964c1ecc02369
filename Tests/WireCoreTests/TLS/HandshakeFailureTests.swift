import Testing
import WireCore

/// Facts of a connection and what its handshake came to.
private struct FailureCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var close = ConnectionClose.fin
    var version: TLSVersion?
    /// Bytes of records: handshake, application data, change of cipher.
    var up = (517, 0, 0)
    var down = (0, 0, 0)
    var alerts: [TLSAlert] = []
    var blindness: TLSBlindness?
    var isDecrypted = false
    var earlyData: TLSEarlyData?
    var expected: TLSHandshakeFailure?

    var failure: TLSHandshakeFailure? {
        var facts = TLSFacts()
        facts.version = version
        (facts.directions.up.handshake, facts.directions.up.applicationData, facts.directions.up.changeCipherSpec) = up
        (facts.directions.down.handshake, facts.directions.down.applicationData) = (down.0, down.1)
        facts.directions.down.changeCipherSpec = down.2
        facts.alerts = alerts
        facts.blindness = blindness
        facts.isDecrypted = isDecrypted
        facts.earlyData = earlyData
        return facts.handshakeFailure(close: close)
    }
}

private let fatal = [TLSAlert(isFromClient: true, level: 2, description: 48)]

private let failureCases: [FailureCase] = [
    FailureCase(
        testDescription: "TLS 1.2: the client refuses", version: .tls12, down: (1207, 0, 0), alerts: fatal,
        expected: .alert),
    FailureCase(
        testDescription: "TLS 1.3: the client refuses, the server's handshake looks like data", version: .tls13,
        down: (127, 1231, 6), alerts: fatal, blindness: .noKeys, expected: .alert),
    FailureCase(
        testDescription: "TLS 1.3: the client's alert is encrypted", version: .tls13, up: (517, 24, 6),
        down: (127, 1231, 6),
        blindness: .noKeys, expected: .closed),
    FailureCase(testDescription: "the server closes at once", expected: .closed),
    FailureCase(testDescription: "the server resets", close: .reset, expected: .closed),
    FailureCase(
        testDescription: "a server's warning is not why", version: .tls12,
        alerts: [TLSAlert(isFromClient: false, level: 1, description: 112)], expected: .closed),
    FailureCase(
        testDescription: "TLS 1.2: only the client changed its cipher", version: .tls12, up: (313, 0, 6),
        down: (1539, 0, 0), expected: .closed),
    FailureCase(
        testDescription: "TLS 1.2: a connection that was opened and not used", version: .tls12, up: (313, 0, 6),
        down: (1539, 0, 6)),
    FailureCase(
        testDescription: "TLS 1.3: the client has finished", version: .tls13, up: (517, 58, 6), down: (127, 1231, 6),
        blindness: .noKeys),
    FailureCase(
        testDescription: "TLS 1.2 with data", version: .tls12, up: (313, 1073, 6), down: (1539, 5239, 6),
        blindness: .noKeys),
    FailureCase(testDescription: "still open", close: .open, version: .tls12, alerts: fatal),
    FailureCase(testDescription: "given up", close: .idle),
    FailureCase(testDescription: "decrypted", version: .tls13, down: (127, 1231, 6), isDecrypted: true),
    FailureCase(testDescription: "the handshake is not in the capture", up: (0, 0, 0), blindness: .noHandshake),
    FailureCase(testDescription: "a part of it is not", version: .tls12, blindness: .gap),
    FailureCase(testDescription: "early data was sent", version: .tls13, down: (127, 1231, 6), earlyData: .offered),
]

@Suite("TLS handshakes that fail")
struct HandshakeFailureTests {
    @Test("are told from those that succeed and those that cannot be known", arguments: failureCases)
    fileprivate func failures(scene: FailureCase) { #expect(scene.failure == scene.expected) }
}
