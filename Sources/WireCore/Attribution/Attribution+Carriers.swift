/// A packet, or a record, while its bytes are delivered.
struct Carrier {
    var cost = HeaderCost()
    /// Owners of its bytes so far.
    var shares = ShareList()
    /// Its pending overhead, once some of its bytes must wait for others; below 0 before.
    var overhead: PendingOverheads.Handle = -1
    /// Number of the packet's frame, where there is a trace.
    var frame: UInt32 = 0
    /// Nil for a packet.
    var record: RecordUnit?
    /// Of one that was resumed: the context to go back to.
    var suspended: PacketContext?
}

/// What carries the bytes that are delivered: it gets its overhead shared out when it leaves, or when the last of its
/// bytes has an owner.
extension Attribution {
    /// A packet begins to be delivered. Nothing else is.
    @inline(__always)
    mutating func enter(packet cost: HeaderCost) {
        carrier.cost = cost
        carrier.shares.removeAll()
        isDelivering = true
    }

    /// A record begins to be read.
    mutating func enter(record: RecordUnit) {
        push()
        carrier.record = record
        if isTraced {
            trace?.cursor = record.start + record.lead
            carrier.shares.watch()
        }
    }

    /// Bytes are delivered that waited, as if their packet had just come.
    mutating func resume(_ overhead: PendingOverheads.Handle, _ context: PacketContext) {
        push()
        carrier.overhead = overhead
        pending.takeShares(overhead, into: &carrier.shares)
        carrier.suspended = packet
        packet = context
        if isTraced { carrier.shares.watch() }
    }

    /// Makes room for another carrier inside the one that is delivered, if there is one.
    private mutating func push() {
        guard isDelivering else {
            isDelivering = true
            return
        }
        if depth == outer.count { outer.append(Carrier()) }
        swap(&carrier, &outer[depth])
        depth += 1
    }

    private mutating func pop() {
        guard depth > 0 else {
            isDelivering = false
            return
        }
        depth -= 1
        swap(&carrier, &outer[depth])
    }

    /// All bytes of the innermost carrier were delivered.
    @inline(__always)
    mutating func leave(_ direction: Direction) {
        guard depth == 0, carrier.overhead < 0, carrier.record == nil, carrier.shares.count == 1,
            carrier.shares[0].owner != .handshake
        else { return leaveSlowly(direction) }
        // A packet of one owner: most are.
        let owner = carrier.shares[0].owner
        post(owner, .tcpip, carrier.cost.internet, direction)
        postLink(owner, carrier.cost.link, direction)
        if carrier.cost.hidden > 0 { postHidden(owner, carrier.cost.hidden, direction) }
        carrier.shares.removeAll()
        isDelivering = false
    }

    private mutating func leaveSlowly(_ direction: Direction) {
        if let suspended = carrier.suspended {
            packet = suspended
            carrier.suspended = nil
        }
        var shares = ShareList()
        swap(&shares, &carrier.shares)
        if isTraced { shares.unwatch() }
        let overhead = carrier.overhead
        if overhead >= 0 {
            carrier.overhead = -1
            if carrier.record != nil { carrier.record = nil }
            pop()
            pending.addShares(overhead, &shares)
            release(overhead, direction)
        } else if let record = carrier.record {
            carrier.record = nil
            pop()
            attribute(record, shares, direction)
        } else {
            let (cost, frame) = (carrier.cost, Int(carrier.frame))
            pop()
            postHeaders(cost, frame: frame, among: shares, direction)
        }
    }

    /// The innermost carrier is the one with this pending overhead.
    func isInnermost(_ overhead: PendingOverheads.Handle) -> Bool { carrier.overhead == overhead }

    // MARK: Pending overhead

    /// Bytes that are being delivered wait for the rest of their unit, and their carriers with them.
    mutating func deferPiece(_ start: StreamPosition, _ count: Int) -> UnitPiece {
        if carrier.overhead < 0, let record = carrier.record, record.pieces.isEmpty, depth > 0 {
            let overhead = Attribution.retainOverhead(of: &outer[depth - 1], &pending)
            carrier.record?.pieces = [
                UnitPiece(overhead: overhead, start: record.start, count: record.length, packet: packet)
            ]
        }
        let overhead = Attribution.retainOverhead(of: &carrier, &pending)
        return UnitPiece(overhead: overhead, start: start, count: count, packet: packet)
    }

    /// The pending overhead of a carrier, which waits for one piece more.
    private static func retainOverhead(
        of carrier: inout Carrier, _ pending: inout PendingOverheads
    ) -> PendingOverheads.Handle {
        if carrier.overhead < 0 {
            carrier.overhead = pending.insert(
                carrier.cost, frame: Int(carrier.frame), record: carrier.record, outstanding: 1)
        }
        pending.retain(carrier.overhead)
        return carrier.overhead
    }

    /// One piece of it has its owner.
    mutating func release(_ overhead: PendingOverheads.Handle, _ direction: Direction) {
        guard pending.release(overhead) else { return }
        var shares = ShareList()
        pending.takeShares(overhead, into: &shares)
        if let record = pending.takeRecord(overhead) {
            attribute(record, shares, direction)
        } else {
            let frame = Int(pending.slots[Int(overhead)].frame)
            postHeaders(pending.slots[Int(overhead)].cost, frame: frame, among: shares, direction)
        }
    }

    /// Adds a share to a carrier, which may be one that is being delivered.
    mutating func share(_ overhead: PendingOverheads.Handle, _ owner: Owner, _ count: Int) {
        if carrier.overhead == overhead { return carrier.shares.add(owner, count) }
        for place in 0..<depth where outer[place].overhead == overhead {
            return outer[place].shares.add(owner, count)
        }
        pending.share(overhead, owner, count)
    }

    // MARK: Units

    /// A piece has its owner.
    mutating func resolve(_ piece: UnitPiece, _ owner: Owner, _ direction: Direction) {
        share(piece.overhead, owner, piece.count)
        release(piece.overhead, direction)
    }

    /// All bytes of a unit, whose cause is posted, belong to one owner. `pieces` is empty where it lies in the innermost
    /// carrier. Behind bytes without an owner it waits for its turn.
    @inline(__always)
    mutating func attributeUnit(
        _ count: Int, _ pieces: [UnitPiece], _ owner: Owner, at start: StreamPosition, _ runs: OwnerRuns,
        _ direction: Direction
    ) {
        guard runs.isBlocked else {
            if pieces.isEmpty { carrier.shares.add(owner, count) }
            runs.append(owner, upTo: start + count)
            for piece in pieces { resolve(piece, owner, direction) }
            return
        }
        runs.append(
            DeferredUnit(
                pieces: pieces.isEmpty ? [deferPiece(start, count)] : pieces, end: start + count, owner: owner))
    }

    mutating func attribute(
        _ pieces: [UnitPiece], upTo end: StreamPosition, _ owner: Owner, _ direction: Direction
    ) {
        connection[direction].runs?.append(owner, upTo: end)
        for piece in pieces { resolve(piece, owner, direction) }
    }

    /// Shares out a record whose content has its owners: its overhead among them, its bytes among its packets.
    private mutating func attribute(_ record: RecordUnit, _ shares: ShareList, _ direction: Direction) {
        guard let runs = connection[direction].runs else { return }
        postRecordOverhead(of: record, among: shares.merged(), direction)
        let first = shares.isEmpty ? Owner.connection : shares[0].owner
        let last = shares.isEmpty ? Owner.connection : shares[shares.count - 1].owner
        var position = record.start + record.lead
        runs.append(first, upTo: position)
        for index in 0..<shares.count {
            position = position + shares[index].bytes
            runs.append(shares[index].owner, upTo: position)
        }
        runs.append(last, upTo: record.end)
        guard !record.pieces.isEmpty else {
            // It lies in the carrier that is being delivered.
            carrier.shares.add(first, record.lead)
            for index in 0..<shares.count { carrier.shares.add(shares[index].owner, shares[index].bytes) }
            carrier.shares.add(last, record.trail)
            return
        }
        for piece in record.pieces {
            var position = piece.start
            while position < piece.end {
                let run = runs.find(position)
                let end = min(run.end, piece.end)
                share(piece.overhead, run.owner, end - position)
                position = end
            }
            release(piece.overhead, direction)
        }
    }

    private mutating func postRecordOverhead(
        of record: RecordUnit, among shares: ShareList, _ direction: Direction
    ) {
        let overhead = record.lead + record.trail
        guard shares.count > 1 else {
            let owner = shares.isEmpty ? Owner.connection : shares[0].owner
            post(owner, .tlsRecords, overhead, direction)
            if isTraced { traceOverhead(of: record, owner, 0..<overhead, direction) }
            return
        }
        var start = 0
        for (index, part) in divide(overhead, among: shares).enumerated() {
            post(shares[index].owner, .tlsRecords, part, direction)
            if isTraced { traceOverhead(of: record, shares[index].owner, start..<start + part, direction) }
            start += part
        }
    }

    /// A record waits to be read: what comes behind it waits for its turn.
    func holdRecord(_ direction: Direction) { connection[direction].runs?.waitingRecords += 1 }

    /// The records that waited are read now, or never.
    func releaseRecords(_ direction: Direction) { connection[direction].runs?.waitingRecords = 0 }

    /// Bytes of a unit that lies in the stream itself have this owner.
    @inline(__always)
    func appendDirect(_ owner: Owner, upTo position: StreamPosition, _ direction: Direction) {
        if let runs = connection[direction].runs, runs.isDirect { runs.append(owner, upTo: position) }
    }
}
