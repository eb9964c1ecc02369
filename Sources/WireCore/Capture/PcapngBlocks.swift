/// The blocks of a pcapng file, one after the other, section by section.
///
///     | type 4 | length 4 | body …, padded to 4 | length 4 |
///
/// A block with frames or facts is read when all of it is in the buffer; any other is skipped without being held, and
/// only its second length is looked at.
struct PcapngBlocks: Sendable {
    static let sectionHeader: UInt32 = 0x0a0d_0d0a
    /// Interfaces that one section may describe.
    static let interfaceLimit = 65_536
    /// Longest block without a frame that is held; a longer one is skipped.
    static let heldBlockLimit = CaptureParser.secretsLimit + 1024
    /// Names that wait for the caller at most; blocks are read one at a time, so they wait no longer than one step.
    static let nameLimit = 65_536

    private enum BlockType {
        static let interface: UInt32 = 1
        static let packet: UInt32 = 2
        static let simplePacket: UInt32 = 3
        static let names: UInt32 = 4
        static let statistics: UInt32 = 5
        static let enhancedPacket: UInt32 = 6
        static let secrets: UInt32 = 10
        static let custom: UInt32 = 0xbad
        static let privateCustom: UInt32 = 0x4000_0bad
        /// Apple's.
        static let process: UInt32 = 0x8000_0001
    }

    var order = PcapngOrder()
    var interfaces: [PcapngInterface] = []
    var secrets: [UInt8] = []
    var names: [CaptureName] = []
    /// Names of interfaces that the caller has not taken yet.
    var interfaceNames: [(number: Int, name: [UInt8])] = []
    var processes: PcapngProcesses
    /// Blocks of which something was passed over because they, or all together, held too much.
    var passedOver = 0
    private var inSection = false
    /// Interfaces of the sections before this one: frames' interface numbers go on over sections.
    private(set) var earlierInterfaces = 0
    private var earlierDropped: Int?
    /// Length of the block whose inside was skipped and whose second length comes next; 0 when there is none.
    private var skippedLength = 0

    init(_ processes: ProcessDirectory? = nil) { self.processes = PcapngProcesses(processes) }

    /// Frames lost, over all interfaces of all sections that say so.
    var droppedFrames: Int? {
        interfaces.reduce(earlierDropped) { sum, interface in
            guard let dropped = interface.dropped else { return sum }
            return (sum ?? 0).addingSaturating(dropped)
        }
    }

    /// Where the block begins whose inside was skipped and whose end is still to come; nil between blocks.
    func startOfOpenBlock(_ position: Int) -> Int? {
        skippedLength == 0 ? nil : position - (skippedLength - 4)
    }

    mutating func next(_ buffer: RawSpan, at offset: Int, frame: inout CaptureFrame) -> CaptureParser.Step {
        let available = buffer.byteCount - offset
        if skippedLength != 0 {
            guard available >= 4 else { return .needMore(atLeast: 4) }
            guard Int(order.u32(buffer, offset)) == skippedLength else { return .damaged(.blockLengthsDiffer) }
            skippedLength = 0
            return .skipped(nextOffset: offset + 4)
        }
        guard available >= 12 else { return .needMore(atLeast: 12) }
        let type = order.u32(buffer, offset)
        // This type reads the same in both byte orders.
        if type == Self.sectionHeader { return startSection(buffer, at: offset) }
        guard inSection else { return .damaged(.noSection) }
        let length = Int(order.u32(buffer, offset + 4))
        if let damage = Self.damage(ofLength: length) { return .damaged(damage) }
        switch type {
        case BlockType.enhancedPacket:
            return enhancedPacket(buffer, at: offset, length: length, frame: &frame)
        case BlockType.simplePacket:
            return simplePacket(buffer, at: offset, length: length, frame: &frame)
        case BlockType.packet:
            return obsoletePacket(buffer, at: offset, length: length, frame: &frame)
        case BlockType.custom, BlockType.privateCustom:
            guard length >= 16, PcapngProcesses.describes(enterprise: order.u32(buffer, offset + 8)) else {
                return skip(offset, length)
            }
            return facts(buffer, at: offset, length: length, type: type)
        case BlockType.interface, BlockType.statistics, BlockType.names, BlockType.secrets, BlockType.process:
            return facts(buffer, at: offset, length: length, type: type)
        default:
            // Another file, which is no pcapng.
            if CaptureParser.beginsFile(buffer, at: offset) { return .damaged(.blockNotAligned) }
            return skip(offset, length)
        }
    }

    private static func damage(ofLength length: Int) -> CaptureDamage? {
        if length < 12 { return .blockTooShort }
        return length & 3 == 0 ? nil : .blockNotAligned
    }

    /// Whether the whole block is in the buffer and its two lengths agree; the step to return when not.
    @inline(__always)
    func whole(_ buffer: RawSpan, at offset: Int, length: Int) -> CaptureParser.Step? {
        guard buffer.byteCount - offset >= length else { return .needMore(atLeast: length) }
        guard Int(order.u32(buffer, offset + length - 4)) == length else { return .damaged(.blockLengthsDiffer) }
        return nil
    }

    private mutating func skip(_ offset: Int, _ length: Int) -> CaptureParser.Step {
        skippedLength = length
        return .skipped(nextOffset: offset + length - 4)
    }

    /// Section header block (pcapng §4.1). The byte-order magic behind the length says how to read even the length.
    private mutating func startSection(_ buffer: RawSpan, at offset: Int) -> CaptureParser.Step {
        guard let order = PcapngOrder(mark: buffer.be32(offset + 8)) else { return .damaged(.unknownByteOrder) }
        let length = Int(order.u32(buffer, offset + 4))
        if let damage = Self.damage(ofLength: length) { return .damaged(damage) }
        guard length >= 28 else { return .damaged(.blockTooShort) }
        earlierDropped = droppedFrames
        earlierInterfaces += interfaces.count
        interfaces.removeAll(keepingCapacity: true)
        processes.beginSection()
        self.order = order
        inSection = true
        return skip(offset, length)
    }

    private mutating func addInterface(_ described: PcapngInterface) {
        var interface = described
        if !interface.name.isEmpty, interfaceNames.count < Self.nameLimit {
            interfaceNames.append((earlierInterfaces + interfaces.count, interface.name))
        }
        interface.name = []
        interfaces.append(interface)
    }

    /// Blocks that describe instead of holding frames.
    private mutating func facts(
        _ buffer: RawSpan, at offset: Int, length: Int, type: UInt32
    ) -> CaptureParser.Step {
        guard length <= Self.heldBlockLimit else {
            passedOver += 1
            return skip(offset, length)
        }
        if let step = whole(buffer, at: offset, length: length) { return step }
        let body = offset + 8
        let end = offset + length - 4
        switch type {
        case BlockType.interface:
            guard end - body >= 8 else { return .damaged(.blockTooShort) }
            guard interfaces.count < Self.interfaceLimit else { return .damaged(.tooManyInterfaces) }
            addInterface(PcapngInterface(buffer, body: body, end: end, order: order))
        case BlockType.statistics:
            readStatistics(buffer, body: body, end: end)
        case BlockType.names:
            readNames(buffer, body: body, end: end)
        case BlockType.process:
            if !processes.readBlock(buffer, body: body, end: end, order: order) { passedOver += 1 }
        case BlockType.custom, BlockType.privateCustom:
            if !processes.readCustom(buffer, body: body, end: end, order: order) { passedOver += 1 }
        default:
            readSecrets(buffer, body: body, end: end)
        }
        return .skipped(nextOffset: offset + length)
    }
}
