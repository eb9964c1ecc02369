import Testing
import WireCore
import WireTesting

@Suite("damaged pcapng")
struct PcapngDamageTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var expected: CaptureDamage
        var write: @Sendable (inout PcapngFileBuilder) -> Void
    }

    static let cases: [Case] = [
        Case(testDescription: "block length 0", expected: .blockTooShort) { $0.block(9, length: 0) { _ in } },
        Case(testDescription: "block length 8", expected: .blockTooShort) { $0.block(9, length: 8) { _ in } },
        Case(testDescription: "block length 13", expected: .blockNotAligned) { $0.block(9, length: 13) { _ in } },
        Case(testDescription: "other second length of a skipped block", expected: .blockLengthsDiffer) {
            $0.block(9, trailer: 16) { $0.bytes = [1, 2, 3, 4, 5, 6, 7, 8] }
        },
        Case(testDescription: "other second length of a frame", expected: .blockLengthsDiffer) {
            $0.block(6, trailer: 40) { $0.bytes = [UInt8](repeating: 0, count: 20) }
        },
        Case(testDescription: "frame block without room for its fields", expected: .blockTooShort) {
            $0.block(6) { $0.bytes = [0, 0, 0, 0] }
        },
        Case(testDescription: "simple block without a length", expected: .blockTooShort) { $0.block(3) { _ in } },
        Case(testDescription: "old frame block without room for its fields", expected: .blockTooShort) {
            $0.block(2) { $0.bytes = [0, 0, 0, 0] }
        },
        Case(testDescription: "interface block without its fields", expected: .blockTooShort) { $0.block(1) { _ in } },
        Case(testDescription: "frame longer than its block", expected: .frameBeyondBlock) {
            $0.enhancedPacket([1, 2, 3, 4], captured: 5)
        },
        Case(testDescription: "captured length of 4 GiB", expected: .frameBeyondBlock) {
            $0.enhancedPacket([1, 2, 3, 4], captured: .max)
        },
        Case(testDescription: "frame of an interface that is not there", expected: .unknownInterface) {
            $0.enhancedPacket(interface: 1, [1])
        },
        Case(testDescription: "interface number of 32 bits", expected: .unknownInterface) {
            $0.enhancedPacket(interface: .max, [1])
        },
        Case(testDescription: "frame and block of 4 GiB", expected: .recordTooLong) {
            $0.block(6, length: 0xffff_fffc) { body in
                body.bytes = [UInt8](repeating: 0, count: 12)
                body.u32(0xffff_ff00)
                body.u32(0xffff_ff00)
            }
        },
        Case(testDescription: "options of 4 GiB behind a frame", expected: .recordTooLong) {
            $0.block(6, length: 0xffff_fffc) { $0.bytes = [UInt8](repeating: 0, count: 20) }
        },
        Case(testDescription: "simple frame of 4 GiB", expected: .recordTooLong) {
            $0.block(3, length: 0xffff_fffc) { $0.u32(.max) }
        },
        Case(testDescription: "section without a byte order", expected: .unknownByteOrder) {
            $0.block(0x0a0d_0d0a) { $0.bytes = [UInt8](repeating: 1, count: 16) }
        },
        Case(testDescription: "section shorter than its fields", expected: .blockTooShort) {
            $0.block(0x0a0d_0d0a) { $0.u32(0x1a2b_3c4d) }
        },
    ]

    @Test("all frames before the damage are given, and where it is", arguments: cases, [false, true])
    func damage(_ test: Case, littleEndian: Bool) {
        var file = PcapngFileBuilder()
        file.section(littleEndian: littleEndian)
        file.interface()
        file.enhancedPacket([1, 2, 3])
        let position = file.bytes.count
        test.write(&file)
        // What stands behind is sound, and must not be believed any more.
        file.enhancedPacket([4])
        for piece in [1, 7, .max] {
            let parsed = parseCapture(file.bytes, piece: piece)
            #expect(parsed.frames.map(\.bytes) == [[1, 2, 3]])
            #expect(parsed.ending == .damaged(test.expected))
            #expect(parsed.position == position)
        }
    }

    @Test("a simple packet before any interface is damage")
    func simplePacketWithoutInterface() {
        var file = PcapngFileBuilder()
        file.section()
        file.simplePacket([1])
        #expect(parseCapture(file.bytes).ending == .damaged(.unknownInterface))
    }

    @Test("a long block that the file does not hold is a cut, without memory for it")
    func lyingLength() {
        var file = PcapngFileBuilder()
        file.section()
        file.interface()
        let position = file.bytes.count
        file.block(0x77, length: 0xffff_fff0) { $0.bytes = [1, 2, 3, 4] }
        let parsed = parseCapture(file.bytes)
        #expect(parsed.ending == .cut)
        #expect(parsed.position == position)
        #expect(parsed.largestNeed <= 20)
    }

    @Test("a section that describes too many interfaces is damage")
    func tooManyInterfaces() {
        var file = PcapngFileBuilder()
        file.section()
        for _ in 0..<65_537 { file.interface() }
        let parsed = parseCapture(file.bytes, piece: 4096)
        #expect(parsed.ending == .damaged(.tooManyInterfaces))
        #expect(parsed.position == 28 + 65_536 * 20)
    }

    @Test("random changes of a sound file never trap, and frames stay whole")
    func mutations() {
        var generator = SmallGenerator(state: 0x5eed_0001)
        var file = PcapngFileBuilder()
        file.section()
        file.interface(options: [(9, [9]), (14, file.number(5))])
        file.enhancedPacket(time: 77, [1, 2, 3], options: [(2, [0x80, 0, 0, 0])])
        file.names([(1, [1, 2, 3, 4, 0x61, 0])])
        file.secrets([1, 2, 3])
        file.simplePacket([4, 5])
        file.obsoletePacket([6])
        file.statistics(interfaceDrops: 1)
        file.section(littleEndian: false)
        file.interface()
        file.enhancedPacket([7])
        for round in 0..<20_000 {
            var bytes = file.bytes
            for _ in 0...Int(generator.next() % 4) {
                bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next())
            }
            let parsed = parseCapture(bytes, piece: round % 3 == 0 ? 16 : .max)
            #expect(parsed.capturedBytes <= bytes.count, "seed 0x5eed0001, round \(round)")
            #expect(parsed.position <= bytes.count, "seed 0x5eed0001, round \(round)")
        }
    }
}

/// A small generator whose numbers are the same everywhere.
private struct SmallGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
