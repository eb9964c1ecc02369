import Testing
import WireNative

@Suite("Compressed files")
struct StreamInflaterTests {
    enum Ending: Equatable {
        case whole, truncated, corrupt
    }

    struct Result: Equatable {
        var output: [UInt8] = []
        var ending = Ending.whole
        var compressedPosition = 0
    }

    static let files: [(format: StreamInflater.Format, bytes: [UInt8], copies: Int)] = [
        (.gzip, CompressedFixtures.gzip, 1),
        (.gzip, CompressedFixtures.gzip + CompressedFixtures.gzip, 2),
        (.gzip, CompressedFixtures.gzip + CompressedFixtures.emptyGzip + CompressedFixtures.gzip, 2),
        (.gzip, CompressedFixtures.gzip + [0, 0, 0], 1),
        (.zstd, CompressedFixtures.zstd, 1),
        (.zstd, CompressedFixtures.zstd + [0x5f, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 9] + CompressedFixtures.zstd, 2),
    ]

    @Test("all bytes come out, however input and output are split", arguments: files.indices)
    func splits(index: Int) {
        let file = Self.files[index]
        let expected = Array(Array(repeating: CompressedFixtures.text, count: file.copies).joined())
        for (piece, room) in [(1, 1), (1, 4096), (3, 7), (4096, 1), (4096, 4096), (50, 899), (50, 900), (50, 901)] {
            let result = inflate(file.bytes, as: file.format, piece: piece, room: room)
            #expect(result == Result(output: expected, compressedPosition: file.bytes.count), "\(piece) to \(room)")
        }
    }

    @Test("every prefix is truncated, and what it gives is the start of the content", arguments: [0, 4])
    func prefixes(index: Int) {
        let file = Self.files[index]
        var last = 0
        for length in 1..<file.bytes.count {
            let result = inflate(Array(file.bytes[..<length]), as: file.format, piece: 5, room: 64)
            #expect(result.ending == .truncated, "\(length) bytes")
            #expect(result.output == Array(CompressedFixtures.text.prefix(result.output.count)), "\(length) bytes")
            #expect(result.output.count >= last, "\(length) bytes")
            last = result.output.count
        }
        // All but the checksum is there, so all of the content is.
        if file.format == .gzip { #expect(last == 900) }
    }

    @Test("a cut in a later member leaves the members before it")
    func cutMember() {
        let bytes = CompressedFixtures.gzip + CompressedFixtures.gzip.prefix(9)
        let result = inflate(Array(bytes), as: .gzip, piece: 100, room: 100)
        #expect(result.ending == .truncated)
        #expect(result.output == CompressedFixtures.text)
    }

    @Test(
        "damage is told with its position, after all that came before it",
        arguments: [
            (StreamInflater.Format.gzip, CompressedFixtures.gzip, Array("rubbish".utf8)),
            (.gzip, CompressedFixtures.gzip, [0, 0, 7]),
            (.zstd, CompressedFixtures.zstd, Array("rubbish".utf8)),
        ])
    func corrupt(format: StreamInflater.Format, sound: [UInt8], rubbish: [UInt8]) {
        let result = inflate(sound + rubbish, as: format, piece: 200, room: 100)
        #expect(result.ending == .corrupt)
        #expect(result.output == CompressedFixtures.text)
        #expect(result.compressedPosition >= sound.count)
        #expect(result.compressedPosition <= sound.count + rubbish.count)
    }

    @Test("a changed byte inside is corrupt, not truncated")
    func changedByte() {
        var bytes = CompressedFixtures.gzip
        bytes[bytes.count - 6] ^= 0xff
        let result = inflate(bytes, as: .gzip, piece: 100, room: 4096)
        #expect(result.ending == .corrupt)
        #expect(result.output == CompressedFixtures.text)
    }

    /// A frame of eight blocks of 128 KiB, each three bytes of header and one that is repeated (RFC 8878 §3.1.1.2.2).
    @Test("all blocks of zstd before a damaged one come out, whatever the room", arguments: 0..<8)
    func damagedBlock(index: Int) {
        let header = [0x28, 0xb5, 0x2f, 0xfd, 0, 0x50] as [UInt8]
        var blocks = (0..<8).map { number in [UInt8(number == 7 ? 3 : 2), 0, 0x10, UInt8(number)] }
        // No block is of the type 3.
        blocks[index][0] |= 6
        let expected = (0..<index).flatMap { [UInt8](repeating: UInt8($0), count: 128 << 10) }
        for (piece, room) in [(1000, 30_000), (1000, 1 << 21), (1, 100_000), (5, 128 << 10), (7, 1 << 20)] {
            let result = inflate(header + Array(blocks.joined()), as: .zstd, piece: piece, room: room)
            #expect(result.ending == .corrupt, "\(piece) to \(room)")
            #expect(result.output == expected, "\(piece) to \(room): \(result.output.count) bytes")
        }
    }

    @Test("a bomb comes out in pieces no larger than the buffer")
    func bomb() {
        let bytes = Array(Array(repeating: CompressedFixtures.zstdZeros, count: 64).joined())
        let inflater = StreamInflater(format: .zstd)
        var buffer = [UInt8](repeating: 1, count: 65_536)
        var offset = 0
        var total = 0
        while true {
            let step = unsafe inflater.inflate(
                bytes.span.bytes.extracting(offset..<bytes.count), into: &buffer, 0..<buffer.count)
            offset += inflater.consumed
            guard case .produced(let count) = step, count > 0 else { break }
            total += count
        }
        #expect(total == 64 << 20)
        #expect(inflater.mayEnd)
        #expect(inflater.position == total)
        #expect(buffer.count == 65_536)
    }

    @Test("only the given part of the buffer is written")
    func range() {
        let inflater = StreamInflater(format: .gzip)
        var buffer = [UInt8](repeating: 0xee, count: 30)
        let file = CompressedFixtures.gzip
        let step = unsafe inflater.inflate(file.span.bytes, into: &buffer, 10..<20)
        #expect(step == .produced(10))
        #expect(buffer[..<10].allSatisfy { $0 == 0xee })
        #expect(Array(buffer[10..<20]) == Array(CompressedFixtures.text.prefix(10)))
        #expect(buffer[20...].allSatisfy { $0 == 0xee })
    }

    @Test(
        "a compressed file is known by its first bytes",
        arguments: [
            ([0x1f, 0x8b, 8, 0], StreamInflater.Format.gzip), ([0x28, 0xb5, 0x2f, 0xfd], .zstd),
            ([0x50, 0x2a, 0x4d, 0x18], .zstd), ([0x5f, 0x2a, 0x4d, 0x18], .zstd), ([0x60, 0x2a, 0x4d, 0x18], nil),
            ([0x1f, 0x8b, 7, 0], nil), ([0x1f, 0x8b, 8], nil), ([0xd4, 0xc3, 0xb2, 0xa1], nil), ([], nil),
        ] as [([UInt8], StreamInflater.Format?)])
    func recognises(bytes: [UInt8], format: StreamInflater.Format?) {
        #expect(unsafe StreamInflater.Format(firstBytes: bytes.span.bytes) == format)
    }

    private func inflate(_ file: [UInt8], as format: StreamInflater.Format, piece: Int, room: Int) -> Result {
        let inflater = StreamInflater(format: format)
        var result = Result()
        var buffer = [UInt8](repeating: 0, count: room)
        var offset = 0
        var end = 0
        while true {
            let step = unsafe inflater.inflate(
                file.span.bytes.extracting(offset..<end), into: &buffer, 0..<room)
            offset += inflater.consumed
            result.compressedPosition = inflater.compressedPosition
            switch step {
            case .corrupt(let count):
                result.output += buffer[..<count]
                result.ending = .corrupt
                return result
            case .produced(let count) where count > 0:
                result.output += buffer[..<count]
            case .produced where end < file.count:
                end = min(end + piece, file.count)
            case .produced:
                result.ending = inflater.mayEnd ? .whole : .truncated
                return result
            }
        }
    }
}
