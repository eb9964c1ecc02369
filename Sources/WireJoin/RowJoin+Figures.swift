import WireLogs

/// Figures beside times.
extension RowJoin {
    /// So many rows that times alone decide are looked at.
    private static let figureLimit = 20_000
    /// How often figures are looked at: each time with those of rows that others pushed from their exchanges. Once in logs
    /// without times of their own, whose rows are decided in groups, by their order.
    private var figureRounds: Int { model.timing == .own ? 3 : 1 }

    /// Solves again where times leave several assignments, with the figures: a row whose figure the log's formula does
    /// not give for an exchange is hardly its row.
    ///
    /// - Parameter test: how far figures fit; asked for the pairs that times tell, then for all pairs in question.
    mutating func decide(_ found: [Found], test: LogMatcher.FigureTest) -> [Found] {
        let told = FigureRows(found, self, test)
        var isOpen = found.map(\.isAmbiguous)
        for place in told.unfit { isOpen[place] = true }
        var settled = found
        var hasEvidence = false
        for _ in 0..<figureRounds {
            hasEvidence = weigh(rows.indices.filter { isOpen[$0] }, told, test)
            guard hasEvidence else { break }
            settled = decideByOrder(solveOnce())
            let pushed = rows.indices.filter { !isOpen[$0] && settled[$0].differs(from: found[$0]) }
            guard !pushed.isEmpty else { break }
            for place in pushed { isOpen[place] = true }
        }
        guard hasEvidence else { return found }
        // Without times, nothing speaks for an exchange against the figures.
        if model.timing == .none {
            for place in settled.indices where isUnfit(settled[place], at: place) { settled[place].isAmbiguous = true }
        }
        for place in settled.indices where settled[place].differs(from: found[place]) {
            settled[place].isByFigures = !settled[place].isAmbiguous
        }
        for place in settled.indices where settled[place].call < 0 { settled[place].fitsNone = fitsNone[place] }
        return settled
    }

    /// Stores the costs of figures of the rows' pairs.
    ///
    /// - Returns: whether there are some.
    private mutating func weigh(_ places: [Int], _ told: FigureRows, _ test: LogMatcher.FigureTest) -> Bool {
        let edges = places.map { Int(starts[$0])..<Int(starts[$0 + 1]) }
        let costs = test(zip(places, edges).flatMap { place, edges in edges.map { (rows[place], edgeCalls[$0]) } })
        var next = costs[...]
        var hasEvidence = false
        for (place, edges) in zip(places, edges) {
            if weigh(place, next.prefix(edges.count), told) { hasEvidence = true }
            next = next.dropFirst(edges.count)
        }
        return hasEvidence
    }

    private mutating func weigh(_ place: Int, _ costs: ArraySlice<Int32?>, _ told: FigureRows) -> Bool {
        let edges = Int(starts[place])..<Int(starts[place + 1])
        for edge in edges { evidence[edge] = 0 }
        let isFailure = tellsFailure(at: place)
        var (greatest, least) = (Int32(0), Int32.max)
        fitsNone[place] = !edges.isEmpty
        for (edge, cost) in zip(edges, costs) {
            if cost ?? 0 < FigureMisfit.rare { fitsNone[place] = false }
            if let cost { evidence[edge] = cost + (isZeroOfWhole(edge, isFailure) ? FigureMisfit.rare : 0) }
            greatest = max(greatest, min(evidence[edge], FigureMisfit.rare))
            least = min(least, evidence[edge])
        }
        // Where no exchange fits, that counts against each of them, by how rare misfits are.
        fitsNone[place] = fitsNone[place] && model.timing == .own
        judgedCosts[place] = fitsNone[place] ? least - told.cost(log[Int(rows[place])]) : greatest
        return edges.contains { evidence[$0] > 0 }
    }

    /// Zeros are not what was seen of a whole response.
    private func isZeroOfWhole(_ edge: Int, _ isFailure: Bool) -> Bool {
        let call = calls[Int(edgeCalls[edge])]
        return kind != .request && isFailure && call.outcome == .whole && !call.isGivenUp
    }

    /// Rows whose exchange times alone tell, by place.
    fileprivate func told(_ found: [Found]) -> [Int] {
        // Zeros fit wherever they are all that is known.
        let hasFiguresOfFailures = model.timing == .own && kind == .exchange
        return Array(
            found.indices.lazy.filter { place in
                found[place].call >= 0 && !found[place].isAmbiguous
                    && (hasFiguresOfFailures || !tellsFailure(at: place))
            }.prefix(RowJoin.figureLimit))
    }

    private func isUnfit(_ item: Found, at place: Int) -> Bool {
        let edges = Int(starts[place])..<Int(starts[place + 1])
        return edges.contains { edgeCalls[$0] == item.call && evidence[$0] >= FigureMisfit.rare }
    }
}

extension RowJoin.Found {
    fileprivate func differs(from other: Self) -> Bool { call != other.call || isAmbiguous != other.isAmbiguous }
}

/// Rows that times alone tell, by how their figures fit.
private struct FigureRows {
    /// By place: figures are not those of the exchange. They may be those of another one near it. None, of failures or of other
    /// rows, where figures fit no better in general.
    private(set) var unfit: [Int] = []
    private var rates = MisfitRates()

    init(_ found: [RowJoin.Found], _ join: RowJoin, _ test: LogMatcher.FigureTest) {
        let told = join.told(found)
        let misfits = test(told.map { (join.rows[$0], found[$0].call) })
        for (place, cost) in zip(told, misfits) {
            guard let cost else { continue }
            let isUnfit = cost >= FigureMisfit.rare
            rates.add(join.log[Int(join.rows[place])], isUnfit: isUnfit)
            if isUnfit, join.isContested[place] { unfit.append(place) }
        }
        unfit.removeAll { place in rates.isFrequent(join.log[Int(join.rows[place])]) }
    }

    func cost(_ row: LogRow) -> Int32 { rates.cost(row) }
}
