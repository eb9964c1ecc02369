import WireNative

/// The secrets of a connection of which the capture lacks the beginning.
struct QUICJoin: SecretHolder {
    var secrets: TLSSecrets
    var cipher: QUICCipher
    var version: QUICVersion
    /// The client sent the packet that proved it.
    var isFromClient: Bool
    /// Length of the connection ID of that packet.
    var idLength: Int
}

/// Finds the secrets of a connection of which the capture lacks the ClientHello, by trying those of the key log: the tag of
/// a packet proves which are right.
///
/// - Invariant: what a capture may cost is limited by `budget`, over all its packets.
struct QUICTrial: SecretHolder {
    /// A packet to be tried.
    struct Packet {
        /// Where it lies in the datagram's bytes.
        var range: Range<Int>
        /// Where its number begins, by the length of the connection ID that is assumed; of a long header there is one.
        var numberOffset: (_ idLength: Int) -> Int
        var idLengths: [Int]
        var isShort: Bool
        /// Of a long header.
        var version: QUICVersion?
    }

    /// Openings that may still be tried.
    private var budget: Int
    private(set) var isExhausted = false
    private var secrets: [TLSSecrets] = []
    private var lineCount = -1
    private var output: [UInt8] = []

    /// Connections of a key log that are tried, the latest.
    private static let connectionLimit = 4096
    /// What making the keys of a secret costs, in openings.
    private static let costOfKeys = 8
    /// Highest packet numbers that are tried where there are few secrets, and where there are many.
    private static let highest: (few: UInt64, many: UInt64) = (1 << 20, 1 << 16)
    private static let few = 32

    init(budget: Int) { self.budget = budget }

    /// The secrets that open the packet; nil where none of the log does, or too much was tried.
    mutating func find(_ packet: Packet, _ bytes: RawSpan, _ keys: KeyLog) -> QUICJoin? {
        guard packet.range.upperBound <= bytes.byteCount, !isExhausted else { return nil }
        if keys.mayGrow || lineCount != keys.lineCount {
            secrets = keys.secretsWithTraffic(limit: QUICTrial.connectionLimit)
            lineCount = keys.lineCount
        }
        let content = bytes.extracting(packet.range)
        for candidate in secrets {
            for isClient in [true, false] {
                guard let secret = candidate.secret(of: packet.isShort ? .application : .handshake, isClient: isClient)
                else { continue }
                if let (cipher, version, idLength) = opens(content, packet, secret) {
                    keys.recordMatch()
                    return QUICJoin(
                        secrets: candidate, cipher: cipher, version: version, isFromClient: isClient,
                        idLength: idLength)
                }
                if isExhausted { return nil }
            }
        }
        return nil
    }

    private mutating func opens(
        _ content: RawSpan, _ packet: Packet, _ secret: [UInt8]
    ) -> (QUICCipher, QUICVersion, idLength: Int)? {
        let highest = secrets.count <= QUICTrial.few ? QUICTrial.highest.few : QUICTrial.highest.many
        for version in packet.version.map({ [$0] }) ?? QUICVersion.allCases {
            for cipher in QUICCipher.candidates(secretLength: secret.count) {
                var attempts = QUICTrial.costOfKeys
                guard var keys = QUICKeys(cipher, secret: secret, version) else { continue }
                for idLength in packet.idLengths {
                    let opened = keys.join(
                        content, numberOffset: packet.numberOffset(idLength), isShort: packet.isShort,
                        highest: highest, attempts: &attempts, into: &output)
                    if opened != nil { return (cipher, version, idLength) }
                }
                budget -= attempts
                if budget < 0 { isExhausted = true }
                if isExhausted { return nil }
            }
        }
        return nil
    }
}
