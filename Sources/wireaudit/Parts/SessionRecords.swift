import WireReport

/// The exchanges of a session, written while its accuracy is computed.
struct SessionRecords {
    let report: RecordReport
    private let files: DayFiles

    init(_ invocation: Invocation, folder: String) {
        let files = DayFiles(folder: folder, session: invocation.session ?? "unnamed")
        self.files = files
        report = RecordReport(
            .exchanges, format: .ndjson, options: invocation.reportOptions,
            style: Console.style(for: 1, isTerminal: false, color: .never), isForTerminal: false,
            window: invocation.limits.accuracy.sortedRecords, write: { files.write($0) })
    }

    func finish() {
        report.finish()
        files.finish()
    }
}
