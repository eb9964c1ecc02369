import CCrypto

/// The key derivations of TLS: from the secrets of a key log to the keys of records. Nil where libcrypto refuses, or a
/// length makes no sense.
public enum TLSKeySchedule {
    // MARK: TLS 1.3

    /// HKDF-Expand-Label (RFC 8446 §7.1); `label` without the "tls13 " in front.
    public static func expandLabel(
        secret: [UInt8], label: String, context: [UInt8], length: Int, digest: TLSDigest
    ) -> [UInt8]? {
        guard let info = info(label: label, context: context, length: length) else { return nil }
        return KeyDerivation.expand(secret: secret, info: info, length: length, digest: digest)
    }

    /// The structure HkdfLabel (RFC 8446 §7.1).
    static func info(label: String, context: [UInt8], length: Int) -> [UInt8]? {
        info(prefix: "", label: label, context: context, length: length)
    }

    /// The same for a label in two parts, which need not be put together first.
    static func info(prefix: String, label: String, context: [UInt8], length: Int) -> [UInt8]? {
        let protocolPrefix = "tls13 "
        let count = protocolPrefix.utf8.count + prefix.utf8.count + label.utf8.count
        guard (0...0xFFFF).contains(length), count <= 255, context.count <= 255 else { return nil }
        var info: [UInt8] = []
        info.reserveCapacity(count + context.count + 4)
        info.append(UInt8(length >> 8))
        info.append(UInt8(length & 0xFF))
        info.append(UInt8(count))
        info.append(contentsOf: protocolPrefix.utf8)
        info.append(contentsOf: prefix.utf8)
        info.append(contentsOf: label.utf8)
        info.append(UInt8(context.count))
        info += context
        return info
    }

    /// Key and IV of the records under a traffic secret (RFC 8446 §7.3).
    public static func trafficKey(
        secret: [UInt8], cipher: RecordCipher, digest: TLSDigest
    ) -> (key: [UInt8], iv: [UInt8])? {
        let lengths = cipher.lengths(version: 0x0304)
        guard
            let key = expandLabel(secret: secret, label: "key", context: [], length: lengths.key, digest: digest),
            let iv = expandLabel(secret: secret, label: "iv", context: [], length: lengths.iv, digest: digest)
        else { return nil }
        return (key, iv)
    }

    /// The traffic secret after a KeyUpdate (RFC 8446 §7.2).
    public static func nextTrafficSecret(_ secret: [UInt8], digest: TLSDigest) -> [UInt8]? {
        expandLabel(secret: secret, label: "traffic upd", context: [], length: digest.length, digest: digest)
    }

    // MARK: TLS 1.0 to 1.2

    /// RFC 5246 §8.1. `digest` is the cipher suite's; TLS 1.0 and 1.1 take MD5 and SHA-1 together whatever it is.
    public static func masterSecret(
        premaster: [UInt8], clientRandom: [UInt8], serverRandom: [UInt8], version: UInt16, digest: TLSDigest
    ) -> [UInt8]? {
        pseudorandom(
            secret: premaster, label: "master secret", seed: clientRandom + serverRandom, length: 48, version, digest)
    }

    /// The extended master secret (RFC 7627 §4). `sessionHash`: see `sessionHash(of:version:digest:)`.
    public static func extendedMasterSecret(
        premaster: [UInt8], sessionHash: [UInt8], version: UInt16, digest: TLSDigest
    ) -> [UInt8]? {
        pseudorandom(
            secret: premaster, label: "extended master secret", seed: sessionHash, length: 48, version, digest)
    }

    /// Hash of the handshake messages, without record headers, from ClientHello to ClientKeyExchange (RFC 7627 §3).
    public static func sessionHash(of messages: [UInt8], version: UInt16, digest: TLSDigest) -> [UInt8]? {
        KeyDerivation.hash(messages, name: hashName(version, digest))
    }

    /// The key block, cut into keys (RFC 5246 §6.3).
    public static func keyBlock(
        master: [UInt8], clientRandom: [UInt8], serverRandom: [UInt8], version: UInt16, digest: TLSDigest,
        cipher: RecordCipher
    ) -> ConnectionKeys? {
        let lengths = cipher.lengths(version: version)
        let length = 2 * (lengths.macKey + lengths.key + lengths.iv)
        guard
            let block = pseudorandom(
                secret: master, label: "key expansion", seed: serverRandom + clientRandom, length: length, version,
                digest)
        else { return nil }
        var rest = block[...]
        func cut(_ count: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        return ConnectionKeys(
            clientMACKey: cut(lengths.macKey), serverMACKey: cut(lengths.macKey), clientKey: cut(lengths.key),
            serverKey: cut(lengths.key), clientIV: cut(lengths.iv), serverIV: cut(lengths.iv))
    }

    /// PRF (RFC 5246 §5, RFC 2246 §5); `version` from 0x0301 to 0x0303.
    static func pseudorandom(
        secret: [UInt8], label: String, seed: [UInt8], length: Int, _ version: UInt16, _ digest: TLSDigest
    ) -> [UInt8]? {
        guard (0x0301...0x0303).contains(version) else { return nil }
        return KeyDerivation.pseudorandom(
            secret: secret, seed: Array(label.utf8) + seed, length: length, hash: hashName(version, digest))
    }

    private static func hashName(_ version: UInt16, _ digest: TLSDigest) -> String {
        version < 0x0303 ? "MD5-SHA1" : digest.name
    }
}
