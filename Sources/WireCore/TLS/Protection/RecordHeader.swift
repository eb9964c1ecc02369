import WireNative

/// Content types of records (RFC 8446 §5.1, RFC 6520 §6).
enum RecordType {
    static let changeCipherSpec: UInt8 = 20
    static let alert: UInt8 = 21
    static let handshake: UInt8 = 22
    static let applicationData: UInt8 = 23
    static let heartbeat: UInt8 = 24
}

/// Header of a record (RFC 8446 §5.1).
///
///     type (1)  version (2)  length of the fragment (2)  fragment
struct RecordHeader: Sendable {
    @inline(__always)
    static var length: Int { RecordLayout.headerLength }
    /// Longest fragment: 2¹⁴ bytes of content, and what compression and encryption may add (RFC 5246 §6.2.3).
    static let fragmentLimit = 1 << 14 + 2048

    var contentType: UInt8
    var version: UInt16
    var fragmentLength: Int

    /// Bytes of the record with its header.
    @inline(__always)
    var recordLength: Int { RecordHeader.length + fragmentLength }

    /// Nil where fewer than five bytes are there, or where they cannot be the header of a record: content type not
    /// 20…24, version not 3.0…3.4, no content where only application data may be empty, or a fragment over the limit.
    @inline(__always)
    init?(_ bytes: RawSpan, at offset: Int) {
        guard offset >= 0, bytes.byteCount - offset >= RecordHeader.length else { return nil }
        contentType = bytes.u8(offset)
        version = bytes.be16(offset + 1)
        fragmentLength = Int(bytes.be16(offset + 3))
        guard contentType &- 20 <= 4, version &- 0x0300 <= 4, fragmentLength <= RecordHeader.fragmentLimit,
            fragmentLength > 0 || contentType == RecordType.applicationData
        else { return nil }
    }

    /// Whether the bytes from `offset` on, fewer than five or more, can begin a record's header.
    static func couldBegin(_ bytes: RawSpan, at offset: Int) -> Bool {
        let count = bytes.byteCount - offset
        if count >= length { return RecordHeader(bytes, at: offset) != nil }
        if count >= 1, bytes.u8(offset) &- 20 > 4 { return false }
        if count >= 2, bytes.u8(offset + 1) != 3 { return false }
        if count >= 3, bytes.u8(offset + 2) > 4 { return false }
        return count < 4 || Int(bytes.u8(offset + 3)) << 8 <= fragmentLimit
    }
}
