import Testing
import WireCore
import WireTesting

/// A client that waits for each answer: after a loss its pairs are certain again, and stay so.
@Suite("Audit: pairs after a loss")
struct LossRecoveryTests {
    private static let count = 24

    private static func conversation(closes: Bool, isMirrored: Bool = false) -> [CapturedFrame] {
        var talk = Dialogue()
        // The engine must not care which side's address is lower.
        if isMirrored { swap(&talk.template.source, &talk.template.destination) }
        talk.handshake()
        for number in 0..<count {
            talk.data(.client, "GET /items/\(number) HTTP/1.1\r\nHost: shop.example\r\n\r\n")
            let body = String(repeating: "x", count: 100 + number)
            talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
        }
        if closes { talk.close() }
        return talk.frames
    }

    private static func figures(_ record: ExchangeRecord) -> [Int] {
        [record.costs.up.message, record.costs.down.message, record.status ?? 0]
    }

    @Test("any stretch may be missing: what carries no flag is true", arguments: [true, false], [true, false])
    func stretches(closes: Bool, isMirrored: Bool) throws {
        let frames = Self.conversation(closes: closes, isMirrored: isMirrored)
        let whole = audit(frames)
        let truth = Dictionary(uniqueKeysWithValues: whole.exchanges.map { ($0.target ?? [], Self.figures($0)) })
        for start in stride(from: 3, to: 3 + 2 * Self.count, by: 3) {
            for length in [1, 2, 3, 4, 5, 8, 13, 20] where start + length < 3 + 2 * Self.count {
                var rest = frames
                rest.removeSubrange(start..<start + length)
                let capture = audit(rest)
                #expect(capture.result.ledger.balanced)
                for record in capture.exchanges where record.flags.isEmpty {
                    #expect(truth[record.target ?? []] == Self.figures(record), "\(start), \(length)")
                }
                // The exchange of the last missing packet, and one behind it, may be in doubt.
                let certain = (start + length - 3) / 2 + 2
                let flagged = capture.exchanges.filter { !$0.flags.isEmpty && $0.flags != .noEnd }
                let late = flagged.filter { Self.number($0).map { $0 >= certain } ?? false }
                #expect(late.isEmpty, "\(start), \(length): \(late.map(\.flags.names))")
                let later = frames[min(start + length + 2, frames.count - 1)].time
                #expect(!capture.exchanges.contains { $0.method == nil && $0.time > later })
            }
        }
    }

    @Test("a long stretch is missing, and much comes before it is given up", arguments: [true, false], [0, 1, 2])
    func crowded(isMirrored: Bool, cause: Int) throws {
        var frames = Self.conversation(closes: true, isMirrored: isMirrored)
        frames.removeSubrange(13..<30)
        var options = AuditOptions()
        // Given up because of the bytes that wait, because it was acknowledged long ago, or at the end.
        if cause == 0 { options.heldBytesLimit = 700 }
        if cause == 1 { options.reorderingWindow = 5_000_000 }
        let capture = audit(frames, options)
        #expect(capture.result.ledger.balanced)
        let late = capture.exchanges.filter { Self.number($0).map { $0 >= 16 } ?? true && !$0.flags.isEmpty }
        #expect(
            late.count <= 1,
            "\(late.map { [$0.target.map { String(decoding: $0, as: UTF8.self) } ?? "-"] + $0.flags.names })")
        #expect(capture.exchanges.count { $0.flags.isEmpty } >= 11)
    }

    @Test("an answer is missing, and behind it requests come several at a time", arguments: [true, false])
    func pipelinedBehind(isMirrored: Bool) {
        var talk = Dialogue()
        if isMirrored { swap(&talk.template.source, &talk.template.destination) }
        talk.handshake()
        func request(_ number: Int) -> String { "GET /items/\(number) HTTP/1.1\r\nHost: shop.example\r\n\r\n" }
        func response(_ number: Int) -> String {
            "HTTP/1.1 200 OK\r\nContent-Length: \(number + 10)\r\n\r\n" + String(repeating: "y", count: number + 10)
        }
        for number in 0..<3 {
            talk.data(.client, request(number))
            talk.data(.server, response(number))
        }
        talk.data(.client, request(3) + request(4) + request(5))
        for number in 3..<6 { talk.data(.server, response(number)) }
        talk.close()
        let whole = audit(talk.frames)
        let truth = Dictionary(uniqueKeysWithValues: whole.exchanges.map { ($0.target ?? [], Self.figures($0)) })
        for missing in 3..<talk.frames.count - 3 {
            var frames = talk.frames
            frames.remove(at: missing)
            for record in audit(frames).exchanges where record.flags.isEmpty {
                #expect(truth[record.target ?? []] == Self.figures(record), "without frame \(missing + 1)")
            }
        }
    }

    private static func number(_ record: ExchangeRecord) -> Int? {
        guard let target = record.target else { return nil }
        return Int(String(decoding: target, as: UTF8.self).dropFirst("/items/".count))
    }
}
