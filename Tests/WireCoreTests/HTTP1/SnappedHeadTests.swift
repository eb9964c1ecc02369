import Testing
import WireCore
import WireTesting

/// Start lines of which the snap length, or a loss, left a part.
@Suite("Audit: start lines cut short")
struct SnappedHeadTests {
    private static let request = "GET /v1/items?page=2 HTTP/1.1\r\nHost: a.example\r\n\r\n"
    private static let answer = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"

    private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    private func conversation(_ requests: Int = 2) -> Dialogue {
        var talk = Dialogue()
        talk.handshake()
        for _ in 0..<requests {
            talk.data(.client, Self.request)
            talk.data(.server, Self.answer)
            talk.ack(.client)
        }
        talk.close()
        return talk
    }

    private func snap(_ talk: inout Dialogue, _ index: Int, to length: Int) {
        talk.frames[index].originalLength = talk.frames[index].bytes.count
        talk.frames[index].bytes.removeSubrange(length...)
    }

    /// Captured characters of the request line, and what they say.
    static let requests: [(captured: Int, method: String?, target: String?)] = [
        (1, nil, nil), (3, nil, nil), (4, "GET", nil), (5, "GET", "/…"), (9, "GET", "/v1/i…"),
        (15, "GET", "/v1/items?p…"), (20, "GET", "/v1/items?page=2…"), (21, "GET", "/v1/items?page=2"),
        (25, "GET", "/v1/items?page=2"), (28, "GET", "/v1/items?page=2"), (30, "GET", "/v1/items?page=2"),
    ]

    @Test("a request line that the snap length cut is snapped, with what is there of it", arguments: requests.indices)
    func cutsRequest(index: Int) throws {
        let (captured, method, target) = Self.requests[index]
        for place in [3, 6] {
            var talk = conversation()
            snap(&talk, place, to: 54 + captured)
            let capture = talk.audit()
            #expect(capture.contradictions == [])
            try #require(capture.exchanges.count == 2)
            let record = capture.exchanges[place / 3 - 1]
            #expect(record.flags == [.snapped])
            #expect(text(record.method) == method)
            #expect(text(record.target) == target)
            #expect(record.status == 404)
            #expect(record.request?.complete == false)
            #expect(record.costs.up.message + record.costs.up[.opaque] == Self.request.utf8.count)
            let other = capture.exchanges[2 - place / 3]
            #expect(other.flags == [] && text(other.target) == "/v1/items?page=2")
        }
    }

    @Test(
        "the host of a cut request is named where its line was captured",
        arguments: [(31, "10.0.0.2"), (46, "10.0.0.2"), (47, "10.0.0.2"), (48, "a.example"), (49, "a.example")])
    func namesHost(captured: Int, host: String) throws {
        var talk = conversation()
        snap(&talk, 3, to: 54 + captured)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map { text($0.host) } == [host, "a.example"])
        #expect(capture.exchanges.map(\.flags) == [[.snapped], []])
    }

    @Test("every request of a capture with a small snap length", arguments: 54 + 5...54 + 29)
    func cutsAll(length: Int) {
        var talk = conversation(3)
        for index in talk.frames.indices where talk.frames[index].bytes.count > length {
            snap(&talk, index, to: length)
        }
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map { text($0.method) } == ["GET", "GET", "GET"])
        #expect(capture.exchanges.map(\.flags) == [[.snapped], [.snapped], [.snapped]])
        let isKnown = length >= 54 + 12
        #expect(capture.exchanges.map(\.status) == [Int?](repeating: isKnown ? 404 : nil, count: 3))
    }

    @Test(
        "heads and bodies over several segments are snapped, and not malformed", arguments: [68, 96], [60, 300, 3000])
    func cutsLongMessages(length: Int, size: Int) {
        for hasStart in [true, false] {
            var talk = Dialogue()
            if hasStart { talk.handshake() }
            let filler = String(repeating: "c", count: size)
            for number in 0..<3 {
                let request = "GET /\(number)/\(filler) HTTP/1.1\r\nHost: a\r\nCookie: \(filler)\r\n\r\n"
                let answer = "HTTP/1.1 200 OK\r\nX-Y: \(filler)\r\nContent-Length: 3000\r\n\r\n"
                for (side, text) in [
                    (Dialogue.Side.client, request), (.server, answer + String(repeating: "x", count: 3000)),
                ] {
                    var rest = Array(text.utf8)[...]
                    while !rest.isEmpty {
                        talk.data(side, Array(rest.prefix(1448)))
                        rest = rest.dropFirst(1448)
                    }
                }
                talk.ack(.client)
            }
            talk.close()
            for index in talk.frames.indices where talk.frames[index].bytes.count > length {
                snap(&talk, index, to: length)
            }
            let capture = talk.audit()
            #expect(capture.contradictions == [])
            #expect(capture.exchanges.map { text($0.method) } == ["GET", "GET", "GET"])
            #expect(capture.exchanges.map { text($0.target)?.prefix(3) } == ["/0/", "/1/", "/2/"])
            #expect(capture.exchanges.allSatisfy { $0.flags.subtracting([.noStart]) == [.snapped] })
            #expect(capture.exchanges.map(\.status) == [200, 200, 200])
            #expect(capture.findings(.messageMalformed) == 0)
        }
    }

    @Test("a request line whose rest was lost has a gap, and its method")
    func losesRest() {
        var talk = Dialogue()
        talk.handshake()
        let bytes = Array(Self.request.utf8)
        talk.data(.client, Array(bytes.prefix(12)))
        talk.lose(.client, 8)
        talk.data(.client, Array(bytes.dropFirst(20)))
        talk.data(.server, Self.answer)
        talk.ack(.client)
        talk.close()
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(text(capture.exchanges.first?.method) == "GET")
        #expect(text(capture.exchanges.first?.target) == "/v1/item…")
        #expect(capture.exchanges.allSatisfy { $0.flags.contains(.gap) })
    }
}

@Suite("Audit: versions and odd bytes of start lines")
struct StartLineOddityTests {
    @Test("a version is printed as it stands", arguments: ["1.0", "1.1", "1.2", "1.9"])
    func namesVersion(version: String) {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, "GET / HTTP/\(version)\r\nHost: a\r\n\r\n")
        talk.data(.server, "HTTP/\(version) 200 OK\r\nContent-Length: 0\r\n\r\n")
        let capture = talk.audit()
        #expect(capture.exchanges.map(\.request?.version) == ["HTTP/\(version)"])
        #expect(capture.exchanges.map(\.response?.version) == ["HTTP/\(version)"])
        #expect(capture.connections.map(\.applicationProtocol) == ["http/\(version)"])
        #expect(capture.exchanges.map(\.flags) == [[]])
    }

    static let lines: [(request: String, status: String, isAmbiguous: Bool)] = [
        ("GET / HTTP/1.1\r\n", "HTTP/1.1 200 OK\r\n", false),
        ("GET / HTTP/1.1\r\n", "HTTP/1.1 200 O\rK\r\n", true),
        ("GET / HTTP/1.1\r\n", "HTTP/1.1 200 O\0K\r\n", true),
        ("GET / HTTP/1.1\r\n", "HTTP/1.1 200 OK\r\r\n", true),
        ("GET / HTTP/1.1\r\n", "HTTP/1.1 200\0\r\n", true),
        ("GET / HTTP/1.1\r\n", "HTTP/1.1 200\rOK\n", true),
        ("GET / HTTP/1.1\r\n", "HTTP/1.1 200 \u{E9}t\u{E9}\tx\n", false),
        ("GET /a\rb HTTP/1.1\r\n", "HTTP/1.1 200 OK\r\n", true),
        ("GET /\0 HTTP/1.1\r\n", "HTTP/1.1 200 OK\r\n", true),
    ]

    @Test("a CR alone or a NUL in a start line is ambiguous", arguments: lines.indices, [1, 3, 1000])
    func findsControls(index: Int, size: Int) {
        let (request, status, isAmbiguous) = Self.lines[index]
        var talk = Dialogue()
        talk.handshake()
        // The first exchange puts both directions in step.
        talk.data(.client, Sample.request)
        talk.data(.server, Sample.response)
        for (side, text) in [
            (Dialogue.Side.client, request + "Host: a\r\n\r\n"), (.server, status + "Content-Length: 0\r\n\r\n"),
        ] {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                talk.data(side, Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
        }
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.status) == [200, 200])
        #expect(capture.findings(.framingAmbiguous) == (isAmbiguous ? 1 : 0))
        #expect(capture.exchanges.map { $0.flags.contains(.malformed) } == [false, isAmbiguous])
    }
}
