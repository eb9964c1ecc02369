import WireCore

/// Feeds frames to an audit in batches, from which other threads let the shards take theirs.
final class BatchFeeder {
    /// Captured bytes after which a batch is given out, and records of buffers that it may refer to, with their sizes.
    private static let roundSize = 192 << 10
    private static let bufferLimit = 64
    private static let bufferBytesLimit = 2 << 20
    private static let spareLimit = 32

    private let scheduler: BatchScheduler
    private var batch: Batch
    private var spare: [CaptureBuffer] = []

    /// - Parameter jobs: threads, the caller's included; 2 or more.
    init(_ auditor: inout Auditor, jobs: Int) {
        auditor.beginBatches()
        scheduler = BatchScheduler(auditor.unsafeShards, threads: jobs - 1)
        batch = Batch()
    }

    /// Takes frames of a reader, until it pauses.
    func take(
        _ turn: CaptureInputs.Turn, _ auditor: inout Auditor, _ filter: CaptureFilter?
    ) throws(CaptureError) -> CaptureFileReader.Pause {
        turn.reader.spareBuffer = { [weak self] in self?.takeSpare() }
        batch.addBuffer(turn.reader.lendBuffer())
        let pause = try batch.fill { content throws(CaptureError) in
            try turn.reader.drain(through: turn.limit) { frame, bytes, offset, _ throws(CaptureError) in
                if let filter, try !filter.passes(frame, bytes) {
                    auditor.leftOut(file: turn.file)
                    return
                }
                auditor.route(turn.numbered(frame), bytes, file: turn.file, offset: offset, into: &content)
            }
        }
        if batch.byteCount >= BatchFeeder.roundSize || batch.bufferCount >= BatchFeeder.bufferLimit
            || batch.bufferBytes >= BatchFeeder.bufferBytesLimit
        {
            giveOut()
        }
        return pause
    }

    private func giveOut() {
        scheduler.publish(batch)
        let next = scheduler.nextBatch()
        batch = next.batch
        let usual = next.buffers.filter { $0.bytes.count <= CaptureInputs.largeBuffer }
        spare += usual.prefix(BatchFeeder.spareLimit - spare.count)
    }

    /// A buffer that nobody looks at any more.
    private func takeSpare() -> CaptureBuffer? {
        while var buffer = spare.popLast() {
            if isKnownUniquelyReferenced(&buffer) { return buffer }
        }
        return nil
    }

    /// No frame follows. Returns when all are audited.
    func finish(_ auditor: inout Auditor) {
        batch.fill { auditor.routeLast(into: &$0) }
        drain()
    }

    /// Returns when all frames so far are audited.
    func drain() {
        giveOut()
        scheduler.drain()
    }

    /// Does something that must not happen while records are given out, unless that is just being done.
    func betweenSettlements(_ body: () -> Void) { scheduler.betweenSettlements(body) }

    func close() { scheduler.close() }
}
