import WireAccuracy
import WireCapture
import WireComparison
import WireCore
import WireEstimates
import WireLogs
import WireReport

/// Calibrations: made by `accuracy`, used by `check`.
extension AccuracyProgram {
    /// A calibration speaks of one source: the only log or, without logs, the only estimator. Anything else is wrong
    /// use, told before the long work begins.
    func checkCalibratedSource(_ estimators: [ChosenEstimator], _ gate: Gate?) {
        guard invocation.calibration != nil else { return }
        if gate?.policy.baselines.isEmpty == false {
            stopUsage("a baseline has uncalibrated figures; use --baseline without --calibration")
        }
        let option = "--calibration is for one source"
        if invocation.sdkLogs.count > 1 { stopUsage("\(option); \(invocation.sdkLogs.count) logs were given") }
        if invocation.sdkLogs.isEmpty, estimators.count != 1 {
            stopUsage("\(option): give one --sdk-log, or name one estimator with --estimators")
        }
        if invocation.setup != .first {
            stopUsage("--calibration counts set-up bytes per connection; it needs --setup first")
        }
    }

    private func stopUsage(_ message: String) -> Never {
        progress.erase()
        Console.stop(message, .usage)
    }

    /// Nil where no calibration is to be made.
    func calibrationRecorder(_ estimators: [ChosenEstimator], _ logs: [SDKLog]) -> CalibrationRecorder? {
        guard invocation.command == .accuracy, invocation.calibration != nil else { return nil }
        var conditions = CalibrationConditions(source: calibratedSource(estimators, logs), format: logs.first?.format)
        conditions.files = invocation.files
        conditions.countsLinkBytes = invocation.layer == .link
        conditions.undoesOffload = invocation.undoesOffload
        return CalibrationRecorder(conditions)
    }

    /// Id of the source that a calibration speaks of.
    func calibratedSource(_ estimators: [ChosenEstimator], _ logs: [SDKLog]) -> String {
        logs.first.map { OutputPlace.name(of: $0.path) } ?? estimators.first?.id ?? ""
    }

    /// What was found of the log only by comparing it.
    func note(_ result: AccuracyResult, on recorder: CalibrationRecorder) {
        guard let log = result.logs.first else { return }
        recorder.noteConvention(redirects: log.redirects?.rawValue, formula: formula(result))
    }

    private func formula(_ result: AccuracyResult) -> String? {
        let ids = result.logs.first.map { result.sources[$0.source].formulas }?.filter { $0.kind == .fitted }.map(\.id)
        return ids.flatMap { $0.isEmpty ? nil : $0.joined(separator: ", ") }
    }

    /// The calibration. Nil where there are too few calls, which is said; the report stands.
    func fit(_ recorder: CalibrationRecorder) -> Calibration? {
        do throws(CalibrationRefusal) {
            return try recorder.fit()
        } catch {
            progress.erase()
            Console.say(printable("no calibration was written: \(error.message)"))
            return nil
        }
    }

    func write(_ calibration: Calibration, to path: String) {
        let file = OutputFile(path: path)
        calibrationJSON(calibration).withBytes { file.write($0) }
        file.finish()
    }

    /// The calibration that `check` is to apply; nil where there is none.
    func readCalibration() -> Calibration? {
        guard invocation.command == .check, let path = invocation.calibration else { return nil }
        do throws(PolicyError) {
            return try Calibration(json: file(path, "the calibration"))
        } catch {
            progress.erase()
            Console.stop(printable(error.text(path: path)), .data)
        }
    }

    /// Constants hold under the conditions that they were fitted under. Returns the others, under which they do not apply at
    /// all, and warns of differences that may change single calls.
    func misfits(
        _ calibration: Calibration, _ result: AccuracyResult, _ versions: CallVersions?, _ logs: [SDKLog],
        _ estimators: [ChosenEstimator]
    ) -> [String] {
        let then = calibration.conditions
        var misfits: [String] = []
        let format = logs.first?.format
        if then.format != format {
            let names = [then.format, format].map { $0?.rawValue ?? "an estimator" }
            misfits.append("to \(names[0]), not to \(names[1])")
        } else if format == nil, let id = estimators.first?.id, id != then.source {
            misfits.append("to \(then.source), not to \(id)")
        }
        if then.countsLinkBytes != (invocation.layer == .link) {
            misfits.append("with --layer \(then.countsLinkBytes ? "link" : "ip")")
        }
        if let now = result.logs.first?.redirects?.rawValue, let before = then.redirects, now != before {
            misfits.append("to a log that records redirections as \(before), not as \(now)")
        }
        if !invocation.quiet { warnOfOtherConditions(calibration, result, versions) }
        return misfits + (versions?.differences(from: then).filter(\.isOfMost).map(\.words) ?? [])
    }

    /// The status stays: a bound that is exceeded says so by itself.
    private func warnOfOtherConditions(_ calibration: Calibration, _ result: AccuracyResult, _ versions: CallVersions?)
    {
        let then = calibration.conditions
        var differences = versions?.differences(from: then).filter { !$0.isOfMost }.map(\.words) ?? []
        if let now = formula(result), let before = then.formula, now != before {
            differences.append("to a log that \(before) explains, not \(now)")
        }
        for what in differences { Console.say(printable("warning: the calibration was fitted \(what)")) }
    }

    /// What cannot be written is told before the long work begins. The file is made only when there is something to
    /// put in it, because one unfinished result at a time can be removed when the program ends suddenly.
    static func checkCalibrationPlace(_ invocation: Invocation) {
        guard invocation.command == .accuracy, let path = invocation.calibration else { return }
        if let input = invocation.inputs.first(where: { OutputPlace.isSame($0, path) }) {
            Console.stop("the calibration would overwrite the input \(printable(input))", .usage)
        }
        if let output = invocation.output, output != "-", OutputPlace.isSame(output, path) {
            Console.stop("the report and the calibration cannot be the same file", .usage)
        }
        if case .file = OutputPlace(path: path) { _ = OutputFile(path: path) }
        if case .failed = OutputPlace(path: path) { _ = OutputFile(path: path) }
    }
}

/// Versions of HTTP and TLS of the calls that a calibration is applied to.
final class CallVersions {
    private let source: String
    private var calls = 0
    private var http: [String: Int] = [:]
    private var tls: [String: Int] = [:]

    init(source: String) { self.source = source }

    func take(_ call: AccuracyCall) {
        guard call.source == source, call.isCounted, call.unseen == nil, !call.isUnknown, let exchange = call.exchange
        else { return }
        calls += 1
        http[exchange.http ?? "HTTP", default: 0] += 1
        tls[exchange.tls ?? "none", default: 0] += 1
    }

    /// A version that the calibration has no call of.
    struct Difference: Equatable {
        var words: String
        /// At least half of the figures are of such calls.
        var isOfMost: Bool
    }

    func differences(from then: CalibrationConditions) -> [Difference] {
        [(http, then.http), (tls, then.tls)].flatMap { now, before in
            before.isEmpty
                ? []
                : now.keys.filter { before[$0] == nil }.sorted().map { version in
                    let name = version == "none" ? "without TLS" : "with \(version)"
                    let known = before.keys.sorted().map { $0 == "none" ? "without TLS" : "with \($0)" }
                    let own = now[version] ?? 0
                    let words =
                        "to calls \(known.joined(separator: " or ")); \(own) of \(calls) figures here are of calls \(name)"
                    return Difference(words: words, isOfMost: own * 2 >= calls)
                }
        }
    }
}
