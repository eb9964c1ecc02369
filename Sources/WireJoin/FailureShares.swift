/// How many rows of failures each cluster of a group has, and how often the group's rows tell of failures. By state, see
/// `CountedCluster`; the level is the same in all clusters.
struct FailureShares {
    /// By cluster and state: the probability.
    private(set) var byCluster: [[Double]] = []
    /// By level: the probability.
    private(set) var levels: [Double]
    /// By number, of all clusters together: the probability.
    private(set) var total: [Double]
    /// By cluster: the state of the likeliest reading.
    private(set) var likeliest: [Int] = []
    /// ln(likelihood) of all readings together.
    private(set) var likelihood = 0.0

    /// Numbers of rows, 0 included.
    private let size: Int

    /// - Parameters:
    ///   - surplus: by number of rows with an exchange, how likely the others have none.
    ///   - levelShares: by level, how likely it is before anything is known of the group.
    init(_ parts: [CountedCluster], _ surplus: [Double], _ levelShares: [Double]) {
        size = surplus.count
        (levels, total) = ([], [])
        let end = levelShares.flatMap { share in surplus.map { share * $0 } }
        let weights = parts.map { scaled($0.weights) }
        // Of the clusters before each one, and of those behind it.
        var before = [none(levels: levelShares.count)]
        for own in weights { before.append(scaled(sum(before[before.count - 1], own))) }
        var behind = CountRates.normalized(end)
        for (own, before) in zip(weights, before).reversed() {
            byCluster.append(CountRates.normalized(zip(own, difference(behind, before)).map { $0 * $1 }))
            behind = CountRates.normalized(difference(behind, own))
        }
        byCluster.reverse()
        let all = scaled(zip(before[parts.count], end).map { $0 * $1 })
        levels = levelShares.indices.map { level in
            all[(level * size)..<((level + 1) * size)].reduce(0, +)
        }
        total = (0..<size).map { count in levelShares.indices.reduce(0) { $0 + all[$1 * size + count] } }
        setLikeliest(parts, end)
    }

    private mutating func setLikeliest(_ parts: [CountedCluster], _ end: [Double]) {
        var best = none(levels: end.count / size)
        var choices: [[Int]] = []
        for part in parts {
            var (next, choice) = (best.map { _ in 0.0 }, best.map { _ in 0 })
            for state in best.indices {
                let first = state - state % size
                for own in first...state {
                    let weight = best[first + state - own] * part.bestWeights[own]
                    if weight > next[state] { (next[state], choice[state]) = (weight, own) }
                }
            }
            best = CountRates.normalized(next)
            choices.append(choice)
        }
        var state = end.indices.max { best[$0] * end[$0] < best[$1] * end[$1] } ?? 0
        for choice in choices.reversed() {
            likeliest.append(choice[state])
            state -= choice[state] % size
        }
        likeliest.reverse()
    }

    /// Divided by its sum, which belongs to the likelihood.
    private mutating func scaled(_ weights: [Double]) -> [Double] {
        likelihood += weights.reduce(0, +).naturalLogarithm
        return CountRates.normalized(weights)
    }

    /// No row in any cluster.
    private func none(levels: Int) -> [Double] { (0..<(levels * size)).map { $0 % size == 0 ? 1 : 0 } }

    /// Of the sum of two numbers, at each level.
    private func sum(_ one: [Double], _ other: [Double]) -> [Double] {
        one.indices.map { state in
            let first = state - state % size
            return (first...state).reduce(0.0) { $0 + one[$1] * other[first + state - $1] }
        }
    }

    /// By what has to be added: of the sum.
    private func difference(_ sums: [Double], _ added: [Double]) -> [Double] {
        sums.indices.map { state in
            let first = state - state % size
            return (0..<(size - state % size)).reduce(0.0) { $0 + added[first + $1] * sums[state + $1] }
        }
    }
}
