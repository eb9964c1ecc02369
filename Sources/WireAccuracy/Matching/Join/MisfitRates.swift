/// How often the figures of rows are not those of their exchanges: in the log, in its rows that tell of a failure or the others,
/// and of these in the rows of a path. Learned from rows whose exchanges times alone tell.
struct MisfitRates {
    private struct Count {
        var rows = 0.0
        var unfit = 0.0

        mutating func add(isUnfit: Bool) {
            rows += 1
            if isUnfit { unfit += 1 }
        }

        /// As if so many rows more were as in the larger group. Its own rows are part of that: they do not prove twice that
        /// misfits are rare.
        func share(_ larger: Double) -> Double {
            max(larger, (unfit + MisfitRates.prior * larger) / (rows + MisfitRates.prior))
        }
    }

    private struct Group: Hashable {
        var path: Int32
        var tellsFailure: Bool
    }

    private static let prior = 2.0

    private var all = Count()
    private var failures = [Count(), Count()]
    private var paths: [Group: Count] = [:]

    mutating func add(_ row: LogRow, isUnfit: Bool) {
        all.add(isUnfit: isUnfit)
        failures[row.tellsFailure ? 1 : 0].add(isUnfit: isUnfit)
        paths[Group(path: row.path, tellsFailure: row.tellsFailure), default: Count()].add(isUnfit: isUnfit)
    }

    /// −ln(share) of rows like this one, thousandths; `FigureMisfit.rare` at most. That none was seen proves the less the fewer
    /// rows there are.
    func cost(_ row: LogRow) -> Int32 {
        let path = paths[Group(path: row.path, tellsFailure: row.tellsFailure)] ?? Count()
        let share = path.share(failures[row.tellsFailure ? 1 : 0].share((all.unfit + 0.5) / (all.rows + 1)))
        return min(FigureMisfit.rare, thousandths(-share.naturalLogarithm))
    }
}
