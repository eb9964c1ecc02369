import WireLogs

/// A log whose clock jumped by a whole hour, as where daylight saving time begins or ends: the rows on one side of a place
/// in it are an hour off, and found no exchange.
public struct HourJump: Sendable {
    static let hour: Int64 = 3_600_000_000_000
    private static let leastRows = 8
    /// So many of the rows on one side have no exchange at least, and on the other side have one.
    private static let leastShare = 0.8

    /// Places of the rows that are off, in the order of the log.
    public let rows: Range<Int>
    /// What is added to their times, nanoseconds.
    public internal(set) var shift: Int64 = 0

    /// Nil where the rows without an exchange do not lie on one side.
    init?(_ log: SDKLog, _ matching: LogMatching) {
        // +1: the row has an exchange, -1: it has none though it should.
        let votes = matching.fates.map { fate -> Int in
            switch fate {
            case .matched, .ambiguous: 1
            case .withoutExchange, .outsideCapture: -1
            case .duplicate, .foreignHost: 0
            }
        }
        let missing = votes.count { $0 < 0 }
        guard missing >= HourJump.leastRows else { return nil }
        let all = votes.reduce(0, +)
        var (best, isBefore, sum, places) = (Int.min, false, 0, 0..<0)
        for place in 0...votes.count {
            // Rows with exchanges before the place and those without behind it, or the other way round.
            let score = 2 * sum - all
            if score.magnitude > UInt(bitPattern: max(best, 0)) {
                (best, isBefore, places) = (abs(score), score < 0, place..<place)
            }
            if place < votes.count { sum += votes[place] }
        }
        rows = isBefore ? 0..<places.lowerBound : places.lowerBound..<votes.count
        let inside = rows.count { votes[$0] < 0 }
        let (outside, open) = (votes.count - rows.count, missing - inside)
        guard outside > 0, inside > 0, Double(inside) >= HourJump.leastShare * Double(rows.count),
            Double(open) <= (1 - HourJump.leastShare) * Double(outside)
        else { return nil }
    }

    /// Moved by so much, the rows lie in the capture: others are of another time.
    func isInCapture(_ log: SDKLog, _ span: ClosedRange<Int64>?, _ clock: ClockFit, by shift: Int64) -> Bool {
        guard let span else { return false }
        let clock = ClockModel(fit: clock, noise: [])
        let (first, last) = (clock.logTime(span.lowerBound), clock.logTime(span.upperBound))
        let slack = HourJump.hour / 60
        let inside = rows.count { place in
            let row = log.rows[place]
            let time = (UsableTime.contains(row.time) ? row.time : row.end).saturatingAdd(shift)
            return time >= first.saturatingSubtract(slack) && time <= last.saturatingAdd(slack)
        }
        return Double(inside) >= HourJump.leastShare * Double(rows.count)
    }

    /// The log as it would be without the jump.
    func moved(_ log: SDKLog, by shift: Int64) -> SDKLog {
        var log = log
        for row in rows {
            if UsableTime.contains(log.rows[row].time) {
                log.rows[row].time = log.rows[row].time.saturatingAdd(shift)
            }
            if UsableTime.contains(log.rows[row].end) { log.rows[row].end = log.rows[row].end.saturatingAdd(shift) }
        }
        return log
    }

    /// The log with times as if there had been no jump.
    public func mended(_ log: SDKLog) -> SDKLog { moved(log, by: shift) }

    /// What was added to the times of a row.
    public func shift(of row: Int) -> Int64 { rows.contains(row) ? shift : 0 }

    /// Most of the rows have an exchange once they are moved.
    func isConfirmed(_ matching: LogMatching) -> Bool {
        let found = rows.count { matching.exchanges[$0] >= 0 }
        return Double(found) >= HourJump.leastShare * Double(rows.count)
    }
}
