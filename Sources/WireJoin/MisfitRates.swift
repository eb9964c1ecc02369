import WireLogs

/// How often the figures of rows are not those of their exchanges: in rows that tell of a failure or in the others, and of these
/// in the rows of a path. Learned from rows whose exchanges times alone tell.
struct MisfitRates {
    private struct Count {
        var rows = 0.0
        var unfit = 0.0

        mutating func add(isUnfit: Bool) {
            rows += 1
            if isUnfit { unfit += 1 }
        }

        /// As if so many rows more were as in another group.
        func share(_ other: Double) -> Double { (unfit + MisfitRates.prior * other) / (rows + MisfitRates.prior) }

        /// Where nothing else is known.
        var share: Double { (unfit + 0.5) / (rows + 1) }
    }

    private struct Group: Hashable {
        var path: Int32
        var tellsFailure: Bool
    }

    private static let prior = 2.0

    private var answers = Count()
    private var failures = Count()
    private var paths: [Group: Count] = [:]

    mutating func add(_ row: LogRow, isUnfit: Bool) {
        if row.tellsFailure { failures.add(isUnfit: isUnfit) } else { answers.add(isUnfit: isUnfit) }
        paths[Group(path: row.path, tellsFailure: row.tellsFailure), default: Count()].add(isUnfit: isUnfit)
    }

    /// More than one in ten of the rows of failures, or of the others, misfit.
    func isFrequent(_ row: LogRow) -> Bool {
        let own = row.tellsFailure ? failures : answers
        return own.unfit * 10 > own.rows
    }

    /// −ln(share) of rows like this one, thousandths; `FigureMisfit.rare` at most. That none was seen proves the less the fewer
    /// rows there are.
    func cost(_ row: LogRow) -> Int32 {
        let (own, other) = row.tellsFailure ? (failures, answers) : (answers, failures)
        let share = own.share(other.share)
        let path = paths[Group(path: row.path, tellsFailure: row.tellsFailure)] ?? Count()
        // The rows of the path are part of the others: that they fit is not proved twice.
        return min(FigureMisfit.rare, thousandths(-max(share, path.share(share)).naturalLogarithm))
    }
}
