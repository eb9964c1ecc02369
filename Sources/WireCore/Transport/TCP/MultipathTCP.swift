/// Multipath TCP (RFC 8684) of one connection: makes segments of all its subflows into segments of one TCP connection.
///
/// Data of the connection are numbered for themselves. A mapping (DSS) says which numbers the bytes of a subflow have; the
/// first byte has the number that its sender's key gives. Here numbers of data become sequence numbers of the first subflow:
/// the first byte of the data stands behind the first subflow's SYN. So, while only one path is used, nothing changes.
final class MultipathTCP {
    private struct Sender {
        var key: MultipathKey?
        /// Number of the first byte, its lower half; nil while it is not known.
        var base: UInt32?
        /// Of the data, those that the other endpoint has: the first number that it lacks, as a sequence number.
        var acknowledged: SequenceNumber?
        /// Where the data end, as a sequence number.
        var end: SequenceNumber?
    }

    /// Most subflows of a connection, those that have ended among them.
    private static let subflowLimit = 64

    /// The subflow joined a connection that is not known: no message begins here but by chance.
    let isStray: Bool
    /// Its SYN was captured: the keys that give the first numbers should be there, too.
    let hasStart: Bool
    /// The first one opened the connection.
    private(set) var subflows: [Subflow]
    private var senders = DirectionPair(repeating: Sender())
    /// Data may go over several subflows: numbers of data count, not those of the subflows.
    private(set) var isSplit = false
    /// Bytes are missing that went over another subflow, or it is not known which bytes some are.
    private(set) var isIncomplete = false
    /// Its endpoints went back to plain TCP before data went over several paths.
    private(set) var isPlain = false
    /// Packets of subflows that joined.
    private(set) var joinedPackets = DirectionPair(repeating: 0)
    /// Data whose mapping may still come.
    private(set) var unmapped: [UnmappedSegment] = []

    /// By the first segment of a connection that was captured; nil where it is plain TCP.
    init?(_ segment: Segment, _ options: MultipathOptions, _ key: ConnectionKey) {
        guard options.isPresent else { return nil }
        isStray = options.isJoin
        hasStart = segment.flags.contains(.syn)
        subflows = [Subflow(key, isSwapped: false)]
    }

    /// All numbers are known that another subflow needs.
    var mayBeJoined: Bool { !isStray && !isPlain && hasStart && senders[0].base != nil && senders[1].base != nil }

    /// Adds a subflow by its SYN. Returns its index; nil where there are too many.
    func join(_ key: ConnectionKey, isSwapped: Bool) -> Int? {
        guard subflows.count < Self.subflowLimit else { return nil }
        subflows.append(Subflow(key, isSwapped: isSwapped))
        isSplit = true
        return subflows.count - 1
    }

    /// Whether a SYN opened the subflow.
    func isOpened(_ subflow: Int, by synchronize: Segment) -> Bool {
        let direction = subflows[subflow].direction(synchronize.direction)
        return subflows[subflow][direction].start == synchronize.sequence.advanced(by: 1)
    }

    func markIncomplete() { isIncomplete = true }

    /// By this subflows join that the other endpoint opens.
    func token(_ direction: Direction) -> UInt32? { senders[direction].key?.token }

    /// Where the data behind all that are known begin, for a direction of which TCP has none.
    func next(_ direction: Direction) -> SequenceNumber? {
        senders[direction].acknowledged ?? subflows[0][direction].start
    }

    /// No number says where the data of a direction begin.
    func lacksBase(_ direction: Direction) -> Bool { senders[direction].base == nil }

    func count(_ segment: Segment, of subflow: Int) {
        if subflow > 0 { joinedPackets[segment.direction] += segment.frames }
    }
}

// MARK: Options

extension MultipathTCP {
    /// Takes a SYN of the first subflow. One without options is of an endpoint that does not know Multipath TCP.
    func receiveSynchronize(_ segment: Segment, _ options: MultipathOptions) {
        guard options.isPresent else {
            isPlain = !isSplit
            return
        }
        subflows[0].recordStart(segment, segment.direction)
        record(options, segment.direction)
    }

    /// Takes a segment of a handshake: what it says of the numbers.
    func recordStart(_ segment: Segment, of subflow: Int) { subflows[subflow].recordStart(segment, segment.direction) }

    /// Takes the keys of a segment behind the SYNs of the first subflow, and its mapping.
    func receiveOptions(_ options: MultipathOptions, _ segment: Segment, of subflow: Int) {
        let direction = segment.direction
        if options.isCapable, subflow == 0 {
            if hasStart, segment.payload == 0 { recordStart(segment, of: 0) }
            record(options, direction)
            if let length = options.firstLength, let number = options.key?.firstNumber {
                record(MultipathOptions.Mapping(number: number, place: 1, length: length), direction, 0)
            }
        }
        if let mapping = options.mapping { record(mapping, direction, subflow) }
        if let number = options.acknowledgment, let next = sequence(of: number, direction.opposite) {
            let before = senders[direction.opposite].acknowledged
            if before.map({ next.distance(from: $0) > 0 }) ?? true { senders[direction.opposite].acknowledged = next }
        }
    }

    private func record(_ options: MultipathOptions, _ direction: Direction) {
        if let key = options.key { record(key, direction) }
        if let key = options.otherKey { record(key, direction.opposite) }
    }

    private func record(_ key: MultipathKey, _ direction: Direction) {
        guard senders[direction].base == nil else { return }
        (senders[direction].key, senders[direction].base) = (key, key.firstNumber)
    }

    private func record(_ mapping: MultipathOptions.Mapping, _ direction: Direction, _ subflow: Int) {
        let continuous = mapping.number &- (mapping.place &- 1)
        // Without the beginning nothing else says which number was the first.
        if senders[direction].base == nil, !hasStart { senders[direction].base = continuous }
        guard let base = senders[direction].base else { return markIncomplete() }
        if !isSplit, continuous != base {
            markIncomplete()
            isSplit = mayBeJoined
        }
        if mapping.length == nil {
            subflows[subflow].isPlain = true
            if !isSplit { isPlain = !isIncomplete }
        }
        let half = subflows[subflow][direction]
        guard let start = half.position(ofPlace: mapping.place), let from = half.start,
            let number = sequence(of: mapping.number, direction)
        else { return }
        let length = mapping.length ?? SubflowMappings.farthest
        let shift = number.rawValue &- from.advanced(by: start).rawValue
        if !subflows[subflow][direction].mappings.insert(start..<start + length, shift: shift) {
            markIncomplete()
        }
    }

    /// A number of data as a sequence number of the connection; nil while that is not known.
    func sequence(of number: UInt32, _ direction: Direction) -> SequenceNumber? {
        guard let base = senders[direction].base, let start = subflows[0][direction].start else { return nil }
        return SequenceNumber(start.rawValue &+ (number &- base))
    }
}

// MARK: Segments

extension MultipathTCP {
    /// How far its sender has the data, as a segment tells it; nil where that is not known.
    func acknowledgment(of segment: Segment, _ options: MultipathOptions, _ subflow: Int) -> SequenceNumber? {
        let other = segment.direction.opposite
        guard segment.flags.contains(.ack) else { return nil }
        if let number = options.acknowledgment, let next = sequence(of: number, other) { return next }
        if subflows[subflow].isPlain {
            let half = subflows[subflow][other]
            let position = half.position(of: segment.acknowledgment)
            return position.flatMap { half.mappings.mapping(at: $0 - 1) }.map {
                SequenceNumber(segment.acknowledgment.rawValue &+ $0.shift)
            }
        }
        return senders[other].acknowledged ?? (subflow == 0 ? segment.acknowledgment : nil)
    }

    /// Whether no data of a direction have come, and none were mapped.
    func isUntouched(_ direction: Direction) -> Bool {
        subflows[0][direction].mappings.isEmpty && subflows[0][direction].highest == 0
    }

    /// The endpoints went back to plain TCP.
    func fallBack() { isPlain = true }

    /// The places of a segment's payload in its subflow; nil while the subflow's start is not known.
    func places(of segment: Segment, _ subflow: Int) -> Range<Int>? {
        let start = subflows[subflow][segment.direction].position(of: segment.sequence)
        return start.map { $0..<$0 + segment.payload }
    }

    func recordPayload(upTo end: Int, _ direction: Direction, _ subflow: Int) {
        subflows[subflow][direction].record(end: end)
    }

    /// Divides a segment with payload into those of the connection. The first has all that the packet cost. Nil while some
    /// byte has no number.
    func divide(_ segment: Segment, _ subflow: Int) -> [Segment]? {
        guard let places = places(of: segment, subflow) else { return nil }
        let mappings = subflows[subflow][segment.direction].mappings
        var pieces: [Segment] = []
        var position = places.lowerBound
        while position < places.upperBound {
            guard let mapping = mappings.mapping(at: position) else { return nil }
            let end = min(mapping.end, places.upperBound)
            var piece = segment
            if position > places.lowerBound { (piece.frames, piece.frameBytes, piece.cost) = (0, 0, HeaderCost()) }
            // What stands before is passed over with the header.
            piece.headerLength += position - places.lowerBound
            piece.payload = end - position
            piece.sequence = SequenceNumber(
                segment.sequence.advanced(by: position - places.lowerBound).rawValue &+ mapping.shift)
            pieces.append(piece)
            position = end
        }
        return pieces
    }

    /// The data of a direction end there. Returns whether that is news.
    func recordEnd(_ end: SequenceNumber, _ direction: Direction) -> Bool {
        defer { senders[direction].end = end }
        return senders[direction].end != end
    }

    /// A subflow's FIN or reset.
    func recordClosing(_ segment: Segment, _ subflow: Int) {
        if segment.flags.contains(.rst) { subflows[subflow].isReset = true }
        guard segment.flags.contains(.fin) else { return }
        subflows[subflow][segment.direction].finish = segment.sequence.advanced(by: segment.payload)
    }

    /// Where the data of a direction end that go over a subflow as plain TCP, by its FIN.
    func end(byClosing segment: Segment, _ subflow: Int) -> SequenceNumber? {
        guard subflows[subflow].isPlain, let places = places(of: segment, subflow) else { return nil }
        return subflows[subflow][segment.direction].mappings.mapping(at: places.upperBound - 1).map {
            SequenceNumber(segment.sequence.advanced(by: segment.payload).rawValue &+ $0.shift)
        }
    }

    /// Whether a segment acknowledges the FIN of its subflow.
    func acknowledgesFinish(_ segment: Segment, _ subflow: Int) -> Bool {
        subflows[subflow][segment.direction.opposite].finish.map {
            segment.acknowledgment == $0.advanced(by: 1)
        } ?? false
    }

    /// All subflows have ended.
    var isOver: Bool { subflows.allSatisfy(\.isOver) }
}

/// Data that came before their mapping.
struct UnmappedSegment {
    /// With the direction and the acknowledgment that it has in the connection.
    let segment: Segment
    let subflow: Int
    /// What was captured of its TCP header and payload.
    let transport: [UInt8]
    let place: FindingPlace
    /// The connection's latest time when it came: nanoseconds.
    let since: Int64
}

extension MultipathTCP {
    func hold(_ segment: UnmappedSegment) { unmapped.append(segment) }

    /// Takes out the first that has a mapping by now, or that is waited for no longer.
    func release(where isDue: (UnmappedSegment) -> Bool) -> UnmappedSegment? {
        unmapped.firstIndex(where: isDue).map { unmapped.remove(at: $0) }
    }
}
