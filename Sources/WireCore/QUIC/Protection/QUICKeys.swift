import WireNative

/// What opens the packets of one direction at one level: header protection, and the key in use with its neighbours.
///
/// Header protection stays when keys are updated (RFC 9001 §6.1).
struct QUICKeys {
    private let cipher: QUICCipher
    private let prefix: String
    private let header: QUICHeaderProtection
    private var secret: [UInt8]
    private var current: QUICPacketOpener
    private var previous: QUICPacketOpener?
    private var next: (opener: QUICPacketOpener, secret: [UInt8])?
    /// Packets of which the key could not be told were tried with the next one, and did not open.
    private var failedUpdates = 0
    /// Key updates so far.
    private(set) var updates = 0

    /// Tries of the next key that failed, beyond which no more are made until a packet opens.
    private static let failureLimit = 64

    /// `derivation`: that of an Initial's secret.
    init?(
        _ cipher: QUICCipher, secret: [UInt8], _ version: QUICVersion, _ derivation: QUICInitialDerivation? = nil
    ) {
        let prefix = version.labelPrefix
        guard let source = QUICSecret(cipher, secret, prefix: prefix, derivation: derivation),
            let header = QUICHeaderProtection(source), let opener = QUICPacketOpener(source)
        else { return nil }
        (self.cipher, self.prefix, self.header, self.secret) = (cipher, prefix, header, secret)
        current = opener
    }

    /// Keys of Initial packets, which anyone can make (RFC 9001 §5.2).
    init?(_ initial: QUICInitialSecret, isClient: Bool, _ derivation: QUICInitialDerivation) {
        self.init(.aes128GCM, secret: initial.bytes(isClient: isClient), initial.version, derivation)
    }

    /// All that may be of a secret: the suite is not known before the ServerHello was read, nor which version was agreed
    /// on. The latest version first.
    static func candidates(_ secret: [UInt8], _ suite: CipherSuite?, _ versions: [QUICVersion]) -> [QUICKeys] {
        var ciphers = QUICCipher.candidates(secretLength: secret.count)
        if let suite, let cipher = QUICCipher(suite) { ciphers = [cipher] }
        return ciphers.flatMap { cipher in
            versions.reversed().compactMap { QUICKeys(cipher, secret: secret, $0) }
        }
    }

    /// Opens a packet, a range of the datagram.
    /// - Parameters:
    ///   - largest: the highest number of the space so far.
    ///   - isShort: a short header: its key phase counts, and other bits of the first byte are protected.
    mutating func open(
        _ packet: RawSpan, numberOffset: Int, largest: UInt64?, isShort: Bool, into output: inout [UInt8]
    ) -> QUICOpenedPacket? {
        guard numberOffset > 0, let mask = header.mask(packet, sampleAt: numberOffset + 4) else { return nil }
        let clear = clearHeader(packet, numberOffset, mask, isShort: isShort)
        guard numberOffset + clear.numberLength + QUICCipher.tagLength <= packet.byteCount else { return nil }
        let number = QUICKeys.number(
            clear.truncatedNumber, bits: UInt64(8 * clear.numberLength), largest: largest)
        let attempt = Attempt(numberOffset: numberOffset, clear: clear, number: number)
        guard
            let count = isShort
                ? openShort(packet, attempt, largest, &output) : open(packet, attempt, current, &output)
        else { return nil }
        return QUICOpenedPacket(number: number, headerLength: numberOffset + clear.numberLength, count: count)
    }

    /// A packet whose header is clear.
    private struct Attempt {
        var numberOffset: Int
        var clear: QUICClearHeader
        var number: UInt64
    }

    /// Updates of the keys before the capture's beginning that `join` allows for.
    private static let joinedUpdates = 4

    /// Opens the first packet that is met of a number space whose beginning was not captured: the high bits of its number
    /// are unknown, and of a short header how often the keys were updated.
    ///
    /// - Parameters:
    ///   - highest: the highest packet number that is tried.
    ///   - attempts: goes up by one for each that is tried.
    mutating func join(
        _ packet: RawSpan, numberOffset: Int, isShort: Bool, highest: UInt64, attempts: inout Int,
        into output: inout [UInt8]
    ) -> QUICOpenedPacket? {
        attempts += 1
        guard numberOffset > 0, let mask = header.mask(packet, sampleAt: numberOffset + 4) else { return nil }
        let clear = clearHeader(packet, numberOffset, mask, isShort: isShort)
        // The reserved bits are zero (RFC 9000 §17.2, §17.3.1), which spares most wrong tries.
        guard clear.first & (isShort ? 0x18 : 0x0C) == 0,
            numberOffset + clear.numberLength + QUICCipher.tagLength <= packet.byteCount
        else { return nil }
        var keys = self
        let bits = UInt64(8 * clear.numberLength)
        for update in 0...(isShort ? QUICKeys.joinedUpdates : 0) {
            if update > 0 { guard keys.update() else { return nil } }
            guard !isShort || Int(clear.first >> 2) & 1 == update & 1 else { continue }
            for high in 0...highest >> bits {
                let number = high << bits | UInt64(clear.truncatedNumber)
                attempts += 1
                let attempt = Attempt(numberOffset: numberOffset, clear: clear, number: number)
                guard let count = open(packet, attempt, keys.current, &output) else { continue }
                self = keys
                return QUICOpenedPacket(
                    number: number, headerLength: numberOffset + clear.numberLength, count: count)
            }
        }
        return nil
    }

    /// The next key takes the place of the current one.
    private mutating func update() -> Bool {
        guard let following = next ?? makeNext() else { return false }
        (previous, current, secret, next) = (current, following.opener, following.secret, nil)
        updates += 1
        failedUpdates = 0
        return true
    }

    private func clearHeader(
        _ packet: RawSpan, _ numberOffset: Int, _ mask: UInt64, isShort: Bool
    ) -> QUICClearHeader {
        let first = packet.u8(0) ^ (UInt8(truncatingIfNeeded: mask >> 32) & (isShort ? 0x1F : 0x0F))
        let length = Int(first & 3) + 1
        var truncated: UInt32 = 0
        for index in 0..<min(length, packet.byteCount - numberOffset) {
            let byte = packet.u8(numberOffset + index) ^ UInt8(truncatingIfNeeded: mask >> UInt64(24 - 8 * index))
            truncated = truncated << 8 | UInt32(byte)
        }
        return QUICClearHeader(first: first, truncatedNumber: truncated, numberLength: length)
    }

    private func open(
        _ packet: RawSpan, _ attempt: Attempt, _ opener: QUICPacketOpener, _ output: inout [UInt8]
    ) -> Int? {
        opener.open(
            packet, numberOffset: attempt.numberOffset, attempt.clear, number: attempt.number, into: &output)
    }

    /// The key phase bit of the first packet under the next key differs (RFC 9001 §6.3); so does that of a late packet
    /// under the key before.
    private mutating func openShort(
        _ packet: RawSpan, _ attempt: Attempt, _ largest: UInt64?, _ output: inout [UInt8]
    ) -> Int? {
        if (attempt.clear.first >> 2) & 1 == UInt8(updates & 1) {
            return open(packet, attempt, current, &output)
        }
        let isLate = largest.map { attempt.number < $0 } ?? false
        if isLate, let previous, let count = open(packet, attempt, previous, &output) { return count }
        guard failedUpdates < QUICKeys.failureLimit else { return nil }
        if next == nil { next = makeNext() }
        if let next, let count = open(packet, attempt, next.opener, &output) {
            _ = update()
            return count
        }
        failedUpdates += 1
        guard !isLate, let previous else { return nil }
        return open(packet, attempt, previous, &output)
    }

    private func makeNext() -> (opener: QUICPacketOpener, secret: [UInt8])? {
        guard
            let secret = TLSKeySchedule.expandLabel(
                secret: secret, label: prefix + "ku", context: [], length: cipher.digest.length, digest: cipher.digest),
            let source = QUICSecret(cipher, secret, prefix: prefix), let opener = QUICPacketOpener(source)
        else { return nil }
        return (opener, secret)
    }

    /// The whole packet number: that with the bits that were sent which is nearest to the one expected next (RFC 9000
    /// §A.3).
    static func number(_ truncated: UInt32, bits: UInt64, largest: UInt64?) -> UInt64 {
        let expected = largest.map { $0 + 1 } ?? 0
        let window: UInt64 = 1 << bits
        let half = window / 2
        let candidate = expected & ~(window - 1) | UInt64(truncated)
        if candidate + half <= expected, candidate < (1 << 62) - window { return candidate + window }
        if candidate > expected + half, candidate >= window { return candidate - window }
        return candidate
    }
}

/// A packet that was opened; its frames are the first `count` bytes of the output.
struct QUICOpenedPacket: Sendable {
    var number: UInt64
    var headerLength: Int
    var count: Int
}

extension QUICCipher {
    /// That of a suite of TLS 1.3; nil for others.
    init?(_ suite: CipherSuite) {
        switch suite.identifier {
        case 0x1301: self = .aes128GCM
        case 0x1302: self = .aes256GCM
        case 0x1303: self = .chaCha20Poly1305
        case 0x1304: self = .aes128CCM
        default: return nil
        }
    }

    /// Those that a secret of so many bytes may be of.
    static func candidates(secretLength: Int) -> [QUICCipher] {
        secretLength == 48 ? [.aes256GCM] : secretLength == 32 ? [.aes128GCM, .chaCha20Poly1305, .aes128CCM] : []
    }
}
