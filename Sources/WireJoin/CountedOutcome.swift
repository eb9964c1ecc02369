extension CountedGroup {
    /// The likeliest reading of a group, and how likely others are.
    package struct Outcome {
        /// Of a cluster.
        package struct Part {
            /// By exchanges that are alike: how many there are.
            package let sizes: [Double]
            /// By exchanges and class of rows, those of failures as the last: exchanges with such a row, in the likeliest reading.
            package let counts: [[Int]]
            /// Likewise: the probability of 0, 1, … exchanges with such a row.
            fileprivate(set) var rows: [[[Double]]]
            /// By class of answers: the probability of 0, 1, … rows with an exchange.
            fileprivate(set) var totals: [[Double]]

            package init(sizes: [Double], counts: [[Int]], rows: [[[Double]]], totals: [[Double]]) {
                (self.sizes, self.counts, self.rows, self.totals) = (sizes, counts, rows, totals)
            }
        }

        /// By cluster.
        private(set) var parts: [Part]
        /// The probability of 0, 1, … rows of failures with an exchange.
        private(set) var failures: [Double]
        /// ln(likelihood) of all readings together.
        let likelihood: Double

        package init(parts: [Part], failures: [Double], likelihood: Double) {
            (self.parts, self.failures, self.likelihood) = (parts, failures, likelihood)
        }

        /// The likeliest reading stays, and how likely others are becomes a mean.
        ///
        /// - Parameter weight: of the other outcome, which is of the same group; that of this one is the rest of 1.
        package mutating func mix(_ other: Outcome, _ weight: Double) {
            func mean(_ own: [Double], _ other: [Double]) -> [Double] {
                zip(own, other).map { $0 * (1 - weight) + $1 * weight }
            }
            for part in parts.indices {
                for exchanges in parts[part].rows.indices {
                    parts[part].rows[exchanges] = zip(parts[part].rows[exchanges], other.parts[part].rows[exchanges])
                        .map(mean)
                }
                parts[part].totals = zip(parts[part].totals, other.parts[part].totals).map(mean)
            }
            failures = mean(failures, other.failures)
        }

        /// The probability that more rows of failures have an exchange than in the likeliest reading.
        var moreFailures: Double {
            let likeliest = parts.reduce(0) { $1.counts.reduce($0) { $0 + $1[$1.count - 1] } }
            return failures.dropFirst(likeliest + 1).reduce(0, +)
        }
    }

    /// What is known of the rows of a class and some exchanges.
    package struct Verdict {
        /// Exchanges with such a row, in the likeliest reading.
        package var count = 0
        /// How many are expected to have such a row.
        package var expected = 0.0
        /// Probability that one of these exchanges has a row of another class.
        package var change = 0.0
        /// Probability that a row that has one of these exchanges has none, and the exchange no row.
        package var leave = 0.0
    }
}

extension CountedGroup.Outcome.Part {
    /// By exchanges and class.
    var verdicts: [[CountedGroup.Verdict]] {
        rows.indices.map { exchanges in
            let own = rows[exchanges]
            let expected = own.map { $0.enumerated().reduce(0.0) { $0 + Double($1.offset) * $1.element } }
            let all = expected.reduce(0, +)
            return own.indices.map { rowClass in
                let count = counts[exchanges][rowClass]
                var verdict = CountedGroup.Verdict(count: count, expected: expected[rowClass])
                guard count > 0 else { return verdict }
                verdict.change = max(0, all - expected[rowClass]) / sizes[exchanges]
                // Of answers some are enough: a row too many is a copy of one of them.
                let isAnswer = rowClass + 1 < own.count
                for (number, share) in own[rowClass].enumerated() where number < (isAnswer ? 1 : count) {
                    verdict.leave += share * Double(count - number) / Double(count)
                }
                return verdict
            }
        }
    }

    /// By class of answers: the probability that more rows have an exchange than in the likeliest reading.
    package var more: [Double] {
        totals.indices.map { rowClass in
            let count = counts.reduce(0) { $0 + $1[rowClass] }
            return totals[rowClass].dropFirst(count + 1).reduce(0, +)
        }
    }
}
