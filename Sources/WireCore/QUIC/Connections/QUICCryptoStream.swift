/// CRYPTO data of one direction at one level: which bytes were seen, and those that wait for earlier ones.
struct QUICCryptoStream {
    /// Of Initial packets: Retry and Version Negotiation make the client begin anew.
    struct Beginning: Equatable {
        var version: UInt32 = 0
        var tokenLength = 0
    }

    private var seen: [(beginning: Beginning, ranges: QUICRanges)] = []
    private(set) var beginning = Beginning()
    private var pieces = QUICPieces()

    /// Most beginnings that are told apart.
    private static let beginningLimit = 8

    /// Takes data. Returns how much of it is new. What can be read now is appended to `output`.
    mutating func take(
        _ bytes: RawSpan, _ range: Range<Int>, at offset: UInt64, _ beginning: Beginning, into output: inout [UInt8],
        restarted: inout Bool
    ) -> Int {
        let index: Int
        if let known = seen.firstIndex(where: { $0.beginning == beginning }) {
            index = known
        } else {
            if seen.count >= QUICCryptoStream.beginningLimit { seen.removeFirst() }
            seen.append((beginning, QUICRanges()))
            index = seen.count - 1
            restarted = seen.count > 1
            self.beginning = beginning
            pieces = QUICPieces()
        }
        var new = 0
        var fresh: [Range<UInt64>] = []
        seen[index].ranges.add(offset..<offset + UInt64(range.count)) { part in
            new += part.count
            fresh.append(part)
        }
        guard beginning == self.beginning else { return new }
        for part in fresh {
            let start = range.lowerBound + Int(part.lowerBound - offset)
            pieces.hold(bytes, start..<start + part.count, at: part.lowerBound)
        }
        while let piece = pieces.takeNext() { output += piece.bytes }
        return new
    }
}

/// Bytes of a stream that wait for earlier ones. None of them overlap.
struct QUICPieces {
    /// Held at most; beyond it nothing more is kept.
    static let byteLimit = 1 << 20

    private var pieces: [(offset: UInt64, bytes: [UInt8], frame: Int)] = []
    /// How far the stream was given out.
    private(set) var next: UInt64 = 0
    private(set) var byteCount = 0

    /// More may be held.
    var hasRoom: Bool { byteCount < QUICPieces.byteLimit / 2 && pieces.count < QUICPieces.pieceLimit }

    private static let pieceLimit = 4096

    /// - Parameter frame: number of the frame that they came in.
    mutating func hold(_ bytes: RawSpan, _ range: Range<Int>, at offset: UInt64, frame: Int = 0) {
        guard !range.isEmpty, offset >= next, byteCount + range.count <= QUICPieces.byteLimit else { return }
        var index = pieces.count
        while index > 0, pieces[index - 1].offset > offset { index -= 1 }
        pieces.insert((offset, bytes.array(range), frame), at: index)
        byteCount += range.count
    }

    /// Whether bytes that wait are others than those that begin at `offset`, where they are the same part of the stream.
    func differ(from content: RawSpan, at offset: UInt64) -> Bool {
        pieces.contains { piece in
            guard piece.offset < offset + UInt64(content.byteCount), offset < piece.offset + UInt64(piece.bytes.count)
            else { return false }
            return unsafe piece.bytes.span.bytes.differs(from: content, at: Int(offset) - Int(piece.offset))
        }
    }

    /// The bytes that come next, if they are there, and the number of their frame.
    mutating func takeNext() -> (bytes: [UInt8], frame: Int)? {
        guard let first = pieces.first, first.offset == next else { return nil }
        pieces.removeFirst()
        next += UInt64(first.bytes.count)
        byteCount -= first.bytes.count
        return (first.bytes, first.frame)
    }

    /// Bytes were given out without being held.
    mutating func pass(_ count: Int) { next += UInt64(count) }

    /// How many bytes are missing in front of those that wait; the gap is given up.
    mutating func skipGap() -> Int? {
        guard let first = pieces.first, first.offset > next else { return nil }
        let gap = first.offset - next
        next = first.offset
        return Int(clamping: gap)
    }
}

/// Puts the handshake messages of one direction into the order of their levels: those of a later level wait while a message
/// of an earlier one is not whole.
struct QUICMessageOrder {
    private var waiting: [(space: QUICSide.Space, bytes: [UInt8])] = []
    private var current = QUICSide.Space.initial
    private var byteCount = 0

    /// Most bytes that wait.
    private static let limit = 1 << 17

    mutating func add(_ bytes: [UInt8], _ space: QUICSide.Space) {
        guard byteCount + bytes.count <= QUICMessageOrder.limit else { return }
        waiting.append((space, bytes))
        byteCount += bytes.count
    }

    /// Gives TLS what can be read now of a direction.
    mutating func deliver(to handshake: TLSHandshake, _ direction: Direction) {
        while let next = next(handshake.directions[direction]) {
            var offset = 0
            let span = unsafe next.bytes.span.bytes
            while handshake.next(span, &offset, end: next.bytes.count, direction, epoch: next.epoch) != nil {}
        }
    }

    /// The bytes to be read next, with the keys that they were protected by. `sender`: how far its messages were read.
    private mutating func next(_ sender: HandshakeDirection) -> (bytes: [UInt8], epoch: TLSEpoch)? {
        var first: Int?
        for index in waiting.indices
        where first.map({ waiting[index].space.rawValue < waiting[$0].space.rawValue }) ?? true {
            first = index
        }
        guard let first else { return nil }
        let space = waiting[first].space
        if space.rawValue > current.rawValue, !sender.hasBegun || !sender.messages.isBetweenMessages { return nil }
        current = space
        let bytes = waiting.remove(at: first).bytes
        byteCount -= bytes.count
        return (bytes, space == .initial ? .clear : space == .handshake ? .handshake : .application)
    }
}
