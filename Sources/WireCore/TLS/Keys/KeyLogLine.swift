/// A line of which not all bytes came yet.
struct KeyLogLine {
    /// Longest line that is read, bytes; no secret needs more than about 4,300.
    static let limit = 8192

    private(set) var bytes: [UInt8] = []
    /// Its bytes are not kept.
    private(set) var isTooLong = false

    var isEmpty: Bool { bytes.isEmpty && !isTooLong }

    mutating func append(_ more: RawSpan) {
        guard !isTooLong else { return }
        if more.byteCount > Self.limit - bytes.count {
            isTooLong = true
            bytes = []
        } else {
            more.append(0..<more.byteCount, to: &bytes)
        }
    }

    mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        isTooLong = false
    }
}

/// The fields of a line, between spaces and tabs. A comment has none.
struct KeyLogFields: ~Escapable {
    private let line: RawSpan
    private var offset = 0

    /// What some editors put at the beginning of a text: U+FEFF.
    private static let byteOrderMark: StaticString = "\u{FEFF}"

    @_lifetime(copy line)
    init(_ line: RawSpan) {
        self.line = line
        if line.hasBytes(Self.byteOrderMark, at: 0) { offset = Self.byteOrderMark.utf8CodeUnitCount }
    }

    /// Where the next field is; nil behind the last.
    @_lifetime(self: copy self)
    mutating func next() -> Range<Int>? {
        while offset < line.byteCount, Self.isSpace(line.u8(offset)) { offset += 1 }
        guard offset < line.byteCount else { return nil }
        if line.u8(offset) == 0x23 {
            offset = line.byteCount
            return nil
        }
        let start = offset
        while offset < line.byteCount, !Self.isSpace(line.u8(offset)) { offset += 1 }
        return start..<offset
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D
    }
}
