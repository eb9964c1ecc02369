import Testing
import WireNative
import WireTesting

@Suite("HPACK")
struct HPACKInflaterTests {
    @Test("the examples of RFC 7541 give their fields and tables", arguments: HPACKVectors.all.indices)
    func examples(index: Int) throws {
        let inflater = try #require(HPACKInflater())
        for block in HPACKVectors.all[index].blocks {
            #expect(inflater.fields(of: [block.bytes]) == block.fields)
            #expect(inflater.table == block.table)
            #expect(inflater.tableSize == block.tableSize)
        }
    }

    @Test("a block may be cut anywhere", arguments: HPACKVectors.all.indices)
    func everySplit(index: Int) throws {
        let blocks = HPACKVectors.all[index].blocks
        for (number, block) in blocks.enumerated() {
            let bytes = block.bytes
            var splits = (0...bytes.count).map { [Array(bytes[..<$0]), Array(bytes[$0...])] }
            splits.append(bytes.map { [$0] })
            splits.append(bytes.map { [$0] } + [[]])
            splits.append([[], bytes, []])
            for split in splits {
                let inflater = try #require(HPACKInflater())
                for before in blocks[..<number] { #expect(inflater.fields(of: [before.bytes]) == before.fields) }
                #expect(inflater.fields(of: split) == block.fields, "\(split.map(\.count))")
                #expect(inflater.table == block.table)
            }
        }
    }

    @Test("fields take all bytes of a block, however it is cut", arguments: HPACKVectors.all.indices)
    func sizes(index: Int) throws {
        let whole = try #require(HPACKInflater())
        let dripped = try #require(HPACKInflater())
        for block in HPACKVectors.all[index].blocks {
            let sizes = whole.sizes(of: [block.bytes])
            #expect(sizes.count == block.fields.count && sizes.reduce(0, +) == block.bytes.count)
            #expect(dripped.sizes(of: block.bytes.map { [$0] } + [[]]) == sizes)
        }
    }

    @Test("a size update counts with the field behind it, one that ends a block with none")
    func sizeUpdates() throws {
        let inflater = try #require(HPACKInflater())
        // 4096 in three bytes; then a literal of four bytes, its second time by its index.
        #expect(inflater.sizes(of: [[0x3F, 0xE1, 0x1F, 0x82, 0x40, 1, 0x61, 1, 0x62]]) == [4, 5])
        #expect(inflater.sizes(of: [[0xBE]]) == [1])
        #expect(inflater.sizes(of: [[0x20]]) == [])
        #expect(inflater.sizes(of: [[0x82]]) == [1])
    }

    @Test("a block that ends early fails or holds fewer fields", arguments: HPACKVectors.all.indices)
    func everyPrefix(index: Int) throws {
        let block = HPACKVectors.all[index].blocks[0]
        #expect(!block.bytes.isEmpty)
        for length in 0..<block.bytes.count {
            let inflater = try #require(HPACKInflater())
            if let fields = inflater.fields(of: [Array(block.bytes[..<length])]) {
                #expect(fields == Array(block.fields.prefix(fields.count)) && fields.count < block.fields.count)
            } else {
                #expect(inflater.fields(of: [[0x82]]) == nil, "nothing is read after a failure")
            }
        }
    }

    @Test("an empty block has no fields")
    func emptyBlock() throws {
        let inflater = try #require(HPACKInflater())
        #expect(inflater.fields(of: [[]]) == [])
        #expect(inflater.fields(of: [[0x82]]) == [HPACKField(":method", "GET")])
    }

    @Test("a reader that keeps more entries than the encoder reads the same fields")
    func keepsMore() throws {
        // The encoder of C.6 holds 256 bytes and never says so: only the settings did, which the reader has not seen.
        let inflater = try #require(HPACKInflater())
        for (number, block) in HPACKVectors.codedResponses.blocks.enumerated() {
            #expect(inflater.fields(of: [Array(block.bytes.dropFirst(number == 0 ? 3 : 0))]) == block.fields)
        }
        #expect(inflater.tableCount == 8)
    }

    @Test(
        "what cannot be decompressed fails",
        arguments: [
            "80",  // index 0
            "be",  // index 62 of an empty table
            "ff ff ff ff ff ff",  // an integer beyond 32 bits
            "ff 80 80 80 80 80 80 80 80 80 80 80 00",  // an integer with endless zeros
            "82 3f e1 01",  // a size update behind a field
            "40 03 61 62",  // a name that does not end
            "00 82 ff ff 00",  // Huffman padding of more than seven bits
            "00 81 00 00",  // Huffman padding that is not ones
            "00 84 ff ff ff ff 00",  // Huffman's end of string
            "00 7f 82 ff 03",  // a name of 65537 bytes
            "3f e2 ff 3f",  // a table of 2²⁰ + 1 bytes
            "3f ff ff ff ff 0f",  // a table of 2³² bytes
        ])
    func garbage(hexadecimal: String) throws {
        let bytes = HPACKVectors.bytes(hexadecimal)
        let whole = try #require(HPACKInflater())
        #expect(whole.fields(of: [bytes]) == nil)
        let dripped = try #require(HPACKInflater())
        #expect(dripped.fields(of: bytes.map { [$0] }) == nil)
    }

    @Test("changed bits fail or decode to something else, in bounded steps")
    func bitFlips() throws {
        for conversation in HPACKVectors.all {
            for (number, block) in conversation.blocks.enumerated() {
                for bit in 0..<block.bytes.count * 8 {
                    var bytes = block.bytes
                    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                    let inflater = try #require(HPACKInflater())
                    for before in conversation.blocks[..<number] { _ = inflater.fields(of: [before.bytes]) }
                    let fields = inflater.fields(of: [bytes])
                    #expect(fields.map { $0.count <= bytes.count } ?? true)
                    #expect(inflater.tableSize <= HPACKInflater.largestTable)
                }
            }
        }
    }

    @Test("random bytes never trap, and every split decides alike", arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func randomBytes(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            let joinsLate = random.oneIn(2)
            let whole = try #require(HPACKInflater(joinsLate: joinsLate))
            let dripped = try #require(HPACKInflater(joinsLate: joinsLate))
            for _ in 0..<random.below(6) {
                let bytes = random.bytes(random.below(40))
                let fields = whole.fields(of: [bytes])
                #expect(dripped.fields(of: bytes.map { [$0] } + [[]]) == fields, "seed \(seed)")
                #expect(dripped.table == whole.table, "seed \(seed)")
            }
        }
    }
}
