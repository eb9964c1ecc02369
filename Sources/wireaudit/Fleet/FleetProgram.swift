import WireCapture
import WireComparison
import WireRecords
import WireReport

/// `fleet`: audits the sessions of a manifest in processes of their own, goes on where an earlier run was interrupted,
/// and reports on all of them.
struct FleetProgram {
    let invocation: Invocation
    let progress: ProgressLine

    private static let manifestLimit = 1 << 30

    func run() -> ExitStatus {
        let manifest = readManifest(invocation.files[0])
        if !invocation.quiet { warnOfShared(manifest) }
        if invocation.plansOnly {
            FleetPlan(manifest, invocation, memory: invocation.memory).write(to: OutputFile(path: invocation.output))
            return .done
        }
        guard let place = invocation.output, place != "-" else {
            Console.say("'fleet' needs a folder for its results: -o FOLDER")
            return .usage
        }
        let folder = FleetFolder(path: place)
        prepare(folder)
        var fleet: FleetResult
        if let source = invocation.from {
            // What it reads may be what it replaces.
            fleet = MergedFleet(folder: FleetFolder(path: source), choices: sessionChoices).read(manifest)
            folder.removeReports()
        } else {
            folder.removeReports()
            fleet = FleetResult(labels: manifest.labels)
            audit(manifest, folder, &fleet)
            progress.erase()
        }
        fleet.sort(by: manifest.sessions)
        fleet.noteFailures()
        write(fleet, folder)
        return finish(fleet)
    }

    private func finish(_ fleet: FleetResult) -> ExitStatus {
        let failed = fleet.rows.filter { $0.failure != nil }
        for row in failed.prefix(20) {
            Console.say(printable("session \(row.session.name): \(row.failure ?? "")"))
        }
        if failed.count > 20 { Console.say("and \(failed.count - 20) more; sessions.ndjson has all") }
        guard fleet.total?.audit.ledger.balanced != false else { return .software }
        return failed.count == fleet.rows.count ? .data : .done
    }

    /// Makes the folder; ends the program where it holds what no fleet wrote, or the results of other options.
    private func prepare(_ folder: FleetFolder) {
        func make(_ problem: (path: String, code: Int32)?) {
            guard let (path, code) = problem else { return }
            Console.stop("cannot make the folder \(printable(path)): \(System.reason(code))", .output)
        }
        make(folder.make())
        guard folder.lock() else {
            Console.stop(
                "another fleet is at work in \(printable(folder.path)); wait for it, or name another folder", .output)
        }
        guard folder.isOfFleet else {
            Console.stop(
                "\(printable(folder.path)) has files with the names of results, but no results of a fleet; name another",
                .usage)
        }
        keepOptions(folder)
        make(folder.makeInner())
        folder.removeUnfinished()
        guard let (path, code) = folder.unwritable() else { return }
        Console.stop("cannot write to the folder \(printable(path)): \(System.reason(code))", .output)
    }

    /// A capture in several sessions counts in each of them.
    private func warnOfShared(_ manifest: FleetManifest) {
        guard let (capture, first, second) = manifest.sharedCapture else { return }
        let both = "'\(first)' and '\(second)'"
        Console.say(printable("warning: \(capture) is in the sessions \(both): its calls count in each of them"))
    }

    /// What figures depend on in each of the sessions.
    private var sessionChoices: [String: [String]] {
        var session = invocation
        session.command = .accuracy
        return session.partialChoices
    }

    /// A folder holds the results of one choice of options: records of others would stay beside them.
    private func keepOptions(_ folder: FleetFolder) {
        let path = folder.file("options")
        let options = Array((invocation.sessionOptions.joined(separator: "\n") + "\n").utf8)
        guard System.fileExists(path) else {
            let file = OutputFile(path: path)
            file.write(options.span)
            return file.finish()
        }
        guard case .content(options) = System.contents(of: path, limit: 1 << 20) else {
            Console.stop(
                "\(printable(folder.path)) holds the results of other options; name another folder, or remove it",
                .usage)
        }
    }

    /// Sessions at one time.
    private var processes: Int { invocation.jobs ?? System.processorCount }

    // MARK: Sessions

    private func readManifest(_ path: String) -> FleetManifest {
        let content: [UInt8]
        switch System.contents(of: path, limit: FleetProgram.manifestLimit) {
        case .content(let bytes): content = bytes
        case .tooLarge: Console.stop("\(printable(path)) is larger than 1 GiB", .data)
        case .failed(let code): Console.stop("cannot open \(printable(path)): \(System.reason(code))", .noInput)
        }
        do throws(FleetManifest.Problem) {
            let manifest = try FleetManifest(csv: content)
            if let problem = FleetNames.problem(manifest) { throw FleetManifest.Problem(message: problem) }
            return manifest
        } catch {
            Console.stop(printable("\(path) is no manifest: \(error.message)"), .data)
        }
    }

    private func audit(_ manifest: FleetManifest, _ folder: FleetFolder, _ fleet: inout FleetResult) {
        let memory = invocation.memory.map { $0 / max(1, min(processes, manifest.sessions.count)) }
        let plan = FleetPlan(manifest, invocation, memory: memory)
        let jobs = manifest.sessions.map { job($0, plan, folder) }
        // What a failing disk left of a result is none: the session is audited again.
        for job in jobs where System.fileExists(job.part) && !isResult(job.part, of: job.session) {
            _ = System.remove(job.part)
        }
        let waiting = jobs.filter { !System.fileExists($0.part) }
        sweep(jobs, folder)
        var counter = FleetCounter(sessions: jobs.count, done: jobs.count - waiting.count)
        for job in jobs where System.fileExists(job.part) {
            _ = System.remove(folder.errors(of: job.part))
            take(job, nil, &fleet)
            progress.show { "\(counter.done) sessions are there from an earlier run" }
        }
        let pool = FleetPool(processes: processes, memory: memory, folder: folder)
        func end(_ job: FleetPool.Job, _ failure: String?) {
            take(job, failure, &fleet)
            counter.count(fleet.rows.last)
            progress.show { counter.text }
        }
        let problems = waiting.map { endlessFile($0.session) }
        for (job, problem) in zip(waiting, problems) { if let problem { end(job, problem) } }
        pool.run(zip(waiting, problems).filter { $0.1 == nil }.map(\.0), ended: end)
        let audited = fleet.rows.filter { $0.failure == nil }.map { FleetNames.sessionFolder($0.session.name) }
        if audited.count < jobs.count { _ = folder.removeRecords(except: Set(audited)) }
    }

    /// Why the session might never end: a pipe that nobody writes to; nil where it has files only.
    private func endlessFile(_ session: FleetSession) -> String? {
        let pipe = (session.captures + session.keys + session.logs).first { System.fileKind($0) == .other }
        return pipe.map { "\($0) is a pipe or a device; a fleet reads files" }
    }

    /// Takes away what earlier runs made of sessions that are audited anew, or that left the list, and says the latter.
    private func sweep(_ jobs: [FleetPool.Job], _ folder: FleetFolder) {
        let listed = Set(jobs.map { FleetNames.sessionFolder($0.session.name) })
        let there = jobs.filter { System.fileExists($0.part) }.map { FleetNames.sessionFolder($0.session.name) }
        let removed = folder.removeRecords(except: Set(there)).subtracting(listed)
        _ = folder.removeParts(except: Set(jobs.map(\.part)))
        guard let first = removed.min(), !invocation.quiet else { return }
        let others = removed.count > 1 ? " and \(removed.count - 1) more" : ""
        Console.say(
            printable("not in the list any more, and removed from \(folder.path): \(first.dropFirst(8))\(others)"))
    }

    private func isResult(_ path: String, of session: FleetSession) -> Bool {
        guard case .part(let part) = PartFile.read(path) else { return false }
        return part.isOf(session.name) && part.choices == sessionChoices
    }

    private func job(_ session: FleetSession, _ plan: FleetPlan, _ folder: FleetFolder) -> FleetPool.Job {
        let session = plan.located(session)
        let part = folder.part(session, arguments: plan.options)
        let places = ["--records", folder.records, "-o", part, "--"]
        return FleetPool.Job(
            session: session, arguments: plan.arguments(session) + places + session.captures, part: part)
    }

    private func take(_ job: FleetPool.Job, _ failure: String?, _ fleet: inout FleetResult) {
        var row = FleetRow(job.session)
        row.failure = failure
        guard failure == nil else { return fleet.take(failed: row) }
        switch PartFile.read(job.part) {
        case .part(let part):
            row.day = PartFile.day(of: part)
            do throws(PartialResult.Refusal) {
                try fleet.take(row, part)
            } catch {
                row.failure = PartFile.words(error)
                fleet.take(failed: row)
            }
        case .failed(let message, _):
            row.failure = message
            fleet.take(failed: row)
        }
    }

    // MARK: Results

    private func write(_ fleet: FleetResult, _ folder: FleetFolder) {
        write("sessions.ndjson", folder, sessionLines(fleet.rows))
        guard let total = fleet.total else { return }
        for group in fleet.groups { write(path: folder.group(group), partialJSON(group.part)) }
        write("fleet.part", folder, partialJSON(total))
        let report = FleetReport(fleet, options: PartFile.options(total, invocation))
        write("fleet.json", folder, fleetJSON(report))
        let document = ReportDocument(report)
        write("fleet.html", folder, document.html())
        let output = OutputFile(path: nil)
        document.text(output.style(invocation.color)).withBytes { output.write($0) }
        output.finish()
    }

    private func write(_ name: String, _ folder: FleetFolder, _ content: consuming OutputBuffer) {
        write(path: folder.file(name), content)
    }

    private func write(path: String, _ content: consuming OutputBuffer) {
        let file = OutputFile(path: path)
        content.withBytes { file.write($0) }
        file.finish()
    }
}

/// How far a fleet is.
struct FleetCounter {
    let sessions: Int
    private(set) var done: Int
    private var ended = 0
    private var failed = 0
    private var bytes = 0
    private let start = System.monotonicTime()

    init(sessions: Int, done: Int) {
        self.sessions = sessions
        self.done = done
    }

    mutating func count(_ row: FleetRow?) {
        done += 1
        ended += 1
        bytes += row?.bytes ?? 0
        if row?.failure != nil { failed += 1 }
    }

    /// Sessions, rate and remaining time in one line.
    var text: String {
        let elapsed = max(System.monotonicTime() - start, 1)
        let rate = Double(ended) / (Double(elapsed) / 1e9)
        let remaining = Double(sessions - done) / max(rate, 1e-9)
        let megabytes = Double(bytes) / 1e6 / (Double(elapsed) / 1e9)
        return "\(done) of \(sessions) sessions, \(failed) failed; \(Int(rate.rounded())) a second, "
            + "\(Int(megabytes.rounded())) MB/s; \(durationInWords(UInt64(min(remaining, 1e9) * 1e9))) left"
    }
}

extension Invocation {
    /// Options of a fleet that every session is audited with.
    var sessionOptions: [String] {
        var options = ["--layer", layer.rawValue, "--setup", setup.rawValue]
        if let filter { options += ["--filter", filter] }
        if let countedInterface { options += ["--at", countedInterface] }
        if let estimators { options += ["--estimators", estimators] }
        if let sdkFormat { options += ["--sdk-format", sdkFormat.rawValue] }
        if let columnsText { options += ["--sdk-columns", columnsText] }
        for host in hosts { options += ["--host", host] }
        for api in apis { options += ["--api", api] }
        for template in templates { options += ["--template", template] }
        for word in operations.words { options += ["--rpc", word] }
        for name in operations.named { options += ["--name-by", "header:\(name)"] }
        if undoesOffload { options.append("--undo-offload") }
        if redactsQuery { options.append("--redact-query") }
        if !recompresses { options.append("--no-recompression") }
        return options
    }
}
