import WireEstimates
import WireJoin
import WireLogs

extension LogComparison {
    /// What became of the rows, and of the exchanges that the report is about.
    func summary() -> LogSummary {
        var summary = LogSummary(source: source, path: log.path, format: log.format)
        summary.platform = log.platform
        summary.columns = log.columns?.text
        summary.rows = log.rows.count + log.rejectedRows
        summary.rejected = log.rejectedRows
        summary.problems = log.problems
        summary.isIncomplete = log.isIncomplete
        summary.clock = matching.clock
        summary.redirects = matching.redirects
        summary.ambiguousBounds = ambiguousBounds()
        summary.bounds = bounded.summary
        summary.explanation = explanation
        summary.hasExplainedRow = options.explainedRow.map { row in log.rows.contains { $0.number == row } } ?? false
        countRows(&summary)
        countUnseen(&summary)
        summary.sample = unjoined.sampledShare.map { LogSummary.Sample(share: $0) }
        if let cutURLs {
            summary.problems.append(
                LogProblem(
                    what: "\(cutURLs.isOfPath ? "paths" : "URLs") are cut at \(cutURLs.limit) bytes: calls are told "
                        + "apart by what is left of theirs",
                    count: cutURLs.rows, firstRow: cutURLs.firstRow))
        }
        if let jump = matching.jump {
            summary.problems.append(
                LogProblem(
                    what:
                        "the log's clock jumps by an hour, as daylight saving time does: times on one side were moved",
                    count: jump.rows.count, firstRow: log.rows[jump.rows.lowerBound].number))
        }
        if calls.headsDropped > 0 {
            summary.problems.append(
                LogProblem(
                    what: "exchanges beyond the limit kept-heads: their errors are not broken down by cause",
                    count: calls.headsDropped, firstRow: nil))
        }
        return summary
    }

    private func countRows(_ summary: inout LogSummary) {
        var unread: [UnreadKey: Int] = [:]
        for (row, fate) in matching.fates.enumerated() {
            if isSelected(row) == false {
                summary.notSelected += 1
                continue
            }
            if hostRows.places[row] == .outside {
                summary.outsideCapture += 1
                continue
            }
            if hostRows.places[row] == .elsewhere, failedRows.places[row] == .failed {
                summary.tlsFailed += 1
                continue
            }
            if let reason = count(row, fate, &summary) {
                unread[UnreadKey(host: log.rows[row].host, reason: reason), default: 0] += 1
            }
        }
        summary.unreadRows = unread.map { key, rows in
            let host = key.host < 0 ? nil : String(decoding: log.texts[key.host], as: UTF8.self)
            return ReadShare.Part(host: host, amount: rows, reason: key.reason)
        }
    }

    /// The row is of a host of which no call, or not all, could be read, so that nobody knows whether it has one.
    func isUnread(_ row: Int) -> Bool {
        if hostRows.places[row] == .taken { return true }
        switch matching.fates[row] {
        case .foreignHost: return failedRows.places[row] != .failed
        case .withoutExchange: return isPartlyRead(row)
        default: return false
        }
    }

    /// The row's host has TLS connections that were decrypted in part.
    func isPartlyRead(_ row: Int) -> Bool {
        let host = log.rows[row].host
        return host >= 0 && partlyRead.contains(HostTotal.plain(log.texts[host]))
    }

    private struct UnreadKey: Hashable {
        var host: Int32
        var reason: ReadShare.Reason
    }

    /// Returns why the call of a row in the capture's time is not known; nil where it is.
    private func count(_ row: Int, _ fate: LogMatching.Fate, _ summary: inout LogSummary) -> ReadShare.Reason? {
        if hostRows.places[row] == .taken {
            summary.hostTotal += 1
            return .undecrypted
        }
        switch fate {
        case .matched: summary.matched += 1
        case .ambiguous: summary.ambiguous += 1
        case .duplicate: summary.duplicates += 1
        case .outsideCapture: summary.outsideCapture += 1
        case .withoutExchange:
            guard !isPartlyRead(row) else {
                summary.partlyRead += 1
                return .undecrypted
            }
            summary.withoutExchange += 1
            return .callNotCaptured
        case .foreignHost:
            summary.foreignHost += 1
            return .hostNotCaptured
        }
        return nil
    }

    private func countUnseen(_ summary: inout LogSummary) {
        summary.exchangesTotal = calls.calls.count { $0.isSelected }
        for (number, call) in calls.calls.enumerated()
        where call.isSelected && matching.requestRows[number] < 0 && matching.responseRows[number] < 0
            && openCalls.allSatisfy({ !$0.contains(Int32(truncatingIfNeeded: number)) })
        {
            if isMergedHop(number) {
                summary.mergedHops += 1
                continue
            }
            let truth = CallTruth(call.record, options)
            let reason = unjoined.reason(number)
            if reason == .foreignHost {
                summary.exchangesForeign += 1
                summary.foreignWireBytes += truth.up.wire + truth.down.wire
                continue
            }
            if reason == .notJoined { summary.exchangesNotJoined += 1 }
            if reason == .scope { summary.exchangesInvisible += 1 }
            summary.exchangesUnseen += 1
            summary.unseenMessageBytes += truth.up.message + truth.down.message
            summary.unseenWireBytes += truth.up.wire + truth.down.wire
        }
    }

    /// The report is about the row's exchange or, of an ambiguous row, about one that it may have. Nil where it has
    /// none.
    func isSelected(_ row: Int) -> Bool? {
        let own = matching.exchanges[row]
        if own >= 0 { return calls.calls[Int(own)].isSelected }
        guard matching.fates[row] == .ambiguous,
            let others = matching.alternatives[Int32(truncatingIfNeeded: row)], !others.isEmpty
        else { return nil }
        return others.contains { calls.calls[Int($0)].isSelected }
    }

    /// Whether the log may be of another session than the capture.
    func sessionDoubt(_ figures: FigureTally) -> SessionDoubt? {
        var ports = Set<UInt16>()
        for (row, fate) in matching.fates.enumerated() where fate == .matched && log.rows[row].clientPort != 0 {
            ports.insert(log.rows[row].clientPort)
        }
        return SessionDoubt(matching.clock, agreeingSizes: figures.sizes.count, ports: ports.count)
    }

    /// What ambiguous rows could add to the error of a direction, bytes: each by the least and the largest message that
    /// it may speak of. Nil where no row is ambiguous.
    private func ambiguousBounds() -> [Direction: ClosedRange<Int>]? {
        var bounds: [Direction: ClosedRange<Int>] = [:]
        for (index, fate) in matching.fates.enumerated() where fate == .ambiguous {
            let own = matching.exchanges[index]
            let others = matching.alternatives[Int32(truncatingIfNeeded: index)] ?? []
            let truths = (own < 0 ? others : [own] + others).map { CallTruth(calls.calls[Int($0)].record, options) }
            for direction in Direction.allCases {
                guard let total = log.rows[index][direction].total, total >= 0 else { continue }
                var errors = truths.map { clampedDifference(total, $0[direction].message) }
                // A row that may have no exchange may add nothing.
                if own < 0 { errors.append(0) }
                guard let low = errors.min(), let high = errors.max() else { continue }
                let before = bounds[direction] ?? 0...0
                bounds[direction] = before.adding(low...high)
            }
        }
        return bounds.isEmpty ? nil : bounds
    }
}

/// Figures of a log that were compared with its formula.
struct FigureTally {
    private(set) var explained = 0
    private(set) var compared = 0
    /// Different totals of messages all of whose figures the formula gives to the byte.
    private(set) var sizes: Set<Int> = []
    private static let sizeLimit = 100_000

    mutating func add(_ counts: (explained: Int, compared: Int), total: Int?) {
        explained &+= counts.explained
        compared &+= counts.compared
        guard counts.compared > 0, counts.explained == counts.compared, let total, total > 0,
            sizes.count < FigureTally.sizeLimit
        else { return }
        sizes.insert(total)
    }
}

/// The difference, or the nearest value there is: sizes of logs are any numbers.
private func clampedDifference(_ left: Int, _ right: Int) -> Int { Int(clamping: Int128(left) - Int128(right)) }

extension ClosedRange<Int> {
    /// Both bounds moved, or the nearest values there are.
    func adding(_ other: ClosedRange<Int>) -> ClosedRange<Int> {
        Int(
            clamping: Int128(lowerBound) + Int128(other.lowerBound))...Int(
                clamping: Int128(upperBound) + Int128(other.upperBound))
    }
}
