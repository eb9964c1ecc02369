/// Finds the request fields that a hook does not see, from what is missing in each row.
///
/// The bytes that a row lacks against a count of all fields must be the sum of its hidden fields' lines. Rows are taken
/// in an order in which each brings few new fields; all choices among these are tried on top of the best choices so far.
/// A row that fits no choice, such as one of an aborted request, costs every choice the same.
struct HiddenFieldSearch {
    /// Rows with the same fields.
    private struct Shape {
        var fields: UInt64
        var probes: [Probe] = []
    }

    private struct Probe {
        /// Bytes that the row lacks against a count of all fields.
        var lacking: Int
        /// Bytes that each field makes when it is counted; 0 where it is absent.
        var costs: [Int]

        /// What it lacks beside the given hidden fields.
        func lacking(without hidden: UInt64) -> Int {
            var rest = hidden
            var bytes = lacking
            while rest != 0 {
                bytes &-= costs[rest.trailingZeroBitCount]
                rest &= rest &- 1
            }
            return bytes
        }
    }

    /// A choice of hidden fields.
    private struct Choice {
        var hidden: UInt64 = 0
        /// Rows that it explains.
        var hits = 0
    }

    private let parameter: EstimatorDescription.Parameter
    /// Lower-case names; a bit of a choice for each.
    private let names: [String]
    private var shapes: [Shape] = []

    private static let mostNames = 40
    private static let probesPerShape = 5
    private static let mostProbes = 96
    private static let mostNewFields = 12
    private static let mostChoices = 128

    /// - Parameters:
    ///   - point: all other parameters.
    ///   - part: the figure that depends on the fields.
    init(
        _ family: FormulaFamily, _ parameter: EstimatorDescription.Parameter, _ point: EstimatorParameters,
        _ part: FigurePart, _ rows: [RecordedRow]
    ) {
        self.parameter = parameter
        let fields = rows.map { HiddenFieldSearch.fieldNames($0.exchange) }
        names = HiddenFieldSearch.usualNames(fields, parameter)
        let numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        let all = family.formula(point.setting(parameter.name, "full"))
        let single = names.map { name in
            family.formula(point.setting(parameter.name, parameter.accepted(name) ?? "+\(name)"))
        }
        var places: [UInt64: Int] = [:]
        var taken = 0
        for (row, present) in zip(rows, fields) where taken < HiddenFieldSearch.mostProbes {
            guard let value = row.figures[part], let whole = all.estimate(row.exchange, .request),
                let counted = RecordedFigures(whole)[part]
            else { continue }
            let mask = present.reduce(UInt64(0)) { mask, name in numbers[name].map { mask | 1 << UInt64($0) } ?? mask }
            let place = places[mask] ?? shapes.count
            if place == shapes.count { shapes.append(Shape(fields: mask)) }
            places[mask] = place
            guard shapes[place].probes.count < HiddenFieldSearch.probesPerShape else { continue }
            let costs = single.enumerated().map { number, formula in
                guard mask & 1 << UInt64(number) != 0, let given = formula.estimate(row.exchange, .request) else {
                    return 0
                }
                return counted &- (RecordedFigures(given)[part] ?? counted)
            }
            shapes[place].probes.append(Probe(lacking: counted &- value, costs: costs))
            taken += 1
        }
    }

    /// Values of the parameter that explain most rows, the best first; at most four.
    func run() -> [String] {
        var choices = [Choice()]
        var decided: UInt64 = 0
        var left = shapes
        while let next = left.indices.min(by: { isEarlier(left[$0], left[$1], decided) }) {
            let shape = left.remove(at: next)
            let new = newFields(shape.fields & ~decided)
            choices = extended(new.isEmpty ? choices : ranked(choices), shape, new: new)
            decided |= shape.fields
        }
        return ranked(choices).prefix(4).filter { $0.hits > 0 }.map { word($0.hidden) }
    }

    private func isEarlier(_ left: Shape, _ right: Shape, _ decided: UInt64) -> Bool {
        let (leftNew, rightNew) = ((left.fields & ~decided).nonzeroBitCount, (right.fields & ~decided).nonzeroBitCount)
        return leftNew != rightNew ? leftNew < rightNew : left.probes.count > right.probes.count
    }

    /// Too many at once: those that loaders do not add are taken as visible.
    private func newFields(_ mask: UInt64) -> [Int] {
        let new = names.indices.filter { mask & 1 << UInt64($0) != 0 }
        guard new.count > HiddenFieldSearch.mostNewFields else { return new }
        let added = new.filter { HiddenFieldSearch.loaderFields.contains(names[$0]) }
        let others = new.filter { !HiddenFieldSearch.loaderFields.contains(names[$0]) }
        return Array((added + others).prefix(HiddenFieldSearch.mostNewFields))
    }

    /// All choices among the new fields on top of the given ones; the best of them, the best first.
    private func extended(_ choices: [Choice], _ shape: Shape, new: [Int]) -> [Choice] {
        let count = 1 << new.count
        let sums = shape.probes.map { probe in
            var sums = [0]
            sums.reserveCapacity(count)
            for field in new { sums += sums.map { $0 &+ probe.costs[field] } }
            return sums
        }
        let masks = new.reduce([UInt64(0)]) { masks, field in masks + masks.map { $0 | 1 << UInt64(field) } }
        var all: [Choice] = []
        for choice in choices.prefix(max((1 << 15) / count, 1)) {
            var hits = [Int](repeating: choice.hits, count: count)
            for (probe, sums) in zip(shape.probes, sums) {
                let rest = probe.lacking(without: choice.hidden & shape.fields)
                for index in 0..<count where sums[index] == rest { hits[index] += 1 }
            }
            for index in 0..<count { all.append(Choice(hidden: choice.hidden | masks[index], hits: hits[index])) }
        }
        // Nothing was chosen: the order is settled where it matters next.
        if new.isEmpty { return all }
        return ranked(all)
    }

    private func ranked(_ choices: [Choice]) -> [Choice] {
        guard choices.count > 1 else { return choices }
        let needed = choices.map(\.hits).sorted(by: >)[min(choices.count, HiddenFieldSearch.mostChoices) - 1]
        let kept = choices.filter { $0.hits >= needed }.map { ($0, oddity($0.hidden)) }
        let sorted = kept.sorted { left, right in
            (-left.0.hits, left.1, left.0.hidden) < (-right.0.hits, right.1, right.0.hidden)
        }
        return sorted.prefix(HiddenFieldSearch.mostChoices).map(\.0)
    }

    // MARK: Names

    /// Fields that loaders add behind the hook.
    private static let loaderFields: Set<String> = [
        "host", "connection", "accept", "accept-encoding", "accept-language", "user-agent", "content-length",
        "transfer-encoding",
    ]

    /// How unlikely a choice is by itself; decides among choices that explain the same rows.
    private func oddity(_ hidden: UInt64) -> Int {
        names.indices.reduce(0) { sum, number in
            let isHidden = hidden & 1 << UInt64(number) != 0
            let isAdded = HiddenFieldSearch.loaderFields.contains(names[number])
            return sum + (isHidden == isAdded ? 0 : isHidden ? 3 : 1)
        }
    }

    /// Names that occur, the most frequent first, as far as the parameter can spell them.
    private static func usualNames(_ fields: [[String]], _ parameter: EstimatorDescription.Parameter) -> [String] {
        var counts: [String: Int] = [:]
        for name in fields.joined() { counts[name, default: 0] += 1 }
        let spelt = counts.filter { !$0.key.contains("+") && parameter.accepted("+" + $0.key) != nil }
        let sorted = spelt.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return sorted.prefix(mostNames).map(\.key)
    }

    /// Distinct names of the fields that the estimator looks at, in lower case.
    private static func fieldNames(_ exchange: ObservedExchange) -> [String] {
        guard let fields = exchange.taskRequest?.fields else { return [] }
        return fields.fields.enumerated().compactMap { index, field in
            guard field.first == index else { return nil }
            return String(decoding: fields.name(field), as: UTF8.self).lowercased()
        }
    }

    /// The parameter's word for hidden fields: one of its own where that hides the same of all names that occur.
    private func word(_ hidden: UInt64) -> String {
        let chosen = names.indices.filter { hidden & 1 << UInt64($0) != 0 }.map { names[$0] }
        for word in parameter.values {
            let profile = HiddenFields(word)
            if names.allSatisfy({ profile.hides($0) == chosen.contains($0) }) { return word }
        }
        let text = chosen.sorted().joined(separator: "+")
        return parameter.accepted(text) ?? parameter.accepted("+" + text) ?? parameter.values[0]
    }
}

extension HiddenFields {
    /// Whether a field of that name is hidden. The name is in lower case.
    fileprivate func hides(_ name: String) -> Bool {
        let fields = HeaderFields([(name, "")])
        return fields.fields.first.map { contains($0, in: fields) } ?? false
    }
}
