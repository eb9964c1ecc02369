import WireAccuracy
import WireCore
import WireEstimates
import WireLogs
import WireRecords
import WireStatistics

/// The accuracy as one line of JSON, schema `wireaudit.accuracy/1`: everything that is known of it, but no times of
/// work, so that the same input gives the same bytes.
public func accuracyJSON(_ result: AccuracyResult, audit: AuditResult, options: ReportOptions) -> OutputBuffer {
    var report = AccuracyJSON(result: result, options: options)
    report.write(audit, options)
    return report.json.finished()
}

/// Writes the objects of the report, each by a function of its own.
struct AccuracyJSON: ~Copyable {
    var json = JSONFields()
    let result: AccuracyResult
    let options: ReportOptions
    let index: AccuracyIndex

    init(result: AccuracyResult, options: ReportOptions) {
        self.result = result
        self.options = options
        index = AccuracyIndex(result, options)
    }

    mutating func write(_ audit: AuditResult, _ options: ReportOptions) {
        json.head("wireaudit.accuracy/1", audit, options)
        json.integer("bytes", audit.ledger.bytes)
        json.boolean("balanced", audit.ledger.balanced)
        json.end()
        compared()
        json.beginArray("sources")
        for source in result.sources { self.source(source) }
        json.endArray()
        rows()
        advice()
        json.beginArray("logs")
        for log in result.logs { self.log(log) }
        json.endArray()
        hosts()
        failedHandshakes()
        parts()
        encryption()
        screens()
        work(result.work)
        json.beginArray("warnings")
        for warning in warnings(of: audit) { json.warning(warning) }
        json.endArray()
        json.end()
        json.endLine()
    }
}

extension AccuracyJSON {
    private mutating func compared() {
        json.begin("exchanges")
        json.integer("total", result.exchanges)
        json.integer("compared", result.counted)
        json.begin("left_out")
        for (reason, count) in result.leftOut { json.integer(name: reason, count) }
        json.end()
        json.end()
    }

    private mutating func source(_ source: AccuracySource) {
        json.beginElement()
        json.text("id", source.id)
        json.text("title", source.title)
        json.text("kind", source.kind == .log ? "log" : "simulated")
        json.text("parameters", source.kind == .simulated ? source.note : nil)
        json.text("formula", source.kind == .log && !source.note.isEmpty ? source.note : nil)
        formulas(source.formulas)
        json.integer("unknown", source.unknown)
        json.integer("unstated", source.unstated)
        json.integer("added_bytes", source.kind == .simulated ? source.addedBytes : nil)
        json.end()
    }

    /// The APIs with their calls, a row for each source, API and direction, and one for each source and direction.
    private mutating func rows() {
        let apis = index.apisByWire()
        json.beginArray("apis")
        for api in apis {
            json.beginElement()
            json.text("api", result.apis[api])
            json.integer("calls", result.apiCalls.indices.contains(api) ? result.apiCalls[api] : nil)
            json.end()
        }
        json.endArray()
        json.beginArray("totals")
        for source in result.sources.indices {
            for direction in Direction.allCases {
                if let row = index.total(source, direction) { self.row(row, result.sources[source].id, api: nil) }
            }
        }
        json.endArray()
        json.beginArray("rows")
        for source in result.sources.indices {
            for api in apis {
                for direction in Direction.allCases {
                    guard let row = index.row(source, api, direction) else { continue }
                    self.row(row, result.sources[source].id, api: result.apis[api])
                }
            }
        }
        json.endArray()
    }

    private mutating func row(_ row: AccuracyRow, _ source: String, api: String?) {
        json.beginElement()
        json.text("source", source)
        if let api { json.text("api", api) }
        json.text("direction", row.direction.rawValue)
        json.begin("coverage")
        json.integer("calls", row.coverage.calls)
        json.integer("recorded_calls", row.coverage.recordedCalls)
        json.integer("message_bytes", row.coverage.messageBytes)
        json.integer("recorded_message_bytes", row.coverage.recordedMessageBytes)
        json.integer("wire_bytes", row.coverage.wireBytes)
        json.integer("recorded_wire_bytes", row.coverage.recordedWireBytes)
        json.end()
        statistics("message", row.message)
        statistics("wire", row.wire)
        causes("message_causes", row.messageCauses)
        causes("causes", row.causes)
        causes("unseen", row.unseen)
        spread(row.spread)
        writeSessionQuantiles(row.sessions, to: &json)
        json.end()
    }

    private mutating func statistics(_ name: StaticString, _ statistics: ErrorStatistics) {
        json.begin(name)
        json.integer("count", statistics.count)
        json.integer("truth_total", statistics.truthTotal)
        json.integer("estimate_total", statistics.estimateTotal)
        json.integer("error_total", statistics.errorTotal)
        let figures = StatisticFigures(statistics)
        json.decimal("bias", figures.bias, places: 3)
        json.decimal("bias_low", figures.biasLow, places: 3)
        json.decimal("bias_high", figures.biasHigh, places: 3)
        json.text("resampled", statistics.resampling.rawValue)
        json.decimal("relative_bias", statistics.relativeBias, places: 6)
        json.decimal("ratio", statistics.ratio, places: 6)
        json.decimal("mean_absolute", figures.meanAbsolute, places: 3)
        json.decimal("median_absolute", figures.medianAbsolute, places: 3)
        json.decimal("rmse", figures.rootMeanSquare, places: 3)
        json.decimal("p50", figures.p50, places: 3)
        json.decimal("p90", figures.p90, places: 3)
        json.decimal("p99", figures.p99, places: 3)
        json.integer("max", statistics.count == 0 ? nil : statistics.maximum)
        json.boolean("approximate", statistics.isApproximate)
        json.decimal("quantile_error", statistics.quantileError, places: 6)
        signed(statistics.count == 0 ? nil : statistics.signed)
        json.end()
    }

    /// Quantiles of the error with its sign.
    private mutating func signed(_ signed: SignedQuantiles?) {
        guard json.begin("signed", isKnown: signed != nil), let signed else { return }
        json.integer("min", signed.minimum)
        json.decimal("p0_5", signed.low99, places: 3)
        json.decimal("p5", signed.low90, places: 3)
        json.decimal("p25", signed.low50, places: 3)
        json.decimal("p50", signed.median, places: 3)
        json.decimal("p75", signed.high50, places: 3)
        json.decimal("p95", signed.high90, places: 3)
        json.decimal("p99_5", signed.high99, places: 3)
        json.integer("max", signed.maximum)
        json.end()
    }

    /// Bytes by cause; causes that are zero are left out.
    private mutating func causes(_ name: StaticString, _ ledger: CauseLedger) {
        json.begin(name)
        for post in ledger.posts { json.integer(name: post.cause.name, post.bytes) }
        json.end()
    }
}

/// The figures of calls; all nil where there is no call, since a mean of nothing is not 0.
struct StatisticFigures {
    private let statistics: ErrorStatistics?

    init(_ statistics: ErrorStatistics) { self.statistics = statistics.count == 0 ? nil : statistics }

    var bias: Double? { statistics?.bias }
    var biasLow: Double? { statistics?.biasLow }
    var biasHigh: Double? { statistics?.biasHigh }
    var meanAbsolute: Double? { statistics?.meanAbsolute }
    var medianAbsolute: Double? { statistics?.medianAbsolute }
    var rootMeanSquare: Double? { statistics?.rootMeanSquare }
    var p50: Double? { statistics?.p50 }
    var p90: Double? { statistics?.p90 }
    var p99: Double? { statistics?.p99 }
}
