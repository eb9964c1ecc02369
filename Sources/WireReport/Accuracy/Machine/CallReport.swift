import WireAccuracy
import WireCore
import WireLogs
import WireRecords

/// Writes the single figures behind an accuracy report, one JSON object per line: schema `wireaudit.call/1` for each
/// source, exchange and direction, and `wireaudit.row/1` for each row of a log.
///
/// Figures of simulated estimators come in the order of the exchanges. Those of logs stand behind them, since logs can
/// be compared only when the capture was read; each log's rows follow its figures.
public final class CallReport {
    private static let flushSize = 64 << 10

    private var fields = JSONFields()
    private let write: (Span<UInt8>) -> Void

    public init(write: @escaping (Span<UInt8>) -> Void) { self.write = write }

    public func receive(_ call: AccuracyCall) {
        call.write(to: &fields)
        if fields.buffer.count >= CallReport.flushSize { finish() }
    }

    public func receive(_ row: JoinedRow) {
        row.write(to: &fields)
        if fields.buffer.count >= CallReport.flushSize { finish() }
    }

    /// Writes what still waits.
    public func finish() {
        fields.buffer.withBytes { write($0) }
        fields.buffer.removeAll()
    }
}

extension AccuracyCall {
    fileprivate func write(to json: inout JSONFields) {
        json.beginElement()
        json.constant("schema", "wireaudit.call/1")
        json.text("source", source)
        json.text("file", exchange?.file)
        json.integer("connection", exchange?.connection)
        json.integer("exchange", exchange?.exchange)
        json.seconds("time", exchange?.time)
        json.text("api", exchange?.api)
        json.text("direction", direction.rawValue)
        json.boolean("counted", isCounted)
        json.text("state", state)
        json.integer("estimate", estimate)
        json.integer("message", message)
        json.integer("wire", wire)
        // A source that records no figure for a call that it has counted nothing.
        let isCompared = exchange != nil && unseen == nil && !isUnknown && !isAmbiguous
        json.integer("error", isCompared ? (estimate ?? 0) &- (message ?? 0) : nil)
        if json.begin("causes", isKnown: isCompared) {
            for post in causes.posts { json.integer(name: post.cause.name, post.bytes) }
            json.end()
        }
        json.text("unseen", unseen?.name)
        json.integer("row", row)
        json.text("fate", fate)
        json.end()
        json.endLine()
    }
}

extension JoinedRow {
    fileprivate func write(to json: inout JSONFields) {
        json.beginElement()
        json.constant("schema", "wireaudit.row/1")
        json.text("source", source)
        json.integer("row", row)
        json.text("kind", kind?.word)
        json.text("state", state.rawValue)
        json.boolean("selected", isSelected)
        json.text("file", exchange?.file)
        json.integer("connection", exchange?.connection)
        json.integer("exchange", exchange?.exchange)
        json.text("api", exchange?.api)
        json.seconds("time", time)
        json.seconds("residual", residual)
        json.beginArray("alternatives")
        for alternative in alternatives {
            json.beginElement()
            json.text("file", alternative.exchange.file)
            json.integer("connection", alternative.exchange.connection)
            json.integer("exchange", alternative.exchange.exchange)
            json.seconds("residual", alternative.residual)
            json.end()
        }
        json.endArray()
        write(bounds, to: &json)
        json.text("why", reason)
        json.end()
        json.endLine()
    }

    private func write(_ bounds: Directions<LogBounds.Figure?>?, to json: inout JSONFields) {
        guard json.begin("bounds", isKnown: bounds != nil), let bounds else { return }
        for (name, figure) in [("up", bounds.up), ("down", bounds.down)] {
            guard json.begin(name: name, isKnown: figure != nil), let figure else { continue }
            json.integer("logged", figure.logged)
            json.integer("message_low", figure.message.lowerBound)
            json.integer("message_high", figure.message.upperBound)
            json.text("certainty", figure.certainty.rawValue)
            json.end()
        }
        json.end()
    }
}

extension LogRow.Kind {
    fileprivate var word: String {
        switch self {
        case .request: "request"
        case .response: "response"
        case .exchange: "exchange"
        }
    }
}

extension AccuracyCall {
    /// `compared`, `unseen` (the source lacks the exchange), `unknown` (no figure can be given), or `ambiguous` (a row of
    /// the log may speak of it, or of another).
    fileprivate var state: String {
        if isAmbiguous { return "ambiguous" }
        if unseen != nil { return "unseen" }
        return isUnknown ? "unknown" : "compared"
    }
}
