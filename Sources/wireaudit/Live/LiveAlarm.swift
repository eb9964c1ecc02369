import WireCapture
import WireRecords
import WireReport

/// Says at once what goes wrong while a capture runs: on standard error, or, while the screen is there, on it, and on
/// standard error afterwards.
final class LiveAlarm {
    /// Losses and states of interfaces are looked at once in a while: nanoseconds.
    private static let interval: Int64 = 1_000_000_000
    private static let unseenLimit = 100

    private let isQuiet: Bool
    private let progress: ProgressLine
    private let hasScreen: Bool
    private var unseen: [String] = []
    private var unseenLoss: String?
    private var dropped = 0
    private var nextLosses = Int64.min
    private var faultyInterfaces: Set<String> = []
    private var faultyKeyLogs: Set<String> = []
    /// Key logs that did not exist when the capture began, nor since.
    private var awaitedKeyLogs: [String] = []
    private var downInterfaces: [String] = []
    private var nextStates = Int64.min
    private var evidenceIsFaulty = false
    private var evidenceProblem: String?
    /// The latest, for the screen.
    private(set) var latest: String?
    /// With what status to end because nothing more can be written; nil while it can.
    private(set) var outputStatus: ExitStatus?

    init(isQuiet: Bool, progress: ProgressLine, hasScreen: Bool) {
        self.isQuiet = isQuiet
        self.progress = progress
        self.hasScreen = hasScreen
    }

    /// `isShown`: the screen has a place of its own for it.
    func say(_ message: String, isShown: Bool = false) {
        if !isShown { latest = message }
        guard !isQuiet else { return }
        if hasScreen {
            if unseen.count < Self.unseenLimit { unseen.append(message) }
        } else {
            progress.erase()
            Console.say("warning: " + printable(message))
        }
    }

    func outputEnded(_ status: ExitStatus) { outputStatus = outputStatus ?? status }

    /// Says which key logs do not exist yet; `look` says when they came.
    func awaitKeyLogs(_ paths: [String]) {
        awaitedKeyLogs = paths
        for path in paths { say("\(path) does not exist yet; waiting for it") }
    }

    func look(at audit: LiveAudit, _ writer: CaptureWriter?) {
        for interface in audit.interfaces {
            guard let fault = interface.fault, faultyInterfaces.insert(interface.name).inserted else { continue }
            say("no more packets come from \(interface.name): \(fault)", isShown: true)
        }
        if let fault = writer?.fault, !evidenceIsFaulty {
            evidenceIsFaulty = true
            say(fault.message + "; the audit continues", isShown: true)
        }
        if let problem = writer?.problem, problem != evidenceProblem {
            evidenceProblem = problem
            say(problem)
        }
        for problem in audit.keyLogProblems where faultyKeyLogs.insert(problem.path).inserted {
            say("cannot open \(problem.path): \(problem.reason)")
        }
        lookAtAwaited(audit)
        lookAtStates(audit)
        lookAtLosses(audit)
    }

    private func lookAtAwaited(_ audit: LiveAudit) {
        guard !awaitedKeyLogs.isEmpty else { return }
        let missing = audit.missingKeyLogs
        for path in awaitedKeyLogs where !missing.contains(path) { say("\(path) exists now; its keys are read") }
        awaitedKeyLogs.removeAll { !missing.contains($0) }
    }

    private func lookAtStates(_ audit: LiveAudit) {
        let now = System.monotonicTime()
        guard now >= nextStates else { return }
        nextStates = now + Self.interval
        let down = audit.downInterfaces
        guard down != downInterfaces else { return }
        for name in down where !downInterfaces.contains(name) {
            say("\(name) is down; no packets come from it until it is up again")
        }
        for name in downInterfaces where !down.contains(name) && !faultyInterfaces.contains(name) {
            say("\(name) is up again")
        }
        downInterfaces = down
    }

    private func lookAtLosses(_ audit: LiveAudit) {
        let lost = audit.interfaces.reduce(0) { $0 + $1.dropped }
        guard lost > dropped else { return }
        let now = System.monotonicTime()
        guard now >= nextLosses || audit.hasEnded else { return }
        nextLosses = now + Self.interval
        dropped = lost
        let text = lossText(audit.interfaces)
        // Of those that nobody saw, the last one tells all.
        if hasScreen { unseenLoss = text } else { say(text, isShown: true) }
    }

    /// What the screen took with it.
    func repeatUnseen() {
        guard !isQuiet else { return }
        for message in unseen + [unseenLoss].compactMap(\.self) { Console.say("warning: " + printable(message)) }
        unseen = []
        unseenLoss = nil
    }
}
