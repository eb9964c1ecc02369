import WireCore

/// Finds what a capture's calls need not have cost.
///
/// Give it to an audit as its sink, with `AuditOptions.keepsHeads` and an examiner that knows digests and compressed sizes
/// of bodies:
///
///     let finder = OpportunityFinder(window: 65_536)
///     let result = try CaptureAudit(paths: paths, options: options).run(sink: finder, examiner: examiner)
///     let report = finder.finish(result)
///
/// Each figure is a sum of bytes that were captured, or of bytes that another compressor really wrote. What is computed
/// assumes that the rest of the traffic stays as it was.
public final class OpportunityFinder: AuditSink {
    private var window: ReorderingWindow<ExchangeRecord>
    private let includes: (ExchangeRecord) -> Bool
    private var stored = StoredResponses()
    private var connections = ConnectionUse()
    private var series = CallSeries()
    private var fields = HeaderFieldCosts()
    private var repeats = SubjectSums()
    private var revalidations = SubjectSums()
    private var uncompressed = SubjectSums()
    private var redirects = SubjectSums()
    private var resent = SubjectSums()
    private var calls = 0
    private var unreadCalls = 0

    /// - Parameters:
    ///   - window: records that are sorted by their times at one time.
    ///   - includes: exchanges that the report is about.
    public init(window: Int, includes: @escaping (ExchangeRecord) -> Bool = { _ in true }) {
        self.window = ReorderingWindow(capacity: window)
        self.includes = includes
    }

    public func receive(_ record: ConnectionRecord) { connections.take(record) }

    public func receive(_ record: ExchangeRecord) {
        let order = RecordOrder(time: record.time, connection: record.connection, exchange: record.exchange)
        window.insert(record, order: order, textBytes: record.textBytes)
        while window.isOverfull, let next = window.removeSmallest() { take(next) }
    }

    /// What the audit came to. To be asked for once, behind the audit.
    public func finish(_ result: AuditResult) -> OpportunityReport {
        while let next = window.removeSmallest() { take(next) }
        var report = OpportunityReport()
        report.wire = result.ledger.causes.up.internet + result.ledger.causes.down.internet
        report.unreadCalls = unreadCalls
        let (ofConnections, together) = connections.savings()
        let found = [
            repeats.opportunity(.freshRepeat, isComputed: true),
            revalidations.opportunity(.noRevalidation, isComputed: true),
            uncompressed.opportunity(.uncompressedBody, isComputed: true),
            redirects.opportunity(.redirect, isComputed: true),
            resent.opportunity(.retransmission, isComputed: false),
            fields.saved.opportunity(.headerCompression, isComputed: false),
        ]
        report.opportunities = (found.compactMap(\.self) + ofConnections + series.opportunities())
            .sorted { ($1.bytes, $0.kind.rawValue) < ($0.bytes, $1.kind.rawValue) }
        report.computedTotal = callTotal + together
        return report
    }

    /// What header fields cost, by API and name. To be asked for behind `finish`.
    public var headerFields: [HeaderFieldRow] { fields.report() }

    /// How connections were used, by host. To be asked for behind `finish`.
    public var reuse: [String: HostReuse] { connections.hosts() }

    /// What all computed ones about calls save together, bytes.
    private var callTotal = 0

    private func take(_ record: ExchangeRecord) {
        guard includes(record) else { return }
        let api = { String(decoding: record.api, as: UTF8.self) }
        let again = record.costs.up[.retransmission] + record.costs.down[.retransmission]
        if again > 0 { resent.add(again, api()) }
        connections.take(record)
        fields.take(record)
        guard record.requestHead != nil, record.responseHead != nil, record.response?.complete == true else {
            unreadCalls += 1
            return
        }
        let wire = OpportunityFinder.wire(record)
        series.take(record, wire: wire)
        let finding = stored.take(record)
        if isRedirect(record) {
            redirects.add(wire, api())
            callTotal += wire
        } else if finding == .call {
            repeats.add(wire, api())
            callTotal += wire
        } else {
            callTotal += max(takeRevalidation(record, finding, api), takeCompression(record, api))
        }
    }

    /// What a call cost besides the set-up and closing of its connection, without what was sent again and without packets
    /// that only acknowledge.
    private static func wire(_ record: ExchangeRecord) -> Int {
        [record.costs.up, record.costs.down].reduce(0) { sum, costs in
            sum + costs.internet - costs.connectionCost - costs[.keepalive] - costs[.retransmission] - costs[.ack]
        }
    }

    private func isRedirect(_ record: ExchangeRecord) -> Bool {
        guard let status = record.status, [301, 302, 303, 307, 308].contains(status) else { return false }
        return record.responseHead?.has("location") == true
    }

    /// 304 has no body; the fields of the response are sent all the same.
    private func takeRevalidation(
        _ record: ExchangeRecord, _ finding: StoredResponses.Finding, _ api: () -> String
    ) -> Int {
        guard case .body(let condition) = finding else { return 0 }
        let costs = record.responseCosts
        let body = costs[.body] + (record.stream == nil ? costs[.framing] : 0)
        let saved = body + PacketSaving.headers(removing: body, from: costs) - condition
        guard saved > 0 else { return 0 }
        revalidations.add(saved, api())
        return saved
    }

    /// The body as gzip made it here, with the field that names the coding.
    private func takeCompression(_ record: ExchangeRecord, _ api: () -> String) -> Int {
        guard record.response?.isCoded == false, let compressed = record.responseBody?.facts.gzipped else { return 0 }
        let costs = record.responseCosts
        let field = "Content-Encoding: gzip\r\n".utf8.count
        let fewer = costs[.body] - compressed - field
        guard fewer > 0 else { return 0 }
        let saved = fewer + PacketSaving.headers(removing: fewer, from: costs)
        uncompressed.add(saved, api())
        return saved
    }
}
