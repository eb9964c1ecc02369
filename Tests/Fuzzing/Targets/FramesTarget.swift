import WireTesting

@testable import WireCore

/// Link and network headers: frames of every link type, alone and as a capture.
///
/// Input: frames, each behind a byte for its link type, a byte for its shape, and numbers that the shape asks for.
enum FramesTarget: FuzzTarget {
    static let name = "frames"
    static let longestInput = 4096
    static let memory = Bound(fixed: 160 << 20, perByte: 2000)
    static let work = Bound(fixed: 400 << 20, perByte: 20_000)

    /// Those that the decoder looks into. Longer numbers stand for themselves.
    static let linkTypes: [UInt32] = [
        1, 0, 6, 8, 9, 10, 12, 14, 50, 51, 100, 101, 104, 105, 107, 108, 109, 113, 117, 119, 123, 127, 149, 163, 166,
        178, 192, 204, 219, 226, 228, 229, 239, 242, 258, 276, 281, 282, 284, 285,
    ]

    static func run(_ input: [UInt8]) {
        var choices = Choices(input)
        var frames: [CapturedFrame] = []
        var time: Int64 = 1_700_000_000_000_000_000
        while !choices.isEmpty, frames.count < 60 {
            time += 1_000_000
            var frame = Self.frame(&choices)
            frame.time = time
            check(frame)
            frames.append(frame)
        }
        let audit = ProbedAudit(frames: frames)
        let audited = audit.run()
        demand(audited.result.ledger.balanced, "the ledger is out of balance")
        demand(audited.result.ledger.bytes == audited.frameBytes, "the ledger has not all bytes")
        demand(audited.result.files[0].packets == frames.count, "packets are missing")
        var cuts = Cuts(input)
        audited.demandEqual(audit.runLive(&cuts), "live")
        audit.demandSameInRounds(input)
    }

    private static func frame(_ choices: inout Choices) -> CapturedFrame {
        let link = choices.byte()
        let shape = choices.byte()
        let linkType = link < linkTypes.count ? linkTypes[link] : UInt32(choices.word())
        var frame = CapturedFrame(time: 0, bytes: [])
        frame.linkType = LinkType(rawValue: linkType)
        frame.checkSequenceLength = shape & 4 == 0 ? 0 : 4
        frame.interface = shape >> 3 & 1
        let distance = shape & 3 == 0 ? 0 : choices.word()
        switch shape >> 4 & 3 {
        case 0: frame.bytes = choices.rest()
        case 1: frame.bytes = choices.bytes(choices.byte())
        default: frame.bytes = choices.bytes(choices.word())
        }
        switch shape & 3 {
        case 0: break
        case 1: frame.originalLength = frame.bytes.count + distance
        case 2: frame.originalLength = max(0, frame.bytes.count - distance)
        default: frame.originalLength = distance << 16 | 0xFFFF
        }
        return frame
    }

    /// The six layers tile the frame, also where less of it was captured.
    private static func check(_ frame: CapturedFrame) {
        let original = frame.originalLength ?? frame.bytes.count
        for captured in [frame.bytes.count, frame.bytes.count / 2, min(frame.bytes.count, 40)] {
            let bytes = Array(frame.bytes[..<captured])
            let packet = decode(
                bytes, frame.linkType, original: original, checkSequence: frame.checkSequenceLength)
            let fault = inconsistency(packet, captured: captured, original: original)
            demand(fault == nil, "\(captured) of \(frame.bytes.count) bytes captured: \(fault ?? "")")
        }
        compareLinks(frame, original)
    }

    /// The decoder has a way of its own for what Ethernet mostly carries: it must find what the other way finds.
    private static func compareLinks(_ frame: CapturedFrame, _ original: Int) {
        guard frame.linkType == .ethernet, frame.checkSequenceLength == 0, frame.bytes.count > 14, original > 14,
            frame.bytes[12...13] == [8, 0] || frame.bytes[12...13] == [0x86, 0xdd]
        else { return }
        let content = Array(frame.bytes[12...])
        let straight = decode(frame.bytes, .ethernet, original: original)
        let stepwise = decode([15, 0] + content, LinkType(rawValue: 104), original: original - 10)
        demand(
            facts(straight, headerLength: 14) == facts(stepwise, headerLength: 4)
                && straight.link - 14 == stepwise.link - 4,
            "Ethernet: \(straight)\nCisco HDLC: \(stepwise)")
    }
}
