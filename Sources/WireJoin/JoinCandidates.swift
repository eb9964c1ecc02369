import WireLogs

/// Which exchanges a row may be of: those that agree with it in host, path, method and ports as far as it has them, and
/// are near in time. Of rows where very many are near, the nearest.
struct JoinCandidates {
    private struct Group {
        var byStart: [TimedEntry] = []
        var byEnd: [TimedEntry] = []
        /// First exchanges of connections, by when those were opened.
        var byOpening: [TimedEntry] = []
        var rows: [Int32] = []
    }

    /// On each side of a row: so many are looked at where rows usually lie, and so many farther off.
    private static let leastNear = 24
    private let nearCount: Int
    private let farCount: Int
    private let isUntimed: Bool
    /// All of them together, about.
    private static let edgeBudget = 8_000_000
    private static let openingCount = 4
    /// Exchanges passed over on one side because their status is another.
    private static let skipLimit = 64
    /// No row is farther from its exchange, nanoseconds.
    private static let reach: Int64 = 90_000_000_000

    private let kind: LogRow.Kind
    private let log: [LogRow]
    private let calls: [WireCall]
    private let moments: [CallMoments]
    private(set) var comparisons = 0

    init(_ kind: LogRow.Kind, _ log: [LogRow], _ calls: [WireCall], _ moments: [CallMoments], isUntimed: Bool) {
        self.kind = kind
        self.log = log
        self.calls = calls
        self.moments = moments
        self.isUntimed = isUntimed
        let rows = log.count { $0.kind == kind }
        nearCount = JoinCandidates.leastNear
        farCount = min(nearCount, max(4, JoinCandidates.edgeBudget / (2 * max(1, rows))))
    }

    /// Calls `report` with each row of the classes, its candidates (ascending, each once), and how many exchanges agree
    /// with it.
    mutating func find(
        _ classes: [RowClass], _ model: JoinModel, isCandidate: (Int) -> Bool,
        report: (_ row: Int32, _ candidates: [Int32], _ agreeing: Int) -> Void
    ) {
        for rowClass in classes where rowClass.kind == kind {
            for group in groups(rowClass, isCandidate) {
                let agreeing = min(max(group.byStart.count, group.byEnd.count), group.rows.count)
                let partners = linePartners(group, model)
                for (place, row) in group.rows.enumerated() {
                    var found = candidates(of: row, group, model)
                    if !partners.isEmpty {
                        for near in max(0, place - 1)..<min(partners.count, place + 2) where partners[near] >= 0 {
                            found.append(partners[near])
                        }
                    }
                    report(row, JoinCandidates.distinct(found), agreeing)
                }
            }
        }
    }

    private static func distinct(_ calls: [Int32]) -> [Int32] {
        var distinct: [Int32] = []
        for call in calls.sorted() where distinct.last != call { distinct.append(call) }
        return distinct
    }

    private func groups(_ rowClass: RowClass, _ isCandidate: (Int) -> Bool) -> [Group] {
        let found = MatchingGroups(
            rowClass.rows, of: log, kind, rowClass.columns.subtracting(.status), calls,
            isCandidate: isCandidate)
        var groups = [Group](repeating: Group(), count: found.count)
        for (place, row) in found.rows.enumerated() where time(of: row) != nil {
            groups[Int(found.rowGroups[place])].rows.append(row)
        }
        for (index, group) in found.callGroups.enumerated() where group >= 0 {
            let (own, place) = (moments[index], Int(group))
            let number = Int32(truncatingIfNeeded: index)
            if UsableTime.contains(own.start) {
                groups[place].byStart.append(TimedEntry(time: own.start, index: number))
            }
            if UsableTime.contains(own.end) { groups[place].byEnd.append(TimedEntry(time: own.end, index: number)) }
            if calls[index].isFirst, UsableTime.contains(own.opened) {
                groups[place].byOpening.append(TimedEntry(time: own.opened, index: number))
            }
        }
        for index in groups.indices {
            JoinCandidates.sort(&groups[index].byStart)
            JoinCandidates.sort(&groups[index].byEnd)
            JoinCandidates.sort(&groups[index].byOpening)
            groups[index].rows.sort { (time(of: $0) ?? 0, $0) < (time(of: $1) ?? 0, $1) }
        }
        return groups.filter { !$0.rows.isEmpty }
    }

    private static func sort(_ entries: inout [TimedEntry]) {
        entries.sort { ($0.time, $0.index) < ($1.time, $1.index) }
    }

    /// The time by which a row is looked up: its start, or its end where it has no start.
    private func time(of row: Int32) -> Int64? {
        let row = log[Int(row)]
        if UsableTime.contains(row.time) { return row.time }
        return kind == .exchange && UsableTime.contains(row.end) ? row.end : nil
    }

    private mutating func candidates(of row: Int32, _ group: Group, _ model: JoinModel) -> [Int32] {
        let own = log[Int(row)]
        var found: [Int32] = []
        let hasStart = UsableTime.contains(own.time)
        if isUntimed {
            // All exchanges of its names are as near. `UntimedCrowds` has those with very many.
            comparisons &+= group.byStart.count + group.byEnd.count
            return (group.byStart + group.byEnd).map(\.index).filter { own.hasStatus(of: calls[Int($0)]) }
        }
        if kind == .response {
            scan(group.byEnd, at: own.time.saturatingSubtract(model.ending.center), model.ending.core, own, &found)
            // A response that failed may have been written long before, or without, the exchange's end.
            scanBack(group.byStart, at: own.time, own, &found)
        } else if hasStart {
            scan(group.byStart, at: own.time.saturatingSubtract(model.sending.center), model.sending.core, own, &found)
            scan(
                group.byOpening, at: own.time.saturatingSubtract(model.opening.center), model.opening.core, own, &found,
                limit: JoinCandidates.openingCount)
        }
        if kind == .exchange, UsableTime.contains(own.end), !hasStart || group.byStart.count < group.byEnd.count {
            scan(group.byEnd, at: own.end.saturatingSubtract(model.ending.center), model.ending.core, own, &found)
            // An exchange that failed may have no end on the wire.
            if !hasStart { scanBack(group.byStart, at: own.end, own, &found) }
        }
        return found
    }

    /// On both sides of a time.
    private mutating func scan(
        _ entries: [TimedEntry], at time: Int64, _ core: Int64, _ row: LogRow, _ found: inout [Int32],
        limit: Int? = nil
    ) {
        let limit = limit ?? nearCount
        let middle = entries.position(of: time, in: entries.indices)
        for step in [-1, 1] {
            var (place, near, far) = (step < 0 ? middle - 1 : middle, 0, 0)
            var skipped = 0
            while entries.indices.contains(place), near < limit, far < farCount,
                skipped < max(JoinCandidates.skipLimit, limit)
            {
                let distance = entries[place].time.distance(from: time)
                if distance > JoinCandidates.reach { break }
                if row.hasStatus(of: calls[Int(entries[place].index)]) {
                    found.append(entries[place].index)
                    near += 1
                    if distance > core { far += 1 }
                } else {
                    skipped += 1
                }
                comparisons &+= 1
                place += step
            }
        }
    }

    /// Exchanges that failed, or of a row that tells a failure any, the last that started before a time.
    private mutating func scanBack(_ entries: [TimedEntry], at time: Int64, _ row: LogRow, _ found: inout [Int32]) {
        var place = entries.position(of: time.saturatingAdd(1_000_000), in: entries.indices) - 1
        var (count, looked) = (0, 0)
        let isFailure = row.tellsFailure
        while place >= 0, count < farCount + 3, looked < JoinCandidates.skipLimit {
            if entries[place].time.distance(from: time) > JoinCandidates.reach { break }
            let call = calls[Int(entries[place].index)]
            if (isFailure || call.isFailed) && row.hasStatus(of: call) {
                found.append(entries[place].index)
                count += 1
            }
            looked += 1
            comparisons &+= 1
            place -= 1
        }
    }

    /// Where calls stand so close that a row cannot be held against all that are near: by place among the group's rows,
    /// the exchange that it has when all are paired in their order. Empty elsewhere.
    private mutating func linePartners(_ group: Group, _ model: JoinModel) -> [Int32] {
        let isResponse = kind == .response
        let entries = isResponse ? group.byEnd : group.byStart
        let density = isResponse ? model.ending : model.sending
        let limit = nearCount
        guard group.rows.count > limit, entries.count > limit else { return [] }
        let isDense = entries.indices.dropLast(limit).contains { place in
            entries[place + limit].time.saturatingSubtract(entries[place].time) < density.core
        }
        guard isDense else { return [] }
        var assignment = LineAssignment()
        let times = group.rows.map { (time(of: $0) ?? 0).saturatingSubtract(density.center) }
        assignment.solve(rows: times, calls: entries.map(\.time), limit: min(4 * density.core, TimeNoise.largest))
        comparisons &+= assignment.work.heapSteps
        return assignment.partners.map { $0 < 0 ? -1 : entries[Int($0)].index }
    }
}

extension LogRow {
    /// The status of a row says nothing against an exchange.
    func hasStatus(of call: WireCall) -> Bool {
        kind == .request || status == 0 || status == call.status || call.status == 0
            || (call.status == 304 && status == 200)
    }

    /// The app saw no response: the row of a response, or of an exchange, that has neither status nor bytes.
    package var tellsFailure: Bool {
        guard kind != .request, status == 0, let total = down.total, total <= 0 else { return false }
        return (down.startLine ?? 0) == 0 && (down.headers ?? 0) == 0
    }
}
