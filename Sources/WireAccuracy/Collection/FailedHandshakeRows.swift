import WireJoin
import WireLogs

/// A TLS connection whose handshake failed.
struct FailedConnection {
    /// As in `HostTotal`.
    var host: [UInt8]
    var port: UInt16
    /// From the first to the last packet, nanoseconds since the epoch.
    var time: ClosedRange<Int64>
}

/// The rows of a log that speak of calls whose TLS handshake failed: they have no exchange, say nothing of a response,
/// and lie at the time of a failed handshake with their host, by the clocks of both.
///
/// A handshake is one call. Where more rows lie at the time of failed handshakes than there were such handshakes, it is
/// not known which of them failed so: these rows are contested, and none of them is named.
struct FailedHandshakeRows {
    enum Place: UInt8 {
        case elsewhere
        case failed
        case contested
    }

    /// An app writes a row before the connection begins, while it looks the host up, or some time after its end;
    /// nanoseconds.
    private static let reach: Int64 = 250_000_000

    /// By row of the log.
    private(set) var places: [Place]

    init(_ log: SDKLog, _ matching: LogMatching, _ connections: [FailedConnection]) {
        places = Array(repeating: .elsewhere, count: log.rows.count)
        guard !connections.isEmpty else { return }
        var hosts: [[UInt8]: [FailedConnection]] = [:]
        for connection in connections { hosts[connection.host, default: []].append(connection) }
        let hostsOfTexts = log.texts.texts.map { HostTotal.plain($0) }
        let clock = ClockModel(fit: matching.clock, noise: [])
        var groups: [Group.Key: [Moment]] = [:]
        for (index, row) in log.rows.enumerated() where row.host >= 0 && FailedHandshakeRows.mayHaveFailed(row) {
            let host = hostsOfTexts[Int(row.host)]
            guard FailedHandshakeRows.isFree(matching.fates[index]), hosts[host] != nil,
                let time = [row.time, row.end].first(where: { UsableTime.contains($0) })
            else { continue }
            let moment = Moment(row: index, time: clock.captureTime(time), port: row.serverPort)
            groups[Group.Key(host: host, kind: row.kind), default: []].append(moment)
        }
        let tolerance = FailedHandshakeRows.reach
            .saturatingAdd(log.timeResolution).saturatingAdd(matching.clock.spread)
        for (key, moments) in groups {
            var group = Group(moments, hosts[key.host] ?? [], tolerance: tolerance)
            group.settle(&places)
        }
    }

    private static func isFree(_ fate: LogMatching.Fate) -> Bool {
        fate == .withoutExchange || fate == .foreignHost
    }

    /// Nothing in the row says that there was a response or no TLS.
    private static func mayHaveFailed(_ row: LogRow) -> Bool {
        guard !row.isPlain else { return false }
        return row.kind == .request || (row.status == 0 && (row.down.sum ?? 0) <= 0)
    }

    private struct Moment {
        var row: Int
        /// By the capture's clock.
        var time: Int64
        /// 0: unknown.
        var port: UInt16
    }

    /// The rows of one kind for one host, and the failed handshakes with it.
    private struct Group {
        struct Key: Hashable {
            var host: [UInt8]
            var kind: LogRow.Kind
        }

        let moments: [Moment]
        let connections: [FailedConnection]
        let tolerance: Int64
        private let longest: Int64
        /// By connection: index of its row among the moments, -1 for none.
        private var holders: [Int]

        init(_ moments: [Moment], _ connections: [FailedConnection], tolerance: Int64) {
            self.moments = moments.sorted { ($0.time, $0.row) < ($1.time, $1.row) }
            self.connections = connections.sorted {
                ($0.time.lowerBound, $0.time.upperBound) < ($1.time.lowerBound, $1.time.upperBound)
            }
            self.tolerance = tolerance
            longest = connections.reduce(0) { max($0, $1.time.upperBound.saturatingSubtract($1.time.lowerBound)) }
            holders = Array(repeating: -1, count: connections.count)
        }

        /// The most pairs that there can be: each row in the order of time takes the free connection that ends first.
        /// A row that gets none contests all that could be given to it instead of their own rows.
        mutating func settle(_ places: inout [Place]) {
            var without: [Int] = []
            for moment in moments.indices {
                let near = candidates(moments[moment])
                guard !near.isEmpty else { continue }
                let free = near.filter { holders[$0] < 0 }
                let first = free.min { connections[$0].time.upperBound < connections[$1].time.upperBound }
                guard let first else {
                    without.append(moment)
                    continue
                }
                holders[first] = moment
                places[moments[moment].row] = .failed
            }
            contest(without, &places)
        }

        private func contest(_ without: [Int], _ places: inout [Place]) {
            var open = without
            while let moment = open.popLast() {
                guard places[moments[moment].row] != .contested else { continue }
                places[moments[moment].row] = .contested
                open += candidates(moments[moment]).map { holders[$0] }.filter { $0 >= 0 }
            }
        }

        /// The connections that the row may speak of.
        private func candidates(_ moment: Moment) -> [Int] {
            let earliest = moment.time.saturatingSubtract(tolerance).saturatingSubtract(longest)
            var (low, high) = (0, connections.count)
            while low < high {
                let middle = (low + high) / 2
                if connections[middle].time.lowerBound < earliest { low = middle + 1 } else { high = middle }
            }
            var found: [Int] = []
            while low < connections.count,
                connections[low].time.lowerBound.saturatingSubtract(tolerance) <= moment.time
            {
                let connection = connections[low]
                if connection.time.upperBound.saturatingAdd(tolerance) >= moment.time,
                    moment.port == 0 || moment.port == connection.port
                {
                    found.append(low)
                }
                low += 1
            }
            return found
        }
    }
}
