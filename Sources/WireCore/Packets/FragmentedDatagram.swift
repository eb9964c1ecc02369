/// A datagram of which some fragments were seen.
struct FragmentedDatagram: Sendable {
    /// What fragments of one datagram have in common (RFC 791 §3.2; RFC 8200 §4.5 leaves the protocol out).
    struct Key: Hashable, Sendable {
        var source: IPAddress
        var destination: IPAddress
        var identification: UInt32
        var protocolNumber: UInt8

        init(_ packet: DecodedPacket) {
            source = packet.source
            destination = packet.destination
            identification = packet.identification
            protocolNumber = packet.source.isVersion6 ? 0 : packet.protocolNumber
        }
    }

    /// Longest datagram that IP's length fields allow.
    static let lengthLimit = 65_535
    /// Most separate pieces; a sender that makes more gaps than that is not rejoined.
    static let pieceLimit = 256

    let serial: Int
    let openedAt: Int64
    private(set) var sums = FragmentReassembler.Sums()
    /// Numbers of its frames, where somebody wants them.
    var numbers: [Int] = []
    private var bytes: [UInt8] = []
    /// What was seen, ascending, neither overlapping nor touching.
    private var seen: [Range<Int>] = []
    /// First byte that was seen but not captured, as far as known.
    private var firstUnknown = Int.max
    /// Fragments overlap with other bytes (in IPv6: at all), or say that the datagram ends at several places.
    private(set) var isContradictory = false
    /// Length of the datagram once its last fragment was seen.
    private var length: Int?
    /// The packet with the datagram's beginning once that was seen, the first one until then.
    private var beginning: DecodedPacket

    init(_ packet: DecodedPacket, serial: Int, openedAt: Int64) {
        beginning = packet
        self.serial = serial
        self.openedAt = openedAt
    }

    /// Bytes this takes while it waits.
    var heldBytes: Int {
        MemoryLayout<Self>.stride + bytes.count + seen.count * MemoryLayout<Range<Int>>.stride
    }

    var isComplete: Bool {
        guard let length, seen.count == 1 else { return false }
        return seen[0].lowerBound == 0 && seen[0].upperBound >= length
    }

    /// Takes a fragment's frame into the sums and its payload into the datagram; false when the datagram can no
    /// longer become one.
    mutating func add(_ packet: DecodedPacket, _ frame: RawSpan) -> Bool {
        sums.add(packet)
        let start = packet.fragmentOffset
        let end = start + packet.payload
        guard end <= Self.lengthLimit else {
            isContradictory = true
            return false
        }
        noteEnd(end, isLast: !packet.moreFragments)
        if start == 0, beginning.fragmentOffset != 0 { beginning = packet }
        guard start < end else { return true }
        let overlap = overlap(start..<end, packet, frame)
        if overlap.differs { isContradictory = true }
        if packet.source.isVersion6, overlap.isPresent, overlap.differs || !overlap.isWhole {
            // RFC 5722: nothing of such a datagram may be used.
            isContradictory = true
            return false
        }
        copyUnseen(start..<end, packet, frame)
        insert(start..<end)
        return seen.count <= Self.pieceLimit
    }

    /// The first fragment without another behind it says where the datagram ends.
    private mutating func noteEnd(_ end: Int, isLast: Bool) {
        if let length {
            if isLast ? end != length : end > length { isContradictory = true }
        } else if isLast {
            length = end
            if let last = seen.last, last.upperBound > end { isContradictory = true }
        }
    }

    /// What of a fragment was seen before.
    private func overlap(
        _ range: Range<Int>, _ packet: DecodedPacket, _ frame: RawSpan
    ) -> (isPresent: Bool, isWhole: Bool, differs: Bool) {
        var count = 0
        var differs = false
        for piece in seen {
            let common = piece.clamped(to: range)
            count += common.count
            let known = min(common.upperBound, range.lowerBound + packet.payloadCaptured, firstUnknown)
            var position = common.lowerBound
            while position < known, !differs {
                differs = bytes[position] != frame.u8(packet.payloadOffset + position - range.lowerBound)
                position += 1
            }
        }
        return (count > 0, count == range.count, differs)
    }

    /// Copies those bytes of a fragment that no earlier one held.
    private mutating func copyUnseen(_ range: Range<Int>, _ packet: DecodedPacket, _ frame: RawSpan) {
        if bytes.count < range.upperBound {
            bytes += [UInt8](repeating: 0, count: range.upperBound - bytes.count)
        }
        var position = range.lowerBound
        for piece in seen where piece.upperBound > range.lowerBound && piece.lowerBound < range.upperBound {
            if position < piece.lowerBound { copy(position..<piece.lowerBound, packet, frame) }
            position = max(position, piece.upperBound)
        }
        if position < range.upperBound { copy(position..<range.upperBound, packet, frame) }
    }

    private mutating func copy(_ range: Range<Int>, _ packet: DecodedPacket, _ frame: RawSpan) {
        let known = min(range.upperBound, packet.fragmentOffset + packet.payloadCaptured)
        if known < range.upperBound { firstUnknown = min(firstUnknown, max(known, range.lowerBound)) }
        var position = range.lowerBound
        while position < known {
            bytes[position] = frame.u8(packet.payloadOffset + position - packet.fragmentOffset)
            position += 1
        }
    }

    private mutating func insert(_ range: Range<Int>) {
        var joined = range
        var first = 0
        while first < seen.count, seen[first].upperBound < joined.lowerBound { first += 1 }
        var last = first
        while last < seen.count, seen[last].lowerBound <= joined.upperBound {
            joined = min(joined.lowerBound, seen[last].lowerBound)..<max(joined.upperBound, seen[last].upperBound)
            last += 1
        }
        seen.replaceSubrange(first..<last, with: CollectionOfOne(joined))
    }

    /// The datagram, once complete.
    consuming func finished() -> FragmentReassembler.Datagram {
        let length = length ?? 0
        let known = min(length, firstUnknown)
        if bytes.count > known { bytes.removeLast(bytes.count - known) }
        var packet = beginning
        packet.pseudo = sums.pseudo
        packet.link = sums.link
        packet.tunnel = sums.tunnel
        packet.network = sums.network + sums.payload - length
        packet.transport = 0
        packet.payload = length
        packet.payloadCaptured = known
        return FragmentReassembler.Datagram(bytes: bytes, length: length, sums: sums, packet: packet, numbers: numbers)
    }
}
