import WireEstimates
import WireJoin
import WireLogs

extension LogComparison {
    /// Shows what became of each row of the log, in the order of the log; rows that could not be used last.
    func showRows(_ apis: [String], _ onRow: (JoinedRow) -> Void) {
        let clock = ClockModel(fit: matching.clock, noise: [])
        for (index, row) in log.rows.enumerated() {
            var joined = JoinedRow(source: id, row: row.number, state: state(of: index))
            joined.kind = row.kind
            joined.isSelected = isSelected(index)
            let shift = matching.jump?.shift(of: index) ?? 0
            joined.time = UsableTime.contains(row.time) ? row.time.saturatingSubtract(shift) : nil
            let number = matching.exchanges[index]
            if joined.state == .matched, number >= 0 {
                joined.exchange = exchange(number, apis)
                joined.residual = residual(row, wires[Int(number)], clock)
            } else if joined.state == .ambiguous {
                let others = matching.alternatives[Int32(truncatingIfNeeded: index)] ?? []
                joined.alternatives = ((number >= 0 ? [number] : []) + others).map { other in
                    JoinedRow.Alternative(
                        exchange: exchange(other, apis), residual: residual(row, wires[Int(other)], clock))
                }
            }
            joined.bounds = bounded.rows[index]
            joined.reason = reason(index, joined)
            onRow(joined)
        }
        for rejected in log.rejections {
            var joined = JoinedRow(source: id, row: rejected.row, state: .unusable)
            joined.reason = rejected.what
            onRow(joined)
        }
    }

    private func state(of index: Int) -> JoinedRow.State {
        switch hostRows.places[index] {
        case .taken: return .hostTotal
        case .outside: return .otherTime
        case .elsewhere: break
        }
        if failedRows.places[index] == .failed { return .tlsFailed }
        switch matching.fates[index] {
        case .matched: return .matched
        case .ambiguous: return .ambiguous
        case .duplicate: return .duplicate
        case .withoutExchange: return isPartlyRead(index) ? .partlyRead : .noExchange
        case .foreignHost: return .foreignHost
        case .outsideCapture: return .otherTime
        }
    }

    private func exchange(_ number: Int32, _ apis: [String]) -> AccuracyCall.Exchange {
        let call = calls.calls[Int(number)]
        return AccuracyCall.Exchange(call.record, api: apis.indices.contains(call.api) ? apis[call.api] : nil)
    }

    /// How much later the row is than what it tells of, by the log's clock.
    private func residual(_ row: LogRow, _ call: WireCall, _ clock: ClockModel) -> Int64? {
        let event = row.kind == .response ? call.end : call.start
        guard UsableTime.contains(row.time), UsableTime.contains(event) else { return nil }
        return row.time.saturatingSubtract(clock.logTime(event))
    }

    private func reason(_ index: Int, _ joined: JoinedRow) -> String {
        switch joined.state {
        case .matched:
            if !hasTimes(index) {
                return matching.hasAlike[index]
                    ? "one of several equal calls: whichever it is, its figures are the same"
                    : "by host, path and figures, and by the order of the rows where they have one"
            }
            if matching.isByFigures[index] {
                return "several exchanges match in time; the figures of this row, or of rows near it, decide"
            }
            if matching.hasAlike[index] {
                return "one of several equal calls near it in time: whichever it is, its figures are the same"
            }
            return "by time; other assignments are less likely by odds of 150 to 1"
        case .ambiguous: return "several exchanges match, and neither times nor figures decide between them"
        case .duplicate: return "equal in all columns to a row that has an exchange, and no other exchange is left"
        case .noExchange where matching.isByFigures[index] && hasTimes(index):
            return "exchanges match in time; the figures of this row, or of rows near it, rule them out"
                + contested(index)
        case .noExchange:
            return
                (matching.clock.pairs == 0
                ? "no exchange agrees in host, path and time; the clocks could not be compared"
                : "no exchange agrees in host, path, method, status and time") + contested(index)
        case .otherTime: return "its time lies before or after the capture"
        case .foreignHost: return "no readable exchange of the capture has its host" + contested(index)
        case .tlsFailed: return "the TLS handshake with its host failed at that time: there was no exchange"
        case .hostTotal: return "TLS of this host was not decrypted: compared in the host totals only"
        case .partlyRead: return "TLS of this host was decrypted in part: its exchange may be in the other part"
        case .unusable: return ""
        }
    }

    private func hasTimes(_ index: Int) -> Bool {
        UsableTime.contains(log.rows[index].time) || UsableTime.contains(log.rows[index].end)
    }

    private func contested(_ index: Int) -> String {
        failedRows.places[index] == .contested
            ? "; a TLS handshake with its host failed at that time, but more rows lie there than handshakes failed" : ""
    }
}
