import WireCapture
import WireCore
import WireRecords
import WireReport

/// `annotate`: audits a capture, then writes it again with a comment on each packet. The owner of a byte may show long after
/// its packet, so the file is read twice.
struct AnnotateProgram {
    let invocation: Invocation
    let output: OutputFile
    let progress: ProgressLine

    func run() -> ExitStatus {
        let path = invocation.files[0]
        guard path != "-", System.fileKind(path) != .other else {
            stop(
                "annotate reads the capture twice, so it must be a file: write \(path == "-" ? "standard input" : path) to one first",
                .usage)
        }
        let trace = ClaimTrace(limit: invocation.limits.claims)
        var own = invocation
        own.setup = .separate
        let result = Program.audit(own, options: own.auditOptions, sink: nil, examiner: nil, trace: trace, progress)
        var comments = PacketComments(trace)
        let ending = copy(path, &comments)
        if case .changed(let frame) = ending {
            stop("\(path) changed while it was read: packet \(frame) is another one", .noInput)
        }
        guard !comments.lackPackets else { stop("\(path) became shorter while it was read", .noInput) }
        output.finish()
        let status = AuditConclusion.finish(result, own)
        if let frame = comments.contradiction {
            Console.say(
                "the bytes found of packet \(frame) do not add up to its length; it says '\(PacketComments.unknown)'")
            return .software
        }
        if !invocation.quiet { warn(of: comments, trace) }
        return status
    }

    private func warn(of comments: PacketComments, _ trace: ClaimTrace) {
        if comments.unknownCount > 0 {
            Console.say(
                "warning: \(comments.unknownCount) packets say '\(PacketComments.unknown)': see claims in 'wireaudit limits'"
            )
        }
        if trace.lacksNames {
            Console.say("warning: names of some APIs were not kept: see claims in 'wireaudit limits'")
        }
    }

    private func copy(_ path: String, _ comments: inout PacketComments) -> AnnotatedCopy.Ending {
        do throws(CaptureError) {
            var copy = AnnotatedCopy(
                try CaptureSource(path: path), tool: "wireaudit \(toolVersion)", write: { output.write($0) })
            return copy.run { frame in
                comments.contradicts(frame.number, length: frame.originalLength)
                    ? nil : comments.comment(on: frame.number)
            }
        } catch {
            stop(error.message, .noInput)
        }
    }

    private func stop(_ message: String, _ status: ExitStatus) -> Never {
        progress.erase()
        Console.stop(printable(message), status)
    }
}
