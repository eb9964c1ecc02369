import Testing
import WireTesting

@testable import WireCore

/// Headers inside headers, more than anybody needs.
@Suite("Evasion: nested headers")
struct HeaderDepthTests {
    /// One layer around a packet.
    enum Wrapping: String, CaseIterable, Sendable {
        case ipInIP, sixInFour, fourInSix, genericRouting, virtualLAN, geneve, mobileUser, etherIP, mpls
        case routingInDatagram, service, locator, accessPoint, anything

        private static let four = PacketBuilder()
        private static let six: PacketBuilder = {
            var builder = PacketBuilder()
            builder.source = IPAddress(high: 1, low: 1, isVersion6: true)
            builder.destination = IPAddress(high: 1, low: 2, isVersion6: true)
            return builder
        }()

        private static func ethernet(_ content: [UInt8]) -> [UInt8] {
            [UInt8](repeating: 2, count: 12) + type(content) + content
        }

        private static func type(_ content: [UInt8]) -> [UInt8] { content[0] >> 4 == 6 ? [0x86, 0xdd] : [8, 0] }

        private static func packet(_ outer: PacketBuilder, _ number: UInt8, _ content: [UInt8]) -> [UInt8] {
            var outer = outer
            outer.transport = .other(number)
            outer.payload = content
            return outer.internetPacket(outer.transportBytes())
        }

        private static func datagram(to port: UInt16, _ content: [UInt8]) -> [UInt8] {
            var outer = four
            outer.transport = .udp
            outer.destinationPort = port
            outer.payload = content
            return outer.internetPacket(outer.transportBytes())
        }

        /// The IP packet `content` inside of another IP packet.
        func around(_ content: [UInt8]) -> [UInt8] {
            let number: UInt8 = content[0] >> 4 == 6 ? 41 : 4
            return switch self {
            case .ipInIP, .sixInFour: Self.packet(Self.four, number, content)
            case .fourInSix: Self.packet(Self.six, number, content)
            case .genericRouting: Self.packet(Self.four, 47, [0, 0] + Self.type(content) + content)
            case .virtualLAN: Self.datagram(to: 4789, [8, 0, 0, 0, 0, 0, 1, 0] + Self.ethernet(content))
            case .geneve: Self.datagram(to: 6081, [0, 0] + Self.type(content) + [0, 0, 1, 0] + content)
            case .mobileUser:
                Self.datagram(to: 2152, [0x30, 255] + [UInt8](be16: UInt16(content.count)) + [0, 0, 0, 1] + content)
            case .etherIP: Self.packet(Self.four, 97, [0x30, 0] + Self.ethernet(content))
            case .routingInDatagram: Self.datagram(to: 4754, [0, 0] + Self.type(content) + content)
            case .service:
                Self.datagram(
                    to: 4790,
                    [0x0C, 0, 0, 4, 0, 0, 1, 0, 0x0F, 0xC2, 2, number == 41 ? 2 : 1, 0, 0, 1, 255] + content)
            case .locator: Self.datagram(to: 4341, [0, 0, 0, 0, 0, 0, 0, 0] + content)
            case .accessPoint: Self.datagram(to: 5247, [0, 0x10, 2, 0, 0, 0, 0, 0] + Self.ethernet(content))
            case .anything:
                Self.datagram(
                    to: 5072, [0x41, 0x52, 0x11, number] + [UInt8](repeating: 9, count: 4 + 16 + 20) + content)
            case .mpls: Self.packet(Self.four, 137, [0, 1, 1, 64] + content)
            }
        }
    }

    private static func frame(_ wrappings: [Wrapping], _ packet: PacketBuilder) -> [UInt8] {
        let inner = packet.internetPacket(packet.transportBytes())
        let content = wrappings.reduce(inner) { $1.around($0) }
        return [UInt8](repeating: 2, count: 12) + (content[0] >> 4 == 6 ? [0x86, 0xdd] : [8, 0]) + content
    }

    /// A conversation, each packet of it wrapped.
    private static func frames(_ wrappings: [Wrapping]) -> [CapturedFrame] {
        SampleConversation().packets().enumerated().map { index, packet in
            CapturedFrame(time: Int64(index) * 1_000_000, bytes: frame(wrappings, packet))
        }
    }

    @Test("up to eight IP headers are followed; what a deeper one holds is only counted", arguments: Wrapping.allCases)
    func endsAtDepth(wrapping: Wrapping) {
        for depth in [1, 6, 7, 8, 9, 20, 30] {
            let frames = Self.frames(Array(repeating: wrapping, count: depth))
            let capture = checkEvasion(frames, "\(wrapping) \(depth)")
            let isFollowed = depth < 8
            #expect(capture.exchanges.map(\.status) == (isFollowed ? [200] : []), "depth \(depth)")
            #expect(capture.findingCounts == (isFollowed ? [:] : ["header-depth": frames.count]), "depth \(depth)")
            let other = capture.result.ledger.other
            #expect((other.otherIP + other.udp > 0) == !isFollowed, "depth \(depth)")
            #expect(capture.result.ledger.layers.nonIP == 0)
        }
    }

    @Test("twenty layers of any kinds: every byte has a place", arguments: [1, 2, 3] as [UInt64])
    func mixesLayers(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<60 {
            let wrappings = (0..<20).map { _ in random.element(Wrapping.allCases) }
            var frames = Self.frames(wrappings)
            if random.oneIn(2) {
                // Damage in the headers: the walk may end anywhere.
                for index in frames.indices {
                    frames[index].bytes[14 + random.below(300)] = UInt8(random.below(256))
                }
            }
            let capture = checkEvasion(frames, "seed \(seed), round \(round), \(wrappings)")
            #expect(capture.exchanges.count <= 1)
        }
    }

    @Test("a stack of tags is followed to the twenty-fourth header", arguments: [1, 3, 4, 20, 21, 22, 30, 100])
    func followsTags(depth: Int) {
        for tagType in [[UInt8(0x81), 0], [0x88, 0xa8]] {
            let tags = (0..<depth).flatMap { [0, 1] + ($0 == depth - 1 ? [8, 0] : tagType) }
            let frames = SampleConversation().packets().enumerated().map { index, packet in
                let content = packet.internetPacket(packet.transportBytes())
                let bytes = [UInt8](repeating: 2, count: 12) + tagType + tags + content
                return CapturedFrame(time: Int64(index) * 1_000_000, bytes: bytes)
            }
            let capture = checkEvasion(frames, "\(depth) tags")
            let isFollowed = depth <= 21
            #expect(capture.exchanges.map(\.status) == (isFollowed ? [200] : []))
            #expect(capture.findingCounts == (isFollowed ? [:] : ["header-depth": frames.count]))
            #expect((capture.result.ledger.layers.nonIP > 0) == !isFollowed)
        }
    }

    @Test("any number of MPLS labels, and sessions inside of sessions")
    func followsLabels() {
        let content = SampleConversation().packets().map { $0.internetPacket($0.transportBytes()) }
        let address = [UInt8](repeating: 2, count: 12)
        for depth in [1, 20, 100] {
            let labels = (0..<depth).flatMap { [0, 1, $0 == depth - 1 ? 1 : 0, 64] as [UInt8] }
            let frames = content.enumerated().map {
                CapturedFrame(time: Int64($0) * 1_000_000, bytes: address + [0x88, 0x47] + labels + $1)
            }
            let capture = checkEvasion(frames, "\(depth) labels")
            #expect(capture.exchanges.map(\.status) == [200])
            #expect(capture.findingCounts == [:])
        }
        // PPP holds no PPPoE: nothing is inside of the inner session.
        let frames = content.enumerated().map { index, packet in
            let inner = [0x11, 0, 0, 1] + [UInt8](be16: UInt16(packet.count + 2)) + [0, 0x21] + packet
            let outer = [0x11, 0, 0, 1] + [UInt8](be16: UInt16(inner.count + 2)) + [0x88, 0x64] + inner
            return CapturedFrame(time: Int64(index) * 1_000_000, bytes: address + [0x88, 0x64] + outer)
        }
        let capture = checkEvasion(frames, "PPPoE in PPPoE")
        #expect(capture.result.ledger.layers.nonIP == capture.frameBytes)
    }
}
