import WireCore
import WireJoin
import WireLogs

/// Rows of one log that can be compared only in total: those of hosts whose TLS connections nobody could read.
struct HostRows {
    /// Clocks and packets of single rows are not nearer to each other than that, nanoseconds.
    private static let leastTolerance: Int64 = 1_000_000_000
    /// Times before 2001 are those of logs that write none of the year: only their differences say something.
    private static let firstDate = LogTime.referenceDate

    /// One for each host, in their order.
    private(set) var totals: [HostLogTotal]
    enum Place: UInt8 {
        /// The row is of no such host, or speaks of a call that was read.
        case elsewhere
        /// In one of the totals.
        case taken
        /// Of such a host, before or after the capture.
        case outside
    }

    /// By row of the log.
    private(set) var places: [Place]
    private let clock: ClockModel
    private let span: ClosedRange<Int64>?
    private let hasClock: Bool

    /// A row of one of the hosts, by their indices.
    struct Candidate {
        var row: Int
        var host: Int
    }

    /// The rows that can be compared only in total, whenever they were.
    static func candidates(_ log: SDKLog, _ matching: LogMatching, hosts: [HostTotal]) -> [Candidate] {
        if hosts.isEmpty { return [] }
        var numbers: [[UInt8]: Int] = [:]
        for (number, host) in hosts.enumerated() { numbers[Array(host.host.utf8)] = number }
        let hostsOfTexts = log.texts.texts.map { numbers[HostTotal.plain($0)] ?? -1 }
        return log.rows.enumerated().compactMap { index, row in
            guard row.host >= 0, !row.isPlain, case let host = hostsOfTexts[Int(row.host)], host >= 0,
                row.serverPort == 0 || hosts[host].ports.contains(row.serverPort), isFree(matching.fates[index])
            else { return nil }
            return Candidate(row: index, host: host)
        }
    }

    /// - Parameters:
    ///   - clock: how far the log's clock is ahead of the capture's, by rows whose calls were read or not; nil: not known.
    ///   - hosts: in the order of the result.
    ///   - span: the time of the capture.
    init(
        _ log: SDKLog, _ candidates: [Candidate], clock: ClockFit?, source: Int, hosts: [HostTotal],
        span: ClosedRange<Int64>?
    ) {
        totals = hosts.indices.map { HostLogTotal(source: source, host: $0) }
        places = Array(repeating: .elsewhere, count: log.rows.count)
        let fit = clock ?? ClockFit(offset: 0, drift: 0, origin: 0, pairs: 0, spread: 0)
        self.clock = ClockModel(fit: fit, noise: [])
        hasClock = clock != nil
        let tolerance = max(HostRows.leastTolerance, log.timeResolution, fit.spread.saturatingAdd(fit.spread))
        self.span = span.map { $0.lowerBound.saturatingSubtract(tolerance)...$0.upperBound.saturatingAdd(tolerance) }
        for candidate in candidates { take(log.rows[candidate.row], candidate.row, candidate.host) }
    }

    private static func isFree(_ fate: LogMatching.Fate) -> Bool {
        switch fate {
        case .matched, .ambiguous, .duplicate: false
        case .withoutExchange, .foreignHost, .outsideCapture: true
        }
    }

    private mutating func take(_ row: LogRow, _ index: Int, _ host: Int) {
        let times = [row.time, row.end].filter { isUsable($0) }.map { clock.captureTime($0) }
        if let span, let first = times.min(), let last = times.max() {
            guard last >= span.lowerBound, first <= span.upperBound else {
                totals[host].rowsOutside += 1
                places[index] = .outside
                return
            }
            totals[host].first = min(totals[host].first ?? first, first)
            totals[host].last = max(totals[host].last ?? last, last)
        }
        places[index] = .taken
        totals[host].rows += 1
        totals[host].up.add(row.up)
        totals[host].down.add(row.down)
    }

    private func isUsable(_ time: Int64) -> Bool {
        time != .min && UsableTime.contains(time) && (hasClock || time >= HostRows.firstDate)
    }
}

extension HostLogTotal.Side {
    fileprivate mutating func add(_ logged: LoggedBytes) {
        let parts = [logged.startLine, logged.headers, logged.body].compactMap(\.self)
        guard let bytes = logged.total ?? (parts.isEmpty ? nil : parts.reduce(0, &+)), bytes >= 0 else { return }
        rows += 1
        self.bytes &+= bytes
    }
}
