import Testing
import WireNative
import WireTesting

/// Blocks as an encoder without Huffman coding makes them.
private enum Encoded {
    /// An integer after a prefix of so many bits (RFC 7541 §5.1).
    static func integer(_ value: Int, prefix: Int, first: UInt8) -> [UInt8] {
        let most = 1 << prefix - 1
        guard value >= most else { return [first | UInt8(value)] }
        var bytes = [first | UInt8(most)]
        var rest = value - most
        while rest >= 128 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    static func sizeUpdate(_ size: Int) -> [UInt8] { integer(size, prefix: 5, first: 0x20) }
    static func indexed(_ index: Int) -> [UInt8] { integer(index, prefix: 7, first: 0x80) }
    static func string(_ text: String) -> [UInt8] { integer(text.utf8.count, prefix: 7, first: 0) + text.utf8 }

    /// A literal that enters the table.
    static func entering(_ name: String, _ value: String) -> [UInt8] { [0x40] + string(name) + string(value) }
    static func entering(nameOf index: Int, _ value: String) -> [UInt8] {
        integer(index, prefix: 6, first: 0x40) + string(value)
    }
}

@Suite("HPACK: dynamic table")
struct HPACKTableTests {
    private static let first = HPACKField("first", "1")
    private static let second = HPACKField("second", "2")

    @Test("a smaller table loses its oldest entries, a larger one gets none back")
    func sizeUpdates() throws {
        let inflater = try #require(HPACKInflater())
        let entries = Encoded.entering("first", "1") + Encoded.entering("second", "2")
        #expect(inflater.fields(of: [entries]) == [Self.first, Self.second])
        #expect(inflater.tableSize == 38 + 39)
        // 76 bytes hold one of the two; 39 just hold it, 38 do not.
        #expect(inflater.fields(of: [Encoded.sizeUpdate(76) + Encoded.indexed(62)]) == [Self.second])
        #expect(inflater.table == [Self.second])
        #expect(inflater.fields(of: [Encoded.sizeUpdate(39) + Encoded.sizeUpdate(4096)]) == [])
        #expect(inflater.table == [Self.second])
        #expect(inflater.fields(of: [Encoded.sizeUpdate(38) + Encoded.sizeUpdate(4096)]) == [])
        #expect(inflater.table == [])
        #expect(inflater.maximumTableSize == 4096)
        #expect(inflater.fields(of: [Encoded.indexed(62)]) == nil)
    }

    @Test("an entry that is larger than the table empties it")
    func oversizedEntry() throws {
        let inflater = try #require(HPACKInflater())
        #expect(inflater.fields(of: [Encoded.sizeUpdate(64) + Encoded.entering("first", "1")]) == [Self.first])
        let value = String(repeating: "x", count: 40)
        #expect(inflater.fields(of: [Encoded.entering("long", value)]) == [HPACKField("long", value)])
        #expect(inflater.table == [])
    }

    @Test("a name may come from the entry that the new one pushes out")
    func nameOfEvictedEntry() throws {
        let inflater = try #require(HPACKInflater())
        _ = inflater.fields(of: [Encoded.sizeUpdate(40) + Encoded.entering("first", "1")])
        #expect(inflater.fields(of: [Encoded.entering(nameOf: 62, "23")]) == [HPACKField("first", "23")])
        #expect(inflater.table == [HPACKField("first", "23")])
    }

    @Test("a table of the smallest entries stays within the largest table")
    func manyEntries() throws {
        let inflater = try #require(HPACKInflater())
        let block =
            Encoded.sizeUpdate(HPACKInflater.largestTable) + Array(repeating: [0x40, 0, 0], count: 40_000).joined()
        #expect(inflater.fields(of: [block])?.count == 40_000)
        #expect(inflater.tableSize == HPACKInflater.largestTable && inflater.tableCount == 32_768)
        #expect(inflater.memory < 8 << 20)
    }

    @Test("a small block can decode to much, entry by entry, without a larger table")
    func bomb() throws {
        let inflater = try #require(HPACKInflater())
        let value = String(repeating: "v", count: 4000)
        var block = Encoded.entering("n", value)
        for _ in 0..<20_000 { block += Encoded.indexed(62) }
        var decoded = 0
        let isDone = unsafe inflater.inflate(block.span.bytes, isFinal: true) { name, value, _ in
            decoded += name.byteCount + value.byteCount
        }
        #expect(isDone && decoded == 20_001 * 4001)
        #expect(inflater.tableSize == 4033 && inflater.memory < 8192)
    }
}

@Suite("HPACK: joined late")
struct HPACKLateTests {
    /// A random encoder with its own idea of the table, which is the truth.
    private struct Encoder {
        var table: [HPACKField] = []
        var size = 0
        var limit = 4096

        mutating func enter(_ field: HPACKField) {
            table.insert(field, at: 0)
            size += Encoder.size(field)
            evict()
        }

        mutating func evict() {
            while size > limit, let last = table.popLast() { size -= Encoder.size(last) }
        }

        static func size(_ field: HPACKField) -> Int { field.name.utf8.count + field.value.utf8.count + 32 }

        mutating func block(_ random: inout SeededRandom) -> (bytes: [UInt8], fields: [HPACKField]) {
            var bytes: [UInt8] = []
            var fields: [HPACKField] = []
            if random.oneIn(6) {
                limit = random.element([0, 60, 200, 1000, 4096, 16384])
                evict()
                bytes += Encoded.sizeUpdate(limit)
            }
            for _ in 0..<random.below(12) {
                let value = String(repeating: "v", count: random.below(60)) + "\(random.below(1000))"
                switch random.below(4) {
                case 0 where !table.isEmpty:
                    let index = random.below(table.count)
                    bytes += Encoded.indexed(62 + index)
                    fields.append(table[index])
                case 1 where !table.isEmpty:
                    let index = random.below(table.count)
                    bytes += Encoded.entering(nameOf: 62 + index, value)
                    fields.append(HPACKField(table[index].name, value))
                    enter(fields[fields.count - 1])
                case 2:
                    bytes += [0x00] + Encoded.string("literal") + Encoded.string(value)
                    fields.append(HPACKField("literal", value))
                default:
                    fields.append(HPACKField("n\(random.below(100))", value))
                    bytes += Encoded.entering(fields[fields.count - 1].name, value)
                    enter(fields[fields.count - 1])
                }
            }
            return (bytes, fields)
        }
    }

    @Test("an encoder followed from its first block is followed exactly", arguments: 1...8 as ClosedRange<UInt64>)
    func followed(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var encoder = Encoder()
        let inflater = try #require(HPACKInflater())
        for _ in 0..<200 {
            let block = encoder.block(&random)
            #expect(inflater.fields(of: [block.bytes]) == block.fields, "seed \(seed)")
            #expect(inflater.table == encoder.table, "seed \(seed)")
            #expect(inflater.tableSize == encoder.size, "seed \(seed)")
        }
    }

    @Test("fields are right or said to be unknown, wherever the reader joins", arguments: 1...24 as ClosedRange<UInt64>)
    func joined(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var encoder = Encoder()
        for _ in 0..<random.below(40) { _ = encoder.block(&random) }
        let inflater = try #require(HPACKInflater(joinsLate: true))
        var unknown = 0
        var known = 0
        for _ in 0..<100 {
            let block = encoder.block(&random)
            let fields = try #require(inflater.fields(of: [block.bytes]), "seed \(seed)")
            try #require(fields.count == block.fields.count, "seed \(seed)")
            for (read, sent) in zip(fields, block.fields) {
                guard read != sent else {
                    known += 1
                    continue
                }
                unknown += 1
                #expect(read.name.isEmpty && (read.value.isEmpty || read.value == sent.value), "seed \(seed)")
            }
        }
        #expect(known > unknown, "seed \(seed)")
    }

    @Test("the static table and literals are known at once, older entries are not")
    func firstBlock() throws {
        let inflater = try #require(HPACKInflater(joinsLate: true))
        let block =
            Encoded.indexed(2) + Encoded.indexed(63) + Encoded.entering("new", "1") + Encoded.indexed(62)
            + Encoded.entering(nameOf: 64, "2") + Encoded.indexed(62) + Encoded.indexed(63)
        #expect(
            inflater.fields(of: [block]) == [
                HPACKField(":method", "GET"), HPACKField("", ""), HPACKField("new", "1"), HPACKField("new", "1"),
                HPACKField("", "2"), HPACKField("", "2"), HPACKField("new", "1"),
            ])
        #expect(inflater.memory < 65536)
        #expect(inflater.fields(of: [Encoded.indexed(62 + 300)]) == nil, "an entry deeper than any that is assumed")
    }
}
