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
    private let includesHost: (String) -> Bool
    private var stored = StoredResponses()
    private var connections = ConnectionSavings()
    private var series = CallSeries()
    private var fields = HeaderFieldCosts()
    private var tables = HeaderTables()
    private var knownRedirects = KnownRedirects()
    private var sums: [Opportunity.Kind: SubjectSums] = [:]
    private var unreadCalls = 0
    /// By connection; beyond a limit further ones are left out.
    private var spared: [Int: SparedCalls] = [:]
    private static let sparedLimit = 65_536
    /// What all computed ones about calls save together, by the kind that saves it: bytes.
    private var together: [Opportunity.Kind: Int] = [:]

    /// - Parameters:
    ///   - window: records that are sorted by their times at one time.
    ///   - includes: exchanges that the report is about. What others tell is known all the same: a cache holds their
    ///     responses, too.
    ///   - includesHost: hosts that it is about.
    public init(
        window: Int, includes: @escaping (ExchangeRecord) -> Bool = { _ in true },
        includesHost: @escaping (String) -> Bool = { _ in true }
    ) {
        self.window = ReorderingWindow(capacity: window)
        self.includes = includes
        self.includesHost = includesHost
    }

    public func receive(_ record: ConnectionRecord) { connections.take(record) }

    public func receive(needless connection: Int, cost: Int) { connections.take(needless: connection, cost: cost) }

    public func receive(_ record: ExchangeRecord) {
        connections.take(record)
        let order = RecordOrder(time: record.time, connection: record.connection, exchange: record.exchange)
        window.insert(record, order: order, textBytes: record.textBytes)
        while window.isOverfull, let next = window.removeSmallest() { take(next) }
    }

    /// What the audit came to. To be asked for once, behind the audit.
    public func finish(_ result: AuditResult) -> OpportunityReport {
        while let next = window.removeSmallest() { take(next) }
        var report = OpportunityReport()
        report.wire = result.ledger.layers.internet
        report.unreadCalls = unreadCalls
        let savings = connections.savings(includesHost, spared: spared, fields: tables.savings)
        for (calls, part) in savings.unopened {
            sums[calls.kind, default: SubjectSums()].add(part, count: 0, String(decoding: calls.api, as: UTF8.self))
            together[calls.kind, default: 0] += part.bytes
        }
        var found = sums.compactMap { kind, sum in sum.opportunity(kind, isComputed: kind.isComputed) }
        found += [reuse(result), fields.saved.opportunity(.headerCompression, isComputed: false)].compactMap(\.self)
        found += savings.found + series.opportunities()
        report.opportunities = found.filter { OpportunityFinder.matters($0.bytes, of: report.wire) }
            .sorted { ($1.bytes, $0.kind.rawValue) < ($0.bytes, $1.kind.rawValue) }
        // Certificates that are compressed and left out are one sum.
        var kinds = Set(report.opportunities.map(\.kind))
        if kinds.contains(.certificateCompression) { kinds.insert(.certificateChain) }
        report.computedTotal = together.merging(savings.together) { $0 + $1 }.reduce(0) {
            kinds.contains($1.key) ? $0 + $1.value : $0
        }
        return report
    }

    /// What header fields cost, by API and name. To be asked for behind `finish`.
    public var headerFields: [HeaderFieldRow] { fields.report() }

    /// Below a thousandth of all, and a kilobyte, nobody would change anything.
    private static func matters(_ bytes: Int, of wire: Int) -> Bool { bytes >= 1000 || bytes * 1000 >= wire }

    /// What the table of set-up says of connections that were not needed: it is one figure.
    private func reuse(_ result: AuditResult) -> Opportunity? {
        var sum = SubjectSums()
        var (closes, hidesSetup) = (Opportunity.ServerCloses?.none, false)
        let needless = connections.needlessParts(tables.savings)
        for row in result.hosts where includesHost(row.host) && row.setup.reuseSaving > 0 {
            let count = row.setup.usedConnections - row.setup.neededConnections
            sum.add(row.setup.reuseSaving, count: count, row.host)
            for (part, fields) in needless[row.host] ?? [] {
                sum.add(fields, count: 0, row.host)
                sum.parts.add(part)
            }
            hidesSetup = hidesSetup || row.setup.unreadConnections > 0
            if let some = connections.serverCloses[row.host] {
                let others = closes ?? Opportunity.ServerCloses(count: 0, shortestIdle: .max)
                closes = Opportunity.ServerCloses(
                    count: others.count + some.count, shortestIdle: min(others.shortestIdle, some.shortestIdle))
            }
        }
        var opportunity = sum.opportunity(.connectionReuse, isComputed: true)
        opportunity?.serverCloses = closes
        opportunity?.hidesSetup = hidesSetup
        return opportunity
    }

    private func add(_ kind: Opportunity.Kind, _ bytes: Int, _ record: ExchangeRecord) {
        let part = Opportunity.Part(record, bytes: bytes)
        sums[kind, default: SubjectSums()].add(part, String(decoding: record.api, as: UTF8.self))
    }

    private func take(_ record: ExchangeRecord) {
        let isIncluded = includes(record)
        let isWhole =
            record.requestHead != nil && record.responseHead != nil && record.response?.complete == true
        let finding = stored.take(record)
        let isRedirect = knownRedirects.take(record)
        let wire = OpportunityFinder.wire(record)
        if isWhole { series.take(record, wire: wire, isIncluded: isIncluded) }
        let isSpared = isIncluded && isWhole && (isRedirect || finding == .call)
        if !isSpared {
            connections.take(needed: record)
            spared[record.connection]?.headers = Directions(up: 0, down: 0)
        }
        grow(record.connection, by: tables.take(record, isSpared: isSpared))
        guard isIncluded else { return }
        let again = record.costs.up[.retransmission] + record.costs.down[.retransmission]
        if again > 0 { add(.retransmission, again, record) }
        fields.take(record)
        guard isWhole else {
            unreadCalls += 1
            return
        }
        guard !isSpared else { return spare(record, isRedirect ? .redirect : .freshRepeat, wire) }
        if record.responseCosts[.body] > 0, record.responseBody?.facts.digest == nil { unreadCalls += 1 }
        takeBodies(record, finding)
    }

    /// Takes a call that need not be made.
    private func spare(_ record: ExchangeRecord, _ kind: Opportunity.Kind, _ wire: Int) {
        let isKnown = spared.count < OpportunityFinder.sparedLimit || spared[record.connection] != nil
        var calls = spared[record.connection] ?? SparedCalls(kind: kind, api: record.api)
        let saved = calls.add(record, wire)
        add(kind, saved, record)
        together[kind, default: 0] += saved
        if isKnown { spared[record.connection] = calls }
    }

    /// Header fields that calls which need not be made carried first would cost so much elsewhere.
    private func grow(_ connection: Int, by bytes: Int) {
        guard bytes > 0, let calls = spared[connection] else { return }
        sums[calls.kind]?.add(-bytes, count: 0, String(decoding: calls.api, as: UTF8.self))
        sums[calls.kind]?.parts.reduce(connection: connection, exchange: calls.exchange, by: bytes)
        together[calls.kind, default: 0] -= bytes
    }

    /// What a call cost besides the set-up and closing of its connection, without packets that only acknowledge. Of the first
    /// of a connection what was sent again is left out: that may have been set-up.
    private static func wire(_ record: ExchangeRecord) -> Int {
        [record.costs.up, record.costs.down].reduce(0) { sum, costs in
            let again = record.exchange > 0 ? costs[.retransmission] : 0
            return sum + costs.attributable + again - costs.connectionCost
        }
    }

    private func takeBodies(_ record: ExchangeRecord, _ finding: StoredResponses.Finding) {
        var revalidated = 0
        switch finding {
        case .body(let condition):
            revalidated = max(OpportunityFinder.body(record) - condition, 0)
            if revalidated > 0 { add(.noRevalidation, revalidated, record) }
        case .noValidator:
            let bytes = OpportunityFinder.body(record)
            if bytes > 0 { add(.missingValidator, bytes, record) }
        case .nothing, .call: break
        }
        var compressed = 0
        if let saving = BodyCompression(response: record) {
            let kind = saving.opportunity
            add(kind, saving.bytes, record)
            if kind == .uncompressedBody { compressed = saving.bytes }
        }
        if let saving = BodyCompression(request: record) { add(saving.opportunity, saving.bytes, record) }
        guard revalidated > 0 || compressed > 0 else { return }
        let kind = revalidated >= compressed ? Opportunity.Kind.noRevalidation : .uncompressedBody
        together[kind, default: 0] += max(revalidated, compressed)
    }

    /// What a response without its body would have saved: 304 has none; its fields are sent all the same.
    private static func body(_ record: ExchangeRecord) -> Int {
        let costs = record.responseCosts
        let body = costs[.body] + (record.stream == nil ? costs[.framing] : 0)
        return body > 0 ? body + PacketSaving.headers(removing: body, from: costs) : 0
    }
}

extension Opportunity.Kind {
    /// Of what is found in calls: it is a sum of captured bytes, and the fix is in the hands of who reads it.
    fileprivate var isComputed: Bool {
        switch self {
        case .freshRepeat, .noRevalidation, .uncompressedBody, .redirect: true
        default: false
        }
    }
}
