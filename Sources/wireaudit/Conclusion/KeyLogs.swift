import WireComparison
import WireCore

/// Which key logs of TLS are read. Of what stands in them nothing is ever printed.
enum KeyLogs {
    private static let variable = "SSLKEYLOGFILE"

    /// The file that the environment names; nil without one.
    static var named: String? {
        guard let named = System.environment(variable), !named.isEmpty else { return nil }
        // There "-" is a name like any other.
        return named == "-" ? "./-" : named
    }

    /// Without --keys the file that the environment names, where it can be read. Pipes and terminals are left alone
    /// there: programs that write their keys to such a place share the variable, and reading would wait for them.
    static func complete(_ invocation: Invocation) -> Invocation {
        guard invocation.keys.isEmpty, let path = named else { return invocation }
        var completed = invocation
        if let problem = System.readingProblem(path) {
            if !invocation.quiet {
                Console.say("warning: cannot open \(printable(path)), named by \(variable): \(problem)")
            }
        } else {
            completed.keys = [path]
            completed.keysAreFromEnvironment = true
        }
        return completed
    }

    /// The same for a live capture: the file may come to be while it runs.
    static func completeLive(_ invocation: Invocation) -> Invocation {
        guard invocation.keys.isEmpty, let named else { return invocation }
        guard !System.fileExists(named) else { return complete(invocation) }
        var completed = invocation
        completed.keys = [named]
        completed.keysAreFromEnvironment = true
        return completed
    }

    /// Calls inside of TLS that was not read are in no record and no estimate: whoever looks at those is told.
    static func warnOfUnread(_ result: AuditResult, _ invocation: Invocation) {
        let unread = result.hosts.reduce(0) { $0 + $1.setup.unreadConnections }
        guard unread > 0, invocation.command != .audit, invocation.command != .connections else { return }
        let subject = unread == 1 ? "1 TLS connection was" : "\(unread) TLS connections were"
        // Records that tell calls apart are listed, without names.
        let listed =
            invocation.command == .exchanges ? result.hosts.reduce(0) { $0 + $1.setup.cutConnections } : 0
        let calls = unread == 1 ? "its calls" : "their calls"
        let fate =
            listed == 0
            ? "\(calls) are missing"
            : listed >= unread
                ? "\(calls) are listed without names"
                : "calls of \(listed) are listed without names, the others are missing"
        let advice = result.keyLogs.isEmpty ? "; decrypt TLS with --keys FILE" : ""
        Console.say("\(subject) not decrypted: \(fate)\(advice)")
    }

    /// Says which key logs the system could not read to their end; true where there is one.
    static func tellFaults(_ result: AuditResult) -> Bool {
        for log in result.keyLogs {
            guard let fault = log.fault else { continue }
            let lines = log.secrets == 1 ? "1 line was" : "\(log.secrets) lines were"
            Console.say("cannot read \(printable(log.path)) to its end: \(fault); \(lines) used")
        }
        return result.keyLogs.contains { $0.fault != nil }
    }

    /// A key log that was asked for and holds no secret, or none of this capture, is probably the wrong file.
    static func warn(_ result: AuditResult, _ invocation: Invocation) {
        // Of merged results nobody knows what each key log held.
        let isMerged = result.files.contains { $0.format == PartialResult.fileFormat }
        guard !invocation.keysAreFromEnvironment, !isMerged else { return }
        for log in result.keyLogs where log.secrets == 0 && log.fault == nil {
            if let problem = log.problem {
                Console.say("warning: no key was read from \(printable(log.path)): \(problem)")
            } else {
                Console.say("warning: \(printable(log.path)) contains no readable TLS secret")
            }
        }
        for log in result.keyLogs where log.secrets > 0 && log.isOfOtherCapture {
            let secrets = log.secrets == 1 ? "1 secret; it is not" : "\(log.secrets) secrets; none is"
            Console.say("warning: \(printable(log.path)) has \(secrets) of this capture")
        }
    }
}
