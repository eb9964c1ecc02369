/// The fields that every table of HPACK (RFC 7541, appendix A) or QPACK (RFC 9204, appendix A) holds.
public struct StaticFields: Sendable {
    public struct Entry: Sendable, Equatable {
        public var name: [UInt8]
        public var value: [UInt8]
        /// Bytes of a field that refers to it.
        public var size: Int
    }

    public let entries: [Entry]

    public static let hpack = StaticFields(
        entries: (UInt8(1)...61).compactMap { index in
            var entry: Entry?
            let block = [0x80 | index]
            _ = HPACKInflater()?.inflate(unsafe block.span.bytes, isFinal: true) {
                entry = Entry(name: bytes($0), value: bytes($1), size: $2.size)
            }
            return entry
        })

    public static let qpack = StaticFields(
        entries: (UInt8(0)...98).compactMap { index in
            var entry: Entry?
            // An index of six bits, continued in a second byte.
            let section: [UInt8] = [0, 0] + (index < 63 ? [0xC0 | index] : [0xFF, index - 63])
            _ = QPACKInflater(capacity: 0)?.read(unsafe section.span.bytes, prefix: 2) {
                entry = Entry(name: bytes($0), value: bytes($1), size: $2.size)
            }
            return entry
        })

    private static func bytes(_ span: RawSpan) -> [UInt8] {
        unsafe span.withUnsafeBytes { unsafe Array($0) }
    }
}
