import WireAccuracy
import WireEstimates
import WireLogs
import WireRecords
import WireStatistics

/// In words: how far a source is off in one direction over all APIs, what the error is, what would repair most.
public struct AccuracyVerdict: Sendable, Equatable {
    /// Index in `AccuracyResult.sources`.
    public var source: Int
    public var direction: Direction
    /// Whole sentences, without markup; nothing in them comes from a capture or a log.
    public var text: String

    public init(source: Int, direction: Direction, text: String) {
        self.source = source
        self.direction = direction
        self.text = text
    }
}

/// For each source a verdict on requests and one on responses, in the order of the sources. Errors are those against
/// the messages: what is below HTTP no repair of a formula brings back.
public func accuracyVerdicts(_ result: AccuracyResult) -> [AccuracyVerdict] {
    var rows: [Int: AccuracyRow] = [:]
    let mismatches = result.mismatches
    for row in result.totals { rows[row.source * 2 + (row.direction == .up ? 0 : 1)] = row }
    return result.sources.indices.flatMap { source in
        let sides = (up: rows[source * 2], down: rows[source * 2 + 1])
        let isSilent = sides.up == nil && sides.down == nil
        return [(Direction.up, sides.up), (.down, sides.down)].map { direction, row in
            let name = direction == .up ? "Request" : "Response"
            let words =
                mismatches[source].map { "not compared: \($0.sentence)." }
                ?? row.map {
                    verdictText(
                        $0, isExactOnHTTP1: result.sources[source].isExactOnHTTP1, leftOut: result.leftOutInWords($0))
                }
                ?? (isSilent ? "no figure for any call." : "the source has no figures for this direction.")
            return AccuracyVerdict(source: source, direction: direction, text: "\(name): \(words)")
        }
    }
}

/// The sentences for one row, without the direction's name before them.
///
/// - Parameter leftOut: why these are not all calls of the report, such as `left out: 4 ambiguous`; nil where they are.
package func verdictText(_ row: AccuracyRow, isExactOnHTTP1: Bool = false, leftOut: String? = nil) -> String {
    guard row.coverage.calls > 0 else { return "no call to compare." }
    let errors = ErrorBreakdown(row)
    let unseen = unseenSentence(row, leftOut)
    guard errors.calls > 0 else { return unseen ?? "no figure for any call." }
    let error = errorSentence(errors, row.message, isExactOnHTTP1) + (spreadSentence(errors, row.message) ?? "")
    guard let unseen else { return error + (leftOut.map { " \(capitalized($0))." } ?? "") }
    // What weighs more comes first.
    return row.unseen.sum.magnitude > errors.missing.magnitude &+ errors.surplus.magnitude
        ? "\(unseen) In the others, \(error)" : "\(error) \(capitalized(unseen))"
}

// MARK: The error of the recorded calls

private func errorSentence(
    _ errors: ErrorBreakdown, _ statistics: ErrorStatistics, _ isExactOnHTTP1: Bool
) -> String {
    guard let chief = errors.chief else {
        if statistics.maximum == 0 {
            return "\(all(errors.calls)) counted to the byte\(isExactOnHTTP1 ? ", by construction on HTTP/1" : "")."
        }
        return "the total is right, but single calls are not: errors of both signs cancel, up to "
            + "\(counted(statistics.maximum, "byte")) in one call."
    }
    if errors.surplus == 0 { return oneSided(errors, chief, "undercount", errors.missing) }
    if errors.missing == 0 { return oneSided(errors, chief, "overcount", errors.surplus) }
    return errors.net == 0 ? cancelling(errors) : mixed(errors, chief)
}

/// All causes have the same sign, so shares of the error are plain.
private func oneSided(_ errors: ErrorBreakdown, _ chief: ErrorBreakdown.Post, _ noun: String, _ whole: Int) -> String {
    let part = errors.posts.count == 1 ? "" : "\(words(chief.bytes, errors)) of "
    let sizes = "(\(part)\(bytesInWords(words(whole, errors))) per call)"
    var text = "\(share(chief.bytes, of: whole)) the \(noun) \(sizes) comes from \(chief.cause.inSentence)"
    if errors.posts.count > 1, errors.posts[1].bytes.magnitude >= whole.magnitude / 5 {
        let second = errors.posts[1]
        text += "; \(percentInWords(second.bytes.magnitude, of: whole)) from \(second.cause.inSentence)"
    }
    return text + "."
}

/// Causes of both signs that leave nothing.
private func cancelling(_ errors: ErrorBreakdown) -> String {
    "the total is right only because errors cancel: \(bytesInWords(words(errors.missing, errors))) per call "
        + "are missing (\(chiefly(errors.chiefMissing, of: errors.missing))), and as many are surplus "
        + "(\(chiefly(errors.chiefSurplus, of: errors.surplus)))."
}

/// Causes of both signs: shares are told of the side that the largest is on, never of the difference.
private func mixed(_ errors: ErrorBreakdown, _ chief: ErrorBreakdown.Post) -> String {
    let isMissing = chief.bytes < 0
    let sides = "\(words(errors.missing, errors)) missing, \(words(errors.surplus, errors)) surplus"
    let whole = isMissing ? errors.missing : errors.surplus
    var text = "\(size(errors.net, errors)): \(sides). "
    text += "\(capitalized(share(chief.bytes, of: whole))) the \(isMissing ? "shortfall" : "surplus") "
    if chief.bytes.magnitude < whole.magnitude { text += "(\(bytesInWords(words(chief.bytes, errors))) per call) " }
    text += "comes from \(chief.cause.inSentence). If only this were fixed, the total would be "
    let rest = errors.net &- chief.bytes
    if rest.magnitude < errors.net.magnitude { return text + size(rest, errors) + "." }
    let hidden = isMissing ? errors.chiefSurplus : errors.chiefMissing
    return text + "worse, \(size(rest, errors)), because it now masks "
        + (hidden?.cause.inSentence ?? "the other side") + "."
}

/// Single calls that are much farther off, or much less, than the mean tells.
private func spreadSentence(_ errors: ErrorBreakdown, _ statistics: ErrorStatistics) -> String? {
    guard errors.chief != nil else { return nil }
    if let median = statistics.telltaleMedian {
        let half = median == 0 ? "are exact" : "are off by no more than \(counted(median, "byte"))"
        return " Half of the calls \(half): a few calls cause most of the error."
    }
    guard statistics.meanAbsolute.isFinite, statistics.meanAbsolute >= 1,
        statistics.meanAbsolute > 1.5 * abs(statistics.bias), let mean = decimalText(statistics.meanAbsolute, places: 1)
    else { return nil }
    return " On average a call is off by \(mean) bytes, some calls too high, some too low."
}

// MARK: Calls without a figure

private func unseenSentence(_ row: AccuracyRow, _ leftOut: String?) -> String? {
    let coverage = row.coverage
    let calls = coverage.calls &- coverage.recordedCalls
    guard calls > 0 else { return nil }
    let share = smallPercentInWords(Int(clamping: row.unseen.sum.magnitude), of: coverage.messageBytes)
    let notes = ["\(share) of the bytes"] + (leftOut.map { [$0] } ?? [])
    var text = "\(grouped(calls)) of \(counted(coverage.calls, "call")) (\(notes.joined(separator: "; "))) "
    let reason = row.unseen.posts.max { $0.bytes.magnitude < $1.bytes.magnitude }
    // Of a call that no row was joined to nobody knows whether it is recorded.
    let lacks = reason?.cause == .notJoined ? "without a joined row" : "not recorded"
    text += (calls == 1 ? "is " : "are ") + lacks
    if calls == coverage.calls {
        let found = reason?.cause == .notJoined ? "has a joined row" : "is recorded"
        text = "none of \(counted(calls, "call"))\(leftOut.map { " (\($0))" } ?? "") \(found)"
    }
    guard let reason else { return text + "." }
    return "\(text): \(row.unseen.posts.count > 1 ? "chiefly " : "")\(reason.cause.inSentence)."
}

// MARK: Words

private func all(_ calls: Int) -> String {
    calls == 1 ? "exact; the one call is" : "exact; all \(grouped(calls)) calls are"
}

/// `105 bytes per call too low`.
private func size(_ bytes: Int, _ errors: ErrorBreakdown) -> String {
    bytes == 0 ? "right" : "\(bytesInWords(words(bytes, errors))) per call too \(bytes < 0 ? "low" : "high")"
}

private func words(_ bytes: Int, _ errors: ErrorBreakdown) -> String { meanInWords(bytes, of: errors.calls) }

/// `57 % of`, `all of`.
private func share(_ part: Int, of whole: Int) -> String {
    part.magnitude == whole.magnitude ? "all of" : "\(percentInWords(part.magnitude, of: whole)) of"
}

private func chiefly(_ post: ErrorBreakdown.Post?, of whole: Int) -> String {
    guard let post else { return "" }
    return (post.bytes.magnitude < whole.magnitude ? "chiefly " : "") + post.cause.inSentence
}

private func percentInWords(_ part: UInt, of whole: Int) -> String {
    percentInWords(Int(clamping: part), of: whole)
}

func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
