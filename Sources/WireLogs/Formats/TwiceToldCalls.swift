/// Calls that a log may tell twice: in full, with a start and an end, and by a note that was made when the call ended, such
/// as a breadcrumb beside a span. The two are joined to one row.
struct TwiceToldCalls {
    struct Call {
        var row: LogRow
        let unit: LogTime.Unit
        let written: Int64?
        var figures: LogFigures
        let isNote: Bool
        /// A note whose call is told in full.
        var isJoined = false
    }

    /// What a call and its note agree in.
    struct Target: Hashable {
        let host: Int32
        let path: Int32
        let port: UInt16
        let method: Int32

        init(_ row: LogRow) { (host, path, port, method) = (row.host, row.path, row.serverPort, row.method) }
    }

    /// How near a note and a call are; the lower place decides between equals.
    private struct Rank: Comparable {
        let distance: UInt64
        let place: Int

        static func < (left: Rank, right: Rank) -> Bool {
            (left.distance, left.place) < (right.distance, right.place)
        }
    }

    /// What a note's time may be outside of its call, nanoseconds: the one is made just before or behind the other.
    private static let slack: Int64 = 50_000_000
    /// Calls of one target that are looked at for one note.
    private static let callLimit = 64

    private(set) var calls: [Call] = []

    mutating func append(
        _ row: LogRow, _ unit: LogTime.Unit, _ written: Int64?, _ figures: LogFigures, isNote: Bool
    ) {
        calls.append(Call(row: row, unit: unit, written: written, figures: figures, isNote: isNote))
    }

    /// Joins notes with calls: the same URL, method and status, and a time within the call. Of several the nearest in time
    /// are one. The row has the call's times, and the note's sizes where the call has none.
    mutating func join() {
        let groups = callsByTarget()
        guard !groups.isEmpty else { return }
        var owners: [Int: Rank] = [:]
        var tried: [Int: Rank] = [:]
        var open = Array(calls.indices.filter { calls[$0].isNote && calls[$0].row.end != .min }.reversed())
        // Each note takes its nearest call, unless another note is nearer to that; so the nearest pairs are joined first.
        while let note = open.popLast() {
            guard let group = groups[Target(calls[note].row)],
                let rank = nearest(to: note, in: group, behind: tried[note])
            else { continue }
            tried[note] = rank
            let own = Rank(distance: rank.distance, place: note)
            if let owner = owners[rank.place] {
                open.append(own < owner ? owner.place : note)
                if own > owner { continue }
            }
            owners[rank.place] = own
        }
        for (call, owner) in owners { merge(owner.place, into: call) }
    }

    /// Places of calls that have an end, in the order of their ends.
    private func callsByTarget() -> [Target: [Int]] {
        guard calls.contains(where: { $0.isNote }) else { return [:] }
        var groups: [Target: [Int]] = [:]
        for place in calls.indices where !calls[place].isNote && calls[place].row.end != .min {
            groups[Target(calls[place].row), default: []].append(place)
        }
        for target in groups.keys {
            groups[target]?.sort { (calls[$0].row.end, $0) < (calls[$1].row.end, $1) }
        }
        return groups
    }

    /// The call nearest to a note of those that are farther than the rank.
    private func nearest(to note: Int, in group: [Int], behind last: Rank?) -> Rank? {
        let row = calls[note].row
        let earliest = LogTime.moved(row.end, by: -TwiceToldCalls.slack)
        var (low, high) = (0, group.count)
        while low < high {
            let middle = (low + high) / 2
            if calls[group[middle]].row.end < earliest { low = middle + 1 } else { high = middle }
        }
        var best: Rank?
        for place in group[low...].prefix(TwiceToldCalls.callLimit) {
            guard let rank = rank(of: place, row), last.map({ rank > $0 }) ?? true else { continue }
            if best.map({ rank < $0 }) ?? true { best = rank }
        }
        return best
    }

    /// Nil where the call cannot be the note's.
    private func rank(of place: Int, _ note: LogRow) -> Rank? {
        let call = calls[place].row
        guard call.status == note.status || call.status == 0 || note.status == 0 else { return nil }
        guard call.time != .min else { return Rank(distance: LogTime.distance(call.end, note.end), place: place) }
        guard LogTime.moved(call.time, by: -TwiceToldCalls.slack) <= note.end else { return nil }
        let start = note.time == .min ? 0 : LogTime.distance(call.time, note.time)
        let (sum, overflow) = LogTime.distance(call.end, note.end).addingReportingOverflow(start)
        return Rank(distance: overflow ? .max : sum, place: place)
    }

    private mutating func merge(_ note: Int, into call: Int) {
        let (told, figures) = (calls[note].row, calls[note].figures)
        calls[note].isJoined = true
        if calls[call].row.status == 0 { calls[call].row.status = told.status }
        if calls[call].row.up.total == nil {
            (calls[call].row.up, calls[call].figures.up) = (told.up, figures.up)
        }
        if calls[call].row.down.total == nil {
            (calls[call].row.down, calls[call].figures.down) = (told.down, figures.down)
        }
    }

    /// Adds the rows to a log, and notes which were joined.
    func add(to builder: LogBuilder, joined what: String) {
        for call in calls {
            if call.isJoined {
                builder.note(what, row: call.row.number)
            } else {
                builder.append(call.row, unit: call.unit, written: call.written, figures: call.figures)
            }
        }
    }
}
