import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: keys that come behind the packets they are for")
struct AwaitedKeyTests {
    private func conversation(_ suite: TLSSuite) -> LayeredConversation {
        var talk = LayeredConversation(suite)
        for number in 0..<4 {
            talk.exchange(number)
            // A window update and a duplicate acknowledgment: the owner of the byte before them pays.
            talk.talk.ack(.client, window: 700)
            talk.talk.ack(.client, window: 700)
            talk.talk.ack(.server, window: 900)
        }
        return talk
    }

    @Test(
        "packets wait for their key: with it, wherever it comes, the books are those of a key that was there at once",
        arguments: [TLSSuite.aes128GCM13, .aes128GCM12])
    func waiting(suite: TLSSuite) throws {
        let talk = conversation(suite)
        let keys = try #require(talk.peers?.keyLog)
        let frames = talk.talk.frames
        let expected = audit(frames, keys: keys)
        #expect(expected.exchanges.count == 4)
        for place in 0..<frames.count {
            let late = audit(frames, keys: keys, keysBefore: place) { auditor in
                #expect(auditor.sum { $0.streams.buffered.records } == 0)
                #expect(auditor.sum { $0.waiting.byteCount } == 0)
            }
            #expect(late.contradictions == [], "keys before frame \(place + 1)")
            #expect(late.exchanges.map(\.costs) == expected.exchanges.map(\.costs), "keys before frame \(place + 1)")
            #expect(late.exchanges.map(\.time) == expected.exchanges.map(\.time), "keys before frame \(place + 1)")
            #expect(late.result.ledger.causes == expected.result.ledger.causes)
            #expect(late.result.findings.map(\.packet) == expected.result.findings.map(\.packet))
        }
    }

    @Test(
        "a connection that ends before its key comes waits with all of it",
        arguments: [TLSSuite.aes128GCM13, .aes128GCM12])
    func closedBefore(suite: TLSSuite) throws {
        var talk = conversation(suite)
        let whole = talk.talk.frames.count
        talk.talk.fin(.server)
        talk.talk.rst(.client)
        let keys = try #require(talk.peers?.keyLog)
        // Another connection goes on meanwhile.
        var other = Dialogue(clientPort: 50_000)
        other.time = talk.talk.time
        other.interval = 400_000_000
        other.handshake()
        for _ in 0..<8 { other.ack(.client) }
        let frames = talk.talk.frames + other.frames
        let expected = audit(frames, keys: keys)
        for place in whole..<frames.count {
            let late = audit(frames, keys: keys, keysBefore: place)
            #expect(late.contradictions == [], "keys before frame \(place + 1)")
            #expect(late.exchanges.map(\.costs) == expected.exchanges.map(\.costs), "keys before frame \(place + 1)")
            #expect(late.connections.map(\.costs) == expected.connections.map(\.costs))
            #expect(late.result.ledger.causes == expected.result.ledger.causes)
        }
    }

    @Test("a key that never comes is given up: the records are counted as without keys", arguments: [0, 100])
    func givenUp(limit: Int) throws {
        let talk = conversation(.aes128GCM13)
        var options = AuditOptions()
        if limit > 0 { options.heldBytesLimit = limit }
        let expected = audit(talk.talk.frames, options, keys: "")
        let late = audit(talk.talk.frames, options, keys: "", keysBefore: -1) { auditor in
            #expect(auditor.sum { $0.streams.buffered.records } == 0)
        }
        #expect(late.contradictions == [])
        #expect(late.exchanges.isEmpty)
        #expect(late.result.ledger.causes == expected.result.ledger.causes)
    }

    @Test(
        "a missing key is met where its connection began to wait, whichever connection gives up first",
        arguments: UInt64(1)..<9)
    func place(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var rest = (0..<6).map { number in
            var talk = LayeredConversation(.aes128GCM13, port: UInt16(50_000 + number), seed: UInt64(100 + number))
            for exchange in 0...random.below(4) { talk.exchange(exchange) }
            return talk.talk.frames[...]
        }
        // The connections' frames are mixed, each one's in their order.
        var frames: [CapturedFrame] = []
        while rest.contains(where: { !$0.isEmpty }) {
            let next = random.below(rest.count)
            if let frame = rest[next].popFirst() { frames.append(frame) }
        }
        // One has its key, the others' never come.
        let last = conversation(.aes128GCM13)
        let keys = try #require(last.peers?.keyLog)
        let expected = audit(frames + last.talk.frames, keys: keys)
        let late = audit(frames + last.talk.frames, keys: keys, keysBefore: 0)
        #expect(late.result.findings.map(\.code) == expected.result.findings.map(\.code))
        #expect(late.result.findings.map(\.count) == expected.result.findings.map(\.count))
        #expect(late.result.findings.map(\.packet) == expected.result.findings.map(\.packet), "seed \(seed)")
        #expect(late.result.findings.contains { $0.code == .keyMissing && $0.packet > 0 })
    }
}
