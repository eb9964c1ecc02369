import WireAccuracy
import WireLogs
import WireRecords

extension AccuracyIndex {
    /// What figures of calls can be that nobody could read: for each log and direction a table by API.
    func boundsTables(_ options: ReportOptions) -> [SourceTable] {
        result.logs.flatMap { log -> [SourceTable] in
            guard let bounds = log.bounds, result.sources.indices.contains(log.source) else { return [] }
            let apis = bounds.apis.filter {
                options.selection.includes(host: Array($0.host.utf8), api: Array($0.name.utf8))
            }
            return Direction.allCases.compactMap { direction in
                let rows = apis.filter { $0[direction].rows > 0 }
                guard !rows.isEmpty else { return nil }
                return SourceTable(
                    "Without keys: \(direction.noun)s", of: log.source,
                    columns: ["rows", "exact", "SDK", "least", "most", "not true", "error"],
                    rows: rows.map { (name: $0.name, cells: boundCells($0[direction])) },
                    note: direction == .up ? nil : boundsLegend(bounds))
            }
        }
    }

    private func boundCells(_ side: LogBounds.Side) -> [String?] {
        [
            grouped(side.rows), grouped(side.exact), grouped(side.logged), grouped(side.least), grouped(side.most),
            grouped(side.refuted), errorRange(side),
        ]
    }

    /// The error in percent of the message as far as it is known; nil where the figure may be right.
    private func errorRange(_ side: LogBounds.Side) -> String? {
        guard side.logged > side.most || side.logged < side.least else { return nil }
        let (first, last) =
            side.logged > side.most ? (side.most, side.least) : (side.least, side.most)
        let ends = [first, last].map { message in
            message > 0 ? signedPercent(clampedDifference(side.logged, message), of: message) : nil
        }
        guard let near = ends[0] else { return ends[1] }
        guard let far = ends[1] else { return "\(near) or more" }
        return near == far ? near : "\(near) to \(far)"
    }

    private func boundsLegend(_ bounds: LogBounds) -> String {
        var text =
            "least, most: what the messages of these rows can have taken, by lengths and times of records alone; exact: rows of "
            + "which both are the same; not true: rows whose figure is outside; error: of all rows together. "
        if let clock = bounds.clock { text += "The log's clock is \(clockRangeInWords(clock)) ahead. " }
        return text
            + "This holds if the capture has all packets; if rows begin before their requests and end after their answers, "
            + "but for \(durationInWords(LogBounds.jitter.magnitude)); and if calls use connections to their host or its "
            + "addresses and are not redirected to another host. least also needs unpadded records, no pipelining, and that "
            + "the call was sent; in HTTP/2 that the log has every call of the connection."
            + bodiesLegend(bounds)
    }

    /// What the bodies of the log leave, where that is less.
    private func bodiesLegend(_ bounds: LogBounds) -> String {
        let parts = Direction.allCases.compactMap { direction -> String? in
            let (most, given) = bounds.apis.reduce((0, 0)) {
                (clampedSum($0.0, $1[direction].most), clampedSum($0.1, $1[direction].mostGivenBodies))
            }
            return given < most
                ? "\(direction.noun)s of all rows at most \(grouped(given)) instead of \(grouped(most))" : nil
        }
        return parts.isEmpty ? "" : " If the log has all bodies as they were sent: \(listed(parts, most: 2))."
    }
}

func clockRangeInWords(_ clock: ClosedRange<Int64>) -> String {
    let ends = [clock.lowerBound, clock.upperBound].map { end in
        (end < 0 ? "-" : "") + offsetInWords(end.magnitude)
    }
    return ends[0] == ends[1] ? ends[0] : "\(ends[0]) to \(ends[1])"
}

/// What of a log's figures cannot be true though its calls were not read, and what is known to the byte. Nil where nothing is
/// known.
func boundsInWords(_ log: LogSummary) -> String? {
    guard let bounds = log.bounds, bounds.figures > 0 else { return nil }
    let figures = counted(bounds.figures, "figure")
    let refuted =
        bounds.refuted == 0
        ? "none of \(figures) of unread calls is proved wrong"
        : "\(grouped(bounds.refuted)) of \(figures) of unread calls cannot be true if the log's times are right"
    return refuted + (bounds.exact > 0 ? "; of \(grouped(bounds.exact)) the message is known to the byte" : "")
}

/// Why rows of unread calls have no bounds. Nil where all have.
func unboundedInWords(_ log: LogSummary) -> String? {
    guard let bounds = log.bounds, !bounds.unbounded.isEmpty else { return nil }
    let parts = bounds.unbounded.map { reason, rows in "\(grouped(rows)) \(unboundedInWords(reason))" }
    return "unread calls without bounds: " + parts.joined(separator: ", ")
}

/// Which rows have no bounds for this reason.
func unboundedInWords(_ reason: LogBounds.Reason) -> String {
    switch reason {
    case .noTimes: "without the times of start and end"
    case .unpaired: "of paths with other numbers of request and response rows"
    case .failed: "of failed calls"
    case .clockUnknown: "because nothing tells how far the log's clock is off"
    case .incompleteCapture: "because the capture lacks bytes in their time"
    case .nothingSent: "in whose time no request of their host was sent and answered (cached, or other times)"
    }
}
