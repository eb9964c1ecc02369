import Testing
import WireNative
import WireTesting

@testable import WireCore

@Suite("Multipath TCP")
struct MultipathTests {
    private static let keys: [[UInt8]] = [[1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]]

    /// Number of a sender's first byte.
    private static func first(_ side: Dialogue.Side, version: UInt8) -> UInt32 {
        let key = keys[side.rawValue]
        let digest = version == 0 ? ShortDigest.sha1(key) : ShortDigest.sha256(key)
        return digest.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } &+ 1
    }

    private static func capable(_ version: UInt8, _ keys: [[UInt8]], length: UInt16? = nil) -> PacketBuilder.Option {
        let rest =
            keys.joined() + (length.map { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] } ?? [])
        return .bytes([30, UInt8(4 + rest.count), version, 0x81] + rest)
    }

    /// A mapping with an acknowledgment of four bytes.
    private static func mapping(_ number: UInt32, at place: Int, _ length: Int, isLong: Bool = false)
        -> PacketBuilder.Option
    {
        let digits = (isLong ? [0, 0, 0, 9] : []) + [UInt8](be32: number)
        let rest = [0, 0, 0, 1] + digits + [UInt8](be32: UInt32(place)) + [UInt8](be16: UInt16(length))
        return .bytes([30, UInt8(4 + rest.count), 0x20, isLong ? 0x0D : 0x05] + rest)
    }

    private static func padded(_ option: PacketBuilder.Option) -> [PacketBuilder.Option] {
        [option, .noOperation, .noOperation]
    }

    private struct Talk {
        var dialogue = Dialogue()
        let version: UInt8

        init(version: UInt8 = 1, answers: Bool = true) {
            self.version = version
            let own = version == 0 ? [keys[0]] : []
            dialogue.syn(.client) { $0.options = [capable(version, own)] }
            dialogue.syn(.server) { if answers { $0.options = [capable(version, [keys[1]])] } }
            dialogue.send(.client, .ack, at: 0) { if answers { $0.options = [capable(version, keys)] } }
        }

        /// Data whose numbers are so many further than the bytes of the subflow say.
        mutating func say(_ side: Dialogue.Side, _ text: String, skipping: UInt32 = 0, isLong: Bool = false) {
            let place = dialogue.sent[side.rawValue]
            let number = first(side, version: version) &+ UInt32(place) &+ skipping
            let option = mapping(number, at: place + 1, text.utf8.count, isLong: isLong)
            dialogue.data(side, text) { $0.options = padded(option) }
        }
    }

    @Test(
        "a connection whose data all went over one subflow is read as plain TCP", arguments: [UInt8(0), 1],
        [true, false])
    func whole(version: UInt8, isLong: Bool) {
        var talk = Talk(version: version)
        talk.say(.client, Sample.request, isLong: isLong)
        talk.say(.server, String(Sample.response.prefix(30)), isLong: isLong)
        talk.say(.server, String(Sample.response.dropFirst(30)), isLong: isLong)
        talk.dialogue.close()
        let capture = talk.dialogue.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.status) == [200] && capture.exchanges.allSatisfy { $0.flags.isEmpty })
        #expect(capture.findings(.multipath) == 0)
    }

    @Test("where bytes went over another subflow, every call is flagged", arguments: ["jump", "start", "unmapped"])
    func torn(how: String) {
        var talk = Talk()
        talk.say(.client, Sample.request)
        talk.say(.server, Sample.response, skipping: how == "start" ? 1000 : 0)
        talk.say(.client, Sample.request)
        if how == "unmapped" {
            talk.dialogue.data(.server, Sample.response)
        } else {
            talk.say(.server, Sample.response, skipping: 1000)
        }
        talk.dialogue.close()
        let capture = talk.dialogue.audit()
        #expect(capture.contradictions == [])
        #expect(capture.findings(.multipath) == 1)
        #expect(capture.exchanges.count == 2 && capture.exchanges[1].flags.contains(.gap))
        #expect(how != "start" || capture.exchanges[0].flags.contains(.gap))
        #expect(capture.connections[0].flags.contains(.gap))
    }

    @Test("a mapping may cover several segments, and the first data may come with the keys")
    func longMappings() {
        var talk = Talk()
        let request = Sample.request
        talk.dialogue.data(.client, String(request.prefix(10))) {
            $0.options = Self.padded(Self.capable(1, Self.keys, length: UInt16(request.utf8.count)))
        }
        talk.dialogue.data(.client, String(request.dropFirst(10)))
        talk.say(.server, Sample.response)
        talk.dialogue.close()
        let capture = talk.dialogue.audit()
        #expect(capture.exchanges.map(\.status) == [200] && capture.exchanges.allSatisfy { $0.flags.isEmpty })
    }

    @Test("who falls back to plain TCP is read as such", arguments: [true, false])
    func fallback(answers: Bool) {
        var talk = Talk(answers: answers)
        talk.dialogue.exchange()
        talk.dialogue.close()
        let capture = talk.dialogue.audit()
        #expect(capture.exchanges.map(\.status) == [200] && capture.exchanges.allSatisfy { $0.flags.isEmpty })
        #expect(capture.findings(.multipath) == 0)
    }

    @Test("a subflow that joins has no calls of its own, whatever its bytes look like")
    func joined() {
        var talk = Dialogue()
        let join = PacketBuilder.Option.bytes([30, 12, 0x10, 1, 1, 2, 3, 4, 5, 6, 7, 8])
        talk.syn(.client) { $0.options = [join] }
        talk.syn(.server) { $0.options = [.bytes([30, 16, 0x10, 1] + [UInt8](repeating: 7, count: 12))] }
        talk.ack(.client)
        talk.exchange()
        talk.close()
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.isEmpty && capture.findings(.multipath) == 1)
        let costs = capture.connections[0].costs
        #expect(costs.up[.opaque] == Sample.request.utf8.count && costs.down[.opaque] == Sample.response.utf8.count)
    }
}
