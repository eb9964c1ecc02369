import WireCore
import WireEstimates
import WireLogs
import WireNative

/// Receives the records of an audit and tells how far estimates are off.
///
///     let collector = AccuracyCollector(try EstimatorCatalog.choose("standard"))
///     let audit = try CaptureAudit(paths: ["shop.pcap"], options: collector.auditOptions)
///         .run(sink: collector, examiner: collector.examiner)
///     let result = collector.finish()
public final class AccuracyCollector: AuditSink {
    private var simulator: ExchangeSimulator
    private let logs: [SDKLog]
    private let options: AccuracyOptions
    private let isSelected: (ExchangeRecord) -> Bool
    private let onCall: ((AccuracyCall) -> Void)?
    private let onRow: ((JoinedRow) -> Void)?
    private var window: ReorderingWindow<ExchangeRecord>
    private var table: AccuracyTable
    private var sample: CallSample
    private var calls: KeptCalls
    private var result = AccuracyResult()
    private var apiNumbers: [[UInt8]: Int] = [:]
    private var leftOut: [String: Int] = [:]
    private var unknown: [Int]
    private var unstated: [Int]
    private var addedBytes: [Int]
    private let hostsOfLogs: Set<[UInt8]>
    private let keepsAllHeads: Bool
    private var unreadHosts: UnreadHosts
    /// Once finished, the exact sums that the rows were computed from; only where they are kept.
    public private(set) var sums: [CallKey: CallSums] = [:]
    /// The sums are to be kept.
    public var keepsSums = false

    /// - Parameters:
    ///   - estimators: what to simulate.
    ///   - logs: what the app recorded; compared when all records are in.
    ///   - isSelected: exchanges that the report is about.
    ///   - onCall: shown every single figure, those of logs after the others, without a calibration.
    ///   - onRow: shown what became of each row of the logs, after all figures of the log.
    ///   - calibration: added to the figures of the first log or, without logs, of the first estimator.
    public init(
        _ estimators: [ChosenEstimator], logs: [SDKLog] = [], options: AccuracyOptions = AccuracyOptions(),
        isSelected: @escaping (ExchangeRecord) -> Bool = { _ in true }, onCall: ((AccuracyCall) -> Void)? = nil,
        onRow: ((JoinedRow) -> Void)? = nil, calibration: Calibration? = nil
    ) {
        let needs = logs.reduce(ContentNeeds()) { $0.union(LogModel($1).needs) }
        simulator = ExchangeSimulator(
            estimators, needs: needs, recompresses: options.recompresses, jobs: options.jobs,
            limits: options.content)
        window = ReorderingWindow(capacity: options.sortedRecords)
        calls = KeptCalls(headLimit: options.headLimit)
        self.logs = logs
        self.options = options
        self.isSelected = isSelected
        self.onCall = onCall
        self.onRow = onRow
        table = AccuracyTable(sources: estimators.count + logs.count)
        table.correction = calibration.map { CalibrationCorrection($0, source: logs.isEmpty ? 0 : estimators.count) }
        sample = CallSample(sources: estimators.count + logs.count, seed: options.seed)
        unknown = Array(repeating: 0, count: estimators.count)
        unstated = unknown
        addedBytes = unknown
        hostsOfLogs = Set(logs.flatMap { log in Set(log.rows.map(\.host)).compactMap { $0 < 0 ? nil : log.texts[$0] } })
        unreadHosts = UnreadHosts(options)
        keepsAllHeads = logs.contains { $0.rows.contains { $0.host < 0 } }
    }

    /// To be given to the audit.
    public var examiner: ContentExaminer? { simulator.examiner }

    public func receive(_ record: ConnectionRecord) {
        unreadHosts.take(record)
        if !logs.isEmpty { calls.note(record) }
    }

    public func receive(_ record: ExchangeRecord) {
        let order = RecordOrder(time: record.time, connection: record.connection, exchange: record.exchange)
        window.insert(record, order: order, textBytes: record.textBytes)
        while window.isOverfull, let next = window.removeSmallest() { take(next) }
    }

    private func take(_ record: ExchangeRecord) {
        var record = record
        let (exchange, outcomes) = simulator.simulate(&record)
        // Logs are compared with the whole capture: rows of other exchanges must find them too.
        let isSelected = isSelected(record)
        guard isSelected || !logs.isEmpty else { return }
        let api = isSelected ? apiNumber(record.api) : -1
        let reason = record.reasonLeftOut
        if !logs.isEmpty {
            calls.append(
                record, api: api, isWhole: reason == nil, isSelected: isSelected,
                keepsHead: keepsAllHeads || hostsOfLogs.contains(Authority(exchange.host).hostInURL),
                redirect: simulator.redirect)
        }
        guard isSelected else { return }
        result.exchanges += 1
        if let reason {
            leftOut[reason, default: 0] += 1
            return
        }
        result.counted += 1
        result.apiCalls[api] += 1
        let truth = CallTruth(record, options)
        if keepsSums { for direction in Direction.allCases { table.count(api: api, direction, truth[direction]) } }
        for (source, outcome) in outcomes.enumerated() {
            book(outcome, source, api, truth)
            if let request = exchange.request {
                addedBytes[source] += simulator.estimators[source].estimator.addedBytes(request)
            }
            if onCall != nil { show(outcome, source, record, truth) }
        }
    }

    private func apiNumber(_ name: [UInt8]) -> Int {
        if let number = apiNumbers[name] { return number }
        let number = result.apis.count
        apiNumbers[name] = number
        result.apis.append(String(decoding: name, as: UTF8.self))
        result.apiCalls.append(0)
        table.correction?.addAPI(result.apis[number])
        return number
    }

    private func book(_ outcome: EstimateOutcome, _ source: Int, _ api: Int, _ truth: CallTruth) {
        switch outcome {
        case .recorded(let up, let down):
            if up?.isUnknown == true || down?.isUnknown == true { unknown[source] += 1 }
            for direction in Direction.allCases {
                guard let estimate = direction == .up ? up : down, !estimate.isUnknown else { continue }
                if estimate.statesNoSize {
                    unstated[source] += 1
                    continue
                }
                let truth = truth[direction]
                table.add(estimate.total ?? 0, estimate.causes, source: source, api: api, direction, truth)
                table.addParts(
                    head: estimate.headers.map { $0 + (estimate.startLine ?? 0) }, body: estimate.body,
                    total: estimate.total ?? 0, source: source, direction, truth)
                sample.add(
                    ScatterPoint(
                        source: source, api: api, direction: direction, message: truth.message, wire: truth.wire,
                        estimate: estimate.total ?? 0))
            }
        case .unseen(let cause):
            for direction in Direction.allCases {
                table.addUnseen(cause, source: source, api: api, direction, truth[direction])
            }
        case .unknown: unknown[source] += 1
        }
    }

    private func show(_ outcome: EstimateOutcome, _ source: Int, _ record: ExchangeRecord, _ truth: CallTruth) {
        for direction in Direction.allCases {
            var call = AccuracyCall(
                source: simulator.estimators[source].id, exchange: AccuracyCall.Exchange(record),
                direction: direction)
            call.message = truth[direction].message
            call.wire = truth[direction].wire
            call.setup = truth[direction].setup
            switch outcome {
            case .recorded(let up, let down):
                guard let estimate = direction == .up ? up : down else { continue }
                call.isUnknown = estimate.isUnknown || estimate.statesNoSize
                if call.isUnknown { break }
                call.estimate = estimate.total
                call.causes = estimate.causes
                call.isFailed = truth[direction].isFailed(estimate.causes)
            case .unseen(let cause): call.unseen = cause
            case .unknown: call.isUnknown = true
            }
            onCall?(call)
        }
    }

    /// To be called once, after the audit.
    public func finish() -> AccuracyResult {
        while let record = window.removeSmallest() { take(record) }
        for (index, chosen) in simulator.estimators.enumerated() {
            var source = AccuracySource(
                id: chosen.id, title: chosen.title, kind: .simulated, note: chosen.parameters)
            source.unknown = unknown[index]
            source.unstated = unstated[index]
            source.addedBytes = addedBytes[index]
            source.isExactOnHTTP1 = chosen.estimator.isExactOnHTTP1
            result.sources.append(source)
        }
        if !logs.isEmpty { result.hosts = unreadHosts.finish() }
        result.failedHandshakes = unreadHosts.finishFailed()
        for (index, log) in logs.enumerated() {
            var comparison = LogComparison(
                log, source: simulator.estimators.count + index, id: logName(index), calls: calls, hosts: result.hosts,
                unread: unreadHosts)
            result.hostLogs += comparison.hostTotals
            let (summary, source) = comparison.book(into: &table, sample: &sample, apis: result.apis, onCall: onCall)
            if let onRow { comparison.showRows(result.apis, onRow) }
            result.screens +=
                LogScreens(
                    log, source: simulator.estimators.count + index, calls: calls, options: options,
                    isUnread: comparison.isUnread
                ).rows
            result.logs.append(summary)
            result.sources.append(source)
        }
        (result.parts, result.encryption) = table.questionRows
        result.calibration = table.correction?.effect
        result.calibratedSource = table.correction == nil ? nil : logs.isEmpty ? 0 : simulator.estimators.count
        result.expectations = table.correction?.expectations(result.apis) ?? []
        (result.rows, result.totals) = table.rows(seed: options.seed, jobs: options.jobs)
        if keepsSums { sums = table.sums(result.sources, result.apis) }
        result.addAmbiguityToTotals()
        result.leftOut = leftOut.sorted { $0.key < $1.key }.map { (reason: $0.key, count: $0.value) }
        result.scatter = sample.all
        if let examiner { result.work = examiner.contentWork }
        return result
    }
}

extension AccuracyCollector {
    /// A log is named by its file, wherever that lies: results of other days and machines can be held beside it. Logs
    /// of one name are numbered.
    private func logName(_ index: Int) -> String {
        let names = logs.map { log in log.path.split(separator: "/").last.map(String.init) ?? log.path }
        let before = names[..<index].count { $0 == names[index] }
        return before == 0 ? names[index] : "\(names[index]) #\(before + 1)"
    }
}

extension AccuracyCall.Exchange {
    package init(_ record: ExchangeRecord, api: String? = nil) {
        self.init(
            file: record.file, connection: record.connection, exchange: record.exchange, time: record.time,
            api: api ?? String(decoding: record.api, as: UTF8.self))
        http = record.httpVersion
        tls = record.tlsVersion
    }
}

extension AccuracyResult {
    /// Logs know what their ambiguous rows could add to an error; bounds are of the error in total.
    fileprivate mutating func addAmbiguityToTotals() {
        for index in logs.indices {
            for (direction, added) in logs[index].ambiguousBounds ?? [:] {
                let total = totals.first { $0.source == logs[index].source && $0.direction == direction }
                let error = total?.message.errorTotal ?? 0
                logs[index].ambiguousBounds?[direction] = added.adding(error...error)
            }
        }
    }
}
