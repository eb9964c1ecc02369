import WireAccuracy
import WireLogs

/// A session whose error is far from that of the others.
public struct FleetOutlier: Sendable {
    public var session: String
    public var source: String
    public var direction: Direction
    /// Error of the session in total as a share of its recorded messages, and the median of all sessions.
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

    /// The farthest first, ties by name.
    public var outliers: [FleetOutlier] {
        let keys = Set(rows.flatMap(\.errors.keys)).sorted()
        return keys.flatMap { outliers($0) }.sorted { left, right in
            left.distance != right.distance
                ? left.distance > right.distance
                : (abs(right.error - right.median), left.session) < (abs(left.error - left.median), right.session)
        }
    }

    private func outliers(_ key: CallKey) -> [FleetOutlier] {
        let values = rows.compactMap { row in row.errors[key].map { (row.session.name, $0) } }
        guard values.count >= FleetResult.fewest else { return [] }
        let median = FleetResult.median(values.map(\.1))
        let deviation = 1.4826 * FleetResult.median(values.map { abs($0.1 - median) })
        return values.compactMap { name, error in
            let distance = abs(error - median)
            guard distance > FleetResult.smallest, distance > FleetResult.farthest * deviation else { return nil }
            return FleetOutlier(
                session: name, source: key.source, direction: key.direction, error: error, median: median,
                distance: deviation > 0 ? distance / deviation : .infinity)
        }
    }

    /// The smaller of the two in the middle of an even number.
    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted[(sorted.count - 1) / 2]
    }
}
