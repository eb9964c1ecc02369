import Testing
import WireTesting

@testable import WireCore

@Suite("Integers, frames and QPACK instructions")
struct HTTP3SyntaxTests {
    @Test(
        "integers of RFC 9000, appendix A.1, whole and byte by byte",
        arguments: [
            ([0xc2, 0x19, 0x7c, 0x5e, 0xff, 0x14, 0xe8, 0x8c], 151_288_809_941_952_652),
            ([0x9d, 0x7f, 0x3e, 0x7d], 494_878_333),
            ([0x7b, 0xbd], 15_293), ([0x25], 37), ([0x40, 0x25], 37),
            ([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 1 << 62 - 1),
        ] as [([UInt8], UInt64)])
    func integers(bytes: [UInt8], value: UInt64) {
        var offset = 0
        let longer = bytes + [7]
        let span = unsafe longer.span.bytes
        let read = VariableInteger.read(span, &offset)
        #expect(read == value && offset == bytes.count)
        var dripped = VariableInteger()
        for (index, byte) in bytes.enumerated() {
            #expect(!dripped.isWhole, "\(index)")
            dripped.append(byte)
        }
        #expect(dripped.isWhole && dripped.value == value)
        offset = 0
        let cut = Array(bytes.dropLast())
        let cutRead = VariableInteger.read(unsafe cut.span.bytes, &offset)
        #expect(cutRead == nil && offset == 0)
    }

    @Test(
        "where nothing was agreed on, the first bytes of a stream tell HTTP/3 from other protocols",
        arguments: [
            (0, [1, 0x19, 0, 0], true), (0, [1], true), (0, [], true), (3, [0, 4, 0], true), (2, [2], true),
            (7, [3], true),
            // Reserved types, of one byte and of two.
            (0, [0x21, 0], true), (2, [0x40, 0x5f, 0], true),
            // DNS over QUIC: a length of two bytes.
            (0, [0, 0x1d, 0, 0, 1], false), (0, [1, 0xd4, 0, 0, 0, 0, 0, 0, 0], false), (0, [1, 0x80, 0xff], true),
            // DATA cannot come first; text is no type.
            (4, [0, 5, 65], false), (3, Array("GET /".utf8), false), (0, Array("GET /".utf8), false),
        ] as [(UInt64, [UInt8], Bool)])
    func beginnings(stream: UInt64, bytes: [UInt8], isHTTP3: Bool) {
        #expect(HTTP3Stream.canBegin(stream, with: unsafe bytes.span.bytes) == isHTTP3)
    }

    private func frames(_ bytes: [UInt8], each size: Int) -> [String] {
        var reader = HTTP3FrameReader()
        var list: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            let run = Array(bytes[start..<min(start + size, bytes.count)])
            var offset = 0
            while offset < run.count {
                switch reader.next(unsafe run.span.bytes, offset) {
                case .header(let count): offset += count
                case .payload(let count): offset += count
                }
                if reader.isFrameComplete { list.append("\(reader.type):\(reader.length)") }
            }
        }
        return list
    }

    @Test("frames with integers of any length are read alike in any pieces")
    func framesInPieces() {
        let bytes =
            HTTP3Wire.frame(0, []) + HTTP3Wire.integer(1, length: 8) + HTTP3Wire.integer(3, length: 4) + [1, 2, 3]
            + HTTP3Wire.frame(0xF0700, [UInt8](repeating: 0, count: 70))
        for size in [1, 2, 3, 10, 200] { #expect(frames(bytes, each: size) == ["0:0", "1:3", "984832:70"]) }
        var reader = HTTP3FrameReader()
        let isTooEarly = reader.skip(1)
        #expect(!isTooEarly, "Nobody knows what frame that is.")
        let run: [UInt8] = [0, 5, 1]
        let step = reader.next(unsafe run.span.bytes, 0)
        #expect(step == .header(2))
        let isSkipped = reader.skip(4)
        let isBeyond = reader.skip(2)
        #expect(isSkipped && !isBeyond && reader.remaining == 1)
    }

    @Test("sections refer to insertions by their absolute numbers, as in RFC 9204, appendix B")
    func references() throws {
        func references(_ bytes: [UInt8], inserted: UInt64) throws -> [QPACKSection.Reference] {
            let span = unsafe bytes.span.bytes
            let section = QPACKSection(span)
            let required = try #require(section?.requiredInsertCount(capacity: 220, inserted: inserted))
            var list: [QPACKSection.Reference] = []
            let isWhole = section?.forEachLine(span, required: required) { _, reference in list.append(reference) }
            #expect(isWhole == true)
            return list
        }
        let first = try references([3, 0x81, 0x10, 0x11], inserted: 2)
        #expect(first == [.insertion(0), .insertion(1)])
        let second = try references([5, 0, 0x80, 0xC1, 0x81], inserted: 4)
        #expect(second == [.insertion(3), .none, .insertion(2)])
        let third = try references([0, 0, 0x51, 1, 0x2F], inserted: 0)
        #expect(third == [.none])
        let beyond = try references([5, 0, 0x8F, 0x40, 1, 0x61, 0x08, 1, 0x62], inserted: 4)
        #expect(beyond == [.insertion(nil), .insertion(3), .insertion(4)])
        let four: [UInt8] = [5, 0]
        let section = QPACKSection(unsafe four.span.bytes)
        #expect(section?.requiredInsertCount(capacity: 0, inserted: 4) == nil)
        #expect(section?.requiredInsertCount(capacity: 220, inserted: 20) == 16)
        let short: [UInt8] = [5]
        let none = QPACKSection(unsafe short.span.bytes)
        #expect(none == nil)
        let cut: [UInt8] = [0, 0, 0x51, 9, 0x2F]
        let rest = QPACKSection(unsafe cut.span.bytes)?.withoutReferences(unsafe cut.span.bytes)
        #expect(rest == nil)
    }

    @Test(
        "instructions have the lengths that their writer gave them, in any pieces",
        arguments: 1...6 as ClosedRange<UInt64>)
    func instructions(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bytes: [UInt8] = []
        var expected: [QPACKInstructionReader.Instruction] = []
        func string(_ first: UInt8, bits: Int) -> [UInt8] {
            let text = random.bytes(random.element([0, 1, 5, 40, 300]))
            return HTTP3Wire.prefixed(first, text.count, bits: bits) + text
        }
        for _ in 0..<200 {
            switch random.below(4) {
            case 0:
                let capacity = random.below(5000)
                bytes += HTTP3Wire.prefixed(0x20, capacity, bits: 5)
                expected.append(.capacity(UInt64(capacity)))
                continue
            case 1:
                expected.append(
                    insert(HTTP3Wire.prefixed(0xC0, random.below(200), bits: 6) + string(0x80, bits: 7), &bytes))
            case 2: expected.append(insert(string(0x40, bits: 5) + string(0, bits: 7), &bytes))
            default: expected.append(insert(HTTP3Wire.prefixed(0, random.below(100), bits: 5), &bytes))
            }
        }
        for size in [1, 3, 17, bytes.count] {
            var reader = QPACKInstructionReader()
            var read: [QPACKInstructionReader.Instruction] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                let run = Array(bytes[start..<min(start + size, bytes.count)])
                reader.receive(unsafe run.span.bytes) { read.append($0) }
            }
            #expect(read == expected && !reader.isMalformed, "seed \(seed), pieces of \(size)")
        }
        var endless = QPACKInstructionReader()
        let ones = [0x3F] + [UInt8](repeating: 0xFF, count: 20)
        endless.receive(unsafe ones.span.bytes) { _ in }
        #expect(endless.isMalformed)
    }

    private func insert(_ instruction: [UInt8], _ bytes: inout [UInt8]) -> QPACKInstructionReader.Instruction {
        bytes += instruction
        return .insertion(bytes: instruction.count)
    }
}
