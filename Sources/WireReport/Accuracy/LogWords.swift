import WireAccuracy

/// What became of the rows of a log, each kind in words.
func logFates(_ log: LogSummary) -> [(id: String, words: String, count: Int)] {
    [
        ("matched", "matched", log.matched), ("ambiguous", "matched to one of several equal calls", log.ambiguous),
        ("duplicates", "written twice", log.duplicates),
        ("host_total", "of hosts that TLS hides, compared in total only", log.hostTotal),
        ("without_exchange", "without exchange in the capture", log.withoutExchange),
        ("foreign_host", "of hosts without readable calls in the capture", log.foreignHost),
        ("outside_capture", "from before or after the capture", log.outsideCapture),
        ("not_selected", "of calls that were not chosen", log.notSelected), ("rejected", "unusable", log.rejected),
    ]
}

/// How the log's clock differs from the capture's.
func clockInWords(_ clock: ClockFit?) -> String {
    guard let clock else { return "the log has no times" }
    guard clock.pairs > 0 else { return "taken as the capture's; no pair of times to compare" }
    var text =
        clock.offset == 0
        ? "as the capture's"
        : "\(offsetInWords(clock.offset.magnitude)) \(clock.offset > 0 ? "ahead of" : "behind") the capture's"
    // Less than a tenth of a part per million is a millisecond in three hours.
    if clock.drift.isFinite, abs(clock.drift) >= 0.05, let drift = decimalText(abs(clock.drift), places: 1) {
        text += ", runs \(drift) ppm too \(clock.drift > 0 ? "fast" : "slow")"
    }
    text +=
        "; by \(counted(clock.pairs, "pair")), half of them "
        + (clock.spread == 0 ? "exactly so" : "within \(durationInWords(clock.spread.magnitude)) of that")
    return text
}

/// Up to a few minutes to the millisecond, since rows are compared that finely.
private func offsetInWords(_ nanoseconds: UInt64) -> String {
    guard nanoseconds >= 1_000_000_000, nanoseconds < 300_000_000_000,
        let seconds = decimalText(Double(nanoseconds) / 1e9, places: 3)
    else { return durationInWords(nanoseconds) }
    return "\(seconds) s"
}

/// The exchanges of the capture that the log has no row for.
func unseenInWords(_ log: LogSummary) -> String {
    guard log.exchangesTotal > 0 else { return "no exchange to look for" }
    guard !log.isIncomplete else {
        return "is incomplete: the \(counted(log.exchangesUnseen, "exchange")) without a row may have been recorded"
    }
    guard log.exchangesUnseen > 0 else { return "has a row for every exchange of the capture" }
    let share = percentInWords(log.exchangesUnseen, of: log.exchangesTotal)
    return "never saw \(grouped(log.exchangesUnseen)) of \(counted(log.exchangesTotal, "exchange")) (\(share)): "
        + "\(counted(log.unseenMessageBytes, "message byte")), \(counted(log.unseenWireBytes, "byte")) on the wire"
}

/// The formula that gives most of the log's figures. Nil where figures were not compared with any.
func formulaInWords(_ log: LogSummary, note: String) -> String? {
    guard log.comparedFigures > 0, !note.isEmpty else { return nil }
    let share = percentInWords(log.explainedFigures, of: log.comparedFigures)
    return "\(grouped(log.explainedFigures)) of \(counted(log.comparedFigures, "figure")) (\(share)) are explained "
        + "to the byte: \(note)"
}

/// How often, and where first.
func placeInWords(_ problem: LogProblem) -> String {
    counted(problem.count, "time") + (problem.firstRow.map { ", first in row \(grouped($0))" } ?? "")
}
