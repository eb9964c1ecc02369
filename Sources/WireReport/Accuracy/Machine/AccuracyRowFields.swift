import WireAccuracy
import WireComparison
import WireEstimates
import WireLogs
import WireStatistics

/// A row of an accuracy with its names.
struct AccuracyFieldRow {
    var source: String?
    /// Nil: all APIs together.
    var api: String?
    var direction: Direction?
    var row = AccuracyRow(source: 0, api: nil, direction: .up)

    init() {}

    init(_ source: String, _ api: String?, _ row: AccuracyRow) {
        (self.source, self.api, direction, self.row) = (source, api, row.direction, row)
    }
}

let sourceField: Field<AccuracyFieldRow> = .text("source", "Id of the source.") { $0.source }.reading(\.source)

let totalRowFields: [Field<AccuracyFieldRow>] = [sourceField] + rowFields

let apiRowFields: [Field<AccuracyFieldRow>] =
    [sourceField, .text("api", "The API.") { $0.api }.reading(\.api)] + rowFields

private let rowFields: [Field<AccuracyFieldRow>] = [
    .word("direction", "up: requests, down: responses.") { $0.direction }.reading(\.direction),
    .object("coverage", "What the source recorded.", coverageFields, at: \.row.coverage),
    .object("message", "Error against HTTP messages.", statisticFields, at: \.row.message),
    .object("wire", "Error against wire bytes.", statisticFields, at: \.row.wire),
    causes("message_causes", "Error against messages by cause.", \.row.messageCauses),
    causes("causes", "Error against wire bytes by cause.", \.row.causes),
    .causes("unseen", "Message bytes of calls that were not recorded, as negative numbers.") { $0.row.unseen },
    .object(
        "spread", "How single calls spread; input of check --baseline.", spreadFields, at: \.row.spread,
        blank: RowSpread()),
    sessionQuantiles { $0.row.sessions },
]

/// A later version may know other causes.
private func causes(
    _ name: StaticString, _ meaning: String, _ path: WritableKeyPath<AccuracyFieldRow, CauseLedger> & Sendable
) -> Field<AccuracyFieldRow> {
    .causes(name, meaning) { $0[keyPath: path] }.reading { (row, reader) throws(OwnFileReader.Problem) in
        try reader.object { (reader, name) throws(OwnFileReader.Problem) in
            guard let cause = ErrorCause.named[name] else { return try reader.skip() }
            row[keyPath: path][cause] = try reader.integer()
        }
    }
}

private let coverageFields: [Field<Coverage>] = [
    .count("calls", "Calls.") { $0.calls }.reading(\.calls),
    .count("recorded_calls", "Calls that the source recorded.") { $0.recordedCalls }.reading(\.recordedCalls),
    .bytes("message_bytes", "HTTP messages.") { $0.messageBytes },
    .bytes("recorded_message_bytes", "Of recorded calls.") { $0.recordedMessageBytes },
    .bytes("wire_bytes", "Wire bytes.") { $0.wireBytes }.reading(\.wireBytes),
    .bytes("recorded_wire_bytes", "Of recorded calls.") { $0.recordedWireBytes },
]

let statisticFields: [Field<ErrorStatistics>] = [
    .count("count", "Calls compared; a missing estimate counts as 0.") { $0.count }.reading(\.count),
    .bytes("truth_total", "Sum of the bytes in the capture.") { $0.truthTotal }.reading(\.truthTotal),
    .estimate("estimate_total", "Sum of the estimates.") { $0.estimateTotal }.reading(\.estimateTotal),
    .difference("error_total", "estimate_total - truth_total.") { $0.errorTotal },
    .number("bias", "Mean error.") { $0.known($0.bias) }.orNull,
    .number("bias_low", "Lower end of the 95 % interval of the mean error.") { $0.known($0.biasLow) }.orNull,
    .number("bias_high", "Upper end of the 95 % interval of the mean error.") { $0.known($0.biasHigh) }.orNull,
    .word(
        "resampled",
        "What the interval of the mean error resamples: calls, or from 20 merged sessions on whole sessions."
    ) { $0.resampling },
    .ratio("relative_bias", "error_total / truth_total.") { $0.relativeBias }.orNull,
    .ratio("ratio", "estimate_total / truth_total.") { $0.ratio }.orNull,
    .number("mean_absolute", "Mean of the absolute errors.") { $0.known($0.meanAbsolute) }.orNull
        .reading(\.meanAbsolute),
    .number("median_absolute", "Median of the absolute errors; equal to p50.") { $0.known($0.medianAbsolute) }.orNull,
    .number("rmse", "Root mean square error.") { $0.known($0.rootMeanSquare) }.orNull,
    .number("p50", "50th percentile of the absolute errors.") { $0.known($0.p50) }.orNull,
    .number("p90", "90th percentile of the absolute errors.") { $0.known($0.p90) }.orNull,
    .number("p99", "99th percentile of the absolute errors.") { $0.known($0.p99) }.orNull,
    .bytes("max", "Largest absolute error.") { $0.known($0.maximum) }.orNull,
    .boolean("approximate", "Percentiles come from buckets.") { $0.isApproximate },
    .ratio("quantile_error", "Greatest relative error of approximate percentiles.") { $0.quantileError }.orNull,
    .object("signed", "Percentiles of the error with its sign.", signedFields) { $0.known($0.signed) }.orNull,
]

extension ErrorStatistics {
    /// Nil without calls, since a mean of nothing is not 0.
    fileprivate func known<Figure>(_ figure: Figure) -> Figure? { count == 0 ? nil : figure }
}

private let signedFields: [Field<SignedQuantiles>] = [
    .difference("min", "Least value.") { $0.minimum }, percentile("p0_5") { $0.low99 },
    percentile("p5") { $0.low90 }, percentile("p25") { $0.low50 }, percentile("p50") { $0.median },
    percentile("p75") { $0.high50 }, percentile("p95") { $0.high90 }, percentile("p99_5") { $0.high99 },
    .difference("max", "Greatest value.") { $0.maximum },
]

private func percentile(
    _ name: StaticString, _ get: @escaping @Sendable (SignedQuantiles) -> Double
) -> Field<SignedQuantiles> {
    .number(name, "Percentile of the error; the number is in the name.", get).orNull
}
