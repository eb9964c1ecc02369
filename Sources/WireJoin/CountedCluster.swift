/// All readings of a cluster of a `CountedGroup`, summed up by how many rows of failures they give to it, for each share of
/// failures that its name may have (`CountRates.levels`). Both together are a state: the level times the number of rows and one,
/// and the number of rows.
struct CountedCluster {
    private let cluster: CountedGroup.Cluster
    private let failures: Int
    private let rates: CountRates
    /// By class.
    private let surplus: [SurplusTable]
    /// By state: the weight of all readings of it, and of the likeliest.
    private(set) var weights: [Double]
    private(set) var bestWeights: [Double]
    /// By state: the likeliest reading, by exchanges and class.
    private var best: [[Int]]
    /// By exchanges and class, by state, by number of rows: the weight.
    private var histograms: [[[Double]]]
    /// By class, likewise: of all exchanges of the cluster.
    private var totals: [[[Double]]]

    // The reading that is being made.
    private var counts: [Int]
    private var placed: [Int]
    private var given = 0
    /// Whole responses with a row of a failure, and with another one.
    private var whole = (failures: 0, answers: 0)
    private var readings = 0
    private var readingLimit = 0

    /// Classes of rows, those of failures as the last.
    private var width: Int { cluster.rows.count + 1 }

    init(_ cluster: CountedGroup.Cluster, failures: Int, _ rates: CountRates) {
        (self.cluster, self.failures, self.rates) = (cluster, failures, rates)
        surplus = cluster.rows.map { SurplusTable(copied: rates.copied, rates.strayWeights(upTo: $0)) }
        let states = CountRates.levels.count * (failures + 1)
        weights = Array(repeating: 0, count: states)
        bestWeights = weights
        counts = Array(repeating: 0, count: cluster.exchanges.count * (cluster.rows.count + 1))
        best = Array(repeating: counts, count: states)
        placed = Array(repeating: 0, count: cluster.rows.count)
        func histogram(_ length: Int) -> [[Double]] {
            Array(repeating: Array(repeating: 0, count: length + 1), count: states)
        }
        let rows = cluster.rows + [failures]
        histograms = cluster.exchanges.flatMap { exchanges in rows.map { histogram(min($0, exchanges.count)) } }
        totals = cluster.rows.map { histogram($0) }
    }

    /// False where there are too many readings.
    mutating func enumerate(budget: inout Int) -> Bool {
        let steps = CountRates.levels.count * max(1, counts.count)
        readingLimit = min(CountedGroup.readingLimit, min(budget, CountedGroup.clusterBudget) / steps)
        place(0, 0, left: cluster.exchanges.first?.count ?? 0, weight: 1)
        budget -= readings * steps
        guard readings <= readingLimit, budget > 0 else { return false }
        // None is possible, or all are too unlikely for a number.
        return weights.contains { $0 > 0 }
    }

    /// Gives exchanges that are alike rows of a class, and goes on with the next.
    ///
    /// - Parameter left: how many of them have no row yet.
    private mutating func place(_ exchanges: Int, _ rowClass: Int, left: Int, weight: Double) {
        guard readings <= readingLimit else { return }
        guard exchanges < cluster.exchanges.count else { return note(weight) }
        let own = cluster.exchanges[exchanges]
        if rowClass == width {
            let next = exchanges + 1 < cluster.exchanges.count ? cluster.exchanges[exchanges + 1].count : 0
            return place(exchanges + 1, 0, left: next, weight: weight * power(1 - rates.recorded, left))
        }
        let (isFailure, isWhole) = (rowClass == cluster.rows.count, own.outcome == .whole)
        let fit = isFailure ? own.failureFit : own.fits[rowClass]
        let failing = rates.failing(own.outcome)
        let share = rates.recorded * fit * (isWhole ? 1 : isFailure ? failing : 1 - failing)
        let free = isFailure ? failures - given : cluster.rows[rowClass] - placed[rowClass]
        let most = share > 0 ? min(left, free) : 0
        var ways = weight
        for count in 0...most {
            if count > 0 { ways *= share * Double(left - count + 1) / Double(count) }
            counts[exchanges * width + rowClass] = count
            give(count, isFailure ? nil : rowClass, isWhole)
            place(exchanges, rowClass + 1, left: left - count, weight: ways)
            give(-count, isFailure ? nil : rowClass, isWhole)
        }
        counts[exchanges * width + rowClass] = 0
    }

    /// - Parameter rowClass: nil: that of failures.
    private mutating func give(_ count: Int, _ rowClass: Int?, _ isWhole: Bool) {
        if let rowClass { placed[rowClass] += count } else { given += count }
        guard isWhole else { return }
        if rowClass == nil { whole.failures += count } else { whole.answers += count }
    }

    private mutating func note(_ weight: Double) {
        readings += 1
        var all = weight
        for (rowClass, count) in placed.enumerated() { all *= surplus[rowClass].weights[count] }
        guard all > 0 else { return }
        for (level, failing) in CountRates.levels.enumerated() {
            let state = level * (failures + 1) + given
            let weight = all * power(failing, whole.failures) * power(1 - failing, whole.answers)
            weights[state] += weight
            for (place, count) in counts.enumerated() { histograms[place][state][count] += weight }
            for (rowClass, count) in placed.enumerated() { totals[rowClass][state][count] += weight }
            if weight > bestWeights[state] {
                bestWeights[state] = weight
                best[state] = counts
            }
        }
    }

    /// By number of rows: the probability.
    ///
    /// - Parameter shares: by state, how likely it is.
    private func distribution(_ histogram: [[Double]], _ shares: [Double]) -> [Double] {
        var sums = [Double](repeating: 0, count: histogram[0].count)
        for (state, share) in shares.enumerated() where share > 0 && weights[state] > 0 {
            for (count, weight) in histogram[state].enumerated() { sums[count] += share * weight / weights[state] }
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

    /// - Parameters:
    ///   - shares: by state, how likely it is.
    ///   - likeliest: the state of the likeliest reading.
    func outcome(_ shares: [Double], _ likeliest: Int) -> CountedGroup.Outcome.Part {
        let rows = cluster.exchanges.indices.map { exchanges in
            (0..<width).map { distribution(histograms[exchanges * width + $0], shares) }
        }
        let counts = cluster.exchanges.indices.map { exchanges in
            Array(best[likeliest][(exchanges * width)..<((exchanges + 1) * width)])
        }
        return CountedGroup.Outcome.Part(
            sizes: cluster.exchanges.map { Double($0.count) }, counts: counts, rows: rows,
            totals: totals.map { distribution($0, shares) })
    }
}
