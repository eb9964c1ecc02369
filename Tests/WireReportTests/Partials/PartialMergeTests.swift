import Testing
import WireCore
import WireTesting

@testable import WireAccuracy
@testable import WireComparison
@testable import WireLogs
@testable import WireRecords
@testable import WireReport
@testable import WireStatistics

@Suite("Partial results")
struct PartialMergeTests {
    private struct Reports: Equatable {
        var partial: String
        var accuracy: String
        var audit: String

        init(_ part: PartialResult) {
            var options = ReportOptions()
            options.merged = part.merged
            partial = partialJSON(part).text
            accuracy = accuracyJSON(part.accuracy, audit: part.audit, options: options).text
            audit = auditJSON(part.audit, options: options).text
        }
    }

    private static func merged(_ parts: [PartialResult]) throws -> PartialResult {
        var all = parts[0]
        for part in parts.dropFirst() { try all.merge(part) }
        return all
    }

    /// Merges any two of the parts until one is left; now and then a part goes through a file.
    private static func tree(_ parts: [PartialResult], _ random: inout SeededRandom) throws -> PartialResult {
        var parts = parts
        while parts.count > 1 {
            var one = parts.remove(at: random.below(parts.count))
            var other = parts.remove(at: random.below(parts.count))
            if random.below(4) == 0 { one = try reread(one) }
            if random.below(4) == 0 { other = try reread(other) }
            try one.merge(other)
            parts.append(one)
        }
        return parts[0]
    }

    private static func reread(_ part: PartialResult) throws -> PartialResult {
        try PartialResult(json: JSONReader(Array(partialJSON(part).text.utf8)))
    }

    @Test(
        "give the same bytes for any division into parts, any order and any tree",
        arguments: 1...12 as ClosedRange<UInt64>)
    func monoid(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let count = [1, 2, 5, 19, 20, 21, 45][random.below(7)]
        let parts = (0..<count).map { SampleSession($0, calls: seed % 3 == 0 ? 900 : 30, &random).part }
        let whole = Reports(try PartialMergeTests.merged(parts))
        for _ in 0..<4 {
            let shuffled = parts.shuffled(using: &random)
            let other = Reports(try PartialMergeTests.tree(shuffled, &random))
            #expect(other.partial == whole.partial, "seed \(seed), \(count) sessions")
            #expect(other.accuracy == whole.accuracy, "seed \(seed), \(count) sessions")
            #expect(other.audit == whole.audit, "seed \(seed), \(count) sessions")
        }
    }

    @Test("have the sums of all calls, as one result of all calls has them")
    func sums() throws {
        var random = SeededRandom(seed: 7)
        let sessions = (0..<30).map { SampleSession($0, &random) }
        let merged = try PartialMergeTests.merged(sessions.map(\.part))
        let result = merged.accuracy
        for (source, name) in ["one", "log:dm-sqlite"].enumerated() {
            let total = try #require(result.totals.first { $0.source == source })
            #expect(result.sources[source].id == name)
            let rows = sessions.flatMap { $0.result.totals.filter { $0.source == source } }
            #expect(total.message.count == rows.reduce(0) { $0 + $1.message.count })
            #expect(total.message.errorTotal == rows.reduce(0) { $0 + $1.message.errorTotal })
            #expect(total.messageCauses.sum == total.message.errorTotal)
            #expect(total.causes.sum == total.wire.errorTotal)
            #expect(total.coverage.calls == rows.reduce(0) { $0 + $1.coverage.calls })
            #expect(total.unseen[.scope] == rows.reduce(0) { $0 + $1.unseen[.scope] })
            #expect(total.message.isApproximate)
            #expect(total.message.maximum == rows.map(\.message.maximum).max())
        }
        let audit = merged.audit
        #expect(audit.ledger.balanced)
        #expect(audit.ledger.bytes == sessions.reduce(0) { $0 + $1.audit.ledger.bytes })
        #expect(merged.merged.sessions == 30)
        #expect(merged.merged.damagedFiles == sessions.count { $0.audit.files[0].damagedAt != nil })
    }

    @Test("resample sessions from 20 sessions of a row on, calls below", arguments: [1, 19, 20, 60])
    func resampling(count: Int) throws {
        var random = SeededRandom(seed: 3)
        var parts: [PartialResult] = []
        for number in 0..<count { parts.append(SampleSession(number, &random).part) }
        let merged = try PartialMergeTests.merged(parts)
        let keys = merged.calls.keys.filter { $0.api == nil && $0.source != CallKey.packets }
        #expect(!keys.isEmpty)
        for key in keys {
            let holding = parts.count { ($0.calls[key]?.coverage.calls ?? 0) > 0 }
            let row = merged.calls[key]?.row(0, nil, key.direction, seed: 1)
            #expect(row?.message.resampling == (holding >= 20 ? .sessions : .calls), "\(holding) sessions")
        }
    }

    @Test("refuse a session that comes twice, and parts of other reports or choices")
    func refusals() throws {
        var random = SeededRandom(seed: 5)
        let one = SampleSession(1, &random).part
        var all = try PartialMergeTests.merged([one, SampleSession(2, &random).part])
        #expect(throws: PartialResult.Refusal.sameSession(name: "session 1")) { try all.merge(one) }
        #expect(throws: PartialResult.Refusal.otherReport) {
            try all.merge(PartialResult(.audit, choices: one.choices))
        }
        #expect(throws: PartialResult.Refusal.otherChoice(name: "layer")) {
            try all.merge(PartialResult(.accuracy, choices: ["layer": ["link"], "host": []]))
        }
        #expect(all.sessions.count == 2)
    }

    @Test("are read again as they were written; damaged ones are refused and never trap")
    func reading() throws {
        var random = SeededRandom(seed: 11)
        let part = SampleSession(1, &random).part
        let bytes = Array(partialJSON(part).text.utf8)
        #expect(Array(partialJSON(try PartialMergeTests.reread(part)).text.utf8) == bytes)
        var readable = 0
        for _ in 0..<300 {
            var damaged = bytes
            for _ in 0...random.below(3) { damaged[random.below(damaged.count)] = UInt8(0x20 + random.below(0x5F)) }
            guard let read = try? PartialResult(json: JSONReader(damaged)) else { continue }
            _ = Reports(read)
            readable += 1
        }
        #expect(readable > 0 && readable < 300)
        for length in stride(from: 0, to: bytes.count, by: 997) {
            #expect(throws: PartialError.self) { try PartialResult(json: JSONReader(Array(bytes.prefix(length)))) }
        }
    }

    @Test("tell sessions without a name apart by their content, wherever their files lie")
    func identity() {
        var random = SeededRandom(seed: 13)
        let session = SampleSession(1, &random)
        func id(_ audit: AuditResult) -> SessionID? {
            var part = PartialResult(.audit, choices: [:])
            part.take(audit)
            part.setSession(nil, content: SessionContent())
            return part.sessions.keys.first
        }
        var moved = session.audit
        moved.files[0].path = "/elsewhere.pcap"
        #expect(id(session.audit) == id(moved))
        moved.files[0].packets += 1
        #expect(id(session.audit) != id(moved))
    }
}
