import Testing
import WireCore
import WireTesting

@Suite("Captures that follow one another in one file")
struct FollowingCaptureTests {
    private static func pcap(_ first: UInt8, littleEndian: Bool, magic: UInt32 = 0xa1b2_c3d4) -> [UInt8] {
        var file = PcapFileBuilder(littleEndian: littleEndian, magic: magic, network: UInt32(first))
        file.record(seconds: UInt32(first), fraction: 7, [first, 2, 3])
        // A record without bytes is one all the same.
        file.record(seconds: UInt32(first), [], second: 0)
        file.record(seconds: UInt32(first), [first, 9])
        return file.bytes
    }

    private static func pcapng(_ first: UInt8, littleEndian: Bool) -> [UInt8] {
        var file = PcapngFileBuilder()
        file.section(littleEndian: littleEndian)
        file.interface(linkType: UInt16(first), options: [(9, [9])])
        file.enhancedPacket(time: UInt64(first) * 1_000_000_000 + 7000, [first, 2, 3])
        file.enhancedPacket(time: UInt64(first) * 1_000_000_000, [])
        file.enhancedPacket(time: UInt64(first) * 1_000_000_000, [first, 9])
        return file.bytes
    }

    static let files: [(name: String, make: @Sendable (UInt8) -> [UInt8])] = [
        ("pcap", { pcap($0, littleEndian: true) }), ("pcap, big-endian", { pcap($0, littleEndian: false) }),
        ("pcap with nanoseconds", { pcap($0, littleEndian: true, magic: 0xa1b2_3c4d) }),
        ("pcap of Kuznetsov", { pcap($0, littleEndian: false, magic: 0xa1b2_cd34) }),
        ("pcapng", { pcapng($0, littleEndian: true) }), ("pcapng, big-endian", { pcapng($0, littleEndian: false) }),
    ]

    @Test("all of them are read, each with its own link type and clock", arguments: files.indices, files.indices)
    func reads(one: Int, other: Int) {
        let names = "\(Self.files[one].name), \(Self.files[other].name)"
        let bytes = Self.files[one].make(1) + Self.files[other].make(105) + Self.files[one].make(113)
        let whole = parseCapture(bytes)
        #expect(whole.ending == .end && whole.position == bytes.count, "\(names)")
        #expect(whole.frames.map(\.number) == Array(1...9), "\(names)")
        #expect(whole.frames.map(\.bytes) == [1, 105, 113].flatMap { [[$0, 2, 3], [], [$0, 9]] }, "\(names)")
        #expect(whole.frames.map(\.linkType) == [1, 1, 1, 105, 105, 105, 113, 113, 113], "\(names)")
        #expect(whole.frames.map { $0.time / 1_000_000_000 } == [1, 1, 1, 105, 105, 105, 113, 113, 113], "\(names)")
        // Sections of pcapng follow one another by the format's own rule.
        let isSections = one >= 4 && other >= 4
        #expect(whole.firstFollowing == (isSections ? nil : 4), "\(names)")
        for piece in [1, 7, 23, 24, 25, 100] {
            var parsed = parseCapture(bytes, piece: piece)
            parsed.largestNeed = whole.largestNeed
            #expect(parsed == whole, "\(names) in pieces of \(piece)")
        }
    }

    @Test("what follows and is no whole head is the end of the first")
    func headsThatAreNone() {
        let bytes = Self.pcap(1, littleEndian: true)
        let cut = parseCapture(bytes + bytes.prefix(20))
        #expect(cut.frames.count == 3 && cut.ending == .cut && cut.position == bytes.count)
        var other = bytes
        other[6] = 3
        let version = parseCapture(bytes + other)
        #expect(version.firstFollowing == nil)
    }

    @Test("fractions of a second or more are counted", arguments: [true, false])
    func fractions(isMicroseconds: Bool) {
        var file = PcapFileBuilder(magic: isMicroseconds ? 0xa1b2_c3d4 : 0xa1b2_3c4d)
        for fraction: UInt32 in [999_927, 1_000_000, 1_999_927, 999_999_999, 1_000_000_000] {
            file.record(seconds: 1, fraction: fraction, [1])
        }
        let parsed = parseCapture(file.bytes)
        #expect(parsed.frames.count == 5 && parsed.ending == .end)
        #expect(parsed.wrongFractions == (isMicroseconds ? [4, 2] : [1, 5]))
    }
}
