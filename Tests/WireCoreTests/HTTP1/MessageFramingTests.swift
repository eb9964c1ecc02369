import Testing
import WireCore
import WireTesting

extension MessageCase: CustomTestStringConvertible {}

@Suite("HTTP/1: messages")
struct MessageFramingTests {
    @Test("gives every byte its cause and its exchange", arguments: MessageCase.all)
    func labelsBytes(messages: MessageCase) {
        let capture = messages.dialogue().audit()
        #expect(capture.contradictions == [])
        #expect(messages.differences(0, capture.exchanges, capture) == [])
    }

    @Test("says how large interim responses were, and takes the first byte of the final one for the answer")
    func countsInterim() throws {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, Sample.request)
        talk.data(.server, "HTTP/1.1 100 Continue\r\n\r\n")
        talk.time += 500_000_000
        talk.data(.server, Sample.response)
        let record = try #require(talk.audit().exchanges.first)
        #expect(record.response?.interim == 25)
        #expect(record.status == 200)
        #expect(record.timeToFirstByte == 502_000_000)
        #expect(record.duration == 502_000_000)
    }

    @Test("names the exchange by its request")
    func namesExchange() throws {
        let requests: [(String, host: String, path: String, query: String?, api: String)] = [
            (
                "GET /v1/a/42?x=/y HTTP/1.1\r\nHost: API.Example.com:80\r\n\r\n", "api.example.com", "/v1/a/42", "x=/y",
                "GET api.example.com /v1/a/{id}"
            ),
            ("GET /a HTTP/1.1\r\nHOST:h:8080\r\n\r\n", "h:8080", "/a", nil, "GET h:8080 /a"),
            ("PUT http://Other:80/b?c HTTP/1.1\r\nHost: h\r\n\r\n", "other", "/b", "c", "PUT other /b"),
            ("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "h", "*", nil, "OPTIONS h *"),
            ("GET http://h?q HTTP/1.1\r\n\r\n", "h", "", "q", "GET h"),
            ("CONNECT h:443 HTTP/1.1\r\n\r\n", "h:443", "", nil, "CONNECT h:443"),
            ("GET / HTTP/1.0\r\n\r\n", "10.0.0.2", "/", nil, "GET 10.0.0.2 /"),
        ]
        for request in requests {
            var talk = Dialogue()
            talk.handshake()
            talk.data(.client, request.0)
            let record = try #require(talk.audit().exchanges.first)
            #expect(String(decoding: record.host, as: UTF8.self) == request.host)
            #expect(record.path.map { String(decoding: $0, as: UTF8.self) } == request.path)
            #expect(record.query.map { String(decoding: $0, as: UTF8.self) } == request.query)
            #expect(String(decoding: record.api, as: UTF8.self) == request.api)
            #expect(record.flags == [.noResponse, .noEnd])
        }
    }

    @Test("keeps three sizes of a body: with framing, without it, and decoded")
    func measuresDecoded() throws {
        let content = [UInt8](repeating: 0x61, count: 700)
        let packed = CompressedFileBuilder.gzip(content)
        let stored = String(packed.count, radix: 16) + "\r\n"
        for decodes in [false, true] {
            var talk = Dialogue()
            talk.handshake()
            talk.data(.client, Sample.post)
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + stored
            talk.data(.server, Array(head.utf8) + packed + Array("\r\n0\r\n\r\n".utf8))
            var options = AuditOptions()
            options.decodesBodies = decodes
            let record = try #require(talk.audit(options).exchanges.first)
            #expect(record.costs.down[.body] == packed.count)
            #expect(record.costs.down[.framing] == stored.utf8.count + 7)
            #expect(record.decodedBody.down == (decodes ? 700 : nil))
            #expect(record.decodedBody.up == 20)
        }
    }

    @Test("says so when a body does not decode")
    func reportsUndecodable() throws {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, Sample.request)
        talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello")
        var options = AuditOptions()
        options.decodesBodies = true
        let capture = talk.audit(options)
        #expect(capture.exchanges[0].decodedBody.down == nil)
        #expect(capture.exchanges[0].response?.complete == true)
        #expect(capture.findings(.decodeFailed) == 1)
    }
}

@Suite("HTTP/1: the same bytes in other packets")
struct DripFeedTests {
    /// Many ways to cut the same conversation, each a connection of one capture.
    private func check(_ messages: MessageCase, _ waysToCut: [(_ turn: Int, _ count: Int) -> [Int]]) {
        var frames: [CapturedFrame] = []
        for (index, cuts) in waysToCut.enumerated() {
            frames += messages.dialogue(port: UInt16(10_000 + index), cuts: cuts).frames
        }
        let capture = audit(frames)
        #expect(capture.contradictions == [])
        #expect(capture.connections.count == waysToCut.count)
        var exchanges: [[ExchangeRecord]] = Array(repeating: [], count: waysToCut.count)
        for record in capture.exchanges { exchanges[record.connection].append(record) }
        for (index, records) in exchanges.enumerated() {
            let differences = messages.differences(index, records, capture)
            #expect(differences == [], "way \(index) to cut")
            let reference = exchanges[0]
            guard records.count == reference.count else { continue }
            #expect(records.map(\.target) == reference.map(\.target), "way \(index) to cut")
            #expect(records.map(\.host) == reference.map(\.host), "way \(index) to cut")
            #expect(records.map(\.decodedBody) == reference.map(\.decodedBody), "way \(index) to cut")
            #expect(records.map(\.response?.interim) == reference.map(\.response?.interim), "way \(index) to cut")
        }
    }

    @Test("gives the same messages with every payload cut at every place", arguments: MessageCase.all)
    func cutsEverywhere(messages: MessageCase) {
        var ways: [(Int, Int) -> [Int]] = [{ _, _ in [] }, { _, count in Array(1..<max(count, 1)) }]
        for (index, turn) in messages.turns.enumerated() {
            for cut in 1..<max(turn.bytes.count, 1) { ways.append { turn, _ in turn == index ? [cut] : [] } }
        }
        check(messages, ways)
    }

    @Test("gives the same messages with random cuts", arguments: MessageCase.all)
    func cutsAtRandom(messages: MessageCase) {
        let ways = (0..<20).map { seed in
            { (turn: Int, count: Int) -> [Int] in
                var random = SeededRandom(seed: UInt64(seed * 100 + turn))
                return (0..<random.below(6)).map { _ in random.below(count) }.sorted()
            }
        }
        check(messages, ways)
    }

    @Test("gives the same messages when the packets of one turn are shuffled", arguments: MessageCase.all)
    func shuffles(messages: MessageCase) {
        var random = SeededRandom(seed: 11)
        for round in 0..<10 {
            var talk = messages.dialogue { _, count in stride(from: 7, to: count, by: 7).map { $0 } }
            // Packets between the handshake and the FINs, each moved within its turn.
            var start = 3
            for turn in messages.turns {
                let count = (turn.bytes.count + 6) / 7
                talk.frames[start..<start + count].shuffle(using: &random)
                start += count
            }
            for index in talk.frames.indices { talk.frames[index].time = Int64(index) * 1_000_000 }
            let capture = talk.audit()
            #expect(capture.contradictions == [])
            let differences = messages.differences(0, capture.exchanges, capture)
            #expect(differences == [], "seed 11, round \(round)")
        }
    }
}
