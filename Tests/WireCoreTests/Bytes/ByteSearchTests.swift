import Testing
import WireTesting

@testable import WireCore

/// What looks at many bytes at a time finds what a look at each byte finds.
@Suite("Searching bytes")
struct ByteSearchTests {
    /// Few different bytes, so that matches are frequent; of all lengths around the sizes of blocks.
    private func bytes(_ random: inout SeededRandom) -> [UInt8] {
        let alphabet: [UInt8] = [0x0A, 0x0B, 0x0D, 0x8A, 0x2A, 0x4A, 0x6A, 0x00, 0xFF, 0x0A]
        let rarity = [2, 10, 100][random.below(3)]
        return (0..<random.below(200)).map { _ in
            random.below(rarity) == 0 ? alphabet[random.below(alphabet.count)] : UInt8(random.below(256))
        }
    }

    @Test("a byte, and all line feeds, from any place on", arguments: [1, 2] as [UInt64])
    func findsBytes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<3000 {
            let content = bytes(&random)
            let span = unsafe content.span.bytes
            let start = random.below(content.count + 2)
            let wanted: UInt8 = [0x0A, 0x00, 0xFF][random.below(3)]
            let expected = content.indices.first { $0 >= start && content[$0] == wanted }
            let found = span.firstByte(wanted, from: start)
            #expect(found == expected, "seed \(seed), round \(round)")
            var lineFeeds = LineFeeds(from: start)
            var places: [Int] = []
            while let place = lineFeeds.next(in: span) { places.append(place) }
            let all = content.indices.filter { $0 >= start && content[$0] == 0x0A }
            #expect(places == all, "seed \(seed), round \(round)")
        }
    }

    @Test("letter case and equality by words are those by bytes", arguments: [3, 4] as [UInt64])
    func comparesWords(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<3000 {
            var (word, byBytes) = (UInt64(0), UInt64(0))
            for _ in 0..<8 {
                let byte = UInt8(random.below(256))
                word = word << 8 | UInt64(byte)
                byBytes = byBytes << 8 | UInt64(byte.lowercasedASCII)
            }
            #expect(word.lowercasedASCII == byBytes, "seed \(seed), round \(round)")
            let one = bytes(&random)
            var other = one
            if !other.isEmpty, random.below(2) == 0 { other[random.below(other.count)] ^= 1 << UInt8(random.below(8)) }
            let span = unsafe one.span.bytes
            let areEqual = unsafe span.isEqual(to: other.span.bytes)
            #expect(areEqual == (one == other), "seed \(seed), round \(round)")
            #expect(span.lowercased(0..<one.count) == one.map(\.lowercasedASCII), "seed \(seed), round \(round)")
        }
    }

    @Test("controls are found wherever a range begins and ends", arguments: [7, 8] as [UInt64])
    func findsControls(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<3000 {
            // Nearly all from the border on; few below it.
            let border: [UInt8] = [0x20, 0x21, 0x7F, 0x80, 0xFF]
            let content = (0..<random.below(40)).map { _ in
                random.below(20) == 0 ? UInt8(random.below(0x20)) : border[random.below(5)]
            }
            let lower = random.below(content.count + 1)
            let range = lower..<lower + random.below(content.count - lower + 1)
            let span = unsafe content.span.bytes
            #expect(
                span.hasControl(in: range) == content[range].contains { $0 < 0x20 }, "seed \(seed), round \(round)")
        }
    }

    @Test("names in any letter case, and only those")
    func comparesNames() {
        func has(_ text: String, _ name: StaticString) -> Bool {
            let content = Array(text.utf8)
            return unsafe content.span.bytes.hasBytesIgnoringCase(name, at: 0)
        }
        #expect(has("Content-LENGTH: 3", "content-length"))
        #expect(has("TRANSFER-encoding", "transfer-encoding"))
        #expect(has("HOST", "host"))
        #expect(!has("content\rlength: 3", "content-length"))
        #expect(!has("content-lengtH", "content-lengti"))
        #expect(!has("transfer-encodinf", "transfer-encoding"))
        #expect(!has("hos", "host"))
    }

    @Test("the checksum is the one's complement sum of words", arguments: [5, 6] as [UInt64])
    func sumsWords(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<3000 {
            let filler: UInt8? = [nil, 0x00, 0xFF][random.below(3)]
            let content = bytes(&random).map { filler ?? $0 }
            var sum = 0
            for index in content.indices { sum += index % 2 == 0 ? Int(content[index]) << 8 : Int(content[index]) }
            let number = UInt64(random.below(1 << 40)) << 24
            for shift in [UInt64(0), 16, 32, 48] { sum += Int(number >> shift & 0xFFFF) }
            while sum >> 16 != 0 { sum = sum & 0xFFFF + sum >> 16 }
            var checksum = InternetChecksum()
            checksum.add(number)
            unsafe checksum.add(content.span.bytes)
            #expect(checksum.folded == UInt16(sum).bigEndian, "seed \(seed), round \(round)")
        }
    }
}
