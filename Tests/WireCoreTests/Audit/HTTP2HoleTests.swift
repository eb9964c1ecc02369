import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: random layers with holes")
struct HTTP2HoleTests {
    /// What has no flags must be whole: its message costs are those of the account.
    @Test("exchanges without a flag cost what they cost without loss", arguments: 0..<8 as Range<UInt64>)
    func unflaggedAreExact(block: UInt64) {
        for seed in 5000 + block * 3..<5000 + block * 3 + 3 {
            let model = RandomLayers(seed: seed)
            var random = SeededRandom(seed: seed)
            for variant in 0..<4 {
                let frames = damage(model.talk.talk.frames, isSnapped: variant == 3, &random)
                var options = AuditOptions()
                options.setup = .separate
                options.reorderingWindow = random.element([100_000, 1_000_000_000])
                let capture = audit(frames, options, keys: model.talk.peers?.keyLog ?? "")
                let name = "seed \(seed), variant \(variant), \(model.suite?.rawValue ?? "clear")"
                #expect(capture.contradictions == [], "\(name)")
                for record in capture.exchanges where isComparable(record, capture) { check(record, model, name) }
            }
        }
    }

    /// The frames without some of them, or with some of them snapped.
    private func damage(
        _ frames: [CapturedFrame], isSnapped: Bool, _ random: inout SeededRandom
    ) -> [CapturedFrame] {
        var frames = frames
        for _ in 0..<1 + random.below(3) where frames.count > 8 {
            let index = 6 + random.below(frames.count - 6)
            if !isSnapped {
                frames.remove(at: index)
            } else if frames[index].bytes.count > 60 {
                frames[index].originalLength = frames[index].originalLength ?? frames[index].bytes.count
                frames[index].bytes.removeLast(1 + random.below(frames[index].bytes.count - 55))
            }
        }
        return frames
    }

    private func isComparable(_ record: ExchangeRecord, _ capture: AuditedCapture) -> Bool {
        guard record.flags.isEmpty else { return false }
        // A table of fields that was lost leaves fields unknown.
        if record.path == nil, capture.findings(.fieldsUnknown) > 0 || record.request?.complete == false {
            return false
        }
        // A record may begin inside of a method.
        return ["GET", "POST"].contains(String(decoding: record.method ?? [], as: UTF8.self))
    }

    private func check(_ record: ExchangeRecord, _ model: RandomLayers, _ name: String) {
        let path = record.path.map { String(decoding: $0.dropFirst(), as: UTF8.self) }
        guard let number = path.flatMap({ Int($0) }), model.bodies.indices.contains(number) else {
            Issue.record("\(name): path \(path ?? "none")")
            return
        }
        // Responses to pipelined HTTP/1.1 requests cannot be paired for certain.
        for side in 0..<(model.hasFrames ? 2 : 1) {
            let costs = side == 0 ? record.costs.up : record.costs.down
            for cause in [Cause.startLine, .headers, .framing, .body] {
                let known = model.talk.account[side][number][cause.name] ?? 0
                guard cause == .framing, costs[cause] != known else {
                    #expect(costs[cause] == known, "\(name), exchange \(number), \(side), \(cause.name)")
                    continue
                }
                // Frames that were lost behind the end of a stream are in no packet, and nothing tells whose they were: framing
                // counts the frames that were captured (ByteLedger.md §4.3). WINDOW_UPDATE has 13 bytes, PRIORITY 14.
                let missing = known - costs[cause]
                let isWhole = (0...max(missing, 0) / 14).contains { (missing - 14 * $0) % 13 == 0 }
                #expect(missing > 0 && isWhole, "\(name), exchange \(number), \(side): \(missing) bytes")
            }
            let decoded = side == 0 ? record.decodedBody.up : record.decodedBody.down
            let body = side == 0 ? model.bodies[number].up : model.bodies[number].down
            #expect(decoded == nil || decoded == body, "\(name), exchange \(number)")
        }
    }
}
