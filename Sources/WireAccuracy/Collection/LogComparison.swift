import WireCore
import WireEstimates
import WireJoin
import WireLogs

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
    let failedRows: FailedHandshakeRows
    /// Hosts with TLS connections that were decrypted in part.
    let partlyRead: Set<[UInt8]>
    /// What the figures of rows can be whose calls nobody could read.
    let bounded: BoundedRows.Result
    let explanation: BoundsExplanation?
    let cutURLs: CutURLs?
    /// The exchanges as matching knows them.
    let wires: [WireCall]
    private var model: LogModel
    /// Exchanges of which a row may speak that might also be of another: nothing is said of them. By direction, up
    /// first.
    let openCalls: [Set<Int32>]
    let unjoined: UnjoinedCalls
    /// Exchanges that were redirected to another of the capture.
    private let mergedHops: Set<Int32>

    /// Rows of hosts that nobody could read.
    var hostTotals: [HostLogTotal] { hostRows.totals }

    /// - Parameters:
    ///   - hosts: those that nobody could read, in the order of the result.
    ///   - unread: all that is known of connections that were not read.
    init(
        _ log: SDKLog, source: Int, id: String, calls: KeptCalls, hosts: [HostTotal], unread: UnreadHosts
    ) {
        cutURLs = CutURLs(log, calls.calls)
        let wires = calls.wireCalls(for: log, cutURLs)
        let mayHaveForeignPorts = log.format == .har || log.format == .charles
        var log = mayHaveForeignPorts ? log.withoutForeignPorts(wires, unread.hidden.clientPorts) : log
        self.source = source
        self.id = id
        self.calls = calls
        options = unread.options
        self.wires = wires
        let read = log
        matching = LogMatcher.match(log, wires) { FigureJudge(read, calls, $0).test }
        if let jump = matching.jump { log = jump.mended(log) }
        self.log = log
        let candidates = HostRows.candidates(log, matching, hosts: hosts)
        var bounded = BoundedRows(log, rows: candidates.map(\.row), unread.hidden, options.apiNames)
        bounded.addStrangers(LogComparison.strangers(log, matching, known: candidates.map(\.row)))
        let clock = bounded.findClock(matching.clock)
        hostRows = HostRows(log, candidates, clock: clock, source: source, hosts: hosts, span: unread.span)
        let result = bounded.bounds { [hostRows] in hostRows.places[$0] == .taken }
        self.bounded = result
        explanation = options.explainedRow.flatMap { [bounded] in bounded.explanation(ofRow: $0, result) }
        failedRows = FailedHandshakeRows(log, matching, unread.failedConnections)
        partlyRead = unread.partlyRead
        model = LogModel(log)
        openCalls = LogComparison.openCalls(matching)
        unjoined = UnjoinedCalls(log, matching, calls, wires)
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
        var figures = FigureTally()
        for direction in Direction.allCases where makesStatement(direction) {
            var estimator = SampleEstimator()
            for (number, call) in calls.calls.enumerated() where call.isSelected {
                let figure = figure(number, call, direction, &figures)
                if call.isCounted, figure.row != nil || !mayBeMergedHop(number) { add(figure, call, to: &estimator) }
                if call.isCounted { book(figure, call, direction, &table, &sample, &unknown) }
                onCall.map { $0(shown(figure, number, call, direction, apis)) }
            }
            if summary.sample != nil, direction == .up { summary.sample?.up = estimator.estimate }
            if summary.sample != nil, direction == .down { summary.sample?.down = estimator.estimate }
        }
        summary.explainedFigures = figures.explained
        summary.comparedFigures = figures.compared
        summary.sessionDoubt = matching.clock.pairs > 0 ? sessionDoubt(figures) : nil
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
        _ number: Int, _ call: KeptCall, _ direction: Direction, _ figures: inout FigureTally
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
            } else {
                figure.reason = unjoined.reason(number)
            }
            return figure
        }
        let logged = log.rows[row][direction]
        figure.row = row
        // The platform's word for an unknown length is -1: a row that has it states no size.
        figure.total = logged.total.flatMap { $0 < 0 ? nil : $0 }
        if figure.total != nil { figure.causes = causes(row, call, direction, figure.truth, &figures) }
        return figure
    }

    private func book(
        _ figure: Figure, _ call: KeptCall, _ direction: Direction, _ table: inout AccuracyTable,
        _ sample: inout CallSample, _ unknown: inout Int
    ) {
        if figure.isOpen { return }
        guard figure.row != nil else {
            // Other programs, or other parts of the app, have hosts of their own.
            if figure.reason == .foreignHost { return }
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

    /// Of a call that the log could have.
    private func add(_ figure: Figure, _ call: KeptCall, to estimator: inout SampleEstimator) {
        let isNone = figure.row == nil && (figure.reason == .redirect || figure.reason == .foreignHost)
        if isNone { return }
        estimator.add(
            api: call.api, isFailed: call.record.response?.complete != true, size: figure.truth.message,
            error: figure.isOpen ? nil : figure.total.map { $0 &- figure.truth.message })
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
        shown.isFailed = figure.truth.isFailed(figure.causes)
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
        _ figures: inout FigureTally
    ) -> CauseLedger {
        let logged = log.rows[row][direction]
        guard call.record.requestHead != nil else {
            var causes = CauseLedger()
            causes[.unexplained] = (logged.total ?? 0) &- truth.message
            return causes
        }
        var counts = (explained: 0, compared: 0)
        let causes = model.explain(
            logged, call.exchange, direction, truth.message, tellsFailure: log.rows[row].tellsFailure, &counts)
        figures.add(counts, total: logged.total)
        return causes
    }

    /// Rows that found no exchange, over whatever TLS: their calls may have been over connections that nobody could read.
    private static func strangers(_ log: SDKLog, _ matching: LogMatching, known: [Int]) -> [Int] {
        let known = Set(known)
        return log.rows.indices.filter { index in
            switch matching.fates[index] {
            case .withoutExchange, .foreignHost: !log.rows[index].isPlain && !known.contains(index)
            case .matched, .ambiguous, .duplicate, .outsideCapture: false
            }
        }
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

    /// A hop of a redirected call, for which a log whose rows do not tell how it records such calls may have no row.
    private func mayBeMergedHop(_ number: Int) -> Bool {
        matching.redirects == nil && mergedHops.contains(Int32(truncatingIfNeeded: number))
    }

    /// A hop of a redirected call whose log has one row for the whole call.
    func isMergedHop(_ number: Int) -> Bool {
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

extension SDKLog {
    /// HAR's `connection` may be any mark of a connection, and Charles's client port is not that of its own connections to
    /// servers. Where no connection of the capture has one of the numbers as its
    /// client's port, they are no ports, and do not tell calls apart.
    fileprivate func withoutForeignPorts(_ wires: [WireCall], _ unread: some Sequence<UInt16>) -> SDKLog {
        let ports = Set(wires.map(\.clientPort)).union(unread)
        guard !rows.contains(where: { $0.clientPort != 0 && ports.contains($0.clientPort) }) else { return self }
        var log = self
        for index in log.rows.indices { log.rows[index].clientPort = 0 }
        return log
    }
}
