import WireCore
import WireEstimates
import WireRecords

/// What the words mean, what was left out, and how sources count: all that a reader needs to believe the figures.
struct MethodSection: PageSection {
    let page: AccuracyPage

    func render() -> Markup {
        """
        <section id="method" aria-labelledby="method-h">
        <h2 id="method-h">Method</h2>
        <h3>Two reference counts</h3>
        <p><strong>Message bytes</strong> are HTTP as it was sent: start line, header fields, framing, body, with its \
        content coding; in HTTP/2 the compressed fields and the frames. That is what most estimators try to count. <strong>Wire bytes</strong> are all IP bytes that \
        the exchange cost: messages, TLS records, packet headers, acknowledgments, retransmissions, set-up \
        (TCP/QUIC, TLS, HTTP) and closing of connections, name resolution. That is what a mobile operator bills. Both are counted in the capture.</p>
        \(leftOut)\(sourceNotes)
        <h3>Statistics</h3>
        <p>An error is estimate − truth for one call in one direction. p50, p90 and p99 are quantiles of the absolute \
        error, bands are quantiles of the signed error\(quantileNote). The interval of the mean error comes from resampling the calls (bootstrap, 95 %). \
        The causes of each call add up to its error, to the byte.</p>
        \(mergedNote)\(workNote)\(captureWarnings)</section>

        """
    }

    private var mergedNote: Markup {
        let items = (options.merged.map(mergedInWords) ?? []).map { "<li>\($0)</li>" as Markup }
        return items.isEmpty ? "" : "<h3>Sessions</h3>\n<ul>\(items.joined())</ul>\n"
    }

    private var quantileNote: Markup {
        result.totals.contains { $0.message.isApproximate || $0.wire.isApproximate }
            ? "; where there are very many calls they come from buckets and are at most 1/64 off" : ""
    }

    private var leftOut: Markup {
        guard result.exchanges > 0 else {
            return "<p>The capture has no readable exchange, so no call is compared.</p>\n"
        }
        guard clampedDifference(result.exchanges, result.counted) > 0 || !result.leftOut.isEmpty else {
            return "<p>Every exchange of the capture is in the comparison.</p>\n"
        }
        let items = result.leftOut.map { reason, count -> Markup in
            "<li>\(counted(count, "exchange")): \(leftOutMeaning(reason)) <code>\(reason)</code></li>"
        }.joined()
        return """
            <h3>Left out</h3>
            <p>\(grouped(result.counted)) of \(counted(result.exchanges, "exchange")) are compared. The capture does not \
            contain the others completely, so their size is not known to the byte:</p>
            <ul>\(items)</ul>

            """
    }

    private func leftOutMeaning(_ reason: String) -> String {
        switch reason {
        case "gap": "packets in the middle are missing"
        case "snapped": "packets were truncated by the snap length"
        case "no-start": "the capture begins in the middle"
        case "no-end": "the capture ends in the middle"
        case "no-request": "the request was not captured"
        case "no-response": "the server sent frames, but no response"
        case "cut-head": "a message ends within or before its head"
        case "pushed": "pushed by the server"
        case "unread-fields": "compressed fields of HTTP/2 could not be read"
        default: "not comparable"
        }
    }

    private var sourceNotes: Markup {
        guard !result.sources.isEmpty else { return "" }
        let items = sources.map { source -> Markup in
            let own = result.sources[source]
            let note = shortened(displayText(own.note), to: 2000, ellipsis: "…")
            let words: Markup =
                own.isMeasured
                ? (note.isEmpty
                    ? "Read from a log." : "Read from a log. The formula that explains it best: <code>\(note)</code>.")
                : (note.isEmpty
                    ? "Simulated, without parameters." : "Simulated. Parameters: <code>\(note)</code>.")
            return "<dt>\(mark(source).swatch) \(label(source)) <code>\(own.id)</code></dt><dd>\(words)</dd>\n"
        }.joined()
        return """
            <h3>Sources</h3>
            <p><em>Measured</em> figures were written by the SDK itself and read from its log. <em>Simulated</em> \
            figures are what a known formula gives for the exchanges of this capture: what the SDK would have counted, \
            had it run and been set as the parameters say.</p>
            <details><summary>Parameters and formulas of \(counted(sources.count, "source"))</summary>
            <dl class="notes">
            \(items)</dl></details>

            """
    }

    private var workNote: Markup {
        let work = result.work
        guard work.decodedBodies > 0 || work.undecodable > 0 || work.recompressedBodies > 0 else { return "" }
        var sentences = [
            "\(counted(work.decodedBodies, "coded body", "coded bodies")) (\(sizeText(work.codedBytes))) "
                + "decoded to \(sizeText(work.decodedBytes))"
        ]
        if work.recompressedBodies > 0 {
            sentences.append("\(grouped(work.recompressedBodies)) compressed again as SDKs do it")
        }
        if work.undecodable > 0 {
            sentences.append("\(grouped(work.undecodable)) could not be decoded or are beyond the limits")
        }
        return "<p>For sources that count decoded or re-compressed bodies: \(sentences.joined(separator: "; ")).</p>\n"
    }

    private var captureWarnings: Markup {
        var items = warnings(of: audit).map { warning -> Markup in
            "<li>\(warning.message) (\(counted(warning.count, "time")))</li>"
        }
        if let filter = options.filter {
            items.append("<li>Only frames matching the filter <code>\(filter)</code>.</li>")
        }
        if !options.selection.isEmpty { items.append("<li>Only the selected apps, hosts and APIs.</li>") }
        return items.isEmpty ? "" : "<h3>Notes on the capture</h3>\n<ul>\(items.joined())</ul>\n"
    }
}
