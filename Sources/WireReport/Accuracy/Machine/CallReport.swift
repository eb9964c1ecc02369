import WireAccuracy
import WireRecords

/// Writes the single figures behind an accuracy report, one JSON object per line: for each source, exchange and
/// direction, and for each row of a log.
///
/// Figures of simulated estimators come in the order of the exchanges. Those of logs stand behind them, since logs can
/// be compared only when the capture was read; each log's rows follow its figures.
public final class CallReport {
    private static let flushSize = 64 << 10

    private var fields = JSONFields()
    private let write: (Span<UInt8>) -> Void

    public init(write: @escaping (Span<UInt8>) -> Void) { self.write = write }

    public func receive(_ call: AccuracyCall) {
        callOutput.write(call, to: &fields)
        if fields.buffer.count >= CallReport.flushSize { finish() }
    }

    public func receive(_ row: JoinedRow) {
        rowOutput.write(row, to: &fields)
        if fields.buffer.count >= CallReport.flushSize { finish() }
    }

    /// Writes what still waits.
    public func finish() {
        fields.buffer.withBytes { write($0) }
        fields.buffer.removeAll()
    }
}
