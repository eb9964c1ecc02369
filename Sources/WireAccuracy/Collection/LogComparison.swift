import WireCore
import WireEstimates

/// One log held against the exchanges of the capture.
struct LogComparison {
    let log: SDKLog
    let source: Int
    /// Name of the source in outputs.
    let id: String
    let calls: KeptCalls
    let options: AccuracyOptions
    private let matching: LogMatching
    private let hostRows: HostRows
    private var model: LogModel
    /// Matched rows from which the explaining formulas are chosen.
    private static let sampleSize = 4000

    /// Rows of hosts that nobody could read.
    var hostTotals: [HostLogTotal] { hostRows.totals }

    /// - Parameters:
    ///   - hosts: those that nobody could read, in the order of the result.
    ///   - span: the time of the capture.
    init(
        _ log: SDKLog, source: Int, id: String, calls: KeptCalls, hosts: [HostTotal], span: ClosedRange<Int64>?,
        options: AccuracyOptions
    ) {
        self.log = log
        self.source = source
        self.id = id
        self.calls = calls
        self.options = options
        matching = LogMatcher.match(log, calls.wireCalls(for: log))
        hostRows = HostRows(log, matching, source: source, hosts: hosts, span: span)
        model = LogModel(log.format)
    }

    /// Books every counted exchange into the table, and shows every figure. Returns the log's summary and what explains
    /// it.
    mutating func book(
        into table: inout AccuracyTable, sample: inout CallSample, apis: [String], onCall: ((AccuracyCall) -> Void)?
    ) -> (LogSummary, AccuracySource) {
        learn()
        var summary = summary()
        var unknown = 0
        var figures = (explained: 0, compared: 0)
        for direction in Direction.allCases where makesStatement(direction) {
            for (number, call) in calls.calls.enumerated() where call.isSelected {
                let figure = figure(number, call, direction, &figures)
                if call.isCounted { book(figure, call, direction, &table, &sample, &unknown) }
                onCall.map { $0(shown(figure, number, call, direction, apis)) }
            }
        }
        if let onCall { showUnmatched(onCall) }
        summary.explainedFigures = figures.explained
        summary.comparedFigures = figures.compared
        var name = AccuracySource(id: id, title: log.path, kind: .log, note: model.text)
        name.unknown = unknown
        return (summary, name)
    }

    /// What the log says of one direction of an exchange.
    private struct Figure {
        var truth: DirectionTruth
        /// Index of the row; nil: the log lacks the exchange.
        var row: Int?
        var total: Int?
        var causes = CauseLedger()
        /// Why there is no row.
        var reason = ErrorCause.scope
    }

    private func figure(
        _ number: Int, _ call: KeptCall, _ direction: Direction, _ figures: inout (explained: Int, compared: Int)
    ) -> Figure {
        var figure = Figure(truth: CallTruth(call.record, options)[direction])
        guard let row = row(number, direction) else {
            if row(number, direction == .up ? .down : .up) != nil { figure.reason = .rowMissing }
            return figure
        }
        let logged = bytes(log.rows[row], direction)
        figure.row = row
        figure.total = logged.total
        if logged.total != nil { figure.causes = causes(logged, call, direction, figure.truth, &figures) }
        return figure
    }

    private func book(
        _ figure: Figure, _ call: KeptCall, _ direction: Direction, _ table: inout AccuracyTable,
        _ sample: inout CallSample, _ unknown: inout Int
    ) {
        guard figure.row != nil else {
            table.addUnseen(figure.reason, source: source, api: call.api, direction, figure.truth)
            return
        }
        guard let total = figure.total else {
            unknown += 1
            return
        }
        table.add(total, figure.causes, source: source, api: call.api, direction, figure.truth)
        sample.add(
            ScatterPoint(
                source: source, api: call.api, direction: direction, message: figure.truth.message,
                wire: figure.truth.wire, estimate: total))
    }

    private func shown(
        _ figure: Figure, _ number: Int, _ call: KeptCall, _ direction: Direction, _ apis: [String]
    ) -> AccuracyCall {
        var shown = AccuracyCall(
            source: id, exchange: AccuracyCall.Exchange(call.record, api: apis[call.api]), direction: direction)
        shown.message = figure.truth.message
        shown.wire = figure.truth.wire
        shown.estimate = figure.total
        shown.causes = figure.causes
        shown.isCounted = call.isCounted
        if let row = figure.row {
            shown.row = log.rows[row].number
            shown.fate = matching.fates[row].word
            shown.isUnknown = figure.total == nil
        } else {
            shown.unseen = figure.reason
        }
        return shown
    }

    private func showUnmatched(_ onCall: (AccuracyCall) -> Void) {
        for (index, row) in log.rows.enumerated() where matching.exchanges[index] < 0 {
            for direction in Direction.allCases {
                guard row.kind == .exchange || (row.kind == .request) == (direction == .up) else { continue }
                var shown = AccuracyCall(source: id, exchange: nil, direction: direction)
                shown.row = row.number
                shown.fate = word(ofUnmatched: index)
                shown.estimate = bytes(row, direction).total
                shown.isCounted = false
                onCall(shown)
            }
        }
    }

    /// What became of a row without an exchange.
    private func word(ofUnmatched row: Int) -> String {
        switch hostRows.places[row] {
        case .elsewhere: matching.fates[row].word
        case .taken: "host-total"
        case .outside: LogMatching.Fate.outsideCapture.word
        }
    }

    private func causes(
        _ logged: LoggedBytes, _ call: KeptCall, _ direction: Direction, _ truth: DirectionTruth,
        _ figures: inout (explained: Int, compared: Int)
    ) -> CauseLedger {
        guard call.record.requestHead != nil else {
            var causes = CauseLedger()
            causes[.unexplained] = (logged.total ?? 0) &- truth.message
            return causes
        }
        return model.explain(logged, call.exchange, direction, truth.message, &figures)
    }

    private mutating func learn() {
        var taken = 0
        for (number, call) in calls.calls.enumerated() {
            guard taken < LogComparison.sampleSize, call.isCounted, call.record.requestHead != nil else { continue }
            let rows = Direction.allCases.compactMap { direction in
                row(number, direction).map { (direction, $0) }
            }
            guard !rows.isEmpty else { continue }
            taken += 1
            let exchange = call.exchange
            for (direction, row) in rows { model.learn(bytes(log.rows[row], direction), exchange, direction) }
        }
        model.settle()
    }

    /// Some row has a figure for the direction.
    private func makesStatement(_ direction: Direction) -> Bool {
        log.rows.contains { bytes($0, direction) != LoggedBytes() }
    }

    /// Index of the row that speaks of the direction of an exchange.
    private func row(_ exchange: Int, _ direction: Direction) -> Int? {
        let index = direction == .up ? matching.requestRows[exchange] : matching.responseRows[exchange]
        return index < 0 ? nil : Int(index)
    }

    private func bytes(_ row: LogRow, _ direction: Direction) -> LoggedBytes {
        direction == .up ? row.up : row.down
    }

    private func summary() -> LogSummary {
        var summary = LogSummary(source: source, path: log.path, format: log.format)
        summary.rows = log.rows.count + log.rejectedRows
        summary.rejected = log.rejectedRows
        summary.problems = log.problems
        summary.isIncomplete = log.isIncomplete
        summary.clock = matching.clock
        for (row, fate) in matching.fates.enumerated() {
            let exchange = matching.exchanges[row]
            if exchange >= 0, !calls.calls[Int(exchange)].isSelected {
                summary.notSelected += 1
                continue
            }
            switch hostRows.places[row] {
            case .elsewhere: break
            case .taken:
                summary.hostTotal += 1
                continue
            case .outside:
                summary.outsideCapture += 1
                continue
            }
            switch fate {
            case .matched: summary.matched += 1
            case .ambiguous: summary.ambiguous += 1
            case .duplicate: summary.duplicates += 1
            case .withoutExchange: summary.withoutExchange += 1
            case .foreignHost: summary.foreignHost += 1
            case .outsideCapture: summary.outsideCapture += 1
            }
        }
        summary.exchangesTotal = calls.calls.count { $0.isSelected }
        for (number, call) in calls.calls.enumerated()
        where call.isSelected && matching.requestRows[number] < 0 && matching.responseRows[number] < 0 {
            let truth = CallTruth(call.record, options)
            summary.exchangesUnseen += 1
            summary.unseenMessageBytes += truth.up.message + truth.down.message
            summary.unseenWireBytes += truth.up.wire + truth.down.wire
        }
        if calls.headsDropped > 0 {
            summary.problems.append(
                LogProblem(
                    what: "exchanges are beyond the limit kept-heads: their errors are not told by cause",
                    count: calls.headsDropped, firstRow: nil))
        }
        return summary
    }
}

extension LogMatching.Fate {
    /// In outputs.
    public var word: String {
        switch self {
        case .matched: "matched"
        case .ambiguous: "ambiguous"
        case .duplicate: "duplicate"
        case .withoutExchange: "without-exchange"
        case .foreignHost: "foreign-host"
        case .outsideCapture: "outside-capture"
        }
    }
}
