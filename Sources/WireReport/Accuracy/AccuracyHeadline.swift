import WireAccuracy
import WireCore
import WireLogs
import WireRecords

/// The sentences that a report begins with: how far the source that matters most is off or, where nobody chose a source,
/// how far all of them are.
struct AccuracyHeadline {
    let index: AccuracyIndex
    let options: ReportOptions
    let audit: AuditResult

    private var result: AccuracyResult { index.result }

    /// The APIs that the error in total hides; nil where none is chosen or nothing is hidden.
    var ranges: ReportText? {
        guard options.hasChosenSources, let first = index.sources.first else { return nil }
        let sentences = Direction.allCases.compactMap { direction in
            APIRange(index, first, direction)?.sentence(of: direction.noun + "s", result)
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    /// Without full stop at the end; nil without sources.
    var verdict: ReportText? {
        guard let first = index.sources.first else { return nil }
        if index.isEmpty { return "No call of this capture can be compared" }
        if !options.hasChosenSources, let range { return base(first).map { "\($0); in these, \(range)" } ?? range }
        let bounds: ReportText = bounds(first).map { ". \($0)" } ?? ""
        if let uncompared = uncompared(first) { return uncompared + bounds }
        let figures = single(first)
        // Of a log of another time or of other hosts nothing was compared.
        guard result.mismatches[first] == nil, let base = base(first) else { return figures + bounds }
        return "\(base); in these, \(figures)\(bounds)"
    }

    // MARK: What the verdict rests on

    /// How little was compared, where that is less than figures of all calls need.
    func base(_ source: Int) -> ReportText? {
        let traffic = ReadShare(audit) { options.selection.includes(hostRow: $0) }
        let rows = log(source).map { ReadShare($0) }
        var parts: [String] = []
        if traffic.isTooLittle {
            let compared = index.totals(source).reduce(0) { clampedSum($0, $1.coverage.wireBytes) }
            parts.append("\(smallPercentInWords(compared, of: traffic.whole)) of the bytes")
        }
        if let rows, rows.isTooLittle {
            parts.append("\(grouped(rows.read)) of \(counted(rows.whole, "row")) of the log")
        }
        return parts.isEmpty ? nil : "Only \(parts.joined(separator: " and ")) could be compared"
    }

    /// A log without any row whose call was read. Nil of others.
    func uncompared(_ source: Int) -> ReportText? {
        guard let log = log(source), log.mismatch == nil else { return nil }
        let rows = ReadShare(log)
        guard rows.read == 0, rows.whole > 0 else { return nil }
        let name: ReportText = "\(name: result.sources[source].id) (\(result.sources[source].origin))"
        let instead = log.hostTotal > 0 ? "; compare the totals by host" : ""
        return
            "No call of \(name) could be compared: the calls of its \(counted(rows.whole, "row")) were not read\(instead)"
    }

    /// What is known of the figures of calls that were not read. Nil where nothing is.
    func bounds(_ source: Int) -> ReportText? { log(source).flatMap(boundsInWords).map { "Without keys, \($0)" } }

    private func log(_ source: Int) -> LogSummary? { result.logs.first { $0.source == source } }

    /// How to get a verdict on one source; nil where one was chosen.
    var advice: ReportText? {
        guard !options.hasChosenSources, !index.isEmpty, index.sources.count > 1 else { return nil }
        return """
            No SDK was chosen. Name the SDK of the app with \(name: "--estimators NAME") (\(name: "wireaudit estimators") lists \
            them), or compare the app's log with \(name: "--sdk-log FILE").
            """
    }

    // MARK: One source

    private func single(_ source: Int) -> ReportText {
        let facts = result.sources[source]
        let name: ReportText = "\(name: facts.id) (\(facts.origin))"
        if let mismatch = result.mismatches[source] { return "\(name) \(mismatch.predicate)" }
        var (text, verb) = ("", "")
        for row in index.totals(source) {
            let (next, words) = phrase(row)
            text += (text.isEmpty ? " " : " and ") + (next == verb ? "" : next + " ") + words
            verb = next
        }
        return name + ReportText(text.isEmpty ? " has no figures for calls" : text)
    }

    /// The mean error of a call. The median stands beside it, since a few large calls can make the mean: it is that of
    /// the tables, of errors without their signs. The verb apart, since two directions may share it.
    private func phrase(_ row: AccuracyRow) -> (verb: String, words: String) {
        let (statistics, noun) = (row.message, row.direction.noun + "s")
        guard statistics.count > 0 else { return ("has no figure for", noun) }
        if let sample = log(row.source)?.sample, let error = row.direction == .up ? sample.up : sample.down {
            return phrase(error, noun)
        }
        if statistics.maximum == 0 { return ("counts", "\(noun) to the byte") }
        if statistics.errorTotal == 0 { return ("counts", "\(noun) right in total, though single calls are off") }
        let size = bytesInWords(meanInWords(statistics.errorTotal, of: statistics.count))
        let median = statistics.count > 1 ? statistics.medianText.map { "median \($0)" } : nil
        // A verdict on a small part of the calls says so.
        let isOfFew = log(row.source) != nil && statistics.count < row.coverage.calls / 2
        let few = isOfFew ? "\(grouped(statistics.count)) of \(counted(row.coverage.calls, "call"))" : nil
        let facts = [signedPercent(statistics.errorTotal, of: statistics.truthTotal), median, few]
            .compactMap(\.self)
        let words = "\(noun) by \(size) per call" + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
        return (statistics.errorTotal < 0 ? "undercounts" : "overcounts", words)
    }

    /// What a sample of the calls tells of all of them.
    private func phrase(_ error: SampledError, _ noun: String) -> (verb: String, words: String) {
        let size = bytesInWords(meanInWords(error.error, of: error.calls))
        let ends = [error.error, error.low, error.high].compactMap {
            signedPercent($0, of: error.bytes)
        }
        let interval = ends.count == 3 ? " (\(ends[0]), 95 % interval \(ends[1]) to \(ends[2]))" : ""
        let words =
            "\(noun) by \(size) per call\(interval), estimated from \(grouped(error.sampled)) of "
            + counted(error.calls, "call")
        return (error.error < 0 ? "undercounts" : "overcounts", words)
    }

    // MARK: All sources

    private var range: ReportText? {
        let parts = Direction.allCases.compactMap { direction in
            SourceExtremes(index, direction).map { ($0, direction) }
        }
        guard let first = parts.first, index.sources.count > 1 else { return nil }
        let isSimulated = index.sources.allSatisfy { result.sources[$0].kind == .simulated }
        let others = parts.dropFirst().map { " and by \(words($0.0)) in \($0.1.noun)s" as ReportText }.joined(
            separator: "")
        let what = isSimulated ? "simulated estimators" : "sources"
        return """
            \(grouped(index.sources.count)) \(what) are off by \(words(first.0)) of the message bytes in \(first.1.noun)s\
            \(others)
            """
    }

    private func words(_ extremes: SourceExtremes) -> ReportText {
        let (low, high) = (extremes.low, extremes.high)
        if low.sources == high.sources { return ReportText(low.error) }
        return "\(low.error) (\(names(low.sources))) to \(high.error) (\(names(high.sources)))"
    }

    /// What an exact source is not to be praised for; nil where there is none.
    var note: ReportText? {
        let exact = index.sources.filter { index.isExactByConstruction($0) }
        guard !options.hasChosenSources, !exact.isEmpty else { return nil }
        return "\(names(exact)) \(exact.count == 1 ? "is" : "are") exact by construction on HTTP/1."
    }

    /// Not more than three: `a, b and 4 more`.
    private func names(_ sources: [Int]) -> ReportText {
        listed(sources.map { "\(name: result.sources[$0].id)" }, most: 3)
    }
}

/// The sources with the smallest and the largest signed error in a direction, those of equal error together.
struct SourceExtremes {
    struct End: Equatable {
        /// In percent of the messages.
        var error: String
        /// In the order of reports.
        var sources: [Int]
    }

    let low: End
    let high: End

    /// Nil where no source has a figure.
    init?(_ index: AccuracyIndex, _ direction: Direction) {
        let errors = index.sources.compactMap { source -> (source: Int, share: Double, text: String)? in
            guard let message = index.total(source, direction)?.message, let share = message.relativeBias,
                let text = signedPercent(message.errorTotal, of: message.truthTotal)
            else { return nil }
            return (source, share, text)
        }
        guard let least = errors.min(by: { $0.share < $1.share }), let most = errors.max(by: { $0.share < $1.share })
        else { return nil }
        low = End(error: least.text, sources: errors.filter { $0.share == least.share }.map(\.source))
        high = End(error: most.text, sources: errors.filter { $0.share == most.share }.map(\.source))
    }
}

extension AccuracyResult {
    /// Exchanges that were compared: with a log alone those that it has a row of, else those that count.
    var compared: Int {
        guard sources.count == 1, let log = logs.first else { return counted }
        return totals.reduce(0) { max($0, $1.source == log.source ? $1.coverage.recordedCalls : 0) }
    }
}

extension AccuracyIndex {
    /// Some source can be compared with some call.
    var hasFigures: Bool { sources.contains { !totals($0).isEmpty } }

    /// No call counts for any source, and no log was given.
    var isEmpty: Bool { result.logs.isEmpty && !hasFigures }

    /// Exact in every call, and could not be otherwise on HTTP/1.
    func isExactByConstruction(_ source: Int) -> Bool {
        let rows = totals(source).filter { $0.message.count > 0 }
        return result.sources[source].isExactOnHTTP1 && !rows.isEmpty && rows.allSatisfy { $0.message.maximum == 0 }
    }
}
