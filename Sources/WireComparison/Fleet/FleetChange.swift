import WireAccuracy
import WireLogs
import WireStatistics

/// What is compared between the groups of a fleet. Raw values stand in outputs.
public enum FleetMeasure: String, Sendable, CaseIterable {
    /// HTTP message bytes per call.
    case message
    /// Wire bytes per call.
    case wire
    /// Error of a source per recorded call, bytes.
    case error
}

/// One figure of one group against that of the reference group.
public struct FleetChange: Sendable {
    public var label: String
    public var value: String
    public var reference: String
    public var measure: FleetMeasure
    /// Nil of message and wire bytes.
    public var source: String?
    /// Nil: all APIs together.
    public var api: String?
    public var direction: Direction
    /// Means per call, bytes, and sessions behind them.
    public var before: Double
    public var after: Double
    public var sessionsBefore: Int
    public var sessionsAfter: Int
    /// 95 % interval of after − before; nil where a group has too few sessions.
    public var interval: (low: Double, high: Double)?
    /// The difference is beyond chance, all comparisons of the fleet taken together.
    public var isSignificant = false

    public var difference: Double { after - before }

    /// Of what an app recorded, not of what an estimator makes of the traffic.
    public var isMeasured: Bool { source.map(FleetTotal.isMeasured) ?? false }
}

/// Compares each group of a label with the first group of that label, API by API.
///
/// Calls of a session are not independent, so chance is measured by sessions: by the bootstrap's replicates of both
/// groups, which are independent of each other. With very many comparisons some differ by chance, so a difference counts
/// only where it would occur in one fleet of a thousand without any change (Bonferroni over all comparisons).
public struct FleetComparison: Sendable {
    /// Probability that a fleet without any change has a significant difference.
    public static let falseAlarms = 0.001
    /// Smaller differences of means are rounding, bytes.
    private static let smallest = 0.01

    /// In the order of groups; of each first all APIs together.
    public private(set) var changes: [FleetChange] = []

    public init(_ fleet: FleetResult) {
        var tested: [(change: FleetChange, deviation: Double)] = []
        for label in fleet.labels where label != FleetResult.day {
            let groups = fleet.groups.filter { $0.label == label }
            guard let reference = groups.first else { continue }
            for group in groups.dropFirst() { tested += FleetComparison.compare(reference, group) }
        }
        let tests = max(1, tested.count { $0.change.interval != nil })
        changes = tested.map { change, deviation in
            var change = change
            guard change.interval != nil else { return change }
            let freedom = Double(min(change.sessionsBefore, change.sessionsAfter) - 1)
            let limit = StudentT.limit(bothTails: FleetComparison.falseAlarms / Double(tests), freedom: freedom)
            let difference = abs(change.difference)
            change.isSignificant = difference > FleetComparison.smallest && difference > limit * deviation
            return change
        }
    }

    private static func compare(
        _ reference: FleetGroup, _ group: FleetGroup
    ) -> [(change: FleetChange, deviation: Double)] {
        var all: [(change: FleetChange, deviation: Double)] = []
        for key in group.part.calls.keys.sorted() {
            guard let after = group.part.calls[key]?.sessions, let before = reference.part.calls[key]?.sessions else {
                continue
            }
            // All sources are held against the same messages, which the packets show.
            let measures: [FleetMeasure] = key.source == CallKey.packets ? [.message, .wire] : [.error]
            for measure in measures {
                guard let old = before.total.mean(measure), let new = after.total.mean(measure) else { continue }
                var change = FleetChange(
                    label: group.label, value: group.value, reference: reference.value, measure: measure,
                    source: measure == .error ? key.source : nil, api: key.api, direction: key.direction, before: old,
                    after: new, sessionsBefore: before.count, sessionsAfter: after.count)
                var deviation = 0.0
                if let spread = spread(before, after, measure) {
                    deviation = spread
                    let freedom = Double(min(before.count, after.count) - 1)
                    let half = StudentT.limit(bothTails: 0.05, freedom: freedom) * spread
                    change.interval = (new - old - half, new - old + half)
                }
                all.append((change, deviation))
            }
        }
        return all
    }

    /// Standard error of the difference of means; nil where a side has too few sessions for replicates.
    private static func spread(_ before: SessionSums, _ after: SessionSums, _ measure: FleetMeasure) -> Double? {
        guard let one = before.deviation(measure), let other = after.deviation(measure) else { return nil }
        return (one * one + other * other).squareRoot()
    }
}

extension SessionSums {
    /// Standard deviation of the mean over replicates; nil without them.
    package func deviation(_ measure: FleetMeasure) -> Double? {
        let means = resampled.compactMap { $0.mean(measure) }
        guard means.count > 1 else { return nil }
        let mean = means.reduce(0, +) / Double(means.count)
        let squares = means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(means.count - 1)).squareRoot()
    }
}

extension SessionSums.Sums {
    /// Per call; nil without calls.
    package func mean(_ measure: FleetMeasure) -> Double? {
        switch measure {
        case .message: allCalls > 0 ? Double(allMessage) / Double(allCalls) : nil
        case .wire: allCalls > 0 ? Double(allWire) / Double(allCalls) : nil
        case .error: mean(\.message)
        }
    }
}
