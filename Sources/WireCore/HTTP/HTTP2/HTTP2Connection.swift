import WireNative

/// HTTP/2 of one connection (RFC 9113): where each direction is in its frames, and the streams that are open or may still
/// be heard of.
///
/// - Invariant: a stream in `streams` has an exchange; the tracker has it forgotten when that is given out.
final class HTTP2Connection: MultiplexedStreams {
    /// A field block while its fragments come.
    struct FieldBlock {
        var stream: Int
        /// A PUSH_PROMISE carries it.
        var isPush: Bool
        /// The stream that a PUSH_PROMISE reserves.
        var promised: Int?
        var fields: MessageFields
    }

    /// The frames of one direction. An object, so that nothing of it is copied frame by frame.
    final class Frames {
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

    /// How far each direction was delivered.
    let assembly: UnsafePair<StreamAssembler>
    private var zero: Frames?
    private var one: Frames?
    var streams: [Int: MessageStream] = [:]
    /// The highest number of a stream for which there was no room; 0 while there was.
    var refusedUpTo = 0
    /// Why frames of a direction were lost last.
    var lossReason = DirectionPair(repeating: RecordFlags())
    /// Streams that may still carry frames in a direction, and were not flagged for a loss there. Each stands in it again
    /// when a body begins.
    private var unbroken = DirectionPair(repeating: [Int]())
    /// Closed streams, in the order of their closing, that nothing let go of yet.
    var closed: [(stream: Int, owner: Owner)] = []
    var closedHead = 0
    /// The connection was joined late: streams may have been opened before.
    var isLate = false
    /// It began as HTTP/1, where the client may have sent SETTINGS in a field (RFC 7540 §3.2.1).
    var isUpgraded = false
    private(set) var isDraining = false
    /// The endpoint has sent a WINDOW_UPDATE of a stream.
    var creditsStreams = DirectionPair(repeating: false)
    var control = ControlBytes()

    init(assembly: UnsafePair<StreamAssembler>) { self.assembly = assembly }

    /// The frames of a direction; nil before the first, and where they were lost.
    subscript(direction: Direction) -> Frames? {
        get { direction.index == 0 ? zero : one }
        set { if direction.index == 0 { zero = newValue } else { one = newValue } }
    }

    func streamLimit(_ direction: Direction) -> UInt32 { self[direction]?.reader.streamLimit ?? .max }

    /// Bytes that the receiver lets the direction's dynamic table hold; 0 where not all that it said was read.
    func tableLimit(_ direction: Direction) -> Int {
        let receiver = self[direction.opposite]?.reader
        if let announced = receiver?.announcedTable { return Int(announced) }
        let mayHaveSaid = isLate || isUpgraded || !lossReason[direction.opposite].isEmpty
        return mayHaveSaid ? 0 : HPACKInflater.initialTable
    }

    /// GOAWAY (RFC 9113 §6.8).
    func noteGoAway(_ direction: Direction) {
        if streams.values.contains(where: { !$0[direction].isEnded }) { isDraining = true }
    }

    /// What messages of the direction need to know of the connection.
    func origin(_ direction: Direction) -> StreamOrigin {
        StreamOrigin(version: .http2, isLate: isLate, lossReason: lossReason[direction])
    }

    /// The direction carries frames from here on. `isStart`: from the connection's first byte of HTTP/2 on.
    func begin(_ direction: Direction, isStart: Bool, isRequester: Bool) {
        if !isStart { isLate = true }
        let frames = Frames(joinsLate: !isStart)
        if isStart, isRequester { frames.prefaceRemaining = HTTP2Probe.prefaceLength }
        self[direction] = frames
    }

    func noteUnbroken(_ id: Int, _ direction: Direction) {
        var ids = unbroken[direction]
        unbroken[direction] = []
        ids.append(id)
        if ids.count > 1024, ids.count > 4 * streams.count {
            ids.removeAll { id in streams[id].map { !mayCarryMore($0, direction) } ?? true }
        }
        unbroken[direction] = ids
    }

    /// Those streams; afterwards there are none.
    func takeUnbroken(_ direction: Direction) -> [Int] {
        defer { unbroken[direction] = [] }
        return unbroken[direction]
    }

    /// The sender of the direction may have sent more frames on the stream than were read: RST_STREAM while the other
    /// endpoint's message has not reached it whole, and WINDOW_UPDATE (RFC 9113 §5.1). Who credits streams one by one does so
    /// when a program reads the message, which TCP may have acknowledged long before.
    func mayCarryMore(_ stream: MessageStream, _ direction: Direction) -> Bool {
        guard stream[direction].isEnded, stream[direction.opposite].isEnded else { return true }
        let received = stream[direction.opposite]
        guard received.endedAt != .unset else { return false }
        return received.endedAt > assembly[direction].acknowledgedAtNext
            || creditsStreams[direction] && received.body.byteCount > received.credited
    }

    /// The other endpoint has acknowledged bytes that no packet held, so frames of the stream may be missing. One byte
    /// may be a FIN.
    func mayLackFrames(stream: Int, acknowledged: DirectionPair<StreamPosition>) -> Bool {
        guard let stream = streams[stream] else { return false }
        return Direction.both.contains {
            acknowledged[$0] > assembly[$0].next + 1 && mayCarryMore(stream, $0)
        }
    }

    func forget(stream: Int, of owner: Owner) {
        if streams[stream]?.owner.index == owner.index { streams[stream] = nil }
    }
}
