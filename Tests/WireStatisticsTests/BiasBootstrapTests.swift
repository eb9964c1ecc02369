import Testing
import WireTesting

@testable import WireStatistics

@Suite("Bootstrap interval of the bias")
struct BiasBootstrapTests {
    /// Resamples call by call and sorts the means.
    private func plainInterval(_ errors: [Int], _ random: inout SeededRandom) -> (low: Double, high: Double) {
        let resamples = 2000
        let means = (0..<resamples).map { _ in
            Double(errors.indices.reduce(0) { sum, _ in sum + random.element(errors) }) / Double(errors.count)
        }.sorted()
        return (means[resamples * 25 / 1000 - 1], means[resamples * 975 / 1000 - 1])
    }

    private func statistics(_ errors: [Int], seed: UInt64 = 1) -> ErrorStatistics {
        accumulate(errors.map { EstimatedCall($0, 0) }).statistics(seed: seed)
    }

    struct Sample: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Calls; with many of them resampling goes through the tree of binomial draws.
        var count: Int
        var error: @Sendable (inout SeededRandom) -> Int

        init(_ description: String, count: Int, _ error: @escaping @Sendable (inout SeededRandom) -> Int) {
            testDescription = description
            self.count = count
            self.error = error
        }
    }

    @Test(
        "agrees with drawing call by call",
        arguments: [
            Sample("two calls", count: 2) { $0.below(100) },
            Sample("few calls", count: 12) { $0.below(1000) - 300 },
            Sample("as many errors as calls", count: 300) { $0.below(1_000_000) },
            Sample("two errors", count: 700) { $0.oneIn(10) ? 500 : -20 },
            Sample("a rare error", count: 900) { $0.oneIn(300) ? 100_000 : 0 },
            Sample("few errors", count: 1500) { $0.below(7) * 11 },
            Sample("joined errors", count: 2500) { $0.below(400) - 100 },
            Sample("joined errors with a tail", count: 2500) { $0.below(200) + ($0.oneIn(40) ? $0.below(50_000) : 0) },
            Sample("buckets", count: 1500) { (1 << $0.below(12)) * (500 + $0.below(500)) - 100_000 },
        ])
    func agreesWithPlainResampling(sample: Sample) {
        for seed in 1...2 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let errors = (0..<sample.count).map { _ in sample.error(&random) }
            let expected = plainInterval(errors, &random)
            let found = statistics(errors)
            // An end of such an interval is itself uncertain by about 1/40 of the width.
            let tolerance = 0.12 * (expected.high - expected.low)
            #expect(abs(found.biasLow - expected.low) <= tolerance, "seed \(seed): \(found) \(expected)")
            #expect(abs(found.biasHigh - expected.high) <= tolerance, "seed \(seed): \(found) \(expected)")
            #expect(found.biasLow <= found.bias && found.bias <= found.biasHigh)
        }
    }

    @Test("of very many calls is that of the normal distribution", arguments: [100_000, 10_000_000, 1 << 40])
    func manyCalls(count: Int) {
        var accumulator = ErrorAccumulator()
        for error in [-40, 0, 3, 900] { accumulator.add(estimate: error, truth: 0) }
        var calls = 4
        while calls < count {
            accumulator.merge(accumulator)
            calls *= 2
        }
        let found = accumulator.statistics(seed: 1)
        #expect(found.count == calls)
        let deviation = found.rootMeanSquare * found.rootMeanSquare - found.bias * found.bias
        let half = 1.96 * (deviation / Double(calls)).squareRoot()
        #expect(abs(found.bias - found.biasLow - half) < 0.1 * half, "\(found)")
        #expect(abs(found.biasHigh - found.bias - half) < 0.1 * half, "\(found)")
    }

    @Test("holds the true bias about as often as it says")
    func coverage() {
        var random = SeededRandom(seed: 2026)
        var covered = 0
        for round in 0..<400 {
            // The mean is 50.
            let found = statistics((0..<80).map { _ in random.below(101) }, seed: UInt64(round))
            if found.biasLow <= 50, found.biasHigh >= 50 { covered += 1 }
        }
        #expect((365...392).contains(covered), "\(covered) of 400")
    }

    @Test("is the bias where all errors are the same")
    func constant() {
        let found = statistics(Array(repeating: -7, count: 1000))
        #expect((found.biasLow, found.biasHigh) == (-7, -7))
    }

    @Test("follows from the seed to the last bit, on every platform")
    func pinned() {
        var random = SeededRandom(seed: 11)
        let few = statistics((0..<50).map { _ in random.below(900) }, seed: 42)
        let many = statistics((0..<6000).map { _ in random.below(30) * random.below(30) }, seed: 42)
        let buckets = statistics((0..<6000).map { _ in random.below(1_000_000) }, seed: 42)
        #expect((few.biasLow, few.biasHigh) == (423.91999999999996, 558.14))
        #expect((many.biasLow, many.biasHigh) == (202.41383544689083, 211.81346271057535))
        #expect((buckets.biasLow, buckets.biasHigh) == (497965.5307620253, 512038.2712215441))
        random = SeededRandom(seed: 11)
        let other = statistics((0..<50).map { _ in random.below(900) }, seed: 43)
        #expect((few.biasLow, few.biasHigh) != (other.biasLow, other.biasHigh))
    }
}

@Suite("Random draws")
struct RandomWordsTests {
    struct Trials: Sendable {
        var count: Int
        var probability: Double
    }

    private static let trials = [
        Trials(count: 1, probability: 0.5), Trials(count: 10, probability: 0.3), Trials(count: 64, probability: 0.75),
        Trials(count: 130, probability: 0.01), Trials(count: 1000, probability: 0.9),
        Trials(count: 3000, probability: 0.002), Trials(count: 5000, probability: 0.4),
        Trials(count: 1_000_000, probability: 0.0001), Trials(count: 1_000_000, probability: 0.37),
    ]

    @Test("of binomial counts have their mean, variance and skew", arguments: trials)
    func moments(trials: Trials) {
        var random = RandomWords(seed: 5)
        let rounds = 20_000
        let (count, share) = (Double(trials.count), trials.probability)
        let variance = count * share * (1 - share)
        var (mean, square, cube) = (0.0, 0.0, 0.0)
        for _ in 0..<rounds {
            let drawn = random.successes(among: trials.count, Chance(bits: UInt64(share * 0x1p64)))
            guard (0...trials.count).contains(drawn) else { return #expect((0...trials.count).contains(drawn)) }
            let distance = (Double(drawn) - count * share) / variance.squareRoot()
            mean += distance / Double(rounds)
            square += distance * distance / Double(rounds)
            cube += distance * distance * distance / Double(rounds)
        }
        let skew = (1 - 2 * share) / variance.squareRoot()
        #expect(abs(mean) < 0.03, "\(trials)")
        #expect(abs(square - 1) < 0.06, "\(trials)")
        #expect(abs(cube - skew) < 0.12 + 0.1 * abs(skew), "\(trials)")
    }

    @Test("of few trials have the exact distribution", arguments: [0.001, 0.3, 0.5, 0.625, 0.99])
    func distribution(share: Double) {
        var random = RandomWords(seed: 6)
        let rounds = 40_000
        var found = [Int](repeating: 0, count: 5)
        for _ in 0..<rounds { found[random.successes(among: 4, Chance(bits: UInt64(share * 0x1p64)))] += 1 }
        for (successes, ways) in [1.0, 4, 6, 4, 1].enumerated() {
            var expected = ways
            for trial in 0..<4 { expected *= trial < successes ? share : 1 - share }
            let deviation = (expected * (1 - expected) * Double(rounds)).squareRoot()
            #expect(abs(Double(found[successes]) - expected * Double(rounds)) <= 4 * deviation + 1, "\(share)")
        }
    }

    @Test("stay within their bounds at the ends of all ranges")
    func ends() {
        var random = RandomWords(seed: 7)
        for trials in [0, 1, 63, 64, 65, 1024, 1025, 1 << 40, Int.max - 1, Int.max] {
            for probability in [0, 1, 1 << 63, UInt64.max] as [UInt64] {
                let drawn = random.successes(among: trials, Chance(bits: probability))
                #expect((0...trials).contains(drawn))
                if probability == 0 { #expect(drawn == 0) }
            }
        }
        for bound in [1, 2, 3, 1000, Int.max] { #expect((0..<bound).contains(random.below(bound))) }
    }
}
