import WireRecords
import WireReport

/// The exchanges of a session, written while its accuracy is computed.
struct SessionRecords {
    let report: RecordReport
    private let files: DayFiles

    /// Nil without a folder, and without the session's name, which is a part of the paths.
    init?(_ invocation: Invocation) {
        guard let folder = invocation.records, let session = invocation.session else { return nil }
        let files = DayFiles(folder: folder, session: session)
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
