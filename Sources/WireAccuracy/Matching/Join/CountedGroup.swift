/// The rows and exchanges of one name in a log that has neither times nor an order. Such a log holds no more than how many
/// rows there are of each class, and so a reading is no more than how many exchanges of each kind have rows of each class.
///
/// All readings are weighed. Rows of answers fit few exchanges, by their figures, and fall into clusters that share none.
/// What clusters share are the rows of failures, which may be of any exchange: of each cluster it is worked out how likely it
/// has so many of them, and what else is likely then.
struct CountedGroup: Hashable {
    /// Exchanges that are alike in all truths, and fit the same rows.
    struct Exchanges: Hashable {
        var count: Int
        var outcome: FailureRates.Outcome
        /// How well rows of failures fit; 0: none does.
        var failureFit: Double
        /// How well each class of rows of the cluster fits; 0: it does not.
        var fits: [Double]
    }

    struct Cluster: Hashable {
        /// Rows of each class.
        var rows: [Int]
        var exchanges: [Exchanges]
    }

    /// What is known of the rows of a class and some exchanges.
    struct Verdict {
        /// Exchanges with such a row, in the likeliest reading.
        var count = 0
        /// How many are expected to have such a row.
        var expected = 0.0
        /// Probability that one of these exchanges has a row of another class.
        var change = 0.0
        /// Probability that a row that has one of these exchanges has none, and the exchange no row.
        var leave = 0.0
    }

    struct Outcome {
        /// By cluster, by exchanges, by class; the last one is that of the rows of failures.
        var verdicts: [[[Verdict]]]
        /// By cluster and class: the probability that more rows have an exchange than in the likeliest reading.
        var more: [[Double]]
        var moreFailures: Double
        /// ln(likelihood) of all readings together.
        var likelihood: Double
    }

    var clusters: [Cluster]
    let failures: Int

    static let stateLimit = 10_000
    /// Kinds of exchanges times classes of rows, of one cluster.
    static let kindLimit = 200

    /// Adds what is to be learned to the sums; nil where there are too many readings.
    ///
    /// - Parameter budget: so many steps may be taken; those taken are subtracted.
    func weigh(_ rates: CountRates, _ sums: inout CountRates.Sums, budget: inout Int) -> Outcome? {
        var parts: [CountedCluster] = []
        for cluster in clusters {
            guard cluster.exchanges.count * (cluster.rows.count + 1) <= CountedGroup.kindLimit else { return nil }
            var part = CountedCluster(cluster, failures: failures, rates)
            budget -= (failures + 1) * (failures + 1)
            guard part.enumerate(budget: &budget) else { return nil }
            parts.append(part)
        }
        let exchanges = clusters.reduce(0) { $1.exchanges.reduce($0) { $0 + $1.count } }
        let surplus = SurplusTable(
            copied: rates.copied, rates.unsentWeights(exchanges: exchanges, upTo: failures))
        let shares = FailureShares(parts, surplus.weights)
        for (place, part) in parts.enumerated() { part.learn(shares.byCluster[place], &sums) }
        for (count, share) in shares.total.enumerated() {
            sums.unsent += share * surplus.strays[count]
            sums.copies += share * surplus.copies[count]
            sums.distinct += share * (Double(failures) - surplus.copies[count])
        }
        let likeliest = shares.likeliest.reduce(0, +)
        return Outcome(
            verdicts: zip(parts, zip(shares.byCluster, shares.likeliest)).map { $0.verdicts($1.0, $1.1) },
            more: zip(parts, zip(shares.byCluster, shares.likeliest)).map { $0.more($1.0, $1.1) },
            moreFailures: shares.total.dropFirst(likeliest + 1).reduce(0, +), likelihood: shares.likelihood)
    }
}

/// How many rows of failures each cluster of a group has.
private struct FailureShares {
    /// By cluster and number: the probability.
    var byCluster: [[Double]] = []
    /// By number, of all clusters together.
    var total: [Double]
    /// By cluster, in the likeliest reading.
    var likeliest: [Int] = []
    /// ln(likelihood) of all readings together.
    var likelihood: Double

    /// - Parameter surplus: by number of rows with an exchange, how likely the others have none.
    init(_ parts: [CountedCluster], _ surplus: [Double]) {
        let size = surplus.count
        let weights = parts.map { FailureShares.normalized($0.weights) }
        // Of the clusters before each one, and of those behind it.
        var before = [FailureShares.none(size)]
        for own in weights { before.append(FailureShares.sum(before[before.count - 1], own)) }
        var behind = surplus
        for (own, before) in zip(weights, before).reversed() {
            let rest = (0..<size).map { count in
                (0..<(size - count)).reduce(0.0) { $0 + before[$1] * behind[count + $1] }
            }
            byCluster.append(FailureShares.normalized(zip(own, rest).map { $0 * $1 }))
            behind = (0..<size).map { used in
                (0..<(size - used)).reduce(0.0) { $0 + own[$1] * behind[used + $1] }
            }
        }
        byCluster.reverse()
        let all = zip(before[parts.count], surplus).map { $0 * $1 }
        total = FailureShares.normalized(all)
        likelihood = parts.reduce(all.reduce(0, +).naturalLogarithm) {
            $0 + $1.weights.reduce(0, +).naturalLogarithm
        }
        setLikeliest(parts, surplus)
    }

    private mutating func setLikeliest(_ parts: [CountedCluster], _ surplus: [Double]) {
        let size = surplus.count
        var best = FailureShares.none(size)
        var choices: [[Int]] = []
        for part in parts {
            var (next, choice) = ([Double](repeating: 0, count: size), [Int](repeating: 0, count: size))
            for sum in 0..<size {
                for own in 0...sum where best[sum - own] * part.bestWeights[own] > next[sum] {
                    next[sum] = best[sum - own] * part.bestWeights[own]
                    choice[sum] = own
                }
            }
            best = FailureShares.normalized(next)
            choices.append(choice)
        }
        var sum = surplus.indices.max { best[$0] * surplus[$0] < best[$1] * surplus[$1] } ?? 0
        for choice in choices.reversed() {
            likeliest.append(choice[sum])
            sum -= choice[sum]
        }
        likeliest.reverse()
    }

    private static func none(_ size: Int) -> [Double] { [1] + [Double](repeating: 0, count: size - 1) }

    /// Of the sum of two numbers.
    private static func sum(_ one: [Double], _ other: [Double]) -> [Double] {
        one.indices.map { sum in (0...sum).reduce(0.0) { $0 + one[$1] * other[sum - $1] } }
    }

    private static func normalized(_ weights: [Double]) -> [Double] {
        let sum = weights.reduce(0, +)
        return sum > 0 ? weights.map { $0 / sum } : weights
    }
}
