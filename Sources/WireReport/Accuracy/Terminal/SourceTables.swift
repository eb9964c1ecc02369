import WireAccuracy
import WireEstimates
import WireLogs
import WireRecords
import WireStatistics

/// The error of each source over all APIs: a table for requests and one for responses.
struct SourceTables {
    let index: AccuracyIndex
    let options: ReportOptions
    let style: TerminalStyle

    func render() -> [[String]] {
        [table(.up), table(.down) + legend.map { style.paint($0, .faint) }]
    }

    /// From here on there is room for the spread of errors.
    private var isWide: Bool { style.width >= 110 }

    private func table(_ direction: Direction) -> [String] {
        var titles = ["calls", "bytes", "error/call", "error"]
        if isWide { titles.append("95 % interval") }
        titles += ["median", "p90", "wire"]
        var table = TextTable(text: direction == .up ? "REQUESTS" : "RESPONSES", numbers: titles)
        for source in index.sources {
            let name = "  " + style.safe(index.result.sources[source].id)
            guard let row = index.total(source, direction) else {
                table.add([name] + titles.map { _ in style.dash })
                continue
            }
            let error = row.message.count == 0 ? nil : ErrorPaint.of(row.message)
            table.add([name] + cells(row), paints: [nil, nil, nil, error, error])
        }
        return grouped(table.parts(style))
    }

    private func cells(_ row: AccuracyRow) -> [String] {
        let coverage = row.coverage
        let message = row.message
        var cells: [String?] = [
            shareText(coverage.recordedCalls, of: coverage.calls),
            shareText(coverage.recordedMessageBytes, of: coverage.messageBytes),
            signedMeanText(message.errorTotal, of: message.count),
            message.count == 0 ? nil : signedPercent(message.errorTotal, of: message.truthTotal),
        ]
        if isWide { cells.append(interval(message)) }
        cells += [
            message.medianText, message.p90Text,
            row.wire.count == 0 ? nil : signedPercent(row.wire.errorTotal, of: row.wire.truthTotal),
        ]
        return cells.map { style.plain($0 ?? style.dash) }
    }

    private func interval(_ statistics: ErrorStatistics) -> String? {
        guard statistics.count > 0, let low = signed(statistics.biasLow), let high = signed(statistics.biasHigh)
        else { return nil }
        return low == high ? low : "\(low) to \(high)"
    }

    private func signed(_ value: Double) -> String? {
        guard let text = wholeBytes(abs(value)) else { return nil }
        return (text == "0" ? "" : value < 0 ? "-" : "+") + text
    }

    /// Says of each group of rows how its figures came to be.
    private func grouped(_ table: (heading: [String], rows: [[String]])) -> [String] {
        let logs = index.sources.filter { index.result.sources[$0].kind == .log }.count
        let measured = table.rows.prefix(logs).flatMap(\.self)
        let simulated = table.rows.dropFirst(logs).flatMap(\.self)
        return table.heading + titled("measured by the app", measured) + titled("simulated from the capture", simulated)
    }

    private func titled(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : [style.paint(title, .faint)] + lines
    }

    private var allBytes: String { options.layer == .link ? "all IP, link and tunnel bytes" : "all IP bytes" }

    private var legend: [String] {
        var text =
            "calls, bytes: share of the calls, and of their message bytes, that the source recorded. error: estimate minus "
            + "message, as the mean of a call in bytes and as % of all message bytes. median, p90: half, or 90 %, of the "
            + "calls have at most this absolute error. wire: estimate minus \(allBytes) of the calls, in %."
            + (isWide ? " 95 % interval: of the mean error, by bootstrap." : "")
        if let approximation = index.result.approximationInWords { text += " " + approximation }
        return wrappedSentence(text, width: style.width, indent: 0)
    }
}

/// Colours of errors: green where every call is counted to the byte, red for too much, cyan for too little.
enum ErrorPaint {
    static func of(_ statistics: ErrorStatistics) -> Paint? {
        guard statistics.count > 0 else { return nil }
        if statistics.maximum == 0 { return .message }
        return of(statistics.errorTotal)
    }

    static func of(_ error: Int) -> Paint? { error == 0 ? nil : error < 0 ? .overhead : .loss }
}
