import Testing
import WireTesting

@testable import WireCore

@Suite("Attribution: which frame each byte is of")
struct ClaimTraceTests {
    @Test("claims add up to each frame, to the ledger by cause and to each call", arguments: 0..<8 as Range<UInt64>)
    func sums(block: UInt64) {
        for seed in block * 5..<block * 5 + 5 {
            let model = RandomLayers(seed: seed)
            let audit = TracedAudit(model.talk.talk.frames, keys: model.talk.peers?.keyLog ?? "")
            #expect(audit.contradictions == [], "seed \(seed)")
            #expect(audit.exchanges.count == model.bodies.count && !audit.trace.isFull, "seed \(seed)")
        }
    }

    @Test("so they do with frames in another order, captured twice, or lost", arguments: 0..<8 as Range<UInt64>)
    func disorder(block: UInt64) {
        for seed in block * 5..<block * 5 + 5 {
            let model = RandomLayers(seed: seed)
            var random = SeededRandom(seed: seed)
            var frames = model.talk.talk.frames
            for _ in 0..<4 { frames.swapAt(random.below(frames.count), random.below(frames.count)) }
            frames.insert(frames[random.below(frames.count)], at: random.below(frames.count))
            frames.remove(at: random.below(frames.count))
            let audit = TracedAudit(frames, keys: model.talk.peers?.keyLog ?? "")
            #expect(audit.contradictions == [], "seed \(seed)")
        }
    }

    @Test(
        "packets that wait for keys have the claims that they have when the keys are there",
        arguments: [TLSSuite.aes128GCM12, .aes128GCM13])
    func lateKeys(suite: TLSSuite) {
        var talk = HTTP2Talk(suite)
        for stream in [1, 3, 5] { talk.exchange(stream, body: 3000) }
        let frames = talk.talk.talk.frames
        let keys = talk.talk.peers?.keyLog ?? ""
        let early = TracedAudit(frames, keys: keys)
        #expect(early.contradictions == [] && early.exchanges.count == 3)
        for index in frames.indices {
            let late = TracedAudit(frames, keys: keys, keysBefore: index)
            #expect(late.contradictions == [], "keys before frame \(index)")
            #expect(late.claims == early.claims, "keys before frame \(index)")
        }
    }

    @Test("datagrams of QUIC have their claims in whatever order they come, and keys may come late")
    func datagrams() {
        var peers = QUICPeers(.aes128GCM13, idLengths: (8, 8))
        var datagrams = peers.handshake()
        for call in 0..<3 as Range<UInt64> {
            let response = QUICWire.response([UInt8](repeating: 65, count: 900))
            datagrams += [
                peers.datagram(.client, QUICWire.stream(4 * call, 0, QUICWire.request("/\(call)"), isFinal: true)),
                peers.datagram(.server, QUICWire.stream(4 * call, 0, Array(response[..<1]))),
                peers.datagram(.server, QUICWire.stream(4 * call, 1, Array(response[1..<500]))),
                peers.datagram(.server, QUICWire.stream(4 * call, 500, Array(response[500...]), isFinal: true)),
                peers.datagram(.client, QUICWire.acknowledgment(1 + call)),
            ]
        }
        let whole = TracedAudit(peers.frames(datagrams), keys: peers.keyLog)
        #expect(whole.contradictions == [] && whole.exchanges.count == 3)
        for index in datagrams.indices.dropFirst() {
            var shuffled = datagrams
            shuffled.swapAt(index - 1, index)
            #expect(TracedAudit(peers.frames(shuffled), keys: peers.keyLog).contradictions == [], "\(index)")
            let late = TracedAudit(peers.frames(datagrams), keys: peers.keyLog, keysBefore: index)
            #expect(late.contradictions == [], "keys before \(index)")
        }
    }

    @Test("so it is with fragments, frames that the snap length cut, and frames without IP", arguments: [false, true])
    func oddFrames(isVersion6: Bool) {
        var frames: [CapturedFrame] = []
        for packet in SampleConversation().packets() {
            var packet = packet
            if isVersion6 {
                packet.source = IPAddress(high: 0x2001_0db8 << 32, low: packet.source.low, isVersion6: true)
                packet.destination = IPAddress(
                    high: 0x2001_0db8 << 32, low: packet.destination.low, isVersion6: true)
            }
            let parts = packet.payload.count > 20 ? Self.fragments(packet) : [packet]
            for part in parts { frames.append(CapturedFrame(time: Int64(frames.count) * 1_000_000, part)) }
        }
        let arp = [UInt8](repeating: 0xFF, count: 12) + [0x08, 0x06] + [UInt8](repeating: 1, count: 28)
        frames.insert(CapturedFrame(time: frames[3].time, bytes: arp), at: 4)
        let whole = TracedAudit(frames)
        #expect(whole.contradictions.filter { !$0.hasPrefix("frame ") } == [])
        #expect(whole.trace.parts[4].kind == .nonIP && whole.trace.parts[4].total == 42)
        #expect(whole.trace.joined.values.map(\.count) == [2, 2])
        for frames in whole.trace.joined.values {
            let bytes = frames.reduce(0) { $0 + Int(whole.trace.parts[$1 - 1].internet) }
            let claims = whole.trace.claims.filter { Int($0.frame) == frames[1] }
            #expect(claims.reduce(0) { $0 + $1.bytes } == bytes)
            #expect(!whole.trace.claims.contains { Int($0.frame) == frames[0] })
        }
        for index in frames.indices where frames[index].bytes.count > 70 {
            frames[index].originalLength = frames[index].bytes.count
            frames[index].bytes.removeLast(8)
        }
        #expect(TracedAudit(frames).contradictions.filter { !$0.hasPrefix("frame ") } == [])
    }

    @Test("headers of a tunnel whose datagrams are sent in fragments are claimed by nobody")
    func tunnelFragments() {
        var frames: [CapturedFrame] = []
        for packet in SampleConversation().packets() {
            let inner = packet.internetPacket(packet.transportBytes())
            var outer = PacketBuilder()
            outer.transport = .udp
            outer.destinationPort = 2152
            outer.identification = UInt16(frames.count)
            let length = UInt16(inner.count)
            outer.payload = [0x30, 255, UInt8(length >> 8), UInt8(length & 255), 0, 0, 0, 1] + inner
            for part in Self.fragments(outer, protocolNumber: 17) {
                frames.append(CapturedFrame(time: Int64(frames.count) * 1_000_000, part))
            }
        }
        let audit = TracedAudit(frames)
        #expect(audit.contradictions.filter { !$0.hasPrefix("frame ") } == [] && audit.exchanges.count == 1)
        #expect(audit.trace.joined.count == frames.count / 2)
        for (last, numbers) in audit.trace.joined {
            let claims = audit.trace.claims.filter { Int($0.frame) == last }
            let parts = numbers.map { audit.trace.parts[$0 - 1] }
            #expect(claims.reduce(0) { $0 + $1.bytes } == parts.reduce(0) { $0 + Int($1.internet) })
            #expect(parts.map(\.tunnel) == [20 + 8 + 8, 20])
            #expect(zip(numbers, parts).allSatisfy { frames[$0 - 1].bytes.count == $1.total })
        }
    }

    private static func fragments(_ packet: PacketBuilder, protocolNumber: UInt8 = 6) -> [PacketBuilder] {
        let datagram = packet.transportBytes()
        return [0..<32, 32..<datagram.count].map { range in
            var part = packet
            part.transport = .other(protocolNumber)
            part.payload = Array(datagram[range])
            part.identification = packet.identification &+ UInt16(truncatingIfNeeded: packet.sequence)
            part.fragmentOffset = range.lowerBound
            part.moreFragments = range.upperBound < datagram.count
            return part
        }
    }

    @Test("where the limit is reached, a frame's claims are all there or not the whole frame")
    func limit() {
        let model = RandomLayers(seed: 3)
        let frames = model.talk.talk.frames
        let whole = TracedAudit(frames, keys: model.talk.peers?.keyLog ?? "")
        for limit in [1, 4, frames.count / 2, frames.count] {
            let part = TracedAudit(frames, keys: model.talk.peers?.keyLog ?? "", limit: limit)
            #expect(part.trace.claims.count <= limit && part.trace.parts.count <= limit, "limit \(limit)")
            #expect(part.trace.isFull == (limit < whole.trace.claims.count), "limit \(limit)")
            let larger = part.claims.filter { $0.value > whole.claims[$0.key] ?? 0 }
            #expect(larger.isEmpty, "limit \(limit)")
        }
    }
}
