import WireLogs
import WireRecords
import WireReport

/// What a report of records writes.
func renderedRecords(
    _ kind: RecordKind, _ format: RecordFormat, options: ReportOptions = ReportOptions(),
    style: TerminalStyle = TerminalStyle(width: 100), window: Int = 16_384, isForTerminal: Bool = false,
    _ feed: (RecordReport) -> Void
) -> String {
    let output = Collector()
    let report = RecordReport(
        kind, format: format, options: options, style: style, isForTerminal: isForTerminal, window: window,
        write: { output.add($0) })
    feed(report)
    report.finish()
    return String(decoding: output.bytes, as: UTF8.self)
}

/// Keeps what a report writes.
private final class Collector {
    var bytes: [UInt8] = []

    func add(_ span: Span<UInt8>) {
        for index in span.indices { bytes.append(span[index]) }
    }
}
