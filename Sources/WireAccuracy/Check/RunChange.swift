/// By how much the calls of two runs differ, apart from their sizes, and how much they may differ by chance.
struct RunChange: Equatable {
    /// This run less the earlier one: a share of the truth, or steps on the scale of `SizeSums`.
    var change: Double
    /// Squared standard error of the change.
    var variance: Double
    var freedom: Double
    /// Calls that were compared, in this run and in the earlier one.
    var callsNow: Int
    var callsBefore: Int

    /// Fewer calls in one of the runs are too few to be judged by themselves: with so few it is likely that some
    /// figure out of hundreds differs in all of them by chance.
    static let fewestCalls = 6

    var hasEnoughCalls: Bool { min(callsNow, callsBefore) >= RunChange.fewestCalls }

    /// What the change may be by chance.
    /// - Parameter probability: of a change beyond ± the allowance.
    func allowance(bothTails probability: Double) -> Double {
        StudentT.limit(bothTails: probability, freedom: freedom) * variance.squareRoot()
    }
}

// MARK: Two runs of one API

extension RunChange {
    /// Two lines of the same slope are laid through the relative errors of both runs over 1 / size (analysis of
    /// covariance); the change is their distance. If nothing changed, all calls come from one population, so both runs
    /// together give the spread.
    ///
    /// Nil where both runs together have too few calls for a spread.
    static func errors(_ now: ErrorSpread, _ then: ErrorSpread, _ line: KeyPath<ErrorSpread, ErrorSpread.Line>)
        -> RunChange?
    {
        let (nowLine, thenLine) = (now[keyPath: line], then[keyPath: line])
        let (nowCalls, thenCalls) = (Double(now.calls), Double(then.calls))
        let (nowSizes, thenSizes) = (nowCalls * now.inverseVariance, thenCalls * then.inverseVariance)
        let sizes = nowSizes + thenSizes
        let residuals =
            nowCalls * nowLine.deviation * nowLine.deviation + thenCalls * thenLine.deviation * thenLine.deviation
        let distance = now.inverseMean - then.inverseMean
        let inverseMean = (nowCalls * now.inverseMean + thenCalls * then.inverseMean) / (nowCalls + thenCalls)
        var result = RunChange(
            change: nowLine.mean - thenLine.mean, variance: 1 / nowCalls + 1 / thenCalls,
            freedom: nowCalls + thenCalls - 2, callsNow: now.calls, callsBefore: then.calls)
        var squares = residuals
        if sizes > 0, result.freedom >= fewestForSlope {
            let slope = (nowSizes * nowLine.slope + thenSizes * thenLine.slope) / sizes
            let (nowTurn, thenTurn) = (nowLine.slope - slope, thenLine.slope - slope)
            squares += nowSizes * nowTurn * nowTurn + thenSizes * thenTurn * thenTurn
            result.change -= slope * distance
            result.variance += distance * distance / sizes
            result.freedom -= 1
        } else {
            squares += nowSizes * nowLine.slope * nowLine.slope + thenSizes * thenLine.slope * thenLine.slope
        }
        guard result.freedom >= 2 else { return nil }
        // Sizes are whole bytes: half a byte is no difference.
        let floor = inverseMean / 2
        result.variance *= max(squares / result.freedom, floor * floor)
        return result
    }

    /// Fewer degrees of freedom are not spent on a slope.
    private static let fewestForSlope = 8.0

    /// The change of a typical size.
    static func sizes(_ now: SizeSpread, _ then: SizeSpread) -> RunChange? {
        let (nowCalls, thenCalls) = (Double(now.calls), Double(then.calls))
        let freedom = nowCalls + thenCalls - 2
        guard freedom >= 2 else { return nil }
        let squares = nowCalls * now.deviation * now.deviation + thenCalls * then.deviation * then.deviation
        return RunChange(
            change: now.mean - then.mean,
            variance: (1 / nowCalls + 1 / thenCalls) * max(squares / freedom, SizeSums.unit * SizeSums.unit),
            freedom: freedom, callsNow: now.calls, callsBefore: then.calls)
    }
}

// MARK: All APIs together

extension RunChange {
    /// The mean of the changes of single APIs, by weight, so that another mix of APIs is no change. Degrees of freedom
    /// by Welch and Satterthwaite. Nil without a change that has a weight.
    static func mean(_ parts: [(weight: Double, change: RunChange)]) -> RunChange? {
        let parts = parts.filter { $0.weight > 0 }
        let whole = parts.reduce(0) { $0 + $1.weight }
        guard whole > 0 else { return nil }
        var result = RunChange(change: 0, variance: 0, freedom: 0, callsNow: 0, callsBefore: 0)
        var spreadOfVariance = 0.0
        for (weight, part) in parts {
            let share = weight / whole
            let variance = share * share * part.variance
            result.change += share * part.change
            result.variance += variance
            spreadOfVariance += variance * variance / part.freedom
            result.callsNow += part.callsNow
            result.callsBefore += part.callsBefore
        }
        result.freedom = spreadOfVariance > 0 ? result.variance * result.variance / spreadOfVariance : 0
        return result
    }
}
