/// The 24 bytes at the start of a pcap file.
struct PcapFileHeader: Sendable {
    static let length = 24

    /// What the first four bytes say, read as a big-endian number.
    struct Magic: Sendable {
        var littleEndian: Bool
        /// Nanoseconds in one unit of a timestamp's fraction.
        var fractionUnit: Int64
        /// Bytes of a record's header.
        var recordHeaderLength: Int

        init?(_ value: UInt32) {
            switch value {
            case 0xa1b2_c3d4: self.init(littleEndian: false, fractionUnit: 1000, recordHeaderLength: 16)
            case 0xd4c3_b2a1: self.init(littleEndian: true, fractionUnit: 1000, recordHeaderLength: 16)
            case 0xa1b2_3c4d: self.init(littleEndian: false, fractionUnit: 1, recordHeaderLength: 16)
            case 0x4d3c_b2a1: self.init(littleEndian: true, fractionUnit: 1, recordHeaderLength: 16)
            // The variant of Kuznetsov's patches adds interface index, protocol and packet type to each record.
            case 0xa1b2_cd34: self.init(littleEndian: false, fractionUnit: 1000, recordHeaderLength: 24)
            case 0x34cd_b2a1: self.init(littleEndian: true, fractionUnit: 1000, recordHeaderLength: 24)
            default: return nil
            }
        }

        private init(littleEndian: Bool, fractionUnit: Int64, recordHeaderLength: Int) {
            self.littleEndian = littleEndian
            self.fractionUnit = fractionUnit
            self.recordHeaderLength = recordHeaderLength
        }
    }

    /// In which order a record holds its two lengths.
    enum LengthOrder: Sendable {
        /// Captured, then original: version 2.4.
        case capturedFirst
        /// Original, then captured: before version 2.3, and the 543.0 of one vendor.
        case originalFirst
        /// Version 2.3 was written both ways; the captured length is the smaller one.
        case unknown
    }

    var magic: Magic
    var linkType: LinkType
    var checkSequenceLength: Int
    var lengthOrder: LengthOrder
    /// Longest captured length to believe.
    var frameLimit: Int

    /// Reads the header; the caller has made sure that the buffer holds it.
    init(_ buffer: RawSpan, at offset: Int, magic: Magic) {
        let little = magic.littleEndian
        let major = little ? buffer.le16(offset + 4) : buffer.be16(offset + 4)
        let minor = little ? buffer.le16(offset + 6) : buffer.be16(offset + 6)
        let snapshotLength = Int(little ? buffer.le32(offset + 16) : buffer.be32(offset + 16))
        let network = little ? buffer.le32(offset + 20) : buffer.be32(offset + 20)
        self.magic = magic
        linkType = LinkType(rawValue: network & 0xffff)
        // The P bit says that the top four bits hold the length, in units of 16 bits.
        checkSequenceLength = network & 0x0400_0000 != 0 ? Int(network >> 28) * 2 : 0
        frameLimit = max(CaptureParser.frameLimit, min(snapshotLength, CaptureParser.declaredFrameLimit))
        switch (major, minor) {
        case (2, 0...2), (543, _): lengthOrder = .originalFirst
        case (2, 3): lengthOrder = .unknown
        default: lengthOrder = .capturedFirst
        }
    }
}

/// The records of a pcap file, one after the other.
struct PcapRecords: Sendable {
    private var littleEndian = true
    private var fractionUnit: Int64 = 1000
    /// Units in a second.
    private var fractionLimit: Int64 = 1_000_000
    private var headerLength = 16
    private var lengthOrder = PcapFileHeader.LengthOrder.capturedFirst
    private var frameLimit = CaptureParser.frameLimit
    private(set) var checkSequenceLength = 0
    private(set) var linkType = LinkType.ethernet
    /// Records whose fraction of a second is a second or more, and the frame of the first.
    private(set) var wrongFractions = (count: 0, frame: 0)

    /// A file begins.
    mutating func begin(_ header: PcapFileHeader) {
        littleEndian = header.magic.littleEndian
        fractionUnit = header.magic.fractionUnit
        fractionLimit = 1_000_000_000 / fractionUnit
        headerLength = header.magic.recordHeaderLength
        lengthOrder = header.lengthOrder
        frameLimit = header.frameLimit
        checkSequenceLength = header.checkSequenceLength
        linkType = header.linkType
    }

    /// Fills in what differs from record to record; link type and check sequence are the file's.
    @inline(__always)
    mutating func next(_ buffer: RawSpan, at offset: Int, frame: inout CaptureFrame) -> CaptureParser.Step {
        let available = buffer.byteCount - offset
        guard available >= headerLength else { return .needMore(atLeast: headerLength) }
        // Two loads instead of four: time and fraction, then the two lengths.
        let seconds: Int64
        let fraction: Int64
        var captured: Int
        var original: Int
        if littleEndian {
            let time = buffer.le64(offset)
            let lengths = buffer.le64(offset &+ 8)
            (seconds, fraction) = (Int64(time & 0xffff_ffff), Int64(time >> 32))
            (captured, original) = (Int(lengths & 0xffff_ffff), Int(lengths >> 32))
        } else {
            let time = buffer.be64(offset)
            let lengths = buffer.be64(offset &+ 8)
            (seconds, fraction) = (Int64(time >> 32), Int64(time & 0xffff_ffff))
            (captured, original) = (Int(lengths >> 32), Int(lengths & 0xffff_ffff))
        }
        if lengthOrder != .capturedFirst, lengthOrder == .originalFirst || captured > original {
            swap(&captured, &original)
        }
        // No bytes at all are as rare as too many: one comparison finds both.
        if UInt(bitPattern: captured &- 1) >= UInt(bitPattern: frameLimit) || fraction >= fractionLimit,
            !isRecord(buffer, at: offset, captured, original, frame.number &+ 1, fraction)
        {
            return .damaged(.recordTooLong)
        }
        // Neither sum nor product can leave 64 bits: `captured` is below the limit, and the factors have 32 bits.
        let length = headerLength &+ captured
        guard available >= length else { return .needMore(atLeast: length) }
        frame.number &+= 1
        frame.time = seconds &* 1_000_000_000 &+ fraction &* fractionUnit
        frame.capturedLength = captured
        frame.originalLength = original
        return .frame(dataOffset: offset &+ headerLength, nextOffset: offset &+ length)
    }

    /// Whether an odd record is one: the head of a file, read as a record, has no bytes.
    @inline(never)
    private mutating func isRecord(
        _ buffer: RawSpan, at offset: Int, _ captured: Int, _ original: Int, _ number: Int, _ fraction: Int64
    ) -> Bool {
        guard captured <= frameLimit,
            captured > 0 || original > 0 || !CaptureParser.beginsFile(buffer, at: offset)
        else { return false }
        guard fraction >= fractionLimit else { return true }
        if wrongFractions.count == 0 { wrongFractions.frame = number }
        wrongFractions.count += 1
        return true
    }
}
