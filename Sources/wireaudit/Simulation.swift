import WireAccuracy
import WireCore
import WireEstimates
import WireRecords
import WireReport

/// Estimators beside an audit or a list of exchanges.
final class Simulation {
    private var simulator: ExchangeSimulator

    /// Nil where none were asked for.
    init?(_ invocation: Invocation) {
        guard let words = invocation.estimators else { return nil }
        let estimators = Program.estimators(words)
        guard !estimators.isEmpty else { return nil }
        var needs: ContentNeeds = invocation.wantsOpportunities ? OpportunitySearch.needs : []
        if invocation.command == .exchanges, invocation.decodesBodies { needs.insert(.decodedSizes) }
        simulator = ExchangeSimulator(
            estimators, needs: needs, recompresses: invocation.recompresses,
            jobs: invocation.jobs ?? System.processorCount, limits: invocation.limits.content)
    }

    var examiner: ContentExaminer? { simulator.examiner }

    var estimators: [ChosenEstimator] { simulator.estimators }

    /// Records must come in the order of their times.
    func outcomes(_ record: inout ExchangeRecord) -> [EstimateOutcome] { simulator.simulate(&record).1 }

    var recordEstimates: RecordEstimates {
        RecordEstimates(names: estimators.map(\.id)) { record in self.outcomes(&record) }
    }
}

/// Sums estimates by API while an audit runs.
final class AuditEstimatesSink: AuditSink {
    let simulation: Simulation
    private var window: ReorderingWindow<ExchangeRecord>
    private var estimates: AuditEstimates

    /// - Parameter window: records that are sorted at one time.
    init(_ simulation: Simulation, window: Int) {
        self.simulation = simulation
        self.window = ReorderingWindow(capacity: window)
        estimates = AuditEstimates(
            simulation.estimators.map { .init(id: $0.id, title: $0.title, parameters: $0.parameters) })
    }

    func receive(_ record: ConnectionRecord) {}

    func receive(_ record: ExchangeRecord) {
        let order = RecordOrder(time: record.time, connection: record.connection, exchange: record.exchange)
        window.insert(record, order: order, textBytes: record.textBytes)
        while window.isOverfull, let next = window.removeSmallest() { take(next) }
    }

    private func take(_ record: ExchangeRecord) {
        var record = record
        estimates.add(simulation.outcomes(&record), api: String(decoding: record.api, as: UTF8.self))
    }

    func finish() -> AuditEstimates {
        while let next = window.removeSmallest() { take(next) }
        return estimates
    }
}
