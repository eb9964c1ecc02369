/// What a trace is told: behind a look at `isTraced`, for most runs have none. All of it is `mutating`: otherwise the compiler
/// copies the whole value before it looks.
extension Attribution {
    /// What counts as the owner: a closed account does not any more.
    private func serial(_ owner: Owner) -> UInt32 { isOpen(owner) ? owner.serial : 0 }

    /// The trace, in which what is noted now is of the connection that is attributed.
    var selected: ClaimTrace? {
        mutating get {
            trace?.select(connection.identity)
            return trace
        }
    }

    // MARK: Frames

    /// The frame of a packet whose parts are booked one by one; 0 without a trace.
    var tracedFrame: Int {
        mutating get { isTraced ? trace?.frame ?? 0 : 0 }
    }

    /// The frame whose parts are booked next.
    mutating func noteFrame(_ frame: Int) {
        if isTraced { trace?.frame = frame }
    }

    /// The frame whose parts are booked next comes now, or turns out to be a connection's.
    mutating func noteDatagram(_ frame: Int) {
        guard isTraced else { return }
        trace?.frame = frame
        trace?.disclaim(frame)
    }

    /// Bytes of a packet are delivered, which begin there.
    @inline(__always)
    mutating func noteDelivery(at start: StreamPosition, _ count: Int, frame: Int, _ direction: Direction) {
        if isTraced { traceDelivery(at: start, count, frame, direction) }
    }

    @inline(never)
    private mutating func traceDelivery(
        at start: StreamPosition, _ count: Int, _ frame: Int, _ direction: Direction
    ) {
        carrier.frame = UInt32(truncatingIfNeeded: frame)
        carrier.shares.watch()
        selected?.deliver(at: start, count, frame: frame, direction)
    }

    /// What is claimed next lies there.
    @inline(__always)
    mutating func noteCursor(_ position: StreamPosition) {
        if isTraced { trace?.cursor = position }
    }

    // MARK: Bytes

    /// Bytes that are being delivered.
    @inline(never)
    mutating func traceClaim(_ owner: Owner, _ cause: Cause, _ count: Int, _ direction: Direction) {
        selected?.claim(serial(owner), cause, count, direction)
    }

    /// Bytes that lie there.
    @inline(never)
    mutating func traceClaim(
        _ owner: Owner, _ cause: Cause, _ count: Int, at start: StreamPosition, _ direction: Direction
    ) {
        selected?.claim(serial(owner), cause, count, at: start, direction)
    }

    /// Bytes of a frame that are not of the stream, or were not new in it.
    @inline(never)
    mutating func tracePost(_ owner: Owner, _ cause: Cause, _ bytes: Int, frame: Int, _ direction: Direction) {
        selected?.post(serial(owner), cause, bytes, frame: frame, direction)
    }

    /// Bytes of the packet whose parts are booked one by one.
    mutating func book(_ owner: Owner, _ cause: Cause, _ bytes: Int, _ direction: Direction) {
        post(owner, cause, bytes, direction)
        if isTraced { tracePost(owner, cause, bytes, frame: tracedFrame, direction) }
    }

    /// Bytes of a frame that the connection has are an owner's.
    mutating func traceMove(_ bytes: Int, _ cause: Cause, frame: Int, to owner: Owner, _ direction: Direction) {
        if isTraced { selected?.move(bytes, cause, frame: frame, to: serial(owner), direction) }
    }

    /// A part of a record's overhead, which lies before its content and behind it.
    @inline(never)
    mutating func traceOverhead(of record: RecordUnit, _ owner: Owner, _ part: Range<Int>, _ direction: Direction) {
        let lead = part.clamped(to: 0..<record.lead)
        traceClaim(owner, .tlsRecords, lead.count, at: record.start + lead.lowerBound, direction)
        let trail = part.clamped(to: record.lead..<record.lead + record.trail)
        let end = record.end - record.trail
        traceClaim(owner, .tlsRecords, trail.count, at: end + (trail.lowerBound - record.lead), direction)
    }

    /// The first bytes of a stream, which are booked when their owner is known.
    mutating func noteHeld(_ count: Int, _ stream: UInt64, _ direction: Direction) {
        if isTraced { selected?.hold(count, stream, direction) }
    }

    /// Those have their owner.
    mutating func traceHeld(_ owner: Owner, _ cause: Cause, _ stream: UInt64, _ direction: Direction) {
        selected?.release(serial(owner), cause, stream, direction)
    }

    // MARK: Ends

    /// All that the connection has are copies.
    mutating func traceWithdrawal() {
        if isTraced { selected?.withdraw() }
    }

    /// An exchange leaves; its account is still open.
    mutating func traceExchange(_ index: Int, number: Int, api: ArraySlice<UInt8>) {
        selected?.name(accounts[index].serial, exchange: number, api: api)
    }

    /// The connection ends.
    mutating func traceEnd(_ number: Int, client: Direction, host: [UInt8]?) {
        selected?.end(connection: number, client: client, host: host ?? [])
    }
}
