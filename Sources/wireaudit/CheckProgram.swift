import WireAccuracy
import WireComparison
import WireCore
import WireLogs
import WireRecords
import WireReport

/// The part of `check` that `accuracy` has not: bounds, and the verdict.
extension AccuracyProgram {
    /// Bounds, and the earlier results that they speak of.
    struct Gate {
        var policy: AccuracyPolicy
        /// By their paths in the policy.
        var baselines: [String: AccuracyBaseline] = [:]
    }

    /// Everything about the bounds is read and understood before the long work begins.
    func readGate() -> Gate {
        var gate: Gate
        do throws(PolicyError) {
            gate = Gate(policy: try policy())
        } catch {
            progress.erase()
            Console.stop(printable(error.text(path: invocation.policy ?? "check")), .usage)
        }
        for path in gate.policy.baselines {
            do throws(PolicyError) {
                gate.baselines[path] = try AccuracyBaseline(json: file(path, "the baseline"))
            } catch {
                progress.erase()
                Console.stop(printable(error.text(path: path)), .data)
            }
        }
        return gate
    }

    private func policy() throws(PolicyError) -> AccuracyPolicy {
        var policy = AccuracyPolicy(rules: [])
        if let path = invocation.policy { policy = try AccuracyPolicy(parsing: file(path, "the policy")) }
        for bound in invocation.bounds {
            do throws(PolicyError) {
                policy.rules.append(try PolicyRule.rule(option: bound.option, value: bound.value))
            } catch {
                Console.stop(printable(error.message), .usage)
            }
        }
        if let path = invocation.baseline {
            policy.rules.append(try PolicyRule.rule(baseline: path, tolerance: invocation.tolerance))
        }
        policy.completeReading()
        return policy
    }

    func file(_ path: String, _ what: String) -> [UInt8] {
        switch System.contents(of: path, limit: 256 << 20) {
        case .content(let bytes): return bytes
        case .tooLarge: Console.stop("\(what) \(printable(path)) is larger than 256 MiB", .data)
        case .failed(let code):
            Console.stop("cannot read \(what) \(printable(path)): \(System.reason(code))", .noInput)
        }
    }

    /// The verdict on partial results, all of them together.
    func judgeParts(_ gate: Gate) -> ExitStatus {
        let options = [
            ("--sdk-log", !invocation.sdkLogs.isEmpty), ("--estimators", invocation.estimators != nil),
            ("--calibration", invocation.calibration != nil), ("--host", !invocation.hosts.isEmpty),
            ("--api", !invocation.apis.isEmpty), ("--app", !invocation.apps.isEmpty),
            ("--template", !invocation.templates.isEmpty), ("--rpc", !invocation.operations.words.isEmpty),
            ("--name-by", !invocation.operations.named.isEmpty),
            ("--filter", invocation.filter != nil), ("--at", invocation.countedInterface != nil),
            ("--layer", invocation.layer != .ip),
            ("--setup", invocation.setup != .first), ("--undo-offload", invocation.undoesOffload),
            ("--no-recompression", !invocation.recompresses), ("--redact-query", invocation.redactsQuery),
            ("--reorder", invocation.limits.given["reorder"] != nil), ("--limit", invocation.limits.areGiven),
            ("--keys", !invocation.keys.isEmpty && !invocation.keysAreFromEnvironment),
        ]
        if let (option, _) = options.first(where: \.1) {
            progress.erase()
            Console.stop(
                "\(option) belongs to the command that writes partial results; they have their figures", .usage)
        }
        let merged = MergeProgram.merged(invocation.files)
        guard merged.report == .accuracy else {
            Console.stop("these are parts of an audit; 'check' needs parts of 'wireaudit accuracy'", .data)
        }
        var own = self
        own.invocation.take(partialChoices: merged.choices)
        own.refuseOthers(gate)
        var context = CheckContext()
        context.sessions = merged.failedSessions.map { FleetSize(audited: merged.sessions.count, failed: $0) }
        return judge(gate, merged.accuracy, merged.audit, [], context)
    }

    /// Ends the program where a baseline was made with other choices than this result.
    func refuseOthers(_ gate: Gate) {
        let own = invocation.resultChoices
        for (path, baseline) in gate.baselines.sorted(by: { $0.key < $1.key }) {
            guard let (this, then) = baseline.choices.flatMap({ own.difference(from: $0) }) else { continue }
            progress.erase()
            Console.stop(
                printable("\(path) was made \(then), this result \(this); make both with the same options"), .data)
        }
    }

    func context(_ calibrationMisfits: [String]) -> CheckContext {
        var context = CheckContext()
        context.calibrationMisfits = calibrationMisfits
        context.includesHost = Selection(hosts: invocation.hosts).includes(hostRow:)
        return context
    }

    /// Writes the verdict; status 1 where a bound is exceeded, 65 where something could not be judged.
    func judge(
        _ gate: Gate, _ result: AccuracyResult, _ audit: AuditResult, _ logs: [SDKLog], _ context: CheckContext
    ) -> ExitStatus {
        let report = CheckReport.evaluate(gate.policy, result, audit, baselines: gate.baselines, context: context)
        if invocation.format == .junit {
            checkJUnit(report, notes: notes(result)).withBytes { output.write($0) }
        } else {
            let lines = notes(result) + report.lines(verbose: invocation.verbose)
            let text = lines.joined(separator: "\n") + "\n"
            output.write(Array(text.utf8).span)
        }
        output.finish()
        let status = finish(audit, logs)
        guard status == .done else { return status }
        return report.violations > 0 ? .exceeded : report.unjudged > 0 || report.judgesNothing ? .data : .done
    }

    /// What the reader must know beside the verdict: what a calibration did.
    private func notes(_ result: AccuracyResult) -> [String] {
        guard let effect = result.calibration, let path = invocation.calibration else { return [] }
        return calibrationLines(effect, path: path)
    }
}
