import WireNative

/// HTTP/2 of one connection (RFC 9113): where each direction is, and the streams that are open or may still be heard of.
final class HTTP2Connection {
    /// A field block while its fragments come.
    struct FieldBlock {
        var stream: Int
        /// A PUSH_PROMISE carries it.
        var isPush: Bool
        /// The stream that a PUSH_PROMISE reserves.
        var promised: Int?
        var endsStream: Bool
        var section: FieldSection
        /// Fragment bytes so far.
        var bytes = 0
        /// Some of it could not be read.
        var isBroken = false
    }

    /// An object, so that nothing of it is copied frame by frame.
    final class Direction {
        var reader: FrameReader
        /// Nil where there is no room for one more, or none could be made.
        var inflater: HPACKInflater?
        /// What it was counted with among those of all connections, bytes.
        var inflaterBytes = 0
        /// Bytes of the client's preface still to come.
        var prefaceRemaining = 0
        var block: FieldBlock?
        /// Text of the block that was counted among the unfinished heads of all connections, bytes.
        var countedText = 0
        /// Who pays for the current frame, and why where that is not by its parts.
        var owner = Owner.connection
        var cause: Cause?
        /// Where the header of the current frame begins.
        var frameStart = StreamPosition.zero

        init(joinsLate: Bool) {
            reader = FrameReader(joinsLate: joinsLate)
            inflater = HPACKInflater(joinsLate: joinsLate)
        }
    }

    /// One message of a stream while it is read.
    struct StreamMessage {
        var hasHead = false
        /// Its head went by before it was watched.
        var isJoinedLate = false
        var isEnded = false
        var examined: (any ExaminedBody)?
        var isIdentity = true
        var contentLength: Int?
        var bodyBytes = 0
    }

    final class Stream {
        let owner: Owner
        private var zero = StreamMessage()
        private var one = StreamMessage()
        /// DATA carries something other than a message's body (CONNECT).
        var isTunnel = false
        var isClosed = false

        init(owner: Owner) { self.owner = owner }

        subscript(side: Int) -> StreamMessage {
            _read { if side == 0 { yield zero } else { yield one } }
            _modify { if side == 0 { yield &zero } else { yield &one } }
        }
    }

    private var zero: Direction?
    private var one: Direction?
    var streams: [Int: Stream] = [:]
    /// The highest number of a stream for which there was no room; 0 while there was.
    var refusedUpTo = 0
    /// Why frames of a side were lost last.
    var lossReason: [RecordFlags] = [[], []]
    /// By side: streams of which something may still be whole there. Each stands in it again when a body begins.
    private var unbroken: [[Int]] = [[], []]

    func noteUnbroken(_ id: Int, _ side: Int) {
        unbroken[side].append(id)
        guard unbroken[side].count > 1024, unbroken[side].count > 4 * streams.count else { return }
        unbroken[side].removeAll { streams[$0]?[side].isEnded != false }
    }

    /// Those streams; afterwards there are none.
    func takeUnbroken(_ side: Int) -> [Int] {
        defer { unbroken[side].removeAll() }
        return unbroken[side]
    }
    /// Closed streams, in the order of their closing, that nothing let go of yet.
    var closed: [(stream: Int, owner: Owner)] = []
    var closedHead = 0
    /// The connection was joined late: streams may have been opened before.
    var isLate = false

    /// The direction that `side` sends; nil until it began.
    subscript(side: Int) -> Direction? {
        get { side == 0 ? zero : one }
        _modify { if side == 0 { yield &zero } else { yield &one } }
    }
}
