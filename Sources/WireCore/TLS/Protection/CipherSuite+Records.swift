import WireNative

extension CipherSuite {
    /// Opens records of TLS 1.3 that a traffic secret protects (RFC 8446 §7.3); nil where the secret is none of this suite's,
    /// or the cipher is not supported.
    func trafficDecryptor(_ secret: [UInt8]) -> RecordDecryptor? {
        guard let cipher, digest.length == secret.count,
            let traffic = TLSKeySchedule.trafficKey(secret: secret, cipher: cipher, digest: digest)
        else { return nil }
        return RecordDecryptor(
            cipher, version: ProtocolVersion.tls13, key: traffic.key, iv: traffic.iv, macKey: [],
            encryptThenMAC: false)
    }

    /// Before TLS 1.3 the length of a record tells that of its content: no padding lies in it.
    var showsContentLength: Bool {
        switch cipher {
        case .aesGCM, .aesCCM, .chaCha20Poly1305, .ariaGCM, .camelliaGCM, .rc4, .null: true
        case .cbc, nil: false
        }
    }
}

extension TLSSecrets {
    /// The secret that protects records of an epoch; nil where it is not known.
    func secret(of epoch: TLSEpoch, isClient: Bool) -> [UInt8]? {
        switch epoch {
        case .clear: nil
        case .early: isClient ? clientEarly : nil
        case .handshake: isClient ? clientHandshake : serverHandshake
        case .application: isClient ? clientTraffic : serverTraffic
        }
    }
}
