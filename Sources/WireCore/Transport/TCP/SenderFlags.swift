/// What the sending device says of a packet (Apple's pcapng option 0x8004, libpcap's pcap-ng.h).
struct SenderFlags: OptionSet {
    let rawValue: UInt8

    static let keepAlive = SenderFlags(rawValue: 2)
    static let retransmission = SenderFlags(rawValue: 4)
}

/// The sender as a second witness of what a packet was. Its word changes no number.
struct SenderComparison {
    fileprivate let repeated: Int
    fileprivate let probeWasOpen: Bool

    /// Before the segment is received.
    init(_ segment: Segment, _ direction: borrowing TCPDirection) {
        (repeated, probeWasOpen) = (direction.counts.payloadRepeated, direction.probeIsOpen)
    }
}

extension TCPConnection {
    /// Counts a segment that the sender calls something else than what was booked: a retransmission, or a keep-alive. One that
    /// it sent first before the capture began is such a segment, too.
    @inline(never)
    func compare(_ segment: Segment, _ before: SenderComparison, _ shard: inout ShardContext) {
        let flags = SenderFlags(rawValue: segment.senderFlags)
        let direction = segment.direction
        // A probe repeats a byte that was sent before, and the sender may call it so or not.
        let isProbe = directions[direction].probeIsOpen
        directions[direction].probeIsOpen = isProbe || before.probeWasOpen
        guard !isProbe, segment.payload > 0 || flags.contains(.keepAlive) else { return }
        let isRepeated = directions[direction].counts.payloadRepeated > before.repeated
        if flags.contains(.keepAlive) || isRepeated != flags.contains(.retransmission) {
            shard.streams.findings.add(.senderDiffers)
        }
    }
}
