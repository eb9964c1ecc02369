import Testing
import WireTesting

@testable import WireCore

/// Flows at both sides of a translation of addresses, which no handshake shows.
@Suite("UDP, QUIC and TCP without SYN: captured before and behind a translation of addresses")
struct TranslatedFlowTests {
    private typealias Message = (isUp: Bool, payload: [UInt8])

    private struct Place {
        var client: IPAddress
        var clientPort: UInt16
        var server = IPAddress(version4: 0xC633_6409)
        var serverPort: UInt16
        /// Routers that packets of the client, and of the server, have behind them.
        var hops: (up: UInt8, down: UInt8)
        var interface: Int
        /// How much later than the first the place sees packets of the client, and of the server, nanoseconds.
        var delays: (up: Int64, down: Int64)

        func frames(_ messages: [Message], interval: Int64 = 20_000_000) -> [CapturedFrame] {
            messages.enumerated().map { index, message in
                var packet = PacketBuilder()
                packet.transport = .udp
                (packet.source, packet.sourcePort) = (client, clientPort)
                (packet.destination, packet.destinationPort) = (server, serverPort)
                if !message.isUp {
                    swap(&packet.source, &packet.destination)
                    swap(&packet.sourcePort, &packet.destinationPort)
                }
                packet.timeToLive = 64 - (message.isUp ? hops.up : hops.down)
                packet.identification = UInt16(index + 1)
                packet.payload = message.payload
                let time = 1_000_000_000 + Int64(index) * interval + (message.isUp ? delays.up : delays.down)
                var frame = CapturedFrame(time: time, packet)
                frame.interface = interface
                return frame
            }
        }
    }

    private static func inside(port: UInt16) -> Place {
        Place(
            client: IPAddress(version4: 0x0A00_0002), clientPort: 40_000, serverPort: port, hops: (0, 1),
            interface: 0, delays: (0, 100_000))
    }

    private static func outside(port: UInt16) -> Place {
        Place(
            client: IPAddress(version4: 0xC633_6401), clientPort: 61_000, serverPort: port, hops: (1, 0),
            interface: 1, delays: (100_000, 0))
    }

    private static func phone(port: UInt16) -> (inside: Place, outside: Place) {
        var (inside, outside) = (inside(port: port), outside(port: port))
        outside.client = IPAddress(high: 0x2001_0DB8_0000_0001, low: 4, isVersion6: true)
        outside.server = IPAddress(high: 0x0064_FF9B_0000_0000, low: 0xC633_6409, isVersion6: true)
        (outside.clientPort, outside.hops, inside.hops) = (40_000, (0, 0), (0, 0))
        return (inside, outside)
    }

    private func merge(_ lists: [CapturedFrame]...) -> [CapturedFrame] {
        lists.flatMap(\.self).enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }

    private static let talk: [Message] = (0..<4).flatMap { index -> [Message] in
        [(true, .filler(40 + index)), (false, .filler(90 + index))]
    }

    private static let lookup: [Message] = [
        (true, DNSBytes.query("a.test", identifier: 9)),
        (false, DNSBytes.answer("a.test", identifier: 9, [[198, 51, 100, 9]])),
    ]

    // MARK: UDP

    @Test("counts once, nearest to the network or where it is chosen", arguments: [nil, "0", "1"], [false, true])
    func datagrams(choice: String?, isPhone: Bool) {
        let phone = Self.phone(port: 7777)
        let (inside, outside) = isPhone ? phone : (Self.inside(port: 7777), Self.outside(port: 7777))
        var options = AuditOptions()
        options.countedInterface = choice
        let once = audit((choice == "0" ? inside : outside).frames(Self.talk))
        let both = audit(merge(inside.frames(Self.talk), outside.frames(Self.talk)), options)
        #expect(both.contradictions == [])
        #expect(both.result.ledger.layers.network == once.result.ledger.layers.network)
        #expect(both.result.ledger.layers.transport == once.result.ledger.layers.transport)
        #expect(both.result.ledger.other == once.result.ledger.other)
        #expect(both.result.datagrams.map(\.endpoint) == once.result.datagrams.map(\.endpoint))
        #expect(both.result.datagrams.map(\.counts) == once.result.datagrams.map(\.counts))
        #expect(both.result.ledger.layers.duplicate == both.frameBytes - once.frameBytes)
        #expect(both.findings(.translated) == 1)
        #expect(both.findings(.translationUnproved) + both.findings(.countedElsewhere) == 0)
        #expect(both.result.countedPoints.map(\.interface) == [choice == "0" ? nil : 1])
    }

    @Test("a query and its answer are enough for DNS; a connection pays for them", arguments: [nil, "0"])
    func lookups(choice: String?) {
        var options = AuditOptions()
        options.countedInterface = choice
        func connection(_ place: Place) -> [CapturedFrame] {
            var talk = Dialogue()
            talk.time = 1_500_000_000 + place.delays.up
            (talk.template.source, talk.template.sourcePort) = (place.client, place.clientPort)
            (talk.template.destination, talk.template.timeToLive) = (place.server, 64 - place.hops.up)
            talk.handshake()
            talk.data(.client, "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
            talk.data(.server, "HTTP/1.1 204 No Content\r\n\r\n")
            talk.close()
            return talk.frames.map {
                var frame = $0
                frame.interface = place.interface
                return frame
            }
        }
        let places = [Self.inside(port: 53), Self.outside(port: 53)]
        let all = places.map { $0.frames(Self.lookup) + connection($0) }
        let once = audit(all[choice == "0" ? 0 : 1])
        let both = audit(merge(all[0], all[1]), options)
        #expect(both.contradictions == [])
        #expect(both.exchanges.map(\.costs) == once.exchanges.map(\.costs))
        #expect(both.result.ledger.other == once.result.ledger.other)
        #expect(both.result.ledger.causes.up == once.result.ledger.causes.up)
        #expect(both.result.ledger.causes.down == once.result.ledger.causes.down)
    }

    @Test("what one direction shows is no proof: both count, and the doubt is said")
    func oneWay() {
        let talk = Self.talk.filter(\.isUp)
        let both = audit(merge(Self.inside(port: 7777).frames(talk), Self.outside(port: 7777).frames(talk)))
        #expect(both.contradictions == [])
        #expect(both.result.ledger.layers.duplicate == 0)
        #expect(both.findings(.translationUnproved) == 1)
    }

    @Test("fewer than three different datagrams are no proof, however often they are sent")
    func keepAlives() {
        let talk = (0..<10).flatMap { _ in Self.talk.prefix(2) }
        let both = audit(merge(Self.inside(port: 7777).frames(talk), Self.outside(port: 7777).frames(talk)))
        #expect(both.contradictions == [])
        #expect(both.result.ledger.layers.duplicate == 0)
        #expect(both.findings(.translated) == 0)
    }

    /// Another host that sends the same to the same server, and gets the same.
    private static let twins: [(name: String, hops: (up: UInt8, down: UInt8), interface: Int, port: UInt16)] = [
        ("at one interface", (0, 1), 0, 7777), ("at another interface", (0, 1), 1, 7777),
        ("behind one more router", (1, 1), 0, 7777), ("behind a router at another interface", (1, 1), 1, 7777),
        ("nearer to the server", (0, 0), 1, 7777), ("DNS", (0, 1), 1, 53), ("DNS behind a router", (1, 1), 1, 53),
    ]

    @Test("two hosts that send the same are two", arguments: twins.indices)
    func twoHosts(index: Int) {
        let twin = Self.twins[index]
        let first = Self.inside(port: twin.port)
        var second = first
        second.client = IPAddress(version4: 0x0A00_0003)
        (second.hops, second.interface) = (twin.hops, twin.interface)
        for delay in [50_000, -50_000 as Int64] {
            second.delays = (50_000, 100_000 + delay)
            let messages = twin.port == 53 ? Self.lookup : Self.talk
            let both = audit(merge(first.frames(messages), second.frames(messages)))
            #expect(both.contradictions == [], "\(twin.name)")
            #expect(both.result.ledger.layers.duplicate == 0, "\(twin.name)")
            #expect(both.findings(.translated) == 0, "\(twin.name)")
        }
    }

    @Test("one host that asks two servers the same asks two", arguments: [false, true])
    func twoServers(isVersion6: Bool) {
        let first = Self.inside(port: 53)
        var second = first
        second.server = IPAddress(version4: 0xC633_640A)
        if isVersion6 {
            second.client = IPAddress(high: 0x2001_0DB8_0000_0001, low: 4, isVersion6: true)
            second.server = IPAddress(high: 0x2001_0DB8_0000_0002, low: 53, isVersion6: true)
        }
        second.interface = 1
        let both = audit(merge(first.frames(Self.lookup), second.frames(Self.lookup)))
        #expect(both.contradictions == [])
        #expect(both.result.ledger.layers.duplicate == 0)
        #expect(both.findings(.translated) == 0)
    }

    @Test("datagrams to a group are as many as they are")
    func group() {
        var (first, second) = (Self.inside(port: 5353), Self.outside(port: 5353))
        (first.server, second.server) = (IPAddress(version4: 0xE000_00FB), IPAddress(version4: 0xE000_00FB))
        let talk = Self.talk.filter(\.isUp)
        let both = audit(merge(first.frames(talk), second.frames(talk)))
        #expect(both.result.ledger.layers.duplicate == 0)
        #expect(both.findings(.translated) + both.findings(.translationUnproved) == 0)
    }

    @Test("another connection on the ports of a copy counts, and so does TCP on them")
    func otherProtocol() {
        let (inside, outside) = (Self.inside(port: 7777), Self.outside(port: 7777))
        var talk = Dialogue()
        talk.time = 3_000_000_000
        (talk.template.source, talk.template.sourcePort) = (inside.client, inside.clientPort)
        (talk.template.destination, talk.template.destinationPort) = (inside.server, inside.serverPort)
        talk.handshake()
        talk.close()
        let both = audit(merge(inside.frames(Self.talk), outside.frames(Self.talk)) + talk.frames)
        #expect(both.contradictions == [])
        #expect(both.connections.count == 1)
        #expect(both.findings(.translated) == 1)
    }

    // MARK: QUIC

    @Test("a QUIC connection counts once, with keys and without", arguments: [nil, "0", "1"], [false, true])
    func connection(choice: String?, hasKeys: Bool) {
        var peers = QUICPeers()
        var datagrams = peers.handshake()
        for call in 0..<6 as Range<UInt64> {
            let response = QUICWire.response([UInt8](repeating: UInt8(65 + call), count: 700))
            datagrams += [
                peers.datagram(.client, QUICWire.stream(4 * call, 0, QUICWire.request("/\(call)"), isFinal: true)),
                peers.datagram(.server, QUICWire.stream(4 * call, 0, response, isFinal: true)),
            ]
        }
        let messages = datagrams.map { (isUp: $0.side == .client, payload: $0.bytes) }
        let (inside, outside) = Self.phone(port: 443)
        var options = AuditOptions()
        options.countedInterface = choice
        let keys = hasKeys ? peers.keyLog : ""
        let once = audit((choice == "0" ? inside : outside).frames(messages), keys: keys)
        let both = audit(merge(inside.frames(messages), outside.frames(messages)), options, keys: keys)
        #expect(both.contradictions == [])
        #expect(both.result.ledger.causes.up == once.result.ledger.causes.up)
        #expect(both.result.ledger.causes.down == once.result.ledger.causes.down)
        #expect(both.exchanges.map(\.costs) == once.exchanges.map(\.costs))
        #expect(both.exchanges.count == (hasKeys ? 6 : 0))
        #expect(both.connections.map(\.client) == once.connections.map(\.client))
        #expect(both.result.ledger.layers.duplicate == both.frameBytes - once.frameBytes)
        #expect(both.findings(.translated) == 1)
        #expect(both.findings(.translationUnproved) == 0)
    }
}

/// TCP whose SYN is not in the capture, or at one place alone.
@Suite("TCP without handshake: captured before and behind a translation of addresses")
struct LateTranslationTests {
    private static let outsideClient = IPAddress(high: 0x2001_0DB8_0000_0001, low: 4, isVersion6: true)
    private static let outsideServer = IPAddress(high: 0x2001_0DB8_0000_0064, low: 0xC633_640A, isVersion6: true)

    private func talk(_ isOutside: Bool, interval: Int64 = 1_000_000, calls: Int = 3) -> [CapturedFrame] {
        var talk = Dialogue()
        if isOutside { (talk.template.source, talk.template.destination) = (Self.outsideClient, Self.outsideServer) }
        talk.interval = interval
        talk.initialSequence = [0xFFFF_FF00, 77_000]
        talk.handshake()
        for call in 0..<calls {
            talk.data(.client, "GET /\(call) HTTP/1.1\r\nHost: example.com\r\n\r\n")
            talk.ack(.server)
            talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            talk.ack(.client)
        }
        talk.close()
        return talk.frames.map {
            var frame = $0
            frame.interface = isOutside ? 1 : 0
            frame.time += isOutside ? 100_000 : 0
            return frame
        }
    }

    private func merge(_ inside: [CapturedFrame], _ outside: [CapturedFrame]) -> [CapturedFrame] {
        (inside + outside).enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    @Test("counts once, wherever the capture begins", arguments: Array(3...8), [nil, "0", "1"])
    func late(first: Int, choice: String?) {
        let (inside, outside) = (talk(false), talk(true))
        var options = AuditOptions()
        options.countedInterface = choice
        let once = audit(Array((choice == "0" ? inside : outside).dropFirst(first)))
        let both = audit(merge(Array(inside.dropFirst(first)), Array(outside.dropFirst(first))), options)
        #expect(both.contradictions == [])
        #expect(both.connections.count == 1)
        #expect(both.exchanges.map(\.costs) == once.exchanges.map(\.costs))
        #expect(both.result.ledger.causes.up == once.result.ledger.causes.up)
        #expect(both.result.ledger.causes.down == once.result.ledger.causes.down)
        #expect(both.result.ledger.layers.duplicate == both.frameBytes - once.frameBytes)
        #expect(both.findings(.translated) == 1)
        #expect(both.findings(.translationUnproved) + both.findings(.countedElsewhere) == 0)
    }

    @Test("where an answer takes long it counts where it was seen first, if not where it was chosen, and that is said")
    func slow() {
        let (inside, outside) = (talk(false, interval: 700_000_000), talk(true, interval: 700_000_000))
        var options = AuditOptions()
        for choice in ["0", "1"] {
            options.countedInterface = choice
            let both = audit(merge(Array(inside.dropFirst(3)), Array(outside.dropFirst(3))), options)
            #expect(both.contradictions == [])
            #expect(both.connections.count == 1)
            #expect(both.findings(.translated) == 1)
        }
    }

    @Test("the SYN of one place alone", arguments: [0, 1])
    func oneOpening(place: Int) {
        let (inside, outside) = (talk(false), talk(true))
        let both = audit(merge(Array(inside.dropFirst(place)), Array(outside.dropFirst(1 - place))))
        #expect(both.contradictions == [])
        #expect(both.connections.count == 1)
        #expect(both.exchanges.count == 3)
        #expect(both.findings(.translated) == 1)
    }

    @Test("one segment with data is no proof: both count, and the doubt is said")
    func oneSegment() {
        let (inside, outside) = (talk(false).prefix(4), talk(true).prefix(4))
        let both = audit(merge(Array(inside.dropFirst(3)), Array(outside.dropFirst(3))))
        #expect(both.contradictions == [])
        #expect(both.connections.count == 2)
        #expect(both.findings(.translationUnproved) == 1)
        #expect(both.findings(.translated) == 0)
    }

    @Test("connections that a program wrote with constant numbers, all at one place, are as many as they are")
    func constantNumbers() {
        let frames = (1...5).flatMap { host -> [CapturedFrame] in
            var talk = Dialogue()
            talk.template.source = IPAddress(version4: 0x0A00_0001 + UInt32(host))
            talk.time += Int64(host) * 10_000
            talk.data(.client, "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n")
            talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            return talk.frames
        }
        let all = audit(frames.sorted { $0.time < $1.time })
        #expect(all.connections.count == 5)
        #expect(all.result.ledger.layers.duplicate == 0)
    }
}
