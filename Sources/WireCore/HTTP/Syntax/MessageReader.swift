/// Which kind of message a direction carries.
enum MessageRole: Sendable {
    case request, response
}

/// Reads the messages of one direction (RFC 9112), run by run, claiming bytes as it goes.
///
/// The reader knows where it is in a message; who the message belongs to, and how its body is framed, its caller
/// decides and tells it. Only a head that does not come in one run is copied.
struct MessageReader: Sendable {
    enum State: Sendable {
        /// Not in step with messages: at the start of an unknown connection, after a gap, after garbage.
        case searching
        /// A message may begin with the next byte.
        case idle
        /// In a start line or header section.
        case head
        /// Bytes of a body of known length still to come.
        case body(remaining: Int)
        case chunked
        /// A body that the end of the direction ends.
        case untilClose
        /// The direction carries no HTTP/1 from here on (101, CONNECT).
        case switched
    }

    /// What a call on a head claimed. Counts are bytes of this run.
    enum HeadStep {
        /// All of the run; the head goes on in the next.
        case partial(startLine: Int, headers: Int)
        /// The head is whole.
        case complete(startLine: Int, headers: Int)
        /// A start line cannot be read here. Bytes of it that were claimed in earlier runs.
        case malformed(claimedBefore: Int)
        /// The header section grew beyond the limit; all of the run is claimed.
        case tooLong(startLine: Int, headers: Int)
    }

    var state = State.searching
    var chunks = ChunkedFraming()
    /// The start line, once it was read. Its ranges are offsets in `headBytes`.
    private(set) var startLine: StartLine?
    /// The header section, once it was read.
    private(set) var section: HeaderSection?
    /// The head so far when it did not come in one run.
    private(set) var buffer: [UInt8] = []
    /// Bytes of the start line with its line end; 0 until it is whole.
    private(set) var startLineLength = 0
    private var lineStart = 0
    /// Where the head begins in the run it lies in whole.
    private(set) var headOffset = 0

    /// Whether a buffered head, not the current run, holds the bytes that ranges refer to.
    var headIsBuffered: Bool { !buffer.isEmpty }

    /// Makes it a new one. A small buffer is kept.
    mutating func renew() {
        state = .searching
        chunks = ChunkedFraming()
        forgetHead()
        (startLine, section) = (nil, nil)
        (startLineLength, lineStart, headOffset) = (0, 0, 0)
    }

    mutating func beginHead() {
        state = .head
        startLine = nil
        section = nil
        forgetHead()
        startLineLength = 0
        lineStart = 0
    }

    /// Lets go of a kept head. A small buffer is kept for the next one.
    mutating func forgetHead() {
        if !buffer.isEmpty { buffer.removeAll(keepingCapacity: buffer.capacity <= 4096) }
    }

    /// Reads on in a head from `offset` of a run.
    /// - Parameters:
    ///   - limit: longest head that is read.
    ///   - mayKeep: there is room to keep a beginning until the rest comes.
    mutating func readHead(_ run: RawSpan, _ offset: Int, role: MessageRole, limit: Int, mayKeep: Bool) -> HeadStep {
        let room = mayKeep ? limit : min(limit, buffer.count)
        if !buffer.isEmpty { return readBufferedHead(run, offset, role, room) }
        headOffset = offset
        guard let lineFeed = run.firstLineFeed(from: offset) else {
            guard StartLine.couldBegin(run, offset, role) else { return .malformed(claimedBefore: 0) }
            return keep(run, offset, startLine: run.byteCount - offset, headers: 0, room)
        }
        startLine = MessageReader.startLine(run, offset..<lineFeed, role)
        guard startLine != nil else { return .malformed(claimedBefore: 0) }
        startLineLength = lineFeed + 1 - offset
        if startLine?.version == .http09 {
            return .complete(startLine: startLineLength, headers: 0)
        }
        guard let section = HeaderSection.read(run, from: lineFeed + 1) else {
            lineStart = startLineLength
            return keep(run, offset, startLine: startLineLength, headers: run.byteCount - lineFeed - 1, room)
        }
        let headers = section.end - lineFeed - 1
        guard startLineLength + headers <= limit else { return .tooLong(startLine: startLineLength, headers: headers) }
        self.section = section
        return .complete(startLine: startLineLength, headers: headers)
    }

    private mutating func keep(_ run: RawSpan, _ offset: Int, startLine: Int, headers: Int, _ limit: Int) -> HeadStep {
        guard startLine + headers <= limit else { return .tooLong(startLine: startLine, headers: headers) }
        run.append(offset..<run.byteCount, to: &buffer)
        // From here on the buffer, which begins with the head, holds what the ranges refer to.
        self.startLine?.move(by: -offset)
        moveLineStart()
        return .partial(startLine: startLine, headers: headers)
    }

    /// Moves `lineStart` behind the last line feed of the buffer.
    private mutating func moveLineStart() {
        var search = lineStart
        while let lineFeed = buffer.firstLineFeed(from: search) { search = lineFeed + 1 }
        lineStart = search
    }

    private static func startLine(_ bytes: RawSpan, _ line: Range<Int>, _ role: MessageRole) -> StartLine? {
        var line = line
        if !line.isEmpty, bytes.u8(line.upperBound - 1) == 0x0D { line = line.lowerBound..<line.upperBound - 1 }
        return role == .request ? StartLine.request(bytes, line) : StartLine.status(bytes, line)
    }

    /// Takes one line of the run at a time into the buffer, so that nothing behind the head is copied.
    private mutating func readBufferedHead(
        _ run: RawSpan, _ offset: Int, _ role: MessageRole, _ limit: Int
    ) -> HeadStep {
        headOffset = 0
        var claimed = (startLine: 0, headers: 0)
        var position = offset
        while position < run.byteCount {
            let lineEnd = run.firstLineFeed(from: position).map { $0 + 1 } ?? run.byteCount
            let isWhole = run.u8(lineEnd - 1) == 0x0A
            if startLine == nil {
                claimed.startLine += lineEnd - position
            } else {
                claimed.headers += lineEnd - position
            }
            let before = buffer.count
            run.append(position..<lineEnd, to: &buffer)
            position = lineEnd
            if buffer.count > limit { return tooLong(run, position, claimed) }
            guard isWhole else { break }
            if startLine == nil {
                startLine = MessageReader.startLine(unsafe buffer.span.bytes, 0..<buffer.count - 1, role)
                guard startLine != nil else { return .malformed(claimedBefore: before) }
                startLineLength = buffer.count
                lineStart = buffer.count
                if startLine?.version == .http09 {
                    return .complete(startLine: claimed.startLine, headers: 0)
                }
                continue
            }
            let length = buffer.count - lineStart
            let isEmpty = length == 1 || (length == 2 && buffer[lineStart] == 0x0D)
            lineStart = buffer.count
            if isEmpty {
                section = HeaderSection.read(unsafe buffer.span.bytes, from: startLineLength)
                return .complete(startLine: claimed.startLine, headers: claimed.headers)
            }
        }
        return .partial(startLine: claimed.startLine, headers: claimed.headers)
    }

    private func tooLong(_ run: RawSpan, _ position: Int, _ claimed: (startLine: Int, headers: Int)) -> HeadStep {
        let rest = run.byteCount - position
        return startLine == nil
            ? .tooLong(startLine: claimed.startLine + rest, headers: claimed.headers)
            : .tooLong(startLine: claimed.startLine, headers: claimed.headers + rest)
    }
}
