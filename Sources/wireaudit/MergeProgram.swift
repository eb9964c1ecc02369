import WireComparison
import WireCore
import WireRecords
import WireReport

/// `merge`: one report from the partial results of many sessions.
struct MergeProgram {
    let invocation: Invocation
    let output: OutputFile
    let progress: ProgressLine

    func run() -> ExitStatus {
        if invocation.format == .ndjson { return listSessions() }
        let merged = MergeProgram.merged(invocation.files)
        guard render(merged) else { return .usage }
        output.finish()
        return finish(merged)
    }

    /// All parts as one; ends the program where one cannot be read or merged.
    static func merged(_ paths: [String]) -> PartialResult {
        var merged: PartialResult?
        for path in paths {
            let part = PartFile.needed(path)
            do throws(PartialResult.Refusal) {
                if merged == nil { merged = part } else { try merged?.merge(part) }
            } catch {
                Console.stop(printable("\(path): \(PartFile.words(error))"), .data)
            }
        }
        return merged ?? PartialResult(.audit, choices: [:])
    }

    /// A line for the session of each part, as a fleet has it.
    private func listSessions() -> ExitStatus {
        for path in invocation.files {
            let part = PartFile.needed(path)
            guard part.sessions.count == 1, let name = part.sessions.values.first else {
                Console.stop(
                    printable("\(path) is of \(part.sessions.count) sessions; --format ndjson takes parts of one each"),
                    .data)
            }
            var row = FleetRow(FleetSession(name: name))
            row.day = PartFile.day(of: part)
            row.take(part)
            sessionLines([row]).withBytes { output.write($0) }
        }
        output.finish()
        return .done
    }

    private func finish(_ merged: PartialResult) -> ExitStatus {
        let ledger = merged.audit.ledger
        guard !ledger.balanced else { return .done }
        Console.say("the ledger does not balance: " + ledger.contradictions.joined(separator: "; "))
        return .software
    }

    // MARK: Reports

    /// False where the report has no such format.
    private func render(_ merged: PartialResult) -> Bool {
        if invocation.format == .partial {
            partialJSON(merged).withBytes { output.write($0) }
            return true
        }
        let options = PartFile.options(merged, invocation)
        return merged.report == .audit ? renderAudit(merged, options) : renderAccuracy(merged, options)
    }

    private func renderAudit(_ merged: PartialResult, _ options: ReportOptions) -> Bool {
        let rendered: OutputBuffer
        switch invocation.format {
        case .md?:
            Console.say("parts of an audit have no report in md; it takes table, html, json, csv or partial")
            return false
        case .csv?: rendered = auditCSV(merged.audit, options: options)
        case .json?: rendered = auditJSON(merged.audit, options: options)
        case .html?:
            let sample = TrafficSample(calls: 0, connections: 0, options: options)
            rendered = auditHTML(
                merged.audit, options: options,
                AuditPageInput(additions: AuditAdditions(), sample: sample))
        default:
            rendered = auditText(merged.audit, options: options, style: output.style(invocation.color))
        }
        rendered.withBytes { output.write($0) }
        return true
    }

    private func renderAccuracy(_ merged: PartialResult, _ options: ReportOptions) -> Bool {
        let result = merged.accuracy
        let audit = merged.audit
        let rendered =
            switch invocation.format {
            case .json?: accuracyJSON(result, audit: audit, options: options)
            case .csv?: accuracyCSV(result, audit: audit, options: options)
            case .md?: accuracyMarkdown(result, audit: audit, options: options)
            case .html?: accuracyHTML(result, audit: audit, options: options)
            default:
                accuracyText(result, audit: audit, options: options, style: output.style(invocation.color))
            }
        rendered.withBytes { output.write($0) }
        return true
    }
}
