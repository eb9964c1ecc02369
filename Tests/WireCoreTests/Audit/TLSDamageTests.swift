import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: damaged layers")
struct TLSDamageTests {
    private enum Damage: CaseIterable { case loss, snap, garbage, foreign, cut, reset }

    /// The frames of a random conversation, some of them lost, snapped or changed.
    private func damage(_ frames: [CapturedFrame], _ random: inout SeededRandom) -> [CapturedFrame] {
        var frames = frames
        for _ in 0..<1 + random.below(4) {
            guard let kind = Damage.allCases.randomElement(using: &random), frames.count > 4 else { break }
            let index = random.below(frames.count)
            let length = frames[index].bytes.count
            switch kind {
            case .loss: frames.removeSubrange(index..<min(index + 1 + random.below(3), frames.count))
            case .snap:
                let limit = 54 + random.below(120)
                for place in frames.indices where random.oneIn(2) && frames[place].bytes.count > limit {
                    frames[place].originalLength = frames[place].originalLength ?? frames[place].bytes.count
                    frames[place].bytes.removeLast(frames[place].bytes.count - limit)
                }
            case .garbage:
                guard length > 54 else { continue }
                for _ in 0..<1 + random.below(5) {
                    frames[index].bytes[54 + random.below(length - 54)] = UInt8(random.below(256))
                }
            case .foreign:
                guard length > 54 else { continue }
                frames[index].bytes.replaceSubrange(54..<length, with: random.bytes(length - 54))
            case .cut: frames.removeLast(random.below(frames.count / 2))
            case .reset: frames[index].bytes[47] |= random.oneIn(2) ? 4 : 1
            }
        }
        return frames
    }

    @Test("never traps, balances, and lets go of everything", arguments: 0..<10 as Range<UInt64>)
    func survives(block: UInt64) {
        for seed in block * 2..<block * 2 + 2 {
            let model = RandomLayers(seed: seed)
            var random = SeededRandom(seed: ~seed)
            for variant in 0..<4 {
                let frames = damage(model.talk.talk.frames, &random)
                let keys = random.oneIn(5) ? "" : model.talk.peers?.keyLog ?? ""
                check(frames, keys, &random, "seed \(seed), variant \(variant)")
            }
        }
    }

    private func check(
        _ frames: [CapturedFrame], _ keys: String, _ random: inout SeededRandom, _ name: String
    ) {
        var options = AuditOptions()
        options.setup = random.element(SetupPolicy.allCases)
        options.decodesBodies = random.oneIn(2)
        options.reorderingWindow = random.oneIn(2) ? 1_000_000 : 1_000_000_000
        var isEmptyHanded = false
        let capture = audit(frames, options, keys: keys) { isEmptyHanded = $0.isEmptyHanded }
        #expect(isEmptyHanded, "\(name)")
        #expect(capture.contradictions == [], "\(name)")
    }

    /// Text of both sides, by turns.
    private func dialogue(_ parts: [(Dialogue.Side, [UInt8])], _ random: inout SeededRandom) -> [CapturedFrame] {
        var talk = Dialogue()
        talk.handshake()
        for (side, bytes) in parts {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = random.oneIn(3) ? 1 + random.below(8) : 1 + random.below(400)
                talk.data(side, Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            if random.oneIn(3) { talk.ack(side.other) }
        }
        if random.oneIn(2) { talk.close() }
        return talk.frames
    }

    /// What comes before: CONNECT, an upgrade, or nothing.
    private func opening(_ random: inout SeededRandom) -> [(Dialogue.Side, [UInt8])] {
        switch random.below(4) {
        case 0:
            let answer = random.oneIn(2) ? "HTTP/1.1 200 OK\r\n\r\n" : ""
            return [(.client, Array("CONNECT b:443 HTTP/1.1\r\n\r\n".utf8)), (.server, Array(answer.utf8))]
        case 1:
            let upgrade = "GET / HTTP/1.1\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n"
            return [(.client, Array(upgrade.utf8)), (.server, Array("HTTP/1.1 101 x\r\nUpgrade: h2c\r\n\r\n".utf8))]
        default: return []
        }
    }

    /// TLS, HTTP/2 with faults, or garbage.
    private func inside(_ peers: inout TLSPeers, _ random: inout SeededRandom) -> [(Dialogue.Side, [UInt8])] {
        var encoder = HTTP2FieldEncoder(.indexing)
        let frames: [HTTP2Frame] = [
            .settings(), .headers(1, encoder.request("/"), endStream: true), .ping(), .data(1, random.bytes(50)),
            .headers(3, encoder.request("/x"), endHeaders: false), .continuation(3, encoder.request("/y")),
            HTTP2Frame(UInt8(random.below(12)), flags: UInt8(random.below(64)), stream: random.below(5)),
        ]
        switch random.below(3) {
        case 0:
            let early = random.oneIn(2) ? Array("GET / HTTP/1.1\r\n\r\n".utf8) : HTTP2Frame.preface + frames.bytes
            let flights = random.oneIn(2) ? peers.handshake() : peers.earlyHandshake(early)
            return flights.map { ($0.side, $0.bytes) } + [
                (.client, peers.seal(.client, HTTP2Frame.preface + frames.bytes)),
                (.server, peers.seal(.server, random.bytes(random.below(100)))),
                (.server, peers.seal(.server, frames.bytes)),
            ]
        case 1: return [(.client, HTTP2Frame.preface + frames.bytes), (.server, frames.bytes)]
        default: return (0..<4).map { _ in (random.element([.client, .server]), random.bytes(random.below(90))) }
        }
    }

    @Test("the same for tunnels, upgrades, early data and garbage", arguments: 0..<10 as Range<UInt64>)
    func survivesTunnels(block: UInt64) {
        for seed in block * 10..<block * 10 + 10 {
            var random = SeededRandom(seed: 700 + seed)
            var peers = TLSPeers(random.element([.aes128GCM13, .chaCha13]), protocols: random.oneIn(2) ? ["h2"] : [])
            let whole = dialogue(opening(&random) + inside(&peers, &random), &random)
            for variant in 0..<6 {
                let frames = variant == 0 ? whole : damage(whole, &random)
                check(frames, peers.keyLog, &random, "seed \(700 + seed), variant \(variant)")
            }
        }
    }
}
