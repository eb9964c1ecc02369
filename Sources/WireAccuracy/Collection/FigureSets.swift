import WireEstimates
import WireJoin
import WireLogs

/// Rows and exchanges of an API that times leave open, compared as sets: where a few constants between sizes and figures
/// give most rows an exchange of their own, pairs with one of those constants fit, and others do not.
///
/// An API has several constants where its calls are of several kinds: a cookie that is sent from some call on makes all
/// later figures larger.
struct FigureSets {
    private struct Key: Hashable {
        var api: Int
        var direction: Direction
    }

    /// Fewer rows, or rows with fewer different figures, may agree by chance.
    private static let leastRows = 4
    private static let leastTotals = 3
    /// An API with more constants than this has no rule.
    private static let mostConstants = 4
    /// Pairs that are compared.
    private static let limit = 200_000

    private var groups: [Key: FigureGroup] = [:]
    private var pairs = 0

    mutating func add(
        _ place: Int, _ pair: (row: Int32, call: Int32), _ total: Int, _ exchange: ObservedExchange,
        _ direction: Direction, api: Int
    ) {
        guard pairs < FigureSets.limit else { return }
        pairs += 1
        let sizes = FigureHabits.Base.allCases.map { $0.value(exchange, direction) }
        groups[Key(api: api, direction: direction), default: FigureGroup()].add(
            FigureGroup.Pair(place: place, row: pair.row, call: pair.call, total: total), sizes: sizes)
    }

    /// Adds what the sets tell to the costs of pairs.
    func add(to costs: inout [Int32?]) {
        for group in groups.values {
            guard let fitting = FigureSets.fitting(group) else { continue }
            for (number, pair) in group.pairs.enumerated() {
                costs[pair.place] = (costs[pair.place] ?? 0) + (fitting.contains(number) ? 0 : FigureMisfit.rare)
            }
        }
    }

    /// Numbers of the pairs with a constant of the group: the constant that explains most rows, then the one that
    /// explains most of the rest, and so on. Nil where constants explain less than six rows in ten.
    private static func fitting(_ group: FigureGroup) -> Set<Int>? {
        var (rest, fitting, explained) = (FigureGroup.Rest(), Set<Int>(), 0)
        for _ in 0..<mostConstants {
            guard let best = group.largest(rest, least: leastRows), best.agreement.totals >= leastTotals,
                !group.hasRival(best, rest)
            else { break }
            explained += best.agreement.rows.count
            fitting.formUnion(best.pairs)
            rest.take(best.agreement)
        }
        return explained > 0 && explained * 10 >= group.rows.count * 6 ? fitting : nil
    }
}

/// The open pairs of an API in one direction.
struct FigureGroup {
    struct Pair {
        var place: Int
        var row: Int32
        var call: Int32
        var total: Int
    }

    /// Rows that have an exchange each by one constant.
    struct Agreement {
        var rows: [Int32] = []
        var calls: [Int32] = []
        /// Different figures of these rows.
        var totals = 0
    }

    /// A constant with the pairs that it fits.
    struct Constant {
        var pairs: [Int]
        var agreement: Agreement
    }

    /// Rows and exchanges that constants have explained already; all others are open.
    struct Rest {
        private var rows: Set<Int32> = []
        private var calls: Set<Int32> = []

        mutating func take(_ agreement: Agreement) {
            rows.formUnion(agreement.rows)
            calls.formUnion(agreement.calls)
        }

        func holds(_ pair: Pair) -> Bool { !rows.contains(pair.row) && !calls.contains(pair.call) }
    }

    /// Another constant that explains all but one of the rows by other exchanges is as likely.
    private static let leastLead = 2

    private(set) var pairs: [Pair] = []
    private(set) var rows: Set<Int32> = []
    /// By base, then by difference of figure and size: numbers of the pairs.
    private var differences: [[Int: [Int]]] = FigureHabits.Base.allCases.map { _ in [:] }

    mutating func add(_ pair: Pair, sizes: [Int?]) {
        rows.insert(pair.row)
        for (base, size) in sizes.enumerated() {
            guard let size else { continue }
            differences[base][pair.total &- size, default: []].append(pairs.count)
        }
        pairs.append(pair)
    }

    /// The constant that explains most open rows. Of several as large, the first by base and the least: the same in
    /// every run.
    func largest(_ rest: Rest, least: Int) -> Constant? {
        var best: (base: Int, difference: Int, agreement: Agreement)?
        for (base, numbers) in differences.enumerated() {
            for (difference, numbers) in numbers where numbers.count >= least {
                let agreement = agreement(numbers.filter { rest.holds(pairs[$0]) })
                let (size, most) = (agreement.rows.count, best?.agreement.rows.count ?? 0)
                guard size >= least, size >= most else { continue }
                if let best, size == most, (best.base, best.difference) < (base, difference) { continue }
                best = (base, difference, agreement)
            }
        }
        return best.map { Constant(pairs: differences[$0.base][$0.difference] ?? [], agreement: $0.agreement) }
    }

    /// Whether another constant explains nearly all rows of this one by other exchanges.
    func hasRival(_ constant: Constant, _ rest: Rest) -> Bool {
        let least = max(1, constant.agreement.rows.count - FigureGroup.leastLead + 1)
        let own = Set(constant.agreement.rows)
        var fitting: [Int32: Set<Int32>] = [:]
        for number in constant.pairs { fitting[pairs[number].row, default: []].insert(pairs[number].call) }
        return differences.contains { base in
            base.values.contains { numbers in
                guard numbers.count >= least else { return false }
                let others = numbers.filter { own.contains(pairs[$0].row) && rest.holds(pairs[$0]) }
                let agreeing = Set(
                    others.lazy.map { pairs[$0] }.filter { fitting[$0.row]?.contains($0.call) == true }.map(\.row))
                return agreement(others.filter { !agreeing.contains(pairs[$0].row) }).rows.count >= least
            }
        }
    }

    /// Of pairs with one constant: rows of one figure may have any exchange of one size.
    private func agreement(_ numbers: [Int]) -> Agreement {
        var sets: [Int: (rows: Set<Int32>, calls: Set<Int32>)] = [:]
        for number in numbers {
            let pair = pairs[number]
            sets[pair.total, default: ([], [])].rows.insert(pair.row)
            sets[pair.total, default: ([], [])].calls.insert(pair.call)
        }
        var agreement = Agreement(totals: sets.count)
        for (_, set) in sets.sorted(by: { $0.key < $1.key }) {
            let count = min(set.rows.count, set.calls.count)
            agreement.rows += set.rows.sorted().prefix(count)
            agreement.calls += set.calls.sorted().prefix(count)
        }
        return agreement
    }
}
