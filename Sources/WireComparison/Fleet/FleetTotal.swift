import WireAccuracy
import WireLogs
import WireStatistics

/// The error of one source in one direction over the sessions of a group.
public struct FleetTotal: Sendable {
    public var source: String
    public var direction: Direction
    /// Sessions with calls, and calls that were recorded.
    public var sessions: Int
    public var calls: Int
    /// Error in total as a share of the recorded messages; nil without any.
    public var error: Double?
    /// 95 % interval by resampling sessions; nil of too few.
    public var interval: (low: Double, high: Double)?
    /// Quantiles over the sessions of the error of each, as a share of its messages.
    public var quantiles: SessionQuantiles?
    /// Message bytes and wire bytes per call, recorded or not.
    public var message: Double?
    public var wire: Double?

    /// What an app recorded, not what an estimator makes of the traffic.
    public var isMeasured: Bool { FleetTotal.isMeasured(source) }
    static func isMeasured(_ source: String) -> Bool { source.hasPrefix("log:") }
    /// What the packets show, of which nothing was recorded.
    public var isOfPackets: Bool { source == CallKey.packets }
}

extension PartialResult {
    /// A row for each source and direction, over all APIs.
    public var totals: [FleetTotal] { calls.keys.filter { $0.api == nil }.sorted().compactMap { total($0) } }

    /// The same of single APIs, by the bytes of their names.
    public func totalsByAPI() -> [[UInt8]: [FleetTotal]] {
        var totals: [[UInt8]: [FleetTotal]] = [:]
        for key in calls.keys.filter({ $0.api != nil }).sorted() {
            guard let api = key.api, let total = total(key) else { continue }
            totals[Array(api.utf8), default: []].append(total)
        }
        return totals
    }

    /// Of one key; nil where there are no such calls.
    public func total(_ key: CallKey) -> FleetTotal? {
        guard let sums = calls[key] else { return nil }
        let total = sums.sessions.total
        return FleetTotal(
            source: key.source, direction: key.direction, sessions: sums.sessions.count,
            calls: Int(clamping: total.calls), error: total.share(\.message),
            interval: sums.sessions.relativeInterval(against: \.message),
            quantiles: SessionQuantiles(sums.sessionErrors), message: total.mean(.message), wire: total.mean(.wire))
    }
}
