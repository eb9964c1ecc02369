import Testing
import WireCore
import WireTesting

@Suite("Audit: sharing a packet's headers")
struct HeaderSharingTests {
    /// Shares by the rule of the ledger, worked out with fractions.
    private func shares(of amount: Int, _ sizes: [Int]) -> [Int] {
        let total = sizes.reduce(0, +)
        var parts = sizes.map { amount * $0 / total }
        let order = sizes.indices.sorted { left, right in
            let (first, second) = (amount * sizes[left] % total, amount * sizes[right] % total)
            return first == second ? left < right : first > second
        }
        for index in order.prefix(amount - parts.reduce(0, +)) { parts[index] += 1 }
        return parts
    }

    static let pipelines = [
        [27, 27], [27, 27, 27], [26, 27], [27, 26], [100, 27], [30, 1000, 30], [27, 27, 27, 27, 27, 27, 27],
        [1300, 26, 26, 26], [26, 28, 30, 32, 34],
    ]

    @Test("splits headers and link bytes by payload, to the byte", arguments: pipelines)
    func splitsPipeline(sizes: [Int]) {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, sizes.map { Sample.request(length: $0) }.joined())
        var options = AuditOptions()
        options.setup = .separate
        let capture = talk.audit(options)
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map { $0.costs.up.message } == sizes)
        #expect(capture.exchanges.map { $0.costs.up[.tcpip] } == shares(of: 40, sizes))
        #expect(capture.exchanges.map { $0.costs.up.link } == shares(of: 14, sizes))
    }

    @Test("gives bytes between messages their share of the headers too")
    func splitsLeadingBytes() {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, "\r\n" + Sample.request)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges[0].costs.up[.tcpip] == 37)
        #expect(capture.result.hosts[0].unassigned.up.lines == ["tcpip": 3, "opaque": 2])
    }

    @Test("shares the headers of a packet whose bytes are delivered at different times")
    func splitsHeldPacket() {
        var talk = Dialogue()
        talk.handshake()
        let stream = Array((Sample.request + Sample.request).utf8)
        // The segment's middle was seen before, so that its new bytes are two pieces.
        talk.data(.client, Array(stream[20..<30]), at: 20)
        talk.data(.client, Array(stream[10..<54]), at: 10)
        talk.data(.client, Array(stream[0..<10]), at: 0)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        let first = shares(of: 40, [7, 3])
        let second = shares(of: 40, [10, 24])
        #expect(
            capture.exchanges.map { $0.costs.up[.tcpip] } == [first[0] + second[0] + 40, first[1] + second[1]])
        #expect(capture.exchanges.map { $0.costs.up[.retransmission] } == [7, 3])
        #expect(capture.exchanges.map { $0.costs.up.message } == [27, 27])
    }

    @Test("splits responses in one packet the same way")
    func splitsResponses() {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, Sample.request + Sample.request)
        talk.data(.server, "HTTP/1.1 204 No Content\r\n\r\n" + Sample.response)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map { $0.costs.down[.tcpip] } == shares(of: 40, [27, 43]))
        #expect(capture.exchanges.map(\.status) == [204, 200])
    }
}

@Suite("Audit: who pays for the connection")
struct SetupPolicyTests {
    private func capture(_ policy: SetupPolicy) -> AuditedCapture {
        var talk = Dialogue()
        talk.handshake()
        for _ in 0..<3 { talk.exchange() }
        talk.send(.client, .ack, at: 80)
        talk.ack(.server)
        talk.close()
        var options = AuditOptions()
        options.setup = policy
        return talk.audit(options)
    }

    @Test("gives set-up, teardown and keep-alives to whom the policy says")
    func followsPolicy() {
        let first = capture(.first)
        #expect(first.exchanges.map { $0.costs.up[.setupTCP] } == [80, 0, 0])
        #expect(first.exchanges.map { $0.costs.up[.teardown] } == [80, 0, 0])
        #expect(first.exchanges.map { $0.costs.down[.keepalive] } == [40, 0, 0])
        let even = capture(.even)
        #expect(even.exchanges.map { $0.costs.up[.setupTCP] } == [27, 27, 26])
        #expect(even.exchanges.map { $0.costs.down[.setupTCP] } == [14, 13, 13])
        #expect(even.exchanges.map { $0.costs.up[.keepalive] } == [14, 13, 13])
        let separate = capture(.separate)
        #expect(separate.exchanges.map { $0.costs.up.setup } == [0, 0, 0])
        #expect(
            separate.result.hosts[0].unassigned.up.lines == ["setup.tcp": 80, "teardown": 80, "keepalive": 40])
    }

    @Test("changes nothing else", arguments: SetupPolicy.allCases)
    func changesOnlyOwners(policy: SetupPolicy) {
        let reference = capture(.first)
        let capture = capture(policy)
        #expect(capture.contradictions == [])
        #expect(capture.connections.map(\.costs) == reference.connections.map(\.costs))
        #expect(capture.result.ledger.causes == reference.result.ledger.causes)
        #expect(capture.exchanges.map { $0.costs.up.message } == reference.exchanges.map { $0.costs.up.message })
    }

    @Test("a DNS lookup is paid by the first connection to the address it gave")
    func paysLookup() {
        var frames: [CapturedFrame] = []
        var query = PacketBuilder()
        query.transport = .udp
        query.destination = IPAddress(version4: 0x0808_0808)
        query.destinationPort = 53
        query.payload = DNSBytes.query("api.example.com", identifier: 7)
        frames.append(CapturedFrame(time: 1, query))
        var answer = query
        swap(&answer.source, &answer.destination)
        swap(&answer.sourcePort, &answer.destinationPort)
        answer.payload = DNSBytes.answer("api.example.com", identifier: 7, [[10, 0, 0, 2]])
        frames.append(CapturedFrame(time: 2, answer))
        var unrelated = query
        unrelated.payload = DNSBytes.query("other.example.com", identifier: 8)
        frames.append(CapturedFrame(time: 3, unrelated))
        for port in [UInt16(40_001), 40_002] {
            var talk = Dialogue(clientPort: port)
            talk.handshake()
            talk.exchange()
            frames += talk.frames
        }
        let capture = audit(frames)
        #expect(capture.contradictions == [])
        let (up, down) = (28 + query.payload.count, 28 + answer.payload.count)
        #expect(capture.connections.map { $0.costs.up[.setupDNS] } == [up, 0])
        #expect(capture.connections.map { $0.costs.down[.setupDNS] } == [down, 0])
        #expect(capture.exchanges[0].costs.up[.setupDNS] == up)
        #expect(capture.result.ledger.other.dns == 28 + unrelated.payload.count)
        #expect(
            capture.connections.map { $0.serverName.map { String(decoding: $0, as: UTF8.self) } }
                == ["api.example.com", "api.example.com"])
    }
}
