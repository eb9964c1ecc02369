import Foundation
import Testing
import WireTesting
import wireaudit

/// What makes a session of a fleet another one, and who may work in its folder.
@Suite("The program: what a fleet audits again")
struct FleetRerunProcessTests {
    private let folder: TemporaryFolder
    private let capture: String

    init() throws {
        folder = try TemporaryFolder()
        capture = try folder.write("one.pcap", SampleConversation().pcap())
    }

    private var out: String { folder.path + "/out" }

    private func manifest(_ header: String, _ lines: String...) throws -> String {
        try folder.write("fleet.csv", Array(([header] + lines).joined(separator: "\n").utf8))
    }

    private func fleet(_ list: String, _ environment: [String: String] = [:], quiet: Bool = true) throws -> RunResult {
        try WireAuditProcess.run(
            ["fleet"] + (quiet ? ["--quiet"] : []) + [list, "-o", out], environment: environment)
    }

    /// Names of the results: another name is another result.
    private func parts() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: out + "/parts").filter { $0.hasSuffix(".part") }
    }

    @Test("a session without keys in the list is audited again when SSLKEYLOGFILE, or what it names, changes")
    func environment() throws {
        let list = try manifest("session,capture", "a,\(capture)")
        #expect(try fleet(list).status == 0)
        let without = try parts()
        let keys = try folder.write("keys.log", Array("# none\n".utf8))
        #expect(try fleet(list, ["SSLKEYLOGFILE": keys]).status == 0)
        let with = try parts()
        #expect(with != without && with.count == 1)
        _ = try folder.write("keys.log", Array("# none, and longer\n".utf8))
        #expect(try fleet(list, ["SSLKEYLOGFILE": keys]).status == 0)
        #expect(try parts() != with)
        // With keys in the list the environment is nothing to it.
        let own = try manifest("session,capture,keys", "a,\(capture),\(keys)")
        #expect(try fleet(own).status == 0)
        let before = try parts()
        #expect(try fleet(own, ["SSLKEYLOGFILE": "/nowhere"]).status == 0)
        #expect(try parts() == before)
    }

    @Test("what a database has not taken in yet is a part of the log", arguments: ["-wal", "-journal"])
    func beside(ending: String) throws {
        let har = #"{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[]}}"#
        let log = try folder.write("log.har", Array(har.utf8))
        let list = try manifest("session,capture,log", "a,\(capture),\(log)")
        #expect(try fleet(list).status == 0)
        let before = try parts()
        #expect(before.count == 1)
        #expect(try fleet(list).status == 0)
        #expect(try parts() == before)
        _ = try folder.write("log.har\(ending)", Array("more".utf8))
        #expect(try fleet(list).status == 0)
        #expect(try parts() != before)
    }

    @Test("a folder in which a fleet is at work is refused")
    func locked() throws {
        let list = try manifest("session,capture", "a,\(capture)")
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        let descriptor = unsafe open(out, O_RDONLY)
        #expect(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let refused = try fleet(list)
        #expect(refused.status == 74 && refused.errors.contains("another fleet is at work"), "\(refused.errors)")
        close(descriptor)
        #expect(try fleet(list).status == 0)
    }

    #if !canImport(Darwin)
        @Test("the processes of a fleet end with it", arguments: [SIGTERM, SIGHUP, SIGINT, SIGUSR1, SIGALRM, SIGPOLL])
        func ended(signal: Int32) throws {
            let process = try longFleet()
            defer { endAll(of: process) }
            // They stand still, and cannot end by themselves before the signal.
            let stopped = stopWorkers(of: process)
            try #require(stopped.count == 2, "the sessions were over before the signal, or never began")
            let finished = try parts().count
            kill(process.processIdentifier, signal)
            waitUntilGone(process.processIdentifier)
            for worker in stopped { kill(worker, SIGCONT) }
            try checkEnd(of: process, signal, finished: finished)
        }

        @Test("no unfinished result stays: of a session that was killed, and of a fleet that was killed")
        func killed() throws {
            let process = try longFleet()
            defer { endAll(of: process) }
            let stopped = stopWorkers(of: process)
            let victim = try #require(stopped.first)
            let hidden = "\(out)/parts/\(PendingFile.temporaryName(of: "a.part", process: victim))"
            try #require(stopped.count == 2, "the sessions were over before the signal, or never began")
            func unfinished() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: out + "/parts").filter {
                    $0.hasSuffix(".partial-\(victim)")
                }
            }
            // Stopped before it has made its file, it makes none.
            let before = try unfinished()
            kill(victim, SIGKILL)
            let deadline = Date(timeIntervalSinceNow: 300)
            while try !unfinished().isEmpty, Date() < deadline { usleep(2000) }
            #expect(try unfinished().isEmpty, "\(before)")
            kill(process.processIdentifier, SIGKILL)
            waitUntilGone(process.processIdentifier)
            endAll(of: process)
            process.waitUntilExit()
            while !workers().isEmpty, Date() < deadline { usleep(2000) }
            let others = ["\(out)/.fleet.json.partial-1", "\(out)/.notes.partial-1"]
            for path in [hidden] + others { #expect(FileManager.default.createFile(atPath: path, contents: nil)) }
            #expect(try fleet(manifest("session,capture", "a,\(capture)")).status == 0)
            #expect(([hidden] + others).map(FileManager.default.fileExists) == [false, false, true])
        }

        @Test(
            "a process of a fleet ends with it while it starts",
            .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/task/\(getpid())/children")))
        func endedWhileStarting() throws {
            for _ in 0..<5 {
                let process = try longFleet()
                defer { endAll(of: process) }
                let children = "/proc/\(process.processIdentifier)/task/\(process.processIdentifier)/children"
                let deadline = Date(timeIntervalSinceNow: 300)
                var hasChild: Bool { FileManager.default.contents(atPath: children)?.isEmpty == false }
                // Without a pause: the process has not run its program yet when it is seen here.
                while !hasChild, process.isRunning, Date() < deadline {}
                try #require(process.isRunning, "the fleet ended before it started a process")
                kill(process.processIdentifier, SIGTERM)
                try checkEnd(of: process, SIGTERM, finished: 0)
            }
        }

        @Test("a fleet that was started with SIGCHLD ignored audits all sessions")
        func ignoredChildren() throws {
            let list = try manifest("session,capture", (0..<5).map { "\($0),\(capture)" }.joined(separator: "\n"))
            let process = try fleetProcess(["--ignore-signal=CHLD"], list)
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit && process.terminationStatus == 0)
            #expect(try parts().count == 5)
        }

        /// A fleet of sessions that take seconds, two at a time.
        private func longFleet() throws -> Process {
            let frames = try Array(Data(contentsOf: URL(fileURLWithPath: capture)))
            var bytes = Array(frames[..<24])
            for _ in 0..<10_000 { bytes += frames[24...] }
            let long = try folder.write("long.pcap", bytes)
            let sessions = (0..<60).map { "\($0),\(long)" }.joined(separator: "\n")
            // Whoever runs the tests may ignore signals, as shells do for programs in the background.
            let process = try fleetProcess(["--default-signal"], manifest("session,capture", sessions))
            // Threads of tests may block signals, and a process begins with the mask of who starts it.
            var (all, before) = (sigset_t(), sigset_t())
            _ = unsafe sigfillset(&all)
            _ = unsafe pthread_sigmask(SIG_UNBLOCK, &all, &before)
            defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
            try process.run()
            return process
        }

        /// - Parameter signals: options of `env`.
        private func fleetProcess(_ signals: [String], _ list: String) throws -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments =
                signals + [try WireAuditProcess.path(), "fleet", "--quiet", "--jobs", "2", list, "-o", out]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            return process
        }

        /// Nothing goes on, or stands still, when a test failed.
        private func endAll(of fleet: Process) {
            if fleet.isRunning { kill(fleet.processIdentifier, SIGKILL) }
            for worker in workers() { kill(worker, SIGKILL) }
        }

        /// The fleet ended by the signal, and its workers before they were done.
        private func checkEnd(of fleet: Process, _ signal: Int32, finished: Int) throws {
            fleet.waitUntilExit()
            #expect(fleet.terminationReason == .uncaughtSignal && fleet.terminationStatus == signal)
            let deadline = Date(timeIntervalSinceNow: 300)
            while !workers().isEmpty, Date() < deadline { usleep(2000) }
            #expect(workers().isEmpty)
            #expect(try parts().count == finished)
        }

        /// Until the process has ended. `Process` learns of that only when its workers have ended, too.
        private func waitUntilGone(_ process: Int32) {
            let deadline = Date(timeIntervalSinceNow: 300)
            while Date() < deadline {
                guard let status = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return }
                let behindName = String(decoding: status, as: UTF8.self).split(separator: ")").last ?? ""
                if behindName.hasPrefix(" Z") { return }
                usleep(2000)
            }
        }

        /// Two processes of a fleet that stand still. Other tests may have all processors for a while.
        private func stopWorkers(of fleet: Process) -> Set<Int32> {
            var stopped: Set<Int32> = []
            let deadline = Date(timeIntervalSinceNow: 300)
            while stopped.count < 2, fleet.isRunning, Date() < deadline {
                usleep(2000)
                for worker in workers() where kill(worker, SIGSTOP) == 0 { stopped.insert(worker) }
                stopped.formIntersection(workers())
            }
            return stopped
        }

        /// Running processes that audit the long capture.
        private func workers() -> [Int32] {
            let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return processes.compactMap { name in
                guard let number = Int32(name), let line = FileManager.default.contents(atPath: "/proc/\(name)/cmdline")
                else { return nil }
                let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
                return words.dropFirst().first != "fleet" && words.contains(folder.path + "/long.pcap") ? number : nil
            }
        }
    #endif

    @Test("a capture in two sessions is said, and a list with text behind quotes is refused")
    func lists() throws {
        let shared = try fleet(manifest("session,capture", "a,\(capture)", "b,\(capture)"), quiet: false)
        #expect(shared.status == 0 && shared.errors.contains("is in the sessions 'a' and 'b'"), "\(shared.errors)")
        let odd = try fleet(manifest("session,capture", "a,\"\(capture)\"x"))
        #expect(odd.status == 65 && odd.errors.contains("line 2 has text behind the quotes"), "\(odd.errors)")
        let label = try fleet(manifest("session,capture,Day", "a,\(capture),x"))
        #expect(label.status == 65 && label.errors.contains("differs only by case from 'day'"), "\(label.errors)")
    }

    @Test("records need the name of their session, and parts with other limits are not merged")
    func recordsAndLimits() throws {
        let partial = ["accuracy", "--quiet", "--estimators", "none", "--format", "partial"]
        let nameless = try WireAuditProcess.run(partial + ["--records", folder.path + "/records", capture])
        #expect(nameless.status == 64 && nameless.errors.contains("give --session NAME"), "\(nameless.errors)")
        var paths: [String] = []
        for (name, options) in [("a", []), ("b", ["--limit", "apis=3"]), ("c", ["--reorder", "off"])] {
            let path = "\(folder.path)/\(name).part"
            #expect(try WireAuditProcess.run(partial + options + ["--session", name, "-o", path, capture]).status == 0)
            paths.append(path)
        }
        for (other, option) in [(paths[1], "--limit"), (paths[2], "--reorder")] {
            let merged = try WireAuditProcess.run(["merge", paths[0], other])
            #expect(merged.status == 65 && merged.errors.contains("another \(option)"), "\(merged.errors)")
        }
    }

    @Test("a baseline that was made with other options is refused")
    func baselines() throws {
        let json = "\(folder.path)/link.json"
        let made = ["accuracy", "--quiet", "--estimators", "dmurlprotocol"]
        let link = ["--layer", "link"]
        #expect(try WireAuditProcess.run(made + link + ["--format", "json", "-o", json, capture]).status == 0)
        let check = ["check", "--quiet", "--estimators", "dmurlprotocol", "--baseline", json]
        let refused = try WireAuditProcess.run(check + [capture])
        #expect(refused.status == 65, "\(refused.errors)")
        #expect(refused.errors.contains("was made with --layer link, this result with --layer ip"), "\(refused.errors)")
        #expect(try WireAuditProcess.run(check + ["--layer", "link", capture]).status == 0)
        let part = "\(folder.path)/one.part"
        #expect(try WireAuditProcess.run(made + ["--format", "partial", "-o", part, capture]).status == 0)
        #expect(try WireAuditProcess.run(["check", "--quiet", "--baseline", json, part]).status == 65)
    }
}
