/// The sending side of one epoch of a TLS connection: makes protected records.
struct TLSSealer: Sendable {
    let suite: TLSSuite
    var key: [UInt8]
    var iv: [UInt8]
    var macKey: [UInt8] = []
    /// TLS 1.3: what key and IV come from.
    var secret: [UInt8] = []
    private var sequence: UInt64 = 0

    /// TLS 1.3 (RFC 8446 §7.3).
    init(_ suite: TLSSuite, secret: [UInt8]) {
        self.suite = suite
        self.secret = secret
        key = TLSCrypto.expandLabel(suite.digest, secret, "key", suite.keyLength)
        iv = TLSCrypto.expandLabel(suite.digest, secret, "iv", 12)
    }

    /// TLS 1.2, with its part of the key block (RFC 5246 §6.3).
    init(_ suite: TLSSuite, key: [UInt8], iv: [UInt8], macKey: [UInt8]) {
        self.suite = suite
        self.key = key
        self.iv = iv
        self.macKey = macKey
    }

    /// The keys after a KeyUpdate (RFC 8446 §7.2).
    mutating func update() {
        self = TLSSealer(
            suite, secret: TLSCrypto.expandLabel(suite.digest, secret, "traffic upd", suite.secretLength))
    }

    /// `padding`: zeros in TLS 1.3; blocks more than needed with CBC.
    mutating func seal(_ type: UInt8, _ content: [UInt8], padding: Int) -> [UInt8] {
        defer { sequence += 1 }
        if suite.isTLS13 { return seal13(content + [type] + [UInt8](repeating: 0, count: padding)) }
        return suite.isCBC ? sealBlocks(type, content, padding) : seal12(type, content)
    }

    private func header(_ type: UInt8, _ length: Int) -> [UInt8] { [type, 3, 3] + [UInt8](be16: UInt16(length)) }

    private var number: [UInt8] {
        [UInt8](be32: UInt32(sequence >> 32)) + [UInt8](be32: UInt32(truncatingIfNeeded: sequence))
    }

    private var mixedNonce: [UInt8] { zip(iv, [0, 0, 0, 0] + number).map { $0 ^ $1 } }

    private func seal13(_ inner: [UInt8]) -> [UInt8] {
        let header = header(23, inner.count + 16)
        return header
            + TLSCrypto.encrypt(suite.cipher, key: key, nonce: mixedNonce, authenticated: header, inner)
    }

    private func seal12(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
        let explicit = suite.isChaCha ? [] : number
        let sealed = TLSCrypto.encrypt(
            suite.cipher, key: key, nonce: suite.isChaCha ? mixedNonce : iv + explicit,
            authenticated: number + header(type, content.count), content)
        return header(type, explicit.count + sealed.count) + explicit + sealed
    }

    private func sealBlocks(_ type: UInt8, _ content: [UInt8], _ padding: Int) -> [UInt8] {
        var text = content
        if !suite.encryptsThenMACs { text += mac(type, content) }
        let length = 15 - text.count % 16 + 16 * padding
        text += [UInt8](repeating: UInt8(length), count: length + 1)
        let iv = (0..<16).map { UInt8(truncatingIfNeeded: sequence &* 7) ^ $0 &* 29 }
        var fragment = iv + TLSCrypto.encrypt(suite.cipher, key: key, nonce: iv, authenticated: nil, text)
        if suite.encryptsThenMACs { fragment += mac(type, fragment) }
        return header(type, fragment.count) + fragment
    }

    private func mac(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
        TLSCrypto.hmac("SHA1", macKey, number + header(type, content.count) + content)
    }
}
