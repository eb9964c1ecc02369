import WireAccuracy
import WireCore
import WireRecords

/// The answer in a sentence, and the figures that everything else refers to.
struct AnswerSection: PageSection {
    let page: AccuracyPage

    func render() -> Markup {
        var markup: Markup = "<section class=\"answer\" aria-labelledby=\"answer-h\">\n"
        markup += "<h2 id=\"answer-h\" class=\"hidden\">The answer</h2>\n<p class=\"lead\">\(answer)</p>\n"
        for sentence in [headline.ranges, headline.advice].compactMap(\.self) {
            markup += "<p>\(PageForm.text(sentence))</p>\n"
        }
        if let comparison { markup += "<p>\(comparison)</p>\n" }
        for warning in lossWarnings { markup += "<p class=\"warning\"><strong>Note.</strong> \(warning)</p>\n" }
        return markup + keyFigures + "</section>\n"
    }

    /// Which source is how far off.
    private var answer: Markup {
        guard result.counted > 0 else {
            return index.hostComparisons(options).isEmpty
                ? "No exchange of this capture is complete, so there is nothing to compare."
                : "No call of this capture could be decrypted, so logs are compared with host totals."
        }
        guard let primary else { return "No source was compared with this capture." }
        if !options.hasChosenSources, sources.count > 1, let verdict = headline.verdict {
            return PageForm.text("\(verdict).")
        }
        let name: Markup = "<strong>\(label(primary))</strong>"
        if let mismatch = result.mismatches[primary] {
            return "\(name) \(mismatch.predicate): there is nothing to compare."
        }
        let bounds = PageForm.text(headline.bounds(primary).map { " \($0)." } ?? "")
        if let uncompared = headline.uncompared(primary) { return "\(PageForm.text(uncompared)).\(bounds)" }
        let base = PageForm.text(headline.base(primary).map { "\($0); in these, " } ?? "")
        guard figures(source: primary).compared > 0 else {
            let calls = counted(result.counted, "call")
            return "\(base)\(name) gives no figure for any of \(calls)\(unseenCalls(primary))."
        }
        return "\(base)\(name) \(offInBothDirections(primary))\(unseenCalls(primary)).\(bounds)"
    }

    private var headline: AccuracyHeadline {
        AccuracyHeadline(index: index, options: options, audit: audit)
    }

    private func offInBothDirections(_ source: Int) -> Markup {
        let (up, down) = (off(index.total(source, .up)), off(index.total(source, .down)))
        guard up.verb.source == down.verb.source else {
            return "\(up.verb)\(up.words) for requests and \(down.verb)\(down.words) for responses"
        }
        return up.words.source == down.words.source
            ? "\(up.verb)\(up.words) for requests and responses"
            : "\(up.verb)\(up.words) for requests and\(down.words) for responses"
    }

    /// The verb apart, since two directions may share it.
    private func off(_ row: AccuracyRow?) -> (verb: Markup, words: Markup) {
        guard let row, row.message.count > 0 else { return ("gives no figure", "") }
        let error = clampedDifference(row.message.estimateTotal, row.message.truthTotal)
        if error == 0 { return ("is", row.message.maximum == 0 ? " exact to the byte" : " right in total") }
        let share = errorShare(error, of: row.message.truthTotal).filter { $0 != "+" && $0 != "−" }
        let words = share.hasPrefix("<") ? "less than " + share.dropFirst() : share
        return ("is", " <strong>\(words) too \(error < 0 ? "low" : "high")</strong>")
    }

    private func unseenCalls(_ source: Int) -> Markup {
        let sum = figures(source: source)
        guard let lacking = sum.lackingInWords else { return "" }
        let share = portion(Int(clamping: sum.unseen.sum.magnitude), of: sum.allMessage)
        let leftOut = index.totals(source).compactMap(result.leftOutInWords).first.map { "; \($0)" } ?? ""
        return ", and has no record of <strong>\(lacking)</strong> (\(share) of all message bytes\(leftOut))"
    }

    /// The nearest and the farthest of several sources, by the sum of their errors without signs; equal ones together.
    private var comparison: Markup? {
        let ranked = sources.compactMap { source -> (source: Int, off: Double)? in
            let sum = figures(source: source)
            return sum.message > 0 ? (source, Double(sum.absoluteError) / Double(sum.message)) : nil
        }.sorted { ($0.off, $0.source) < ($1.off, $1.source) }
        guard ranked.count > 1, let best = ranked.first, let worst = ranked.last else { return nil }
        guard best.off < worst.off else {
            let all = "All \(grouped(ranked.count)) sources that have figures"
            return "\(all) are equally near to the messages (\(offInWords(best.source)))."
        }
        let nearest = ranked.filter { $0.off == best.off }.map(\.source)
        let farthest = ranked.filter { $0.off == worst.off }.map(\.source)
        return """
            Of the \(grouped(ranked.count)) sources that have figures, \(ends(nearest, "nearest to the messages")), \
            \(ends(farthest, "farthest")).
            """
    }

    private func ends(_ sources: [Int], _ what: String) -> Markup {
        let named = sources.map { source in
            label(source) + (index.isExactByConstruction(source) ? " (exact by construction on HTTP/1)" : "")
        }
        return """
            <strong>\(listed(named, most: 4))</strong> \(sources.count == 1 ? "is" : "are") \(what) \
            (\(offInWords(sources[0])))
            """
    }

    private func offInWords(_ source: Int) -> String {
        let sum = figures(source: source)
        return sum.absoluteError == 0
            ? "exact to the byte" : "off by \(portion(sum.absoluteError, of: sum.message)) of the message bytes"
    }

    private var lossWarnings: [String] {
        var notes: [String] = []
        let dropped = audit.files.reduce(0) { clampedSum($0, $1.dropped ?? 0) }
        if dropped > 0 {
            notes.append("The capturing program lost \(counted(dropped, "packet")); they are not counted.")
        }
        if audit.files.contains(where: { $0.damagedAt != nil }) {
            notes.append("The capture is damaged; only the part before the damage was audited.")
        }
        if !audit.ledger.balanced { notes.append("The byte ledger of this capture does not balance: do not trust it.") }
        let unread = UnreadTLS(audit, result)
        notes += [unread.unreadSentence, unread.failureSentence?.plain]
            .compactMap(\.self)
        for log in result.logs {
            guard let doubt = sessionDoubtInWords(log) else { continue }
            notes.append("\(shortened(displayText(log.path), to: 200, ellipsis: "…")): \(doubt).")
        }
        let left = clampedDifference(result.exchanges, result.counted)
        if left > 0 {
            notes.append(
                "\(counted(left, "exchange")) of \(grouped(result.exchanges)) are not compared, because the capture "
                    + "does not contain them completely (see Method).")
        }
        return notes
    }

    private var keyFigures: Markup {
        guard result.counted > 0 else { return "" }
        let whole = page.allFigures
        let up = sources.compactMap { index.total($0, .up)?.coverage.messageBytes }.max() ?? 0
        let down = sources.compactMap { index.total($0, .down)?.coverage.messageBytes }.max() ?? 0
        let directions = "requests \(sizeText(up)), responses \(sizeText(down))"
        let measured = sources.count { result.sources[$0].isMeasured }
        let kinds = "\(measured) measured, \(sources.count - measured) simulated"
        return """
            <dl class="tiles">
            \(tile("Calls compared", grouped(result.compared), "of \(counted(result.exchanges, "exchange"))"))
            \(tile("APIs", grouped(result.apis.count), "by method, host and path"))
            \(tile("Message bytes", sizeText(whole.allMessage), directions))
            \(tile("Wire bytes", sizeText(whole.allWire), beyondMessages(whole)))
            \(tile("Sources", grouped(result.sources.count), kinds))
            </dl>

            """
    }

    private func beyondMessages(_ whole: PageFigures) -> String {
        "\(errorShare(clampedDifference(whole.allWire, whole.allMessage), of: whole.allMessage)) on top of the messages"
    }

    private func tile(_ name: String, _ value: String, _ note: String) -> Markup {
        "<div><dt>\(name)</dt><dd>\(value)<small>\(note)</small></dd></div>"
    }
}
