import WireAccuracy
import WireCore

/// One session of a fleet in the report.
public struct FleetRow: Sendable {
    public var session: FleetSession
    /// Why there is no result of it, one clause; nil where there is one.
    public var failure: String?
    public var packets = 0
    public var bytes = 0
    public var exchanges = 0
    /// Day of the first packet by UTC, `2026-11-24`; nil without packets.
    public var day: String?
    /// What the capture lacks.
    public var damage = CaptureLoss()
    /// By source and direction over all APIs: error as a share of the recorded messages; nil where nothing was recorded.
    /// As outputs have it, so that whoever reads a row again has the same fleet.
    public var errors: [CallKey: Double] = [:]
    /// Wire bytes per compared exchange, both directions, as outputs have it; nil without one.
    public var wirePerCall: Double?

    public static let schema = "wireaudit.session/1"
    /// Decimal places of both in outputs.
    public static let errorPlaces = 6
    public static let wirePlaces = 3

    public init(_ session: FleetSession) { self.session = session }

    /// Takes what the report says of a single session.
    public mutating func take(_ part: PartialResult) {
        let capture = part.row(.capture)
        packets = capture.integer("packets")
        bytes = capture.integer("bytes")
        exchanges = capture.integer("exchanges")
        for (key, sums) in part.calls where key.api == nil {
            if let share = sums.sessions.total.share(\.message) {
                errors[key] = FleetRow.rounded(share, FleetRow.errorPlaces)
            }
        }
        let costs = part.rows(.api).reduce(into: (wire: 0, calls: 0)) { sums, row in
            guard row.row.integer("encrypted") == 0 else { return }
            let cost = row.row.costs("cost")
            sums.wire += cost.up.internet + cost.down.internet
            sums.calls += row.row.integer("exchanges")
        }
        if costs.calls > 0 {
            wirePerCall = FleetRow.rounded(Double(costs.wire) / Double(costs.calls), FleetRow.wirePlaces)
        }
        damage = CaptureLoss(part.audit)
        // The audit of a session has one file for all, and counts no missing bytes.
        damage.damagedFiles = capture.integer("damaged")
        damage.missingBytes = capture.optionalInteger("missing")
    }

    private static func rounded(_ value: Double, _ places: Int) -> Double {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        return (value * scale).rounded() / scale
    }
}

/// The sessions that have the same value of a label.
public struct FleetGroup: Sendable {
    public var label: String
    public var value: String
    public var part: PartialResult
}

/// What a fleet adds up to: all sessions together, and the sessions of each value of each label.
///
/// Memory grows with labels, APIs and sources, and by a line for each session; not with calls or bytes.
public struct FleetResult: Sendable {
    public let labels: [String]
    public internal(set) var rows: [FleetRow] = []
    /// Nil before the first session.
    public internal(set) var total: PartialResult?
    public internal(set) var groups: [FleetGroup] = []

    /// The label that every session has: the day of its first packet, by UTC.
    public static let day = "day"

    public init(labels: [String]) {
        self.labels = labels.contains(FleetResult.day) ? labels : labels + [FleetResult.day]
    }

    /// Takes a session that could not be audited.
    public mutating func take(failed row: FleetRow) { rows.append(row) }

    /// Takes a session; the order of sessions changes nothing but the order of rows until `sort`.
    public mutating func take(_ row: FleetRow, _ part: PartialResult) throws(PartialResult.Refusal) {
        var row = row
        row.take(part)
        if total == nil { total = part } else { try total?.merge(part) }
        for (label, value) in values(row) {
            if let index = place(label, value) {
                try groups[index].part.merge(part)
            } else {
                groups.append(FleetGroup(label: label, value: value, part: part))
            }
        }
        rows.append(row)
    }

    /// The groups that the session of a row belongs to.
    package func values(_ row: FleetRow) -> [(label: String, value: String)] {
        labels.compactMap { label in
            let own = row.session.labels.first { $0.name == label }?.value
            let value = own ?? (label == FleetResult.day ? row.day : nil) ?? ""
            return value.isEmpty ? nil : (label, value)
        }
    }

    /// Notes in the sums of all and of each group how many of its sessions failed, when all were taken.
    public mutating func noteFailures() {
        let failed = rows.filter { $0.failure != nil }
        total?.setFailedSessions(failed.count)
        var counts = [Int](repeating: 0, count: groups.count)
        for (label, value) in failed.flatMap({ values($0) }) {
            if let index = place(label, value) { counts[index] += 1 }
        }
        for (index, count) in counts.enumerated() { groups[index].part.setFailedSessions(count) }
    }

    private func place(_ label: String, _ value: String) -> Int? {
        groups.firstIndex {
            ExactName($0.label) == ExactName(label) && ExactName($0.value) == ExactName(value)
        }
    }

    /// Puts rows in the order of the manifest, and groups by label; days ascend, other values are in the order in which
    /// the manifest names them first.
    public mutating func sort(by manifest: [FleetSession]) {
        let numbered = manifest.enumerated().map { (ExactName($0.element.name), $0.offset) }
        let places = Dictionary(numbered) { first, _ in first }
        func place(_ row: FleetRow) -> Int { places[ExactName(row.session.name)] ?? 0 }
        rows.sort { place($0) < place($1) }
        var values: [ExactName: Int] = [:]
        func name(_ label: String, _ value: String) -> ExactName { ExactName(label + "=" + value) }
        for session in manifest {
            for label in session.labels where values[name(label.name, label.value)] == nil {
                values[name(label.name, label.value)] = values.count
            }
        }
        func order(_ group: FleetGroup) -> (Int, Int, ExactName) {
            let place = values[name(group.label, group.value)] ?? 0
            return (labels.firstIndex(of: group.label) ?? 0, place, ExactName(group.value))
        }
        groups.sort { order($0) < order($1) }
    }
}
