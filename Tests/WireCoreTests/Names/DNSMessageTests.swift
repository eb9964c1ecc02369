import Testing
import WireTesting

@testable import WireCore

@Suite("DNS message")
struct DNSMessageTests {
    private func read(_ bytes: [UInt8]) -> DNSMessage? { unsafe DNSMessage(bytes.span.bytes) }

    @Test("gives the question's name in lower case, and the answer's addresses")
    func readsAnswer() throws {
        let bytes = DNSBytes.answer(
            "API.Example.com", identifier: 9, [[10, 0, 0, 2], [UInt8](1...16), [10, 0, 0, 3]])
        let message = try #require(read(bytes))
        #expect(message.isResponse)
        #expect(message.identifier == 9)
        #expect(String(decoding: message.name, as: UTF8.self) == "api.example.com")
        #expect(
            message.addresses == [
                IPAddress(version4: 0x0a00_0002),
                IPAddress(high: 0x0102_0304_0506_0708, low: 0x090a_0b0c_0d0e_0f10, isVersion6: true),
                IPAddress(version4: 0x0a00_0003),
            ])
        let query = try #require(read(DNSBytes.query("a.b", identifier: 1)))
        #expect(!query.isResponse)
        #expect(query.addresses == [])
    }

    @Test("gives of a message that was cut what stands in it")
    func readsPrefixes() {
        let bytes = DNSBytes.answer("api.example.com", identifier: 9, [[10, 0, 0, 2], [10, 0, 0, 3]])
        for count in 0...bytes.count {
            let message = read(Array(bytes.prefix(count)))
            // 12 bytes of header and 17 of name, 4 of type and class, 16 of CNAME, 16 of each address.
            #expect((message == nil) == (count < 29), "\(count) bytes")
            let expected = count >= bytes.count ? 2 : count >= bytes.count - 16 ? 1 : 0
            #expect(message?.addresses.count ?? 0 == expected, "\(count) bytes")
        }
    }

    @Test("takes damaged messages for what they are", arguments: [1, 2] as [UInt64])
    func survivesDamage(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let original = DNSBytes.answer("api.example.com", identifier: 9, [[10, 0, 0, 2], [10, 0, 0, 3]])
        for round in 0..<3000 {
            var bytes = random.oneIn(3) ? random.bytes(random.below(80)) : original
            for _ in 0..<random.below(4) where !bytes.isEmpty {
                bytes[random.below(bytes.count)] = UInt8(random.below(256))
            }
            let message = read(bytes)
            #expect(message?.name.count ?? 0 <= 255, "seed \(seed), round \(round): \(bytes)")
            #expect(message?.addresses.count ?? 0 <= bytes.count / 14, "seed \(seed), round \(round): \(bytes)")
        }
    }

    @Test("refuses what is no message", arguments: [0, 17] as [UInt8])
    func refusesQuestions(count: UInt8) {
        var bytes = DNSBytes.query("a.b", identifier: 1)
        bytes[5] = count
        #expect(read(bytes) == nil)
    }
}

@Suite("Addresses and names")
struct NameDirectoryTests {
    @Test("write addresses as RFC 5952 says")
    func writesAddresses() {
        let table: [(UInt64, UInt64, String)] = [
            (0x2001_0db8_0000_0000, 0x0000_0000_0000_0001, "2001:db8::1"), (0, 0, "::"), (0, 1, "::1"),
            (0x2001_0db8_0000_0001, 0x0001_0001_0001_0001, "2001:db8:0:1:1:1:1:1"),
            (0x2001_0000_0000_0001, 0x0000_0000_0000_0001, "2001:0:0:1::1"),
            (0x2001_0db8_0000_0000, 0x0001_0000_0000_0001, "2001:db8::1:0:0:1"),
            (0x0001_0002_0003_0004, 0x0005_0006_0000_0000, "1:2:3:4:5:6::"),
        ]
        for (high, low, text) in table {
            #expect(IPAddress(high: high, low: low, isVersion6: true).description == text)
        }
        #expect(IPAddress(version4: 0xc0a8_00ff).description == "192.168.0.255")
        #expect(Endpoint(address: IPAddress(high: 0, low: 1, isVersion6: true), port: 80).description == "[::1]:80")
    }

    private func packet(_ length: Int, isAnswer: Bool) -> DecodedPacket {
        var packet = DecodedPacket()
        packet.source = IPAddress(version4: isAnswer ? 2 : 1)
        packet.destination = IPAddress(version4: isAnswer ? 1 : 2)
        packet.sourcePort = isAnswer ? 53 : 999
        packet.destinationPort = isAnswer ? 999 : 53
        packet.payload = length
        packet.link = 14
        return packet
    }

    @Test("gather a lookup with its retransmissions, and give it out once for all its addresses")
    func givesOutLookup() throws {
        var lookups = LookupDirectory()
        let query = try #require(unsafe DNSMessage(DNSBytes.query("a.b", identifier: 3).span.bytes))
        let answer = try #require(
            unsafe DNSMessage(DNSBytes.answer("a.b", identifier: 3, [[0, 0, 0, 7], [0, 0, 0, 8]]).span.bytes))
        for (message, packet) in [
            (query, packet(60, isAnswer: false)), (query, packet(60, isAnswer: false)),
            (answer, packet(100, isAnswer: true)),
        ] {
            let isFull = lookups.receive(
                message, packet,
                DatagramCounts(
                    packets: 1, internet: packet.internetBytes, payload: packet.payload, link: packet.linkBytes),
                at: DatagramTable.Seat(row: 5, isUp: !message.isResponse), time: 1)
            #expect(!isFull)
        }
        let client = IPAddress(version4: 1)
        let payer = LookupPayer(key: ConnectionKey(), isDatagram: false)
        let unknown = lookups.take(for: IPAddress(version4: 9), client: client, at: 2, by: payer)
        #expect(unknown == nil)
        #expect(!lookups.isEmpty)
        let lookup = lookups.take(for: IPAddress(version4: 8), client: client, at: 2, by: payer)
        let cost = try #require(lookup)
        #expect(cost.parts.map(\.row) == [5])
        #expect(cost.parts[0].counts.up == DatagramCounts(packets: 2, internet: 120, payload: 120, link: 28))
        #expect(cost.parts[0].counts.down == DatagramCounts(packets: 1, internet: 100, payload: 100, link: 14))
        #expect(lookups.isEmpty)
        let again = lookups.take(for: IPAddress(version4: 7), client: client, at: 2, by: payer)
        #expect(again == nil)
    }

    private func text(_ name: [UInt8]?) -> String? { name.map { String(decoding: $0, as: UTF8.self) } }

    @Test("answer for the place that is asked about, whatever came behind it")
    func answersForPlaces() {
        let names = NameDirectory()
        let address = IPAddress(version4: 7)
        #expect(!names.add(address, name: Array("First".utf8), at: 10))
        #expect(!names.replace(address, name: Array("second".utf8), at: 20))
        #expect(!names.replace(address, name: Array("third".utf8), at: 30))
        for (place, name) in [(9, nil), (10, "first"), (19, "first"), (20, "second"), (29, "second"), (30, "third")] {
            #expect(text(names.name(of: address, at: place)) == name)
        }
        names.settle(25)
        #expect(!names.replace(address, name: Array("fourth".utf8), at: 40))
        for (place, name) in [(25, "second"), (30, "third"), (40, "fourth"), (99, "fourth")] {
            #expect(text(names.name(of: address, at: place)) == name)
        }
    }

    @Test("forget all when they are full, but for those who are still in front of that")
    func forgets() {
        let names = NameDirectory(limit: 2)
        for value in 1...2 as ClosedRange<UInt32> {
            #expect(!names.replace(IPAddress(version4: value), name: Array("n\(value)".utf8), at: Int(value)))
        }
        #expect(names.add(IPAddress(version4: 9), name: Array("late".utf8), at: 3))
        #expect(names.name(of: IPAddress(version4: 9), at: 3) == nil)
        #expect(names.replace(IPAddress(version4: 3), name: Array("n3".utf8), at: 5))
        #expect(text(names.name(of: IPAddress(version4: 1), at: 4)) == "n1")
        #expect(names.name(of: IPAddress(version4: 1), at: 5) == nil)
        #expect(text(names.name(of: IPAddress(version4: 3), at: 5)) == "n3")
        #expect(names.name(of: IPAddress(version4: 3), at: 4) == nil)
    }
}
