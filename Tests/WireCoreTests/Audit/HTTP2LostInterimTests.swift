import Testing
import WireTesting

@testable import WireCore

/// A response of HTTP/2 is counted with the interim responses before it, which may be among the missing packets.
@Suite("Audit: interim responses of HTTP/2 among lost packets")
struct HTTP2LostInterimTests {
    private static let count = 3

    /// Calls by turns: one without content, and one whose server asks for the body first.
    private static let frames: [CapturedFrame] = {
        var talk = HTTP2Talk()
        for number in 0..<count {
            let (first, second) = (4 * number + 1, 4 * number + 3)
            talk.frames(.client, [.headers(first, talk.request("/nothing/\(number)"), endStream: true)])
            talk.frames(.server, [.headers(first, talk.response(204), endStream: true)])
            let more = [("expect", "100-continue")]
            talk.frames(.client, [.headers(second, talk.request("/body/\(number)", method: "PUT", more))])
            talk.frames(.server, [.headers(second, talk.response(100))])
            talk.frames(.client, [.data(second, .filler(4), endStream: true)])
            talk.frames(.server, [.headers(second, talk.response()), .data(second, .filler(9), endStream: true)])
            talk.talk.acknowledge(.client)
        }
        return talk.talk.talk.frames
    }()

    private static func figures(_ record: ExchangeRecord) -> [Int] {
        [
            record.costs.up[.headers], record.costs.up[.body], record.costs.down[.headers], record.costs.down[.body],
            record.costs.down[.framing], record.response?.interim ?? -1, record.status ?? 0,
        ]
    }

    private static let truth = Dictionary(
        uniqueKeysWithValues: audit(frames).exchanges.map { ($0.stream ?? 0, figures($0)) })

    @Test("any three of six neighbours may be missing: what carries no flag is true")
    func missing() {
        #expect(Self.truth.count == 2 * Self.count)
        #expect(Self.truth[3]?[5] ?? 0 > 0)
        let count = Self.frames.count
        for first in 6..<count {
            for second in first..<min(first + 5, count) {
                for third in second..<min(first + 6, count) {
                    let lost: Set = [first, second, third]
                    let rest = Self.frames.enumerated().filter { !lost.contains($0.offset) }.map(\.element)
                    for record in audit(rest).exchanges where record.flags.isEmpty {
                        #expect(
                            Self.truth[record.stream ?? 0] == Self.figures(record),
                            "stream \(record.stream ?? 0) without packets \(lost.sorted())")
                    }
                }
            }
        }
    }
}
