import WireTesting

@testable import WireCapture
@testable import WireCore

/// Of so many inputs one is audited with two threads as well: threads cost more than most inputs do.
private let threadedShare = 8

extension Cuts {
    /// Whether this input is one of those that two threads audit. It follows from the input.
    mutating func asksForThreads() -> Bool { below(threadedShare) == 0 }
}

extension ProbedAudit {
    /// Demands, for some inputs, that two threads find the same and give the records out in the same order.
    func demandSameInRounds(_ input: [UInt8]) {
        var cuts = Cuts(input)
        guard cuts.asksForThreads() else { return }
        let one = runInOrder()
        let two = AllocationWatch.withThreads { runInRounds(&cuts) }
        two.audited.demandEqual(one.audited, "in batches")
        demandEqualLists(two.order, one.order, "in batches: order of records")
    }

    /// Runs it as several threads do: frames are routed into batches, which may end behind any frame, and this thread and
    /// another one take their parts.
    private func runInRounds(_ cuts: inout Cuts) -> (audited: AuditedCapture, order: [GivenRecord]) {
        let sink = ProbeSink()
        var auditor = Auditor(options: options, sink: sink, keys: keyLog)
        let file = auditor.addFile(Self.summary)
        auditor.beginBatches()
        let scheduler = BatchScheduler(auditor.unsafeShards, threads: 1)
        for piece in cuts.pieces(of: frames.count) {
            let batch = scheduler.nextBatch().batch
            route(piece, &auditor, file: file, into: batch)
            scheduler.publish(batch)
        }
        scheduler.drain()
        let result = auditor.finish()
        scheduler.close()
        return (sink.audited(result, frames), sink.order)
    }

    /// The frames lie one behind the other in a buffer, as in a file.
    private func route(_ piece: Range<Int>, _ auditor: inout Auditor, file: Int, into batch: Batch) {
        let buffer = frames[piece].flatMap(\.bytes)
        batch.addBuffer(CaptureBuffer(buffer))
        var offset = 0
        batch.fill { content in
            for index in piece {
                let end = offset + frames[index].bytes.count
                let bytes = unsafe buffer.span.bytes.extracting(offset..<end)
                auditor.route(facts(index), bytes, file: file, offset: offset, into: &content)
                offset = end
            }
        }
    }
}
