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
        guard let (index, reason) = untimed.first(where: { log.rows[$0.index].number == number }) else { return nil }
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
        explanation.records = connections.flatMap { records($0, window) }.sorted {
            ($0.time, $0.connection) < ($1.time, $1.connection)
        }
        explanation.neighbours = rows.compactMap { other in
            let times = self.window(other, offsets)
            guard other.index != row.index, times.overlaps(window),
                self.connections(other).contains(where: { own in
                    connections.contains { $0.number == own.number }
                })
            else { return nil }
            return BoundsExplanation.Neighbour(row: log.rows[other.index].number, name: name(other), window: times)
        }
        return explanation
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
        return timeline.calls == nil ? .recordsInTime : .callsInTime
    }

    private func connections(_ row: Row) -> [HiddenConnection] {
        hidden.connections(numbersOfTimeline[row.window.timeline])
    }

    /// Its records in a time, and those behind it that may credit what was received in it.
    private func records(_ connection: HiddenConnection, _ window: ClosedRange<Int64>) -> [BoundsExplanation.Record] {
        connection.pieces.compactMap { piece in
            let isCredit = HostTimeline.mayCredit(piece, behind: window, isHTTP1: connection.isHTTP1)
            guard window.contains(piece.time) || isCredit else { return nil }
            return BoundsExplanation.Record(
                connection: connection.number, time: piece.time, direction: piece.isFromClient ? .up : .down,
                bytes: Int(piece.bytes), content: Int(isCredit ? HostTimeline.credit(piece) : piece.content),
                isCredit: isCredit)
        }
    }
}
