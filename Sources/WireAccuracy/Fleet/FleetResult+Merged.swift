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
        var places: [[String]: Int] = [:]
        for row in audited {
            for (label, value) in values(row) {
                let place = places[[label, value]] ?? members.count
                if place == members.count {
                    places[[label, value]] = place
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
        var found: [String: FleetRow] = [:]
        for row in read where found.updateValue(row, forKey: row.session.name) != nil {
            throw Mismatch(message: "session '\(row.session.name)' has two lines")
        }
        for session in manifest.sessions {
            guard var row = found.removeValue(forKey: session.name) else {
                throw Mismatch(message: "session '\(session.name)' of the list has no line")
            }
            row.session = session
            rows.append(row)
        }
        if let other = found.keys.min() { throw Mismatch(message: "session '\(other)' is not in the list") }
    }

    private static func check(_ part: PartialResult, _ sessions: [String], _ what: String) throws(Mismatch) {
        let known = Set(part.sessions.values)
        if let missing = sessions.first(where: { !known.contains($0) }) {
            throw Mismatch(message: "\(what) lack session '\(missing)'")
        }
        guard part.sessions.count == sessions.count else {
            throw Mismatch(message: "\(what) are of \(part.sessions.count) sessions, not of \(sessions.count)")
        }
    }
}
