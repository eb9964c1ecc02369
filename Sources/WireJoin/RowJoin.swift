import WireLogs

/// The rows of one kind, joined to exchanges by their times.
package struct RowJoin {
    /// Two assignments whose odds are nearer than this to each other are both possible: e^5, about 150 to 1.
    static let certainty: Int64 = 5000
    /// A row is taken for an orphan only at better odds than these: a lone free candidate is its exchange.
    static let leaveCertainty: Int64 = 700
    /// A row of which this is the probability that it has an exchange is not said to have none.
    static let likelyShare = 1.0 / 3
    static let alternativeLimit = 8
    private static let spanSlack: Int64 = 2_000_000_000
    /// Pairs dearer than leaving the row out by so much do not matter to the margins of others.
    private static let pruningSlack: Int32 = 1000

    package let kind: LogRow.Kind
    package let log: [LogRow]
    package let calls: [WireCall]
    package let clock: ClockModel
    private let moments: [CallMoments]
    let classes: RowClasses
    /// Rows of this kind, by place in the graph; in the order of their times.
    private(set) var rows: [Int32] = []
    private var agreeing: [Int32] = []
    private(set) var starts: [Int32] = [0]
    /// The log may be in the order of the ends of exchanges, and that tells more than its times.
    var isInOrderOfEnds = false
    /// By edge.
    private(set) var edgeCalls: [Int32] = []
    package var evidence: [Int32] = []
    /// By row: some exchange is so near its likeliest one that figures may decide between them.
    private(set) var isContested: [Bool] = []
    /// By row, the extra cost of leaving it without an exchange. Usually the greatest cost of its figures at one of its exchanges,
    /// `FigureMisfit.rare` at most: that some exchange does not fit says nothing of whether there is one. For rows that fit none, see
    /// `fitsNone`, it is the least cost, less the cost of a misfit by `MisfitRates`.
    var judgedCosts: [Int32] = []
    /// By row, in logs with times of their own: its figures fit none of its exchanges.
    var fitsNone: [Bool] = []
    /// By exchange: the log has no row of its request, which most responses have. Empty where nothing is known.
    private let lacksRequest: [Bool]
    /// By row: without an exchange it would be the only row of its call.
    private var isOnlyRow: [Bool] = []
    /// ln 20.
    static let lackingCost: Int32 = 3000
    /// From somewhat before the first exchange to somewhat after the last, by the log's clock.
    private let span: ClosedRange<Int64>
    var model: JoinModel
    /// Of the last assignment, without what exchanges without row cost.
    private var assignedCost: Int64 = 0
    package var work = MatchingWork()

    /// What was found of a row.
    package struct Found {
        /// Index of the row in the log, and place of its exchange among the calls; -1 for none.
        package var row: Int32
        package var call: Int32
        package var isAmbiguous = false
        /// Odds against the next best assignment, thousandths of a natural logarithm, as far as they were looked at.
        package var margin: Int64 = RowJoin.certainty
        /// Other exchanges that it might have, the likeliest first.
        package var alternatives: [Int32] = []
        package var isByFigures = false
        /// It has no exchange, and its figures fit none.
        var fitsNone = false
        /// Other exchanges fit, too, that are alike in all truths.
        package var hasAlike = false
    }

    init(
        _ kind: LogRow.Kind, _ log: [LogRow], _ calls: [WireCall], _ clock: ClockModel, _ rowClasses: [RowClass],
        _ classes: RowClasses, _ model: JoinModel, lacksRequest: [Bool], isCandidate: (Int) -> Bool
    ) {
        self.kind = kind
        self.log = log
        self.calls = calls
        self.clock = clock
        moments = calls.map { CallMoments($0, clock) }
        self.classes = classes
        self.model = model
        self.lacksRequest = lacksRequest
        let times = moments.lazy.flatMap { [$0.start, $0.end] }.filter { UsableTime.contains($0) }
        let (first, last) = (times.min() ?? 0, times.max() ?? 0)
        span = first.saturatingSubtract(RowJoin.spanSlack)...last.saturatingAdd(RowJoin.spanSlack)
        var candidates = JoinCandidates(kind, log, calls, moments, isUntimed: model.timing == .none)
        var found: [(row: Int32, calls: [Int32], agreeing: Int)] = []
        candidates.find(rowClasses, model, isCandidate: isCandidate) { found.append(($0, $1, $2)) }
        found.sort { (RowJoin.time(log[Int($0.row)]), $0.row) < (RowJoin.time(log[Int($1.row)]), $1.row) }
        for item in found {
            rows.append(item.row)
            agreeing.append(Int32(truncatingIfNeeded: item.agreeing))
            edgeCalls += item.calls
            starts.append(Int32(truncatingIfNeeded: edgeCalls.count))
        }
        evidence = Array(repeating: 0, count: edgeCalls.count)
        judgedCosts = Array(repeating: 0, count: rows.count)
        fitsNone = Array(repeating: false, count: rows.count)
        isContested = Array(repeating: false, count: rows.count)
        work.comparedPairs += candidates.comparisons
    }

    private static func time(_ row: LogRow) -> Int64 { row.time == .min ? row.end : row.time }

    /// Tells which requests have no exchange, of responses.
    mutating func setRequests(_ requests: LoneRequests) {
        isOnlyRow = rows.map { requests.isRefuted(log[Int($0)]) }
    }

    // MARK: Solving

    /// Learns the delays and solves, a few times over.
    mutating func solve(rounds: Int) -> [Found] {
        var found: [Found] = []
        for round in 0..<rounds {
            found = solveOnce()
            if round + 1 < rounds { learn(found, isLast: round + 2 == rounds) }
        }
        return decideByOrder(found)
    }

    /// Of a response: the log has no row of its request.
    func isLackingRequest(_ call: Int) -> Bool { !lacksRequest.isEmpty && lacksRequest[call] }

    package func tellsFailure(at place: Int) -> Bool { log[Int(rows[place])].tellsFailure }

    mutating func solveOnce() -> [Found] {
        let limits = leaveCosts(asRepeats: false)
        let (edges, edgeStarts) = makeEdges(limits)
        var assignment = SparseAssignment(
            starts: edgeStarts, edges: edges, leaveCosts: leaveCosts(asRepeats: true),
            leaveLimits: limits, calls: calls.count)
        assignment.solve(order: rows.indices.map { Int32(truncatingIfNeeded: $0) })
        assignedCost = assignment.totalCost
        let reverse = ReverseEdges(assignment, calls: calls.count)
        let rowClasses = rows.map { classes.numbers[Int($0)] }
        let callClasses = calls.indices.map { index in
            calls[index].likeness(for: kind) ?? -2 - Int32(truncatingIfNeeded: index)
        }
        let freed = assignment.takeAlike(
            rows: rows.indices.filter { classes.numberOfEqual(rows[$0]) > 1 }.map { Int32(truncatingIfNeeded: $0) },
            rowClasses: rowClasses, callClasses: callClasses)
        work.comparedPairs += freed
        var search = PathSearch(calls: calls.count)
        let releases = ReleaseCosts(assignment, limit: RowJoin.certainty, &search)
        var found = rows.map { Found(row: $0, call: -1) }
        for place in rows.indices {
            let row = Int32(truncatingIfNeeded: place)
            let call = assignment.callOfRow[place]
            found[place].call = call
            if assignment.givenUp.contains(row) { found[place].isAmbiguous = true }
            guard call >= 0 else {
                found[place].isAmbiguous = found[place].isAmbiguous || mayBeRow(assignment, row)
                continue
            }
            let margin = assignment.margin(
                of: row, rowClasses: rowClasses, callClasses: callClasses, rowsOfCall: reverse,
                releases: releases, limit: RowJoin.certainty, &search)
            found[place].margin = margin.change
            found[place].hasAlike = margin.hasAlike
            found[place].isAmbiguous = margin.change < RowJoin.certainty || margin.leave < leaveCertainty(row, call)
            for rival in margin.rivals { found[Int(rival)].isAmbiguous = true }
        }
        for place in rows.indices where found[place].isAmbiguous {
            found[place].alternatives = assignment.alternatives(
                of: Int32(truncatingIfNeeded: place), limit: RowJoin.certainty, count: RowJoin.alternativeLimit)
        }
        work.heapSteps += assignment.work.heapSteps
        work.comparedPairs += assignment.work.comparedPairs
        return found
    }

    /// A lone free candidate is the row's exchange, unless neither times nor figures speak for it: a row of zeros may be of a
    /// call that was never sent.
    private func leaveCertainty(_ row: Int32, _ call: Int32) -> Int64 {
        let isUntimedFailure = model.timing == .none && log[Int(rows[Int(row)])].tellsFailure
        return isUntimedFailure && calls[Int(call)].outcome == .whole ? RowJoin.certainty : RowJoin.leaveCertainty
    }

    /// Whether a row without an exchange might as well have one of several: each is less likely than none, but all together
    /// are not.
    private func mayBeRow(_ assignment: SparseAssignment, _ row: Int32) -> Bool {
        guard classes.originals[Int(rows[Int(row)])] < 0 else { return false }
        let free = assignment.edges[assignment.edgeRange(row)].lazy.filter { assignment.rowOfCall[Int($0.call)] < 0 }
        return RowJoin.isLikely(free.map { Int64($0.cost) - assignment.rowPotential[Int(row)] })
    }

    /// Whether one of several exchanges is at least half as likely as none of them.
    ///
    /// - Parameter costs: by exchange, by how much it is less likely than none: thousandths of a natural logarithm.
    static func isLikely(_ costs: some Sequence<Int64>) -> Bool {
        var likelihood = 0.0
        for cost in costs { likelihood += RowJoin.likelihood(cost) }
        return likelihood >= likelyShare / (1 - likelyShare)
    }

    /// e^-x, of thousandths, by halves with a straight line between them: 6 % off at most.
    static func likelihood(_ cost: Int64) -> Double {
        let (halves, rest) = max(0, cost).quotientAndRemainder(dividingBy: 693)
        let part = 1 - Double(rest) / 1386
        return Double(sign: .plus, exponent: -Int(min(halves, 1000)), significand: part)
    }

    /// −ln(likelihood) of rows and exchanges as they were assigned last, thousandths.
    func totalCost(calls: Int) -> Int64 { assignedCost + Int64(calls) * Int64(model.unrecordedCost) }

    /// - Parameter limits: by row, what it costs to leave it without an exchange. Pairs that are much dearer are never
    ///   made; they are left out unless they come near the row's cheapest.
    private mutating func makeEdges(_ limits: [Int32]) -> ([SparseAssignment.Edge], [Int32]) {
        var edges: [SparseAssignment.Edge] = []
        edges.reserveCapacity(edgeCalls.count)
        var edgeStarts: [Int32] = [0]
        var own: [SparseAssignment.Edge] = []
        for (place, row) in rows.enumerated() {
            own.removeAll(keepingCapacity: true)
            let isFailure = log[Int(row)].tellsFailure
            for edge in Int(starts[place])..<Int(starts[place + 1]) {
                guard let cost = cost(of: edge, row, isFailure: isFailure) else { continue }
                own.append(SparseAssignment.Edge(call: edgeCalls[edge], cost: cost))
            }
            let cheapest = own.map(\.cost).min() ?? 0
            isContested[place] = own.count { $0.cost <= cheapest + 2 * FigureMisfit.rare } > 1
            let limit = max(limits[place] + RowJoin.pruningSlack, cheapest + Int32(RowJoin.certainty))
            edges.append(contentsOf: own.lazy.filter { $0.cost < limit })
            edgeStarts.append(Int32(truncatingIfNeeded: edges.count))
        }
        return (edges, edgeStarts)
    }

    /// Of the row and the exchange of an edge; nil where they cannot be a pair.
    package func cost(of edge: Int, _ row: Int32, isFailure: Bool) -> Int32? {
        let call = Int(edgeCalls[edge])
        guard let cost = model.cost(log[Int(row)], isFailure: isFailure, calls[call], moments[call]) else { return nil }
        return cost + evidence[edge] + (isLackingRequest(call) ? RowJoin.lackingCost : 0)
    }

    private func leaveCosts(asRepeats: Bool) -> [Int32] {
        rows.indices.map { leaveCost(at: $0, asRepeat: asRepeats) }
    }

    func leaveCost(at place: Int, asRepeat: Bool) -> Int32 {
        let own = log[Int(rows[place])]
        let cost =
            model.leaveCost(own, candidates: Int(agreeing[place])) + judgedCosts[place]
            + (!isOnlyRow.isEmpty && isOnlyRow[place] ? RowJoin.lackingCost : 0)
        return asRepeat && classes.originals[Int(rows[place])] >= 0 ? min(cost, model.repeatCost(own) ?? cost) : cost
    }

    /// Rows before or after all exchanges, such as those of another day, say nothing of how often rows have none.
    private func isInCapture(_ row: Int32) -> Bool { span.contains(RowJoin.time(log[Int(row)])) }

    private mutating func learn(_ found: [Found], isLast: Bool) {
        var samples: [JoinModel.Sample] = []
        var orphans = OrphanRates()
        var (repeats, rowsInCapture, unexplained) = (0, 0, 0)
        var taken = Set(found.lazy.map(\.call))
        for (place, item) in found.enumerated() where item.call >= 0 || isInCapture(item.row) {
            let row = log[Int(item.row)]
            rowsInCapture += 1
            if item.call < 0, classes.originals[Int(item.row)] >= 0 {
                repeats += 1
                continue
            }
            orphans.add(hasExchange: item.call >= 0, tellsFailure: row.tellsFailure)
            guard item.call >= 0 else {
                if model.timing == .none, row.tellsFailure, let free = freeWholeCandidate(place, taken) {
                    taken.insert(free)
                    unexplained += 1
                }
                continue
            }
            let call = calls[Int(item.call)]
            samples.append(
                JoinModel.Sample(
                    row: row, moments: moments[Int(item.call)], isFirst: call.isFirst, isFailed: call.isFailed,
                    isGivenUp: call.isGivenUp, outcome: call.outcome, tellsFailure: row.tellsFailure,
                    isCertain: !item.isAmbiguous))
        }
        let candidates = Set(edgeCalls).count
        model.fit(samples, orphans: orphans, unexplained: unexplained, calls: candidates)
        if isLast { model.setRepeats(repeats, rows: rowsInCapture) }
    }

    /// A whole response that a row could be of, and no row has. Where answers and responses are as many, rows of zeros are
    /// of calls that were never sent.
    private func freeWholeCandidate(_ place: Int, _ taken: Set<Int32>) -> Int32? {
        edgeCalls[Int(starts[place])..<Int(starts[place + 1])].first { call in
            calls[Int(call)].outcome == .whole && !taken.contains(call)
        }
    }
}
