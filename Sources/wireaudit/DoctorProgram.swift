import WireAccuracy
import WireCapture
import WireCore
import WireLogs
import WireReport

/// `doctor`: looks at the files of a session before a test day, and says what is missing.
struct DoctorProgram {
    let invocation: Invocation
    let output: OutputFile
    let progress: ProgressLine

    func run() -> ExitStatus {
        let files = paths().map(recognized)
        let captures = files.filter { $0.kind == .capture }.map(\.path)
        let audited = captures.isEmpty ? nil : audit(captures, files)
        let checkup = SessionCheckup(files: files, audit: audited?.audit, accuracy: audited?.accuracy)
        progress.erase()
        let rendered =
            invocation.format == .json
            ? checkupJSON(checkup) : checkupText(checkup, style: output.style(invocation.color))
        rendered.withBytes { output.write($0) }
        output.finish()
        return captures.isEmpty ? .data : .done
    }

    /// The files that are named, and those of folders that are; a folder that is the store of Pulse stands for its database.
    private func paths() -> [String] {
        invocation.files.flatMap { path -> [String] in
            guard InputFile.kind(of: path) == .directory else { return [path] }
            return System.names(in: path).filter { !$0.hasPrefix(".") }.sorted().map { path + "/" + $0 }
                .filter { InputFile.kind(of: $0) == .regular || InputFile.kind(of: $0 + "/logs.sqlite") == .regular }
        }
    }

    private func recognized(_ path: String) -> SessionCheckup.File {
        let database = path + "/logs.sqlite"
        if InputFile.kind(of: database) == .regular { return SessionCheckup.File(path: database, kind: .log) }
        do throws(CaptureError) {
            _ = try CaptureInputs(paths: [path])
            return SessionCheckup.File(path: path, kind: .capture)
        } catch .notACapture {
            if KeyLogFile.isKeyLog(path) { return SessionCheckup.File(path: path, kind: .keys) }
            return readLog(path).map { SessionCheckup.File(path: path, kind: .log, words: $0.format.rawValue) }
                ?? SessionCheckup.File(path: path, kind: .other, words: "not a capture, key log or log that is known")
        } catch {
            progress.erase()
            Console.stop(printable(error.message), Program.status(of: error))
        }
    }

    private func readLog(_ path: String) -> SDKLog? {
        try? SDKLogReader.read(path: path, source: LogFile(path: path))
    }

    /// Audits all captures as one session, with all keys, and holds all logs against it.
    private func audit(
        _ captures: [String], _ files: [SessionCheckup.File]
    ) -> (audit: AuditResult, accuracy: AccuracyResult?) {
        var invocation = invocation
        invocation.files = captures
        invocation.keys += files.filter { $0.kind == .keys }.map(\.path)
        let logs = files.filter { $0.kind == .log }.compactMap { readLog($0.path) }
        guard !logs.isEmpty else {
            let options = invocation.auditOptions
            return (Program.audit(invocation, options: options, sink: nil, examiner: nil, progress), nil)
        }
        invocation.sdkLogs = logs.map(\.path)
        var options = AccuracyOptions()
        options.jobs = invocation.jobs ?? System.processorCount
        let collector = AccuracyCollector([], logs: logs, options: options, isSelected: { _ in true })
        let result = Program.audit(
            invocation, options: invocation.auditOptions, sink: collector, examiner: collector.examiner, progress)
        return (result, collector.finish())
    }
}
