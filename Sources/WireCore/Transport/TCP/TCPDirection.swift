/// What TCP shows of one direction, besides its bytes (`StreamAssembler`).
///
/// What each packet looks at stands first: with many connections open, the time that a packet takes is mostly that of
/// bringing those lines into the cache.
struct TCPDirection {
    /// How far the other endpoint acknowledged this direction.
    var acknowledged = StreamPosition.unset
    /// The same, by segments that were held.
    var acknowledgedAhead = StreamPosition.unset
    /// Where a segment ends of which the first acknowledgment is awaited, and when it was captured: `never` for none.
    var sampleEnd = StreamPosition.never
    var sampleTime: Int64 = 0
    /// Sequence position of the FIN: one past the last payload byte.
    var finish = StreamPosition.never
    /// How far bytes were sent that no packet showed and that are waited for no longer.
    var presumedEnd = StreamPosition.unset
    /// IPv4 identification of the last packet that had one, with its sequence number and payload length.
    private var identification: UInt32 = 0
    private var numberedSequence = SequenceNumber(0)
    private var numberedPayload = 0
    /// Different packets had the same identification: it proves nothing.
    private(set) var repeatsIdentification = false
    var windowIsZero = false
    /// TTL or hop limit of the packet that opened it, or of the last one far from that; 0 before the first.
    var hopLimit: UInt8 = 0
    /// A keep-alive or window probe waits for its answer.
    var probeIsOpen = false
    /// The FIN was reached and the reader told.
    var isFinished = false
    var counts = DirectionCounts()
    var synchronize: SequenceNumber?
    /// The lowest number that the other endpoint acknowledged before anything of the direction was captured.
    private(set) var acknowledgedUnseen: SequenceNumber?
    /// The same, by a segment with payload: who asks has the answers to all that he asked before.
    private(set) var acknowledgedUnseenByPayload: SequenceNumber?
    /// From its SYN: the largest payload the other endpoint may send in one segment.
    var maximumSegmentSize: Int?

    /// Makes it a new one, field by field: making one beside it and moving that here takes several times as long.
    mutating func renew() {
        (acknowledged, acknowledgedAhead, presumedEnd) = (.unset, .unset, .unset)
        (finish, sampleEnd) = (.never, .never)
        (synchronize, maximumSegmentSize) = (nil, nil)
        (acknowledgedUnseen, acknowledgedUnseenByPayload) = (nil, nil)
        windowIsZero = false
        (identification, hopLimit) = (0, 0)
        (numberedSequence, numberedPayload) = (SequenceNumber(0), 0)
        repeatsIdentification = false
        (probeIsOpen, isFinished) = (false, false)
        counts = DirectionCounts()
    }

    /// The other endpoint acknowledged a direction of which nothing was captured so far.
    mutating func noteAcknowledgedUnseen(by segment: Segment) {
        let number = segment.acknowledgment
        acknowledgedUnseen = lower(of: acknowledgedUnseen, number)
        if segment.payload > 0 { acknowledgedUnseenByPayload = lower(of: acknowledgedUnseenByPayload, number) }
    }

    private func lower(of lowest: SequenceNumber?, _ number: SequenceNumber) -> SequenceNumber {
        guard let lowest, number.distance(from: lowest) >= 0 else { return number }
        return lowest
    }

    /// Its positions begin anew.
    mutating func forgetAcknowledgments() {
        (acknowledged, acknowledgedAhead, presumedEnd) = (.unset, .unset, .unset)
        sampleEnd = .never
    }

    @inline(__always)
    mutating func count(_ segment: Segment) {
        counts.packets += segment.frames
        counts.frames += segment.frameBytes
        counts.internet += segment.internetBytes
        counts.payload += segment.payload
        noteIdentification(segment)
        guard !segment.flags.isDisjoint(with: [.syn, .fin, .rst]) else { return }
        if segment.flags.contains(.syn) { counts.syn += 1 }
        if segment.flags.contains(.fin) { counts.fin += 1 }
        if segment.flags.contains(.rst) { counts.rst += 1 }
    }

    /// Two packets in a row that differ and have the same identification show that the sender does not number its
    /// packets. 0 is not a number: many senders give it to what cannot be fragmented (RFC 6864 §4.1).
    @inline(__always)
    private mutating func noteIdentification(_ segment: Segment) {
        guard segment.identification != 0 else { return }
        let isOther = segment.sequence != numberedSequence || segment.payload != numberedPayload
        if segment.identification == identification, isOther { repeatsIdentification = true }
        identification = segment.identification
        numberedSequence = segment.sequence
        numberedPayload = segment.payload
    }
}
