import WireAccuracy

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
        fields.call(call)
        if fields.buffer.count >= CallReport.flushSize { finish() }
    }

    public func receive(_ row: JoinedRow) {
        fields.row(row)
        if fields.buffer.count >= CallReport.flushSize { finish() }
    }

    /// Writes what still waits.
    public func finish() {
        fields.buffer.withBytes { write($0) }
        fields.buffer.removeAll()
    }
}

extension JSONFields {
    fileprivate mutating func call(_ call: AccuracyCall) {
        beginElement()
        constant("schema", "wireaudit.call/1")
        text("source", call.source)
        text("file", call.exchange?.file)
        integer("connection", call.exchange?.connection)
        integer("exchange", call.exchange?.exchange)
        seconds("time", call.exchange?.time)
        text("api", call.exchange?.api)
        text("direction", call.direction.rawValue)
        boolean("counted", call.isCounted)
        text("state", call.state)
        integer("estimate", call.estimate)
        integer("message", call.message)
        integer("wire", call.wire)
        // A source that records no figure for a call that it has counted nothing.
        let isCompared = call.exchange != nil && call.unseen == nil && !call.isUnknown && !call.isAmbiguous
        integer("error", isCompared ? (call.estimate ?? 0) &- (call.message ?? 0) : nil)
        if begin("causes", isKnown: isCompared) {
            for post in call.causes.posts { integer(name: post.cause.name, post.bytes) }
            end()
        }
        text("unseen", call.unseen?.name)
        integer("row", call.row)
        text("fate", call.fate)
        end()
        endLine()
    }
}

extension JSONFields {
    fileprivate mutating func row(_ row: JoinedRow) {
        beginElement()
        constant("schema", "wireaudit.row/1")
        text("source", row.source)
        integer("row", row.row)
        text("kind", row.kind?.word)
        text("state", row.state.rawValue)
        text("file", row.exchange?.file)
        integer("connection", row.exchange?.connection)
        integer("exchange", row.exchange?.exchange)
        text("api", row.exchange?.api)
        seconds("time", row.time)
        seconds("residual", row.residual)
        beginArray("alternatives")
        for alternative in row.alternatives {
            beginElement()
            text("file", alternative.exchange.file)
            integer("connection", alternative.exchange.connection)
            integer("exchange", alternative.exchange.exchange)
            seconds("residual", alternative.residual)
            end()
        }
        endArray()
        text("why", row.reason)
        end()
        endLine()
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
