/// A TCP packet as the connection sees it.
struct Segment {
    /// What is known of a checksum.
    enum Checksum: UInt8 { case unread, right, wrong }

    var direction = Direction(0)
    var time: Int64 = 0
    var sequence = SequenceNumber(0)
    var acknowledgment = SequenceNumber(0)
    var flags: TCPFlags = []
    var payload = 0
    var window: UInt16 = 0
    /// Header bytes of the IP layer, and bytes below it.
    var cost = HeaderCost()
    /// Frames the packet came in (fragments) and their lengths.
    var frames = 1
    var frameBytes = 0
    /// Length of the TCP header.
    var headerLength = 20
    var maximumSegmentSize: Int?
    /// IPv4 identification.
    var identification: UInt32 = 0
    /// TTL or hop limit.
    var hopLimit: UInt8 = 0
    /// What the sending device says of the packet, see `SenderFlags`; 0 where it says nothing.
    var senderFlags: UInt8 = 0
    /// A SYN that knows Multipath TCP.
    var hasMultipath = false
    /// Read before, where the packet has other addresses than its connection.
    var checksum = Checksum.unread

    var internetBytes: Int { cost.internet + payload }
    /// Neither payload nor SYN, FIN, RST.
    var isPureAcknowledgment: Bool { payload == 0 && flags.intersection([.syn, .fin, .rst]).isEmpty }
}
