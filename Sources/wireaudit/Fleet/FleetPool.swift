import WireComparison
import WireRecords

/// Runs sessions as processes of their own, several at a time: whatever a capture does to its process, the others and
/// the fleet go on.
struct FleetPool {
    struct Job {
        var session: FleetSession
        var arguments: [String]
        var part: String
    }

    let processes: Int
    /// Bytes of data for each process; nil for no limit.
    let memory: Int?
    let folder: FleetFolder
    /// Pauses in a run while no process can be started.
    private static let mostPauses = 20

    /// Gives each job when it has ended, with the reason where it failed.
    func run(_ jobs: [Job], ended: (Job, String?) -> Void) {
        var running: [Int32: Job] = [:]
        var waiting = jobs[...]
        var pauses = 0
        func startNext() {
            while running.count < min(processes, SuddenEnd.mostChildren), let job = waiting.first {
                let process = SuddenEnd.startChild { mask in
                    System.start(job.arguments, errors: folder.errors(of: job.part), signalMask: mask)
                }
                if System.isShortage(-process) {
                    // The end of another session makes room; without one, other programs may.
                    if !running.isEmpty { return }
                    pauses += 1
                    if pauses <= FleetPool.mostPauses {
                        System.pause(milliseconds: 100)
                        continue
                    }
                }
                waiting.removeFirst()
                if process > 0 {
                    running[process] = job
                } else {
                    ended(job, "cannot start a process: \(System.reason(-process))")
                }
            }
        }
        startNext()
        while !running.isEmpty, let (process, end) = SuddenEnd.awaitChild() {
            guard let job = running.removeValue(forKey: process) else { continue }
            // The next session runs while this one is taken in.
            startNext()
            ended(job, failure(job, process, end))
        }
        for job in running.values { ended(job, "the system does not know its process any more") }
        for job in waiting { ended(job, "not started: the system does not know another session's process any more") }
    }

    private func failure(_ job: Job, _ process: Int32, _ end: System.ProcessEnd) -> String? {
        let log = folder.errors(of: job.part)
        defer { _ = System.remove(log) }
        if end == .exited(0), System.fileExists(job.part) { return nil }
        let said = lastLine(of: log)
        // Sums of what could be read only in part are no result: a later run tries again.
        _ = System.remove(job.part)
        // A process that was killed could not remove what it had begun.
        _ = System.remove(PendingFile.temporaryPath(of: job.part, process: process))
        switch end {
        case .exited(let status): return said ?? "ended with status \(status)"
        case .killed(let signal):
            let limit = memory.map { "; it may have \($0 >> 20) MiB, see --memory" } ?? ""
            return "killed by signal \(signal)\(limit)"
        }
    }

    /// Without the name of the program in front.
    private func lastLine(of path: String) -> String? {
        guard case .content(let bytes) = System.contents(of: path, limit: 1 << 20),
            let line = bytes.split(separator: 0x0A).last
        else { return nil }
        let text = String(decoding: line, as: UTF8.self)
        return text.hasPrefix("wireaudit: ") ? String(text.dropFirst(11)) : text
    }
}
