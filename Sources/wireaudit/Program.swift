import WireCapture
import WireCore
import WireReport

/// Runs the command line: understands it, audits, reports, and ends with the status that `ExitStatus` tells.
enum Program {
    static func run(arguments: [String]) -> Never {
        System.ignoreBrokenPipes()
        let request: Request
        do throws(UsageError) {
            request = try ArgumentParser.parse(arguments, exists: System.fileExists)
        } catch {
            stop(error.message, .usage)
        }
        switch request {
        case .version: show("wireaudit \(toolVersion)\n")
        case .help(let command): show(HelpText.of(command))
        case .run(let invocation): System.exit(run(invocation))
        }
    }

    private static func show(_ text: String) -> Never {
        let output = OutputFile(path: nil)
        output.write(Array(text.utf8).span)
        output.finish()
        System.exit(.done)
    }

    static func stop(_ message: String, _ status: ExitStatus) -> Never {
        Console.say(message)
        System.exit(status)
    }

    private static func run(_ invocation: Invocation) -> ExitStatus {
        checkFiles(invocation)
        let output = OutputFile(path: invocation.output)
        let progress = ProgressLine(isEnabled: !invocation.quiet)
        output.beforeWriting = { progress.erase() }
        let started = (wall: System.monotonicTime(), processor: System.processorTime())
        let report = invocation.command == .audit ? nil : recordReport(invocation, output)
        let audit = CaptureAudit(
            paths: invocation.files, options: invocation.auditOptions, filter: invocation.filter)
        let result: AuditResult
        do throws(CaptureError) {
            result = try audit.run(sink: report, progress: { progress.update($0) })
        } catch {
            progress.erase()
            stop(printable(error.message), status(of: error))
        }
        progress.erase()
        if let report { report.finish() } else { writeAudit(result, invocation, output) }
        output.finish()
        if invocation.verbose, !invocation.quiet { sayTimes(result, since: started) }
        return finish(result, invocation)
    }

    /// A capture must not be destroyed by its own report.
    private static func checkFiles(_ invocation: Invocation) {
        if let output = invocation.output, output != "-",
            let input = invocation.files.first(where: { System.isSameFile($0, output) })
        {
            stop("the output would overwrite the input \(printable(input))", .usage)
        }
        if invocation.files.contains("-"), System.isTerminal(0) {
            stop("standard input is a terminal, not a capture; try 'tcpdump -w - | wireaudit -'", .usage)
        }
    }

    private static func recordReport(_ invocation: Invocation, _ output: OutputFile) -> RecordReport {
        let format: RecordFormat
        switch invocation.format {
        case .csv?: format = .csv
        case .table?: format = .table
        case .ndjson?, .json?: format = .ndjson
        case nil: format = output.isTerminal ? .table : .ndjson
        }
        return RecordReport(
            invocation.command == .exchanges ? .exchanges : .connections, format: format,
            options: invocation.reportOptions, style: style(invocation, output), isForTerminal: output.isTerminal,
            write: { output.write($0) })
    }

    private static func writeAudit(_ result: AuditResult, _ invocation: Invocation, _ output: OutputFile) {
        let rendered =
            invocation.format == .json
            ? auditJSON(result, options: invocation.reportOptions)
            : auditText(result, options: invocation.reportOptions, style: style(invocation, output))
        rendered.withBytes { output.write($0) }
    }

    private static func style(_ invocation: Invocation, _ output: OutputFile) -> TerminalStyle {
        Console.style(for: output.descriptor, isTerminal: output.isTerminal, color: invocation.color)
    }
}

// MARK: The end

extension Program {
    private static func status(of error: CaptureError) -> ExitStatus {
        switch error {
        case .cannotOpen: .noInput
        case .notACapture: .data
        case .filter: .usage
        }
    }

    private static func sayTimes(_ result: AuditResult, since started: (wall: Int64, processor: Int64)) {
        let packets = result.files.reduce(0) { $0 + $1.packets }
        Console.say(
            runSummary(
                packets: packets, bytes: result.ledger.bytes, wall: System.monotonicTime() - started.wall,
                processor: System.processorTime() - started.processor))
    }

    /// After the report: warns of damage, and decides the status.
    private static func finish(_ result: AuditResult, _ invocation: Invocation) -> ExitStatus {
        var status = ExitStatus.done
        for file in result.files {
            guard let offset = file.damagedAt else { continue }
            if file.packets + file.filtered == 0 {
                Console.say("\(printable(file.path)) is damaged at byte \(offset), before its first packet")
                status = .data
            } else if !invocation.quiet {
                Console.say(
                    "warning: \(printable(file.path)) is cut or damaged at byte \(offset), after packet "
                        + "\(file.packets + file.filtered); everything before it was audited")
            }
        }
        guard result.ledger.balanced else {
            Console.say("the ledger is out of balance: " + result.ledger.contradictions.joined(separator: "; "))
            return .software
        }
        return status
    }
}

extension Invocation {
    fileprivate var auditOptions: AuditOptions {
        var options = AuditOptions()
        options.setup = setup
        options.templates = templates
        options.decodesBodies = command == .exchanges && decodesBodies
        return options
    }

    fileprivate var reportOptions: ReportOptions {
        var options = ReportOptions()
        options.layer = layer
        options.setup = setup
        options.undoesOffload = undoesOffload
        options.filter = filter
        options.files = files
        options.templates = templates
        options.selection = Selection(hosts: hosts, apis: apis)
        options.top = top
        return options
    }
}
