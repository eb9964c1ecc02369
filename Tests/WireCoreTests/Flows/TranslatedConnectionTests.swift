import Testing
import WireTesting

@testable import WireCore

/// One connection at both sides of a router that changes addresses.
@Suite("TCP: captured before and behind a translation of addresses")
struct TranslatedConnectionTests {
    struct Translation: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout PacketBuilder) -> Void
        /// The client is in the network, and the server behind the router.
        var comesFromNetwork = false
    }

    static let address6 = (
        client: IPAddress(high: 0x2001_0DB8_0000_0001, low: 4, isVersion6: true),
        server: IPAddress(high: 0x2001_0DB8_0000_0064, low: 0xC633_640A, isVersion6: true)
    )

    static let translations = [
        Translation(testDescription: "SNAT with another port") {
            ($0.source, $0.sourcePort) = (IPAddress(version4: 0xC633_6407), 61_000)
        },
        Translation(testDescription: "464XLAT") { ($0.source, $0.destination) = address6 },
        Translation(
            testDescription: "DNAT to a private address",
            change: { ($0.destination, $0.destinationPort) = (IPAddress(version4: 0xC633_640A), 8080) },
            comesFromNetwork: true),
    ]

    private func talk(_ change: (inout PacketBuilder) -> Void = { _ in }, skipping count: Int = 0) -> [CapturedFrame] {
        var talk = Dialogue()
        change(&talk.template)
        talk.initialSequence = [0xFFFF_FF00, 77_000]
        talk.handshake()
        for path in ["/a", "/b"] {
            talk.data(.client, "GET \(path) HTTP/1.1\r\nHost: example.com\r\n\r\n")
            talk.ack(.server)
            talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            talk.ack(.client)
        }
        talk.close()
        return Array(talk.frames[count...])
    }

    /// Each packet at the place that it came to first, and 0.1 ms later at the other one.
    private func merge(_ near: [CapturedFrame], _ far: [CapturedFrame]) -> [CapturedFrame] {
        zip(near, far).flatMap { near, far in
            let isUp = near.bytes[26..<30].elementsEqual([10, 0, 0, 1])
            var (first, second) = isUp ? (near, far) : (far, near)
            second.time += 100_000
            first.interface = isUp ? 0 : 1
            second.interface = isUp ? 1 : 0
            return [first, second]
        }
    }

    @Test("counts once, nearest to the network", arguments: translations)
    func countsOnce(translation: Translation) throws {
        let (inside, outside) = (talk(), talk(translation.change))
        let frames = translation.comesFromNetwork ? merge(outside, inside) : merge(inside, outside)
        let once = audit(outside)
        let both = audit(frames)
        #expect(both.contradictions == [])
        #expect(both.result.ledger.causes.up == once.result.ledger.causes.up)
        #expect(both.result.ledger.causes.down == once.result.ledger.causes.down)
        #expect(both.result.ledger.layers.duplicate == both.frameBytes - once.frameBytes)
        #expect(both.connections.map(\.client) == once.connections.map(\.client))
        #expect(both.connections.map(\.server) == once.connections.map(\.server))
        #expect(both.exchanges.map(\.costs) == once.exchanges.map(\.costs))
        #expect(both.findings(.translated) == 1)
        #expect(both.findings(.translationUnproved) == 0)
        let nearest = translation.comesFromNetwork ? 0 : 1
        #expect(both.result.countedPoints.map(\.interface) == [nearest == 0 ? nil : 1])
        #expect(both.result.countedPoints.map(\.connections) == [1])
    }

    @Test("at the interface that is chosen, by number or name", arguments: translations, ["1", "0", "wan1"])
    func countsWhereChosen(translation: Translation, choice: String) {
        let (inside, outside) = (talk(), talk(translation.change))
        let frames = translation.comesFromNetwork ? merge(outside, inside) : merge(inside, outside)
        let isSecond = choice != "0"
        let once = audit(translation.comesFromNetwork == isSecond ? inside : outside)
        var options = AuditOptions()
        options.countedInterface = choice
        let both = audit(frames, options, interfaces: ["lan0", "wan1"])
        #expect(both.contradictions == [])
        #expect(both.result.ledger.causes.up == once.result.ledger.causes.up)
        #expect(both.result.ledger.causes.down == once.result.ledger.causes.down)
        #expect(both.exchanges.map(\.costs) == once.exchanges.map(\.costs))
        #expect(both.result.countedPoints.map(\.name) == [isSecond ? "wan1" : "lan0"])
        #expect(both.result.countedPoints.map(\.interface) == [isSecond ? 1 : nil])
        #expect(both.findings(.countedElsewhere) == 0)
        #expect(!both.result.lacksCountedInterface)
    }

    @Test("the chosen interface counts though the answer takes long between the places")
    func slowTranslation() {
        var frames = merge(talk(), talk(Self.translations[0].change))
        for index in frames.indices { frames[index].time += Int64(index) * 5_000_000 }
        var options = AuditOptions()
        options.countedInterface = "0"
        let both = audit(frames, options)
        #expect(both.contradictions == [])
        #expect(both.connections.count == 1)
        #expect(both.exchanges.map(\.costs) == audit(talk()).exchanges.map(\.costs))
        #expect(both.findings(.countedElsewhere) == 0)
    }

    @Test("an interface that the capture does not have chooses nothing, and that is said")
    func unknownChoice() {
        var options = AuditOptions()
        options.countedInterface = "wlan9"
        let frames = merge(talk(), talk(Self.translations[0].change))
        let both = audit(frames, options, interfaces: ["lan0", "wan1"])
        #expect(both.result.lacksCountedInterface)
        #expect(both.exchanges.map(\.costs) == audit(frames).exchanges.map(\.costs))
    }

    @Test("two files whose clocks differ by more than a round trip: it counts where it was seen first")
    func clocksDiffer() {
        var outside = talk(Self.translations[1].change)
        for index in outside.indices {
            outside[index].time += 20_000_000
            outside[index].interface = 1
        }
        let inside = talk()
        let both = audit((inside + outside).sorted { $0.time < $1.time })
        #expect(both.contradictions == [])
        #expect(both.connections.count == 1)
        #expect(both.exchanges.map(\.costs) == audit(inside).exchanges.map(\.costs))
        #expect(both.findings(.translated) == 1)
        #expect(both.findings(.translationUnproved) == 0)
        var options = AuditOptions()
        options.countedInterface = "1"
        let chosen = audit((inside + outside).sorted { $0.time < $1.time }, options)
        #expect(chosen.exchanges.map(\.costs) == both.exchanges.map(\.costs))
        #expect(chosen.findings(.countedElsewhere) == 1)
    }

    @Test("a SYN that nobody answers counts at both places, and the doubt is said")
    func openingAlone() {
        let both = audit(Array(merge(talk(), talk(Self.translations[0].change)).prefix(2)))
        #expect(both.contradictions == [])
        #expect(both.connections.count == 2)
        #expect(both.result.ledger.layers.duplicate == 0)
        #expect(both.findings(.translationUnproved) == 1)
    }

    @Test("a SYN that has payload counts at both places, and the doubt is said")
    func payloadInOpening() {
        func talk(_ change: (inout PacketBuilder) -> Void = { _ in }) -> [CapturedFrame] {
            var talk = Dialogue()
            change(&talk.template)
            talk.syn(.client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            talk.syn(.server)
            talk.close()
            return talk.frames
        }
        let both = audit(merge(talk(), talk(Self.translations[0].change)))
        #expect(both.contradictions == [])
        #expect(both.exchanges.count == 2)
        #expect(both.findings(.translationUnproved) == 1)
    }

    @Test("captured at three places it counts once")
    func countsOnceOfThree() {
        let (inside, middle, outside) = (talk(), talk(Self.translations[0].change), talk(Self.translations[1].change))
        let pairs = merge(inside, middle)
        let frames = inside.indices.flatMap { index -> [CapturedFrame] in
            var last = outside[index]
            last.interface = 2
            let pair = Array(pairs[2 * index..<2 * index + 2])
            return pair[0].interface == 0 ? pair + [last] : [last] + pair
        }
        let all = audit(frames)
        #expect(all.contradictions == [])
        #expect(all.result.ledger.causes.up == audit(outside).result.ledger.causes.up)
        #expect(all.connections.count == 1)
        #expect(all.findings(.translated) == 2)
    }

    @Test("a SYN that is sent again is withdrawn with the first")
    func repeatedOpening() {
        func repeating(_ frames: [CapturedFrame]) -> [CapturedFrame] {
            var first = frames[0]
            first.time -= 1_000_000_000
            return [first] + frames
        }
        let (inside, outside) = (talk(), talk(Self.translations[1].change))
        let both = audit(merge(repeating(inside), repeating(outside)))
        #expect(both.contradictions == [])
        #expect(both.result.ledger.causes.up == audit(repeating(outside)).result.ledger.causes.up)
        #expect(both.connections.count == 1)
    }

    @Test("two connections that have the client's first number alone in common are two")
    func otherAnswer() {
        var other = Dialogue()
        other.template.source = IPAddress(version4: 0xC633_6407)
        other.initialSequence = [0xFFFF_FF00, 78_000]
        other.handshake()
        other.close()
        let both = audit(merge(talk(), other.frames))
        #expect(both.connections.count == 2)
        #expect(both.result.ledger.layers.duplicate == 0)
        #expect(both.findings(.translated) == 0)
    }

    @Test("connections that a program wrote with constant numbers, all at one place, are as many as they are")
    func constantNumbers() {
        let frames = (1...5).flatMap { host in talk { $0.source = IPAddress(version4: 0x0A00_0001 + UInt32(host)) } }
        let all = audit(frames)
        #expect(all.connections.count == 5)
        #expect(all.result.ledger.layers.duplicate == 0)
        #expect(all.findings(.translated) + all.findings(.translationUnproved) == 0)
    }

    @Test("ports that are used again begin a connection that counts")
    func portReuse() {
        var next = Dialogue()
        next.initialSequence = [5, 6]
        next.time += 3_000_000_000
        next.handshake()
        next.close()
        let both = audit(merge(talk(), talk(Self.translations[0].change)) + next.frames)
        #expect(both.contradictions == [])
        #expect(both.connections.count == 2)
    }

    @Test("clocks that differ by more prove nothing: both count, and the doubt is said")
    func clocksDifferMuch() {
        var outside = talk(Self.translations[1].change)
        for index in outside.indices { outside[index].time += 700_000_000 }
        let both = audit((talk() + outside).sorted { $0.time < $1.time })
        #expect(both.connections.count == 2)
        #expect(both.result.ledger.layers.duplicate == 0)
        #expect(both.findings(.translationUnproved) == 1)
    }

    @Test(
        "UDP at two places counts twice, and the doubt is said; the same datagram to several hosts is none",
        arguments: [0, 1])
    func datagrams(secondInterface: Int) {
        let frames = [0, 1].map { place -> CapturedFrame in
            var packet = PacketBuilder()
            packet.transport = .udp
            packet.payload = .filler(40)
            if place == 1 { packet.destination = IPAddress(version4: 0xC633_6407) }
            var frame = CapturedFrame(time: 1_000_000_000 + Int64(place), packet)
            if place == 1 { frame.interface = secondInterface }
            return frame
        }
        let both = audit(frames)
        #expect(both.result.ledger.other.udp == 2 * 68)
        #expect(both.findings(.translationUnproved) == secondInterface)
    }
}
