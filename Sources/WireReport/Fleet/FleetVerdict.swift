import WireAccuracy
import WireComparison
import WireRecords
import WireStatistics

extension FleetReport {
    /// Sentences of a verdict; more are a table.
    private static let most = 4

    /// What the reader must know first: what changed in cost, then in what apps recorded, and of how many sessions that is said.
    var verdict: String {
        let base = counted(audited, "session") + " audited" + unread
        guard fleet.rows.count > 0, audited > 0 else { return "No session could be audited." }
        guard !significant.isEmpty else {
            return changes.allSatisfy { $0.interval == nil }
                ? base
                    + "; no two groups have the \(MergedSessions.fewestSessions) sessions each that a comparison needs."
                : base + "; no group differs from the first one of its label beyond chance."
        }
        let told = headlines
        var sentences = told.prefix(FleetReport.most).map(sentence)
        let rest = significant.count - min(told.count, FleetReport.most)
        if rest > 0 {
            sentences.append("\(counted(rest, "more figure")) \(rest == 1 ? "differs" : "differ") beyond chance.")
        }
        return (sentences + [base + "."]).joined(separator: " ")
    }

    /// `, without 93.1 % of the bytes, whose calls …`: the calls of connections that could not be decrypted are in no figure per
    /// call.
    private var unread: String {
        guard let cost = fleet.total?.cost, cost.encrypted > 0, let share = shareText(cost.encrypted, of: cost.bytes)
        else { return "" }
        return ", without the calls in \(share) of the bytes, which could not be decrypted"
    }

    /// The changes that say the most: of each group and direction the wire bytes of all APIs, or the message bytes where those
    /// differ alone; then errors of all APIs; single APIs only where nothing else differs.
    private var headlines: [FleetChange] {
        let ofAll = significant.filter { $0.api == nil }
        let wire = ofAll.filter { $0.measure == .wire }
        let message = ofAll.filter { change in change.measure == .message && !wire.contains { isSameGroup($0, change) }
        }
        let told = wire + message + ofAll.filter { $0.measure == .error }
        return told.isEmpty ? Array(significant.prefix(1)) : told
    }

    private func isSameGroup(_ one: FleetChange, _ other: FleetChange) -> Bool {
        one.label == other.label && one.value == other.value && one.direction == other.direction
    }

    private func sentence(_ change: FleetChange) -> String {
        let group = change.label.prefix(1).uppercased() + change.label.dropFirst() + " " + change.value
        let size = "\(decimalText(abs(change.difference), places: 1) ?? "?") B"
        let more = change.difference > 0 ? "more" : "less"
        let api = change.api.map { " of \($0)" } ?? ""
        switch change.measure {
        case .message, .wire:
            let verb = change.direction == .up ? "sends" : "receives"
            let bytes = change.measure == .wire ? "" : " of HTTP messages"
            return "\(group) \(verb) \(size)\(percent(change)) \(more)\(bytes) per call\(api) than \(change.reference)"
                + place(change) + "."
        case .error:
            let noun = change.direction == .up ? "requests" : "responses"
            return
                "\(group) counts \(size) \(more) per call of \(noun)\(api) than \(change.reference) in \(change.source ?? "")\(place(change)): "
                + "its error is \(signed(change.after)) B, not \(signed(change.before)) B."
        }
    }

    private func percent(_ change: FleetChange) -> String {
        guard change.before > 0 else { return "" }
        return decimalText(abs(change.difference) / change.before * 100, places: 1).map { " (\($0) %)" } ?? ""
    }

    /// `, mostly in GET …`: the API that at least half of a change of all APIs is due to, or the two that make three quarters, at
    /// the calls of the group; nothing where it is in more.
    private func place(_ change: FleetChange) -> String {
        let group = fleet.groups.first { $0.label == change.label && $0.value == change.value }
        guard change.api == nil, let group else { return "" }
        func calls(_ api: String?) -> Double {
            let key = CallKey(source: change.source ?? CallKey.packets, api: api, direction: change.direction)
            guard let total = group.part.calls[key]?.sessions.total else { return 0 }
            return Double(change.measure == .error ? total.calls : total.allCalls)
        }
        let own = significant.filter {
            $0.measure == change.measure && $0.source == change.source && $0.api != nil && isSameGroup($0, change)
        }
        let shares = own.map {
            (api: $0.api ?? "", share: $0.difference * calls($0.api) / max(1, calls(nil)) / change.difference)
        }
        .sorted { $0.share > $1.share }
        guard let first = shares.first else { return "" }
        if first.share >= 0.5 { return ", mostly in \(first.api)" }
        guard shares.count > 1, first.share + shares[1].share >= 0.75 else { return "" }
        return ", mostly in \(first.api) and \(shares[1].api)"
    }

    /// What groups cost, in the order of the report: each group of each label with more than one, but days.
    var costs: [(group: FleetGroup, cost: FleetCost)] {
        fleet.groups.filter { group in
            group.label != FleetResult.day
                && fleet.groups.contains { $0.label == group.label && $0.value != group.value }
        }.map { ($0, $0.part.cost) }
    }
}
