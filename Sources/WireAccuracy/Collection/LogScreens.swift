import WireCore
import WireJoin
import WireLogs

/// The screens of a monitor that keeps requests and responses as rows of their own: per host and path the rows of both
/// kinds, unpaired, beside the messages of the capture.
struct LogScreens {
    /// The largest by rows first, ties by host and path.
    let rows: [ScreenRow]

    /// Empty for logs whose rows are whole exchanges.
    ///
    /// - Parameter isUnread: whether the calls of the row of this number, if there was any, were not read.
    init(
        _ log: SDKLog, source: Int, calls: KeptCalls, options: AccuracyOptions, isUnread: (Int) -> Bool = { _ in false }
    ) {
        var screens = Screens(log: log, source: source)
        for (index, row) in log.rows.enumerated() where row.kind != .exchange {
            screens.add(row, isUnread: isUnread(index))
        }
        if !screens.rows.isEmpty {
            for (call, kept) in zip(calls.wireCalls(for: log, CutURLs(log, calls.calls)), calls.calls)
            where kept.isSelected {
                screens.add(call, CallTruth(kept.record, options))
            }
        }
        rows = screens.rows.sorted { left, right in
            let (leftRows, rightRows) = (left.up.rows + left.down.rows, right.up.rows + right.down.rows)
            return leftRows != rightRows ? leftRows > rightRows : (left.host, left.path) < (right.host, right.path)
        }
    }

    private struct Screens {
        private struct Place: Hashable {
            var host: Int32
            var path: Int32
        }

        let log: SDKLog
        let source: Int
        private(set) var rows: [ScreenRow] = []
        private var places: [Place: Int] = [:]

        init(log: SDKLog, source: Int) {
            self.log = log
            self.source = source
        }

        mutating func add(_ row: LogRow, isUnread: Bool) {
            guard row.host >= 0, row.path >= 0 else { return }
            let place = Place(host: row.host, path: row.path)
            let index = places[place] ?? append(place)
            let direction = row.kind == .request ? Direction.up : .down
            rows[index][direction].rows += 1
            if isUnread { rows[index][direction].unreadRows += 1 }
            rows[index][direction].length = rows[index][direction].length.saturatingSum(
                (direction == .up ? row.up : row.down).sum ?? 0)
        }

        private mutating func append(_ place: Place) -> Int {
            let (host, path) = (log.texts[place.host], log.texts[place.path])
            rows.append(
                ScreenRow(
                    source: source, host: String(decoding: host, as: UTF8.self),
                    path: String(decoding: path, as: UTF8.self)))
            places[place] = rows.count - 1
            return rows.count - 1
        }

        /// Calls that the log has no row of are on no screen.
        mutating func add(_ call: WireCall, _ truth: CallTruth) {
            guard let index = places[Place(host: call.host, path: call.path)] else { return }
            if call.start != .min { rows[index].up.add(truth.up) }
            if call.status != 0 { rows[index].down.add(truth.down) }
        }
    }
}

extension ScreenRow.Side {
    fileprivate mutating func add(_ truth: DirectionTruth) {
        messages += 1
        messageBytes += truth.message
    }
}
