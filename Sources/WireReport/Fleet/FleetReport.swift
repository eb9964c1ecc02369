import WireAccuracy
import WireComparison
import WireCore
import WireRecords

/// A fleet with everything that its reports look up.
public struct FleetReport {
    let fleet: FleetResult
    let options: ReportOptions
    let changes: [FleetChange]
    let outliers: [FleetOutlier]
    let accuracy: AccuracyResult
    /// What apps cost in all sessions; empty where no capture names two.
    let apps: [AppRow]

    public init(_ fleet: FleetResult, options: ReportOptions) {
        self.fleet = fleet
        self.options = options
        changes = FleetComparison(fleet).changes
        outliers = fleet.outliers
        accuracy = fleet.total?.accuracy ?? AccuracyResult()
        apps = fleet.total.map { appRows($0.audit, options) } ?? []
    }

    var failed: [FleetRow] { fleet.rows.filter { $0.failure != nil } }
    var audited: Int { fleet.rows.count - failed.count }

    /// What differs beyond chance, the largest share of the reference first; all APIs together before single ones. Where apps
    /// recorded something, what estimators make of the traffic is left out.
    var significant: [FleetChange] {
        func share(_ change: FleetChange) -> Double {
            change.measure == .error
                ? abs(change.difference) : abs(change.difference) / max(abs(change.before), 1)
        }
        let shown = changes.filter { $0.isSignificant && ($0.source == nil || !hasLogs || $0.isMeasured) }
        return shown.enumerated().sorted { left, right in
            let (one, other) = (left.element, right.element)
            if one.measure != other.measure { return order(one.measure) < order(other.measure) }
            if (one.api == nil) != (other.api == nil) { return one.api == nil }
            return share(one) != share(other) ? share(one) > share(other) : left.offset < right.offset
        }.map(\.element)
    }

    private func order(_ measure: FleetMeasure) -> Int { FleetMeasure.allCases.firstIndex(of: measure) ?? 0 }

    /// What the captures lack, a sentence for each degree of trust; empty where nothing is known to be missing.
    var losses: [String] {
        func sessions(_ trust: CaptureLoss.Trust) -> Int {
            fleet.rows.count { $0.failure == nil && $0.damage.trust == trust }
        }
        var sentences: [String] = []
        let (incomplete, unread) = (sessions(.incomplete), sessions(.unread))
        if incomplete > 0 {
            sentences.append(
                "Packets of \(counted(incomplete, "session")) are missing or cut: figures may be lower bounds, and some content is unknown."
            )
        }
        if unread > 0 {
            sentences.append(
                "\(counted(unread, "session")) \(unread == 1 ? "has" : "have") bytes that were counted, but not read.")
        }
        return sentences.isEmpty ? [] : sentences + ["sessions.ndjson says which: damage.trust."]
    }

    /// What a change is about, without figures.
    func subject(_ change: FleetChange) -> String {
        let noun = change.direction == .up ? "request" : "response"
        let what =
            switch change.measure {
            case .message: "\(noun) message bytes"
            case .wire: "\(noun) wire bytes"
            case .error: "\(noun) error of \(change.source ?? "")"
            }
        return "\(what), \(change.api ?? "all APIs")"
    }

    /// `+40.0 B (38.2 to 41.8)`
    func difference(_ change: FleetChange) -> String {
        let value = signed(change.difference) + " B"
        guard let (low, high) = change.interval else { return value }
        return "\(value) (\(signed(low)) to \(signed(high)))"
    }

    func signed(_ value: Double) -> String {
        (value > 0 ? "+" : "") + (decimalText(value, places: 1) ?? "?")
    }

    /// A share in percent with its sign.
    func share(_ value: Double?) -> String {
        value.flatMap { decimalText($0 * 100, places: 2) }.map {
            ($0.hasPrefix("-") || $0 == "0" ? "" : "+") + $0 + " %"
        } ?? "–"
    }

    /// The groups of a label in the order of the report, each with its total rows: those of logs, where there are logs.
    func groups(_ label: String) -> [(group: FleetGroup, totals: [FleetTotal])] {
        fleet.groups.filter { $0.label == label }.map { ($0, shown($0.part.totals)) }
    }

    /// What a person sees of totals: what apps measured; what estimators make of the traffic only where no app measured,
    /// and what the packets show where there is neither.
    func shown(_ totals: [FleetTotal]) -> [FleetTotal] {
        let ofSources = totals.filter { $0.calls > 0 && !$0.isOfPackets && (!hasLogs || $0.isMeasured) }
        return ofSources.isEmpty ? totals.filter { $0.isOfPackets && $0.sessions > 0 } : ofSources
    }

    /// Some session has a log.
    var hasLogs: Bool { fleet.total?.totals.contains(where: \.isMeasured) == true }

    /// What of the sources is not shown; nil where all are.
    var hiddenSources: String? {
        let simulated = fleet.total?.totals.filter { !$0.isMeasured && !$0.isOfPackets } ?? []
        let hidden = Set(hasLogs ? simulated.map(\.source) : [])
        return hidden.isEmpty ? nil : "\(counted(hidden.count, "simulated estimator")): fleet.json"
    }
}
