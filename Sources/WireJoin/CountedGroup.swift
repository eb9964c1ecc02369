/// The rows and exchanges of one name in a log that has neither times nor an order. Such a log holds no more than how many
/// rows there are of each class, and so a reading is no more than how many exchanges of each kind have rows of each class.
///
/// All readings are weighed. Rows of answers fit few exchanges, by their figures, and fall into clusters that share none.
/// What clusters share are the rows of failures, which may be of any exchange: of each cluster it is worked out how likely it
/// has so many of them, and what else is likely then.
package struct CountedGroup: Hashable {
    /// Exchanges that are alike in all truths, and fit the same rows.
    package struct Exchanges: Hashable {
        package var count: Int
        var outcome: FailureRates.Outcome
        /// How well rows of failures fit; 0: none does.
        var failureFit: Double
        /// How well each class of rows of the cluster fits; 0: it does not.
        package var fits: [Double]
    }

    struct Cluster: Hashable {
        /// Rows of each class.
        var rows: [Int]
        var exchanges: [Exchanges]
    }

    var clusters: [Cluster]
    package let failures: Int

    static let readingLimit = 10_000
    /// Steps that one cluster may take.
    static let clusterBudget = 500_000
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
            budget -= CountRates.levels.count * (failures + 1) * (failures + 1)
            guard part.enumerate(budget: &budget) else { return nil }
            parts.append(part)
        }
        let exchanges = clusters.reduce(0) { $1.exchanges.reduce($0) { $0 + $1.count } }
        let surplus = SurplusTable(
            copied: rates.copied, rates.unsentWeights(exchanges: exchanges, upTo: failures))
        let shares = FailureShares(parts, surplus.weights, rates.levelShares)
        for (level, share) in shares.levels.enumerated() { sums.levels[level] += share }
        for (place, part) in parts.enumerated() { part.learn(shares.byCluster[place], &sums) }
        for (count, share) in shares.total.enumerated() {
            sums.unsent += share * surplus.strays[count]
            sums.copies += share * surplus.copies[count]
            sums.distinct += share * (Double(failures) - surplus.copies[count])
        }
        return Outcome(
            parts: zip(parts, zip(shares.byCluster, shares.likeliest)).map { $0.outcome($1.0, $1.1) },
            failures: shares.total, likelihood: shares.likelihood)
    }
}
