import Testing
import WireTesting

@testable import WireCore

@Suite("DNS over HTTPS: links to the calls that it was for")
struct LookupLinkTests {
    /// One exchange with a resolver on port 80, then a connection with two calls.
    private struct Talk {
        var request = "POST /dns-query"
        var type = "application/dns-message"
        var more = ""
        var body = DNSBytes.answer("api.example.com", identifier: 0, [[10, 0, 0, 3]])
        var isChunked = false
        var host = "api.example.com"
        var server: UInt32 = 0x0A00_0003
        var client: UInt32 = 0x0A00_0001
        var isBefore = false

        var frames: [CapturedFrame] {
            var resolver = Dialogue(clientPort: 40_001)
            resolver.handshake()
            resolver.data(.client, "\(request) HTTP/1.1\r\nHost: dns.test\r\nContent-Length: 0\r\n\r\n")
            let size = String(body.count, radix: 16)
            let length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(body.count)"
            resolver.data(.server, "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\(more)\(length)\r\n\r\n")
            if isChunked { resolver.data(.server, "\(size)\r\n") }
            // A segment may end anywhere in it.
            resolver.data(.server, Array(body.prefix(20)))
            resolver.data(.server, Array(body.dropFirst(20)))
            if isChunked { resolver.data(.server, "\r\n0\r\n\r\n") }
            resolver.close()
            var talk = Dialogue(clientPort: 40_002)
            talk.template.destination = IPAddress(version4: server)
            talk.template.source = IPAddress(version4: client)
            talk.time = isBefore ? resolver.frames[0].time - 10 : resolver.time
            talk.handshake()
            for path in ["/one", "/two"] {
                talk.data(.client, "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                talk.data(.server, "HTTP/1.1 204 No Content\r\n\r\n")
            }
            talk.close()
            return (resolver.frames + talk.frames).sorted { $0.time < $1.time }
        }
    }

    /// A change of the talk, and whether the connection is linked to the exchange then.
    private struct Change: CustomTestStringConvertible {
        var testDescription: String
        var isLinked: Bool
        var apply: @Sendable (inout Talk) -> Void

        init(_ description: String, isLinked: Bool = false, _ apply: @escaping @Sendable (inout Talk) -> Void) {
            (testDescription, self.isLinked, self.apply) = (description, isLinked, apply)
        }

        static let all = [
            Change("none", isLinked: true) { _ in },
            Change("GET", isLinked: true) { $0.request = "GET /?dns=AAABAAAB" },
            Change("a type with a parameter", isLinked: true) { $0.type = "Application/DNS-Message; x=y" },
            Change("chunks", isLinked: true) { $0.isChunked = true },
            Change("a host with a port", isLinked: true) { $0.host = "api.example.com:8080" },
            Change("a hint of an HTTPS record", isLinked: true) {
                $0.body = DNSBytes.service("api.example.com", identifier: 0, [(4, [10, 0, 0, 3])])
            },
            Change("another type") { $0.type = "application/dns-json-text" },
            Change("a type that is longer") { $0.type = "application/dns-messages" },
            Change("a coded body") { $0.more = "Content-Encoding: gzip\r\n" },
            Change("another host") { $0.host = "other.example.com" },
            Change("another address") { $0.server = 0x0A00_0004 },
            Change("another client") { $0.client = 0x0A00_0009 },
            Change("a connection that began before") { $0.isBefore = true },
            Change("a query") { $0.body = DNSBytes.query("api.example.com", identifier: 0) },
            Change("no message") { $0.body = [1, 2, 3] },
        ]
    }

    @Test(
        "a connection to an address in the answer, and its first call, name the exchange where that is proved",
        arguments: Change.all)
    private func links(change: Change) {
        var talk = Talk()
        change.apply(&talk)
        let capture = audit(talk.frames)
        #expect(capture.contradictions == [])
        let place = talk.isBefore ? 0 : 1
        let link = change.isLinked ? LookupLink(connection: 0, exchange: 0) : nil
        #expect(capture.connections.map(\.lookup) == (0..<2).map { $0 == place ? link : nil })
        #expect(capture.exchanges(of: place).map(\.lookup) == [link, nil])
        // The bytes stay where they are.
        #expect(capture.connections.allSatisfy { $0.costs.up[.setupDNS] + $0.costs.down[.setupDNS] == 0 })
    }

    @Test("DNS over TCP is read at its ports, and linked as a connection", arguments: [53, 853, 5353] as [UInt16])
    func streams(port: UInt16) {
        var resolver = Dialogue(clientPort: 40_001)
        resolver.template.destinationPort = port
        resolver.handshake()
        let query = DNSBytes.query("api.example.com", identifier: 3)
        let answer = DNSBytes.answer("api.example.com", identifier: 3, [[10, 0, 0, 3]])
        resolver.data(.client, [0, UInt8(query.count)] + query)
        resolver.data(.server, [0, UInt8(answer.count)] + answer.prefix(7))
        resolver.data(.server, Array(answer.dropFirst(7)))
        resolver.close()
        var talk = Dialogue(clientPort: 40_002)
        talk.template.destination = IPAddress(version4: 0x0A00_0003)
        talk.time = resolver.time
        talk.handshake()
        talk.data(.client, "GET / HTTP/1.1\r\nHost: api.example.com\r\n\r\n")
        talk.close()
        let capture = audit(resolver.frames + talk.frames)
        #expect(capture.contradictions == [])
        #expect(capture.connections.map(\.lookup) == [nil, port == 5353 ? nil : LookupLink(connection: 0)])
    }

    @Test("messages in a stream are found wherever it is cut, and none behind what is no message")
    func cutStreams() {
        let answer = DNSBytes.answer("a.b", identifier: 3, [[10, 0, 0, 3]])
        let other = DNSBytes.answer("c.d", identifier: 4, [[10, 0, 0, 4]])
        let bytes = [0, UInt8(answer.count)] + answer + [0, UInt8(other.count)] + other
        for cut in 0...bytes.count {
            let stream = DNSStream(ContentBudget())
            let first = unsafe stream.receive(bytes.span.bytes.extracting(0..<cut))
            let second = unsafe stream.receive(bytes.span.bytes.extracting(cut..<bytes.count))
            #expect((first + second).map(\.identifier) == [3, 4], "cut at \(cut)")
        }
        let stream = DNSStream(ContentBudget())
        let damaged = [0, 3, 1, 2, 3] + bytes
        let none = unsafe stream.receive(damaged.span.bytes) + stream.receive(bytes.span.bytes)
        #expect(none.isEmpty)
    }

    @Test("what is kept of unfinished answers is bounded, and given back")
    func budget() {
        let budget = ContentBudget()
        let part = [UInt8](repeating: 0, count: 60_000)
        var bodies = (0..<72).map { _ in KeptBody(.dnsMessage, [], budget, isAlone: true) }
        for body in bodies { unsafe body.consume(part.span.bytes) }
        #expect(budget.used == 69 * 60_000)
        #expect(bodies.map { $0.read(isWhole: true).answer?.count } == (0..<72).map { $0 < 69 ? 60_000 : nil })
        // One that is longer than any message is none.
        unsafe bodies[0].consume(part.span.bytes)
        #expect(bodies[0].read(isWhole: true).answer == nil && budget.used == 69 * 60_000 + 5535)
        bodies.removeAll()
        #expect(budget.used == 0)
        let begun: [UInt8] = [0xFF, 0xFF, 1, 2]
        var stream: DNSStream? = DNSStream(budget)
        let none = unsafe stream?.receive(begun.span.bytes)
        #expect(none?.isEmpty == true && budget.used == 4)
        stream?.giveUp()
        #expect(budget.used == 0)
        stream = DNSStream(budget)
        let rest = unsafe stream?.receive(begun.span.bytes)
        #expect(rest?.isEmpty == true && budget.used == 4)
        stream = nil
        #expect(budget.used == 0)
    }

    private func answer(_ name: String, _ addresses: [UInt32], client: IPAddress, time: Int64) -> LearnedAnswer {
        LearnedAnswer(
            client: client, name: Array(name.utf8), addresses: addresses.map { IPAddress(version4: $0) }, time: time,
            link: LookupLink(connection: Int(time)))
    }

    @Test("the latest answer to the client by then counts; of several names none is guessed")
    func choosesAnswers() {
        var learned = LearnedAddresses()
        let client = IPAddress(version4: 1)
        let version6 = IPAddress(high: 1, low: 1, isVersion6: true)
        func link(_ name: String?, _ time: Int64, _ asker: IPAddress) -> Int? {
            learned.link(
                for: IPAddress(version4: 7), client: asker, name: name.map { Array($0.utf8) }, at: time)?.connection
        }
        #expect(learned.isEmpty)
        for (name, time) in [("a", 1), ("a", 5), ("b", 9)] as [(String, Int64)] {
            let isFull = learned.add(answer(name, [7], client: client, time: time))
            #expect(!isFull)
        }
        for (name, time, found) in [
            ("a", 0, nil), ("a", 1, 1), ("a", 4, 1), ("a", 20, 5), ("b", 8, nil), ("b", 9, 9), ("c", 20, nil),
            (nil, 8, 5), (nil, 9, nil),
        ] as [(String?, Int64, Int?)] {
            #expect(link(name, time, client) == found, "\(name ?? "no name") at \(time)")
        }
        #expect(link("a", 20, version6) == 5)
        #expect(link("a", 20, IPAddress(version4: 2)) == nil)
    }

    @Test("answers beyond the limit are forgotten, and that is said")
    func limits() {
        var learned = LearnedAddresses(limit: 3)
        let client = IPAddress(version4: 1)
        let wasFull = learned.add(answer("a", [7, 8, 9], client: client, time: 1))
        let isFull = learned.add(answer("b", [10], client: client, time: 2))
        #expect(!wasFull && isFull)
        for (address, found) in [(7, nil), (10, 2)] as [(UInt32, Int?)] {
            let link = learned.link(for: IPAddress(version4: address), client: client, name: nil, at: 9)
            #expect(link?.connection == found)
        }
        var many = LearnedAddresses()
        for time in 1...300 as ClosedRange<Int64> {
            let isFull = many.add(answer("a", [7], client: client, time: time))
            #expect(!isFull)
        }
        for (time, found) in [(44, nil), (45, 45), (900, 300)] as [(Int64, Int?)] {
            let link = many.link(for: IPAddress(version4: 7), client: client, name: Array("a".utf8), at: time)
            #expect(link?.connection == found)
        }
        let capture = audit(Talk().frames, .with { $0.lookupLimit = 1 })
        #expect(capture.connections.last?.lookup != nil)
    }
}
