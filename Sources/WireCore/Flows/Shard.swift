/// The second half of the audit, for a sixteenth of the connections: their context, and what is done with them.
///
/// Shards know nothing of each other. A shard may change threads between two calls.
struct Shard: ~Copyable {
    var context: ShardContext
    var connections = ConnectionStore()
    /// Those of QUIC, all in one shard.
    var datagrams: QUICStore

    /// Whether it is the shard of all QUIC connections, and of no TCP.
    let holdsDatagrams: Bool

    init(_ context: consuming ShardContext, holdsDatagrams: Bool = false) {
        datagrams = QUICStore(options: context.streams.options)
        self.context = context
        self.holdsDatagrams = holdsDatagrams
    }

    /// Takes a segment. `bytes` are the captured bytes that it lies in. The segment stays as it is; given otherwise it would
    /// be copied, for each packet.
    @inline(__always)
    mutating func receive(_ routed: inout RoutedSegment, _ bytes: RawSpan) {
        place(routed)
        if routed.time < context.streams.timers.earliestTime { connections.pass(routed.time, &context) }
        if routed.resemblance != nil || connections.holdingCount > 0,
            connections.receiveRepeated(routed, bytes, &context)
        {
            return
        }
        let transport = bytes.extracting(
            routed.transportOffset..<routed.transportOffset + routed.transportCaptured)
        let (index, isNew) = connections.receive(&routed, transport, &context)
        if routed.process != 0 { connections.count(process: routed.process, of: index) }
        guard isNew || routed.segment.flags.contains(.syn) else { return }
        connections.introduce(index, routed, isNew: isNew, &context)
    }

    /// Takes a datagram of UDP, which stays as it is.
    mutating func receiveDatagram(_ routed: inout RoutedSegment, _ bytes: RawSpan) {
        place(routed)
        if routed.time < context.streams.timers.earliestTime { datagrams.pass(routed.time, &context) }
        let payload = bytes.extracting(
            routed.transportOffset..<routed.transportOffset + routed.transportCaptured)
        datagrams.receive(&routed, payload, &context)
    }

    /// A DNS message came behind the beginning of the connection that its lookup was for.
    mutating func receiveLookup(_ routed: RoutedSegment) {
        place(routed)
        guard let lookup = context.payments.take(routed.lookup) else { return }
        if holdsDatagrams {
            datagrams.payLate(lookup, routed.key, &context)
        } else {
            connections.payLate(lookup, routed.key, &context)
        }
    }

    /// A connection's packets are copies: it goes, unless it has others.
    mutating func withdraw(_ routed: RoutedSegment) {
        place(routed)
        let lookup = context.payments.take(routed.lookup)
        let count = routed.segment.frames
        let isWithdrawn =
            holdsDatagrams
            ? datagrams.withdraw(routed.key, holding: count, paying: lookup, &context)
            : connections.withdraw(routed.key, holding: count, paying: lookup, &context)
        guard isWithdrawn else {
            return context.streams.findings.add(.translationUnproved)
        }
        context.moveToDuplicates(routed)
    }

    @inline(__always)
    private mutating func place(_ routed: borrowing RoutedSegment) {
        context.steadyTime = routed.steadyTime
        context.streams.bytesSoFar = routed.bytesSoFar
        context.streams.findings.place = FindingPlace(file: routed.file, packet: routed.number)
        context.streams.findings.ordinal = routed.ordinal
    }

    /// The next frame is in another step of time than the ones before.
    mutating func step(_ routed: RoutedSegment) {
        place(routed)
        if routed.time >= context.streams.timers.nextTime || routed.time < context.streams.timers.earliestTime {
            if holdsDatagrams { datagrams.pass(routed.time, &context) } else { connections.pass(routed.time, &context) }
        }
    }

    /// See `Auditor`.
    mutating func advance(to time: Int64) {
        if holdsDatagrams { datagrams.advance(to: time, &context) } else { connections.advance(to: time, &context) }
    }

    /// See `Auditor`.
    mutating func resumeAwaited(at time: Int64) {
        if holdsDatagrams {
            datagrams.resumeAwaited(at: time, &context)
        } else {
            connections.resumeAwaited(at: time, &context)
        }
    }

    /// The capture has ended, and with it this connection.
    mutating func endLast(_ place: Int) {
        if holdsDatagrams { datagrams.endLast(place, &context) } else { connections.endLast(place, &context) }
    }

    /// All connections that are left, in the order of their first packets.
    var rest: [(ordinal: Int, place: Int)] {
        let rest = holdsDatagrams ? datagrams.rest : connections.rest
        // Mostly they are: places are used again only where connections end.
        let isOrdered = zip(rest, rest.dropFirst()).allSatisfy { $0.ordinal < $1.ordinal }
        return isOrdered ? rest : rest.sorted { $0.ordinal < $1.ordinal }
    }

    /// Number of the next connection.
    var nextNumber: Int {
        get { holdsDatagrams ? datagrams.nextNumber : connections.nextNumber }
        set { if holdsDatagrams { datagrams.nextNumber = newValue } else { connections.nextNumber = newValue } }
    }

    // MARK: Looks at what is open

    func addOpen(to sums: inout OpenSums) {
        if holdsDatagrams {
            datagrams.addOpen(to: &sums, context.streams)
        } else {
            connections.addOpen(to: &sums, context.streams)
        }
    }

    func addOpenRows(to rows: inout SnapshotRows, from start: Int, _ tables: borrowing SummaryTables) -> Int {
        guard holdsDatagrams else { return connections.addOpenRows(to: &rows, from: start, context.streams, tables) }
        datagrams.addOpenRows(to: &rows, context.streams, tables)
        return 0
    }

    func addOpenHosts(to tables: inout SummaryTables) {
        if holdsDatagrams {
            datagrams.addOpenHosts(to: &tables, context.streams)
        } else {
            connections.addOpenHosts(to: &tables, context.streams)
        }
    }

    func record(place: Int) -> ConnectionRecord? {
        holdsDatagrams
            ? datagrams.record(place: place, context.streams) : connections.record(place: place, context.streams)
    }

    func record(place: Int, exchange: Int) -> ExchangeRecord? {
        holdsDatagrams
            ? datagrams.record(place: place, exchange: exchange, context.streams)
            : connections.record(place: place, exchange: exchange, context.streams)
    }

    /// The capturing program lost packets before this frame.
    mutating func noteLoss(_ routed: RoutedSegment) { context.streams.drops.note(routed.time, after: routed.lossAfter) }

    /// Takes all that is in a queue, whose segments lie in these buffers.
    mutating func take(_ queue: inout BatchContent.Queue, _ buffers: [CaptureBuffer]) {
        var index = 0
        for (before, routed) in queue.others {
            take(&queue, from: &index, upTo: before, buffers)
            var other = routed
            switch other.kind {
            case .segment, .datagram, .unknownDatagram:
                let buffer = buffers[other.buffer].bytes
                let bytes = unsafe buffer.span.bytes
                let content = bytes.extracting(other.offset..<other.offset + other.length)
                if other.kind == .segment { receive(&other, content) } else { receiveDatagram(&other, content) }
            case .step: step(other)
            case .loss: noteLoss(other)
            case .lookup: receiveLookup(other)
            case .withdrawal: withdraw(other)
            }
        }
        take(&queue, from: &index, upTo: queue.segments.count, buffers)
        queue.removeAll()
        swap(&queue.completed, &context.streams.completed)
    }

    private mutating func take(
        _ queue: inout BatchContent.Queue, from index: inout Int, upTo end: Int, _ buffers: [CaptureBuffer]
    ) {
        var routed = RoutedSegment()
        var expectedEnd = connections.rewardsPrefetching ? index : end
        while index < end {
            let buffer = queue.segments[index].buffer
            let content = buffers[Int(buffer)].bytes
            let bytes = unsafe content.span.bytes
            while index < end, queue.segments[index].buffer == buffer {
                if index >= expectedEnd { expectedEnd = expect(queue.segments, from: index, upTo: end) }
                queue.segments[index].unpack(into: &routed)
                let range = routed.offset..<routed.offset + routed.length
                receive(&routed, bytes.extracting(range))
                index += 1
            }
        }
    }

    /// Brings what the next segments look at into the processor's cache, all at one time. Returns up to where.
    private mutating func expect(
        _ segments: borrowing UnsafeSlab<CompactSegment>, from start: Int, upTo end: Int
    ) -> Int {
        var expected = InlineArray<16, ConnectionStore.Expectation>(repeating: ConnectionStore.Expectation())
        let count = min(expected.count, end - start)
        for index in 0..<count { expected[index] = connections.expect(segments[start + index].key) }
        for index in 0..<count { connections.prefetch(expected[index]) }
        return start + count
    }
}
