import WireAccuracy
import WireCore
import WireEstimates

/// One row for each source, API, direction and truth (RFC 4180, with a header line). Text from captures and logs is
/// made safe to look at, and what a spreadsheet would take for a formula begins with an apostrophe.
///
/// The audit and the totals of hosts are not part of it: rows are all of one kind.
public func accuracyCSV(_ result: AccuracyResult, audit: AuditResult, options: ReportOptions) -> OutputBuffer {
    let index = AccuracyIndex(result, options)
    let apis = index.apisByWire().map { (number: $0, name: formulaSafe(result.apis[$0])) }
    var csv = CSVFields()
    csv.buffer.string(accuracyFieldNames.joined(separator: ","))
    csv.endLine()
    for source in result.sources.indices {
        let name = formulaSafe(result.sources[source].id)
        for api in apis {
            for direction in Direction.allCases {
                guard let row = index.row(source, api.number, direction) else { continue }
                for truth in Truth.allCases {
                    csv.text("source", name)
                    csv.text("kind", result.sources[source].kind == .log ? "log" : "simulated")
                    csv.text("api", api.name)
                    csv.accuracy(row, truth)
                    csv.endLine()
                }
            }
        }
    }
    return csv.buffer
}

/// `unseen` are message bytes of calls that were not recorded, so rows of the truth `wire` leave it empty.
private let accuracyFieldNames =
    [
        "source", "kind", "api", "direction", "truth", "calls", "recorded_calls", "bytes", "recorded_bytes", "count",
        "truth_total", "estimate_total", "error_total", "bias", "bias_low", "bias_high", "relative_bias", "ratio",
        "mean_absolute", "median_absolute", "rmse", "p50", "p90", "p99", "max", "approximate",
        "quantile_error",
    ] + ErrorCause.allCases.map { "cause." + $0.name } + ["unseen"] + ErrorCause.allCases.map { "unseen." + $0.name }

extension CSVFields {
    fileprivate mutating func accuracy(_ row: AccuracyRow, _ truth: Truth) {
        let isMessage = truth == .message
        let statistics = isMessage ? row.message : row.wire
        text("direction", row.direction.rawValue)
        text("truth", truth.rawValue)
        integer("calls", row.coverage.calls)
        integer("recorded_calls", row.coverage.recordedCalls)
        integer("bytes", isMessage ? row.coverage.messageBytes : row.coverage.wireBytes)
        integer("recorded_bytes", isMessage ? row.coverage.recordedMessageBytes : row.coverage.recordedWireBytes)
        self.statistics(statistics)
        causes(statistics.count == 0 ? nil : isMessage ? row.messageCauses : row.causes)
        integer("unseen", isMessage ? row.unseen.sum : nil)
        causes(isMessage ? row.unseen : nil)
    }

    private mutating func statistics(_ statistics: ErrorStatistics) {
        integer("count", statistics.count)
        integer("truth_total", statistics.truthTotal)
        integer("estimate_total", statistics.estimateTotal)
        integer("error_total", statistics.errorTotal)
        let figures = StatisticFigures(statistics)
        for value in [figures.bias, figures.biasLow, figures.biasHigh] { decimal(value, places: 3) }
        for value in [statistics.relativeBias, statistics.ratio] { decimal(value, places: 6) }
        for value in [
            figures.meanAbsolute, figures.medianAbsolute, figures.rootMeanSquare, figures.p50, figures.p90, figures.p99,
        ] {
            decimal(value, places: 3)
        }
        integer("max", statistics.count == 0 ? nil : statistics.maximum)
        boolean("approximate", statistics.isApproximate)
        decimal(statistics.quantileError, places: 6)
    }

    private mutating func causes(_ ledger: CauseLedger?) {
        for cause in ErrorCause.allCases { integer("", ledger.map { $0[cause] }) }
    }
}

/// Text that no spreadsheet runs: OWASP's list of first characters gets an apostrophe before it.
private func formulaSafe(_ text: String) -> String {
    let shown = displayText(text)
    guard let first = shown.unicodeScalars.first, "=+-@".unicodeScalars.contains(first) else { return shown }
    return "'" + shown
}
