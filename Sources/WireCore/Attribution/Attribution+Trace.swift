/// What a trace is told. Each of these is called behind a look at `isTraced` only.
extension Attribution {
    /// What counts as the owner: a closed account does not any more.
    private func serial(_ owner: Owner) -> UInt32 { isOpen(owner) ? owner.serial : 0 }

    /// Bytes that are being delivered.
    @inline(never)
    func traceClaim(_ owner: Owner, _ cause: Cause, _ count: Int, _ direction: Direction) {
        trace?.claim(serial(owner), cause, count, direction)
    }

    /// Bytes that lie there.
    @inline(never)
    func traceClaim(
        _ owner: Owner, _ cause: Cause, _ count: Int, at start: StreamPosition, _ direction: Direction
    ) {
        trace?.claim(serial(owner), cause, count, at: start, direction)
    }

    /// Bytes of a frame that are not of the stream, or were not new in it.
    @inline(never)
    func tracePost(_ owner: Owner, _ cause: Cause, _ bytes: Int, frame: Int, _ direction: Direction) {
        trace?.post(serial(owner), cause, bytes, frame: frame, direction)
    }

    /// The frame of the packet that is attributed next.
    @inline(__always)
    func noteFrame(_ frame: Int) {
        if isTraced { trace?.frame = frame }
    }

    /// An exchange leaves; its account is still open.
    @inline(__always)
    func noteExchange(_ index: Int, number: Int, api: ArraySlice<UInt8>) {
        if isTraced { trace?.name(accounts[index].serial, exchange: number, api: Array(api)) }
    }

    /// Bytes of the packet that is attributed now.
    @inline(never)
    func tracePacket(_ owner: Owner, _ cause: Cause, _ bytes: Int, _ direction: Direction) {
        guard let trace else { return }
        tracePost(owner, cause, bytes, frame: trace.frame, direction)
    }

    /// A part of a record's overhead, which lies before its content and behind it.
    @inline(never)
    func traceOverhead(of record: RecordUnit, _ owner: Owner, _ part: Range<Int>, _ direction: Direction) {
        let lead = part.clamped(to: 0..<record.lead)
        traceClaim(owner, .tlsRecords, lead.count, at: record.start + lead.lowerBound, direction)
        let trail = part.clamped(to: record.lead..<record.lead + record.trail)
        let end = record.end - record.trail
        traceClaim(owner, .tlsRecords, trail.count, at: end + (trail.lowerBound - record.lead), direction)
    }

    /// What is claimed next lies there.
    @inline(__always)
    func noteCursor(_ position: StreamPosition) {
        if isTraced { trace?.cursor = position }
    }

    /// Bytes of the packet that is delivered begin there.
    @inline(__always)
    func noteDelivery(at start: StreamPosition, _ count: Int, _ direction: Direction) {
        guard isTraced else { return }
        let frame = carrier.overhead < 0 ? carrier.cost.frame : pending.slots[Int(carrier.overhead)].cost.frame
        trace?.deliver(at: start, count, frame: frame, direction)
    }
}
