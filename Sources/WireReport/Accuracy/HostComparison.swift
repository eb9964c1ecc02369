import WireAccuracy
import WireLogs
import WireRecords

/// The hosts that one log can be compared with in total only: TLS connections that nobody could read, and the log's
/// rows for them. No call statistics hold them.
struct HostComparison {
    /// Index in `AccuracyResult.sources`.
    let source: Int
    /// Hosts that the log has rows of, the largest on the wire first.
    private(set) var lines: [HostLine] = []
    /// Hosts that it has no row of, and their wire bytes.
    private(set) var silentHosts = 0
    private(set) var silentBytes = 0
    /// Rows of these hosts before or after the capture.
    private(set) var rowsOutside = 0

    fileprivate init(source: Int) { self.source = source }

    fileprivate mutating func add(_ host: HostTotal, _ log: HostLogTotal) {
        rowsOutside = clampedSum(rowsOutside, log.rowsOutside)
        if log.rows > 0 {
            lines.append(HostLine(host: host, log: log))
        } else {
            silentHosts += 1
            silentBytes = clampedSum(silentBytes, clampedSum(host.up.wire, host.down.wire))
        }
    }

    /// The log says anything about the direction.
    func speaks(_ direction: Direction) -> Bool { lines.contains { $0.log[direction].rows > 0 } }

    /// What lacks, in words; nil where nothing does.
    var remarks: String? {
        var parts: [String] = []
        if silentHosts > 0 {
            parts.append(
                "no row for \(counted(silentHosts, lines.isEmpty ? "such host" : "further host")) "
                    + "(\(counted(silentBytes, "byte")) on the wire)")
        }
        if rowsOutside > 0 {
            parts.append(
                "\(counted(rowsOutside, "row")) of such hosts \(rowsOutside == 1 ? "lies" : "lie") before or after "
                    + "the capture")
        }
        // Data is an upper bound of what was sent, so that more was never sent.
        let hosts = lines.filter { line in Direction.allCases.contains { line.exceedsData($0) } }.count
        if hosts > 0 {
            parts.append(
                "more than 100 % of data (\(counted(hosts, "host"))): the log counts more than these connections carried, "
                    + "such as bodies after decompression, HTTP/2 fields as text, or calls over other connections")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// What is compared.
    static let introduction =
        "Host totals, not calls: these TLS connections were not decrypted, so the rows of a log are compared with all "
        + "of them together. No other figure includes them."

    /// What the columns mean.
    static func legend(layer: WireLayer) -> String {
        "wire: all IP \(layer == .link ? "and link " : "")bytes of the host's undecrypted TLS connections; set-up: their "
            + "TLS handshakes; data: their application data, an upper bound of the messages, since padding, tickets and "
            + "HTTP/2 control frames cannot be distinguished; rows: those with a figure; logged: the sum of the figures."
    }
}

/// One host on the wire and in a log.
struct HostLine {
    let host: HostTotal
    let log: HostLogTotal

    func difference(_ direction: Direction) -> Int {
        clampedDifference(log[direction].bytes, host[direction].wire)
    }

    /// The log has more than the connections carried.
    func exceedsData(_ direction: Direction) -> Bool {
        log[direction].rows > 0 && log[direction].bytes > host[direction].application
    }

    /// Logged bytes in percent of wire bytes; nil where there is no figure.
    func shareOfWire(_ direction: Direction) -> String? {
        log[direction].rows == 0 ? nil : percent(log[direction].bytes, of: host[direction].wire)
    }

    /// Logged bytes in percent of application data.
    func shareOfData(_ direction: Direction) -> String? {
        log[direction].rows == 0 ? nil : percent(log[direction].bytes, of: host[direction].application)
    }
}

extension AccuracyIndex {
    /// For each log its hosts that are selected; none where APIs were chosen, for calls are not known here.
    func hostComparisons(_ options: ReportOptions) -> [HostComparison] {
        guard options.selection.apis.isEmpty else { return [] }
        var comparisons: [HostComparison] = []
        for total in result.hostLogs where result.hosts.indices.contains(total.host) {
            let host = result.hosts[total.host]
            guard result.sources.indices.contains(total.source),
                options.selection.includes(host: Array(host.host.utf8))
            else { continue }
            if comparisons.last?.source != total.source { comparisons.append(HostComparison(source: total.source)) }
            comparisons[comparisons.count - 1].add(host, total)
        }
        return comparisons
    }
}
