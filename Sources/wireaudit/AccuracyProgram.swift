import WireAccuracy
import WireCapture
import WireComparison
import WireCore
import WireEstimates
import WireLogs
import WireRecords
import WireReport

/// `accuracy` and `check`: reads logs, audits the captures with estimators beside it, and reports.
struct AccuracyProgram {
    var invocation: Invocation
    let output: OutputFile
    let progress: ProgressLine

    func run() -> ExitStatus {
        let gate = invocation.command == .check ? readGate() : nil
        if let gate, PartFile.isPart(invocation.files[0]) { return judgeParts(gate) }
        gate.map { refuseOthers($0) }
        let estimators = Program.estimators(invocation.estimators ?? invocation.standardEstimators)
        checkCalibratedSource(estimators, gate)
        let calibration = readCalibration()
        let columns = invocation.logColumns
        let logs = invocation.sdkLogs.map { readLog($0, columns) }
        let metrics = taskMetrics(logs)
        let calls = invocation.format == .ndjson ? CallReport { output.write($0) } : nil
        let recorder = calibrationRecorder(estimators, logs)
        let versions = calibration.map { _ in CallVersions(source: calibratedSource(estimators, logs)) }
        let collector = AccuracyCollector(
            estimators + metrics, logs: logs, options: accuracyOptions, isSelected: invocation.isSelected,
            onCall: listener(calls, recorder, versions), onRow: calls.map { calls in { calls.receive($0) } },
            calibration: calibration)
        let content = invocation.format == .partial ? SessionContent() : nil
        collector.keepsSums = content != nil
        let records = SessionRecords(invocation)
        let audit = Program.audit(
            invocation, options: invocation.auditOptions, sink: SinkList([collector, content, records?.report]),
            examiner: collector.examiner, progress)
        var result = collector.finish()
        if !metrics.isEmpty { result.keepAsTaskMetrics(estimators.count) }
        if invocation.redactsQuery { result.redactURLs() }
        records?.finish()
        progress.erase()
        warn(result)
        recorder.map { note(result, on: $0) }
        if let gate {
            let others = calibration.map { misfits($0, result, versions, logs, estimators) }
            return judge(gate, result, audit, logs, context(others ?? []))
        }
        if let content {
            PartialOutput(invocation: invocation, output: output)
                .write(audit, content: content, accuracy: (result, collector.sums))
        } else if let calls {
            calls.finish()
        } else {
            report(result, audit)
        }
        return finishReport(audit, logs, recorder)
    }

    /// Single figures go to the report of calls, and to what a calibration is fitted to.
    private func listener(
        _ calls: CallReport?, _ recorder: CalibrationRecorder?, _ versions: CallVersions?
    ) -> ((AccuracyCall) -> Void)? {
        guard calls != nil || recorder != nil || versions != nil else { return nil }
        return { call in
            calls?.receive(call)
            recorder?.take(call)
            versions?.take(call)
        }
    }

    /// The end of the report, the calibration with it.
    private func finishReport(
        _ audit: AuditResult, _ logs: [SDKLog], _ recorder: CalibrationRecorder?
    ) -> ExitStatus {
        guard let recorder, let path = invocation.calibration else {
            output.finish()
            return finish(audit, logs)
        }
        let calibration = fit(recorder)
        if let calibration, invocation.format == nil || invocation.format == .table {
            calibrationText(calibration, path: path, style: output.style(invocation.color))
                .withBytes { output.write($0) }
        }
        // One file at a time is unfinished: the report is whole before the calibration begins.
        output.finish()
        if let calibration { write(calibration, to: path) }
        let status = finish(audit, logs)
        return status == .done && calibration == nil ? .data : status
    }

    /// As of an audit; and a log that the system could not read to its end is an input that failed.
    func finish(_ audit: AuditResult, _ logs: [SDKLog]) -> ExitStatus {
        let status = AuditConclusion.finish(audit, invocation)
        let failed = logs.filter(\.hasReadingFault)
        for log in failed { Console.say("cannot read \(printable(log.path)) to its end; the rows before were used") }
        return status == .done && !failed.isEmpty ? .noInput : status
    }

    private var accuracyOptions: AccuracyOptions {
        var options = invocation.limits.accuracy
        options.content = invocation.limits.content
        options.countsLinkBytes = invocation.layer == .link
        options.undoesOffload = invocation.undoesOffload
        options.recompresses = invocation.recompresses
        options.jobs = invocation.jobs ?? System.processorCount
        options.explainedRow = invocation.explainedRow
        options.apiNames = PathTemplate(patterns: invocation.templates, redacts: invocation.redactsQuery)
        return options
    }

    /// Advice for Apple's platforms tells what their counts of transferred bytes leave, as Pulse records them; a calibration
    /// has no use for that.
    private func taskMetrics(_ logs: [SDKLog]) -> [ChosenEstimator] {
        let isOfApple = invocation.estimators != nil || logs.contains { $0.platform == .apple }
        return invocation.advisesPeople && isOfApple && invocation.calibration == nil ? Program.estimators("pulse") : []
    }

    private func readLog(_ path: String, _ columns: LogColumns?) -> SDKLog {
        // A store of Pulse is a folder.
        let database = path + "/logs.sqlite"
        let isFolder = InputFile.kind(of: path) == .directory
        let isStore = isFolder && InputFile.kind(of: database) == .regular
        if isFolder, !isStore {
            progress.erase()
            Console.stop(
                "\(printable(path)) is a folder without logs.sqlite, so it is no store of Pulse; name the file of a log",
                .noInput)
        }
        let path = isStore ? database : path
        do throws(SDKLogError) {
            let log = try SDKLogReader.read(
                path: path, format: invocation.sdkFormat, columns: columns, source: LogFile(path: path),
                rowLimit: invocation.limits.logRows, textBudget: invocation.limits.logTexts)
            show(log)
            return log
        } catch {
            progress.erase()
            Console.stop(printable(error.message), error.kind == .cannotOpen ? .noInput : .data)
        }
    }

    /// Says which columns were taken by their names, before anything is concluded from them.
    private func show(_ log: SDKLog) {
        guard !invocation.quiet, let (found, unused) = log.columns?.findings else { return }
        progress.erase()
        Console.say(
            printable(log.path) + ": columns by their names: " + printable(found)
                + (unused.isEmpty ? "" : "; not used: " + printable(unused))
                + "; if one is wrong, name it: --sdk-columns url=COLUMN (url= is none)")
    }

    /// What the reader of any format must know, on standard error.
    private func warn(_ result: AccuracyResult) {
        guard !invocation.quiet else { return }
        for log in result.logs {
            for problem in log.problems {
                Console.say("warning: \(printable(log.path)): \(problem.what) (\(placeInWords(problem)))")
            }
        }
    }

    private func report(_ result: AccuracyResult, _ audit: AuditResult) {
        var options = invocation.reportOptions
        options.hasChosenSources = invocation.estimators != nil || !invocation.sdkLogs.isEmpty
        if let row = invocation.explainedRow {
            guard result.logs.contains(where: \.hasExplainedRow) else {
                Console.stop(
                    "there is no row \(row) in \(listed(result.logs.map { printable($0.path) }, most: 3)) that could be read",
                    .data)
            }
            boundsExplanationText(result, row: row, style: output.style(invocation.color)).withBytes {
                output.write($0)
            }
            return
        }
        let rendered =
            switch invocation.format {
            case .json?: accuracyJSON(result, audit: audit, options: options)
            case .csv?: accuracyCSV(result, audit: audit, options: options)
            case .md?: ReportDocument(result, audit: audit, options: options).markdown()
            case .html?: accuracyHTML(result, audit: audit, options: options)
            default:
                accuracyText(
                    result, audit: audit, options: options, style: output.style(invocation.color))
            }
        rendered.withBytes { output.write($0) }
    }
}

extension Invocation {
    /// What the user says of the columns of the logs, with the content of a file that says it.
    var columnsText: String? {
        guard let sdkColumns, sdkColumns.hasPrefix("@") else { return sdkColumns }
        let path = String(sdkColumns.dropFirst())
        switch System.contents(of: path, limit: 1 << 20) {
        case .content(let bytes): return String(decoding: bytes, as: UTF8.self)
        case .tooLarge: Console.stop("the columns in \(printable(path)) take more than 1 MiB", .data)
        case .failed(let code):
            Console.stop("cannot read the columns in \(printable(path)): \(System.reason(code))", .noInput)
        }
    }

    var logColumns: LogColumns? {
        guard let columnsText else { return nil }
        do throws(LogColumnsError) {
            return try LogColumns(parsing: columnsText)
        } catch {
            Console.stop(printable("\(sdkColumns ?? ""): \(error.message)"), .usage)
        }
    }
}
