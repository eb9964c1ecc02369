import WireCore
import WireTesting

/// What two sides say to each other, as a list of writes, sent in segments of any length.
struct StreamScript {
    struct Write {
        var side: Dialogue.Side
        var bytes: [UInt8]
        /// No packet of the capture holds it.
        var isLost = false
    }

    enum Ending: Int, CaseIterable {
        case open, closed, reset
    }

    var writes: [Write] = []
    var ending = Ending.closed
    var port: UInt16 = 80

    /// All writes together. A write that would make it longer is left out.
    private static let limit = 200_000
    /// Longest segment: an IP packet has no more room.
    private static let segmentLimit = 60_000

    mutating func write(_ side: Dialogue.Side, _ bytes: [UInt8], isLost: Bool = false) {
        let sum = writes.reduce(bytes.count) { $0 + $1.bytes.count }
        guard !bytes.isEmpty, bytes.count <= Self.segmentLimit, sum <= Self.limit else { return }
        writes.append(Write(side: side, bytes: bytes, isLost: isLost))
    }

    /// A segment for each write, or several where `cuts` are given.
    func frames(_ given: Cuts? = nil) -> [CapturedFrame] {
        var cuts = given
        var talk = Dialogue()
        talk.interval = 10_000
        talk.template.destinationPort = port
        talk.handshake()
        for write in writes {
            if write.isLost {
                talk.lose(write.side, write.bytes.count)
                continue
            }
            let pieces = cuts?.pieces(of: write.bytes.count) ?? [0..<write.bytes.count]
            for piece in pieces { talk.data(write.side, Array(write.bytes[piece])) }
            talk.ack(write.side.other)
        }
        switch ending {
        case .open: break
        case .closed: talk.close()
        case .reset: talk.rst(.client)
        }
        return talk.frames
    }

    /// Audits it in long segments and in short ones. Where everything is in step, the messages must be the
    /// same.
    func check(_ input: [UInt8], options: AuditOptions = AuditOptions(), keys: [UInt8] = []) {
        let whole = ProbedAudit(frames: frames(), options: options, keys: keys).run()
        whole.demandBalance("in long segments")
        let audit = ProbedAudit(frames: frames(Cuts(input)), options: options, keys: keys)
        let inPieces = audit.run()
        inPieces.demandBalance("in short segments")
        audit.demandSameInRounds(input)
        // Behind a hole, too, it helps to know where a segment begins.
        guard whole.isInStep, inPieces.isInStep, !writes.contains(where: \.isLost) else { return }
        inPieces.demandSameMessages(whole, "in short segments")
    }
}
