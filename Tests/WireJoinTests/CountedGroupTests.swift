import Foundation
import Testing
import WireTesting

@testable import WireJoin

@Suite("Rows of one name in a log without times and order, weighed by how many there are")
struct CountedGroupTests {
    private static func group(
        rows: [Int], _ exchanges: [(count: Int, outcome: FailureRates.Outcome)], failures: Int
    ) -> CountedGroup {
        let kinds = exchanges.map { item in
            CountedGroup.Exchanges(
                count: item.count, outcome: item.outcome, failureFit: 1, fits: rows.map { _ in 1 })
        }
        return CountedGroup(clusters: [CountedGroup.Cluster(rows: rows, exchanges: kinds)], failures: failures)
    }

    private static func weigh(_ group: CountedGroup, _ rates: CountRates = CountRates()) -> CountedGroup.Outcome? {
        var (sums, budget) = (CountRates.Sums(), 1_000_000)
        return group.weigh(rates, &sums, budget: &budget)
    }

    @Test("as many answers as exchanges have them, and rows of zeros are of none")
    func complete() throws {
        let outcome = try #require(Self.weigh(Self.group(rows: [9], [(9, .whole)], failures: 3)))
        let (answers, zeros) = (outcome.parts[0].verdicts[0][0], outcome.parts[0].verdicts[0][1])
        #expect(answers.count == 9 && zeros.count == 0)
        #expect(answers.change < 0.01 && answers.leave < 1e-6)
        #expect(outcome.moreFailures < 0.1)
    }

    @Test("a row of zeros has the exchange that was not answered, and the answer the other")
    func unanswered() throws {
        let outcome = try #require(
            Self.weigh(Self.group(rows: [1], [(1, .whole), (1, .unanswered)], failures: 1)))
        #expect(outcome.parts[0].verdicts.map { $0.map(\.count) } == [[1, 0], [0, 1]])
        #expect(outcome.parts[0].verdicts[1][1].change < 0.01)
    }

    @Test("where calls fail while answers are on the way, zeros may have any of exchanges that are alike")
    func failing() throws {
        var sums = CountRates.Sums()
        (sums.answers[0], sums.exchanges, sums.levels) = (380, 400, [0, 0, 0, 20, 0])
        let rates = CountRates(sums)
        let outcome = try #require(Self.weigh(Self.group(rows: [12], [(18, .whole)], failures: 6), rates))
        let (answers, zeros) = (outcome.parts[0].verdicts[0][0], outcome.parts[0].verdicts[0][1])
        #expect(answers.count == 12 && zeros.count == 6)
        #expect(abs(answers.change - 6.0 / 18) < 0.01 && abs(zeros.change - 12.0 / 18) < 0.01)
    }

    @Test("more answers than exchanges are copies")
    func copies() throws {
        var (sums, budget) = (CountRates.Sums(), 1_000_000)
        let group = Self.group(rows: [5], [(3, .whole)], failures: 0)
        let outcome = try #require(group.weigh(CountRates(), &sums, budget: &budget))
        #expect(outcome.parts[0].verdicts[0][0].count == 3)
        #expect(outcome.parts[0].more[0] == 0)
        #expect(sums.copies > 1.5 && sums.copies + sums.strays > 1.99)
    }

    @Test("too many readings are given up, and so is what comes behind a spent budget")
    func limits() {
        let rows = [Int](repeating: 6, count: 7)
        let large = Self.group(rows: rows, [(40, .whole), (40, .cut)], failures: 20)
        var (sums, budget) = (CountRates.Sums(), 1_000_000_000)
        #expect(large.weigh(CountRates(), &sums, budget: &budget) == nil)
        // A cluster leaves the rest of the budget to what comes behind it.
        #expect(budget > 1_000_000_000 - CountedGroup.clusterBudget - 10_000)
        let wide = Self.group(
            rows: [1], [(Int, FailureRates.Outcome)](repeating: (1, .whole), count: 3000), failures: 1)
        #expect(wide.weigh(CountRates(), &sums, budget: &budget) == nil)
        budget = 5
        #expect(Self.group(rows: [9], [(9, .whole)], failures: 3).weigh(CountRates(), &sums, budget: &budget) == nil)
    }

    @Test("of two suppositions the first one's reading stays, and each counts by its weight in how sure it is")
    func mixed() throws {
        let group = Self.group(rows: [12], [(18, .whole)], failures: 6)
        var sums = CountRates.Sums()
        (sums.answers[0], sums.exchanges, sums.levels) = (380, 400, [0, 0, 0, 20, 0])
        let failing = try #require(Self.weigh(group, CountRates(sums)))
        (sums.answers[0], sums.levels, sums.unsent) = (300, [20, 0, 0, 0, 0], 80)
        let unsent = try #require(Self.weigh(group, CountRates(sums)))
        var mixed = failing
        mixed.mix(unsent, 0.25)
        let all = [failing, unsent, mixed].map { $0.parts[0].verdicts[0] }
        #expect(all.map { $0[1].count } == [6, 0, 6])
        for place in 0..<2 {
            #expect(abs(all[2][place].expected - 0.75 * all[0][place].expected - 0.25 * all[1][place].expected) < 1e-12)
        }
        #expect(abs(all[2][1].change - all[2][0].expected / 18) < 1e-12)
        let leave = (mixed.failures.enumerated().reduce(0.0) { $0 + $1.element * Double(6 - $1.offset) }) / 6
        #expect(abs(all[2][1].leave - leave) < 1e-12 && leave > 0.2)
    }

    @Test("all is as likely as when every exchange and every row is looked at on its own")
    func model() throws {
        var possible = 0
        for seed in 1...60 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let halvings = random.below(1 + CountRates.mostHalvings)
            let (group, rates) = Self.randomGroup(&random, halvings)
            let oracle = SingleWorlds(group, rates, shape: 0.5 / Double(1 << halvings))
            guard oracle.total > 0 else { continue }
            possible += 1
            let outcome = try #require(Self.weigh(group, rates), "seed \(seed)")
            #expect(abs(outcome.likelihood - oracle.total.naturalLogarithm) < 1e-9, "seed \(seed)")
            for (cluster, part) in outcome.parts.enumerated() {
                for (exchanges, own) in part.verdicts.enumerated() {
                    for (rowClass, verdict) in own.enumerated() {
                        let expected = oracle.expected(cluster, exchanges, rowClass)
                        #expect(abs(verdict.expected - expected) < 1e-9, "seed \(seed)")
                        guard verdict.count > 0 else { continue }
                        let others = own.indices.filter { $0 != rowClass }.reduce(0.0) {
                            $0 + oracle.expected(cluster, exchanges, $1)
                        }
                        let count = Double(group.clusters[cluster].exchanges[exchanges].count)
                        #expect(abs(verdict.change - others / count) < 1e-9, "seed \(seed)")
                    }
                }
            }
            let placed = outcome.parts.flatMap(\.verdicts).reduce(0) { $0 + ($1.last?.count ?? 0) }
            #expect(abs(outcome.moreFailures - oracle.moreFailures(than: placed)) < 1e-9, "seed \(seed)")
        }
        #expect(possible > 30)
    }

    private static func randomGroup(_ random: inout SeededRandom, _ halvings: Int) -> (CountedGroup, CountRates) {
        let kinds = FailureRates.Outcome.allCases
        let clusters = (0..<(1 + random.below(2))).map { _ in
            let rows = (0..<random.below(3)).map { _ in (1 + random.below(2)) }
            let exchanges = (0..<(1 + random.below(2))).map { _ in
                CountedGroup.Exchanges(
                    count: (1 + random.below(2)),
                    outcome: random.element(kinds),
                    failureFit: random.oneIn(2) ? 1 : 0,
                    fits: rows.map { _ in random.element([0, 0.01, 1]) })
            }
            return CountedGroup.Cluster(rows: rows, exchanges: exchanges)
        }
        var sums = CountRates.Sums()
        for place in kinds.indices {
            sums.failures[place] = Double(random.below(20))
            sums.answers[place] = Double(random.below(20))
        }
        sums.levels = sums.levels.map { _ in Double(random.below(20)) }
        (sums.exchanges, sums.copies, sums.distinct) = (180, Double(random.below(20)), 100)
        (sums.unsent, sums.strays, sums.classes) = (Double(random.below(90)), 3, 40)
        return (CountedGroup(clusters: clusters, failures: random.below(4)), CountRates(sums, halvings: halvings))
    }
}

/// What may have become of each exchange and each row of a group, one by one: an oracle that knows nothing of classes.
private struct SingleWorlds {
    private struct Exchange {
        var cluster: Int
        var kind: Int
        var facts: CountedGroup.Exchanges
    }

    private let group: CountedGroup
    private let rates: CountRates
    private let shape: Double
    /// Share of rows of whole responses that tell of a failure.
    private var whole = 0.0
    private var exchanges: [Exchange] = []
    private(set) var total = 0.0
    private var sums: [[Int]: Double] = [:]
    private var byFailures: [Int: Double] = [:]

    init(_ group: CountedGroup, _ rates: CountRates, shape: Double) {
        (self.group, self.rates, self.shape) = (group, rates, shape)
        for (cluster, own) in group.clusters.enumerated() {
            for (kind, facts) in own.exchanges.enumerated() {
                exchanges += (0..<facts.count).map { _ in Exchange(cluster: cluster, kind: kind, facts: facts) }
            }
        }
        for (level, share) in rates.levelShares.enumerated() {
            whole = CountRates.levels[level]
            choose(0, [], share)
        }
    }

    func expected(_ cluster: Int, _ kind: Int, _ rowClass: Int) -> Double {
        (sums[[cluster, kind, rowClass]] ?? 0) / total
    }

    func moreFailures(than count: Int) -> Double {
        byFailures.reduce(0) { $0 + ($1.key > count ? $1.value : 0) } / total
    }

    /// - Parameter chosen: by exchange, the class of its row; that of failures is behind all, -1 is none.
    private mutating func choose(_ place: Int, _ chosen: [Int], _ weight: Double) {
        guard weight > 0 else { return }
        guard place < exchanges.count else { return note(chosen, weight) }
        let facts = exchanges[place].facts
        let failing = facts.outcome == .whole ? whole : rates.failing(facts.outcome)
        choose(place + 1, chosen + [-1], weight * (1 - rates.recorded))
        for (rowClass, fit) in facts.fits.enumerated() {
            choose(place + 1, chosen + [rowClass], weight * rates.recorded * (1 - failing) * fit)
        }
        choose(place + 1, chosen + [facts.fits.count], weight * rates.recorded * failing * facts.failureFit)
    }

    private mutating func note(_ chosen: [Int], _ weight: Double) {
        var weight = weight
        for (cluster, own) in group.clusters.enumerated() {
            for (rowClass, rows) in own.rows.enumerated() {
                let placed = chosen.indices.count { exchanges[$0].cluster == cluster && chosen[$0] == rowClass }
                weight *= written(rows, placed) { (1 - rates.stray) * power(rates.stray, $0) }
            }
        }
        let failures = chosen.indices.count { chosen[$0] == exchanges[$0].facts.fits.count }
        weight *= written(group.failures, failures) { unsent($0) }
        guard weight > 0 else { return }
        total += weight
        byFailures[failures, default: 0] += weight
        for (place, rowClass) in chosen.enumerated() where rowClass >= 0 {
            sums[[exchanges[place].cluster, exchanges[place].kind, rowClass], default: 0] += weight
        }
    }

    /// How likely so many rows were written of so many with an exchange: others without one, and each once or twice.
    private func written(_ rows: Int, _ placed: Int, others: (Int) -> Double) -> Double {
        guard placed <= rows else { return 0 }
        var sum = 0.0
        for other in 0...(rows - placed) {
            let distinct = placed + other
            for twice in 0..<(1 << distinct) where distinct + twice.nonzeroBitCount == rows {
                sum +=
                    others(other) * power(rates.copied, twice.nonzeroBitCount)
                    * power(1 - rates.copied, distinct - twice.nonzeroBitCount)
            }
        }
        return sum
    }

    private func unsent(_ count: Int) -> Double {
        let mean = rates.unsent * Double(exchanges.count + 1)
        let ratio = mean / (mean + shape)
        return pow(1 - ratio, shape) * pow(ratio, Double(count))
            * (0..<count).reduce(1.0) { $0 * (shape + Double($1)) / Double($1 + 1) }
    }
}
