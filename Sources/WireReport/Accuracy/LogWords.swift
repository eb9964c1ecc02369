import WireAccuracy
import WireJoin
import WireLogs
import WireRecords

/// What became of the rows of a log, each kind in words.
func logFates(_ log: LogSummary) -> [(id: String, words: String, count: Int)] {
    [
        ("matched", "matched", log.matched), ("ambiguous", "that fit several calls equally", log.ambiguous),
        ("duplicates", "duplicate", log.duplicates),
        ("host_total", "of hosts with undecrypted TLS, compared in total only", log.hostTotal),
        ("partly_read", "of hosts whose TLS was decrypted in part, not compared", log.partlyRead),
        ("without_exchange", "without exchange in the capture", log.withoutExchange),
        ("foreign_host", "of hosts without readable calls in the capture", log.foreignHost),
        ("tls_failed", "of calls whose TLS handshake failed", log.tlsFailed),
        ("outside_capture", "from before or after the capture", log.outsideCapture),
        ("not_selected", "of calls that were not selected", log.notSelected), ("rejected", "unusable", log.rejected),
    ]
}

/// The rows that could not be assigned to one call, and what they leave open. Nil where there are none.
func ambiguityInWords(_ log: LogSummary) -> String? {
    guard log.ambiguous > 0 else { return nil }
    let isOne = log.ambiguous == 1
    var text = "\(counted(log.ambiguous, "row")) \(isOne ? "fits" : "fit") several calls equally; "
    text += isOne ? "it is left out of all error figures" : "they are left out of all error figures"
    let bounds = Direction.allCases.compactMap { direction -> String? in
        guard let range = log.ambiguousBounds?[direction] else { return nil }
        let (low, high) = (signedBytes(range.lowerBound), signedBytes(range.upperBound))
        return (low == high ? bytesInWords(low) : "between \(low) and \(bytesInWords(high))") + " in \(direction.nouns)"
    }
    if bounds.isEmpty { return text }
    return text + "; with \(isOne ? "it" : "them") the error in total is " + bounds.joined(separator: ", ")
}

/// How the log's clock differs from the capture's. Nothing is claimed that lies within its uncertainty. Nil of logs of
/// several sessions, each of which has a clock of its own.
func clockInWords(_ log: LogSummary) -> String? {
    if log.isMerged { return nil }
    guard let clock = log.clock else { return "the log has no times" }
    if clock.pairs == 0, let offsets = log.bounds?.clock {
        return clockRangeInWords(offsets) + " ahead of the capture clock, by the times of records that were not read"
    }
    guard clock.pairs > 0 else { return "assumed equal to the capture clock: no pair of times to compare" }
    var text = offsetInWords(clock)
    if let drift = driftInWords(clock) { text += ", runs " + drift }
    text += "; from \(counted(clock.pairs, "pair"))"
    guard clock.pairs > 1 else { return text }
    text +=
        ", half of them "
        + (clock.spread == 0 ? "exactly so" : "within \(durationInWords(clock.spread.magnitude)) of this")
    return text
}

private func offsetInWords(_ clock: ClockFit) -> String {
    let error = clock.offsetError.flatMap { $0 < 0 ? nil : $0.magnitude }
    if clock.offset.magnitude <= error ?? 0 {
        return "equal to the capture clock" + (error.map { $0 == 0 ? "" : ", within \(durationInWords($0))" } ?? "")
    }
    let margin = error.map { $0 == 0 ? "" : " ± \(durationInWords($0))" } ?? ""
    let size = offsetInWords(clock.offset.magnitude)
    return "\(size)\(margin) \(clock.offset > 0 ? "ahead of" : "behind") the capture clock"
}

/// Nil where no drift can be claimed: its uncertainty is not known or as large, or it is less than a tenth of a part
/// per million, a millisecond in three hours.
private func driftInWords(_ clock: ClockFit) -> String? {
    guard clock.drift.isFinite, let error = clock.driftError, error.isFinite, error >= 0, abs(clock.drift) > error,
        abs(clock.drift) >= 0.05, let drift = decimalText(abs(clock.drift), places: 1),
        let margin = decimalText(error, places: 1)
    else { return nil }
    return "\(drift)\(margin == "0" ? "" : " ± \(margin)") ppm too \(clock.drift > 0 ? "fast" : "slow")"
}

/// Up to a few minutes to the millisecond, since rows are compared that finely.
func offsetInWords(_ nanoseconds: UInt64) -> String {
    guard nanoseconds >= 1_000_000_000, nanoseconds < 300_000_000_000,
        let seconds = decimalText(Double(nanoseconds) / 1e9, places: 3)
    else { return durationInWords(nanoseconds) }
    return "\(seconds) s"
}

/// The exchanges of the capture that the log has no row for.
///
/// - Parameter rows: of the log, over all APIs, one for each direction that it speaks of. An exchange with a request
///   row and no response row has a row, yet its response is not recorded, so both directions are told.
func unseenInWords(_ log: LogSummary, _ result: AccuracyResult, rows: [AccuracyRow]) -> String {
    if let mismatch = log.mismatch { return mismatch.sentence + ": there is nothing to compare" }
    guard log.exchangesTotal > 0 else { return "the capture has no exchange to compare" }
    var others: [String] = []
    if log.mergedHops > 0 {
        let own = log.mergedHops == 1 ? "its" : "their"
        others.append("\(counted(log.mergedHops, "redirected hop")) without a row of \(own) own")
    }
    if log.exchangesForeign > 0 { others.append(foreignInWords(log)) }
    return ([rowsInWords(log, result, rows)] + others).joined(separator: "; besides ")
}

/// Exchanges that are no matter of the SDK.
func foreignInWords(_ log: LogSummary) -> String {
    "\(counted(log.exchangesForeign, "exchange")) of hosts that the log never names, left out of all error figures"
}

private func rowsInWords(_ log: LogSummary, _ result: AccuracyResult, _ rows: [AccuracyRow]) -> String {
    let named = clampedDifference(log.exchangesTotal, log.exchangesForeign)
    guard named > 0 else { return "names no host of the capture" }
    guard !log.isIncomplete else {
        return "is incomplete: the \(counted(log.exchangesUnseen, "exchange")) without a row may have been recorded"
    }
    // Those without any row are told apart.
    let told = clampedSum(log.exchangesUnseen, log.mergedHops)
    let lacking = rows.compactMap { row -> String? in
        let calls = clampedDifference(clampedDifference(row.coverage.calls, row.coverage.recordedCalls), told)
        return calls > 0
            ? "no \(row.direction.noun) row for \(grouped(calls))\(told > 0 ? " more" : "") of \(result.callsInWords(row))"
            : nil
    }
    guard log.exchangesUnseen > 0 else {
        let whole = "has a row for every exchange of \(log.exchangesForeign > 0 ? "its hosts" : "the capture")"
        return lacking.isEmpty ? whole : "has " + lacking.joined(separator: ", ")
    }
    let share = percentInWords(log.exchangesUnseen, of: named)
    if log.sample != nil {
        let joined = clampedDifference(named, told)
        return "is a sample: it has \(grouped(joined)) of \(counted(named, "exchange")) "
            + "(\(percentInWords(joined, of: named))), evenly of each API and at all times; the capture's own counts weight them"
    }
    return "has no row for \(grouped(log.exchangesUnseen)) of \(counted(named, "exchange")) (\(share)): "
        + "\(counted(log.unseenMessageBytes, "message byte")), \(counted(log.unseenWireBytes, "byte")) on the wire"
        + unseenReasons(log) + (lacking.isEmpty ? "" : "; " + lacking.joined(separator: ", "))
}

/// Why exchanges have no row, as far as it is known.
private func unseenReasons(_ log: LogSummary) -> String {
    let lost = clampedDifference(log.exchangesUnseen, clampedSum(log.exchangesNotJoined, log.exchangesInvisible))
    let parts = [
        (log.exchangesNotJoined, "may have a row that was not joined"),
        (log.exchangesInvisible, "\(log.exchangesInvisible == 1 ? "is" : "are") invisible to the SDK"),
        (lost, "probably lost \(lost == 1 ? "its row" : "their rows")"),
    ].filter { $0.0 > 0 }
    let words = parts.count == 1 && parts[0].0 == 1 ? ["it \(parts[0].1)"] : parts.map { "\(grouped($0.0)) \($0.1)" }
    return "; " + words.joined(separator: ", ")
}

/// The formula that gives most of the log's figures. Nil where figures were not compared with any.
func formulaInWords(_ log: LogSummary, _ formulas: [LogFormula], note: String) -> ReportText? {
    guard log.comparedFigures > 0, !note.isEmpty else { return nil }
    let share = percentInWords(log.explainedFigures, of: log.comparedFigures)
    // How many figures it was fitted to stands beside the formula itself; a second count here would be another one's.
    let formula = note.replacing(#/ \(\d+ of \d+ figures\)/#, with: "")
    let fitted = formulas.filter { $0.kind == .published }.reduce(0) { clampedSum($0, $1.compared) }
    let others =
        fitted == 0 || fitted == log.comparedFigures
        ? "" : "; it was fitted to calls that did not fail and were matched by time alone"
    return """
        \(grouped(log.explainedFigures)) of \(counted(log.comparedFigures, "logged size")) (\(share)) equal a known formula to \
        the byte: \(name: formula, most: 2000)\(others)
        """
}

/// How often, and where first.
package func placeInWords(_ problem: LogProblem) -> String {
    counted(problem.count, "time") + (problem.firstRow.map { ", first in row \(grouped($0))" } ?? "")
}

/// How the log records redirected calls. Nil where the capture has none, or no row tells.
func redirectsInWords(_ log: LogSummary) -> String? {
    if log.mismatch != nil { return nil }
    return switch log.redirects {
    case nil: nil
    case .hops: "redirected calls: one row per hop, each with its own URL"
    case .firstURLOnLast: "redirected calls: one row per hop; the row of the last response has the first URL"
    case .task: "redirected calls: one row per call, with the first URL and the last response"
    }
}
