import WireEstimates
import WireJoin
import WireLogs

/// Tells which of several exchanges a row's figures fit: by the log's formula where one is known, else by what the
/// figures of an API usually are. Both are learned from rows whose exchange times alone tell.
struct FigureJudge {
    private let log: SDKLog
    private let calls: KeptCalls
    private var model: LogModel
    private var habits = FigureHabits()
    private let isNeeded: Bool

    /// Rows from which formulas are learned, at most.
    private static let sampleSize = 4000
    /// Exchanges that are kept while pairs are looked at: those of rows near each other are the same.
    private static let exchangeLimit = 1000

    init(_ log: SDKLog, _ calls: KeptCalls, _ matching: LogMatching) {
        self.log = log
        self.calls = calls
        model = LogModel(log)
        isNeeded = matching.exchanges.contains { $0 >= 0 } || matching.fates.contains(.ambiguous)
        guard isNeeded else { return }
        FigureJudge.learn(log, calls, matching) { call, row, exchange, direction in
            model.learn(row[direction], exchange, direction)
            if let total = row[direction].total { habits.learn(total, exchange, direction, api: Int(call.apiName)) }
        }
        model.settle()
    }

    /// Shows rows whose exchange times alone tell, with their calls.
    static func learn(
        _ log: SDKLog, _ calls: KeptCalls, _ matching: LogMatching,
        _ show: (_ call: KeptCall, _ row: LogRow, _ exchange: ObservedExchange, _ direction: Direction) -> Void
    ) {
        var taken = 0
        for (number, call) in calls.calls.enumerated() {
            guard taken < sampleSize, call.isWhole, call.record.requestHead != nil else { continue }
            let (up, down) = (matching.requestRows[number], matching.responseRows[number])
            var rows: [(direction: Direction, row: Int32)] = []
            if matching.isByTimes(up) { rows.append((.up, up)) }
            // A row of zeros says that the call failed, and nothing of the formula.
            if matching.isByTimes(down), !log.rows[Int(down)].tellsFailure { rows.append((.down, down)) }
            guard !rows.isEmpty else { continue }
            taken += 1
            let exchange = call.exchange
            for (direction, row) in rows { show(call, log.rows[Int(row)], exchange, direction) }
        }
    }

    /// Nil where no row needs it.
    var test: LogMatcher.FigureTest? { isNeeded ? { misfits($0) } : nil }

    /// By pair, −ln of how likely the figures are, against figures that fit; nil where nothing is known.
    private func misfits(_ pairs: [(row: Int32, call: Int32)]) -> [Int32?] {
        var costs = [Int32?](repeating: nil, count: pairs.count)
        var exchanges: [Int32: ObservedExchange] = [:]
        var open = FigureSets()
        var bodies = BodySizes()
        for (place, pair) in pairs.enumerated() {
            let call = calls.calls[Int(pair.call)]
            guard call.record.requestHead != nil else { continue }
            let exchange = exchanges[pair.call] ?? call.heardExchange
            if exchanges.count >= FigureJudge.exchangeLimit { exchanges.removeAll(keepingCapacity: true) }
            exchanges[pair.call] = exchange
            for direction in Direction.allCases {
                let row = log.rows[Int(pair.row)]
                let misfit = misfit(row, call, exchange, direction)
                if let misfit {
                    costs[place] = (costs[place] ?? 0) + misfit.cost
                    bodies.add(place, pair.row, direction, misfit)
                }
                // What a formula says little of, the calls of the API together may tell.
                if misfit?.isWeak ?? true, let total = row[direction].total {
                    open.add(place, pair, total, exchange, direction, api: Int(call.apiName))
                }
            }
        }
        open.add(to: &costs)
        bodies.add(to: &costs)
        return costs
    }

    /// What fits by the formula or by the API's habits fits.
    private func misfit(
        _ row: LogRow, _ call: KeptCall, _ exchange: ObservedExchange, _ direction: Direction
    ) -> FigureMisfit? {
        // Its figures are those of no exchange: the formula would refute its own too. `RowJoin` charges whole responses for them.
        if direction == .down, row.tellsFailure { return FigureMisfit() }
        let misfit = model.misfit(row[direction], exchange, direction)
        if let misfit, !misfit.isWeak { return misfit }
        guard let total = row[direction].total,
            let fits = habits.fits(total, exchange, direction, api: Int(call.apiName))
        else { return misfit }
        return FigureMisfit(cost: fits ? 0 : FigureMisfit.rare, bodyDifference: misfit?.bodyDifference)
    }
}

extension KeptCall {
    /// What an app can have seen of the exchange: of a response that it gave up, the part that had come by then.
    fileprivate var heardExchange: ObservedExchange {
        var heard = exchange
        guard let close = record.earlyClose, let body = heard.response?.body else { return heard }
        guard close.hadHead else {
            heard.response = nil
            return heard
        }
        heard.response?.isComplete = false
        heard.response?.body = ObservedBody(
            content: close.body, framing: body.framing, decoded: body.decoded == body.content ? close.body : nil)
        return heard
    }
}
