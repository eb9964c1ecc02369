import WireCapture
import WireCore
import WireOpportunities
import WireRecords
import WireReport

/// `live`: opens the interfaces, gives up root's rights, audits until it is told to stop or a limit is reached, reports.
final class LiveProgram {
    /// Milliseconds between looks at what is no packet.
    private static let longestWait = 100

    private let invocation: Invocation
    private let format: OutputFormat
    private let output: OutputFile
    private let audit: LiveAudit
    private let writer: CaptureWriter?
    private let signals: SignalPipe?
    private let view: LiveView?
    private let sink: LiveSink?
    private let finder: OpportunityFinder?
    private let alarm: LiveAlarm
    private let progress: ProgressLine
    private let began = (wall: System.monotonicTime(), processor: System.processorTime())

    static func run(_ invocation: Invocation) -> ExitStatus {
        var invocation = KeyLogs.completeLive(invocation)
        let showsScreen = showsScreen(invocation)
        let isFile = invocation.output.map { $0 != "-" } ?? false
        let isForPerson = !isFile && (System.isTerminal(Console.standardOutput) || invocation.live.evidence == "-")
        let format = invocation.format ?? (isForPerson ? .table : .ndjson)
        invocation.format = format
        return LiveProgram(invocation, format, showsScreen: showsScreen).run()
    }

    private init(_ invocation: Invocation, _ format: OutputFormat, showsScreen: Bool) {
        self.invocation = invocation
        self.format = format
        let privileges = Self.plan(invocation.live.user)
        let hint = privileges.account.map { " (as user \($0.label); --user root stays root)" } ?? ""
        let capture = Self.open(invocation)
        // The terminal may be root's, as the interfaces are.
        let terminal = showsScreen ? Terminal(Console.standardOutput) : nil
        Self.drop(privileges)
        let isTaken = invocation.live.evidence == "-" && invocation.output == nil
        let output =
            isTaken
            ? .standardError : OutputFile(path: invocation.output, isFollowed: format == .ndjson, refusalHint: hint)
        if let path = invocation.output, let evidence = invocation.live.evidence, OutputPlace.isSame(path, evidence) {
            Console.stop("packets and the report would both go to '\(printable(path))'", .usage)
        }
        let writer = Self.write(invocation, capture.interfaces, hint)
        progress = ProgressLine(isEnabled: !invocation.quiet && terminal == nil)
        alarm = LiveAlarm(isQuiet: invocation.quiet, progress: progress, hasScreen: terminal != nil)
        let sink = Self.sink(invocation, output, isRecords: format == .ndjson, hasScreen: terminal != nil)
        let finder = OpportunitySearch.finder(invocation)
        do throws(CaptureError) {
            let live = invocation.live
            audit = try LiveAudit(
                capture, options: invocation.auditOptions,
                limits: LiveLimits(duration: live.duration, packets: live.packets, exchanges: live.exchanges),
                keys: invocation.keys, sink: SinkList([sink, finder]), examiner: OpportunitySearch.examiner(invocation),
                writer: writer)
        } catch {
            Console.stop(Self.hinted(error.message, hint), .noInput)
        }
        signals = SignalPipe()
        view = terminal.map { LiveView($0, invocation: invocation, output: output) }
        self.output = output
        self.writer = writer
        self.sink = sink
        self.finder = finder
    }

    // MARK: Beginning

    private static func plan(_ user: String?) -> Privileges {
        do throws(PrivilegeError) { return try Privileges.plan(requested: user) } catch { Console.stop(error) }
    }

    private static func drop(_ privileges: Privileges) {
        do throws(PrivilegeError) { try privileges.drop() } catch { Console.stop(error) }
    }

    /// Root is told whom the system refused: nobody has to know that this is not root any more.
    private static func hinted(_ message: String, _ hint: String) -> String {
        printable(message) + (message.contains(System.refusalReason) ? hint : "")
    }

    private static func open(_ invocation: Invocation) -> LiveCapture {
        do throws(LiveError) { return try LiveCapture(invocation.liveOptions) } catch { Console.stop(error) }
    }

    private static func write(
        _ invocation: Invocation, _ interfaces: [CaptureInterfaceSummary], _ hint: String
    ) -> CaptureWriter? {
        guard let path = invocation.live.evidence else { return nil }
        if System.isPipe(path), !invocation.quiet { Console.say("waiting for a reader of \(printable(path))") }
        do throws(CaptureWriteFault) {
            return try CaptureWriter(
                path: path, rotation: invocation.live.rotation, interfaces: interfaces, filter: invocation.filter,
                tool: "wireaudit \(toolVersion)")
        } catch {
            Console.stop(hinted(error.message, hint), .output)
        }
    }

    /// On a terminal, unless the results go there.
    private static func showsScreen(_ invocation: Invocation) -> Bool {
        guard System.isTerminal(Console.standardOutput), invocation.live.evidence != "-" else { return false }
        let isElsewhere = invocation.output.map { $0 != "-" } ?? false
        return isElsewhere || invocation.format == nil
    }

    private static func sink(
        _ invocation: Invocation, _ output: OutputFile, isRecords: Bool, hasScreen: Bool
    ) -> LiveSink? {
        guard isRecords || hasScreen else { return nil }
        let report =
            isRecords
            ? RecordReport(
                .exchanges, format: .ndjson, options: invocation.reportOptions,
                style: output.style(invocation.color), isForTerminal: output.isTerminal, window: 0,
                flushesEachRow: true, write: { output.write($0) }) : nil
        return LiveSink(report)
    }

    // MARK: The loop

    private func run() -> ExitStatus {
        for note in audit.notes { alarm.say(note) }
        alarm.awaitKeyLogs(audit.missingKeyLogs)
        output.beforeWriting = { [progress] in progress.erase() }
        // Whatever happens to the output, the evidence is brought to its end first.
        output.ending = { [alarm] status in alarm.outputEnded(status) }
        view?.enter()
        while !audit.hasEnded {
            wait()
            let taken = audit.turn()
            handleSignals()
            if alarm.outputStatus != nil { audit.stop() }
            if let view, view.turn(audit, sink, writer, alarm) { audit.stop() }
            alarm.look(at: audit, writer)
            if taken == 0 { showProgress() }
        }
        let result = audit.finish()
        alarm.look(at: audit, writer)
        view?.leave()
        progress.erase()
        return report(result)
    }

    private func wait() {
        var descriptors = audit.descriptors
        descriptors.append(signals?.descriptor ?? -1)
        descriptors.append(view?.inputDescriptor ?? -1)
        var set = PollSet(descriptors)
        _ = set.wait(milliseconds: min(audit.longestWait, view?.longestWait ?? .max, Self.longestWait))
    }

    private func handleSignals() {
        for signal in signals?.take() ?? [] {
            switch signal {
            case .interrupt, .terminate, .hangUp: audit.stop()
            case .resize: view?.resize()
            case .suspend:
                view?.leave()
                progress.erase()
                signals?.suspend()
                view?.enter()
            case .proceed: view?.renew()
            }
        }
    }

    private func showProgress() {
        progress.show {
            let interfaces = self.audit.interfaces
            return liveProgressText(
                elapsed: self.audit.elapsed, packets: interfaces.reduce(0) { $0 + $1.packets },
                bytes: interfaces.reduce(0) { $0 + $1.bytes }, dropped: interfaces.reduce(0) { $0 + $1.dropped })
        }
    }

    // MARK: The end

    private func report(_ result: AuditResult) -> ExitStatus {
        alarm.repeatUnseen()
        let options = invocation.reportOptions
        var additions = AuditAdditions(opportunities: finder?.finish(result))
        additions.canHaveOpportunities = true
        switch format {
        case .ndjson:
            sink?.finish()
            output.finish()
            if !invocation.quiet { summarise(result, additions) }
        case .json: finish(auditJSON(result, options: options, additions))
        default: finish(ReportDocument(result, options: options, additions).text(output.style(invocation.color)))
        }
        if invocation.verbose, !invocation.quiet { AuditConclusion.sayTimes(result, since: began) }
        sayEvidence()
        let status = AuditConclusion.finish(result, invocation)
        if status != .done { return status }
        if let status = alarm.outputStatus { return status }
        if writer?.fault != nil { return .output }
        // Nobody asked for the end.
        return result.interfaces.allSatisfy { $0.fault != nil } ? .unavailable : .done
    }

    private func sayEvidence() {
        guard let writer, writer.fault == nil, !invocation.quiet else { return }
        Console.say(
            evidenceText(
                packets: writer.packetsWritten, path: writer.currentPath, files: writer.filesWritten,
                deleted: writer.deletedFiles))
    }

    private func finish(_ report: borrowing OutputBuffer) {
        report.withBytes { output.write($0) }
        output.finish()
    }

    /// Where the results are records, the person still gets the report.
    private func summarise(_ result: AuditResult, _ additions: AuditAdditions) {
        let isTerminal = System.isTerminal(Console.standardError)
        let style = Console.style(
            for: Console.standardError, isTerminal: isTerminal, color: invocation.color)
        ReportDocument(result, options: invocation.reportOptions, additions).text(style)
            .withBytes { _ = System.write($0, to: Console.standardError) }
    }
}
