import WireEstimates

/// Rows and exchanges of an API that times leave open, compared as sets: where one constant between sizes and figures
/// gives most rows an exchange of their own, pairs with that constant fit, and others do not.
struct FigureSets {
    private struct Key: Hashable {
        var api: Int
        var direction: Direction
    }

    private struct Difference {
        var rows: Set<Int32> = []
        var calls: Set<Int32> = []
        var places: [Int] = []
    }

    private struct Group {
        var rows: Set<Int32> = []
        var totals: Set<Int> = []
        var places: [Int] = []
        /// By base, then by difference.
        var differences: [[Int: Difference]] = FigureHabits.Base.allCases.map { _ in [:] }
    }

    /// Fewer rows, or rows with fewer different figures, may agree by chance.
    private static let leastRows = 4
    private static let leastTotals = 3
    /// Pairs that are compared.
    private static let limit = 200_000

    private var groups: [Key: Group] = [:]
    private var pairs = 0

    mutating func add(
        _ place: Int, _ pair: (row: Int32, call: Int32), _ total: Int, _ exchange: ObservedExchange,
        _ direction: Direction, api: Int
    ) {
        guard pairs < FigureSets.limit else { return }
        pairs += 1
        var group = groups.removeValue(forKey: Key(api: api, direction: direction)) ?? Group()
        group.rows.insert(pair.row)
        group.totals.insert(total)
        group.places.append(place)
        for base in FigureHabits.Base.allCases {
            guard let size = base.value(exchange, direction) else { continue }
            group.differences[base.rawValue][total &- size, default: Difference()].rows.insert(pair.row)
            group.differences[base.rawValue][total &- size]?.calls.insert(pair.call)
            group.differences[base.rawValue][total &- size]?.places.append(place)
        }
        groups[Key(api: api, direction: direction)] = group
    }

    /// Adds what the sets tell to the counts of directions that do not fit.
    func count(into counts: inout [Int?]) {
        for group in groups.values where group.rows.count >= FigureSets.leastRows {
            guard group.totals.count >= FigureSets.leastTotals else { continue }
            guard let best = largest(group), size(best) >= FigureSets.leastRows, size(best) * 10 >= group.rows.count * 6
            else { continue }
            let fitting = Set(best.places)
            for place in group.places { counts[place] = (counts[place] ?? 0) + (fitting.contains(place) ? 0 : 1) }
        }
    }

    /// Of several as large, the first by base and the least: the same in every run.
    private func largest(_ group: Group) -> Difference? {
        var best: (size: Int, difference: Difference)?
        for differences in group.differences {
            for (_, difference) in differences.sorted(by: { $0.key < $1.key }) where size(difference) > best?.size ?? 0
            {
                best = (size(difference), difference)
            }
        }
        return best?.difference
    }

    private func size(_ difference: Difference) -> Int { min(difference.rows.count, difference.calls.count) }
}
