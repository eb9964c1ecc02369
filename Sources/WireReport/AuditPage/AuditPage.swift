import WireCore
import WireOpportunities
import WireRecords

/// What the page needs besides the audit's result.
public struct AuditPageInput {
    var additions: AuditAdditions
    var sample: TrafficSample

    /// - Parameters:
    ///   - additions: opportunities and header fields.
    ///   - sample: has received all records.
    public init(additions: AuditAdditions, sample: TrafficSample) {
        (self.additions, self.sample) = (additions, sample)
    }
}

/// A call in the records.
struct CallNumber: Hashable {
    var connection: Int
    var exchange: Int
}

/// The result with everything that the sections look up.
struct AuditPage {
    let result: AuditResult
    let options: ReportOptions
    let opportunities: OpportunityReport?
    let headerFields: [HeaderFieldRow]
    let trust: AuditTrust
    /// Largest first; those beyond the limits are in all sums, and in no table.
    let apis: [APISummary]
    let hosts: [HostSummary]
    let leftAPIs: Int
    let leftHosts: Int
    /// Wire bytes of all selected APIs.
    let apiWire: Int
    let calls: (shown: [TrafficSample.Call], all: Int)
    let connections: (shown: [TrafficSample.Connection], all: Int)
    /// Where they stand among those that are shown: connections by number, calls by connection and number.
    let connectionPlaces: [Int: Int]
    let callPlaces: [CallNumber: Int]
    let time: BytesOverTime
    private let sample: TrafficSample

    /// Rows of APIs and hosts that a page holds.
    static let mostAPIs = 5000
    static let mostHosts = 2000

    init(_ result: AuditResult, _ options: ReportOptions, _ input: AuditPageInput) {
        self.result = result
        self.options = options
        opportunities = input.additions.opportunities
        headerFields = input.additions.headerFields ?? []
        trust = AuditTrust(result)
        let apis = apiRows(result, options)
        let hosts = hostRows(result, options)
        self.apis = Array(apis.prefix(AuditPage.mostAPIs))
        self.hosts = Array(hosts.prefix(AuditPage.mostHosts))
        leftAPIs = apis.count - self.apis.count
        leftHosts = hosts.count - self.hosts.count
        apiWire = apis.reduce(0) { clampedSum($0, options.wire($1.costs)) }
        calls = input.sample.finishedCalls()
        connections = input.sample.finishedConnections()
        connectionPlaces = Dictionary(
            uniqueKeysWithValues: connections.shown.enumerated().map { ($0.element.number, $0.offset) })
        callPlaces = Dictionary(
            calls.shown.enumerated().map { place, call in
                (CallNumber(connection: call.connection, exchange: call.number), place)
            }
        ) { first, _ in first }
        time = input.sample.time
        sample = input.sample
    }

    var title: CaptureTitle { CaptureTitle(result, options) }

    /// What shares are of, and what that consists of.
    var whole: Int { options.whole(result.ledger) }
    var wholeInternet: Int { options.wholeInternet(result.ledger) }
    var wholeNoun: String { options.wholeNoun }

    /// The user chose hosts or APIs, and there are none such.
    var selectsNothing: Bool { !options.selection.isEmpty && apis.isEmpty && hosts.isEmpty }

    /// `whole` by what it was spent on.
    var groups: CostGroups {
        var groups = CostGroups(result.ledger.causes, options)
        groups[.other] = whole - groups.total
        return groups
    }

    func wire(_ row: APISummary) -> Int { options.wire(row.costs) }

    /// How the host's connections were used; nil where none carried anything.
    func reuse(_ host: HostSummary) -> HostReuse? {
        host.setup.usedConnections > 0 ? HostReuse(host.setup) : nil
    }

    /// The hosts that have a verdict about their connections, those with most bytes to save first.
    var reusedHosts: [(name: String, reuse: HostReuse)] {
        hostRows(result, options).compactMap { row in reuse(row).map { (name: row.host, reuse: $0) } }
            .sorted { ($1.reuse.saving, $0.name) < ($0.reuse.saving, $1.name) }
    }

    func protocols(_ host: HostSummary) -> String {
        let calls = host.unnamedCalls.map { ["\($0) calls not read"] } ?? []
        return (host.shownProtocols + calls).joined(separator: ", ")
    }

    /// When times of the page begin: the first packet, nanoseconds since the epoch.
    var start: Int64 {
        let packets = result.files.compactMap(\.first).min() ?? result.files.compactMap(\.last).min()
        return packets ?? connections.shown.map(\.time).min() ?? 0
    }

    /// Microseconds from the beginning.
    func place(_ time: Int64) -> Int { Int(clamping: (time &- start) / 1000) }
}

extension HostReuse {
    /// Whether the connections were used again, in a sentence; `wire`: what shares are of.
    func verdict(of wire: Int) -> String {
        let connections = counted(connections, "connection")
        guard self.connections > 0 else { return "no connection carried a call" }
        guard calls > 0 else {
            let needed =
                saving > 0
                ? "; \(grouped(needed)) would have been enough at one time: \(saved(of: wire))" : ""
            return "\(connections), calls not known\(needed)"
        }
        let subject = "\(connections) for \(counted(calls, "call"))\(unread > 0 ? " and what was not read" : "")"
        if saving == 0 {
            if self.connections == 1 { return calls > 1 ? "\(subject): reused" : subject }
            return "\(subject): each was needed"
        }
        if calls <= self.connections { return "\(subject): no reuse; \(saved(of: wire))" }
        return "\(subject); \(grouped(needed)) would have been enough: \(saved(of: wire))"
    }

    private func saved(of wire: Int) -> String {
        [sizeText(saving), percent(saving, of: wire)].compactMap(\.self).joined(separator: ", ")
    }
}
