/// What the connections of a shard share: readers use `streams`, TCP the rest too. A connection changes itself and its
/// shard's context, nothing else.
struct ShardContext: ~Copyable {
    var streams: StreamContext
    /// Payload that waits for earlier bytes of its direction.
    var waiting = OutOfOrderSegments()
    /// Segments that wait for bytes of the other direction.
    var held = HeldSegments()
    var pieces = SegmentPieces()
    var subflows = SubflowDirectory()
    /// The earlier of the times of this frame and the one before. By it connections are called idle: some captures have
    /// single frames with times years ahead.
    var steadyTime = Int64.min
    /// What the connections add to the ledger of all.
    var ledger = LedgerSummary()
    var lateOpenings = LateOpenings()
    /// What the shard adds to the rows of UDP that the router has, and takes from them.
    var datagrams: [Int32: Directions<DatagramCounts>] = [:]
    /// QUIC's packets that are no connection's.
    var strays: DatagramTable
    /// The shard numbers its connections by itself, and says among the completed flows where each began.
    var numbersItself = false

    let payments: LookupPayments

    init(_ streams: consuming StreamContext, _ payments: LookupPayments = LookupPayments()) {
        self.payments = payments
        strays = DatagramTable(streams.options)
        self.streams = streams
    }

    /// Number of the frame that is taken now.
    @inline(__always) var frame: Int { streams.findings.place.packet }

    /// Set-up, teardown or a keep-alive: bytes of IP and of the link.
    @inline(__always)
    mutating func addOverhead(_ cause: Cause, _ direction: Direction, _ bytes: Int, _ link: Int) {
        streams.attribution.postOverhead(cause, bytes, link: link, frame: frame, direction)
    }

    /// A packet, or a part of one, that is not delivered: bytes of IP and of the link.
    @inline(__always)
    mutating func post(_ owner: Owner, _ cause: Cause, _ bytes: Int, _ link: Int, _ direction: Direction) {
        streams.attribution.post(packet: owner, cause, bytes, link: link, frame: frame, direction)
    }

    /// Segments take more than they may.
    var isCrowded: Bool {
        waiting.byteCount + held.byteCount + subflows.unmappedBytes
            > streams.options.limitPerShard(of: streams.options.totalHeldBytesLimit)
    }

    /// Bytes kept of what cannot be read yet.
    var waitingBytes: Int {
        waiting.byteCount + held.byteCount + subflows.unmappedBytes + streams.buffered.heads + streams.buffered.records
    }
}
