import WireAccuracy
import WireEstimates
import WireRecords
import WireStatistics

/// One line of the CSV: a row against one truth.
struct AccuracyLine {
    let source: String
    let isLog: Bool
    let api: String
    let row: AccuracyRow
    let truth: Truth

    var isMessage: Bool { truth == .message }
    var statistics: ErrorStatistics { isMessage ? row.message : row.wire }
    var figures: StatisticFigures { StatisticFigures(statistics) }
    /// Nil without calls: causes of nothing are not 0.
    var causes: CauseLedger? { statistics.count == 0 ? nil : isMessage ? row.messageCauses : row.causes }
    /// Message bytes of calls that were not recorded, so that there are none against the wire.
    var unseen: CauseLedger? { isMessage ? row.unseen : nil }
}

/// A column of the CSV: its name, and what stands in it.
struct AccuracyColumn: Sendable {
    let name: String
    let write: @Sendable (inout CSVFields, AccuracyLine) -> Void

    static func text(_ name: String, _ value: @escaping @Sendable (AccuracyLine) -> String) -> AccuracyColumn {
        AccuracyColumn(name: name) { csv, line in csv.text("", value(line)) }
    }

    static func integer(_ name: String, _ value: @escaping @Sendable (AccuracyLine) -> Int?) -> AccuracyColumn {
        AccuracyColumn(name: name) { csv, line in csv.integer("", value(line)) }
    }

    static func decimal(
        _ name: String, places: Int = 3, _ value: @escaping @Sendable (AccuracyLine) -> Double?
    ) -> AccuracyColumn {
        AccuracyColumn(name: name) { csv, line in csv.decimal(value(line), places: places) }
    }
}

/// All columns, in their order.
let accuracyColumns: [AccuracyColumn] = coverageColumns + statisticColumns + causeColumns

private let coverageColumns: [AccuracyColumn] = [
    .text("source") { $0.source }, .text("kind") { $0.isLog ? "log" : "simulated" }, .text("api") { $0.api },
    .text("direction") { $0.row.direction.rawValue }, .text("truth") { $0.truth.rawValue },
    .integer("calls") { $0.row.coverage.calls }, .integer("recorded_calls") { $0.row.coverage.recordedCalls },
    .integer("bytes") { $0.isMessage ? $0.row.coverage.messageBytes : $0.row.coverage.wireBytes },
    .integer("recorded_bytes") {
        $0.isMessage ? $0.row.coverage.recordedMessageBytes : $0.row.coverage.recordedWireBytes
    },
]

private let statisticColumns: [AccuracyColumn] = [
    .integer("count") { $0.statistics.count }, .integer("truth_total") { $0.statistics.truthTotal },
    .integer("estimate_total") { $0.statistics.estimateTotal }, .integer("error_total") { $0.statistics.errorTotal },
    .decimal("bias") { $0.figures.bias }, .decimal("bias_low") { $0.figures.biasLow },
    .decimal("bias_high") { $0.figures.biasHigh },
    .decimal("relative_bias", places: 6) { $0.statistics.relativeBias },
    .decimal("ratio", places: 6) { $0.statistics.ratio }, .decimal("mean_absolute") { $0.figures.meanAbsolute },
    .decimal("median_absolute") { $0.figures.medianAbsolute }, .decimal("rmse") { $0.figures.rootMeanSquare },
    .decimal("p50") { $0.figures.p50 }, .decimal("p90") { $0.figures.p90 }, .decimal("p99") { $0.figures.p99 },
    .integer("max") { $0.statistics.count == 0 ? nil : $0.statistics.maximum },
    AccuracyColumn(name: "approximate") { csv, line in csv.boolean("", line.statistics.isApproximate) },
    .decimal("quantile_error", places: 6) { $0.statistics.quantileError },
]

private let causeColumns: [AccuracyColumn] =
    ErrorCause.allCases.map { cause in .integer("cause_" + causeColumn(cause)) { $0.causes?[cause] } }
    + [.integer("unseen") { $0.unseen?.sum }]
    + ErrorCause.allCases.map { cause in .integer("unseen_" + causeColumn(cause)) { $0.unseen?[cause] } }

/// The id of a cause as a part of a column's name: `t_line` of `T.line`.
func causeColumn(_ cause: ErrorCause) -> String { cause == .unexplained ? "unexplained" : columnName(cause.name) }
