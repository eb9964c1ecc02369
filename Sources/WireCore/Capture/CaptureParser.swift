/// Reads a capture, pcap or pcapng, from bytes that somebody else fetches.
///
/// The caller keeps a window on the file and calls `next` again and again, each time at the offset that the last step
/// named. A frame's bytes stay where they are, in the caller's buffer:
///
///     buffer  | header | record | record | record | rec…
///                               ^ offset          ^ needMore(atLeast:): keep from here, read on, come again
///
/// Every whole record before damage or the end of the file is delivered; nothing behind it is. A file may follow another one
/// in the same bytes (`cat a b`): both are read. Memory is bounded: the interfaces of one section, secrets up to `secretsLimit`, and names that the caller has not taken yet.
///
/// Sources: draft-ietf-opsawg-pcap, draft-ietf-opsawg-pcapng.
public struct CaptureParser: Sendable {
    public enum Format: String, Sendable {
        case pcap, pcapng
    }

    public enum Step: Sendable, Equatable {
        /// A frame; `CaptureParser.frame` tells of it. Its `frame.capturedLength` bytes begin at `dataOffset`.
        case frame(dataOffset: Int, nextOffset: Int)
        /// Something that is no frame. `nextOffset` may lie beyond the buffer: skip that many bytes of the file.
        case skipped(nextOffset: Int)
        /// The buffer must hold at least this many bytes from the offset on.
        case needMore(atLeast: Int)
        /// Every byte was read, and the last record was whole.
        case end
        /// The input ends inside the record (or file header) that begins at `position`.
        case cut
        /// The record that begins at `position` cannot be right.
        case damaged(CaptureDamage)
        /// The first bytes are those of neither format.
        case notACapture
    }

    /// Longest captured length that is believed without the file's snapshot length saying so, bytes.
    public static let frameLimit = 16 << 20
    /// Longest captured length that is believed at all, bytes.
    public static let declaredFrameLimit = 128 << 20
    /// Most bytes of decryption secrets that are kept.
    public static let secretsLimit = 16 << 20

    /// Known once the first bytes were seen.
    public private(set) var format: Format?
    /// The frame of the last step, if that was `.frame`.
    public private(set) var frame = CaptureFrame(
        number: 0, time: 0, capturedLength: 0, originalLength: 0, linkType: .ethernet)
    /// Where the next record begins, in bytes from the start of the (decompressed) file. After `.cut` and `.damaged`:
    /// where the record in question begins.
    public private(set) var position = 0

    /// Number of the first frame behind the beginning of another file; nil where none follows.
    public private(set) var firstFollowing: Int?

    private enum Stage {
        case start, records, blocks
    }

    private var stage = Stage.start
    private var pcap = PcapRecords()
    private var pcapng: PcapngBlocks

    /// - Parameter processes: gets the processes that a pcapng file names; nil where nobody asks.
    public init(processes: ProcessDirectory? = nil) { pcapng = PcapngBlocks(processes) }

    /// Whether decryption secrets blocks brought TLS key log lines that nobody took yet.
    public var hasSecrets: Bool { !pcapng.secrets.isEmpty }
    /// Frames that the capturing program says it lost; nil where the file does not say.
    public var droppedFrames: Int? { pcapng.droppedFrames }
    /// Blocks with names, keys or statistics of which something was passed over because it was too much.
    public var blocksPassedOver: Int { pcapng.passedOver }
    /// Records whose fraction of a second is a second or more, and the frame of the first.
    public var wrongFractions: (count: Int, frame: Int) { pcap.wrongFractions }
    /// Whether name resolution blocks brought names that nobody took yet.
    public var hasNames: Bool { !pcapng.names.isEmpty }
    /// Whether interface description blocks brought names that nobody took yet.
    public var hasInterfaceNames: Bool { !pcapng.interfaceNames.isEmpty }
    /// Link type that the header of a pcap file declares for all frames; nil before it was read, and for pcapng.
    public var declaredLinkType: LinkType? { stage == .records ? pcap.linkType : nil }

    /// Names that the file gives to addresses, since the last call.
    public mutating func removeNames() -> [CaptureName] {
        defer { pcapng.names = [] }
        return pcapng.names
    }

    /// Names that the file gives to its interfaces, since the last call. Numbers go on over sections, as those of frames do.
    public mutating func removeInterfaceNames() -> [(number: Int, name: [UInt8])] {
        defer { pcapng.interfaceNames = [] }
        return pcapng.interfaceNames
    }

    /// TLS key log lines from decryption secrets blocks since the last call, as they stand there.
    public mutating func removeSecrets() -> [UInt8] {
        defer { pcapng.secrets = [] }
        return pcapng.secrets
    }

    /// One step through the file. After `.end`, `.cut`, `.damaged` and `.notACapture` there is none.
    /// - Parameters:
    ///   - buffer: a window on the file.
    ///   - offset: where in it the last step's `nextOffset` lies; 0 at first.
    ///   - endOfInput: the file holds nothing behind the buffer.
    public mutating func next(_ buffer: RawSpan, at offset: Int, endOfInput: Bool) -> Step {
        guard stage == .records, offset >= 0, offset <= buffer.byteCount else {
            return nextOutsideRecords(buffer, at: offset, endOfInput: endOfInput)
        }
        let step = pcap.next(buffer, at: offset, frame: &frame)
        if case .frame(_, let nextOffset) = step {
            position &+= nextOffset &- offset
            return step
        }
        return conclude(step, buffer, at: offset, endOfInput: endOfInput)
    }

    /// Kept apart, so that the way of a pcap record stays short.
    @inline(never)
    private mutating func nextOutsideRecords(_ buffer: RawSpan, at offset: Int, endOfInput: Bool) -> Step {
        guard offset >= 0, offset <= buffer.byteCount else { return .damaged(.offsetOutsideBuffer) }
        let step =
            stage == .blocks
            ? pcapng.next(buffer, at: offset, frame: &frame) : readStart(buffer, at: offset)
        return conclude(step, buffer, at: offset, endOfInput: endOfInput)
    }

    /// Moves on behind a step, and tells what it means at the end of the input.
    @inline(never)
    private mutating func conclude(
        _ step: Step, _ buffer: RawSpan, at offset: Int, endOfInput: Bool
    ) -> Step {
        var step = step
        if case .damaged = step, stage != .start, CaptureParser.beginsFile(buffer, at: offset) {
            step = readStart(buffer, at: offset)
            if case .skipped = step, firstFollowing == nil { firstFollowing = frame.number + 1 }
        }
        switch step {
        case .frame(_, let nextOffset), .skipped(let nextOffset):
            position += nextOffset - offset
        case .needMore where endOfInput:
            return ending(remaining: buffer.byteCount - offset)
        case .damaged:
            position = pcapng.startOfOpenBlock(position) ?? position
        default:
            break
        }
        return step
    }

    /// What it means that the bytes a step needs do not exist.
    private mutating func ending(remaining: Int) -> Step {
        if let start = pcapng.startOfOpenBlock(position) {
            position = start
            return .cut
        }
        if remaining == 0, position > 0 { return .end }
        return format == nil ? .notACapture : .cut
    }

    /// Whether a file begins there, as nothing else does: with its mark and its version or byte order.
    static func beginsFile(_ buffer: RawSpan, at offset: Int) -> Bool {
        guard buffer.byteCount - offset >= 12 else { return false }
        let mark = buffer.be32(offset)
        if mark == PcapngBlocks.sectionHeader { return PcapngOrder(mark: buffer.be32(offset + 8)) != nil }
        guard let magic = PcapFileHeader.Magic(mark) else { return false }
        return (magic.littleEndian ? buffer.le16(offset + 4) : buffer.be16(offset + 4)) == 2
            && (magic.littleEndian ? buffer.le16(offset + 6) : buffer.be16(offset + 6)) == 4
    }

    private mutating func readStart(_ buffer: RawSpan, at offset: Int) -> Step {
        guard buffer.byteCount - offset >= 4 else { return .needMore(atLeast: 4) }
        if buffer.be32(offset) == PcapngBlocks.sectionHeader {
            format = .pcapng
            stage = .blocks
            return pcapng.next(buffer, at: offset, frame: &frame)
        }
        guard let header = PcapFileHeader.Magic(buffer.be32(offset)) else { return .notACapture }
        format = .pcap
        guard buffer.byteCount - offset >= PcapFileHeader.length else {
            return .needMore(atLeast: PcapFileHeader.length)
        }
        pcap.begin(PcapFileHeader(buffer, at: offset, magic: header))
        stage = .records
        frame = CaptureFrame(
            number: frame.number, time: frame.time, capturedLength: 0, originalLength: 0, linkType: pcap.linkType,
            checkSequenceLength: pcap.checkSequenceLength)
        return .skipped(nextOffset: offset + PcapFileHeader.length)
    }
}

/// Why a record cannot be right.
public enum CaptureDamage: String, Sendable, Equatable {
    case recordTooLong = "a record claims more bytes than any frame has"
    case blockTooShort = "a block is shorter than its own header"
    case blockNotAligned = "a block's length is not a multiple of four"
    case blockLengthsDiffer = "a block's two lengths differ"
    case frameBeyondBlock = "a frame is longer than its block"
    case unknownInterface = "a frame belongs to an interface that was not described"
    case tooManyInterfaces = "a section describes too many interfaces"
    case unknownByteOrder = "a section header has no readable byte order"
    case noSection = "a block stands before the first section header"
    case offsetOutsideBuffer = "reading went on outside the buffer"
}

/// A name that a capture's name resolution block gives to an address.
public struct CaptureName: Sendable, Equatable {
    public var address: IPAddress
    /// As the file has it, without the terminating zero; UTF-8 by the format's rule, though nothing enforces that.
    public var name: [UInt8]

    public init(address: IPAddress, name: [UInt8]) {
        self.address = address
        self.name = name
    }
}
