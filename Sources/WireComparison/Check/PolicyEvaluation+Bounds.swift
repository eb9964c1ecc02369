import Spelling
import WireAccuracy
import WireLogs

/// Errors of rows whose calls nobody could read. A bound is exceeded only where all that the error can be is beyond it, and
/// kept only where none of it is; between the two it is not judged.
extension PolicyEvaluation {
    /// APIs of rows of a log that were not read, and of which the result has no calls, by name.
    func unreadAPIs(_ source: Int, _ pattern: TextPattern) -> [String] {
        bounds(source).map(\.name).filter { pattern.matches($0) && !result.apis.contains($0) }.sorted()
    }

    private func bounds(_ source: Int) -> [LogBounds.API] {
        result.logs.filter { $0.source == source }.flatMap { $0.bounds?.apis ?? [] }
    }

    /// Returns whether the figure is of rows that were not read, at least in part: then it is told, judged or not.
    mutating func judgeUnread(
        _ row: AccuracyRow?, _ source: Int, _ metric: PolicyRule.Metric, _ bound: PolicyRule.Bound, _ place: CheckPlace
    ) -> Bool {
        let rule = report.rules[place.rule]
        let isRead = row.map { $0.message.count > 0 } ?? false
        guard let direction = place.direction, rule.truth == .message, source != result.calibratedSource,
            place.api != nil || !isRead || hasReadLittle || partlyRead.contains(source)
        else { return false }
        let apis = bounds(source).filter { place.api == nil || $0.name == place.api }
        let (rows, unbounded) = apis.reduce((0, 0)) { ($0.0 + $1.rows, $0.1 + $1.unbounded) }
        guard rows > 0 else { return false }
        guard metric == .bias else {
            // Of calls that were read there are figures.
            guard !isRead, place.api != nil, metric != .coverage else { return false }
            addNothing("\(unread(rows)): of single calls only TLS keys would tell (bias has bounds)", place, .unjudged)
            return true
        }
        guard place.api == nil || rows + (row?.coverage.calls ?? 0) >= rule.minimumCalls else {
            addNothing(tooFewCalls(rows + (row?.coverage.calls ?? 0), rule), place, .notApplicable)
            return true
        }
        let side = apis.reduce(into: LogBounds.Side()) { $0.add($1[direction]) }
        let share = CheckFigure.percent(Double(rows - unbounded), of: Double(rows))
        guard share >= ReadShare.least else {
            addNothing(
                "\(unread(rows)), and \(unbounded) of them have no bounds: accuracy says why; TLS keys would tell",
                place,
                .unjudged)
            return true
        }
        guard side.rows > 0 || isRead else { return false }
        add(place, .bias(bound.unit, read: isRead ? row?.message : nil, unread: side), bound, nil)
        return true
    }

    private func unread(_ rows: Int) -> String {
        rows == 1 ? "the call of its row was not read" : "the calls of its \(rows) rows were not read"
    }
}

extension LogBounds.Side {
    /// Of the bounds alone.
    fileprivate mutating func add(_ other: LogBounds.Side) {
        rows += other.rows
        logged += other.logged
        least += other.least
        most += other.most
    }
}
