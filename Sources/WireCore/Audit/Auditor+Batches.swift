/// The audit for several threads: one routes frames into batches; others let shards take their segments; and each batch, in
/// order and when all its shards are done, is added to the totals.
extension Auditor {
    /// To be called before the first frame, by whoever uses batches.
    package mutating func beginBatches() {
        for shard in 0..<shards.count { shards[shard].context.numbersItself = totals.state.hasSink }
    }

    /// Takes a frame that lies in the latest buffer of the batch, at `offset`.
    package mutating func route(
        _ frame: CaptureFrame, _ bytes: RawSpan, file: Int, offset: Int, into batch: inout BatchContent
    ) {
        if frame.time > router.flows.deadline, router.releaseOverdue(at: frame.time) { routeReleased(into: &batch) }
        let route = router.route(frame, bytes, file: file)
        defer { if route.contains(.released) { routeReleased(into: &batch) } }
        batch.byteCount += bytes.byteCount
        batch.lastOrdinal = router.ordinal
        if route.isEmpty { return }
        router.place(offset: offset, length: bytes.byteCount, buffer: batch.buffers.count - 1)
        if !route.isDisjoint(with: [.step, .loss, .lookup]) { tell(route, &batch) }
        defer { if route.contains(.withdrawal) { tellWithdrawal(&batch) } }
        guard route.contains(.segment) else { return }
        if route.contains(.reassembled) {
            let file = batch.buffers.last
            batch.buffers.append(CaptureBuffer(router.datagram))
            router.place(offset: 0, length: router.datagram.count, buffer: batch.buffers.count - 1)
            if let file { batch.buffers.append(file) }
        }
        let shard = router.shard
        batch.add(&router.routed, to: shard)
    }

    @inline(never)
    private mutating func tellWithdrawal(_ batch: inout BatchContent) {
        var withdrawal = router.withdrawal
        batch.add(&withdrawal, to: router.withdrawalShard)
    }

    /// Takes frames that were held. They lie in buffers of their own.
    @inline(never)
    private mutating func routeReleased(into batch: inout BatchContent) {
        let (latest, file) = (router.routed, batch.buffers.last)
        while let (route, bytes) = router.routeReleased() {
            if route.contains(.lookup) { tell(.lookup, &batch) }
            guard route.contains(.segment) else { continue }
            batch.buffers.append(CaptureBuffer(bytes))
            router.place(offset: 0, length: bytes.count, buffer: batch.buffers.count - 1)
            batch.add(&router.routed, to: router.shard)
        }
        if let file { batch.buffers.append(file) }
        router.routed = latest
    }

    /// No frame follows: takes all that was held.
    package mutating func routeLast(into batch: inout BatchContent) {
        while router.releaseOverdue(at: .max, isLast: true) { routeReleased(into: &batch) }
    }

    private mutating func tell(_ route: PacketRouter.Route, _ batch: inout BatchContent) {
        defer {
            let shard = router.shard
            if route.contains(.lookup) { batch.add(&router.routed, to: shard) }
        }
        guard !route.isDisjoint(with: [.step, .loss]) else { return }
        var step = router.step
        var loss = router.loss
        for shard in 0..<shards.count {
            if route.contains(.step) { batch.add(&step, to: shard) }
            if route.contains(.loss) { batch.add(&loss, to: shard) }
        }
    }
}
