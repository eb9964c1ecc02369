import WireComparison
import WireReport

/// How each session of a manifest is audited: by this program on this machine, or by another that runs it on many.
struct FleetPlan {
    let manifest: FleetManifest
    let options: [String]
    private let memory: Int?
    private let base: String

    /// - Parameter memory: bytes for the process of a session; nil for no limit.
    init(_ manifest: FleetManifest, _ invocation: Invocation, memory: Int?) {
        self.manifest = manifest
        self.memory = memory
        options = invocation.sessionOptions
        base = OutputPlace.folder(of: invocation.files[0])
    }

    /// With paths as this process finds them: the manifest's are relative to its own folder.
    func located(_ session: FleetSession) -> FleetSession {
        var session = session
        func place(_ path: String) -> String { path.hasPrefix("/") ? path : "\(base)/\(path)" }
        session.captures = session.captures.map(place)
        session.keys = session.keys.map(place)
        session.logs = session.logs.map(place)
        return session
    }

    /// The arguments for a session of `located`, without places for its results and the captures, which follow.
    func arguments(_ session: FleetSession) -> [String] {
        var arguments = ["accuracy", "--quiet", "--format", "partial", "--jobs", "1", "--session", session.name]
        if let memory { arguments += ["--memory", "\(memory)B"] }
        arguments += options
        for key in session.keys { arguments += ["--keys", key] }
        for log in session.logs { arguments += ["--sdk-log", log] }
        return arguments
    }

    /// Writes a line for each session.
    func write(to output: OutputFile) {
        for session in manifest.sessions {
            let located = located(session)
            let groups = session.labels.filter { !$0.value.isEmpty }.map { label, value in
                (label: label, value: value, file: FleetNames.groupFile(label, value))
            }
            PlannedSession(located, arguments: arguments(located), groups: groups).line.withBytes { output.write($0) }
        }
        output.finish()
    }
}
