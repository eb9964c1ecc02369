import Testing
import WireCore
import WireTesting

/// A response is counted with the interim responses before it. Where one may be among the missing packets, its call says so.
@Suite("Audit: interim responses among lost packets")
struct LostInterimTests {
    private static let count = 5

    /// Calls by turns: one without content, and one whose server asks for the body first.
    private static func conversation() -> [CapturedFrame] {
        var talk = Dialogue()
        talk.handshake()
        for number in 0..<count {
            talk.data(.client, "GET /nothing/\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
            talk.data(.server, "HTTP/1.1 204 No Content\r\n\r\n")
            talk.data(
                .client,
                "PUT /body/\(number) HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
            talk.data(.server, "HTTP/1.1 100 Continue\r\n\r\n")
            talk.data(.client, "data")
            talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: \(number)\r\n\r\n" + String("xxxxx".prefix(number)))
        }
        talk.close()
        return talk.frames
    }

    private static func figures(_ record: ExchangeRecord) -> [Int] {
        [
            record.costs.up.message, record.costs.down[.startLine], record.costs.down[.headers],
            record.costs.down[.body], record.response?.interim ?? -1, record.status ?? 0,
        ]
    }

    private static let truth = Dictionary(
        uniqueKeysWithValues: audit(conversation()).exchanges.map { ($0.target ?? [], figures($0)) })

    @Test("any one or two packets may be missing: what carries no flag is true")
    func pairs() {
        let frames = Self.conversation()
        #expect(Self.truth.count == 2 * Self.count)
        for first in 3..<frames.count - 3 {
            for second in first..<frames.count - 3 {
                var rest = frames
                rest.remove(at: second)
                if second > first { rest.remove(at: first) }
                for record in audit(rest).exchanges where record.flags.isEmpty {
                    #expect(Self.truth[record.target ?? []] == Self.figures(record), "without \(first), \(second)")
                }
            }
        }
    }

    @Test("a loss that the client knew before it asked is no doubt about the answer")
    func knownBefore() {
        // Frame 4 is the first answer, and the request behind it acknowledges it.
        var frames = Self.conversation()
        frames.remove(at: 4)
        let capture = audit(frames)
        #expect(capture.exchanges.map(\.flags.isEmpty) == [false] + [Bool](repeating: true, count: 2 * Self.count - 1))
        #expect(capture.exchanges[1].response?.interim == 25)
    }

    @Test("the answer and the interim response behind it: both calls are flagged")
    func answerAndInterim() {
        var frames = Self.conversation()
        frames.remove(at: 6)
        frames.remove(at: 4)
        let flags = audit(frames).exchanges.map(\.flags)
        #expect(flags[0].contains(.gap) && flags[0].contains(.noResponse))
        #expect(flags[1] == .gap)
        #expect(flags[2...].allSatisfy { $0.isEmpty })
    }
}
