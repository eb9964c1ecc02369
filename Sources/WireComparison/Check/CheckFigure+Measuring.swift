import WireAccuracy
import WireCore
import WireLogs
import WireStatistics

extension CheckFigure {
    /// The metric of a row. Nil where the row has nothing to measure.
    package static func measured(
        _ metric: PolicyRule.Metric, _ unit: PolicyRule.Unit, _ truth: Truth, in row: AccuracyRow
    ) -> CheckFigure? {
        guard metric != .coverage else { return coverage(row.coverage, unit, truth) }
        if metric.isOfSessions { return ofSessions(metric, row.sessions) }
        let statistics = truth == .message ? row.message : row.wire
        guard statistics.count > 0 else { return nil }
        let bytes = error(metric, statistics)
        var figure = CheckFigure(metric, bytes, unit)
        if unit == .percent {
            let calls = Double(statistics.count)
            let part = metric == .bias ? Double(statistics.errorTotal) : bytes * calls
            figure.value = percent(part, of: Double(statistics.truthTotal))
        }
        figure.truth = truth
        figure.isApproximate = statistics.isApproximate && [.p50Error, .p90Error, .p99Error].contains(metric)
        return figure
    }

    /// IP bytes, in all or per call. Nil per call without calls.
    package static func wire(
        _ metric: PolicyRule.Metric, _ costs: Directions<CostVector>, _ direction: Direction?, calls: Int
    ) -> CheckFigure? {
        let bytes =
            switch direction {
            case .up: Double(costs.up.internet)
            case .down: Double(costs.down.internet)
            case nil: Double(costs.up.internet) + Double(costs.down.internet)
            }
        if metric == .wire { return CheckFigure(.wire, bytes, .bytes) }
        return calls > 0 ? CheckFigure(.wirePerCall, bytes / Double(calls), .bytes) : nil
    }

    /// At the bound is within it. Beyond means by more than what the last bits of a quotient may differ by.
    package func exceeds(_ bound: Double) -> Bool {
        let slack = abs(bound) * 1e-12
        if let interval { return interval.lowerBound > bound + slack }
        return metric.isMinimum ? !(value >= bound - slack) : !(abs(value) <= bound + slack)
    }

    /// Of all that the figure can be every value must be beyond the bound, or none; else nobody can tell.
    func verdict(_ bound: Double) -> CheckOutcome.Verdict {
        guard let range else { return exceeds(bound) ? .violated : .passed }
        let slack = abs(bound) * 1e-12
        if range.lowerBound > bound + slack || range.upperBound < -bound - slack { return .violated }
        return max(abs(range.lowerBound), abs(range.upperBound)) <= bound + slack ? .passed : .unjudged
    }

    /// The error in total of calls that were read, and of calls of which only bounds are known.
    ///
    /// - Parameter read: nil: none was read.
    static func bias(_ unit: PolicyRule.Unit, read: ErrorStatistics?, unread: LogBounds.Side) -> CheckFigure {
        let (error, truth) = (Double(read?.errorTotal ?? 0), Double(read?.truthTotal ?? 0))
        let calls = Double((read?.count ?? 0) + unread.rows)
        // The more the messages have, the less the log has too much.
        let ends = [unread.most, unread.least].map { message in
            let sum = error + Double(unread.logged) - Double(message)
            return unit == .percent ? percent(sum, of: truth + Double(message)) : sum / calls
        }
        let isOpen = ends[0] <= 0 && ends[1] >= 0
        var figure = CheckFigure(.bias, isOpen ? 0 : abs(ends[0]) < abs(ends[1]) ? ends[0] : ends[1], unit)
        figure.range = ends[0]...max(ends[0], ends[1])
        return figure
    }

    /// Nil where the row is not of sessions.
    private static func ofSessions(_ metric: PolicyRule.Metric, _ quantiles: SessionQuantiles?) -> CheckFigure? {
        guard let quantiles else { return nil }
        let quantile =
            switch metric {
            case .p50SessionError: quantiles.p50
            case .p90SessionError: quantiles.p90
            default: quantiles.p99
            }
        var figure = CheckFigure(metric, quantile.value * 100, .percent)
        figure.interval = quantile.low * 100...max(quantile.low, quantile.high) * 100
        figure.isApproximate = true
        return figure
    }

    private static func coverage(_ coverage: Coverage, _ unit: PolicyRule.Unit, _ truth: Truth) -> CheckFigure? {
        let (part, whole) =
            switch (unit, truth) {
            case (.percentOfBytes, .message): (coverage.recordedMessageBytes, coverage.messageBytes)
            case (.percentOfBytes, .wire): (coverage.recordedWireBytes, coverage.wireBytes)
            default: (coverage.recordedCalls, coverage.calls)
            }
        guard whole > 0 else { return nil }
        var figure = CheckFigure(.coverage, percent(Double(part), of: Double(whole)), unit)
        figure.truth = truth
        return figure
    }

    /// Bytes of a call.
    private static func error(_ metric: PolicyRule.Metric, _ statistics: ErrorStatistics) -> Double {
        switch metric {
        case .error: statistics.meanAbsolute
        case .p50Error: statistics.p50
        case .p90Error: statistics.p90
        case .p99Error: statistics.p99
        case .maximumError: Double(statistics.maximum)
        default: statistics.bias
        }
    }

    package static func percent(_ part: Double, of whole: Double) -> Double {
        if whole > 0 { return part / whole * 100 }
        return part == 0 ? 0 : part < 0 ? -.infinity : .infinity
    }
}
