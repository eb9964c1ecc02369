import WireCore

/// A capture once more as pcapng, with a comment on each packet. All other blocks pass as they are, but for the length
/// of a section, which comments change: it is left open.
package struct AnnotatedCopy: ~Copyable {
    /// How the copy ended.
    package enum Ending: Equatable {
        case complete
        /// The file is damaged or cut there: everything before it was copied.
        case damaged(at: Int)
        /// The packet of this number is not the one that was audited: the file changed meanwhile.
        case changed(frame: Int)
    }

    /// Bytes that a section header has at least.
    private static let headLength = 28
    private static let pieceSize = 1 << 18

    private let source: CaptureSource
    private let tool: String
    private let write: (Span<UInt8>) -> Void
    private var parser = CaptureParser()
    private var buffer: [UInt8] = []
    private var offset = 0
    private var endOfInput = false
    private var order = BlockOrder(littleEndian: true)
    private var output: [UInt8] = []

    /// - Parameter write: takes the bytes of the copy, in their order.
    package init(_ source: CaptureSource, tool: String, write: @escaping (Span<UInt8>) -> Void) {
        self.source = source
        self.tool = tool
        self.write = write
    }

    /// - Parameter comment: gives a packet's comment; nil for a packet that was not audited.
    package mutating func run(comment: (CaptureFrame) -> String?) -> Ending {
        while true {
            fill(atLeast: AnnotatedCopy.headLength)
            switch step() {
            case .frame(let data, let next):
                guard let text = comment(parser.frame) else { return finish(.changed(frame: parser.frame.number)) }
                put(Array(text.utf8), data, next)
                offset = next
            case .skipped(let next): pass(next)
            case .needMore(let count): fill(atLeast: count)
            case .end: return finish(.complete)
            case .cut, .damaged, .notACapture: return finish(.damaged(at: parser.position))
            }
            if output.count >= AnnotatedCopy.pieceSize { flush() }
        }
    }

    private mutating func step() -> CaptureParser.Step {
        // Taken out while in use: the buffer is lent.
        var parser = self.parser
        defer { self.parser = parser }
        return unsafe parser.next(buffer.span.bytes, at: offset, endOfInput: endOfInput)
    }

    private mutating func finish(_ ending: Ending) -> Ending {
        flush()
        return ending
    }

    private mutating func flush() {
        write(output.span)
        output.removeAll(keepingCapacity: true)
    }

    // MARK: Input

    /// `wireaudit: …;`, or with a direction.
    private static func isOwn(_ comment: ArraySlice<UInt8>) -> Bool {
        let beginnings = ["wireaudit: ", "wireaudit up: ", "wireaudit down: "]
        return comment.last == UInt8(ascii: ";") && beginnings.contains { comment.starts(with: Array($0.utf8)) }
    }

    /// Reads until so many bytes are there, or the file ends.
    private mutating func fill(atLeast count: Int) {
        guard buffer.count - offset < count, !endOfInput else { return }
        buffer.removeFirst(offset)
        offset = 0
        while buffer.count < count, !endOfInput {
            let filled = buffer.count
            buffer.append(contentsOf: repeatElement(0, count: AnnotatedCopy.pieceSize))
            switch source.read(into: &buffer, filled..<buffer.count) {
            case .bytes(let read): buffer.removeLast(buffer.count - filled - read)
            case .end, .broken:
                buffer.removeLast(buffer.count - filled)
                endOfInput = true
            }
        }
    }

    /// What is no packet goes on as it is; of a classic file its head becomes what pcapng begins with.
    private mutating func pass(_ next: Int) {
        if let linkType = parser.declaredLinkType {
            putHead(linkType)
            offset = next
            return
        }
        if buffer.count - offset >= AnnotatedCopy.headLength, BlockOrder.isSection(buffer, at: offset) {
            order = BlockOrder(section: buffer, at: offset)
            // The length of the section, which is not known any more.
            for index in offset + 16..<offset + 24 { buffer[index] = 0xFF }
        }
        var left = next - offset
        while left > 0 {
            let count = min(left, buffer.count - offset)
            output += buffer[offset..<offset + count]
            offset += count
            left -= count
            guard left > 0 else { return }
            flush()
            fill(atLeast: 1)
            if endOfInput, buffer.count == offset { return }
        }
    }

    // MARK: Output

    private mutating func putHead(_ linkType: LinkType) {
        order = BlockOrder.own
        output += CaptureBlocks.sectionHeader(tool: tool, system: SystemFacts(), comment: nil)
        var interface = BlockBytes(type: 1)
        interface.u16(UInt16(truncatingIfNeeded: linkType.rawValue))
        interface.u16(0)
        interface.u32(0)
        interface.option(9, CollectionOfOne(9))
        let checkSequence = parser.frame.checkSequenceLength
        if checkSequence > 0 { interface.option(13, CollectionOfOne(UInt8(clamping: checkSequence))) }
        output += interface.finished()
    }

    /// The packet as an enhanced packet block, its comment before the options that it has.
    private mutating func put(_ comment: [UInt8], _ data: Int, _ next: Int) {
        let frame = parser.frame
        let padded = (frame.capturedLength + 3) & ~3
        let isBlock = parser.format == .pcapng
        let isSimple = isBlock && order.u32(buffer, offset) == BlockOrder.simplePacket
        let optionsStart = isBlock && !isSimple ? endOfOwnComment(data + padded, next - 4) : data + padded
        let options = isBlock && !isSimple && optionsStart < next - 4 ? optionsStart..<next - 4 : 0..<0
        let commentLength = 4 + (comment.count + 3) & ~3
        let length = 28 + padded + commentLength + max(options.count, 4) + 4
        if isBlock, !isSimple {
            order.append(order.u32(buffer, offset), to: &output)
            order.append(UInt32(truncatingIfNeeded: length), to: &output)
            output += buffer[offset + 8..<offset + 28]
        } else {
            putHeader(of: frame, length, isTimed: !isSimple)
        }
        output += buffer[data..<data + frame.capturedLength]
        output += repeatElement(0, count: padded - frame.capturedLength)
        order.append(UInt16(1), to: &output)
        order.append(UInt16(truncatingIfNeeded: comment.count), to: &output)
        output += comment
        output += repeatElement(0, count: commentLength - 4 - comment.count)
        if options.isEmpty { order.append(UInt32(0), to: &output) } else { output += buffer[options] }
        order.append(UInt32(truncatingIfNeeded: length), to: &output)
    }

    /// An earlier annotation is the first option, and gives way to the new one: where what follows it begins.
    private func endOfOwnComment(_ start: Int, _ end: Int) -> Int {
        guard start + 4 <= end, order.u16(buffer, start) == 1 else { return start }
        let length = Int(order.u16(buffer, start + 2))
        let content = start + 4..<start + 4 + length
        let following = content.lowerBound + (length + 3) & ~3
        guard following <= end, AnnotatedCopy.isOwn(buffer[content]) else { return start }
        return following
    }

    /// A simple packet block has no time: that of the copy is 0.
    private mutating func putHeader(of frame: CaptureFrame, _ length: Int, isTimed: Bool) {
        let time = isTimed ? UInt64(max(frame.time, 0)) : 0
        let fields: [UInt32] = [
            BlockOrder.enhancedPacket, UInt32(truncatingIfNeeded: length), 0, UInt32(truncatingIfNeeded: time >> 32),
            UInt32(truncatingIfNeeded: time), UInt32(truncatingIfNeeded: frame.capturedLength),
            UInt32(truncatingIfNeeded: frame.originalLength),
        ]
        for field in fields { order.append(field, to: &output) }
    }
}

/// The byte order of a section.
private struct BlockOrder {
    static let simplePacket: UInt32 = 3
    static let enhancedPacket: UInt32 = 6

    let littleEndian: Bool

    init(littleEndian: Bool) { self.littleEndian = littleEndian }

    /// That of this machine.
    static let own = BlockOrder(littleEndian: UInt32(littleEndian: 1) == 1)

    static func isSection(_ bytes: [UInt8], at offset: Int) -> Bool {
        bytes[offset..<offset + 4].elementsEqual([0x0A, 0x0D, 0x0D, 0x0A])
    }

    /// As its header says.
    init(section bytes: [UInt8], at offset: Int) {
        littleEndian = bytes[offset + 8] == 0x4D
    }

    func u32(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[offset + (littleEndian ? 3 - $1 : $1)]) }
    }

    func u16(_ bytes: [UInt8], _ offset: Int) -> UInt16 {
        (0..<2).reduce(0) { $0 << 8 | UInt16(bytes[offset + (littleEndian ? 1 - $1 : $1)]) }
    }

    func append(_ value: UInt32, to bytes: inout [UInt8]) {
        for index in 0..<4 {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(8 * (littleEndian ? index : 3 - index))))
        }
    }

    func append(_ value: UInt16, to bytes: inout [UInt8]) {
        for index in 0..<2 {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt16(8 * (littleEndian ? index : 1 - index))))
        }
    }
}
