import Testing
import WireCore
import WireTesting

@Suite("pcapng blocks")
struct PcapngBlocksTests {
    @Test("sections of both byte orders, several interfaces, and every kind of frame", arguments: [false, true])
    func readsFrames(littleEndian: Bool) {
        var file = PcapngFileBuilder()
        file.section(littleEndian: littleEndian)
        file.interface(linkType: 1)
        file.interface(linkType: 113, options: [(9, [9])])
        file.enhancedPacket(interface: 0, time: 1_000_000, [1, 2, 3], original: 60)
        file.enhancedPacket(interface: 1, time: 5_000_000_007, [4])
        file.section(littleEndian: !littleEndian)
        file.interface(linkType: 101, snapshotLength: 5)
        file.obsoletePacket(interface: 0, drops: 2, time: 2_000_000, [5, 5])
        file.simplePacket([6, 6, 6, 6, 6, 6])
        file.simplePacket([7, 7, 7])
        let parsed = parseCapture(file.bytes)
        #expect(parsed.ending == .end)
        #expect(parsed.frames.map(\.bytes) == [[1, 2, 3], [4], [5, 5], [6, 6, 6, 6, 6], [7, 7, 7]])
        #expect(parsed.frames.map(\.original) == [60, 1, 2, 6, 3])
        #expect(parsed.frames.map(\.linkType) == [1, 113, 101, 101, 101])
        #expect(parsed.frames.map(\.interface) == [0, 1, 2, 2, 2])
        #expect(parsed.frames.map(\.number) == [1, 2, 3, 4, 5])
        // A simple packet has no time of its own: it takes that of the frame before it.
        #expect(
            parsed.frames.map(\.time) == [
                1_000_000_000, 5_000_000_007, 2_000_000_000, 2_000_000_000, 2_000_000_000,
            ])
        #expect(parsed.dropped == 2)
    }

    @Test("every split of the input gives the same frames", arguments: [false, true])
    func splits(littleEndian: Bool) {
        let bytes = Self.sample(littleEndian: littleEndian).bytes
        let whole = parseCapture(bytes)
        #expect(whole.ending == .end)
        #expect(whole.frames.count == 3)
        #expect(whole.names.count == 1)
        for piece in 1...bytes.count {
            var parsed = parseCapture(bytes, piece: piece)
            parsed.largestNeed = whole.largestNeed
            #expect(parsed == whole, "pieces of \(piece)")
        }
    }

    @Test("every prefix gives its whole frames and then the cut")
    func prefixes() {
        let bytes = Self.sample(littleEndian: true).bytes
        let whole = parseCapture(bytes)
        var boundaries: Set<Int> = []
        var offset = 0
        while offset < bytes.count {
            offset += Int(bytes[offset + 4]) | Int(bytes[offset + 5]) << 8
            boundaries.insert(offset)
        }
        for length in 4..<bytes.count {
            let parsed = parseCapture(Array(bytes[..<length]))
            #expect(parsed.frames == Array(whole.frames.prefix(parsed.frames.count)), "\(length) bytes")
            #expect(parsed.ending == (boundaries.contains(length) ? .end : .cut), "\(length) bytes")
            let start = boundaries.filter { $0 <= length }.max() ?? 0
            #expect(parsed.position == start, "\(length) bytes")
        }
    }

    @Test("blocks that nobody knows are skipped without being held, however long they are")
    func unknownBlocks() {
        var file = PcapngFileBuilder()
        file.section()
        file.interface()
        file.block(0x0000_0bad) { $0.bytes = [UInt8](repeating: 0xee, count: 100_000) }
        file.block(9) { $0.bytes = [1, 2, 3, 4] }
        file.enhancedPacket([1])
        for piece in [100, 4096, .max] {
            let parsed = parseCapture(file.bytes, piece: piece)
            #expect(parsed.ending == .end)
            #expect(parsed.frames.map(\.bytes) == [[1]])
            #expect(parsed.largestNeed <= 36)
        }
    }

    @Test("lost frames are the last statistics of each interface, over all sections")
    func statistics() {
        var file = PcapngFileBuilder()
        file.section()
        file.interface()
        file.interface()
        file.statistics(interface: 0, interfaceDrops: 3, systemDrops: 4)
        file.statistics(interface: 1, systemDrops: 100)
        file.statistics(interface: 1, systemDrops: 10)
        file.statistics(interface: 7, systemDrops: 1000)
        file.section(littleEndian: false)
        file.interface()
        file.statistics(interface: 0, interfaceDrops: .max, systemDrops: .max)
        #expect(parseCapture(file.bytes).dropped == .max)
        file = PcapngFileBuilder()
        file.section()
        file.interface()
        #expect(parseCapture(file.bytes).dropped == nil)
        file.statistics(interfaceDrops: 0)
        #expect(parseCapture(file.bytes).dropped == 0)
    }

    @Test("a drop count at a frame serves where no statistics are")
    func packetDropCounts() {
        var file = PcapngFileBuilder()
        file.section()
        file.interface()
        file.enhancedPacket([1], options: [(4, file.number(5))])
        file.enhancedPacket([1], options: [(4, file.number(6))])
        #expect(parseCapture(file.bytes).dropped == 11)
        file.statistics(systemDrops: 12)
        #expect(parseCapture(file.bytes).dropped == 12)
    }

    @Test("a frame hands on what was lost before it, and no other frame's", arguments: [false, true])
    func droppedBefore(littleEndian: Bool) {
        var file = PcapngFileBuilder()
        file.section(littleEndian: littleEndian)
        file.interface()
        file.interface()
        file.enhancedPacket([1])
        file.enhancedPacket(interface: 1, [2], options: [(4, file.number(5))])
        file.enhancedPacket(interface: 1, [3])
        file.enhancedPacket([4], options: [(1, [0x68]), (4, file.number(1)), (2, [0, 0, 0, 0])])
        file.simplePacket([5])
        file.obsoletePacket(interface: 1, drops: 7, [6])
        file.obsoletePacket(drops: .max, [7])
        file.obsoletePacket(drops: 0, [8])
        file.enhancedPacket([9], options: [(4, file.number(2)), (4, file.number(3))])
        file.enhancedPacket([10], options: [(4, [1, 0, 0, 0])])
        file.statistics(systemDrops: 100)
        file.section(littleEndian: !littleEndian)
        file.interface()
        file.enhancedPacket([11])
        file.enhancedPacket([12], options: [(4, file.number(.max)), (4, file.number(.max))])
        file.simplePacket([13])
        for piece in [1, 7, .max] {
            let parsed = parseCapture(file.bytes, piece: piece)
            #expect(parsed.ending == .end)
            #expect(parsed.frames.map(\.bytes) == (1...13).map { [$0] })
            #expect(parsed.frames.map(\.droppedBefore) == [0, 5, 0, 1, 0, 7, 0, 0, 5, 0, 0, .max, 0])
        }
    }

    @Test("the check sequence comes from the interface in bits or bytes, or from the frame's flags")
    func checkSequence() {
        var file = PcapngFileBuilder()
        file.section()
        for value: UInt8 in [32, 16, 4, 0] { file.interface(options: [(13, [value])]) }
        for interface: UInt32 in 0..<4 { file.enhancedPacket(interface: interface, [1, 2, 3, 4, 5]) }
        file.enhancedPacket(interface: 3, [1], options: [(1, [0x68, 0x69]), (2, [0x80, 0, 0, 0])])
        #expect(parseCapture(file.bytes).frames.map(\.checkSequenceLength) == [4, 2, 4, 0, 4])
    }

    @Test("names of addresses are handed out, several for one address too")
    func names() {
        let four: [UInt8] = [192, 0, 2, 1]
        let six: [UInt8] = [0x20, 0x01, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [7]
        var file = PcapngFileBuilder()
        file.section()
        file.names([
            (1, four + Array("a.example".utf8) + [0] + Array("b.example".utf8) + [0]),
            (2, six + Array("c.example".utf8) + [0]),
            (1, [1, 2, 3]), (77, [1, 2, 3, 4, 5, 6]), (2, six + Array("open".utf8)),
        ])
        let parsed = parseCapture(file.bytes)
        let version4 = IPAddress(version4: 0xc000_0201)
        let version6 = IPAddress(high: 0x2001_0db8_0000_0000, low: 7, isVersion6: true)
        #expect(
            parsed.names == [
                CaptureName(address: version4, name: Array("a.example".utf8)),
                CaptureName(address: version4, name: Array("b.example".utf8)),
                CaptureName(address: version6, name: Array("c.example".utf8)),
                CaptureName(address: version6, name: Array("open".utf8)),
            ])
    }

    @Test("TLS key logs are kept in one text; secrets of other kinds are not")
    func secrets() {
        var file = PcapngFileBuilder()
        file.section()
        file.secrets(Array("CLIENT_RANDOM 1 2".utf8))
        file.secrets(type: 0x5747_4b4c, Array("wireguard".utf8))
        file.secrets(Array("CLIENT_RANDOM 3 4\n".utf8))
        let parsed = parseCapture(file.bytes)
        #expect(String(decoding: parsed.secrets, as: UTF8.self) == "CLIENT_RANDOM 1 2\nCLIENT_RANDOM 3 4\n")
    }

    @Test("secrets are kept up to the limit")
    func secretsLimit() {
        var file = PcapngFileBuilder()
        file.section()
        for _ in 0..<5 { file.secrets([UInt8](repeating: 0x20, count: 4 << 20)) }
        let parsed = parseCapture(file.bytes)
        #expect(parsed.ending == .end)
        #expect(parsed.secrets.count <= CaptureParser.secretsLimit)
        #expect(parsed.secrets.count >= 12 << 20)
    }

    private static func sample(littleEndian: Bool) -> PcapngFileBuilder {
        var file = PcapngFileBuilder()
        file.section(littleEndian: littleEndian)
        file.interface(linkType: 1, options: [(2, Array("eth0".utf8)), (9, [6])])
        file.enhancedPacket(time: 1, [1, 2, 3, 4, 5], original: 1514, options: [(1, Array("comment".utf8))])
        file.names([(1, [192, 0, 2, 1, 0x61, 0])])
        file.block(0x1234) { $0.bytes = [1, 2, 3] }
        file.simplePacket([9, 8, 7])
        file.statistics(systemDrops: 1)
        file.obsoletePacket(time: 3, [])
        return file
    }
}
