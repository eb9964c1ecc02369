import WireCapture
import WireCore
import WireRecords
import WireReport

/// What is said behind the report of an audit, and the status that it ends with.
enum AuditConclusion {
    static func sayTimes(_ result: AuditResult, since started: (wall: Int64, processor: Int64)) {
        let packets = result.files.reduce(0) { $0 + $1.packets }
        Console.say(
            runSummary(
                packets: packets, bytes: result.ledger.bytes, wall: System.monotonicTime() - started.wall,
                processor: System.processorTime() - started.processor))
    }

    /// After the report: warns of damage, and decides the status.
    static func finish(_ result: AuditResult, _ invocation: Invocation) -> ExitStatus {
        var status = ExitStatus.done
        for file in result.files {
            guard let offset = file.damagedAt else { continue }
            if let fault = file.fault {
                Console.say(
                    "cannot read \(printable(file.path)) beyond byte \(offset), after packet "
                        + "\(file.packets + file.filtered): \(fault); everything before it was audited")
                status = .noInput
            } else if file.packets + file.filtered == 0 {
                Console.say("\(printable(file.path)) is damaged at byte \(offset), before its first packet")
                if status == .done { status = .data }
            } else if !invocation.quiet, !invocation.reportShowsDamage {
                Console.say(
                    "warning: \(printable(file.path)) is truncated or damaged at byte \(offset), after packet "
                        + "\(file.packets + file.filtered); everything before it was audited")
            }
        }
        if KeyLogs.tellFaults(result) { status = .noInput }
        if !invocation.quiet {
            KeyLogs.warn(result, invocation)
            KeyLogs.warnOfUnread(result, invocation)
            warnOfIdleTemplates(result, invocation)
            if result.lacksCountedInterface, let name = invocation.countedInterface {
                Console.say("warning: " + unknownInterface(name))
            }
        }
        guard result.ledger.balanced else {
            Console.say("the ledger does not balance: " + result.ledger.contradictions.joined(separator: "; "))
            return .software
        }
        return status
    }

    /// A choice of interface that the capture does not have is an error. But one side of a comparison may lack what the other has,
    /// and so may one session of many.
    static func refuseUnknownInterface(_ result: AuditResult, _ invocation: Invocation) {
        guard result.lacksCountedInterface, !result.otherInterfaces.isEmpty, invocation.command != .compare,
            invocation.format != .partial, let name = invocation.countedInterface
        else { return }
        let known = listed(result.otherInterfaces.map { printable($0) }, most: 8)
        Console.stop("\(unknownInterface(name)); it has \(known)", .usage)
    }

    private static func unknownInterface(_ name: String) -> String {
        "--at '\(printable(name))' is no interface of the capture"
    }

    /// An operation may stand behind the path.
    private static func hasPath(_ pattern: String, _ api: String) -> Bool {
        let path = PathTemplate.path(pattern)
        let parts = Array(api.utf8).split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 && (parts[2].elementsEqual(path) || parts[2].starts(with: path + [0x20]))
    }

    /// A pattern for paths that none of the capture has is probably a slip.
    private static func warnOfIdleTemplates(_ result: AuditResult, _ invocation: Invocation) {
        // A side of a comparison may lack what the other has, and where APIs share a row nobody knows their paths.
        guard invocation.command != .compare, !result.findings.contains(where: { $0.code == .apiLimit }) else { return }
        for pattern in invocation.templates where !result.apis.contains(where: { hasPath(pattern, $0.api) }) {
            Console.say("warning: --template '\(printable(pattern))' matches no path of the capture")
        }
    }
}
