import Testing
import WireEstimates
import WireTesting

@Suite("Ledgers of causes")
struct CauseLedgerTests {
    @Test("a ledger holds what a dictionary holds, whether few causes or all", arguments: 1...20 as ClosedRange<UInt64>)
    func model(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var ledger = CauseLedger()
        var model: [ErrorCause: Int] = [:]
        var other = CauseLedger()
        let causes = ErrorCause.allCases.filter { _ in random.oneIn(Int(seed % 4) + 1) }
        for _ in 0..<200 where !causes.isEmpty {
            let cause = random.element(causes)
            let bytes = random.below(7) - 3
            switch random.below(4) {
            case 0:
                ledger[cause] = bytes
                model[cause] = bytes
            case 1:
                ledger[cause] += bytes
                model[cause, default: 0] += bytes
            case 2:
                ledger.add(bytes, to: cause)
                model[cause, default: 0] += bytes
            default:
                other[cause] = bytes
                ledger += other
                for post in other.posts { model[post.cause, default: 0] += post.bytes }
            }
            let expected = ErrorCause.allCases.filter { model[$0, default: 0] != 0 }
            #expect(ledger.posts.map(\.cause) == expected, "seed \(seed)")
            #expect(ledger.posts.map(\.bytes) == expected.map { model[$0] }, "seed \(seed)")
            #expect(ledger.sum == model.values.reduce(0, +), "seed \(seed)")
        }
        var copy = CauseLedger()
        for post in ledger.posts { copy[post.cause] = post.bytes }
        #expect(copy == ledger)
        copy[.cache] += 1
        #expect(copy != ledger)
    }

    @Test("causes have unique names and stand in order")
    func names() {
        let causes = ErrorCause.allCases
        #expect(Set(causes.map(\.name)).count == causes.count)
        #expect(causes.map(\.rawValue) == Array(causes.indices))
        #expect(causes.allSatisfy { !$0.meaning.isEmpty })
        for cause in causes { #expect(cause.isTransport == cause.name.hasPrefix("X."), "\(cause.name)") }
    }

    @Test("absurd sizes wrap instead of trapping")
    func wraps() {
        var ledger = CauseLedger()
        ledger[.failure] = .max
        ledger.add(1, to: .failure)
        ledger += ledger
        ledger[.cache] = .max
        _ = ledger.sum
    }
}
