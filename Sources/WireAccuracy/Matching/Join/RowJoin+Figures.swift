/// Figures beside times.
extension RowJoin {
    /// As `FigureMisfit.rare`, of a copy, which is left without an exchange instead.
    private static let copyCost: Int32 = 20_000
    /// So many rows that times alone decide are looked at.
    private static let figureLimit = 20_000
    /// How often figures are looked at: those of rows that are pushed from their exchanges come next. Once in logs without times
    /// of their own, whose rows are decided in groups, by their order or their number.
    private var figureRounds: Int { model.timing == .own ? 3 : 1 }

    /// Solves again where times leave several assignments, with the figures: a row whose figure the log's formula does
    /// not give for an exchange is hardly its row. Rows that others then push from their exchanges are looked at, too.
    ///
    /// - Parameter test: how far figures fit; asked for the pairs that times tell, then for all pairs in question.
    mutating func decide(_ found: [Found], test: LogMatcher.FigureTest) -> [Found] {
        var isOpen = [Bool](repeating: false, count: rows.count)
        var decided = found
        var places = found.indices.filter { found[$0].isAmbiguous } + unfit(found, test)
        for _ in 0..<figureRounds {
            for place in places { isOpen[place] = true }
            guard weigh(places, test) else { break }
            decided = solveOnce()
            places = rows.indices.filter { place in
                !isOpen[place] && (decided[place].isAmbiguous || decided[place].call != found[place].call)
            }
        }
        guard evidence.contains(where: { $0 > 0 }) else { return found }
        if model.timing == .none, learnRepeats(decided) { decided = solveOnce() }
        decided = decideByOrder(decided)
        for place in decided.indices where isOpen[place] && !decided[place].isAmbiguous {
            decided[place].isByFigures = found[place].isAmbiguous || found[place].call != decided[place].call
        }
        return decided
    }

    /// Enters how far figures of rows fit.
    ///
    /// - Returns: whether some do not.
    private mutating func weigh(_ places: [Int], _ test: LogMatcher.FigureTest) -> Bool {
        let pairs = places.sorted().flatMap { place in
            (Int(starts[place])..<Int(starts[place + 1])).map { (place: place, edge: $0) }
        }
        var mayFit = Set<Int>()
        var hasEvidence = false
        for (pair, cost) in zip(pairs, test(pairs.map { (rows[$0.place], edgeCalls[$0.edge]) })) {
            if cost.map({ $0 < FigureMisfit.rare }) ?? true { mayFit.insert(pair.place) }
            guard var cost else { continue }
            if isZeroOfWhole(pair) { cost += FigureMisfit.rare }
            guard cost > 0 else { continue }
            evidence[pair.edge] = cost
            judgedCosts[pair.place] = max(judgedCosts[pair.place], min(cost, FigureMisfit.rare))
            hasEvidence = true
        }
        guard model.timing == .own else { return hasEvidence }
        for place in places where !mayFit.contains(place) { judgedCosts[place] = 0 }
        return hasEvidence
    }

    /// Zeros are not what was seen of a whole response.
    private func isZeroOfWhole(_ pair: (place: Int, edge: Int)) -> Bool {
        let call = calls[Int(edgeCalls[pair.edge])]
        return kind != .request && tellsFailure(at: pair.place) && call.outcome == .whole && !call.isGivenUp
    }

    /// Places of rows whose figures are not those of the exchange that times alone tell: it may be another's. None where
    /// figures fit no better in general.
    private func unfit(_ found: [Found], _ test: LogMatcher.FigureTest) -> [Int] {
        let told = found.indices.lazy.filter { place in
            found[place].call >= 0 && !found[place].isAmbiguous && isContested[place]
        }.prefix(RowJoin.figureLimit)
        let misfits = test(told.map { (rows[$0], found[$0].call) })
        let unfit = zip(told, misfits).filter { $1 ?? 0 >= FigureMisfit.rare }.map(\.0)
        return unfit.count * 10 <= misfits.count ? unfit : []
    }

    /// Where figures fit but at rows that equal others, one of those is a copy. Then equal rows without an exchange are
    /// copies, too. Rows of failures tell nothing: they are all alike, and no formula gives their figures.
    ///
    /// - Returns: whether it is so.
    private mutating func learnRepeats(_ found: [Found]) -> Bool {
        let told = found.indices.filter { !log[Int(rows[$0])].tellsFailure }
        let repeated = Set(told.filter { isRepeat[$0] }.map { classes.numbers[Int(rows[$0])] })
        let equal = told.filter { repeated.contains(classes.numbers[Int(rows[$0])]) }
        let unfit = told.count { isUnfit(found[$0], at: $0) }
        let copies = equal.count { isUnfit(found[$0], at: $0) }
        guard copies > unfit - copies else { return false }
        model.setRepeats(certain: copies + equal.count { isRepeat[$0] && found[$0].call < 0 }, rows: rows.count)
        for place in equal {
            for edge in Int(starts[place])..<Int(starts[place + 1]) where evidence[edge] >= FigureMisfit.rare {
                evidence[edge] = max(evidence[edge], RowJoin.copyCost)
            }
        }
        return true
    }

    private func isUnfit(_ item: Found, at place: Int) -> Bool {
        let edges = Int(starts[place])..<Int(starts[place + 1])
        return edges.contains { edgeCalls[$0] == item.call && evidence[$0] >= FigureMisfit.rare }
    }
}
