import WireCore
import WireLogs

extension BoundedRows {
    /// What makes the bounds of a row; nil where it is none of those that were not read.
    ///
    /// - Parameters:
    ///   - number: as the log's reader numbers rows.
    ///   - result: the bounds of all rows.
    func explanation(ofRow number: Int, _ result: Result) -> BoundsExplanation? {
        if let row = rows.first(where: { log.rows[$0.index].number == number }) {
            return explanation(row, result)
        }
        guard let (index, _, reason) = untimed.first(where: { log.rows[$0.index].number == number }) else { return nil }
        var explanation = BoundsExplanation(row: number)
        explanation.name = String(decoding: apiName(log.rows[index]).name, as: UTF8.self)
        explanation.basis = .none(reason)
        return explanation
    }

    private func explanation(_ row: Row, _ result: Result) -> BoundsExplanation {
        var explanation = BoundsExplanation(row: log.rows[row.index].number)
        explanation.name = name(row)
        explanation.time = row.window.start...max(row.window.start, row.window.end)
        let connections = connections(row)
        explanation.connections = connections.map {
            BoundsExplanation.Connection(number: $0.number, clientPort: $0.clientPort, calls: $0.calls?.count)
        }
        guard let offsets else {
            explanation.basis = .none(.clockUnknown)
            return explanation
        }
        let window = window(row, offsets)
        explanation.window = window
        explanation.basis = basis(row, window)
        explanation.figures = result.rows[row.index] ?? explanation.figures
        let others = neighbours(row, window, offsets)
        explanation.neighbours = others.map { other in
            BoundsExplanation.Neighbour(
                row: log.rows[other.index].number, name: name(other), window: self.window(other, offsets))
        }
        let windows = others.map { (window: self.window($0, offsets), numbers: numbersOfTimeline[$0.window.timeline]) }
        let call = callsInOrder()[row.index]
        explanation.records = records(row, window, call) { connection, time in
            windows.count { $0.window.contains(time) && $0.numbers.contains(connection) }
        }
        return explanation
    }

    /// Rows whose calls may have been over the same connections at the same time.
    private func neighbours(_ row: Row, _ window: ClosedRange<Int64>, _ offsets: ClosedRange<Int64>) -> [Row] {
        let own = Set(numbersOfTimeline[row.window.timeline])
        return rows.filter { other in
            other.index != row.index && self.window(other, offsets).overlaps(window)
                && !own.isDisjoint(with: numbersOfTimeline[other.window.timeline])
        }
    }

    private func name(_ row: Row) -> String { String(decoding: apiName(log.rows[row.index]).name, as: UTF8.self) }

    private func basis(_ row: Row, _ window: ClosedRange<Int64>) -> BoundsExplanation.Basis {
        let timeline = timelines[row.window.timeline]
        if let reason = reason(row, window, timeline) { return .none(reason) }
        if let call = callsInOrder()[row.index], let calls = timeline.calls,
            let place = calls.firstIndex(where: { $0.time == call.time })
        {
            return .place(place + 1, of: calls.count)
        }
        guard timeline.calls == nil else { return .callsInTime }
        var lone = loneRows()
        return lone.least(window, timeline: row.window.timeline) == nil ? .recordsInTime : .alone
    }

    private func connections(_ row: Row) -> [HiddenConnection] {
        hidden.connections(numbersOfTimeline[row.window.timeline])
    }

    /// The records in a row's time, and those behind it that may credit what was received in it.
    ///
    /// - Parameters:
    ///   - call: the call of the row, where it is known.
    ///   - others: tells of how many other rows a record may be: by index of its connection, and by its time.
    private func records(
        _ row: Row, _ window: ClosedRange<Int64>, _ call: UnnamedCall?, others: (Int, Int64) -> Int
    ) -> [BoundsExplanation.Record] {
        var records: [BoundsExplanation.Record] = []
        var credits: [BoundsExplanation.Record] = []
        for number in numbersOfTimeline[row.window.timeline] {
            let connection = hidden[number]
            for piece in connection.pieces {
                var record = BoundsExplanation.Record(
                    connection: connection.number, time: piece.time, direction: piece.isFromClient ? .up : .down,
                    bytes: Int(piece.bytes), content: Int(piece.content), reason: .credit)
                if window.contains(piece.time) {
                    let isOther = call.map { !$0.time.contains(piece.time) } ?? false
                    record.reason = isOther ? .otherCall : .inTime(others: others(number, piece.time))
                    if isOther { record.content = 0 }
                    records.append(record)
                } else if HostTimeline.mayCredit(piece, behind: window, isHTTP1: connection.isHTTP1) {
                    record.content = HostTimeline.credit(piece)
                    credits.append(record)
                }
            }
        }
        // As many as may be there, the longest.
        credits.sort { ($1.content, $0.time) < ($0.content, $1.time) }
        for direction in Direction.allCases {
            let most = timelines[row.window.timeline].mostCredits(direction, window)
            records += credits.filter { $0.direction == direction }.prefix(most)
        }
        return records.sorted { ($0.time, $0.connection) < ($1.time, $1.connection) }
    }
}
