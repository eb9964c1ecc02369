import WireAccuracy
import WireCore
import WireEstimates

/// The accuracy as one line of JSON, schema `wireaudit.accuracy/1`: everything that is known of it, but no times of
/// work, so that the same input gives the same bytes.
public func accuracyJSON(_ result: AccuracyResult, audit: AuditResult, options: ReportOptions) -> OutputBuffer {
    let index = AccuracyIndex(result, options)
    var json = JSONFields()
    json.head("wireaudit.accuracy/1", audit, options)
    json.integer("bytes", audit.ledger.bytes)
    json.boolean("balanced", audit.ledger.balanced)
    json.end()
    json.compared(result)
    json.beginArray("sources")
    for source in result.sources { json.source(source) }
    json.endArray()
    json.rows(index)
    json.advice(index)
    json.beginArray("logs")
    for log in result.logs { json.log(log, index) }
    json.endArray()
    json.hosts(index)
    json.failedHandshakes(result)
    json.parts(result)
    json.encryption(result)
    json.screens(result)
    json.work(result.work)
    json.beginArray("warnings")
    for warning in warnings(of: audit) { json.warning(warning) }
    json.endArray()
    json.end()
    json.endLine()
    return json.buffer
}

extension JSONFields {
    fileprivate mutating func compared(_ result: AccuracyResult) {
        begin("exchanges")
        integer("total", result.exchanges)
        integer("compared", result.counted)
        begin("left_out")
        for (reason, count) in result.leftOut { integer(name: reason, count) }
        end()
        end()
    }

    fileprivate mutating func source(_ source: AccuracySource) {
        beginElement()
        text("id", source.id)
        text("title", source.title)
        text("kind", source.kind == .log ? "log" : "simulated")
        text("parameters", source.kind == .simulated ? source.note : nil)
        text("formula", source.kind == .log && !source.note.isEmpty ? source.note : nil)
        formulas(source.formulas)
        integer("unknown", source.unknown)
        integer("added_bytes", source.kind == .simulated ? source.addedBytes : nil)
        end()
    }

    /// The APIs with their calls, a row for each source, API and direction, and one for each source and direction.
    fileprivate mutating func rows(_ index: AccuracyIndex) {
        let result = index.result
        let apis = index.apisByWire()
        beginArray("apis")
        for api in apis {
            beginElement()
            text("api", result.apis[api])
            integer("calls", result.apiCalls.indices.contains(api) ? result.apiCalls[api] : nil)
            end()
        }
        endArray()
        beginArray("totals")
        for source in result.sources.indices {
            for direction in Direction.allCases {
                if let row = index.total(source, direction) { self.row(row, result.sources[source].id, api: nil) }
            }
        }
        endArray()
        beginArray("rows")
        for source in result.sources.indices {
            for api in apis {
                for direction in Direction.allCases {
                    guard let row = index.row(source, api, direction) else { continue }
                    self.row(row, result.sources[source].id, api: result.apis[api])
                }
            }
        }
        endArray()
    }

    private mutating func row(_ row: AccuracyRow, _ source: String, api: String?) {
        beginElement()
        text("source", source)
        if let api { text("api", api) }
        text("direction", row.direction.rawValue)
        begin("coverage")
        integer("calls", row.coverage.calls)
        integer("recorded_calls", row.coverage.recordedCalls)
        integer("message_bytes", row.coverage.messageBytes)
        integer("recorded_message_bytes", row.coverage.recordedMessageBytes)
        integer("wire_bytes", row.coverage.wireBytes)
        integer("recorded_wire_bytes", row.coverage.recordedWireBytes)
        end()
        statistics("message", row.message)
        statistics("wire", row.wire)
        causes("message_causes", row.messageCauses)
        causes("causes", row.causes)
        causes("unseen", row.unseen)
        spread(row.spread)
        end()
    }

    private mutating func statistics(_ name: StaticString, _ statistics: ErrorStatistics) {
        begin(name)
        integer("count", statistics.count)
        integer("truth_total", statistics.truthTotal)
        integer("estimate_total", statistics.estimateTotal)
        integer("error_total", statistics.errorTotal)
        let figures = StatisticFigures(statistics)
        decimal("bias", figures.bias, places: 3)
        decimal("bias_low", figures.biasLow, places: 3)
        decimal("bias_high", figures.biasHigh, places: 3)
        decimal("relative_bias", statistics.relativeBias, places: 6)
        decimal("ratio", statistics.ratio, places: 6)
        decimal("mean_absolute", figures.meanAbsolute, places: 3)
        decimal("median_absolute", figures.medianAbsolute, places: 3)
        decimal("rmse", figures.rootMeanSquare, places: 3)
        decimal("p50", figures.p50, places: 3)
        decimal("p90", figures.p90, places: 3)
        decimal("p99", figures.p99, places: 3)
        integer("max", statistics.count == 0 ? nil : statistics.maximum)
        boolean("approximate", statistics.isApproximate)
        decimal("quantile_error", statistics.quantileError, places: 6)
        signed(statistics.count == 0 ? nil : statistics.signed)
        end()
    }

    /// Quantiles of the error with its sign.
    private mutating func signed(_ signed: SignedQuantiles?) {
        guard begin("signed", isKnown: signed != nil), let signed else { return }
        integer("min", signed.minimum)
        decimal("p0_5", signed.low99, places: 3)
        decimal("p5", signed.low90, places: 3)
        decimal("p25", signed.low50, places: 3)
        decimal("p50", signed.median, places: 3)
        decimal("p75", signed.high50, places: 3)
        decimal("p95", signed.high90, places: 3)
        decimal("p99_5", signed.high99, places: 3)
        integer("max", signed.maximum)
        end()
    }

    /// Bytes by cause; causes that are zero are left out.
    private mutating func causes(_ name: StaticString, _ ledger: CauseLedger) {
        begin(name)
        for post in ledger.posts { integer(name: post.cause.name, post.bytes) }
        end()
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
