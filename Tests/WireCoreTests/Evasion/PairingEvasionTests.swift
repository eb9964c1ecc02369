import Testing
import WireTesting

@testable import WireCore

/// Requests that cannot be read, answers that nobody asked for, requests that had to leave the books: every answer that is
/// given to a call is its own, or the call says that it may not be.
@Suite("Evasion: which answer is whose")
struct PairingEvasionTests {
    /// First lines, with what follows them, in place of a request's.
    static let unreadable = [
        "PROXY TCP4 10.0.0.1 10.0.0.2 4000 80\r\nGET /x HTTP/1.1\r\n", "GET /\u{1} HTTP/1.1\r\n", "GET /x HTTP/9.9\r\n",
        "GET /x http/1.1\r\n", "GET\t/x\tHTTP/1.1\r\n", "G@T /x HTTP/1.1\r\n", "GET /x HTTP/1.10\r\n",
        "\u{2}\u{3}\u{4}\u{5}\r\n", String(repeating: "M", count: 60) + " /x HTTP/1.1\r\n",
        "GET /x HTTP/1.1\rHost: a\r\r",
    ]

    private static func request(_ index: Int) -> String { "GET /\(index) HTTP/1.1\r\nHost: a\r\n\r\n" }

    private static func response(_ length: Int) -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n" + String(repeating: "x", count: length)
    }

    /// Of calls by their targets, `/0` and so on, the answer to which has 100 bytes for the first and so on: those that
    /// have another and do not say that something is wrong.
    private func wronglyAnswered(_ capture: AuditedCapture) -> [String] {
        capture.exchanges.compactMap { record in
            guard let target = record.target, record.status != nil,
                let index = Int(String(decoding: target, as: UTF8.self).dropFirst())
            else { return nil }
            let isRight = record.costs.down[.body] == (record.method == Array("HEAD".utf8) ? 0 : 100 * (index + 1))
            return isRight || record.flags.contains(.malformed) ? nil : EvasionCase.line(record)
        }
    }

    /// Five calls, one of which has `line` in place of its request; they wait for one another, or not.
    private func audited(_ line: String, at place: Int, isPipelined: Bool) -> AuditedCapture {
        let requests = (0..<5).map { $0 == place ? line + "Host: a\r\n\r\n" : Self.request($0) }
        var talk = Dialogue()
        talk.handshake()
        if isPipelined { for request in requests { talk.data(.client, request) } }
        for (index, request) in requests.enumerated() {
            if !isPipelined { talk.data(.client, request) }
            talk.data(.server, Self.response(100 * (index + 1)))
            talk.ack(.client)
        }
        talk.close()
        return checkEvasion(talk.frames, "\(line) at \(place)")
    }

    @Test("the answer to a request that cannot be read is no other's", arguments: unreadable)
    func unreadableRequest(line: String) {
        for place in 0..<3 {
            let capture = audited(line, at: place, isPipelined: false)
            #expect(wronglyAnswered(capture) == [], "at \(place)")
            let answered = capture.exchanges.filter { $0.request != nil && $0.status == 200 && $0.flags.isEmpty }
            #expect(answered.count >= 4 || line.contains("\r\r"), "at \(place)")
        }
    }

    @Test("where requests did not wait for answers, all calls behind an unreadable one say so", arguments: unreadable)
    func unreadableAmongPipelined(line: String) {
        for place in 0..<3 {
            #expect(wronglyAnswered(audited(line, at: place, isPipelined: true)) == [], "at \(place)")
        }
    }

    @Test("an answer that nobody asked for is nobody's")
    func unasked() {
        var talk = Dialogue()
        talk.handshake()
        for index in 0..<4 {
            if index == 1 {
                talk.data(.server, Self.response(7))
            } else {
                talk.data(.client, Self.request(index))
                talk.data(.server, Self.response(100 * (index + 1)))
            }
        }
        talk.close()
        let capture = checkEvasion(talk.frames, "unasked")
        #expect(wronglyAnswered(capture) == [])
        #expect(capture.exchanges.map { $0.flags.contains(.noRequest) } == [false, true, false, false])
    }

    @Test("answers to requests that had to leave the books are no others'", arguments: [1, 2, 7, 30], [false, true])
    func abandoned(limit: Int, isTotal: Bool) {
        var talk = Dialogue()
        talk.handshake()
        for round in 0..<3 {
            let calls = 20 * round..<20 * (round + 1)
            // Of every third only the head is asked for.
            for index in calls {
                talk.data(.client, (index % 3 == 0 ? "HEAD" : "GET") + Self.request(index).dropFirst(3))
            }
            for index in calls {
                let response = Self.response(100 * (index + 1))
                let length = index % 3 == 0 ? response.count - 100 * (index + 1) : response.count
                talk.data(.server, String(response.prefix(length)))
            }
        }
        talk.close()
        var options = AuditOptions()
        options.setup = .separate
        if isTotal { options.totalExchangeLimit = 16 * limit } else { options.unansweredLimit = limit }
        let capture = talk.audit(options)
        #expect(capture.contradictions == [])
        #expect(wronglyAnswered(capture) == [])
        #expect(capture.findings(.messageMalformed) == 0)
        #expect(capture.findings(.exchangeLimit) > 0 || limit == 30 && !isTotal)
        let unanswered = capture.exchanges.count { $0.flags.contains(.noResponse) }
        #expect(unanswered == capture.exchanges.count { $0.flags.contains(.noRequest) })
        #expect(capture.exchanges.count - unanswered == 60)
    }

    @Test("requests that left are remembered in few runs, however their methods alternate")
    func runs() {
        let requests = AbandonedRequests()
        for number in 0..<20_000 { requests.append(number: number, method: number % 2 == 0 ? .head : .other) }
        #expect(requests.takeFirst(before: 0) == nil)
        var methods: [MethodKind] = []
        while let method = requests.takeFirst(before: .max) { methods.append(method) }
        #expect(methods.count == 20_000)
        #expect((0..<4000).allSatisfy { methods[$0] == ($0 % 2 == 0 ? .head : .other) })
        requests.append(number: 30_000, method: .connect)
        #expect(requests.takeFirst(before: 30_000) == nil)
        #expect(requests.takeFirst(before: 30_001) == .connect)
    }

    @Test("bytes that are missing when a connection ends are a gap, and no limit was reached")
    func holeAtEnd() {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, Self.request(0))
        let response = Array(Self.response(300).utf8)
        talk.data(.server, Array(response[..<200]), at: 0)
        talk.data(.server, Array(response[250...]), at: 250)
        let capture = checkEvasion(talk.frames, "hole at the end")
        #expect(capture.findings(.heldBytesLimit) == 0)
        #expect(capture.findings(.streamGap) == 1)
    }

    @Test(
        "exchanges behind a start line that never ends are numbered from 0 on", arguments: SetupPolicy.allCases,
        [1, 4096])
    func unreadStartLine(policy: SetupPolicy, limit: Int) {
        var talk = Dialogue()
        talk.data(.client, "GET / HT")
        for _ in 0..<5 { talk.data(.server, Self.response(5), acknowledging: 0) }
        talk.time += 5_000_000_000
        for _ in 0..<3 {
            talk.time += 1_000_000_000
            talk.ack(.client)
        }
        var options = AuditOptions()
        options.setup = policy
        options.unansweredLimit = limit
        let capture = talk.audit(options)
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.exchange).sorted() == Array(0..<5))
        #expect(capture.connections[0].costs.up[.opaque] == 8)
    }
}
