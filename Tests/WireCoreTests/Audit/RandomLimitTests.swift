import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: random limits")
struct RandomLimitTests {
    /// Any limits, most of them far smaller than anybody would set them.
    static func options(_ random: inout SeededRandom) -> AuditOptions {
        var options = AuditOptions()
        options.setup = random.element(SetupPolicy.allCases)
        options.keepsHeads = random.oneIn(2)
        options.decodesBodies = random.oneIn(2)
        let numbers: [WritableKeyPath<AuditOptions, Int>] = [
            \.connectionLimit, \.lingerCountLimit, \.hostLimit, \.hostClientLimit, \.reuseLimit, \.heldBytesLimit,
            \.heldSegmentLimit,
            \.totalHeldBytesLimit, \.chargeLimit, \.headerSectionLimit, \.totalHeadBytesLimit, \.exchangeLimit,
            \.unansweredLimit, \.totalExchangeLimit, \.apiLimit, \.streamLimit, \.totalFieldTableLimit,
            \.decodedBodyLimit,
            \.totalDecodedLimit, \.decoderMemoryLimit, \.totalRecordBytesLimit, \.totalEarlyDataLimit, \.fragmentLimit,
            \.fragmentBytesLimit, \.nameLimit, \.lookupLimit, \.quicFlowLimit, \.datagramEndpointLimit,
            \.datagramFlowLimit, \.processLimit,
        ]
        for path in numbers where random.oneIn(2) {
            options[keyPath: path] = 1 + random.below(random.element([3, 40, 2000]))
        }
        let times: [WritableKeyPath<AuditOptions, Int64>] = [
            \.lingerLimit, \.idleLimit, \.reorderingWindow, \.keyPatience, \.fragmentPatience,
        ]
        for path in times where random.oneIn(3) {
            options[keyPath: path] = 1_000_000 + Int64(random.below(1_000_000_000))
        }
        return options
    }

    /// A conversation of any layers with some of its frames lost, repeated or swapped.
    private static func damaged(_ frames: [CapturedFrame], _ random: inout SeededRandom) -> [CapturedFrame] {
        var frames = frames
        for index in frames.indices.reversed() {
            switch random.below(25) {
            case 0: frames.remove(at: index)
            case 1: frames.insert(frames[index], at: index)
            case 2 where index > 0: frames.swapAt(index, index - 1)
            default: break
            }
        }
        return frames
    }

    @Test("the books balance whatever the limits are", arguments: 0..<UInt64(Effort.rounds(8)))
    func balances(block: UInt64) {
        for seed in block * 20..<block * 20 + 20 {
            var random = SeededRandom(seed: seed)
            let options = Self.options(&random)
            var frames: [CapturedFrame] = []
            var keys = ""
            for _ in 0..<1 + random.below(3) {
                let layers = RandomLayers(seed: random.next())
                keys += layers.talk.peers?.keyLog ?? ""
                frames += Self.damaged(layers.talk.talk.frames, &random)
            }
            let plain = RandomConversation(seed: random.next(), port: 40_000)
            frames += Self.damaged(plain.talk.frames, &random)
            var isEmptyHanded = false
            let before = random.oneIn(2) ? random.below(frames.count) : nil
            let capture = audit(frames, options, keys: keys, keysBefore: before) { isEmptyHanded = $0.isEmptyHanded }
            // The row of all further APIs holds encrypted connections and exchanges alike.
            if options.apiLimit > 100 {
                #expect(capture.contradictions == [], "seed \(seed)")
            } else {
                #expect(capture.result.ledger.balanced, "seed \(seed)")
            }
            #expect(isEmptyHanded, "seed \(seed): something is counted still")
        }
    }
}
