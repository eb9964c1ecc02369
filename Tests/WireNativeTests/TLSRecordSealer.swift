import CCrypto

@testable import WireNative

/// The sending side of a record protection, with libcrypto: makes the records that `RecordDecryptor` has to open.
struct TLSRecordSealer {
    struct Protection: Sendable, CustomStringConvertible {
        var cipher: RecordCipher
        var version: UInt16
        var encryptThenMAC = false

        var description: String {
            "\(cipher) \(String(version, radix: 16))\(encryptThenMAC ? " encrypt-then-MAC" : "")"
        }

        /// Every cipher in every version that has it.
        static let all: [Protection] = {
            let sealed: [RecordCipher] = [
                .aesGCM(keyLength: 16), .aesGCM(keyLength: 32), .aesCCM(keyLength: 16, tagLength: 16),
                .aesCCM(keyLength: 16, tagLength: 8), .aesCCM(keyLength: 32, tagLength: 16),
                .aesCCM(keyLength: 32, tagLength: 8), .ariaGCM(keyLength: 16), .ariaGCM(keyLength: 32),
                .chaCha20Poly1305,
            ]
            let blocks: [BlockCipher] = [.aes128, .aes256, .camellia128, .camellia256, .tripleDES, .aria128, .aria256]
            let macs: [TLSDigest] = [.sha1, .sha256, .sha384, .md5]
            var all: [Protection] = []
            for cipher in sealed {
                all += [0x0303, 0x0304].map { Protection(cipher: cipher, version: $0) }
            }
            for version: UInt16 in [0x0301, 0x0302, 0x0303] {
                all += macs.map { Protection(cipher: .null(mac: $0), version: version) }
                for (index, block) in blocks.enumerated() {
                    let cipher = RecordCipher.cbc(block, mac: macs[index % macs.count])
                    all.append(Protection(cipher: cipher, version: version))
                    all.append(Protection(cipher: cipher, version: version, encryptThenMAC: true))
                }
            }
            return all
        }()
    }

    let protection: Protection
    let key: [UInt8]
    let iv: [UInt8]
    let macKey: [UInt8]
    /// Bytes behind the content of the last record.
    private(set) var trail = 0
    private var chained: [UInt8]

    init(_ protection: Protection, seed: UInt8) {
        self.protection = protection
        let lengths = protection.cipher.lengths(version: protection.version)
        func bytes(_ count: Int, _ step: UInt8) -> [UInt8] { (0..<count).map { UInt8($0) &* step &+ seed } }
        key = bytes(lengths.key, 7)
        iv = bytes(lengths.iv, 11)
        macKey = bytes(lengths.macKey, 13)
        chained = iv
    }

    func decryptor() -> RecordDecryptor? {
        RecordDecryptor(
            protection.cipher, version: protection.version, key: key, iv: iv, macKey: macKey,
            encryptThenMAC: protection.encryptThenMAC)
    }

    /// `padding`: zeros in TLS 1.3, whole blocks more than needed in CBC. `plain` replaces what a block cipher encrypts,
    /// and the inner content of TLS 1.3.
    mutating func seal(
        _ type: UInt8, _ content: [UInt8], sequence: UInt64, padding: Int = 0, plain: [UInt8]? = nil
    ) -> [UInt8] {
        let record =
            switch protection.cipher {
            case .cbc(let block, let mac): sealBlocks(block, mac, type, content, sequence, padding, plain)
            case .null(let digest):
                header(type, content.count + digest.length) + content + mac(digest, type, content, sequence)
            default:
                protection.version == 0x0304
                    ? sealInner(plain ?? content + [type] + [UInt8](repeating: 0, count: padding), sequence)
                    : sealExplicit(type, content, sequence)
            }
        trail = record.count - protection.cipher.overhead(version: protection.version, encryptThenMAC: false).lead
        trail -= content.count
        return record
    }

    // MARK: Parts

    private func header(_ type: UInt8, _ length: Int) -> [UInt8] {
        let version = min(protection.version, 0x0303)
        return [type, UInt8(version >> 8), UInt8(version & 0xFF), UInt8(length >> 8), UInt8(length & 0xFF)]
    }

    private static func bytes(_ sequence: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * UInt64($0))) }
    }

    func mac(_ digest: TLSDigest, _ type: UInt8, _ content: [UInt8], _ sequence: UInt64) -> [UInt8] {
        let input = Self.bytes(sequence) + header(type, content.count) + content
        var result = [UInt8](repeating: 0, count: 64)
        var count = 0
        let made = unsafe EVP_Q_mac(
            nil, "HMAC", nil, digest.name, nil, macKey, macKey.count, input, input.count, &result, 64, &count)
        return unsafe made == nil ? [] : Array(result[..<count])
    }

    private mutating func sealBlocks(
        _ block: BlockCipher, _ digest: TLSDigest, _ type: UInt8, _ content: [UInt8], _ sequence: UInt64,
        _ padding: Int, _ plain: [UInt8]?
    ) -> [UInt8] {
        let size = block.blockLength
        var text = content
        if !protection.encryptThenMAC { text += mac(digest, type, content, sequence) }
        let length = size - 1 - text.count % size + padding * size
        text = plain ?? text + [UInt8](repeating: UInt8(min(length, 255)), count: length + 1)
        let isChained = protection.version == 0x0301
        let iv = isChained ? chained : (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) &+ UInt8(sequence & 0xFF) }
        let ciphertext = encrypt(text, nonce: iv).text
        chained = Array(ciphertext.suffix(size))
        var fragment = (isChained ? [] : iv) + ciphertext
        if protection.encryptThenMAC { fragment += mac(digest, type, fragment, sequence) }
        return header(type, fragment.count) + fragment
    }

    private func sealInner(_ inner: [UInt8], _ sequence: UInt64) -> [UInt8] {
        let header = header(23, inner.count + tagLength)
        let sealed = encrypt(inner, nonce: laidOver(sequence), authenticated: header)
        return header + sealed.text + sealed.tag
    }

    private func sealExplicit(_ type: UInt8, _ content: [UInt8], _ sequence: UInt64) -> [UInt8] {
        let authenticated = Self.bytes(sequence) + header(type, content.count)
        let isChaCha = protection.cipher == .chaCha20Poly1305
        // Any value will do; some senders take a random start.
        let explicit = isChaCha ? [] : Self.bytes(sequence &* 3 &+ 0x1122_3344_5566_7788)
        let nonce = isChaCha ? laidOver(sequence) : iv + explicit
        let sealed = encrypt(content, nonce: nonce, authenticated: authenticated)
        let fragment = explicit + sealed.text + sealed.tag
        return header(type, fragment.count) + fragment
    }

    private func laidOver(_ sequence: UInt64) -> [UInt8] {
        zip(iv, [0, 0, 0, 0] + Self.bytes(sequence)).map { $0 ^ $1 }
    }

    private var tagLength: Int {
        if case .aesCCM(_, let length) = protection.cipher { length } else { 16 }
    }

    private func encrypt(
        _ text: [UInt8], nonce: [UInt8], authenticated: [UInt8]? = nil
    ) -> (text: [UInt8], tag: [UInt8]) {
        let context = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var isCCM = false
        if case .aesCCM = protection.cipher { isCCM = true }
        var result = [UInt8](repeating: 0, count: text.count + 32)
        var tag = [UInt8](repeating: 0, count: authenticated == nil ? 0 : tagLength)
        var count: Int32 = 0
        unsafe EVP_EncryptInit_ex(context, Libcrypto.cipher(protection.cipher), nil, nil, nil)
        unsafe EVP_CIPHER_CTX_set_padding(context, 0)
        if authenticated != nil { unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, 12, nil) }
        if isCCM { unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), nil) }
        unsafe EVP_EncryptInit_ex(context, nil, nil, key, nonce)
        if isCCM { unsafe EVP_EncryptUpdate(context, nil, &count, nil, Int32(text.count)) }
        if let authenticated {
            unsafe EVP_EncryptUpdate(context, nil, &count, authenticated, Int32(authenticated.count))
        }
        unsafe EVP_EncryptUpdate(context, &result, &count, text, Int32(text.count))
        if !isCCM { unsafe EVP_EncryptFinal_ex(context, nil, &count) }
        if authenticated != nil {
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), &tag)
        }
        return (Array(result[..<text.count]), tag)
    }
}

extension RecordDecryptor {
    func open(_ record: [UInt8], _ sequence: UInt64, into output: inout [UInt8]) -> OpenedRecord? {
        unsafe open(record.span.bytes, sequence: sequence, into: &output)
    }

    func skip(_ record: [UInt8]) {
        unsafe skip(record.span.bytes)
    }
}
