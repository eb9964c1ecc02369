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

    private var pieces = IntervalForest<(bytes: [UInt8], frame: Int)>()
    private var tree = IntervalTree()
    /// How far the stream was given out.
    private(set) var next: UInt64 = 0
    private(set) var byteCount = 0

    /// More may be held.
    var hasRoom: Bool { byteCount < QUICPieces.byteLimit / 2 && pieces.count < QUICPieces.pieceLimit }

    private static let pieceLimit = 4096

    /// - Parameter frame: number of the frame that they came in.
    mutating func hold(_ bytes: RawSpan, _ range: Range<Int>, at offset: UInt64, frame: Int = 0) {
        guard !range.isEmpty, offset >= next, byteCount + range.count <= QUICPieces.byteLimit else { return }
        pieces.insert((bytes.array(range), frame), Int(offset)..<Int(offset) + range.count, into: &tree)
        byteCount += range.count
    }

    /// Whether bytes that wait are others than those that begin at `offset`, where they are the same part of the stream.
    func differ(from content: RawSpan, at offset: UInt64) -> Bool {
        let copy = Int(offset)..<Int(offset) + content.byteCount
        var place = copy.lowerBound
        while let index = pieces.first(endingBehind: place, tree) {
            let range = pieces.range(index)
            guard range.lowerBound < copy.upperBound else { return false }
            place = range.upperBound
            let bytes = pieces[index].bytes
            if unsafe bytes.span.bytes.differs(from: content, at: copy.lowerBound - range.lowerBound) { return true }
        }
        return false
    }

    private var first: Int32? { pieces.first(endingBehind: .min, tree) }

    /// The bytes that come next, if they are there, and the number of their frame.
    mutating func takeNext() -> (bytes: [UInt8], frame: Int)? {
        guard let first, pieces.range(first).lowerBound == next else { return nil }
        let piece = pieces.remove(first, from: &tree, leaving: ([], 0))
        next += UInt64(piece.bytes.count)
        byteCount -= piece.bytes.count
        return piece
    }

    /// Bytes were given out without being held.
    mutating func pass(_ count: Int) { next += UInt64(count) }

    /// How many bytes are missing in front of those that wait; the gap is given up.
    mutating func skipGap() -> Int? {
        guard let first, pieces.range(first).lowerBound > next else { return nil }
        let start = UInt64(pieces.range(first).lowerBound)
        defer { next = start }
        return Int(start - next)
    }
}

/// Puts the handshake messages of one direction into the order of their levels: those of a later level wait while a message
/// of an earlier one is not whole.
struct QUICMessageOrder {
    /// By space.
    private var waiting: InlineArray<3, [UInt8]> = [[], [], []]
    private var current = QUICSide.Space.initial

    /// Most bytes that wait.
    private static let limit = 1 << 17

    mutating func add(_ bytes: [UInt8], _ space: QUICSide.Space) {
        let byteCount = waiting[0].count + waiting[1].count + waiting[2].count
        guard byteCount + bytes.count <= QUICMessageOrder.limit else { return }
        waiting[space.rawValue] += bytes
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
        guard let space = QUICSide.Space.allCases.first(where: { !waiting[$0.rawValue].isEmpty }) else { return nil }
        if space.rawValue > current.rawValue, !sender.hasBegun || !sender.messages.isBetweenMessages { return nil }
        current = space
        var bytes: [UInt8] = []
        swap(&bytes, &waiting[space.rawValue])
        return (bytes, space == .initial ? .clear : space == .handshake ? .handshake : .application)
    }
}
