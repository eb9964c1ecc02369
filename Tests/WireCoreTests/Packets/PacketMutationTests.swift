import Testing
import WireCore
import WireTesting

/// Damages frames, the same way for the same seed.
private struct FrameMutator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return Int((value ^ value >> 31) % UInt64(bound))
    }

    /// Changes, cuts, repeats or adds some bytes.
    mutating func mutate(_ bytes: inout [UInt8]) {
        for _ in 0...below(4) {
            guard !bytes.isEmpty else { return }
            let position = below(bytes.count)
            switch below(6) {
            case 0: bytes[position] ^= 1 << UInt8(below(8))
            case 1: bytes[position] = [0, 1, 0x45, 0x60, 0x7f, 0x80, 0xff, 0x11][below(8)]
            case 2: bytes[position] = UInt8(below(256))
            case 3: bytes.removeSubrange(position..<min(bytes.count, position + 1 + below(8)))
            case 4: bytes.insert(contentsOf: bytes[position..<min(bytes.count, position + 1 + below(40))], at: position)
            default: bytes.append(contentsOf: repeatElement(UInt8(below(256)), count: below(20)))
            }
        }
    }
}

@Suite("Packet decoder: damaged frames")
struct PacketMutationTests {
    @Test("tiles damaged frames of every kind", arguments: [1, 2, 3] as [UInt64])
    func tilesDamagedFrames(seed: UInt64) {
        var mutator = FrameMutator(seed: seed)
        let fixtures = FrameFixture.all
        for round in 0..<10_000 {
            let fixture = fixtures[mutator.below(fixtures.count)]
            var bytes = fixture.bytes
            mutator.mutate(&bytes)
            let linkType = mutator.below(8) == 0 ? LinkType(rawValue: UInt32(mutator.below(290))) : fixture.linkType
            let original = [bytes.count, bytes.count + mutator.below(2000), mutator.below(bytes.count + 1)][
                mutator.below(3)]
            let packet = decode(bytes, linkType, original: original, checkSequence: mutator.below(2) * 4)
            let fault = inconsistency(packet, captured: bytes.count, original: original)
            #expect(fault == nil, "seed \(seed), round \(round), \(fixture.name): \(bytes)")
        }
    }

    @Test("keeps the sum of a packet's sizes when it decodes a damaged datagram", arguments: [6] as [UInt64])
    func tilesDamagedDatagrams(seed: UInt64) {
        var mutator = FrameMutator(seed: seed)
        let fixtures = FrameFixture.internet + FrameFixture.tunnels
        for round in 0..<10_000 {
            let fixture = fixtures[mutator.below(fixtures.count)]
            var packet = decode(fixture.bytes)
            var datagram = Array(fixture.bytes[(packet.networkOffset + packet.network)...])
            packet.protocolNumber = [4, 6, 17, 41, 43, 44, 47, 51][mutator.below(8)]
            packet.transport = 0
            mutator.mutate(&datagram)
            packet.payload = datagram.count + mutator.below(2) * 50
            let sum = packet.frameBytes
            unsafe PacketDecoder().decodeTransport(datagram.span.bytes, into: &packet)
            let fault = inconsistency(packet, captured: datagram.count, original: sum)
            #expect(fault == nil, "seed \(seed), round \(round), \(fixture.name): \(datagram)")
            #expect(packet.kind != .fragment)
        }
    }

    /// Cisco HDLC never takes the straight path, so both ways through the decoder meet here.
    @Test("finds the same packet behind every link header", arguments: [4, 5] as [UInt64])
    func agreesAcrossLinks(seed: UInt64) {
        var mutator = FrameMutator(seed: seed)
        for round in 0..<3_000 {
            var content = mutator.below(2) == 0 ? Bytes.tcp4 : Bytes.tcp6
            if mutator.below(4) == 0 { content = Bytes.datagram(to: 53, Bytes.zeros(20)) }
            if mutator.below(4) > 0 { mutator.mutate(&content) }
            guard let first = content.first else { continue }
            // Some say another version than the header behind it does.
            let isVersion6 = (first >> 4 == 6) != (mutator.below(8) == 0)
            let type: [UInt8] = isVersion6 ? [0x86, 0xdd] : [8, 0]
            let surplus = mutator.below(3) * 100
            let reference = decode(
                [15, 0] + type + content, LinkType(rawValue: 104), original: content.count + 4 + surplus)
            let links: [(UInt32, [UInt8], Int)] = [
                (1, Bytes.zeros(12) + type, 0), (1, Bytes.zeros(12) + [0x81, 0, 0, 1] + type, 0),
                (113, Bytes.zeros(14) + type, 16), (276, type + Bytes.zeros(18), 20), (101, [], 0),
                (0, [2, 0, 0, 0], 4),
            ]
            for (linkType, header, pseudo) in links {
                let packet = decode(
                    header + content, LinkType(rawValue: linkType), original: content.count + header.count + surplus)
                let isEqual =
                    facts(packet, headerLength: header.count) == facts(reference, headerLength: 4)
                    && packet.pseudo == pseudo && packet.link == reference.link - 4 + header.count - pseudo
                #expect(isEqual, "seed \(seed), round \(round), link type \(linkType): \(content)")
            }
        }
    }

    @Test("a header of no version is no IP, whatever its EtherType says", arguments: [false, true], [false, true])
    func versionContradictsType(isVersion6: Bool, isDatagram: Bool) {
        var builder = PacketBuilder()
        if isVersion6 {
            builder.source = IPAddress(high: 1, low: 2, isVersion6: true)
            builder.destination = IPAddress(high: 1, low: 3, isVersion6: true)
        }
        if isDatagram { builder.transport = .udp }
        builder.payload = Bytes.zeros(20)
        var bytes = builder.frame()
        #expect(decode(bytes).kind == (isDatagram ? .udp : .tcp))
        for version in 0..<16 as Range<UInt8> where version != 4 && version != 6 {
            bytes[14] = version << 4 | bytes[14] & 0x0F
            #expect(decode(bytes).kind == .nonIP, "version \(version)")
        }
    }
}
