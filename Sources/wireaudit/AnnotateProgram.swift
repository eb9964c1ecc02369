import WireCapture
import WireCore
import WireReport

/// `annotate`: audits a capture, then writes it again with a comment on each packet. The owner of a byte may show long after
/// its packet, so the file is read twice.
struct AnnotateProgram {
    let invocation: Invocation
    let output: OutputFile
    let progress: ProgressLine

    func run() -> ExitStatus {
        let path = invocation.files[0]
        guard path != "-", System.fileKind(path) == .regular || System.fileKind(path) == .missing else {
            stop(
                "annotate reads the capture twice, so it must be a file: write \(path == "-" ? "standard input" : path) to one first",
                .usage)
        }
        let trace = ClaimTrace(limit: invocation.limits.claims)
        var own = invocation
        own.setup = .separate
        let result = Program.audit(own, options: own.auditOptions, sink: nil, examiner: nil, trace: trace, progress)
        if trace.isFull {
            stop(
                "\(path) has more than \(trace.limit) parts of packets to note: raise --limit claims, or cut the capture",
                .data)
        }
        let comments = PacketComments(trace)
        if let frame = comments.contradiction {
            stop("the bytes claimed of packet \(frame) do not add up to its length", .software)
        }
        let ending = copy(path, comments)
        output.finish()
        let status = AuditConclusion.finish(result, own)
        guard case .changed(let frame) = ending else { return status }
        Console.say(printable("\(path) changed while it was read: packet \(frame) is another one"))
        return .noInput
    }

    private func copy(_ path: String, _ comments: PacketComments) -> AnnotatedCopy.Ending {
        do throws(CaptureError) {
            var copy = AnnotatedCopy(
                try CaptureSource(path: path), tool: "wireaudit \(toolVersion)",
                comment: { frame in
                    comments.length(of: frame.number) == frame.originalLength ? comments.comment(on: frame.number) : nil
                },
                write: { output.write($0) })
            return copy.run()
        } catch {
            stop(error.message, .noInput)
        }
    }

    private func stop(_ message: String, _ status: ExitStatus) -> Never {
        progress.erase()
        Console.stop(printable(message), status)
    }
}
