/// How often exchanges have rows, and rows exchanges, in a log that has neither times nor an order. Learned from all rows
/// of all names at once: which of them are of which exchange is known only in part, so each reading counts as much as it is
/// likely (expectation maximization).
struct CountRates {
    typealias Outcome = FailureRates.Outcome

    /// What readings of rows amount to. Not whole numbers: readings are weighed.
    struct Sums {
        /// By outcome: exchanges whose row tells of a failure, and with another row.
        var failures = [Double](repeating: 0, count: Outcome.allCases.count)
        var answers = [Double](repeating: 0, count: Outcome.allCases.count)
        /// Names, by how often their rows tell of failures where responses are whole.
        var levels = [Double](repeating: 0, count: CountRates.levels.count)
        var exchanges = 0.0
        /// Rows that repeat another one, and the others.
        var copies = 0.0
        var distinct = 0.0
        /// Rows of failures without an exchange.
        var unsent = 0.0
        /// Other rows without an exchange, and classes of rows that may have some.
        var strays = 0.0
        var classes = 0.0

        /// - Parameter times: groups of which each amounts to the other sums.
        mutating func add(_ other: Sums, times: Int) {
            let times = Double(times)
            for place in failures.indices {
                failures[place] += times * other.failures[place]
                answers[place] += times * other.answers[place]
            }
            for place in levels.indices { levels[place] += times * other.levels[place] }
            exchanges += times * other.exchanges
            copies += times * other.copies
            distinct += times * other.distinct
            unsent += times * other.unsent
            strays += times * other.strays
            classes += times * other.classes
        }
    }

    /// Calls that are given up while their answers are on the way are supposed to come together, at few names: shares of rows of
    /// whole responses that tell of a failure, of which each name has one.
    static let levels = [0.0005, 0.01, 0.05, 0.2, 0.6]
    /// By level: share of names.
    private(set) var levelShares: [Double]
    /// By outcome: share of rows that tell of a failure. That of whole responses is not used; see `levels`.
    private var failing: [Double]
    /// Share of exchanges that have a row.
    private(set) var recorded = 0.9
    /// Share of rows that were written twice.
    private(set) var copied = 0.01
    /// Rows of failures without an exchange, for each exchange of their name.
    private(set) var unsent = 0.05
    /// How much less likely each row of an answer without an exchange makes those of its class.
    private(set) var stray = 0.005

    /// What is supposed before anything is learned: so many are as if seen, and so many of them were so.
    private static let recordedPrior = (all: 2.0, some: 1.8)
    private static let copiedPrior = (all: 20.0, some: 0.2)
    private static let unsentPrior = (all: 10.0, some: 0.5)
    private static let strayPrior = (all: 10.0, some: 0.05)
    /// Names of each level.
    private static let levelPrior = [9.6, 0.15, 0.1, 0.1, 0.05]
    /// Calls that are never sent come together, at names that are slow: their numbers follow a negative binomial
    /// distribution, whose shape is one half, halved so often. The smaller, the more they come together.
    private let halvings: Int
    static let mostHalvings = 4

    init(halvings: Int = 0) {
        self.halvings = halvings
        failing = Outcome.allCases.map { FailureRates.prior($0).failures / FailureRates.prior($0).pairs }
        levelShares = CountRates.normalized(CountRates.levelPrior)
    }

    /// Two suppositions from which to learn: that rows are missing here and there and calls fail before they are sent, and that
    /// no row is missing and calls fail while their answers are on the way.
    static func starts(halvings: Int) -> [CountRates] {
        var whole = CountRates(halvings: halvings)
        whole.levelShares = [0.4, 0.1, 0.2, 0.2, 0.1]
        (whole.recorded, whole.unsent) = (0.99, 0.01)
        return [CountRates(halvings: halvings), whole]
    }

    init(_ sums: Sums, halvings: Int = 0) {
        self.init(halvings: halvings)
        func share(_ prior: (all: Double, some: Double), _ some: Double, of all: Double) -> Double {
            (some + prior.some) / (all + prior.all)
        }
        for outcome in Outcome.allCases {
            let place = outcome.rawValue
            let prior = FailureRates.prior(outcome)
            failing[place] = share(
                (prior.pairs, prior.failures), sums.failures[place], of: sums.failures[place] + sums.answers[place])
        }
        levelShares = CountRates.normalized(zip(sums.levels, CountRates.levelPrior).map { $0 + $1 })
        let rows = sums.failures.reduce(0, +) + sums.answers.reduce(0, +)
        recorded = share(CountRates.recordedPrior, rows, of: sums.exchanges)
        copied = share(CountRates.copiedPrior, sums.copies, of: sums.distinct)
        unsent = share(CountRates.unsentPrior, sums.unsent, of: sums.exchanges)
        stray = share(CountRates.strayPrior, sums.strays, of: sums.classes + sums.strays)
    }

    /// ln(likelihood) of the shares themselves, by what was supposed of them.
    var logPrior: Double {
        func cost(_ share: Double, _ prior: (all: Double, some: Double)) -> Double {
            prior.some * share.naturalLogarithm + (prior.all - prior.some) * (1 - share).naturalLogarithm
        }
        let failures = Outcome.allCases.filter { $0 != .whole }.reduce(0.0) { sum, outcome in
            let prior = FailureRates.prior(outcome)
            return sum + cost(failing[outcome.rawValue], (prior.pairs, prior.failures))
        }
        let levels = zip(levelShares, CountRates.levelPrior).reduce(0.0) { $0 + $1.1 * $1.0.naturalLogarithm }
        return failures + levels + cost(recorded, CountRates.recordedPrior) + cost(copied, CountRates.copiedPrior)
            + cost(stray, CountRates.strayPrior) + CountRates.unsentPrior.some * unsent.naturalLogarithm
            - CountRates.unsentPrior.all * unsent
    }

    /// Share of rows that tell of a failure, of exchanges whose responses are not whole.
    func failing(_ outcome: Outcome) -> Double { failing[outcome.rawValue] }

    static func normalized(_ weights: [Double]) -> [Double] {
        let sum = weights.reduce(0, +)
        return sum > 0 ? weights.map { $0 / sum } : weights
    }

    /// How likely a name with so many exchanges has 0, 1, … rows of failures without one.
    func unsentWeights(exchanges: Int, upTo most: Int) -> [Double] {
        let (shape, mean) = (0.5 / Double(1 << halvings), unsent * Double(exchanges + 1))
        let ratio = mean / (mean + shape)
        // 1 - ratio to the power of the shape.
        var weights = [(0...halvings).reduce(1 - ratio) { root, _ in root.squareRoot() }]
        for count in 1..<(most + 1) {
            let growth = (Double(count - 1) + shape) / Double(count)
            weights.append(weights[count - 1] * growth * ratio)
        }
        return weights
    }

    /// How likely a class of answers has 0, 1, … rows without an exchange.
    func strayWeights(upTo most: Int) -> [Double] { (0...most).map { (1 - stray) * power(stray, $0) } }
}

/// Of the rows of one class, so many of which have an exchange: how likely it is that the others are copies or have none.
struct SurplusTable {
    /// By number of rows with an exchange.
    private(set) var weights: [Double] = []
    private(set) var copies: [Double] = []
    private(set) var strays: [Double] = []

    /// - Parameter strayWeights: how likely 0, 1, … rows have no exchange and are no copies. As many as rows, and one more.
    init(copied: Double, _ strayWeights: [Double]) {
        let rows = strayWeights.count - 1
        for placed in 0...rows {
            let rest = rows - placed
            var (weight, copies, strays) = (0.0, 0.0, 0.0)
            for stray in 0...rest {
                let (copy, distinct) = (rest - stray, placed + stray)
                guard copy <= distinct else { continue }
                let own =
                    strayWeights[stray] * choose(distinct, copy) * power(copied, copy)
                    * power(1 - copied, distinct - copy)
                weight += own
                copies += own * Double(copy)
                strays += own * Double(stray)
            }
            self.weights.append(weight)
            self.copies.append(weight > 0 ? copies / weight : 0)
            self.strays.append(weight > 0 ? strays / weight : 0)
        }
    }
}

package func power(_ base: Double, _ exponent: Int) -> Double {
    var (result, factor, rest) = (1.0, base, exponent)
    while rest > 0 {
        if rest & 1 == 1 { result *= factor }
        factor *= factor
        rest >>= 1
    }
    return result
}

/// How many ways there are to take so many of some.
package func choose(_ count: Int, _ taken: Int) -> Double {
    guard taken >= 0, taken <= count else { return 0 }
    var result = 1.0
    for step in 0..<min(taken, count - taken) { result *= Double(count - step) / Double(step + 1) }
    return result
}
