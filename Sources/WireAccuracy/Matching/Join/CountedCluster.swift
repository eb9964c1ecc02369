/// All readings of a cluster of a `CountedGroup`, summed up by how many rows of failures they give to it.
struct CountedCluster {
    private let cluster: CountedGroup.Cluster
    private let failures: Int
    private let rates: CountRates
    /// By class.
    private let surplus: [SurplusTable]
    /// By number of rows of failures: the weight of all readings with so many, and of the likeliest.
    private(set) var weights: [Double]
    private(set) var bestWeights: [Double]
    /// By number of rows of failures: the likeliest reading, by exchanges and class.
    private var best: [[Int]]
    /// By exchanges and class, by number of rows of failures, by number of rows: the weight.
    private var histograms: [[[Double]]]
    /// By class, likewise: of all exchanges of the cluster.
    private var totals: [[[Double]]]

    // The reading that is being made.
    private var counts: [Int]
    private var placed: [Int]
    private var given = 0
    private var states = 0
    private var stateLimit = 0

    /// Classes of rows, those of failures as the last.
    private var width: Int { cluster.rows.count + 1 }

    init(_ cluster: CountedGroup.Cluster, failures: Int, _ rates: CountRates) {
        (self.cluster, self.failures, self.rates) = (cluster, failures, rates)
        surplus = cluster.rows.map { SurplusTable(copied: rates.copied, rates.strayWeights(upTo: $0)) }
        weights = Array(repeating: 0, count: failures + 1)
        bestWeights = weights
        counts = Array(repeating: 0, count: cluster.exchanges.count * (cluster.rows.count + 1))
        best = Array(repeating: counts, count: failures + 1)
        placed = Array(repeating: 0, count: cluster.rows.count)
        func histogram(_ length: Int) -> [[Double]] {
            Array(repeating: Array(repeating: 0, count: length + 1), count: failures + 1)
        }
        let rows = cluster.rows + [failures]
        histograms = cluster.exchanges.flatMap { exchanges in rows.map { histogram(min($0, exchanges.count)) } }
        totals = cluster.rows.map { histogram($0) }
    }

    /// False where there are too many readings.
    mutating func enumerate(budget: inout Int) -> Bool {
        stateLimit = min(CountedGroup.stateLimit, max(0, budget) / max(1, counts.count))
        place(0, 0, left: cluster.exchanges.first?.count ?? 0, weight: 1)
        budget -= states * max(1, counts.count)
        guard states <= stateLimit, budget > 0 else { return false }
        // None is possible, or all are too unlikely for a number.
        return weights.contains { $0 > 0 }
    }

    /// Gives exchanges that are alike rows of a class, and goes on with the next.
    ///
    /// - Parameter left: how many of them have no row yet.
    private mutating func place(_ exchanges: Int, _ rowClass: Int, left: Int, weight: Double) {
        guard states <= stateLimit else { return }
        guard exchanges < cluster.exchanges.count else { return note(weight) }
        let own = cluster.exchanges[exchanges]
        if rowClass == width {
            let next = exchanges + 1 < cluster.exchanges.count ? cluster.exchanges[exchanges + 1].count : 0
            return place(exchanges + 1, 0, left: next, weight: weight * power(1 - rates.recorded, left))
        }
        let isFailure = rowClass == cluster.rows.count
        let failing = rates.failing[own.outcome.rawValue]
        let share = rates.recorded * (isFailure ? failing * own.failureFit : (1 - failing) * own.fits[rowClass])
        let free = isFailure ? failures - given : cluster.rows[rowClass] - placed[rowClass]
        let most = share > 0 ? min(left, free) : 0
        var ways = weight
        for count in 0...most {
            if count > 0 { ways *= share * Double(left - count + 1) / Double(count) }
            counts[exchanges * width + rowClass] = count
            if isFailure { given += count } else { placed[rowClass] += count }
            place(exchanges, rowClass + 1, left: left - count, weight: ways)
            if isFailure { given -= count } else { placed[rowClass] -= count }
        }
        counts[exchanges * width + rowClass] = 0
    }

    private mutating func note(_ weight: Double) {
        states += 1
        var weight = weight
        for (rowClass, count) in placed.enumerated() { weight *= surplus[rowClass].weights[count] }
        guard weight > 0 else { return }
        weights[given] += weight
        for (place, count) in counts.enumerated() { histograms[place][given][count] += weight }
        for (rowClass, count) in placed.enumerated() { totals[rowClass][given][count] += weight }
        if weight > bestWeights[given] {
            bestWeights[given] = weight
            best[given] = counts
        }
    }

    /// By number of rows: the probability.
    ///
    /// - Parameter shares: by number of rows of failures, how likely the cluster has so many.
    private func distribution(_ histogram: [[Double]], _ shares: [Double]) -> [Double] {
        var sums = [Double](repeating: 0, count: histogram[0].count)
        for (given, share) in shares.enumerated() where share > 0 && weights[given] > 0 {
            for (count, weight) in histogram[given].enumerated() { sums[count] += share * weight / weights[given] }
        }
        return sums
    }

    private func expected(_ distribution: [Double]) -> Double {
        distribution.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element }
    }

    func learn(_ shares: [Double], _ sums: inout CountRates.Sums) {
        for (place, histogram) in histograms.enumerated() {
            let outcome = cluster.exchanges[place / width].outcome.rawValue
            let rows = expected(distribution(histogram, shares))
            if place % width == width - 1 { sums.failures[outcome] += rows } else { sums.answers[outcome] += rows }
        }
        sums.exchanges += Double(cluster.exchanges.reduce(0) { $0 + $1.count })
        for (rowClass, rows) in cluster.rows.enumerated() {
            for (count, share) in distribution(totals[rowClass], shares).enumerated() {
                sums.strays += share * surplus[rowClass].strays[count]
                sums.copies += share * surplus[rowClass].copies[count]
                sums.distinct += share * (Double(rows) - surplus[rowClass].copies[count])
            }
            sums.classes += 1
        }
    }

    /// By exchanges and class.
    ///
    /// - Parameter likeliest: how many rows of failures the cluster has in the likeliest reading.
    func verdicts(_ shares: [Double], _ likeliest: Int) -> [[CountedGroup.Verdict]] {
        cluster.exchanges.indices.map { place in
            let own = histograms[(place * width)..<((place + 1) * width)].map { distribution($0, shares) }
            let expected = own.map { self.expected($0) }
            let all = expected.reduce(0, +)
            return own.indices.map { rowClass in
                let count = best[likeliest][place * width + rowClass]
                var verdict = CountedGroup.Verdict(count: count, expected: expected[rowClass])
                guard count > 0 else { return verdict }
                verdict.change = max(0, all - expected[rowClass]) / Double(cluster.exchanges[place].count)
                // Of answers some are enough: a row too many is a copy of one of them.
                let isAnswer = rowClass + 1 < own.count
                for (number, share) in own[rowClass].enumerated() where number < (isAnswer ? 1 : count) {
                    verdict.leave += share * Double(count - number) / Double(count)
                }
                return verdict
            }
        }
    }

    func more(_ shares: [Double], _ likeliest: Int) -> [Double] {
        cluster.rows.indices.map { rowClass in
            let count = cluster.exchanges.indices.reduce(0) { $0 + best[likeliest][$1 * width + rowClass] }
            return distribution(totals[rowClass], shares).dropFirst(count + 1).reduce(0, +)
        }
    }
}
