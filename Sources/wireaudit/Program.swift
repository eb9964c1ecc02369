import WireCapture
import WireComparison
import WireCore
import WireEstimates
import WireLogs
import WireOpportunities
import WireRecords
import WireReport

/// Runs the command line: understands it, audits, reports, and ends with the status that `ExitStatus` tells.
enum Program {
    static func run(arguments: [String]) -> Never {
        System.fillStandardStreams()
        System.ignoreFailedWrites()
        System.fitMemory()
        SuddenEnd.watch()
        let request: Request
        do throws(UsageError) {
            request = try ArgumentParser.parse(arguments, exists: System.fileExists, isKeyLog: KeyLogFile.isKeyLog)
        } catch {
            Console.stop(error.message, .usage)
        }
        switch request {
        case .version: show("wireaudit \(toolVersion)\n")
        case .help(let command, let isBrief): show(isBrief ? HelpText.brief(command) : HelpText.of(command))
        case .run(let invocation): System.exit(run(invocation))
        }
    }

    private static func show(_ text: String) -> Never {
        let output = OutputFile(path: nil)
        output.write(Array(text.utf8).span)
        output.finish()
        System.exit(.done)
    }

    private static func write(_ text: String, _ invocation: Invocation) -> ExitStatus {
        let output = OutputFile(path: invocation.output)
        output.write(Array(text.utf8).span)
        output.finish()
        return .done
    }

    private static func run(_ invocation: Invocation) -> ExitStatus {
        if !invocation.quiet, let warning = invocation.formatWarning { Console.say("warning: " + warning) }
        switch invocation.command {
        case .estimators: return listEstimators(invocation)
        case .interfaces: return InterfacesProgram(invocation: invocation).run()
        case .limits: return listLimits(invocation)
        case .schema: return write(schemaText(invocation), invocation)
        case .completion: return write(CompletionScript.text(for: invocation.shell), invocation)
        case .manual: return write(ManualPage.text(of: invocation.topic), invocation)
        case .fleet:
            return FleetProgram(
                invocation: invocation, progress: ProgressLine(isEnabled: !invocation.quiet)
            ).run()
        case .live:
            // Its files are opened when it has given up root's rights.
            checkFiles(invocation)
            return LiveProgram.run(invocation)
        default: break
        }
        System.limitMemory(invocation)
        let invocation = KeyLogs.complete(invocation)
        checkFiles(invocation)
        AccuracyProgram.checkCalibrationPlace(invocation)
        let output = OutputFile(path: invocation.output)
        let progress = ProgressLine(isEnabled: !invocation.quiet)
        output.beforeWriting = { progress.erase() }
        switch invocation.command {
        case .accuracy, .check:
            return AccuracyProgram(invocation: invocation, output: output, progress: progress).run()
        case .merge: return MergeProgram(invocation: invocation, output: output, progress: progress).run()
        case .annotate: return AnnotateProgram(invocation: invocation, output: output, progress: progress).run()
        case .doctor: return DoctorProgram(invocation: invocation, output: output, progress: progress).run()
        case .compare: return CompareProgram(invocation: invocation, output: output, progress: progress).run()
        case .exchanges, .connections: return records(invocation, output, progress)
        case .audit where invocation.format == .partial:
            let content = SessionContent()
            let result = audit(
                invocation, options: invocation.auditOptions, sink: content, examiner: nil, progress)
            PartialOutput(invocation: invocation, output: output).write(result, content: content, accuracy: nil)
            output.finish()
            return AuditConclusion.finish(result, invocation)
        default: return auditReport(invocation, output, progress)
        }
    }

    /// Reads the captures; says afterwards how long it took, if asked to.
    static func audit(
        _ invocation: Invocation, options: AuditOptions, sink: (any AuditSink)?, examiner: (any BodyExaminer)?,
        trace: ClaimTrace? = nil, _ progress: ProgressLine
    ) -> AuditResult {
        let started = (wall: System.monotonicTime(), processor: System.processorTime())
        var audit = CaptureAudit(
            paths: invocation.files, options: options, filter: invocation.filter, keys: invocation.keys,
            jobs: invocation.jobs ?? System.processorCount)
        audit.trace = trace
        SuddenEnd.noteInputPipe(invocation.files.contains(where: System.isInputPipe))
        defer { SuddenEnd.noteInputPipe(false) }
        do throws(CaptureError) {
            let result = try audit.run(sink: sink, examiner: examiner, progress: { progress.update($0) })
            progress.erase()
            AuditConclusion.refuseUnknownInterface(result, invocation)
            if invocation.verbose, !invocation.quiet { AuditConclusion.sayTimes(result, since: started) }
            return result
        } catch {
            progress.erase()
            Console.stop(printable(error.message), status(of: error))
        }
    }

    /// The estimators that words of the command line choose.
    static func estimators(_ words: String) -> [ChosenEstimator] {
        do throws(EstimatorChoiceError) {
            return try EstimatorCatalog.choose(words)
        } catch {
            Console.stop(printable(error.message), .usage)
        }
    }

    private static func listEstimators(_ invocation: Invocation) -> ExitStatus {
        let output = OutputFile(path: invocation.output)
        let id = invocation.estimators.map(knownEstimator)
        let rendered =
            invocation.format == .json
            ? estimatorsJSON() : estimatorsText(style: output.style(invocation.color), id: id)
        rendered.withBytes { output.write($0) }
        output.finish()
        return .done
    }

    private static func schemaText(_ invocation: Invocation) -> String {
        let isTable = invocation.format == .md
        if let schema = invocation.schema { return isTable ? schemaTable(schema) : jsonSchema(schema) }
        if isTable { return schemaArticle() }
        return schemaList()
    }

    private static func listLimits(_ invocation: Invocation) -> ExitStatus {
        let output = OutputFile(path: invocation.output)
        let rows = Limit.all.map(LimitRow.init)
        let rendered =
            invocation.format == .json ? limitsJSON(rows) : limitsText(rows, style: output.style(invocation.color))
        rendered.withBytes { output.write($0) }
        output.finish()
        return .done
    }

    /// The identifier of an estimator, also of one that is described only.
    private static func knownEstimator(_ word: String) -> String {
        let name = word.lowercased()
        if let known = EstimatorCatalog.descriptions.first(where: { $0.id == name || $0.aliases.contains(name) }) {
            return known.id
        }
        return estimators(word).first?.description.id ?? word
    }

    private static func records(
        _ invocation: Invocation, _ output: OutputFile, _ progress: ProgressLine
    ) -> ExitStatus {
        let simulation = Simulation(invocation)
        let report = recordReport(invocation, output, simulation)
        let result = audit(
            invocation, options: invocation.auditOptions, sink: report, examiner: simulation?.examiner, progress)
        report.finish()
        output.finish()
        if !invocation.quiet { warnOfUndecoded(result) }
        if !invocation.quiet, report.count == 0 { warnOfEmptySelection(invocation) }
        return AuditConclusion.finish(result, invocation)
    }

    /// Nothing was written, and the user had asked for certain hosts or APIs: a word may be wrong.
    private static func warnOfEmptySelection(_ invocation: Invocation) {
        let wanted =
            invocation.hosts.map { "--host '\($0)'" } + invocation.apis.map { "--api '\($0)'" }
            + invocation.apps.map { "--app '\($0)'" }
        guard !wanted.isEmpty else { return }
        let file = invocation.files[0]
        let hint = file == "-" ? "" : "; 'wireaudit \(printable(file))' lists apps, hosts and APIs"
        Console.say(
            "warning: no \(invocation.command.rawValue) match \(printable(wanted.joined(separator: ", ")))\(hint)")
    }

    /// Records say nothing of limits, and no other command decodes bodies for their sizes.
    private static func warnOfUndecoded(_ result: AuditResult) {
        guard let count = result.findings.first(where: { $0.code == .decodeLimit })?.count else { return }
        Console.say(
            "warning: the decoded size of \(count == 1 ? "a body" : "\(count) bodies") stays unknown (decode-limit): "
                + "see decoded-body, decoded-total and decoder-memory in 'wireaudit limits'")
    }

    private static func auditReport(
        _ invocation: Invocation, _ output: OutputFile, _ progress: ProgressLine
    ) -> ExitStatus {
        let window = invocation.limits.accuracy.sortedRecords
        let estimates = Simulation(invocation).map { AuditEstimatesSink($0, window: window) }
        let finder = OpportunitySearch.finder(invocation)
        let sample =
            invocation.isAuditPage
            ? TrafficSample(
                calls: invocation.limits.pageCalls, connections: invocation.limits.pageConnections,
                options: invocation.reportOptions) : nil
        let result = audit(
            invocation, options: invocation.auditOptions, sink: SinkList([estimates, finder, sample]),
            examiner: estimates?.simulation.examiner ?? OpportunitySearch.examiner(invocation), progress)
        let found = finder?.finish(result)
        var additions = AuditAdditions(
            estimates: estimates?.finish(), opportunities: invocation.wantsOpportunities ? found : nil,
            headerFields: invocation.wantsHeaderFields ? finder?.headerFields : nil)
        additions.canHaveOpportunities = true
        let options = invocation.reportOptions
        let rendered: OutputBuffer
        if let sample {
            let input = AuditPageInput(additions: additions, sample: sample)
            rendered = auditHTML(result, options: options, input)
        } else if invocation.format == .json {
            rendered = auditJSON(result, options: options, additions)
        } else if invocation.format == .csv {
            rendered = auditCSV(result, options: options)
        } else {
            let document = ReportDocument(result, options: options, additions)
            rendered = invocation.format == .md ? document.markdown() : document.text(output.style(invocation.color))
        }
        rendered.withBytes { output.write($0) }
        output.finish()
        return AuditConclusion.finish(result, invocation)
    }

    /// A capture must not be destroyed by its own report.
    private static func checkFiles(_ invocation: Invocation) {
        if let output = invocation.output, output != "-",
            let input = invocation.inputs.first(where: { OutputPlace.isSame($0, output) })
        {
            Console.stop("the output would overwrite the input \(printable(input))", .usage)
        }
        if let evidence = invocation.live.evidence,
            let input = invocation.inputs.first(where: { System.isSameFile($0, evidence) })
        {
            Console.stop("the packets would overwrite the input \(printable(input))", .usage)
        }
        if invocation.files.contains("-"), System.isTerminal(0) {
            Console.stop("standard input is a terminal, not a capture; try 'tcpdump -w - | wireaudit -'", .usage)
        }
    }

    private static func recordReport(
        _ invocation: Invocation, _ output: OutputFile, _ simulation: Simulation?
    ) -> RecordReport {
        let format: RecordFormat
        switch invocation.format {
        case .csv?: format = .csv
        case .har?: format = .har
        case .otlp?: format = .otlp
        case .table?: format = .table
        case .ndjson?, .json?: format = .ndjson
        default: format = output.isTerminal ? .table : .ndjson
        }
        return RecordReport(
            invocation.command == .exchanges ? .exchanges : .connections, format: format,
            options: invocation.reportOptions, style: output.style(invocation.color), isForTerminal: output.isTerminal,
            window: invocation.limits.accuracy.sortedRecords, estimates: simulation?.recordEstimates,
            write: { output.write($0) })
    }

    static func status(of error: CaptureError) -> ExitStatus {
        switch error {
        case .cannotOpen: .noInput
        case .notACapture: .data
        case .filter: .usage
        }
    }
}
