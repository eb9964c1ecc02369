import Testing
import WireTesting

@testable import WireCore

@Suite("Multipath TCP")
struct MultipathTests {
    /// What an unflagged call says of itself.
    private struct Claim: Hashable {
        var target: [UInt8]?
        var status: Int?
        var sizes: [Int]

        init(_ record: ExchangeRecord) {
            (target, status) = (record.target, record.status)
            sizes = [record.costs.up, record.costs.down].flatMap { [$0[.startLine], $0[.headers], $0[.body]] }
        }
    }

    private static func response(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
    }

    private static let chunk = String(repeating: "0123456789", count: 100)

    // MARK: One path

    @Test(
        "a connection whose data all went over one subflow is read as plain TCP", arguments: [UInt8(0), 1],
        [true, false])
    func whole(version: UInt8, isLong: Bool) {
        var talk = MultipathDialogue(version: version)
        talk.isLong = isLong
        talk.say(.client, Sample.request)
        talk.say(.server, String(Sample.response.prefix(30)))
        talk.say(.server, String(Sample.response.dropFirst(30)))
        talk.close()
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.status) == [200] && capture.exchanges.allSatisfy { $0.flags.isEmpty })
        #expect(capture.findings(.multipath) == 0)
    }

    @Test(
        "where bytes went over a subflow that was not captured, every call is flagged",
        arguments: ["jump", "start", "unmapped"])
    func torn(how: String) {
        var talk = MultipathDialogue()
        talk.say(.client, Sample.request)
        talk.say(.server, Sample.response, skipping: how == "start" ? 1000 : 0)
        talk.say(.client, Sample.request)
        talk.say(.server, Sample.response, skipping: 1000, isMapped: how != "unmapped")
        talk.close()
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.findings(.multipath) == 1)
        #expect(capture.exchanges.count == 2 && capture.exchanges.allSatisfy { $0.flags.contains(.gap) })
        #expect(capture.connections[0].flags.contains(.gap))
    }

    @Test("a mapping may cover several segments, and the first data may come with the keys")
    func longMappings() {
        var talk = MultipathDialogue()
        let request = Sample.request
        let keys = MultipathDialogue.capable(1, MultipathDialogue.keys, length: UInt16(request.utf8.count))
        talk.write(0) {
            $0.data(.client, String(request.prefix(10))) { $0.options = [keys, .noOperation, .noOperation] }
        }
        talk.write(0) { $0.data(.client, String(request.dropFirst(10))) }
        talk.say(.server, Sample.response)
        talk.close()
        let capture = talk.audit()
        #expect(capture.exchanges.map(\.status) == [200] && capture.exchanges.allSatisfy { $0.flags.isEmpty })
    }

    @Test("who falls back to plain TCP is read as such", arguments: [true, false])
    func fallback(answers: Bool) {
        var talk = MultipathDialogue(answers: answers)
        talk.write(0) {
            $0.exchange()
            $0.close()
        }
        let capture = talk.audit()
        #expect(capture.exchanges.map(\.status) == [200] && capture.exchanges.allSatisfy { $0.flags.isEmpty })
        #expect(capture.findings(.multipath) == 0)
    }

    @Test("a subflow that joins a connection which is not known has no calls of its own, whatever its bytes look like")
    func stray() {
        var talk = Dialogue()
        let join = PacketBuilder.Option.bytes([30, 12, 0x10, 1, 1, 2, 3, 4, 5, 6, 7, 8])
        talk.syn(.client) { $0.options = [join] }
        talk.syn(.server) { $0.options = [.bytes([30, 16, 0x10, 1] + [UInt8](repeating: 7, count: 12))] }
        talk.ack(.client)
        talk.exchange()
        talk.close()
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.isEmpty)
        #expect(capture.findings(.multipathApart) == 1 && capture.findings(.multipath) == 0)
        let costs = capture.connections[0].costs
        #expect(costs.up[.opaque] == Sample.request.utf8.count && costs.down[.opaque] == Sample.response.utf8.count)
    }

    @Test("without its beginning a connection is read while its data follow one another", arguments: [true, false])
    func midstream(isTorn: Bool) {
        var talk = MultipathDialogue()
        for _ in 0..<2 {
            talk.say(.client, Sample.request)
            talk.say(.server, Sample.response)
        }
        talk.say(.client, Sample.request)
        talk.say(.server, Sample.response, skipping: isTorn ? 1000 : 0)
        talk.close()
        let capture = audit(Array(talk.frames.dropFirst(3)))
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.status) == [200, 200, 200])
        #expect(capture.exchanges.dropFirst().allSatisfy { $0.flags.contains(.gap) == isTorn })
        #expect(capture.findings(.multipathApart) == (isTorn ? 1 : 0) && capture.findings(.multipath) == 0)
    }

    @Test("options that one direction alone shows, in the middle of a connection, flag its calls")
    func lateOptions() {
        var talk = MultipathDialogue()
        talk.say(.client, Sample.request, isMapped: false)
        talk.say(.server, Sample.response)
        talk.close()
        let capture = audit(Array(talk.frames.dropFirst(3)))
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.status) == [200] && capture.exchanges[0].flags.contains(.gap))
    }

    // MARK: Several paths

    /// A call whose answer goes over two paths in turn, and one over the second alone.
    private static func twoPaths(version: UInt8 = 1, isLong: Bool = false) -> MultipathDialogue {
        var talk = MultipathDialogue(version: version)
        talk.isLong = isLong
        let path = talk.join()
        let answer = response(chunk + chunk + chunk)
        talk.say(.client, Sample.request)
        talk.say(.server, String(answer.prefix(1000)))
        talk.say(.server, String(answer.dropFirst(1000).prefix(1000)), on: path)
        talk.say(.server, String(answer.dropFirst(2000)))
        talk.ack(.client)
        talk.say(.client, Sample.request, on: path)
        talk.say(.server, response("hello"), on: path)
        talk.ack(.client, on: path)
        talk.close()
        return talk
    }

    @Test(
        "subflows are put together: calls are the connection's, and bytes those of its packets",
        arguments: [UInt8(0), 1], [true, false])
    func joined(version: UInt8, isLong: Bool) {
        let capture = Self.twoPaths(version: version, isLong: isLong).audit()
        #expect(capture.contradictions == [])
        #expect(capture.result.findings.isEmpty)
        #expect(capture.connections.count == 1 && capture.connections[0].flags.isEmpty)
        #expect(capture.connections[0].close == .fin)
        #expect(capture.exchanges.map(\.status) == [200, 200] && capture.exchanges.allSatisfy { $0.flags.isEmpty })
        #expect(capture.exchanges.map { $0.costs.down[.body] } == [3000, 5])
        let counts = capture.connections[0].counts
        #expect(counts.up.payloadRepeated == 0 && counts.down.payloadRepeated == 0)
        #expect((counts.up.syn, counts.down.syn, counts.up.fin, counts.down.fin) == (2, 2, 2, 2))
        let costs = capture.connections[0].costs
        #expect(costs.up[.retransmission] + costs.down[.retransmission] == 0)
        // Both handshakes: SYN and acknowledgment of the client, SYN of the server.
        let options = version == 0 ? [12, 20, 12, 24] : [4, 20, 12, 24]
        #expect(costs.up[.setupTCP] == 4 * 40 + options.reduce(0, +))
        #expect(costs.down[.setupTCP] == 2 * 40 + 12 + 16)
    }

    @Test("data that are sent again over another path are a retransmission")
    func reinjection() {
        var talk = MultipathDialogue()
        let path = talk.join()
        let answer = Self.response(Self.chunk)
        talk.say(.client, Sample.request)
        talk.say(.server, answer)
        talk.sayAgain(.server, answer, from: 0, on: path)
        talk.ack(.client)
        talk.close()
        let capture = talk.audit()
        #expect(capture.contradictions == [] && capture.result.findings.isEmpty)
        #expect(capture.exchanges.map { $0.costs.down[.body] } == [1000] && capture.exchanges[0].flags.isEmpty)
        #expect(capture.exchanges[0].costs.down[.retransmission] == answer.utf8.count + 40 + 20)
        #expect(capture.connections[0].counts.down.payloadRepeated == answer.utf8.count)
    }

    @Test("a slow path fills its places later", arguments: [0, 1, 2])
    func disorder(mappingAt: Int) {
        var talk = MultipathDialogue()
        let path = talk.join()
        let answer = Self.response(Self.chunk + Self.chunk)
        talk.say(.client, Sample.request)
        talk.say(.server, String(answer.prefix(1200)), on: path, by: 500, mappingAt: mappingAt)
        talk.say(.server, String(answer.dropFirst(1200)))
        talk.ack(.client)
        talk.close()
        var frames = talk.frames
        // The three segments of the slow path stand behind the data of the other.
        let fast = frames.remove(at: 10)
        frames.insert(fast, at: 7)
        for index in frames.indices { frames[index].time = Int64(index) * 1_000_000 }
        let capture = audit(frames)
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map { $0.costs.down[.body] } == [2000] && capture.exchanges[0].flags.isEmpty)
        #expect(capture.findings(.multipath) == 0)
    }

    @Test("data whose mapping is in no packet flag all calls", arguments: [true, false])
    func mappingLost(isJoined: Bool) {
        var talk = MultipathDialogue()
        let path = talk.join()
        talk.say(.client, Sample.request)
        talk.say(.server, Self.response("hello"))
        talk.say(.client, Sample.request)
        talk.say(.server, Self.response(Self.chunk), on: isJoined ? path : 0, isMapped: false)
        talk.ack(.client)
        talk.close()
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.findings(.multipath) == 1)
        #expect(capture.exchanges.allSatisfy { $0.flags.contains(.gap) })
    }

    @Test("a subflow that ends does not end the connection; a reset of all does", arguments: [true, false])
    func closing(closesAll: Bool) {
        var talk = MultipathDialogue()
        let path = talk.join()
        talk.say(.client, Sample.request)
        talk.reset(.client, on: 0, closesAll: closesAll)
        if !closesAll {
            talk.say(.server, Self.response("hello"), on: path)
            talk.ack(.client, on: path)
            talk.end(.client, on: path)
            talk.end(.server, on: path)
            talk.ack(.client, on: path)
            talk.write(path) { $0.close() }
        }
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.connections.map(\.close) == [closesAll ? .reset : .fin])
        #expect(capture.exchanges.map(\.status) == [closesAll ? nil : 200])
        if !closesAll { #expect(capture.exchanges[0].flags.isEmpty) }
    }

    @Test("the last reset of a subflow is that of the connection")
    func lastReset() {
        var talk = MultipathDialogue()
        let path = talk.join()
        talk.say(.client, Sample.request)
        talk.reset(.client, on: 0)
        talk.reset(.client, on: path)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.connections.map(\.close) == [.reset])
    }

    @Test("data may end with their last bytes")
    func endWithData() {
        var talk = MultipathDialogue()
        let path = talk.join()
        talk.say(.client, "GET / HTTP/1.0\r\n\r\n")
        talk.say(.server, "HTTP/1.0 200 OK\r\n\r\nhello")
        talk.say(.server, "world", on: path, isEnd: true)
        talk.end(.client)
        talk.ack(.server)
        for path in 0..<2 { talk.write(path) { $0.close() } }
        let capture = talk.audit()
        #expect(capture.contradictions == [] && capture.result.findings.isEmpty)
        #expect(capture.exchanges.map { $0.costs.down[.body] } == [10] && capture.exchanges[0].flags.isEmpty)
        #expect(capture.connections.map(\.close) == [.fin])
    }

    @Test("the server may open a subflow, too")
    func joinedByServer() {
        var talk = MultipathDialogue()
        talk.say(.client, Sample.request)
        let path = talk.join(by: .server)
        talk.say(.server, Self.response("hello"), on: path)
        talk.close()
        let capture = talk.audit()
        #expect(capture.contradictions == [] && capture.connections.count == 1)
        #expect(capture.exchanges.map(\.status) == [200] && capture.exchanges[0].flags.isEmpty)
    }

    @Test("ports of a subflow may be used again by plain TCP")
    func portReuse() {
        let talk = Self.twoPaths()
        var plain = Dialogue(clientPort: 40_001)
        plain.initialSequence = [20_000_000, 40_000_000]
        plain.time = talk.frames[talk.frames.count - 1].time + 10_000_000_000
        plain.handshake()
        plain.exchange()
        plain.close()
        let capture = audit(talk.frames + plain.frames)
        #expect(capture.contradictions == [])
        #expect(capture.connections.map(\.client.port) == [51_234, 40_001])
        #expect(capture.exchanges.map(\.connection) == [0, 0, 1] && capture.exchanges.allSatisfy { $0.flags.isEmpty })
    }

    @Test("a call without a flag has right figures, whichever packets are missing", arguments: [1, 2, 3])
    func missingPackets(count: Int) {
        let talk = Self.twoPaths()
        let whole = Set(talk.audit().exchanges.map(Claim.init))
        for lost in talk.frames.indices {
            var frames = talk.frames
            frames.removeSubrange(lost..<min(lost + count, frames.count))
            let capture = audit(frames)
            #expect(capture.contradictions == [], "without packet \(lost + 1)")
            for record in capture.exchanges where record.flags.isEmpty {
                #expect(whole.contains(Claim(record)), "without packet \(lost + 1): exchange \(record.exchange)")
            }
        }
    }

    @Test("packets in another order change nothing", arguments: 1...20)
    func shuffled(seed: Int) {
        let talk = Self.twoPaths()
        let whole = talk.audit().exchanges.map(Claim.init)
        var random = SeededRandom(seed: UInt64(seed))
        var frames = talk.frames
        for index in 6..<frames.count - 1 where Int.random(in: 0..<3, using: &random) == 0 {
            frames.swapAt(index, index + 1)
        }
        for index in frames.indices { frames[index].time = Int64(index) * 1_000_000 }
        let capture = audit(frames)
        #expect(capture.contradictions == [])
        for record in capture.exchanges where record.flags.isEmpty { #expect(whole.contains(Claim(record))) }
    }
}
