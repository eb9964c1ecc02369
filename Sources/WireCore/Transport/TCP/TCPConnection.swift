/// TCP of one connection (RFC 9293): puts payload in order and hands it to the streams' reader, decides which kind each
/// packet is, and attributes what is not payload (ByteLedger.md §3).
///
/// - Invariant: each payload byte is counted once as new, repeated or refused; new bytes go to the reader once, in order.
struct TCPConnection {
    let directions: UnsafePair<TCPDirection>
    let assembly: UnsafePair<StreamAssembler>
    /// Bytes that were read last.
    let histories: UnsafePair<UnsafeReadHistory>
    /// The client's first packet after the server's SYN was seen.
    private var handshakeIsAnswered = false
    /// Its segments are those of Multipath TCP's data.
    var isMultipath = false

    init(
        _ directions: UnsafePair<TCPDirection>, _ assembly: UnsafePair<StreamAssembler>,
        _ histories: UnsafePair<UnsafeReadHistory>
    ) {
        (self.directions, self.assembly, self.histories) = (directions, assembly, histories)
    }

    /// Whether the segment acknowledges more of the other direction than was taken.
    @inline(__always)
    func runsAhead(_ segment: Segment) -> Bool {
        let other = segment.direction.opposite
        guard segment.flags.contains(.ack) else { return false }
        guard assembly[other].hasBase else { return true }
        let (position, next) = (position(acknowledgedBy: segment), assembly[other].next)
        // A FIN takes a place but no byte.
        return position > next && (position > next + 1 || directions[other].finish != next)
    }

    /// The first number of a direction that was neither taken nor given up; nil where nothing was taken yet.
    func reached(_ direction: Direction) -> SequenceNumber? {
        guard assembly[direction].hasBase else { return nil }
        var end = max(assembly[direction].next, directions[direction].presumedEnd)
        // A FIN takes a place but no byte.
        if directions[direction].finish <= end { end = max(end, directions[direction].finish + 1) }
        // What came first may have been a keep-alive, which stands one before the next byte.
        if end == .zero, !assembly[direction].startIsKnown { end = end + 1 }
        return assembly[direction].base.advanced(by: end.value)
    }

    /// Payload waits for earlier bytes of its direction.
    @inline(__always)
    var hasGap: Bool { !assembly[0].waiting.isEmpty || !assembly[1].waiting.isEmpty }

    /// Takes one packet, when all that it follows was taken: decides its kind, attributes it, and delivers what it
    /// completes. `transport` is what was captured of the TCP header and payload.
    @inline(__always)
    mutating func take(
        _ segment: Segment, _ transport: RawSpan, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        shard.streams.attribution.packet = PacketContext(time: segment.time)
        if segment.flags.contains(.syn) {
            receiveSynchronize(segment, transport, &streams, &shard)
        } else if segment.flags.contains(.rst) {
            receiveReset(segment, &streams, &shard)
        } else {
            if !assembly[segment.direction].hasBase {
                startMidstream(segment, streams.connection, &shard)
            }
            if segment.senderFlags == 0 {
                receiveData(segment, transport, &streams, &shard)
            } else {
                let before = SenderComparison(segment, directions[segment.direction])
                directions[segment.direction].probeIsOpen = false
                receiveData(segment, transport, &streams, &shard)
                compare(segment, before, &shard)
            }
        }
    }

    /// The other direction showed nothing of Multipath TCP: which of the connection's data went over this path, nothing tells.
    mutating func findMultipath(
        _ segment: Segment, _ transport: RawSpan, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        guard !assembly[segment.direction].hasBase, !isMultipath, segment.headerLength > 20,
            segment.flags.isDisjoint(with: [.syn, .rst])
        else { return }
        guard MultipathOptions(transport, headerLength: segment.headerLength).isPresent else { return }
        isMultipath = true
        streams.markIncomplete(isJoined: false, lacksStart: true, &shard.streams)
    }

    func startMidstream(_ segment: Segment, _ connection: borrowing ConnectionFacts, _ shard: inout ShardContext) {
        let hasOpening = connection.startWasSeen && connection.client == segment.direction.opposite
        if !hasOpening {
            let place = FindingPlace(file: connection.file, packet: connection.firstPacket)
            shard.lateOpenings.record(segment, connection.key, at: place)
        }
        assembly[segment.direction].start(midstream: firstNumber(segment.direction, upTo: segment.sequence))
        directions[segment.direction].hopLimit = segment.hopLimit
    }

    /// The number that a direction without SYN begins with. If the other endpoint's SYN was captured, or a message of it
    /// that came first, bytes between what it acknowledged and the first segment are missing in the capture.
    func firstNumber(_ direction: Direction, upTo sequence: SequenceNumber) -> SequenceNumber {
        let opening = directions[direction.opposite].synchronize != nil
        let acknowledged =
            opening ? directions[direction].acknowledgedUnseen : directions[direction].acknowledgedUnseenByPayload
        guard let acknowledged else { return sequence }
        let missing = sequence.distance(from: acknowledged)
        return missing > 0 && missing <= TCPConnection.mostMissing ? acknowledged : sequence
    }

    /// More than a capture is likely to lack: an acknowledgment of an earlier connection says anything.
    private static let mostMissing = 1 << 24

    /// A SYN: the whole packet is set-up; payload it carries (Fast Open, RFC 7413) belongs to the stream.
    private mutating func receiveSynchronize(
        _ segment: Segment, _ transport: RawSpan, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        let direction = segment.direction
        if directions[direction].synchronize == nil {
            directions[direction].synchronize = segment.sequence
            directions[direction].hopLimit = segment.hopLimit
            let isLate = assembly[direction].hasBase
            assembly[direction].start(synchronize: segment.sequence)
            let first = assembly[direction].position(of: segment.sequence.advanced(by: 1))
            if isLate, first < .zero {
                // Messages may lie in the bytes before those that reading began with.
                streams.connection.lacksStart = true
                streams.messages.doubt(direction)
            }
            if assembly[direction].highest == .zero { takeSample(upTo: .zero, segment) }
            directions[direction].maximumSegmentSize = segment.maximumSegmentSize
            if streams.connection.client == nil {
                streams.connection.client = segment.flags.contains(.ack) ? direction.opposite : direction
            }
            streams.connection.startWasSeen = true
            if streams.connection.isReadFromStart { streams.connection.flags.remove(.noStart) }
        }
        shard.addOverhead(.setupTCP, direction, segment.cost.internet, segment.cost.link)
        if segment.flags.contains(.ack) {
            noteAcknowledgment(segment, &streams, &shard)
            directions[direction].windowIsZero = false
        }
        guard segment.payload > 0 else { return }
        let start = assembly[direction].position(of: segment.sequence.advanced(by: 1))
        receivePayload(segment, start, transport, headers: nil, &streams, &shard)
    }

    /// A reset: all of it is teardown; what it carries is diagnostic text, never stream (RFC 9293 §3.5.3).
    private mutating func receiveReset(
        _ segment: Segment, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        let direction = segment.direction
        shard.addOverhead(.teardown, direction, segment.internetBytes, segment.cost.link)
        if segment.payload > 0 {
            directions[direction].counts.payloadRefused += segment.payload
            shard.streams.findings.add(.refusedSegment)
        }
        if directions[direction].hopLimit != 0 { noteHopLimit(segment, &shard) }
        guard isAcceptable(reset: segment) else {
            if streams.connection.closedTime == nil { shard.streams.findings.add(.resetRefused) }
            return
        }
        if segment.flags.contains(.ack) { noteAcknowledgment(segment, &streams, &shard) }
        // It stands at the next number that the other endpoint expects, or behind all that was sent (RFC 9293 §3.10.7).
        let start = assembly[direction].position(of: segment.sequence)
        if assembly[direction].hasBase, start > assembly[direction].highest + 1 { streams.messages.doubt(direction) }
        streams.noteClosing(.reset, by: direction, at: segment.time, &shard.streams)
        if streams.connection.closedTime == nil {
            streams.connection.closedTime = segment.time
            streams.connection.close = .reset
        }
    }

    private mutating func receiveData(
        _ segment: Segment, _ transport: RawSpan, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        let direction = segment.direction
        let other = direction.opposite
        let before = directions[other].acknowledged
        if segment.flags.contains(.ack) {
            noteAcknowledgment(segment, &streams, &shard)
            if !assembly[other].waiting.isEmpty { drain(other, &streams, &shard) }
            if assembly[other].hasBase {
                shard.streams.attribution.packet.acknowledged = position(acknowledgedBy: segment)
            }
        }
        let start = assembly[direction].position(of: segment.sequence)
        if start == assembly[direction].next {
            assembly[direction].acknowledgedAtNext = max(
                assembly[direction].acknowledgedAtNext, shard.streams.attribution.packet.acknowledged)
        }
        let isHandshake = isHandshakeAnswer(segment, start, streams)
        if segment.payload > 0 {
            receivePayload(segment, start, transport, headers: segment.cost, &streams, &shard)
        } else if !segment.flags.contains(.fin) {
            attributeControl(
                segment, transport, start, acknowledgedBefore: before, isHandshake: isHandshake, &shard)
        }
        if segment.flags.contains(.fin) { noteFinish(segment, &streams, &shard) }
        directions[direction].windowIsZero = segment.window == 0
    }

    /// The client's first packet after the server's SYN, if it is bare and acknowledges that SYN, ends the handshake.
    @inline(__always)
    private mutating func isHandshakeAnswer(
        _ segment: Segment, _ start: StreamPosition, _ streams: borrowing ConnectionStreams
    ) -> Bool {
        guard !handshakeIsAnswered, segment.direction == streams.connection.client,
            let server = directions[segment.direction.opposite].synchronize, segment.flags.contains(.ack)
        else { return false }
        handshakeIsAnswered = true
        return segment.isPureAcknowledgment && segment.acknowledgment == server.advanced(by: 1)
            && (directions[segment.direction].synchronize == nil || start >= .zero)
    }

    @inline(__always)
    func position(acknowledgedBy segment: Segment) -> StreamPosition {
        assembly[segment.direction.opposite].position(of: segment.acknowledgment)
    }

    @inline(__always)
    private func noteAcknowledgment(
        _ segment: Segment, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        let other = segment.direction.opposite
        guard assembly[other].hasBase else {
            return directions[other].noteAcknowledgedUnseen(by: segment)
        }
        let position = position(acknowledgedBy: segment)
        let isNear = position - assembly[other].highest < StreamAssembler.farthest
        guard position > directions[other].acknowledged, isNear else { return }
        directions[other].acknowledged = position
        if position >= directions[other].sampleEnd { completeSample(segment, &streams, &shard) }
    }

    /// The time until a segment's first acknowledgment bounds the difference of the directions' clocks. One at a time is
    /// measured in each direction.
    @inline(__always)
    func takeSample(upTo end: StreamPosition, _ segment: Segment) {
        guard directions[segment.direction].sampleEnd == .never else { return }
        directions[segment.direction].sampleEnd = end
        directions[segment.direction].sampleTime = segment.time
    }

    private func completeSample(
        _ segment: Segment, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        let other = segment.direction.opposite
        directions[other].sampleEnd = .never
        let delay = segment.time - directions[other].sampleTime
        if streams.connection.clocks.note(delay, of: other) { shard.streams.findings.add(.clockSkew) }
    }

    /// A segment is held: what it acknowledges is known already.
    func noteAcknowledgmentAhead(_ segment: Segment) {
        let other = segment.direction.opposite
        guard segment.flags.contains(.ack) else { return }
        guard assembly[other].hasBase else {
            return directions[other].noteAcknowledgedUnseen(by: segment)
        }
        let position = position(acknowledgedBy: segment)
        let isNear = position - assembly[other].highest < StreamAssembler.farthest
        if position > directions[other].acknowledgedAhead, isNear { directions[other].acknowledgedAhead = position }
    }

    // MARK: Ends

    /// A FIN closes its direction at its sequence number, not when it comes (RFC 9293 §3.6).
    private mutating func noteFinish(
        _ segment: Segment, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        if segment.payload == 0 {
            shard.addOverhead(.teardown, segment.direction, segment.internetBytes, segment.cost.link)
        }
        let end = segment.sequence.advanced(by: segment.payload)
        realign(segment.direction, at: assembly[segment.direction].position(of: end), &shard)
        let position = assembly[segment.direction].position(of: end)
        if abs(position - assembly[segment.direction].highest) < StreamAssembler.farthest {
            placeFinish(position, segment.direction, &shard)
        }
        streams.noteClosing(.closed, by: segment.direction, at: segment.time, &shard.streams)
        finishIfReached(segment.direction, &streams, &shard)
        if streams.connection.closedTime == nil, directions[0].finish != .never, directions[1].finish != .never {
            streams.connection.closedTime = segment.time
            streams.connection.close = .fin
        }
    }

    @inline(__always)
    mutating func finishIfReached(
        _ direction: Direction, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        guard !directions[direction].isFinished, directions[direction].finish <= assembly[direction].next,
            !streams.isWaiting
        else { return }
        directions[direction].isFinished = true
        streams.finish(direction, isOrderly: true, &shard.streams)
    }

    /// All that came was taken, and nothing more will come: ends both directions.
    /// `isFirst`: the connection had not been concluded before.
    mutating func conclude(isFirst: Bool, _ streams: inout ConnectionStreams, _ shard: inout ShardContext) {
        if isFirst { noteMissingTails(&streams, &shard) }
        for direction in Direction.both where !directions[direction].isFinished {
            directions[direction].isFinished = true
            let isOrderly = directions[direction].finish <= assembly[direction].next
            streams.finish(direction, isOrderly: isOrderly, &shard.streams)
        }
        // What came behind a FIN is not waited for either.
        for direction in Direction.both {
            streams.abandon(direction, &shard.streams)
        }
        for direction in Direction.both {
            shard.streams.attribution.resolveAllDeferredCosts(
                direction, last: assembly[direction].highest - 1, next: assembly[direction].next)
            directions[direction].counts.unseen = assembly[direction].unseenByteCount
        }
    }

    /// Bytes that were acknowledged, or lie before a FIN, but beyond the last byte seen: the capture missed them.
    private func noteMissingTails(_ streams: inout ConnectionStreams, _ shard: inout ShardContext) {
        for direction in Direction.both {
            let highest = assembly[direction].highest
            let finish = directions[direction].finish
            // Without a FIN seen, one position of the acknowledgment may be a FIN that was not.
            let acknowledged =
                finish == .never
                ? directions[direction].acknowledged - 1 : min(directions[direction].acknowledged, finish)
            guard assembly[direction].hasBase else {
                // What was acknowledged was sent, and none of it was captured.
                let isAcknowledged = directions[direction].acknowledgedUnseen != nil
                if isAcknowledged, directions[direction].counts.packets == 0 {
                    shard.streams.findings.add(.streamGap)
                }
                continue
            }
            guard acknowledged > highest else { continue }
            streams.missEnd(acknowledged - highest, direction, &shard.streams)
        }
    }

    /// Charges costs whose bytes have been delivered since.
    func resolveDeferredCosts(_ shard: inout ShardContext) {
        for direction in Direction.both {
            shard.streams.attribution.resolveDeferredCosts(direction, next: assembly[direction].next)
        }
    }
}
