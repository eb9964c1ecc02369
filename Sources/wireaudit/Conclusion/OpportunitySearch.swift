import WireAccuracy
import WireCore
import WireEstimates
import WireOpportunities
import WireRecords
import WireReport

/// What looks for bytes that need not have been spent while an audit runs.
enum OpportunitySearch {
    /// What it wants to know of bodies.
    static let needs: ContentNeeds = [.compressibility, .digests]

    /// Gets the records; nil where nobody asked for opportunities or header fields.
    static func finder(_ invocation: Invocation) -> OpportunityFinder? {
        guard invocation.wantsOpportunities || invocation.wantsHeaderFields else { return nil }
        let selection = Selection(hosts: invocation.hosts, apis: invocation.apis)
        return OpportunityFinder(
            window: invocation.limits.accuracy.sortedRecords, includes: invocation.isSelected,
            includesHost: selection.includes(hostRow:))
    }

    /// Looks at bodies, where no estimator does; nil where opportunities are not asked for.
    static func examiner(_ invocation: Invocation) -> ContentExaminer? {
        guard invocation.wantsOpportunities else { return nil }
        return ContentExaminer(
            needs: needs, jobs: invocation.jobs ?? System.processorCount, limits: invocation.limits.content)
    }
}

/// Gives each record to several sinks.
final class SinkList: AuditSink {
    private let sinks: [any AuditSink]

    /// Nil where there is none.
    init?(_ sinks: [(any AuditSink)?]) {
        self.sinks = sinks.compactMap(\.self)
        if self.sinks.isEmpty { return nil }
    }

    func receive(_ record: ConnectionRecord) { for sink in sinks { sink.receive(record) } }

    func receive(_ record: ExchangeRecord) { for sink in sinks { sink.receive(record) } }

    func receive(needless connection: Int, cost: Int) {
        for sink in sinks { sink.receive(needless: connection, cost: cost) }
    }
}
