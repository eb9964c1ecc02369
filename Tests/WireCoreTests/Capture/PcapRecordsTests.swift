import Testing
import WireCore
import WireTesting

@Suite("pcap records")
struct PcapRecordsTests {
    static let variants: [(magic: UInt32, fractionUnit: Int64)] = [
        (0xa1b2_c3d4, 1000), (0xa1b2_3c4d, 1), (0xa1b2_cd34, 1000),
    ]

    @Test(
        "every variant in both byte orders gives times, lengths and bytes",
        arguments: variants.indices, [false, true])
    func readsVariants(variant: Int, littleEndian: Bool) {
        let (magic, unit) = Self.variants[variant]
        var file = PcapFileBuilder(littleEndian: littleEndian, magic: magic, network: 113)
        file.record(seconds: 1_763_683_200, fraction: 999_999, [1, 2, 3])
        file.record(seconds: .max, fraction: .max, [], second: 1500)
        file.record(seconds: 5, [9, 9, 9, 9, 9], second: 4)
        let parsed = parseCapture(file.bytes)
        #expect(parsed.ending == .end)
        #expect(parsed.position == file.bytes.count)
        #expect(parsed.frames.map(\.number) == [1, 2, 3])
        #expect(parsed.frames.map(\.bytes) == [[1, 2, 3], [], [9, 9, 9, 9, 9]])
        #expect(parsed.frames.map(\.original) == [3, 1500, 4])
        #expect(parsed.frames.allSatisfy { $0.linkType == 113 && $0.interface == 0 && $0.checkSequenceLength == 0 })
        #expect(parsed.frames.allSatisfy { $0.droppedBefore == 0 })
        #expect(
            parsed.frames.map(\.time) == [
                1_763_683_200_000_000_000 + 999_999 * unit,
                4_294_967_295_000_000_000 + 4_294_967_295 * unit,
                5_000_000_000,
            ])
    }

    @Test("every split of the input gives the same frames", arguments: [false, true])
    func splits(littleEndian: Bool) {
        let bytes = Self.sample(littleEndian: littleEndian).bytes
        let whole = parseCapture(bytes)
        #expect(whole.frames.count == 4)
        for piece in 1...bytes.count {
            var parsed = parseCapture(bytes, piece: piece)
            parsed.largestNeed = whole.largestNeed
            #expect(parsed == whole, "pieces of \(piece)")
        }
    }

    @Test("every prefix gives its whole records and then the cut")
    func prefixes() {
        let bytes = Self.sample(littleEndian: true).bytes
        let ends = [24, 24 + 16 + 60, 24 + 32 + 61, 24 + 48 + 61, bytes.count]
        for length in 0..<bytes.count {
            let parsed = parseCapture(Array(bytes[..<length]))
            let whole = ends.filter { $0 <= length }.count - 1
            #expect(parsed.frames.count == max(0, whole), "\(length) bytes")
            switch length {
            case ..<4: #expect(parsed.ending == .notACapture)
            case _ where ends.contains(length): #expect(parsed.ending == .end, "\(length) bytes")
            default:
                #expect(parsed.ending == .cut, "\(length) bytes")
                #expect(parsed.position == (whole < 0 ? 0 : ends[whole]), "\(length) bytes")
            }
        }
    }

    @Test(
        "files of old versions hold their lengths in the other order",
        arguments: [
            (version: (2, 2), first: 1500, second: 3), ((2, 3), 1500, 3), ((2, 3), 3, 1500), ((2, 4), 3, 1500),
            ((543, 0), 1500, 3),
        ] as [(version: (UInt16, UInt16), first: UInt32, second: UInt32)])
    func oldVersions(version: (UInt16, UInt16), first: UInt32, second: UInt32) {
        var file = PcapFileBuilder(littleEndian: false, version: version)
        file.record(seconds: 1, [1, 2, 3], first: first, second: second)
        let parsed = parseCapture(file.bytes)
        #expect(parsed.ending == .end)
        #expect(parsed.frames.map(\.bytes) == [[1, 2, 3]])
        #expect(parsed.frames.map(\.original) == [1500])
    }

    @Test(
        "the network field gives the link type and, where it says so, the check sequence",
        arguments: [
            (network: 1, linkType: 1, check: 0), (0x2400_0001, 1, 4), (0x1400_0069, 105, 2), (0x0400_0001, 1, 0),
            (0x4000_0001, 1, 0), (0x03ff_0071, 0x71, 0), (0xffff, 0xffff, 0),
        ] as [(network: UInt32, linkType: UInt32, check: Int)])
    func networkField(network: UInt32, linkType: UInt32, check: Int) {
        var file = PcapFileBuilder(network: network)
        file.record(seconds: 1, [1])
        let parsed = parseCapture(file.bytes)
        #expect(parsed.frames.first?.linkType == linkType)
        #expect(parsed.frames.first?.checkSequenceLength == check)
    }

    @Test(
        "a captured length that no frame has is damage, unless the file's snapshot length allows it",
        arguments: [
            (snapshot: 65_535, length: 16 << 20, damaged: false), (65_535, 16 << 20 + 1, true),
            (64 << 20, 64 << 20, false), (.max, 128 << 20, false), (.max, 128 << 20 + 1, true), (0, .max, true),
        ] as [(snapshot: UInt32, length: UInt32, damaged: Bool)])
    func absurdLengths(snapshot: UInt32, length: UInt32, damaged: Bool) {
        var file = PcapFileBuilder(snapshotLength: snapshot)
        file.record(seconds: 1, [1, 2])
        file.record(seconds: 1, [3, 4], first: length)
        let parsed = parseCapture(file.bytes)
        #expect(parsed.frames.map(\.bytes) == [[1, 2]])
        // Believed, but not there: the file ends inside the record.
        #expect(parsed.ending == (damaged ? .damaged(.recordTooLong) : .cut))
        #expect(parsed.position == 24 + 18)
    }

    @Test(
        "what is no capture is told by its first four bytes",
        arguments: [[], [0], [1, 2, 3, 4], [0x0a, 0x0d, 0x0d]])
    func noCapture(bytes: [UInt8]) {
        #expect(parseCapture(bytes).ending == .notACapture)
    }

    @Test("a file header without records is a whole capture")
    func headerOnly() {
        let parsed = parseCapture(PcapFileBuilder().bytes)
        #expect(parsed.ending == .end)
        #expect(parsed.frames.isEmpty)
    }

    private static func sample(littleEndian: Bool) -> PcapFileBuilder {
        var file = PcapFileBuilder(littleEndian: littleEndian)
        file.record(seconds: 1, fraction: 7, Array(0..<60))
        file.record(seconds: 2, [1], second: 1)
        file.record(seconds: 1, [], second: 0)
        file.record(seconds: 3, Array(repeating: 0xa1, count: 100), second: 1514)
        return file
    }
}
