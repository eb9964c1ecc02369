import WireAccuracy
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
        render(merged)
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

    private func render(_ merged: PartialResult) {
        let options = PartFile.options(merged, invocation)
        let rendered =
            if invocation.format == .partial {
                partialJSON(merged)
            } else if merged.report == .audit {
                auditReport(merged.audit, options)
            } else {
                accuracyReport(merged.accuracy, merged.audit, options)
            }
        rendered.withBytes { output.write($0) }
    }

    private func auditReport(_ audit: AuditResult, _ options: ReportOptions) -> OutputBuffer {
        switch invocation.format {
        case .md?: ReportDocument(audit, options: options).markdown()
        case .csv?: auditCSV(audit, options: options)
        case .json?: auditJSON(audit, options: options)
        case .html?:
            auditHTML(
                audit, options: options,
                AuditPageInput(
                    additions: AuditAdditions(), sample: TrafficSample(calls: 0, connections: 0, options: options)))
        default: ReportDocument(audit, options: options).text(output.style(invocation.color))
        }
    }

    private func accuracyReport(
        _ result: AccuracyResult, _ audit: AuditResult, _ options: ReportOptions
    ) -> OutputBuffer {
        switch invocation.format {
        case .json?: accuracyJSON(result, audit: audit, options: options)
        case .csv?: accuracyCSV(result, audit: audit, options: options)
        case .md?: ReportDocument(result, audit: audit, options: options).markdown()
        case .html?: accuracyHTML(result, audit: audit, options: options)
        default: accuracyText(result, audit: audit, options: options, style: output.style(invocation.color))
        }
    }
}
