import Testing
import WireTesting

@testable import WireCore

/// Headers, frames and sets of ranges, without packets around them.
@Suite("QUIC: syntax")
struct QUICSyntaxTests {
    private func packet(_ bytes: [UInt8], length: Int? = nil, shortIDLength: Int = 0) -> QUICPacket? {
        QUICPacket(
            unsafe bytes.span.bytes, at: 0, length: length ?? bytes.count, shortIDLength: shortIDLength)
    }

    private func long(_ first: UInt8, _ version: UInt32, _ rest: [UInt8]) -> [UInt8] {
        [first, UInt8(version >> 24), UInt8(version >> 16 & 255), UInt8(version >> 8 & 255), UInt8(version & 255)]
            + [4, 1, 2, 3, 4, 2, 5, 6] + rest
    }

    private func frames(_ bytes: [UInt8]) -> (frames: [QUICFrame], isMalformed: Bool, offset: Int) {
        var reader = QUICFrameReader(count: bytes.count)
        var frames: [QUICFrame] = []
        while let frame = reader.next(unsafe bytes.span.bytes) { frames.append(frame) }
        return (frames, reader.isMalformed, reader.offset)
    }

    @Test("variable-length integers are read, and cut ones are not")
    func integers() {
        let cases: [([UInt8], UInt64)] = [
            ([0x25], 37), ([0x40, 0x25], 37), ([0x7B, 0xBD], 15_293), ([0x9D, 0x7F, 0x3E, 0x7D], 494_878_333),
            ([0xC2, 0x19, 0x7C, 0x5E, 0xFF, 0x14, 0xE8, 0x8C], 151_288_809_941_952_652),
        ]
        for (bytes, value) in cases {
            for count in 0...bytes.count {
                var offset = 0
                let read = unsafe bytes.span.bytes.varint(&offset, end: count)
                #expect(read == (count == bytes.count ? value : nil))
                #expect(offset == (count == bytes.count ? count : 0))
            }
        }
    }

    @Test("types of long headers go by the version")
    func kinds() {
        let rest: [UInt8] = [0, 5, 1, 2, 3, 4, 5]
        let handshake: [UInt8] = [5, 1, 2, 3, 4, 5]
        #expect(packet(long(0xC0, 1, rest))?.kind == .initial)
        #expect(packet(long(0xD0, 0x6B33_43CF, rest))?.kind == .initial)
        #expect(packet(long(0xE0, 1, handshake))?.kind == .handshake)
        #expect(packet(long(0xF0, 0x6B33_43CF, handshake))?.kind == .handshake)
        #expect(packet(long(0xD0, 1, handshake))?.kind == .earlyData)
        #expect(packet(long(0xF0, 1, handshake))?.kind == .retry)
        #expect(packet(long(0xC0, 0, handshake))?.kind == .negotiation)
        #expect(packet(long(0xC0, 0x0A0A_0A0A, rest))?.kind == .unknown)
        #expect(packet(long(0xC0, 7, rest))?.kind == .unknown)
        #expect(packet([0x40] + rest, shortIDLength: 4)?.numberOffset == 5)
    }

    @Test("packets end where their length says, and coalesced ones follow")
    func lengths() throws {
        let bytes = long(0xE0, 1, [5, 1, 2, 3, 4, 5]) + [0x40, 9, 9]
        let first = try #require(packet(bytes))
        #expect(first.range == 0..<bytes.count - 3)
        // Cut by the snap length: the header still tells.
        #expect(packet(Array(bytes.prefix(14)), length: bytes.count)?.range == first.range)
        for count in 0..<bytes.count - 3 where count > 0 {
            #expect(packet(Array(bytes.prefix(count))) == nil, "\(count) bytes")
        }
        #expect(packet(long(0xE0, 1, [0x7F, 0xFF, 1, 2, 3, 4, 5])) == nil)
        #expect(packet(long(0xE0, 1, [3, 1, 2, 3])) == nil)
    }

    @Test("frames tile what they stand in, whatever their kind")
    func tiles() {
        let all: [UInt8] =
            [0, 0, 0, 1, 2, 10, 0, 1, 3, 1, 1, 3, 9, 0, 0, 2, 1, 2, 3]
            + [4, 4, 7, 9, 5, 4, 7, 6, 2, 3, 1, 2, 3, 7, 2, 8, 8, 0x0F, 4, 5, 2, 7, 7]
            + [0x10, 9, 0x11, 4, 9, 0x12, 1, 0x13, 1, 0x14, 9, 0x15, 4, 9, 0x16, 1, 0x17, 1]
            + [0x18, 1, 0, 4, 1, 2, 3, 4] + [UInt8](repeating: 6, count: 16) + [0x19, 1]
            + [0x1A, 1, 2, 3, 4, 5, 6, 7, 8, 0x1B, 1, 2, 3, 4, 5, 6, 7, 8, 0x1C, 7, 6, 2, 65, 65, 0x1D, 7, 0, 0x1E]
            + [0x31, 2, 5, 5, 0x08, 4, 1, 2]
        let read = frames(all)
        #expect(!read.isMalformed && read.frames.reduce(0) { $0 + $1.header + $1.dataCount } == all.count)
        #expect(read.frames.count == 26)
        let stream = read.frames.first { $0.kind == .stream }
        #expect(stream?.stream == 4 && stream?.offset == 5 && stream?.isFinal == true && stream?.dataCount == 2)
        for count in 0..<all.count {
            let cut = frames(Array(all.prefix(count)))
            #expect(cut.offset <= count)
            #expect(cut.frames.reduce(0) { $0 + $1.header + $1.dataCount } == cut.offset)
        }
    }

    @Test("frames that cannot be are refused where they begin")
    func refuses() {
        let cases: [[UInt8]] = [
            [0x40], [0x06, 0, 9, 1], [0x18, 1, 0, 0] + [UInt8](repeating: 1, count: 16),
            [0x02, 5, 0, 200],
            [0x0E, 4] + [UInt8](repeating: 0xFF, count: 8) + [1, 1],
        ]
        for bytes in cases {
            let read = frames([1] + bytes)
            #expect(read.isMalformed && read.offset == 1 && read.frames.count == 1, "\(bytes)")
        }
    }

    @Test("random bytes never trap, and are never counted twice")
    func survives() {
        var random = SeededRandom(seed: 20)
        var packets = 0
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 1...80, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            let read = frames(bytes)
            #expect(read.frames.reduce(0) { $0 + $1.header + $1.dataCount } == read.offset)
            if let packet = packet(bytes, shortIDLength: 8) {
                #expect(packet.range.lowerBound == 0 && packet.range.upperBound <= bytes.count)
                packets += 1
            }
        }
        #expect(packets > 1000)
    }

    @Test("a set of ranges gives each number out once")
    func ranges() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            var set = QUICRanges()
            var known: Set<UInt64> = []
            for _ in 0..<60 {
                let start = UInt64.random(in: 0...200, using: &random)
                let range = start..<start + UInt64.random(in: 0...20, using: &random)
                var given: [UInt64] = []
                set.add(range) { given += Array($0) }
                #expect(given == range.filter { !known.contains($0) })
                known.formUnion(range)
            }
            #expect((0...230).allSatisfy { set.contains($0) == known.contains($0) })
            #expect(set.highestMissing(in: 50..<150) == (50..<150).last { !known.contains($0) })
        }
        var many = QUICRanges()
        for index in 0..<5000 as Range<UInt64> { many.add(index * 3..<index * 3 + 1) { _ in } }
        #expect(many.ranges.count == QUICRanges.limit && many.isOverfull)
        many.add(.max - 1 ..< .max) { _ in }
    }
}
