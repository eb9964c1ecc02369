/// The audit's two halves apart, for several threads: one routes frames into rounds; others let parts take them; and
/// each round, in order and when all its parts are done, is settled.
extension Auditor {
    /// To be called before the first frame, by whoever uses rounds.
    package mutating func beginRounds() {
        for part in 0..<parts.count { parts[part].books.numbersItself = accounts.state.hasSink }
    }

    /// Takes a frame that lies in the latest buffer of the round, at `offset`.
    package mutating func route(
        _ frame: CaptureFrame, _ bytes: RawSpan, file: Int, offset: Int, into round: inout RoundContent
    ) {
        let route = router.route(frame, bytes, file: file)
        round.byteCount += bytes.byteCount
        round.lastOrdinal = router.ordinal
        if route.isEmpty { return }
        router.place(offset: offset, length: bytes.byteCount, buffer: round.buffers.count - 1)
        if !route.isDisjoint(with: [.step, .loss]) { tellAll(route, &round) }
        guard route.contains(.segment) else { return }
        if route.contains(.reassembled) {
            let file = round.buffers.last
            round.buffers.append(CaptureBuffer(router.datagram))
            router.place(offset: 0, length: router.datagram.count, buffer: round.buffers.count - 1)
            if let file { round.buffers.append(file) }
        }
        let part = router.part
        round.add(&router.arrival, to: part)
    }

    private func tellAll(_ route: PacketRouter.Route, _ round: inout RoundContent) {
        var step = router.step
        var loss = router.loss
        for part in 0..<parts.count {
            if route.contains(.step) { round.add(&step, to: part) }
            if route.contains(.loss) { round.add(&loss, to: part) }
        }
    }
}
