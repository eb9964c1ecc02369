import Testing
import WireCore
import WireTesting

@testable import WireAccuracy
@testable import WireComparison
@testable import WireLogs
@testable import WireRecords
@testable import WireReport

@Suite("Partial results that were changed, or have unusual names")
struct PartialEditTests {
    private static let values = [
        "-1", "0", "1", "9223372036854775807", "-9223372036854775808", "4611686018427387904",
        "170141183460469231731687303715884105727", "-170141183460469231731687303715884105728",
    ]

    /// Places of the numbers of a text.
    private static func numbers(_ bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start: Int?
        for (place, byte) in bytes.enumerated() {
            let isDigit = 0x30...0x39 ~= byte || byte == 0x2D
            if isDigit, start == nil, place > 0, [0x5B, 0x2C, 0x3A].contains(bytes[place - 1]) { start = place }
            if !isDigit, let first = start {
                found.append(first..<place)
                start = nil
            }
        }
        return found
    }

    @Test(
        "a number that is changed is refused, or the reports are made: nothing traps",
        arguments: 1...6 as ClosedRange<UInt64>)
    func edits(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        // Large ones take their time.
        let (calls, rounds) = seed % 2 == 0 ? (900, 60) : (30, 250)
        let part = SampleSession(1, calls: calls, &random).part
        let bytes = Array(partialJSON(part).text.utf8)
        let places = Self.numbers(bytes)
        let other = SampleSession(2, &random).part
        var refused = 0
        for _ in 0..<rounds {
            var changed = bytes
            let place = places[random.below(places.count)]
            changed.replaceSubrange(place, with: Array(Self.values[random.below(Self.values.count)].utf8))
            do {
                var read = try PartialResult(json: JSONReader(changed))
                try read.check(version: toolVersion)
                try read.merge(other)
                _ = accuracyJSON(read.accuracy, audit: read.audit, options: ReportOptions()).text
                _ = accuracyText(read.accuracy, audit: read.audit, options: ReportOptions(), style: TerminalStyle())
                _ = auditJSON(read.audit, options: ReportOptions()).text
            } catch { refused += 1 }
        }
        #expect(refused * 5 > rounds * 2 && refused < rounds, "\(refused), seed \(seed)")
    }

    @Test("names that differ in bytes are apart, also where Unicode sees no difference")
    func exactNames() throws {
        func part(_ name: String, _ session: String) -> PartialResult {
            var part = PartialResult(.accuracy, choices: [:])
            part.add(.calls, [name]) { $0.set("count", 1) }
            var sums = CallSums()
            sums.coverage.calls = 1
            part.calls[CallKey(source: CallKey.packets, api: name, direction: .up)] = sums
            part.setSession(session, content: SessionContent())
            return part
        }
        let (composed, decomposed) = ("GET a.test /caf\u{E9}", "GET a.test /cafe\u{301}")
        let parts = [part(composed, "\u{E9}"), part(decomposed, "e\u{301}"), part(composed, "other")]
        var written: Set<[UInt8]> = []
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            var merged = parts[order[0]]
            for place in order.dropFirst() { try merged.merge(parts[place]) }
            #expect(
                merged.rows(.calls).map { Array($0.names[0].utf8) } == [decomposed, composed].map { Array($0.utf8) })
            #expect(merged.rows(.calls).map { $0.row.integer("count") } == [1, 2])
            #expect(merged.calls.count == 2 && merged.sessions.count == 3)
            written.insert(Array(partialJSON(merged).text.utf8))
        }
        #expect(written.count == 1)
    }

    @Test("counts that no captures have together are refused when parts are merged")
    func largeSums() throws {
        var random = SeededRandom(seed: 3)
        var parts = [SampleSession(1, &random).part, SampleSession(2, &random).part]
        for index in parts.indices { parts[index].magnitude = 3 << 60 }
        #expect(throws: PartialResult.Refusal.tooLarge) { try parts[0].merge(parts[1]) }
        #expect(parts[0].sessions.count == 1)
    }
}
