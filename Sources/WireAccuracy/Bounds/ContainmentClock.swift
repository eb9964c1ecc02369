import WireJoin
import WireNative

/// Finds how far a log's clock is ahead of the capture's where no call can be read: an app notes that it asked before the
/// request leaves, and that it was answered after the answer came, so that by the right offset each row's window holds a
/// request and the beginning of its answer.
///
/// What comes out are all offsets by which nearly as many rows hold one as by the best. The true one is among them unless
/// the rows' times are not what they say.
struct ContainmentClock {
    /// A row that has both times, by the log's clock.
    struct Window {
        var start: Int64
        var end: Int64
        /// Index of its host's timeline.
        var timeline: Int
    }

    /// Offsets tried around equal clocks, or around what other rows told.
    private static let nearReach: Int64 = 5_000_000_000
    /// The same where nothing near fits: as far as zones differ (-12 to +14 hours). What is a day off is of another day.
    private static let farReach: Int64 = 15 * 3_600_000_000_000
    /// An offset found far away is known as well as this by itself.
    private static let farWidth: Int64 = 10_000_000_000
    private static let fewestRows = 5
    private static let sampledRows = 2000
    private static let farRows = 64
    /// Of the rows that hold a call by any offset, so many do by the right one.
    private static let leastShare = 0.9

    let windows: [Window]
    let timelines: [HostTimeline]

    init(_ windows: [Window], _ timelines: [HostTimeline]) {
        (self.windows, self.timelines) = (windows, timelines)
    }

    /// - Parameter center: what is known of the offset from elsewhere; nil: nothing.
    func offsets(around center: Int64?) -> ClosedRange<Int64>? {
        if let near = search(center ?? 0, ContainmentClock.nearReach, rows: ContainmentClock.sampledRows) {
            return near
        }
        guard center == nil,
            let far = search(0, ContainmentClock.farReach, rows: ContainmentClock.farRows),
            far.upperBound - far.lowerBound <= ContainmentClock.farWidth
        else { return nil }
        let middle = far.lowerBound + (far.upperBound - far.lowerBound) / 2
        return search(middle, ContainmentClock.nearReach, rows: ContainmentClock.sampledRows)
    }

    private func search(_ center: Int64, _ reach: Int64, rows limit: Int) -> ClosedRange<Int64>? {
        let reached = center.saturatingSubtract(reach)...center.saturatingAdd(reach)
        var changes: [(offset: Int64, by: Int)] = []
        var rows = 0
        let step = max(1, (windows.count + limit - 1) / limit)
        for index in stride(from: 0, to: windows.count, by: step) {
            let ranges = offsets(windows[index], reached)
            if !ranges.isEmpty { rows += 1 }
            for range in ranges {
                changes.append((range.lowerBound, 1))
                changes.append((range.upperBound.saturatingAdd(1), -1))
            }
        }
        guard rows >= ContainmentClock.fewestRows else { return nil }
        changes.sort { ($0.offset, $0.by) < ($1.offset, $1.by) }
        return best(changes, of: rows, reached)
    }

    /// The offsets by which nearly the most rows hold a call. Nil where they are too few of them, or where the range that was
    /// searched has no offset to either side by which fewer do: then nothing tells.
    private func best(
        _ changes: [(offset: Int64, by: Int)], of rows: Int, _ reached: ClosedRange<Int64>
    ) -> ClosedRange<Int64>? {
        var (score, most) = (0, 0)
        for change in changes {
            score += change.by
            most = max(most, score)
        }
        guard Double(most) >= Double(rows) * ContainmentClock.leastShare else { return nil }
        let enough = most - max(1, most / 50)
        var (first, last): (Int64?, Int64) = (nil, reached.lowerBound)
        score = 0
        for change in changes {
            let before = score
            score += change.by
            if score >= enough, before < enough, first == nil { first = change.offset }
            if score < enough, before >= enough { last = change.offset.saturatingSubtract(1) }
        }
        guard let first, first > reached.lowerBound, last < reached.upperBound, first <= last else { return nil }
        return first...last
    }

    /// By which offsets the row's window holds a request and the beginning of an answer, ascending and apart from each other.
    private func offsets(_ window: Window, _ reached: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
        let replies = timelines[window.timeline].replies
        let earliest = window.start.saturatingSubtract(reached.upperBound)
        let latest = window.end.saturatingSubtract(reached.lowerBound)
        var ranges: [ClosedRange<Int64>] = []
        let first = replies.firstIndexFromWhichAll { $0.asked >= earliest }
        let end = max(first, replies.firstIndexFromWhichAll { $0.asked > latest })
        for reply in replies[first..<end].reversed() {
            let low = max(window.start.saturatingSubtract(reply.asked), reached.lowerBound)
            let high = min(window.end.saturatingSubtract(reply.answered), reached.upperBound)
            guard low <= high else { continue }
            if let last = ranges.last, low <= last.upperBound.saturatingAdd(1) {
                ranges[ranges.count - 1] = min(last.lowerBound, low)...max(last.upperBound, high)
            } else {
                ranges.append(low...high)
            }
        }
        return ranges
    }
}
