/// What a run of payload bytes is.
enum FramePart: Sendable, Equatable {
    /// The byte that says how much padding there is.
    case padLength
    /// Priority fields: of HEADERS, or all of a PRIORITY frame.
    case priority
    /// A fragment of a field block.
    case fragment
    case data
    case padding
    /// The stream that a PUSH_PROMISE reserves.
    case promisedStream
    /// All of every other frame, and what cannot be told apart where a frame is malformed or partly missing.
    case payload
}

/// Reads the frames of one direction, run by run (RFC 9113 §4), and says of each byte what it is. Payloads are followed
/// by length and not kept: the reader holds nine bytes of a split header and eight of a control frame.
///
/// The client's preface is not a frame; the caller takes it off first.
struct FrameReader: Sendable {
    enum Step: Sendable, Equatable {
        /// So many bytes, all that is left of the run, belong to a header that goes on in the next run.
        case incompleteHeader(Int)
        /// So many bytes of the run completed a header; `frame` is that of the new frame.
        case header(Int)
        /// So many bytes of the run are that part of `frame`. A part can come in several steps.
        case bytes(FramePart, Int)
    }

    /// The current frame: the one whose header was completed last.
    private(set) var frame = FrameHeader()
    /// Bytes of the current frame's header that came in earlier runs than its last byte.
    private(set) var headerBytesBefore = 0
    /// The frame ended with the last step or skip. True right after the header of a frame without payload.
    private(set) var isFrameComplete = false
    /// The frame breaks RFC 9113. Most faults show with the header; padding that is longer than the frame, and
    /// values that cannot be, with the bytes that say so. A malformed frame ends where its length says all the same.
    var isMalformed = false
    /// Bytes of the frame were missing.
    private(set) var isDamaged = false
    /// Bytes of the current part still to come; 0 in a header.
    private(set) var partRemaining = 0
    /// Streams that the sender lets the other endpoint have open at one time. Where it does not say, any number.
    var streamLimit = UInt32.max
    /// Bytes that the sender lets the other endpoint's dynamic table hold (RFC 9113 §6.5.2). Nil where it did not say.
    var announcedTable: UInt32?
    /// Longer frames are malformed. By default none is.
    var maximumFrameSize = 1 << 24

    private var part = FramePart.payload
    /// Bytes of the payload still to come. 0: the next byte belongs to a header.
    private(set) var payloadRemaining = 0
    /// Bytes of padding at the end of the payload.
    private var padding = 0
    private var headerBytes = InlineArray<9, UInt8>(repeating: 0)
    private var headerCount = 0
    var control = ControlPayload()
    private var fieldBlock: FieldBlock

    private enum FieldBlock: Sendable, Equatable {
        case unknown, none
        case open(stream: Int)
    }

    /// - Parameter joinsLate: frames went by, or may have: the first one may be a CONTINUATION.
    init(joinsLate: Bool = false) {
        fieldBlock = joinsLate ? .unknown : .none
    }

    /// The next byte is the first of a frame header.
    var isAtFrameStart: Bool { payloadRemaining == 0 && headerCount == 0 }

    /// A field block has begun and goes on: only a CONTINUATION of its stream may come.
    var isInFieldBlock: Bool {
        if case .open = fieldBlock { true } else { false }
    }

    /// Claims bytes of the run from `offset` on: at least one, if there is one.
    mutating func next(_ run: RawSpan, _ offset: Int) -> Step {
        isFrameComplete = false
        return payloadRemaining > 0 ? readPart(run, offset) : readHeader(run, offset)
    }

    /// Passes over bytes that are missing. Returns how many of them, up to `count`, belong to which part of the current
    /// frame; more may belong to its next one. Nil when a header is missing, or part of one: nobody knows then where
    /// the next frame begins, and only another reader can go on.
    mutating func skip(_ count: Int) -> (part: FramePart, count: Int)? {
        guard payloadRemaining > 0, count > 0 else { return nil }
        isDamaged = true
        let skipped = (part: part, count: min(count, partRemaining))
        if frame.type == FrameType.settings {
            control.removeAll()
            announcedTable = 0
        }
        if part == .padLength {
            takePayload(1)
            begin(.payload, payloadRemaining)
        } else {
            advance(skipped.count)
        }
        return skipped
    }
}

/// Headers.
extension FrameReader {
    private mutating func readHeader(_ run: RawSpan, _ offset: Int) -> Step {
        let available = run.byteCount - offset
        if headerCount == 0, available >= FrameHeader.length {
            headerBytesBefore = 0
            beginFrame(FrameHeader(run, at: offset))
            return .header(FrameHeader.length)
        }
        let before = headerCount
        while headerCount < FrameHeader.length, headerCount - before < available {
            headerBytes[headerCount] = run.u8(offset + headerCount - before)
            headerCount += 1
        }
        let count = headerCount - before
        guard headerCount == FrameHeader.length else { return .incompleteHeader(count) }
        headerBytesBefore = before
        headerCount = 0
        beginFrame(FrameHeader(unsafe headerBytes.span.bytes, at: 0))
        return .header(count)
    }

    private mutating func beginFrame(_ header: FrameHeader) {
        frame = header
        isDamaged = false
        isMalformed = header.isMalformed || header.payloadLength > maximumFrameSize || !isInPlace(header)
        noteFieldBlock()
        control.removeAll()
        padding = 0
        payloadRemaining = header.payloadLength
        isFrameComplete = payloadRemaining == 0
        if header.isPadded {
            begin(.padLength, min(1, payloadRemaining))
        } else {
            beginContent()
        }
    }

    /// Nothing may come between the frames of a field block, and no CONTINUATION without one (§6.10).
    private func isInPlace(_ header: FrameHeader) -> Bool {
        switch fieldBlock {
        case .unknown: true
        case .none: header.type != FrameType.continuation
        case .open(let stream): header.type == FrameType.continuation && header.stream == stream
        }
    }

    /// Follows field blocks. A frame that does not belong into an open block leaves it open, unless it begins another.
    private mutating func noteFieldBlock() {
        switch frame.type {
        case FrameType.headers, FrameType.pushPromise:
            fieldBlock = frame.endsFieldBlock ? .none : .open(stream: frame.stream)
        case FrameType.continuation where fieldBlock == .unknown || fieldBlock == .open(stream: frame.stream):
            fieldBlock = frame.endsFieldBlock ? .none : .open(stream: frame.stream)
        default:
            if fieldBlock == .unknown { fieldBlock = .none }
        }
    }
}

/// Payloads.
extension FrameReader {
    private mutating func readPart(_ run: RawSpan, _ offset: Int) -> Step {
        var count = min(partRemaining, run.byteCount - offset)
        let claimed = part
        switch part {
        case .padLength:
            if count == 1 { readPadLength(run.u8(offset)) }
            return .bytes(.padLength, count)
        case .promisedStream:
            control.append(run, offset..<offset + count)
        case .payload:
            count = readControl(run, offset, count)
        default: break
        }
        advance(count)
        return .bytes(claimed, count)
    }

    private mutating func readPadLength(_ length: UInt8) {
        takePayload(1)
        padding = Int(length)
        if padding + lengthOfFixedFields > payloadRemaining {
            isMalformed = true
            begin(.payload, payloadRemaining)
        } else {
            beginContent()
        }
    }

    /// Bytes between the padding length and the fragment.
    private var lengthOfFixedFields: Int {
        switch frame.type {
        case FrameType.pushPromise: 4
        case FrameType.headers: frame.has(FrameFlag.priority) ? 5 : 0
        default: 0
        }
    }

    /// Begins what follows the padding length, or the header where there is none.
    private mutating func beginContent() {
        let fixed = lengthOfFixedFields
        switch frame.type {
        case _ where payloadRemaining - padding < fixed: begin(.payload, payloadRemaining)
        case FrameType.pushPromise: begin(.promisedStream, fixed)
        case FrameType.headers where fixed > 0: begin(.priority, fixed)
        case FrameType.headers, FrameType.continuation: begin(.fragment, payloadRemaining - padding)
        case FrameType.data: begin(.data, payloadRemaining - padding)
        case FrameType.priority: begin(.priority, payloadRemaining)
        default: begin(.payload, payloadRemaining)
        }
    }

    /// Begins a part, or what follows it when it has no bytes.
    private mutating func begin(_ part: FramePart, _ count: Int) {
        self.part = part
        partRemaining = count
        if count == 0 { beginNextPart() }
    }

    private mutating func beginNextPart() {
        guard payloadRemaining > 0 else { return }
        switch part {
        case .priority, .promisedStream: begin(.fragment, payloadRemaining - padding)
        default: begin(.padding, payloadRemaining)
        }
    }

    private mutating func takePayload(_ count: Int) {
        partRemaining -= count
        payloadRemaining -= count
        isFrameComplete = payloadRemaining == 0
    }

    private mutating func advance(_ count: Int) {
        takePayload(count)
        if isFrameComplete { checkValues() }
        if partRemaining == 0 { beginNextPart() }
    }
}
