/// What surrounds the content of a record, and what of it is authenticated.
public enum RecordLayout {
    /// Content type, two bytes of version, two of length.
    @inlinable
    public static var headerLength: Int { 5 }
    /// What is authenticated with the content in TLS 1.2 and earlier: sequence number, type, version, length.
    static let authenticatedLength = 13

    /// Writes the thirteen bytes for a content of this length (RFC 5246 §6.2.3.3, §6.2.3.1).
    static func writeAuthenticated(
        _ memory: UnsafeMutableRawPointer, sequence: UInt64, record: UnsafeRawBufferPointer, length: Int
    ) {
        unsafe memory.storeBytes(of: sequence.bigEndian, as: UInt64.self)
        for index in 0..<3 { unsafe memory.storeBytes(of: record[index], toByteOffset: 8 + index, as: UInt8.self) }
        unsafe memory.storeBytes(of: UInt8(length >> 8 & 0xFF), toByteOffset: 11, as: UInt8.self)
        unsafe memory.storeBytes(of: UInt8(length & 0xFF), toByteOffset: 12, as: UInt8.self)
    }

    /// The content in an opened TLS 1.3 record: ahead of any number of zeros is its type (RFC 8446 §5.2). Nil when there
    /// are only zeros.
    static func openedInner(
        _ record: UnsafeRawBufferPointer, inner: UnsafeRawBufferPointer
    ) -> OpenedRecord? {
        var end = inner.count
        while unsafe end > 0 && inner[end - 1] == 0 { end -= 1 }
        guard end > 0 else { return nil }
        return unsafe OpenedRecord(
            contentType: inner[end - 1], content: 0..<end - 1, lead: headerLength,
            trail: record.count - headerLength - (end - 1))
    }
}
