import Testing
import WireCore
import WireTesting

@Suite("pcapng times")
struct PcapngTimeTests {
    struct Case: Sendable {
        var resolution: UInt8
        var ticks: UInt64
        var offset: Int64 = 0
        var nanoseconds: Int64
    }

    static let cases = [
        Case(resolution: 0, ticks: 7, nanoseconds: 7_000_000_000),
        Case(resolution: 3, ticks: 7, nanoseconds: 7_000_000),
        Case(resolution: 6, ticks: 1_763_683_200_123_456, nanoseconds: 1_763_683_200_123_456_000),
        Case(resolution: 9, ticks: 1_763_683_200_123_456_789, nanoseconds: 1_763_683_200_123_456_789),
        Case(resolution: 10, ticks: 19, nanoseconds: 1),
        Case(resolution: 12, ticks: 1_999_999, nanoseconds: 1999),
        Case(resolution: 28, ticks: .max, nanoseconds: 1),
        Case(resolution: 29, ticks: .max, nanoseconds: 0),
        Case(resolution: 127, ticks: .max, nanoseconds: 0),
        Case(resolution: 0x80, ticks: 3, nanoseconds: 3_000_000_000),
        Case(resolution: 0x81, ticks: 3, nanoseconds: 1_500_000_000),
        // Half a second more than 1,000,000 seconds, in the ticks of a 32-bit fraction.
        Case(resolution: 0x80 | 32, ticks: 1_000_000 << 32 | 1 << 31, nanoseconds: 1_000_000_500_000_000),
        Case(resolution: 0x80 | 10, ticks: 1025, nanoseconds: 1_000_976_562),
        Case(resolution: 0x80 | 64, ticks: .max, nanoseconds: 999_999_999),
        Case(resolution: 0xff, ticks: .max, nanoseconds: 0),
        Case(resolution: 0, ticks: .max, nanoseconds: .max),
        Case(resolution: 6, ticks: .max, nanoseconds: .max),
        Case(resolution: 9, ticks: .max, nanoseconds: .max),
        Case(resolution: 0x80, ticks: .max, nanoseconds: .max),
        Case(resolution: 6, ticks: 1_000_000, offset: 10, nanoseconds: 11_000_000_000),
        Case(resolution: 6, ticks: 1_000_000, offset: -10, nanoseconds: -9_000_000_000),
        Case(resolution: 6, ticks: 0, offset: .max, nanoseconds: .max),
        Case(resolution: 6, ticks: 0, offset: .min, nanoseconds: .min),
        Case(resolution: 0, ticks: .max, offset: .max, nanoseconds: .max),
        Case(resolution: 0, ticks: 1, offset: .min, nanoseconds: .min + 1_000_000_000),
    ]

    @Test("every resolution gives nanoseconds, cut off and never overflowing", arguments: cases, [false, true])
    func nanoseconds(_ test: Case, littleEndian: Bool) {
        var file = PcapngFileBuilder()
        file.section(littleEndian: littleEndian)
        let offset = file.number(UInt64(bitPattern: test.offset))
        file.interface(options: [(9, [test.resolution]), (14, offset)])
        file.enhancedPacket(time: test.ticks, [1])
        #expect(parseCapture(file.bytes).frames.map(\.time) == [test.nanoseconds])
    }

    @Test("options that are cut or empty leave microseconds")
    func brokenOptions() {
        var file = PcapngFileBuilder()
        file.section()
        file.interface(options: [(9, []), (14, [1, 2, 3])])
        // An option whose length reaches beyond the block.
        file.block(1) { body in
            body.u32(1)
            body.u32(0)
            body.u16(9)
            body.u16(500)
        }
        file.enhancedPacket(interface: 0, time: 1, [1])
        file.enhancedPacket(interface: 1, time: 1, [1])
        #expect(parseCapture(file.bytes).frames.map(\.time) == [1000, 1000])
    }
}
