import WireCore
import WireLogs

/// What the other rows tell of one.
extension BoundedRows {
    /// The rows that have no other one near them in time.
    func loneRows() -> LoneRows {
        let unknown = hasUntimedStrangers ? nil : Set(untimed.map(\.timeline))
        var lone = LoneRows(hidden, numbersOfTimeline, unknown: unknown)
        guard let offsets else { return lone }
        // A response of a row of its own is of a call that has a row of the request.
        for row in rows where log.rows[row.index].kind != .response {
            lone.add(
                window(row, offsets), timeline: row.window.timeline, hasFailed: log.rows[row.index].tellsFailure)
        }
        for row in strangers {
            lone.add(window(row, offsets), timeline: nil, hasFailed: log.rows[row.index].tellsFailure)
        }
        return lone
    }

    /// The bodies that the log has of the rows of each timeline.
    struct Bodies {
        fileprivate let log: SDKLog
        fileprivate let timelines: [HostTimeline]
        fileprivate var sides: Directions<[LoggedBodies]>

        /// The most that the figure's message can have, if the bodies of other rows are as the log has them.
        func limit(
            _ figure: LogBounds.Figure?, _ row: Row, _ direction: Direction, _ window: ClosedRange<Int64>
        ) -> LogBounds.Figure? {
            guard var figure else { return nil }
            let timeline = row.window.timeline
            let bodies = direction == .up ? sides.up[timeline] : sides.down[timeline]
            let taken = bodies.bytes(of: log.rows[row.index], window, timelines[timeline].records(direction))
            figure.mostGivenBodies = max(figure.message.upperBound - taken, figure.message.lowerBound)
            return figure
        }
    }

    func loggedBodies() -> Bodies {
        let none = Array(repeating: LoggedBodies(), count: timelines.count)
        var bodies = Bodies(log: log, timelines: timelines, sides: Directions(up: none, down: none))
        guard let offsets else { return bodies }
        for row in rows where !log.rows[row.index].tellsFailure {
            let window = window(row, offsets)
            let (own, timeline) = (log.rows[row.index], row.window.timeline)
            // What cannot be true is no claim.
            if let bytes = own.up.body, bytes > 0, bytes <= timelines[timeline].records(.up).total(window) {
                bodies.sides.up[timeline].add(own, window, bytes: bytes)
            }
            if let bytes = own.down.body, bytes > 0, bytes <= timelines[timeline].records(.down).total(window) {
                bodies.sides.down[timeline].add(own, window, bytes: bytes)
            }
        }
        for timeline in timelines.indices {
            bodies.sides.up[timeline].finish()
            bodies.sides.down[timeline].finish()
        }
        return bodies
    }
}
