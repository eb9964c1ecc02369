/// Byte order of a pcapng section.
struct PcapngOrder: Sendable, Equatable {
    var littleEndian = true

    init() {}

    /// By the byte-order magic of a section, whose bytes are read here as a big-endian number; nil where it is none.
    init?(mark: UInt32) {
        guard mark == 0x1a2b_3c4d || mark == 0x4d3c_2b1a else { return nil }
        littleEndian = mark == 0x4d3c_2b1a
    }

    @inline(__always)
    func u16(_ bytes: RawSpan, _ offset: Int) -> UInt16 { littleEndian ? bytes.le16(offset) : bytes.be16(offset) }
    @inline(__always)
    func u32(_ bytes: RawSpan, _ offset: Int) -> UInt32 { littleEndian ? bytes.le32(offset) : bytes.be32(offset) }
    @inline(__always)
    func u64(_ bytes: RawSpan, _ offset: Int) -> UInt64 { littleEndian ? bytes.le64(offset) : bytes.be64(offset) }
}

/// Walks the options at the end of a pcapng block: type, length, value, padding to four bytes. An option that does not
/// fit ends the walk, as the end-of-options mark does; options explain frames, so nothing is lost with them.
struct PcapngOptions {
    private var offset: Int
    private let end: Int
    private let order: PcapngOrder

    /// The option last found. Its value is the `length` bytes from `valueOffset` on, all inside the block.
    private(set) var code: UInt16 = 0
    private(set) var valueOffset = 0
    private(set) var length = 0

    init(from offset: Int, to end: Int, order: PcapngOrder) {
        self.offset = offset
        self.end = end
        self.order = order
    }

    /// Moves to the next option; false when there is none.
    mutating func advance(_ bytes: RawSpan) -> Bool {
        guard end - offset >= 4 else { return false }
        code = order.u16(bytes, offset)
        length = Int(order.u16(bytes, offset + 2))
        valueOffset = offset + 4
        guard code != 0, end - valueOffset >= length else { return false }
        offset = valueOffset + (length + 3) & ~3
        return true
    }
}
