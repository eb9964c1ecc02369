import Testing
import WireNative
import WireTesting

@Suite("QPACK")
struct QPACKInflaterTests {
    private func inflate(_ inflater: QPACKInflater, _ bytes: [UInt8]) -> (QPACKInflater.Outcome, [HPACKField]) {
        var fields: [HPACKField] = []
        let outcome = unsafe inflater.read(bytes.span.bytes, prefix: 2) { name, value, coding in
            fields.append(HPACKField(text(name), text(value), isNeverIndexed: coding.isNeverIndexed))
        }
        return (outcome, fields)
    }

    private func sizes(_ inflater: QPACKInflater, _ hexadecimal: String, prefix: Int) -> [Int] {
        var sizes: [Int] = []
        let bytes = HPACKVectors.bytes(hexadecimal)
        _ = unsafe inflater.read(bytes.span.bytes, prefix: prefix) { sizes.append($2.size) }
        return sizes
    }

    private func text(_ span: RawSpan) -> String {
        var bytes: [UInt8] = []
        append(span, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func receive(_ inflater: QPACKInflater, _ hexadecimal: String) -> Bool {
        unsafe inflater.receive(HPACKVectors.bytes(hexadecimal).span.bytes)
    }

    private let host = HPACKField(":authority", "www.example.com")
    private let custom = HPACKField("custom-key", "custom-value")

    /// The last is one that nghttp3 does not insert.
    private static let names = ["user-agent", "server", "accept", "origin", "referer", "vary", "x-other"]

    @Test("the examples of RFC 9204, appendix B, give their fields; sections wait for their insertions")
    func examples() throws {
        let inflater = try #require(QPACKInflater(capacity: 220))
        let first = inflate(inflater, HPACKVectors.bytes("0000 510b 2f69 6e64 6578 2e68 746d 6c"))
        #expect(first == (.read, [HPACKField(":path", "/index.html")]))
        let second = HPACKVectors.bytes("0381 1011")
        #expect(inflate(inflater, second) == (.blocked, []))
        #expect(receive(inflater, "3fbd01 c00f 7777 772e 6578 616d 706c 652e 636f 6d"))
        #expect(inflate(inflater, second) == (.blocked, []))
        #expect(receive(inflater, "c10c 2f73 616d 706c 652f 7061 7468"))
        #expect(inflate(inflater, second) == (.read, [host, HPACKField(":path", "/sample/path")]))
        #expect(receive(inflater, "4a63 7573 746f 6d2d 6b65 790c 6375 7374 6f6d 2d76 616c 7565"))
        let third = HPACKVectors.bytes("0500 80c1 81")
        #expect(inflate(inflater, third) == (.blocked, []))
        #expect(receive(inflater, "02"))
        #expect(inflate(inflater, third) == (.read, [host, HPACKField(":path", "/"), custom]))
        #expect(receive(inflater, "810d 6375 7374 6f6d 2d76 616c 7565 32"))
        #expect(inflater.insertCount == 5)
        #expect(inflater.memory < 8192)
    }

    @Test("fields take all bytes of a section behind its prefix")
    func sizes() throws {
        let inflater = try #require(QPACKInflater(capacity: 220))
        #expect(sizes(inflater, "0000 510b 2f69 6e64 6578 2e68 746d 6c d1", prefix: 2) == [13, 1])
        #expect(receive(inflater, "3fbd01 c00f 7777 772e 6578 616d 706c 652e 636f 6d"))
        #expect(receive(inflater, "c10c 2f73 616d 706c 652f 7061 7468"))
        #expect(sizes(inflater, "0381 1011", prefix: 2) == [1, 1])
    }

    @Test("the static tables are those of the standards")
    func staticTables() throws {
        #expect(StaticFields.hpack.entries.count == 61 && StaticFields.qpack.entries.count == 99)
        let coding = StaticFields.hpack.entries[15]
        #expect(String(decoding: coding.name + coding.value, as: UTF8.self) == "accept-encodinggzip, deflate")
        #expect(coding.size == 1)
        let frames = StaticFields.qpack.entries[98]
        #expect(String(decoding: frames.name + frames.value, as: UTF8.self) == "x-frame-optionssameorigin")
        #expect(frames.size == 2 && StaticFields.qpack.entries[62].size == 1)
    }

    @Test(
        "what cannot be decompressed fails, and so does all behind it",
        arguments: ["", "00", "00 00 51", "02 00 80", "ff 00", "00 00 ff ff ff ff ff ff ff ff ff ff", "00 00 80"])
    func garbage(hexadecimal: String) throws {
        let inflater = try #require(QPACKInflater(capacity: 0))
        let outcome = inflate(inflater, HPACKVectors.bytes(hexadecimal)).0
        #expect(outcome == .failed)
        #expect(hexadecimal.isEmpty || inflate(inflater, HPACKVectors.bytes("0000 d1")).0 == .failed)
    }

    @Test("instructions that cannot be followed fail: an empty table, a capacity above the largest")
    func badInstructions() throws {
        let small = try #require(QPACKInflater(capacity: 220))
        #expect(!receive(small, "3fbe01"), "a capacity of 221")
        #expect(!receive(small, "3fbd01"))
        let empty = try #require(QPACKInflater(capacity: 220))
        #expect(!receive(empty, "00"), "a duplicate of nothing")
        #expect(QPACKInflater(capacity: QPACKInflater.largestTable + 1) == nil)
        #expect(QPACKInflater(capacity: -1) == nil)
    }

    @Test(
        "what nghttp3's own encoder writes is read, dripped and late, far beyond one round of its counter",
        arguments: [(1, 220), (2, 220), (3, 1000), (4, 4096), (5, 65_536), (6, 0)] as [(UInt64, Int)])
    func roundTrips(seed: UInt64, capacity: Int) throws {
        var random = SeededRandom(seed: seed)
        let encoder = QPACKEncoder(capacity: capacity)
        let inflater = try #require(QPACKInflater(capacity: capacity))
        var blocked = 0
        for number in 0..<600 {
            let fields = (0..<random.below(9)).map { _ in
                (
                    random.element(QPACKInflaterTests.names),
                    String(repeating: "v", count: random.below(40)) + "\(random.below(30))"
                )
            }
            let (section, instructions) = encoder.encode(stream: UInt64(number) * 4, [(":path", "/\(number)")] + fields)
            if !instructions.isEmpty, section[0] != 0, inflate(inflater, section).0 == .blocked { blocked += 1 }
            var offset = 0
            while offset < instructions.count {
                let end = min(instructions.count, offset + 1 + random.below(9))
                let piece = Array(instructions[offset..<end])
                let isRead = unsafe inflater.receive(piece.span.bytes)
                #expect(isRead, "seed \(seed)")
                offset = end
            }
            let (outcome, read) = inflate(inflater, section)
            #expect(outcome == .read, "seed \(seed), section \(number)")
            #expect(read.dropFirst().map { [$0.name, $0.value] } == fields.map { [$0.0, $0.1] }, "seed \(seed)")
            encoder.acknowledgeAll()
        }
        #expect((blocked > 0) == (capacity > 0), "seed \(seed)")
    }
}

private func == (
    left: (QPACKInflater.Outcome, [HPACKField]), right: (QPACKInflater.Outcome, [HPACKField])
) -> Bool {
    left.0 == right.0 && left.1 == right.1
}
