/// Finds the parameters of one estimator that give most of a log's figures for one kind of message to the byte.
///
/// Parts of a figure depend on few parameters each, so the search goes part by part: all combinations of the parameters
/// that change the part are tried, the others stay. That is repeated until nothing improves, from several starts, on a
/// small choice of rows; what it found is then held against all rows.
struct FormulaSearch {
    private let family: FormulaFamily
    private let side: MessageSide
    private let parts: [FigurePart]
    private let rows: [RecordedRow]
    /// Rows on which the search decides: a fair sample, and rows on which single parameters matter.
    private let screen: [RecordedRow]
    /// Figures of the screening rows by set of parameters; `Int.min` for none.
    private var figures: [String: [Int]] = [:]
    /// Fewer rows do not tell which fields are hidden.
    private static let hiddenFieldRows = 10
    private static let mostCombinations = 256

    init(_ family: FormulaFamily, _ side: MessageSide, _ parts: [FigurePart], _ rows: [RecordedRow]) {
        self.family = family
        self.side = side
        self.parts = parts
        self.rows = rows
        screen = FormulaSearch.screening(family, side, rows)
    }

    /// The best set of parameters, with its score over all rows. Of equals the one that changes least.
    mutating func run() -> (parameters: EstimatorParameters, score: FormulaScore) {
        var ends = [family.published]
        for start in starts() {
            let end = climb(start)
            if !ends.contains(end) { ends.append(end) }
        }
        if let first = best(of: ends), let hidden = withHiddenFields(first) { ends.append(climb(hidden)) }
        var judged = ends.map { ($0, score($0)) }
        judged.sort { isBetter($0, $1) }
        return polished(judged[0])
    }

    // MARK: Rows to decide on

    private static func screening(
        _ family: FormulaFamily, _ side: MessageSide, _ rows: [RecordedRow]
    ) -> [RecordedRow] {
        let sampled = 128
        guard rows.count > sampled else { return rows }
        var taken = Set((0..<sampled).map { $0 * rows.count / sampled })
        let standard = family.formula(family.published)
        let usual = rows.map { standard.estimate($0.exchange, side).map { RecordedFigures($0) } }
        for (_, point) in family.neighbours(of: family.published) {
            let formula = family.formula(point)
            var found = 0
            for (index, row) in rows.enumerated() where found < 8 {
                guard formula.estimate(row.exchange, side).map({ RecordedFigures($0) }) != usual[index] else {
                    continue
                }
                found += 1
                taken.insert(index)
            }
        }
        return taken.sorted().map { rows[$0] }
    }

    // MARK: Climbing

    /// The defaults, and the single changes that promise most: a parameter such as a variant may hide the worth of all
    /// others.
    private mutating func starts() -> [EstimatorParameters] {
        var singles: [(point: EstimatorParameters, exact: Int)] = []
        for (_, point) in family.neighbours(of: family.published) { singles.append((point, exact(point))) }
        let promising = singles.enumerated().sorted { left, right in
            left.element.exact != right.element.exact
                ? left.element.exact > right.element.exact : left.offset < right.offset
        }
        return [family.published] + promising.prefix(3).map(\.element.point)
    }

    private mutating func climb(_ start: EstimatorParameters) -> EstimatorParameters {
        var point = start
        for _ in 0..<4 {
            let before = point
            for part in parts { point = best(of: combinations(point, deciding: part)) ?? point }
            if point == before { break }
        }
        return point
    }

    /// All combinations of the parameters that change the part; where those are very many, single changes only.
    private mutating func combinations(
        _ point: EstimatorParameters, deciding part: FigurePart, without excluded: String? = nil
    ) -> [EstimatorParameters] {
        let own = values(point, part)
        var effective: Set<String> = []
        for (name, neighbour) in family.neighbours(of: point) where name != excluded {
            if !effective.contains(name), values(neighbour, part) != own { effective.insert(name) }
        }
        var points = [point]
        for parameter in family.free where effective.contains(parameter.name) {
            let values = parameter.values.filter { $0 != point[parameter.name] }
            guard points.count * (values.count + 1) <= FormulaSearch.mostCombinations else {
                points += values.map { point.setting(parameter.name, $0) }
                continue
            }
            points += points.flatMap { known in values.map { known.setting(parameter.name, $0) } }
        }
        return points
    }

    /// Of equals the one that changes least, then the first.
    private mutating func best(of points: [EstimatorParameters]) -> EstimatorParameters? {
        var best: (point: EstimatorParameters, exact: Int, changes: Int)?
        for point in points {
            let exact = exact(point)
            let changes = point.changed.count
            if let best, (best.exact, -best.changes) >= (exact, -changes) { continue }
            best = (point, exact, changes)
        }
        return best?.point
    }

    // MARK: Hidden fields

    /// The best parameters with a list of hidden fields that the rows themselves tell. Nil where there is none.
    private mutating func withHiddenFields(_ point: EstimatorParameters) -> EstimatorParameters? {
        guard side == .request, let parameter = family.fieldNames, rows.count >= FormulaSearch.hiddenFieldRows
        else { return nil }
        let part: FigurePart = parts.contains(.headers) ? .headers : .total
        var proposals: [EstimatorParameters] = []
        for others in combinations(point, deciding: part, without: parameter.name).prefix(12) {
            let search = HiddenFieldSearch(family, parameter, others, part, rows)
            proposals += search.run().map { others.setting(parameter.name, $0) }
        }
        return best(of: proposals)
    }

    // MARK: Scores

    /// Figures of the screening rows that are given to the byte.
    private mutating func exact(_ point: EstimatorParameters) -> Int {
        let figures = figures(point)
        var exact = 0
        for (index, row) in screen.enumerated() {
            for part in parts {
                guard let value = row.figures[part] else { continue }
                if figures[index * 4 + part.rawValue] == value { exact += 1 }
            }
        }
        return exact
    }

    private mutating func values(_ point: EstimatorParameters, _ part: FigurePart) -> [Int] {
        let figures = figures(point)
        return screen.indices.map { figures[$0 * 4 + part.rawValue] }
    }

    private mutating func figures(_ point: EstimatorParameters) -> [Int] {
        let key = point.text
        if let known = figures[key] { return known }
        let formula = family.formula(point)
        var all: [Int] = []
        all.reserveCapacity(screen.count * 4)
        for row in screen {
            let given = formula.estimate(row.exchange, side)
            all += [given?.startLine, given?.headers, given?.body, given?.total].map { $0 ?? .min }
        }
        figures[key] = all
        return all
    }

    private func score(_ point: EstimatorParameters) -> FormulaScore {
        FormulaScore(family.formula(point), side, parts, rows)
    }

    private typealias Judged = (parameters: EstimatorParameters, score: FormulaScore)

    private func isBetter(_ left: Judged, _ right: Judged) -> Bool {
        left.score.exact != right.score.exact
            ? left.score.exact > right.score.exact : left.parameters.changed.count < right.parameters.changed.count
    }

    /// Single changes that all rows together want, and none that they do not.
    private func polished(_ found: Judged) -> Judged {
        var best = found
        for (_, neighbour) in family.neighbours(of: found.parameters) {
            let judged = (neighbour, score(neighbour))
            if isBetter(judged, best) { best = judged }
        }
        for change in best.parameters.changed {
            let standard = family.published[change.name]
            guard standard != change.value else { continue }
            let without = best.parameters.setting(change.name, standard)
            let judged = (without, score(without))
            if judged.1.exact >= best.score.exact { best = judged }
        }
        return best
    }
}
