/// Blocks that hold a frame.
extension PcapngBlocks {
    /// Room for options in a block with a frame. Comments are the longest and are limited to 64 KiB each.
    static let optionsLimit = 1 << 20

    /// What the three kinds of blocks say alike.
    private struct Facts {
        var interface: Int
        var captured: Int
        var original: Int
        /// Where the frame begins, counted from the start of the block.
        var headerLength: Int
    }

    /// Enhanced packet block (pcapng §4.3).
    ///
    ///     | 8: interface 4 | 12: time 8 | 20: captured 4 | 24: original 4 | 28: frame … | options … |
    mutating func enhancedPacket(
        _ buffer: RawSpan, at offset: Int, length: Int, frame: inout CaptureFrame
    ) -> CaptureParser.Step {
        guard length >= 32 else { return .damaged(.blockTooShort) }
        guard buffer.byteCount - offset >= 28 else { return .needMore(atLeast: 28) }
        let facts = Facts(
            interface: Int(order.u32(buffer, offset + 8)), captured: Int(order.u32(buffer, offset + 20)),
            original: Int(order.u32(buffer, offset + 24)), headerLength: 28)
        return packet(buffer, at: offset, length: length, facts: facts, frame: &frame)
    }

    /// Packet block (pcapng §A): an earlier form with a 16-bit interface and a count of frames lost before it.
    mutating func obsoletePacket(
        _ buffer: RawSpan, at offset: Int, length: Int, frame: inout CaptureFrame
    ) -> CaptureParser.Step {
        guard length >= 32 else { return .damaged(.blockTooShort) }
        guard buffer.byteCount - offset >= 28 else { return .needMore(atLeast: 28) }
        let facts = Facts(
            interface: Int(order.u16(buffer, offset + 8)), captured: Int(order.u32(buffer, offset + 20)),
            original: Int(order.u32(buffer, offset + 24)), headerLength: 28)
        let lost = order.u16(buffer, offset + 10)
        let step = packet(buffer, at: offset, length: length, facts: facts, frame: &frame)
        if case .frame = step, lost != .max { noteDropped(Int(lost), interface: facts.interface, frame: &frame) }
        return step
    }

    /// Simple packet block (pcapng §4.4): the first interface's, without a time and without a captured length.
    mutating func simplePacket(
        _ buffer: RawSpan, at offset: Int, length: Int, frame: inout CaptureFrame
    ) -> CaptureParser.Step {
        guard length >= 16 else { return .damaged(.blockTooShort) }
        guard let interface = interfaces.first else { return .damaged(.unknownInterface) }
        let original = Int(order.u32(buffer, offset + 8))
        let promised = interface.snapshotLength == 0 ? original : min(original, interface.snapshotLength)
        let captured = min(promised, length - 16)
        guard captured <= interface.frameLimit, length <= captured + 16 + Self.optionsLimit else {
            return .damaged(.recordTooLong)
        }
        if let step = whole(buffer, at: offset, length: length) { return step }
        // No time in the block: the frame's time stays that of the frame before it.
        frame.number += 1
        frame.capturedLength = captured
        frame.originalLength = original
        frame.linkType = interface.linkType
        frame.checkSequenceLength = interface.checkSequenceLength
        frame.interface = earlierInterfaces
        frame.droppedBefore = 0
        (frame.process, frame.senderFlags) = (0, 0)
        return .frame(dataOffset: offset + 12, nextOffset: offset + length)
    }

    @inline(__always)
    private mutating func packet(
        _ buffer: RawSpan, at offset: Int, length: Int, facts: Facts, frame: inout CaptureFrame
    ) -> CaptureParser.Step {
        guard facts.interface < interfaces.count else { return .damaged(.unknownInterface) }
        let room = length - facts.headerLength - 4
        guard facts.captured <= room else { return .damaged(.frameBeyondBlock) }
        let optionsOffset = (facts.captured + 3) & ~3
        guard facts.captured <= interfaces[facts.interface].frameLimit, room - optionsOffset <= Self.optionsLimit else {
            return .damaged(.recordTooLong)
        }
        if let step = whole(buffer, at: offset, length: length) { return step }
        frame.number += 1
        frame.time = interfaces[facts.interface].resolution.nanoseconds(
            high: order.u32(buffer, offset + 12), low: order.u32(buffer, offset + 16))
        frame.capturedLength = facts.captured
        frame.originalLength = facts.original
        frame.linkType = interfaces[facts.interface].linkType
        frame.checkSequenceLength = interfaces[facts.interface].checkSequenceLength
        frame.interface = earlierInterfaces + facts.interface
        frame.droppedBefore = 0
        (frame.process, frame.senderFlags) = (0, 0)
        let data = offset + facts.headerLength
        if room - optionsOffset >= 4 {
            let options = PcapngOptions(from: data + optionsOffset, to: offset + length - 4, order: order)
            readPacketOptions(buffer, options, interface: facts.interface, frame: &frame)
        }
        return .frame(dataOffset: data, nextOffset: offset + length)
    }

    /// Packet flags (2) tell the length of the frame check sequence; the drop count (4) what was lost before the frame.
    /// Comments (1), the process number (8), and the places of Apple's blocks (0x8001, 0x8003) tell of the process; Apple's flags
    /// (0x8004) what the sender knows of the packet.
    private mutating func readPacketOptions(
        _ buffer: RawSpan, _ start: PcapngOptions, interface: Int, frame: inout CaptureFrame
    ) {
        var options = start
        var mention = PcapngProcesses.Mention()
        while options.advance(buffer) {
            switch (options.code, options.length) {
            case (1, 3...) where mention.comment == nil:
                mention.comment = ProcessComment(
                    buffer, options.valueOffset..<options.valueOffset + options.length)
            case (8, 8...): mention.pid = order.u32(buffer, options.valueOffset)
            case (0x8001, 4...): mention.block = order.u32(buffer, options.valueOffset)
            case (0x8003, 4...): mention.effectiveBlock = order.u32(buffer, options.valueOffset)
            case (0x8004, 4...):
                frame.senderFlags = UInt8(truncatingIfNeeded: order.u32(buffer, options.valueOffset))
            case (2, 4...):
                let declared = Int(order.u32(buffer, options.valueOffset) >> 5 & 0xf)
                if declared > 0 { frame.checkSequenceLength = declared }
            case (4, 8...):
                noteDropped(
                    Int(clamping: order.u64(buffer, options.valueOffset)), interface: interface, frame: &frame)
            default:
                break
            }
        }
        if !mention.isEmpty { frame.process = processes.number(of: mention, buffer, at: frame.time) }
    }

    /// A frame tells how many were lost before it: it hands that on, and its interface adds it up.
    private mutating func noteDropped(_ count: Int, interface: Int, frame: inout CaptureFrame) {
        frame.droppedBefore = frame.droppedBefore.addingSaturating(count)
        interfaces[interface].addDropped(count)
    }
}
