/// The second half of the audit, for a part of the connections: their books, and what is done with them.
///
/// Parts know nothing of each other. A part may change threads between two calls.
struct ConnectionPart: ~Copyable {
    var books: Books
    var connections = ConnectionStore()

    init(_ books: consuming Books) { self.books = books }

    /// Takes a segment. `bytes` are the captured bytes that it lies in. The arrival stays as it is; given otherwise it would
    /// be copied, for each packet.
    @inline(__always)
    mutating func receive(_ arrival: inout Arrival, _ bytes: RawSpan) {
        place(arrival)
        if arrival.time < books.due.earliestTime { connections.pass(arrival.time, &books) }
        if arrival.mayBeCopy, connections.identificationIsTelling(arrival.key) { return bookCopy(arrival) }
        let transport = bytes.extracting(
            arrival.transportOffset..<arrival.transportOffset + arrival.transportCaptured)
        let (index, isNew) = connections.receive(&arrival, transport, &books)
        guard isNew else { return }
        connections.introduce(index, arrival, &books)
        if arrival.processNameLength > 0 {
            let name = arrival.processNameOffset..<arrival.processNameOffset + arrival.processNameLength
            connections.setProcessName(bytes.array(name), of: index)
        }
    }

    @inline(__always)
    private mutating func place(_ arrival: borrowing Arrival) {
        books.steadyTime = arrival.steadyTime
        books.bytesSoFar = arrival.bytesSoFar
        books.findings.place = FindingPlace(file: arrival.file, packet: arrival.number)
        books.findings.ordinal = arrival.ordinal
    }

    /// The frame was captured twice: what was booked to its layers gives way.
    private mutating func bookCopy(_ arrival: Arrival) {
        let segment = arrival.segment
        books.ledger.layers.pseudo -= arrival.pseudo
        books.ledger.layers.tunnel -= arrival.tunnel
        books.ledger.layers.link -= segment.cost.link - arrival.tunnel
        books.ledger.layers.transport -= segment.headerLength
        books.ledger.layers.network -= segment.cost.internet - segment.headerLength
        books.ledger.layers.payload -= segment.payload
        books.ledger.layers.duplicate += segment.frameBytes
    }

    /// The next frame is in another step of time than the ones before.
    mutating func step(_ arrival: Arrival) {
        place(arrival)
        if arrival.time >= books.due.nextTime || arrival.time < books.due.earliestTime {
            connections.pass(arrival.time, &books)
        }
    }

    /// See `Auditor`.
    mutating func advance(to time: Int64) { connections.advance(to: time, &books) }

    /// See `Auditor`.
    mutating func resumeAwaited(at time: Int64) { connections.resumeAwaited(at: time, &books) }

    /// The capture has ended, and with it this connection.
    mutating func endLast(_ place: Int) { connections.endLast(place, &books) }

    /// The capturing program lost packets before this frame.
    mutating func noteLoss(_ arrival: Arrival) { books.drops.note(arrival.time, after: arrival.lossAfter) }

    /// Takes all that is in a lane, whose segments lie in these buffers.
    mutating func take(_ lane: inout RoundContent.Lane, _ buffers: [CaptureBuffer]) {
        var index = 0
        for (before, arrival) in lane.others {
            take(&lane, from: &index, upTo: before, buffers)
            var other = arrival
            switch other.kind {
            case .segment:
                let content = buffers[other.buffer].bytes
                let bytes = unsafe content.span.bytes
                receive(&other, bytes.extracting(other.offset..<other.offset + other.length))
            case .step: step(other)
            case .loss: noteLoss(other)
            }
        }
        take(&lane, from: &index, upTo: lane.arrivals.count, buffers)
        lane.removeAll()
        swap(&lane.outbox, &books.outbox)
    }

    private mutating func take(
        _ lane: inout RoundContent.Lane, from index: inout Int, upTo end: Int, _ buffers: [CaptureBuffer]
    ) {
        var arrival = Arrival()
        var expectedEnd = connections.rewardsPrefetching ? index : end
        while index < end {
            let buffer = lane.arrivals[index].buffer
            let content = buffers[Int(buffer)].bytes
            let bytes = unsafe content.span.bytes
            while index < end, lane.arrivals[index].buffer == buffer {
                if index >= expectedEnd { expectedEnd = expect(lane.arrivals, from: index, upTo: end) }
                lane.arrivals[index].unpack(into: &arrival)
                let range = arrival.offset..<arrival.offset + arrival.length
                receive(&arrival, bytes.extracting(range))
                index += 1
            }
        }
    }

    /// Brings what the next arrivals look at into the processor's cache, all at one time. Returns up to where.
    private func expect(_ arrivals: borrowing UnsafeSlab<PackedArrival>, from start: Int, upTo end: Int) -> Int {
        var expected = InlineArray<16, ConnectionStore.Expectation>(repeating: ConnectionStore.Expectation())
        let count = min(expected.count, end - start)
        for index in 0..<count { expected[index] = connections.expect(arrivals[start + index].key) }
        for index in 0..<count { connections.prefetch(expected[index]) }
        return start + count
    }
}
