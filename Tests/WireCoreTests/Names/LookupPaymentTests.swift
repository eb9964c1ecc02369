import Testing
import WireTesting

@testable import WireCore

/// Something in a capture; each message and each part of a connection comes a millisecond after the one before.
private enum Event {
    /// A query of this type, of the client with this last byte of its address.
    case ask(UInt8, id: UInt8, String = "a.test", client: UInt8 = 1)
    /// An answer to it, with an address that ends in each of these bytes.
    case answer(UInt8, id: UInt8, [UInt8], String = "a.test", client: UInt8 = 1)
    /// An answer with an HTTPS record that hints at these addresses.
    case hint(id: UInt8, [UInt8])
    case wait(seconds: Int64)
    /// A connection to the address that ends so begins.
    case open(UInt8)
    /// The connection that began last has an exchange, and ends.
    case end
}

private struct PaymentCase: CustomTestStringConvertible {
    var testDescription: String
    var events: [Event]
    /// Of each connection the messages that it pays for, by their place among all messages.
    var paid: [[Int]]

    init(_ description: String, _ events: [Event], paid: [[Int]]) {
        (testDescription, self.events, self.paid) = (description, events, paid)
    }

    private static let a: UInt8 = 1
    private static let aaaa: UInt8 = 28
    private static let https: UInt8 = 65
    private static let lookup: [Event] = [.ask(a, id: 1), .answer(a, id: 1, [2])]
    private static let whole: [Event] = [.open(2), .end]

    static let all = [
        PaymentCase(
            "AAAA and HTTPS, one with an empty answer and one without any",
            [.ask(a, id: 1), .ask(aaaa, id: 2), .ask(https, id: 3), .answer(a, id: 1, [2]), .answer(aaaa, id: 2, [])]
                + whole + whole, paid: [[0, 1, 2, 3, 4], []]),
        PaymentCase(
            "a query that was sent again", [.ask(a, id: 1), .wait(seconds: 5)] + lookup + whole, paid: [[0, 1, 2]]),
        PaymentCase(
            "a query that was asked again by another number",
            [.ask(a, id: 7), .wait(seconds: 5)] + lookup + whole, paid: [[0, 1, 2]]),
        PaymentCase(
            "a query that was asked long before stays",
            [.ask(aaaa, id: 7), .wait(seconds: 11)] + lookup + whole, paid: [[1, 2]]),
        PaymentCase(
            "the lookup that gave the address, however old", lookup + [.wait(seconds: 60)] + whole, paid: [[0, 1]]),
        PaymentCase(
            "other names, other clients and other types stay",
            [.ask(aaaa, id: 5, "b.test"), .ask(aaaa, id: 6, client: 9), .ask(16, id: 7)] + lookup + whole,
            paid: [[3, 4]]),
        PaymentCase(
            "an answer that comes late", [.ask(https, id: 2)] + lookup + [.open(2), .answer(https, id: 2, []), .end],
            paid: [[0, 1, 2, 3]]),
        PaymentCase(
            "a query that is sent again late, with its answer",
            [.ask(aaaa, id: 2)] + lookup + [.open(2), .ask(aaaa, id: 2), .answer(aaaa, id: 2, []), .end],
            paid: [[0, 1, 2, 3, 4]]),
        PaymentCase(
            "a query behind the beginning stays",
            lookup + [.open(2), .ask(https, id: 3), .answer(https, id: 3, []), .end],
            paid: [[0, 1]]),
        PaymentCase(
            "an answer behind the end stays",
            [.ask(https, id: 2)] + lookup + whole + [.wait(seconds: 200), .answer(https, id: 2, [])],
            paid: [[0, 1, 2]]),
        PaymentCase(
            "the address came of an earlier lookup of the name", lookup + whole + [.ask(https, id: 3)] + whole,
            paid: [[0, 1], [2]]),
        PaymentCase(
            "the address came of an earlier lookup, and the other query is old",
            lookup + whole + [.ask(https, id: 3), .wait(seconds: 11)] + whole, paid: [[0, 1], []]),
        PaymentCase(
            "an old lookup that gave the address, and a new one that did not",
            lookup + [.wait(seconds: 30), .ask(aaaa, id: 3), .answer(aaaa, id: 3, [])] + whole, paid: [[0, 1, 2, 3]]),
        PaymentCase(
            "of two lookups that gave the address the new one",
            lookup + [.wait(seconds: 30), .ask(a, id: 3), .answer(a, id: 3, [2])] + whole, paid: [[2, 3]]),
        PaymentCase(
            "a hint of an HTTPS record that is used", [.ask(https, id: 1), .hint(id: 1, [3, 2])] + whole,
            paid: [[0, 1]]),
        PaymentCase(
            "a hint of an HTTPS record that is not used", [.ask(https, id: 1), .hint(id: 1, [3])] + whole, paid: [[]]),
        PaymentCase(
            "an answer without its query", [.answer(a, id: 1, [2])] + whole, paid: [[0]]),
    ]
}

private struct PaymentScript {
    private(set) var frames: [CapturedFrame] = []
    /// Size of each message as IP sees it, and whether it is an answer.
    private(set) var messages: [(size: Int, isAnswer: Bool)] = []
    private var time: Int64 = 1_000_000_000_000
    private var talks: [Dialogue] = []

    init(_ events: [Event]) {
        for event in events { play(event) }
    }

    private mutating func play(_ event: Event) {
        switch event {
        case .ask(let type, let id, let name, let client):
            send(DNSBytes.query(name, identifier: id, type: type), client, isAnswer: false)
        case .answer(let type, let id, let addresses, let name, let client):
            let bytes = DNSBytes.answer(name, identifier: id, type: type, addresses.map { [10, 0, 0, $0] })
            send(bytes, client, isAnswer: true)
        case .hint(let id, let addresses):
            let parameters: [(UInt8, [UInt8])] = [(1, [2, 0x68, 0x32]), (4, addresses.flatMap { [10, 0, 0, $0] })]
            send(DNSBytes.service("a.test", identifier: id, parameters), 1, isAnswer: true)
        case .wait(let seconds): time += seconds * 1_000_000_000
        case .open(let address):
            var talk = Dialogue(clientPort: 41_000 + UInt16(talks.count))
            talk.template.destination = IPAddress(version4: 0x0A00_0000 + UInt32(address))
            talk.time = time
            talk.handshake()
            take(&talk)
            talks.append(talk)
        case .end:
            guard var talk = talks.popLast() else { return }
            talk.time = time
            talk.exchange()
            talk.close()
            take(&talk)
            talks.append(talk)
        }
    }

    private mutating func take(_ talk: inout Dialogue) {
        frames += talk.frames
        talk.frames = []
        time = talk.time
    }

    private mutating func send(_ bytes: [UInt8], _ client: UInt8, isAnswer: Bool) {
        var packet = PacketBuilder()
        packet.transport = .udp
        packet.source = IPAddress(version4: 0x0A00_0000 + UInt32(client))
        packet.destination = IPAddress(version4: 0x0808_0808)
        packet.sourcePort = 30_000
        packet.destinationPort = 53
        packet.identification = UInt16(messages.count + 1)
        if isAnswer {
            swap(&packet.source, &packet.destination)
            swap(&packet.sourcePort, &packet.destinationPort)
        }
        packet.payload = bytes
        frames.append(CapturedFrame(time: time, packet))
        time += 1_000_000
        messages.append((28 + bytes.count, isAnswer))
    }
}

@Suite("DNS lookups: which connection pays")
struct LookupPaymentTests {
    @Test("the first connection to an address of the name, for all that was asked for it", arguments: PaymentCase.all)
    fileprivate func pays(lookups: PaymentCase) {
        let script = PaymentScript(lookups.events)
        let capture = audit(script.frames)
        #expect(capture.contradictions == [])
        func sum(_ places: [Int], isAnswer: Bool) -> Int {
            places.filter { script.messages[$0].isAnswer == isAnswer }.reduce(0) { $0 + script.messages[$1].size }
        }
        #expect(capture.connections.map { $0.costs.up[.setupDNS] } == lookups.paid.map { sum($0, isAnswer: false) })
        #expect(capture.connections.map { $0.costs.down[.setupDNS] } == lookups.paid.map { sum($0, isAnswer: true) })
        let paid = lookups.paid.flatMap { $0 }
        let all = script.messages.reduce(0) { $0 + $1.size }
        #expect(capture.result.ledger.other.dns == all - paid.reduce(0) { $0 + script.messages[$1].size })
    }

    @Test("the packets of the messages are those that the connection pays for", arguments: PaymentCase.all)
    fileprivate func traces(lookups: PaymentCase) {
        let script = PaymentScript(lookups.events)
        let capture = TracedAudit(script.frames)
        #expect(capture.contradictions == [])
    }
}
