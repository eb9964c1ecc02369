import WireStatistics

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
    /// A change so small is none, whatever the spread: part of the allowance.
    var resolution = 0.0

    /// Sessions behind the two; nil where each run is one.
    var sessions: ComparedSessions?
    /// How blocks of time differ in the two.
    var blocks = Blocks()

    /// Fewer calls in one of the runs are too few to be judged by themselves.
    static let fewestCalls = 3

    var hasEnoughCalls: Bool { min(callsNow, callsBefore) >= RunChange.fewestCalls }

    /// What the change may be by chance.
    /// - Parameter probability: of a change beyond ± the allowance.
    func allowance(bothTails probability: Double) -> Double {
        chances.reduce(0) { most, chance in
            let limit = StudentT.limit(bothTails: probability, freedom: chance.freedom)
            return max(most, chance.variance > 0 ? limit * chance.variance.squareRoot() : 0)
        } + resolution
    }

    /// A real change of this size exceeds the allowance in 19 of 20 runs.
    func visible(bothTails probability: Double) -> Double {
        allowance(bothTails: probability) + 1.65 * (chances.map(\.variance).max() ?? 0).squareRoot()
    }
}

// MARK: Two runs of one API, call by call

extension RunChange {
    /// The error of most calls of an API is one constant number of bytes. So the distance of each call's error from the
    /// earlier run's median is taken, as a share of its message; the change is the difference of the means of both runs.
    /// Calls that all miss the median by nothing have no spread, whatever their sizes. A change of one byte is none: a
    /// header field more or less in a session does that.
    ///
    /// - Parameters:
    ///   - center: nil: the earlier run's median.
    ///   - isAbsolute: the distances count without their signs.
    /// Nil where both runs together have too few calls for a spread.
    static func errors(
        _ now: ErrorSeries, _ then: ErrorSeries, center: Double? = nil, isAbsolute: Bool = false
    ) -> RunChange? {
        let center = center ?? then.median
        let nowMoments = now.moments(around: center, isAbsolute: isAbsolute)
        let thenMoments = then.moments(around: center, isAbsolute: isAbsolute)
        let (nowCalls, thenCalls) = (nowMoments.calls, thenMoments.calls)
        let freedom = nowCalls + thenCalls - 2
        guard nowCalls > 0, thenCalls > 0, freedom >= 2 else { return nil }
        let byte = (now.inverses + then.inverses) / (nowCalls + thenCalls)
        let floor = byte * SessionSpread.roundingDeviation
        let squares = nowMoments.squares + thenMoments.squares
        return RunChange(
            change: nowMoments.mean - thenMoments.mean,
            variance: (1 / nowCalls + 1 / thenCalls) * max(squares / freedom, floor * floor), freedom: freedom,
            callsNow: now.calls, callsBefore: then.calls, resolution: byte)
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
        var deviation = 0.0
        for (weight, part) in parts {
            let share = weight / whole
            deviation += share * part.variance.squareRoot()
            let variance = share * share * part.variance
            result.change += share * part.change
            result.variance += variance
            spreadOfVariance += variance * variance / part.freedom
            result.resolution += share * part.resolution
            result.callsNow += part.callsNow
            result.callsBefore += part.callsBefore
        }
        result.freedom = spreadOfVariance > 0 ? result.variance * result.variance / spreadOfVariance : 0
        result.blocks.now = BlockResiduals(mean: parts.map { ($0.weight / whole, $0.change.blocks.now) })
        result.blocks.before = BlockResiduals(mean: parts.map { ($0.weight / whole, $0.change.blocks.before) })
        if let sessions = parts.compactMap(\.change.sessions).max(by: { $0.now &+ $0.before < $1.now &+ $1.before }) {
            // A session that has more in one API may have more in all: as if each went with the others.
            result.variance = deviation * deviation
            result.sessions = sessions
            result.freedom = parts.map(\.change.freedom).min() ?? 0
        }
        return result
    }
}
