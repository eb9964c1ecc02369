import WireCore

/// Feeds frames to an audit in rounds, whose parts other threads take.
final class RoundFeeder {
    /// Captured bytes after which a round is given out, and records of buffers that it may refer to.
    private static let roundSize = 192 << 10
    private static let bufferLimit = 64
    private static let spareLimit = 32

    private let scheduler: RoundScheduler
    private var round: Round
    private var spare: [CaptureBuffer] = []

    /// - Parameter jobs: threads, the caller's included; 2 or more.
    init(_ auditor: inout Auditor, jobs: Int) {
        auditor.beginRounds()
        scheduler = RoundScheduler(auditor.halves, threads: jobs - 1)
        round = scheduler.nextRound()
    }

    /// Takes frames of a reader, until it pauses.
    func take(
        _ turn: CaptureInputs.Turn, _ auditor: inout Auditor, _ filter: CaptureFilter?
    ) throws(CaptureError) -> CaptureFileReader.Pause {
        turn.reader.spareBuffer = { [weak self] in self?.takeSpare() }
        round.addBuffer(turn.reader.lendBuffer())
        let pause = try round.fill { content throws(CaptureError) in
            try turn.reader.drain(through: turn.limit) { frame, bytes, offset, _ throws(CaptureError) in
                if let filter, try !filter.passes(frame, bytes) {
                    auditor.leftOut(file: turn.file)
                    return
                }
                auditor.route(turn.numbered(frame), bytes, file: turn.file, offset: offset, into: &content)
            }
        }
        if round.byteCount >= RoundFeeder.roundSize || round.bufferCount >= RoundFeeder.bufferLimit { giveOut() }
        return pause
    }

    private func giveOut() {
        scheduler.publish(round)
        round = scheduler.nextRound()
        spare += round.takeBuffers()
        if spare.count > RoundFeeder.spareLimit { spare.removeLast(spare.count - RoundFeeder.spareLimit) }
    }

    /// A buffer that nobody looks at any more.
    private func takeSpare() -> CaptureBuffer? {
        while var buffer = spare.popLast() {
            if isKnownUniquelyReferenced(&buffer) { return buffer }
        }
        return nil
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
