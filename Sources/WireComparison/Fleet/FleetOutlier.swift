import WireAccuracy
import WireLogs

/// A session whose error is far from that of the sessions with the same labels.
public struct FleetOutlier: Sendable {
    public var session: String
    public var source: String
    public var direction: Direction
    /// The values of labels that the sessions share with which it was compared; empty where the fleet has no labels.
    public var group: [String]
    /// Error of the session in total as a share of its recorded messages, and the median of its group.
    public var error: Double
    public var median: Double
    /// How many robust standard deviations (1.4826 times the median absolute deviation) it is away; infinite where most
    /// sessions have the same error.
    public var distance: Double
}

extension FleetResult {
    /// Robust standard deviations beyond which a session is an outlier.
    private static let farthest = 6.0
    /// Fewer sessions have no outlier.
    private static let fewest = 10
    /// Smaller differences of shares are no outlier, however equal the other sessions are.
    private static let smallest = 0.005
    /// More than one session in ten is no outlier: the group has several kinds of sessions.
    private static let mostOf = 10

    /// Of what apps recorded, the farthest first, ties by name.
    public var outliers: [FleetOutlier] {
        let keys = Set(rows.flatMap(\.errors.keys)).filter { FleetTotal.isMeasured($0.source) }.sorted()
        let names = labels.filter { $0 != FleetResult.day }
        return keys.flatMap { key in
            outliers(key, rows.filter { $0.errors[key] != nil }, names[...], group: [])
        }.sorted { left, right in
            left.distance != right.distance
                ? left.distance > right.distance
                : (abs(right.error - right.median), left.session) < (abs(left.error - left.median), right.session)
        }
    }

    /// Divides sessions by one label after the other. Where too few share a value, they are compared with all of the group
    /// before; sessions that share not even the first label with enough others are compared with none.
    private func outliers(
        _ key: CallKey, _ sessions: [FleetRow], _ names: ArraySlice<String>, group: [String]
    ) -> [FleetOutlier] {
        guard let name = names.first else { return outliers(key, sessions, among: sessions, group) }
        let parts = Dictionary(grouping: sessions) { row in
            ExactName(row.session.labels.first { $0.name == name }?.value ?? "")
        }
        return parts.flatMap { value, part in
            part.count >= FleetResult.fewest
                ? outliers(key, part, names.dropFirst(), group: group + [value.text])
                : group.isEmpty ? [] : outliers(key, part, among: sessions, group)
        }
    }

    private func outliers(
        _ key: CallKey, _ sessions: [FleetRow], among peers: [FleetRow], _ group: [String]
    ) -> [FleetOutlier] {
        let errors = peers.compactMap { $0.errors[key] }
        guard errors.count >= FleetResult.fewest else { return [] }
        let median = FleetResult.median(errors)
        let deviation = 1.4826 * FleetResult.median(errors.map { abs($0 - median) })
        func isFar(_ error: Double) -> Bool {
            abs(error - median) > max(FleetResult.smallest, FleetResult.farthest * deviation)
        }
        guard errors.count(where: isFar) * FleetResult.mostOf <= errors.count else { return [] }
        return sessions.compactMap { row in
            guard let error = row.errors[key], isFar(error) else { return nil }
            return FleetOutlier(
                session: row.session.name, source: key.source, direction: key.direction, group: group, error: error,
                median: median, distance: deviation > 0 ? abs(error - median) / deviation : .infinity)
        }
    }

    /// The smaller of the two in the middle of an even number.
    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted[(sorted.count - 1) / 2]
    }
}
