/// What the router hands to a shard: mostly a TCP segment with the place of its bytes.
struct RoutedSegment: Sendable {
    enum Kind: UInt8, Sendable {
        case segment
        /// A UDP datagram between two that QUIC was seen between.
        case datagram
        /// Any other that may be QUIC.
        case unknownDatagram
        /// Before this frame, time has come to another step, or fallen back.
        case step
        /// Before this frame, the capturing program lost packets.
        case loss
        /// A DNS message came late: the connection has paid for the other messages of its lookup.
        case lookup
        /// All packets of a connection, as one: they are copies, and it goes.
        case withdrawal
    }

    var kind = Kind.segment
    /// Set where it equals an earlier packet. Whether it was captured twice or sent twice, its connection decides.
    var resemblance: Resemblance?
    /// Index of the file, and the frame's number in it.
    var file = 0
    var number = 0
    /// Place in the order in which the audit takes what comes.
    var ordinal = 0
    /// The earlier of the times of this frame and the one before. By it connections are called idle: some captures have
    /// single frames with times years ahead.
    var steadyTime = Int64.min
    /// Original lengths of all frames so far.
    var bytesSoFar = 0
    var segment = Segment()
    var key = ConnectionKey()
    /// Pseudo headers and tunnels of the frames: parts of what stands beside `segment.cost`.
    var pseudo = 0
    var tunnel = 0
    /// Where the segment begins in the captured bytes, and how many of its bytes there are.
    var transportOffset = 0
    var transportCaptured = 0
    /// Number of the process that its frame names; 0 for none.
    var process: UInt16 = 0
    /// Of a loss: the time of the latest frame before it; nil where there is none.
    var lossAfter: Int64?
    /// The lookups, in `LookupPayments`, that a connection which begins with the segment pays for, or that came late; 0 for
    /// none.
    var lookup: Int32 = 0
    /// Of a datagram: where it is counted if it is no QUIC connection's. Nil where QUIC was seen between these two: then
    /// the shard decides.
    var seat: DatagramTable.Seat?
    /// For whoever keeps it before it is taken: the buffer of the captured bytes, and where they begin in it.
    var buffer = 0
    var offset = 0
    var length = 0

    var time: Int64 { segment.time }
}
