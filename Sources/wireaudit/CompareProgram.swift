import WireComparison
import WireCore
import WireJoin
import WireRecords
import WireReport

/// `compare`: audits or reads both sides, and reports what became larger or smaller.
struct CompareProgram {
    let invocation: Invocation
    let output: OutputFile
    let progress: ProgressLine

    /// Most of an audit as JSON that is read, bytes.
    private static let auditLimit = 256 << 20

    func run() -> ExitStatus {
        // Wrong files are told before the long work begins.
        let audits = (before: audits(invocation.before), after: audits(invocation.after))
        let (before, first) = side(invocation.before, audits.before)
        let (after, second) = side(invocation.after, audits.after)
        let comparison = CostComparison(before, after, measure, maximumGrowth: invocation.maximumGrowth)
        render(comparison)
        output.finish()
        if let status = [first, second].first(where: { $0 != .done }) { return status }
        if let obstacle = comparison.obstacle {
            Console.say("\(obstacle.sentence): nothing was held against --max-growth")
            return .data
        }
        if comparison.isUnjudgedInPart {
            Console.say(
                "APIs with too few calls grew by more than --max-growth, which may be chance: capture more calls, or choose "
                    + "other APIs with --api")
            return .data
        }
        return comparison.isExceeded ? .exceeded : .done
    }

    private var measure: CostMeasure {
        CostMeasure(countsLink: invocation.layer == .link, countsHidden: invocation.undoesOffload)
    }

    private func render(_ comparison: CostComparison) {
        let options = invocation.reportOptions
        let document = ReportDocument(comparison, top: options.top)
        let rendered =
            switch invocation.format {
            case .json?: comparisonJSON(comparison, options: options)
            case .md?: document.markdown()
            case .html?: document.html()
            default: document.text(output.style(invocation.color))
            }
        rendered.withBytes { output.write($0) }
    }

    // MARK: Sides

    /// The audits as JSON among the files, by path. What a pipe brings is a capture.
    private func audits(_ paths: [String]) -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for path in paths where path != "-" && System.fileKind(path) == .regular {
            let file = LogFile(path: path)
            guard var content = file.next(), ComparedSide.isAudit(content) else { continue }
            while let piece = file.next() {
                content += piece
                if content.count > CompareProgram.auditLimit { stop("\(path) is larger than 256 MiB", .data) }
            }
            if let fault = file.fault { stop("cannot read \(path) to its end: \(fault)", .noInput) }
            found[path] = content
        }
        return found
    }

    private func stop(_ message: String, _ status: ExitStatus) -> Never {
        progress.erase()
        Console.stop(printable(message), status)
    }

    private func side(_ paths: [String], _ audits: [String: [UInt8]]) -> (ComparedSide, ExitStatus) {
        let selection = Selection(hosts: invocation.hosts, apis: invocation.apis)
        var side = ComparedSide(
            ComparedRows(choosesHosts: !selection.hosts.isEmpty, choosesAPIs: !selection.apis.isEmpty))
        let choices = invocation.resultChoices
        for path in paths {
            guard let json = audits[path] else { continue }
            do throws(ComparisonError) {
                try side.add(
                    audit: path, json, choices: choices, includesAPI: { selection.includes(row: $0) },
                    includesHost: { selection.includes(hostRow: $0) })
            } catch {
                stop(error.message, .data)
            }
        }
        let captures = paths.filter { audits[$0] == nil }
        guard !captures.isEmpty else { return (side, .done) }
        var own = invocation
        own.files = captures
        let collector = CostCollector(measure, limit: invocation.limits.audit.apiLimit)
        let result = Program.audit(own, options: own.auditOptions, sink: collector, examiner: nil, progress)
        side.add(
            result, collector, includesAPI: { selection.includes(row: $0.api) },
            includesHost: { selection.includes(hostRow: $0.host) })
        return (side, AuditConclusion.finish(result, own))
    }
}
