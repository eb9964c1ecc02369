/// A record that was opened. `lead + content.count + trail` is the whole record.
public struct OpenedRecord: Sendable, Equatable {
    /// Type of the content; in TLS 1.3 the inner one (RFC 8446 §5.2).
    public var contentType: UInt8
    /// Where the content is in the caller's output.
    public var content: Range<Int>
    /// Bytes of the record before the content: header and explicit nonce or IV.
    public var lead: Int
    /// Bytes behind it: MAC or tag, padding, in TLS 1.3 the inner type.
    public var trail: Int

    public init(contentType: UInt8, content: Range<Int>, lead: Int, trail: Int) {
        self.contentType = contentType
        self.content = content
        self.lead = lead
        self.trail = trail
    }
}

/// Opens the records of one direction under one key: checks their authenticity, and decrypts.
///
/// All cryptography is libcrypto's. A decryptor takes 0.8 to 1.4 kilobytes, 1.9 where records have a MAC of their own.
/// Opening a record allocates nothing here, and nothing in libcrypto but for such MACs.
public final class RecordDecryptor: SecretHolder {
    /// Room that an output gets when it is too short, bytes: more than a record that keeps to the limit of
    /// RFC 5246 §6.2.3, so that it grows once.
    private static let outputSize = 18_437

    private let opener: any RecordOpener

    /// Nil for a cipher that libcrypto lacks, one that the version does not have, SSL 3.0, and keys of other lengths
    /// than `RecordCipher.lengths` says.
    ///
    /// - Parameters:
    ///   - version: 0x0301 (TLS 1.0) to 0x0304 (TLS 1.3); it decides how records look.
    ///   - macKey: empty for ciphers that authenticate by themselves.
    ///   - encryptThenMAC: RFC 7366; without effect on ciphers not in CBC mode.
    public init?(
        _ cipher: RecordCipher, version: UInt16, key: [UInt8], iv: [UInt8], macKey: [UInt8], encryptThenMAC: Bool
    ) {
        let lengths = cipher.lengths(version: version)
        guard (0x0301...0x0304).contains(version), key.count == lengths.key, iv.count == lengths.iv,
            macKey.count == lengths.macKey
        else { return nil }
        let opener: (any RecordOpener)?
        switch cipher {
        case .cbc(let block, let mac):
            opener = BlockRecordOpener(
                cipher, block, mac: RecordMAC(mac, key: macKey), version: version, key: key, iv: iv,
                encryptThenMAC: encryptThenMAC)
        case .null(let mac):
            opener = PlainRecordOpener(RecordMAC(mac, key: macKey), version: version)
        default: opener = SealedRecordOpener(cipher, version: version, key: key, iv: iv)
        }
        guard let opener else { return nil }
        self.opener = opener
    }

    /// Opens a whole record: five bytes of header, and the fragment that the header announces. Nil when it is not
    /// authentic, or cannot be a record; the decryptor is then as it was before.
    ///
    /// - Parameters:
    ///   - sequence: number of the record under this key, from 0.
    ///   - output: where the content goes, at the start of it. Grown when it is too short, never shortened, so that one
    ///     array serves any number of decryptors. After nil its bytes mean nothing.
    public func open(_ record: RawSpan, sequence: UInt64, into output: inout [UInt8]) -> OpenedRecord? {
        guard Self.isWhole(record) else { return nil }
        if output.count < record.byteCount {
            output = [UInt8](repeating: 0, count: max(record.byteCount, Self.outputSize))
        }
        return unsafe output.withUnsafeMutableBytes { room in
            unsafe record.withUnsafeBytes { bytes in
                unsafe opener.open(bytes, sequence: sequence, into: room)
            }
        }
    }

    /// Goes past a whole record that is not to be opened. In CBC of TLS 1.0 its end begins the next record's decryption;
    /// otherwise nothing happens. Where such a record is missing altogether, the next one does not open, but with
    /// encrypt-then-MAC it may, with a wrong first block: the IV is not authenticated.
    public func skip(_ record: RawSpan) {
        guard Self.isWhole(record) else { return }
        unsafe record.withUnsafeBytes { unsafe opener.skip($0) }
    }

    private static func isWhole(_ record: RawSpan) -> Bool {
        guard record.byteCount >= RecordLayout.headerLength else { return false }
        let high = unsafe record.unsafeLoad(fromByteOffset: 3, as: UInt8.self)
        let low = unsafe record.unsafeLoad(fromByteOffset: 4, as: UInt8.self)
        return record.byteCount == RecordLayout.headerLength + Int(high) << 8 + Int(low)
    }
}
