import WireAccuracy

extension FleetResult {
    /// Why results of other machines are not those of the manifest.
    public struct Mismatch: Error, Equatable {
        public var message: String
    }

    /// The fleet of a manifest from what other machines made of it: a row of each session, and merged sums.
    ///
    /// Every session must be there exactly once, and each sum must be of exactly the sessions of its group.
    /// - Parameter part: gives the sums of a group, of all sessions for nil.
    public init<Failure: Error>(
        _ manifest: FleetManifest, rows: [FleetRow],
        part: ((label: String, value: String)?) throws(Failure) -> PartialResult
    ) throws {
        self.init(labels: manifest.labels)
        try take(rows, of: manifest)
        let audited = self.rows.filter { $0.failure == nil }
        guard !audited.isEmpty else { return }
        let whole = try part(nil)
        try FleetResult.check(whole, audited.map(\.session.name), "the sums of all sessions")
        total = whole
        var members: [(label: String, value: String, sessions: [String])] = []
        var places: [[ExactName]: Int] = [:]
        for row in audited {
            for (label, value) in values(row) {
                let name = [ExactName(label), ExactName(value)]
                let place = places[name] ?? members.count
                if place == members.count {
                    places[name] = place
                    members.append((label, value, []))
                }
                members[place].sessions.append(row.session.name)
            }
        }
        for (label, value, sessions) in members {
            let sums = try part((label, value))
            try FleetResult.check(sums, sessions, "the sums of \(label) \(value)")
            groups.append(FleetGroup(label: label, value: value, part: sums))
        }
    }

    private mutating func take(_ read: [FleetRow], of manifest: FleetManifest) throws(Mismatch) {
        var found: [ExactName: FleetRow] = [:]
        for row in read where found.updateValue(row, forKey: ExactName(row.session.name)) != nil {
            throw Mismatch(message: "session '\(row.session.name)' has two lines")
        }
        for session in manifest.sessions {
            guard var row = found.removeValue(forKey: ExactName(session.name)) else {
                throw Mismatch(message: "session '\(session.name)' of the list has no line")
            }
            row.session = session
            rows.append(row)
        }
        if let other = found.keys.min() { throw Mismatch(message: "session '\(other.text)' is not in the list") }
    }

    private static func check(_ part: PartialResult, _ sessions: [String], _ what: String) throws(Mismatch) {
        let known = Set(part.sessions.values.map { ExactName($0) })
        if let missing = sessions.first(where: { !known.contains(ExactName($0)) }) {
            throw Mismatch(message: "\(what) lack session '\(missing)'")
        }
        guard part.sessions.count == sessions.count else {
            throw Mismatch(message: "\(what) are of \(part.sessions.count) sessions, not of \(sessions.count)")
        }
    }
}
