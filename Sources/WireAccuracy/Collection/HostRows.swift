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

    /// - Parameters:
    ///   - hosts: in the order of the result.
    ///   - span: the time of the capture.
    init(_ log: SDKLog, _ matching: LogMatching, source: Int, hosts: [HostTotal], span: ClosedRange<Int64>?) {
        totals = hosts.indices.map { HostLogTotal(source: source, host: $0) }
        places = Array(repeating: .elsewhere, count: log.rows.count)
        clock = ClockModel(fit: matching.clock, noise: [])
        hasClock = matching.clock.pairs > 0
        let tolerance = max(
            HostRows.leastTolerance, log.timeResolution, matching.clock.spread.saturatingAdd(matching.clock.spread))
        self.span = span.map { $0.lowerBound.saturatingSubtract(tolerance)...$0.upperBound.saturatingAdd(tolerance) }
        if hosts.isEmpty { return }
        var numbers: [[UInt8]: Int] = [:]
        for (number, host) in hosts.enumerated() { numbers[Array(host.host.utf8)] = number }
        let hostsOfTexts = log.texts.texts.map { numbers[UnreadHosts.plain($0)] ?? -1 }
        for (index, row) in log.rows.enumerated() where row.host >= 0 && !row.isPlain {
            let host = hostsOfTexts[Int(row.host)]
            guard host >= 0, row.serverPort == 0 || hosts[host].ports.contains(row.serverPort),
                HostRows.isFree(matching.fates[index])
            else { continue }
            take(row, index, host)
        }
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
