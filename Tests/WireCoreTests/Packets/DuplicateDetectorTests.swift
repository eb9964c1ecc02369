import Testing
import WireTesting

@testable import WireCore

@Suite("Duplicate detector")
struct DuplicateDetectorTests {
    /// A packet as its decoder would describe it, with its bytes.
    struct Copy: Sendable {
        var packet = DecodedPacket()
        var bytes = [UInt8](repeating: 0, count: 52) + [UInt8](0..<100)
        var time: Int64 = 1_000_000_000
        var interface = 0

        init() {
            packet.kind = .tcp
            (packet.network, packet.transport, packet.payload) = (20, 32, 100)
            (packet.transportOffset, packet.payloadOffset, packet.payloadCaptured) = (20, 52, 100)
            packet.source = IPAddress(version4: 1)
            packet.destination = IPAddress(version4: 2)
            (packet.sourcePort, packet.destinationPort, packet.protocolNumber) = (50_000, 80, 6)
            (packet.sequence, packet.acknowledgment, packet.window, packet.flags) = (7, 8, 9, [.ack])
            (packet.identification, packet.hopLimit) = (77, 64)
        }

        /// What Linux leaves in the field for the hardware: addresses 0.0.0.1 and 0.0.0.2, protocol 6, 132 bytes.
        mutating func setPseudoHeaderSum() { (bytes[36], bytes[37]) = (0, 1 + 2 + 6 + 132) }

        func judge(_ detector: inout DuplicateDetector) -> DuplicateDetector.Judgment {
            let digest = unsafe detector.digest(of: packet, bytes.span.bytes)
            let mayKnow = detector.mayKnow(digest)
            let sighting = DuplicateDetector.Sighting(
                time: time, interface: UInt64(interface) << 32 | UInt64(packet.interfaceIndex),
                identification: packet.identification)
            let judgment = unsafe detector.judge(digest, sighting, packet, bytes.span.bytes, at: 1)
            #expect(mayKnow || judgment == .first)
            return judgment
        }
    }

    struct Example: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var judgment: DuplicateDetector.Judgment
        var change: @Sendable (inout Copy) -> Void
        /// Changes both packets.
        var prepare: @Sendable (inout Copy) -> Void = { _ in }
    }

    static let examples: [Example] = [
        Example(testDescription: "the same identification", judgment: .sameIdentification) { _ in },
        Example(testDescription: "another hop limit, as behind a router", judgment: .sameIdentification) {
            $0.packet.hopLimit = 63
        },
        Example(testDescription: "5 ms later", judgment: .sameIdentification) { $0.time += 5_000_000 },
        Example(testDescription: "longer than that", judgment: .equal) { $0.time += 5_000_001 },
        Example(testDescription: "as late as a SYN is sent again", judgment: .first) { $0.time += 1_000_000_000 },
        Example(
            testDescription: "a datagram with another identification, however late", judgment: .equal,
            change: { ($0.packet.identification, $0.time) = (0, 90_000_000_000) },
            prepare: { $0.packet.kind = .udp }),
        Example(testDescription: "earlier than the first", judgment: .first) { $0.time -= 1 },
        Example(
            testDescription: "the times of a damaged file, nearly 600 years apart", judgment: .first,
            change: { $0.time = .max }, prepare: { $0.time = .min + 1 }),
        Example(testDescription: "another interface of the capture", judgment: .otherInterface) { $0.interface = 1 },
        Example(testDescription: "another interface by its header", judgment: .otherInterface) {
            $0.packet.interfaceIndex = 3
        },
        Example(
            testDescription: "no identification", judgment: .equal, change: { _ in },
            prepare: { $0.packet.identification = 0 }),
        Example(
            testDescription: "no identification, another interface", judgment: .otherInterface,
            change: { $0.interface = 2 }, prepare: { $0.packet.identification = 0 }),
        Example(
            testDescription: "IPv6 has no identification that proves something", judgment: .equal, change: { _ in },
            prepare: {
                $0.packet.source = IPAddress(high: 1, low: 1, isVersion6: true)
                $0.packet.destination = IPAddress(high: 1, low: 2, isVersion6: true)
            }),
        Example(testDescription: "another identification", judgment: .equal) { $0.packet.identification = 78 },
        Example(testDescription: "another source", judgment: .first) { $0.packet.source = IPAddress(version4: 3) },
        Example(testDescription: "another destination", judgment: .first) {
            $0.packet.destination = IPAddress(version4: 3)
        },
        Example(testDescription: "another port", judgment: .first) { $0.packet.sourcePort = 50_001 },
        Example(testDescription: "another sequence number", judgment: .first) { $0.packet.sequence = 8 },
        Example(testDescription: "another acknowledgment", judgment: .first) { $0.packet.acknowledgment = 9 },
        Example(testDescription: "other flags", judgment: .first) { $0.packet.flags = [.ack, .psh] },
        Example(testDescription: "another window", judgment: .first) { $0.packet.window = 10 },
        Example(testDescription: "another timestamp option", judgment: .first) { $0.bytes[47] = 1 },
        Example(testDescription: "another first byte of payload", judgment: .first) { $0.bytes[52] = 99 },
        Example(testDescription: "another last byte of payload", judgment: .first) { $0.bytes[151] = 1 },
        Example(
            testDescription: "another byte that the digest passes over: the checksums differ", judgment: .first,
            change: { ($0.bytes[75], $0.bytes[36], $0.bytes[37]) = (1, 0x12, 0x34) },
            prepare: { ($0.bytes[36], $0.bytes[37]) = (0x43, 0x21) }),
        Example(
            testDescription: "the first was captured before hardware filled in its checksum",
            judgment: .sameIdentification, change: { ($0.bytes[36], $0.bytes[37]) = (0x12, 0x34) },
            prepare: { $0.setPseudoHeaderSum() }),
        Example(
            testDescription: "the copy has no checksum yet", judgment: .sameIdentification,
            change: { ($0.bytes[36], $0.bytes[37]) = (0, 0) },
            prepare: { ($0.bytes[36], $0.bytes[37]) = (0x43, 0x21) }),
    ]

    @Test("demands proof that a packet is a copy", arguments: examples)
    func judges(example: Example) {
        var detector = DuplicateDetector()
        var first = Copy()
        example.prepare(&first)
        var second = first
        example.change(&second)
        let judgments = [first.judge(&detector), second.judge(&detector)]
        #expect(judgments == [.first, example.judgment])
    }

    @Test("each byte of a short payload counts")
    func comparesShortPayloads() {
        for count in [1, 7, 8, 9, 20, 63] {
            for place in 0..<count {
                var detector = DuplicateDetector()
                var first = Copy()
                (first.packet.payload, first.packet.payloadCaptured) = (count, count)
                first.bytes = [UInt8](repeating: 0, count: 52) + [UInt8](repeating: 5, count: count)
                var second = first
                second.bytes[52 + place] = 6
                let judgments = [first, second, first].map { $0.judge(&detector) }
                #expect(judgments.prefix(2) == [.first, .first], "byte \(place) of \(count)")
            }
        }
    }

    @Test(
        "no payload makes packets with other headers copies of each other",
        arguments: [0, .max, 0xD6E8_FEB8_6659_FD93, 0x9E37_79B9_7F4A_7C15] as [UInt64])
    func ignoresNoHeader(word: UInt64) {
        var detector = DuplicateDetector()
        let judgments = (0..<64).map { number in
            var packet = Copy()
            let payload = (0..<96).map { UInt8(truncatingIfNeeded: word >> UInt64($0 % 8 * 8)) }
            packet.bytes = [UInt8](repeating: 0, count: 52) + payload
            (packet.packet.payload, packet.packet.payloadCaptured) = (96, 96)
            packet.packet.sequence = UInt32(number) * 96
            packet.interface = number % 2
            return packet.judge(&detector)
        }
        #expect(judgments.allSatisfy { $0 == .first })
    }

    @Test("copies of one packet are all told by the first of them")
    func keepsTheFirst() {
        var detector = DuplicateDetector()
        var copy = Copy()
        var judgments: [DuplicateDetector.Judgment] = []
        for _ in 0..<4 {
            judgments.append(copy.judge(&detector))
            copy.time += 2_000_000
        }
        #expect(judgments == [.first, .sameIdentification, .sameIdentification, .equal])
    }

    @Test("every copy up to 4,096 packets back is found", arguments: [1, 1095, 4095])
    func remembersPromised(distance: Int) {
        for isOtherInterface in [false, true] {
            var detector = DuplicateDetector()
            var found = 0
            for step in 0..<12_000 {
                var copy = Copy()
                copy.packet.identification = UInt32(step % 65_535 + 1)
                copy.packet.sequence = UInt32(step) &* 1448
                copy.time += Int64(step) * 1_000
                #expect(copy.judge(&detector) == .first, "packet \(step)")
                guard step >= distance else { continue }
                copy.packet.identification = UInt32((step - distance) % 65_535 + 1)
                copy.packet.sequence = UInt32(step - distance) &* 1448
                copy.interface = isOtherInterface ? 1 : 0
                if copy.judge(&detector) == (isOtherInterface ? .otherInterface : .sameIdentification) { found += 1 }
            }
            #expect(found == 12_000 - distance)
        }
    }

    @Test("finds copies among many packets in any order of interfaces", arguments: [1, 2] as [UInt64])
    func findsAmongMany(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var detector = DuplicateDetector()
        var recent: [Copy] = []
        var judged = 0
        for step in 0..<3000 {
            if let old = recent.randomElement(using: &random), random.oneIn(3) {
                var copy = old
                copy.interface = 1
                copy.time = 1_000_000_000 + Int64(step) * 10_000
                if copy.time - old.time > 5_000_000 { continue }
                let judgment = copy.judge(&detector)
                // A packet in between may have taken its slot, which proves nothing.
                if judgment == .otherInterface { judged += 1 } else { #expect(judgment == .first) }
                recent.removeAll { $0.packet.sequence == old.packet.sequence }
            } else {
                var copy = Copy()
                copy.packet.sequence = UInt32(step)
                copy.time = 1_000_000_000 + Int64(step) * 10_000
                let judgment = copy.judge(&detector)
                #expect(judgment == .first, "seed \(seed), step \(step)")
                recent.append(copy)
                if recent.count > 20 { recent.removeFirst() }
            }
        }
        #expect(judged > 900, "seed \(seed)")
    }
}
