/// Rows that times leave open, in the order of the log, with the exchanges that they may have: how likely each assignment of
/// all of them is, told by what their order says together.
///
/// A row that tells of an answer was written when that had ended, or later; a row of zeros when its exchange had begun. So the
/// rows behind it were written still later, and each of them is the less likely to be of an exchange that had ended long
/// before. All assignments are looked at, row by row; those that give each exchange a row of the same class and
/// have come as far in time are one from there on. A group with too many of them is given up.
struct OrderedGroup {
    /// An exchange that a row may have.
    struct Option {
        /// Place among those of the group.
        var exchange: Int
        /// −ln(likelihood) beside the order's, thousandths.
        var cost: Int32
        /// The row was written no earlier than this, and usually no later than that.
        var earliest: Int64
        var latest: Int64
    }

    struct Row {
        /// Rows of one class agree in all figures. From 0.
        var rowClass: Int
        var leaveCost: Int32
        var options: [Option]
        /// Of rows with known exchanges between the row before and this one: the first and the last end.
        var before: ClosedRange<Int64>?
    }

    /// What is known of an exchange of the likeliest assignment.
    struct Verdict: Equatable {
        /// Place of its row; nil: it has none.
        var row: Int?
        /// Odds against all assignments in which it has a row of another class or its row another exchange; thousandths
        /// of a natural logarithm.
        var margin: Int64
        /// Likewise against those that leave both alone.
        var leave: Int64
    }

    struct Outcome {
        /// By exchange.
        var verdicts: [Verdict]
        /// Classes of which more rows might have an exchange: that they have none is not certain.
        var mayHaveMore: Set<Int>
    }

    static let rowLimit = 15
    static let exchangeLimit = 10
    private static let stateLimit = 2000
    private static let maximalOdds: Int64 = 50_000

    let rows: [Row]
    let exchanges: Int
    /// Of rows with known exchanges behind the last row.
    let behind: ClosedRange<Int64>?

    /// Assignments of the rows so far that are alike for those that follow.
    private struct State {
        /// By exchange, four bits: one more than the class of its row, 0 for none.
        var classes: UInt64 = 0
        /// When the last row was written, at the earliest.
        var reached: Int64 = .min
        /// Sum over all of them.
        var likelihood = 1.0
        /// Of the likeliest: its cost, and by exchange, four bits, the place of its row.
        var cost: Int64 = 0
        var holders: UInt64 = 0

        mutating func add(_ cost: Int32) {
            self.cost += Int64(cost)
            likelihood *= RowJoin.likelihood(Int64(cost))
        }
    }

    /// Nil where there are too many assignments.
    ///
    /// - Parameter budget: so many steps may be taken; those taken are subtracted.
    func solve(_ rates: LatenessRates, budget: inout Int) -> Outcome? {
        var states = [State()]
        for place in rows.indices {
            budget -= states.count * (1 + rows[place].options.count)
            if budget < 0 { return nil }
            var next: [State] = []
            for state in states { advance(state, place, rates, &next) }
            states = OrderedGroup.merged(next)
            if states.count > OrderedGroup.stateLimit { return nil }
        }
        if let behind {
            for index in states.indices { OrderedGroup.pass(behind, &states[index], rates) }
        }
        guard let best = states.min(by: { ($0.cost, $0.classes) < ($1.cost, $1.classes) }) else { return nil }
        return Outcome(
            verdicts: (0..<exchanges).map { verdict($0, states, best) },
            mayHaveMore: Set(rows.map(\.rowClass)).filter { mayHaveMore($0, states, best) })
    }

    private func advance(_ state: State, _ place: Int, _ rates: LatenessRates, _ next: inout [State]) {
        let row = rows[place]
        var state = state
        if let before = row.before { OrderedGroup.pass(before, &state, rates) }
        // What all have in common says nothing.
        let least = min(row.leaveCost, row.options.map(\.cost).min() ?? row.leaveCost)
        var left = state
        left.add(row.leaveCost - least)
        next.append(left)
        for option in row.options where OrderedGroup.value(state.classes, option.exchange) == 0 {
            var taken = state
            taken.add(option.cost - least + rates.cost(state.reached.saturatingSubtract(option.latest)))
            taken.reached = max(state.reached, option.earliest)
            taken.classes |= UInt64(row.rowClass + 1) << UInt64(4 * option.exchange)
            taken.holders |= UInt64(place) << UInt64(4 * option.exchange)
            next.append(taken)
        }
    }

    /// Rows with known exchanges are late where the ones before them were written later.
    private static func pass(_ ends: ClosedRange<Int64>, _ state: inout State, _ rates: LatenessRates) {
        state.add(rates.cost(state.reached.saturatingSubtract(ends.lowerBound)))
        state.reached = max(state.reached, ends.upperBound)
    }

    private static func merged(_ states: [State]) -> [State] {
        let sorted = states.sorted {
            ($0.classes, $0.reached, $0.cost, $0.holders) < ($1.classes, $1.reached, $1.cost, $1.holders)
        }
        var merged: [State] = []
        for state in sorted {
            if let last = merged.last, last.classes == state.classes, last.reached == state.reached {
                merged[merged.count - 1].likelihood += state.likelihood
            } else {
                merged.append(state)
            }
        }
        return merged
    }

    private static func value(_ packed: UInt64, _ exchange: Int) -> Int {
        Int(packed >> UInt64(4 * exchange) & 15)
    }

    /// How many exchanges have a row of a class, in one more than its number.
    private func count(_ value: Int, _ classes: UInt64) -> Int {
        (0..<exchanges).count { OrderedGroup.value(classes, $0) == value }
    }

    private func verdict(_ exchange: Int, _ states: [State], _ best: State) -> Verdict {
        let own = OrderedGroup.value(best.classes, exchange)
        let number = count(own, best.classes)
        var (same, changed, left) = (0.0, 0.0, 0.0)
        for state in states {
            let other = OrderedGroup.value(state.classes, exchange)
            if other == own {
                same += state.likelihood
            } else if other == 0, count(own, state.classes) < number {
                left += state.likelihood
            } else {
                changed += state.likelihood
            }
        }
        return Verdict(
            row: own == 0 ? nil : OrderedGroup.value(best.holders, exchange),
            margin: OrderedGroup.odds(same, changed), leave: OrderedGroup.odds(same, left))
    }

    private func mayHaveMore(_ rowClass: Int, _ states: [State], _ best: State) -> Bool {
        let number = count(rowClass + 1, best.classes)
        var (more, others) = (0.0, 0.0)
        for state in states {
            if count(rowClass + 1, state.classes) > number {
                more += state.likelihood
            } else {
                others += state.likelihood
            }
        }
        return OrderedGroup.odds(others, more) < RowJoin.certainty
    }

    private static func odds(_ one: Double, _ other: Double) -> Int64 {
        guard other > 0 else { return maximalOdds }
        return min(maximalOdds, Int64(thousandths((one / other).naturalLogarithm)))
    }
}
