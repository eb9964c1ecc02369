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
    let matching: LogMatching
    let hostRows: HostRows
    /// The exchanges as matching knows them.
    let wires: [WireCall]
    private var model: LogModel
    /// Exchanges of which a row may speak that might also be of another: nothing is said of them. By direction, up
    /// first.
    private let openCalls: [Set<Int32>]
    /// Exchanges that were redirected to another of the capture.
    private let mergedHops: Set<Int32>

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
        wires = calls.wireCalls(for: log)
        matching = LogMatcher.match(log, wires) { FigureJudge(log, calls, $0).test }
        hostRows = HostRows(log, matching, source: source, hosts: hosts, span: span)
        model = LogModel(log.format)
        openCalls = LogComparison.openCalls(matching)
        mergedHops = Set(wires.lazy.map(\.redirectedFrom).filter { $0 >= 0 })
    }

    /// Books every counted exchange into the table, and shows every figure. Returns the log's summary and what explains
    /// it.
    mutating func book(
        into table: inout AccuracyTable, sample: inout CallSample, apis: [String], onCall: ((AccuracyCall) -> Void)?
    ) -> (LogSummary, AccuracySource) {
        FigureJudge.learn(log, calls, matching) { _, row, exchange, direction in
            model.learn(row[direction], exchange, direction)
        }
        model.settle()
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
        summary.explainedFigures = figures.explained
        summary.comparedFigures = figures.compared
        var name = AccuracySource(id: id, title: log.path, kind: .log, note: model.text)
        name.unknown = unknown
        name.formulas = model.formulas
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
        /// A row may be of the exchange, or of another.
        var isOpen = false
    }

    private func figure(
        _ number: Int, _ call: KeptCall, _ direction: Direction, _ figures: inout (explained: Int, compared: Int)
    ) -> Figure {
        var figure = Figure(truth: CallTruth(call.record, options)[direction])
        if openCalls[direction == .up ? 0 : 1].contains(Int32(truncatingIfNeeded: number)) {
            figure.isOpen = true
            return figure
        }
        guard let row = row(number, direction) else {
            if isMergedHop(number) {
                figure.reason = .redirect
            } else if row(number, direction == .up ? .down : .up) != nil {
                figure.reason = .rowMissing
            }
            return figure
        }
        let logged = log.rows[row][direction]
        figure.row = row
        figure.total = logged.total
        if logged.total != nil { figure.causes = causes(row, call, direction, figure.truth, &figures) }
        return figure
    }

    private func book(
        _ figure: Figure, _ call: KeptCall, _ direction: Direction, _ table: inout AccuracyTable,
        _ sample: inout CallSample, _ unknown: inout Int
    ) {
        if figure.isOpen { return }
        guard figure.row != nil else {
            table.addUnseen(figure.reason, source: source, api: call.api, direction, figure.truth)
            return
        }
        guard let total = figure.total else {
            unknown += 1
            return
        }
        table.add(total, figure.causes, source: source, api: call.api, direction, figure.truth)
        let logged = figure.row.map { log.rows[$0][direction] }
        table.addParts(
            head: logged?.head, body: logged?.body, total: total, source: source, direction, figure.truth)
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
        shown.setup = figure.truth.setup
        shown.estimate = figure.total
        shown.causes = figure.causes
        shown.isCounted = call.isCounted
        if let row = figure.row {
            shown.row = log.rows[row].number
            shown.fate = matching.fates[row].word
            shown.isUnknown = figure.total == nil
        } else if figure.isOpen {
            shown.isAmbiguous = true
            shown.fate = LogMatching.Fate.ambiguous.word
        } else {
            shown.unseen = figure.reason
        }
        return shown
    }

    private func causes(
        _ row: Int, _ call: KeptCall, _ direction: Direction, _ truth: DirectionTruth,
        _ figures: inout (explained: Int, compared: Int)
    ) -> CauseLedger {
        let logged = log.rows[row][direction]
        guard call.record.requestHead != nil else {
            var causes = CauseLedger()
            causes[.unexplained] = (logged.total ?? 0) &- truth.message
            return causes
        }
        return model.explain(
            logged, call.exchange, direction, truth.message, tellsFailure: log.rows[row].tellsFailure, &figures)
    }

    /// Exchanges that ambiguous rows might have, and that no certain row has.
    private static func openCalls(_ matching: LogMatching) -> [Set<Int32>] {
        var open: [Set<Int32>] = [[], []]
        for (row, fate) in matching.fates.enumerated() where fate == .ambiguous {
            let own = matching.exchanges[row]
            for call in (matching.alternatives[Int32(truncatingIfNeeded: row)] ?? []) + (own < 0 ? [] : [own]) {
                for (side, rows) in [matching.requestRows, matching.responseRows].enumerated() {
                    let holder = rows[Int(call)]
                    if holder < 0 || matching.fates[Int(holder)] == .ambiguous { open[side].insert(call) }
                }
            }
        }
        return open
    }

    /// A hop of a redirected call whose log has one row for the whole call.
    private func isMergedHop(_ number: Int) -> Bool {
        guard matching.redirects == .task else { return false }
        return mergedHops.contains(Int32(truncatingIfNeeded: number))
    }

    /// Some row has a figure for the direction.
    private func makesStatement(_ direction: Direction) -> Bool {
        log.rows.contains { $0[direction] != LoggedBytes() }
    }

    /// Index of the row that speaks of the direction of an exchange.
    private func row(_ exchange: Int, _ direction: Direction) -> Int? {
        let index = direction == .up ? matching.requestRows[exchange] : matching.responseRows[exchange]
        return index < 0 ? nil : Int(index)
    }

    private func summary() -> LogSummary {
        var summary = LogSummary(source: source, path: log.path, format: log.format)
        summary.rows = log.rows.count + log.rejectedRows
        summary.rejected = log.rejectedRows
        summary.problems = log.problems
        summary.isIncomplete = log.isIncomplete
        summary.clock = matching.clock
        summary.redirects = matching.redirects
        summary.ambiguousBounds = ambiguousBounds()
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
        where call.isSelected && matching.requestRows[number] < 0 && matching.responseRows[number] < 0
            && openCalls.allSatisfy({ !$0.contains(Int32(truncatingIfNeeded: number)) }) && !isMergedHop(number)
        {
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

extension LogComparison {
    /// What ambiguous rows could add to the error of a direction, bytes: each by the least and the largest message that
    /// it may speak of. Nil where no row is ambiguous.
    fileprivate func ambiguousBounds() -> [Direction: ClosedRange<Int>]? {
        var bounds: [Direction: ClosedRange<Int>] = [:]
        for (index, fate) in matching.fates.enumerated() where fate == .ambiguous {
            let own = matching.exchanges[index]
            let others = matching.alternatives[Int32(truncatingIfNeeded: index)] ?? []
            let truths = (own < 0 ? others : [own] + others).map { CallTruth(calls.calls[Int($0)].record, options) }
            for direction in Direction.allCases {
                guard let total = log.rows[index][direction].total else { continue }
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

extension LogRow {
    subscript(direction: Direction) -> LoggedBytes { direction == .up ? up : down }
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
