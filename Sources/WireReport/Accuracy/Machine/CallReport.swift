import WireAccuracy

/// Writes the single figures behind an accuracy report, one JSON object per line, schema `wireaudit.call/1`.
///
/// Figures of simulated estimators come in the order of the exchanges; those of logs, which can be compared only when
/// the capture was read, stand behind them, and rows without an exchange last.
public final class CallReport {
    private static let flushSize = 64 << 10

    private var fields = JSONFields()
    private let write: (Span<UInt8>) -> Void

    public init(write: @escaping (Span<UInt8>) -> Void) { self.write = write }

    public func receive(_ call: AccuracyCall) {
        fields.call(call)
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
        let isCompared = call.exchange != nil && call.unseen == nil && !call.isUnknown
        integer("error", isCompared ? (call.estimate ?? 0) &- (call.message ?? 0) : nil)
        if begin("causes", isKnown: isCompared) {
            for post in call.causes.posts { integer(name: post.cause.name, post.bytes) }
            end()
        }
        text("unseen", call.unseen?.name)
        integerIfKnown("row", call.row)
        if call.fate != nil { text("fate", call.fate) }
        end()
        endLine()
    }
}

extension AccuracyCall {
    /// `compared`, `unseen` (the source lacks the exchange), `unknown` (no figure can be given), or `no-exchange` (a row
    /// of a log).
    fileprivate var state: String {
        if exchange == nil { return "no-exchange" }
        if unseen != nil { return "unseen" }
        return isUnknown ? "unknown" : "compared"
    }
}
