import WireLogs

/// Rows without times of a log in no order, of names that have too many of them for a look at each pair. Nothing but figures
/// tells such rows apart. Where a row fits only exchanges that are alike, and these are enough for all rows of which that is true, it
/// has one of them; every other row is ambiguous.
struct UntimedCrowds {
    /// Rows and exchanges that share names.
    private struct Crowd {
        /// By class of equal rows.
        var rows: [[Int32]] = []
        /// By kind of exchanges that are alike.
        var calls: [[Int32]] = []
    }

    /// So many pairs of a row and an exchange are looked at one by one: of one name, and of all.
    private static let nameLimit = 10_000
    private static let pairLimit = 2_000_000

    private let kind: LogRow.Kind
    private let log: [LogRow]
    private let seen: [WireCall]
    private var crowds: [Crowd] = []
    /// Rows of the other names.
    private(set) var rest: [RowClass] = []
    /// Exchanges of these names, by place.
    private(set) var calls = Set<Int>()

    /// - Parameters:
    ///   - rowClasses: the rows without times.
    ///   - isAlike: whether exchanges that are alike may change places, by place.
    init(
        _ rowClasses: [RowClass], of log: [LogRow], _ classes: RowClasses, _ seen: [WireCall],
        isAlike: (Int) -> Bool, isFree: (Int) -> Bool
    ) {
        (kind, self.log, self.seen) = (rowClasses.first?.kind ?? .exchange, log, seen)
        var pairs = 0
        for rowClass in UntimedCrowds.merged(rowClasses) {
            let groups = MatchingGroups(
                rowClass.rows, of: log, kind, rowClass.columns.subtracting(.status), seen
            ) { isFree($0) && !calls.contains($0) }
            var (rows, exchanges) = (
                [[Int32]](repeating: [], count: groups.count), [[Int]](repeating: [], count: groups.count)
            )
            for (place, group) in groups.rowGroups.enumerated() { rows[Int(group)].append(groups.rows[place]) }
            for (place, group) in groups.callGroups.enumerated() where group >= 0 {
                exchanges[Int(group)].append(place)
            }
            var left = rowClass
            left.rows = []
            for (rows, exchanges) in zip(rows, exchanges) {
                let count = rows.count * exchanges.count
                if count <= UntimedCrowds.nameLimit, pairs + count <= UntimedCrowds.pairLimit {
                    pairs += count
                    left.rows += rows
                } else {
                    calls.formUnion(exchanges)
                    crowds.append(makeCrowd(rows, exchanges, classes, isAlike))
                }
            }
            left.rows.sort()
            if !left.rows.isEmpty { rest.append(left) }
        }
    }

    /// Rows that know the same names are of the same calls, whether they know a status or not.
    private static func merged(_ rowClasses: [RowClass]) -> [RowClass] {
        rowClasses.reduce(into: []) { merged, rowClass in
            let names = rowClass.columns.subtracting(.status)
            guard let place = merged.firstIndex(where: { $0.columns.subtracting(.status) == names }) else {
                return merged.append(rowClass)
            }
            merged[place].rows += rowClass.rows
        }
    }

    private func makeCrowd(
        _ rows: [Int32], _ exchanges: [Int], _ classes: RowClasses, _ isAlike: (Int) -> Bool
    ) -> Crowd {
        var crowd = Crowd()
        var (rowPlaces, callPlaces): ([Int32: Int], [Int32: Int]) = ([:], [:])
        for row in rows {
            let place = rowPlaces[classes.numbers[Int(row)]] ?? crowd.rows.count
            if place == crowd.rows.count { crowd.rows.append([]) }
            rowPlaces[classes.numbers[Int(row)]] = place
            crowd.rows[place].append(row)
        }
        for index in exchanges {
            let call = Int32(truncatingIfNeeded: index)
            let likeness = (isAlike(index) ? seen[index].likeness(for: kind) : nil) ?? -2 - call
            let place = callPlaces[likeness] ?? crowd.calls.count
            if place == crowd.calls.count { crowd.calls.append([]) }
            callPlaces[likeness] = place
            crowd.calls[place].append(call)
        }
        return crowd
    }

    /// - Parameter test: how far figures fit; nil: they decide nothing.
    func found(_ test: LogMatcher.FigureTest?) -> [RowJoin.Found] {
        crowds.flatMap { crowd -> [RowJoin.Found] in
            let named = crowd.rows.map { kindsFitting($0[0], crowd) }
            let fitting = test.map { byFigures(named, crowd, $0) } ?? named
            var free = crowd.calls.map { $0[...] }
            let certain = Set(certainClasses(crowd, fitting))
            let open = crowd.rows.indices.filter { !certain.contains($0) }
            return (certain.sorted() + open).flatMap { place in
                crowd.rows[place].map { row -> RowJoin.Found in
                    var item = RowJoin.Found(row: row, call: -1)
                    let own = fitting[place].first { !free[$0].isEmpty }
                    if let own { item.call = free[own].removeFirst() }
                    if certain.contains(place), let own {
                        item.hasAlike = crowd.calls[own].count > 1
                        item.isByFigures = named[place].count > 1
                    } else if !fitting[place].isEmpty {
                        (item.isAmbiguous, item.margin) = (true, 0)
                        item.alternatives = alternatives(to: item.call, fitting[place], crowd)
                    }
                    return item
                }
            }
        }
    }

    /// Classes of rows that fit one kind of exchanges, which has as many as all such rows.
    private func certainClasses(_ crowd: Crowd, _ fitting: [[Int]]) -> [Int] {
        var claims = [Int](repeating: 0, count: crowd.calls.count)
        for (rows, kinds) in zip(crowd.rows, fitting) where kinds.count == 1 { claims[kinds[0]] += rows.count }
        return crowd.rows.indices.filter { place in
            guard fitting[place].count == 1, let own = fitting[place].first else { return false }
            // A row of zeros may be of a call that was never sent.
            let isZeroOfWhole =
                log[Int(crowd.rows[place][0])].tellsFailure && seen[Int(crowd.calls[own][0])].outcome == .whole
            return claims[own] <= crowd.calls[own].count && !isZeroOfWhole
        }
    }

    private func alternatives(to call: Int32, _ kinds: [Int], _ crowd: Crowd) -> [Int32] {
        let all = kinds.prefix(RowJoin.alternativeLimit + 1).flatMap {
            crowd.calls[$0].prefix(RowJoin.alternativeLimit + 1)
        }
        return Array(all.filter { $0 != call }.prefix(RowJoin.alternativeLimit))
    }

    /// Kinds of exchanges that have a row's status.
    private func kindsFitting(_ row: Int32, _ crowd: Crowd) -> [Int] {
        guard crowd.rows.count * crowd.calls.count <= UntimedCrowds.pairLimit else { return Array(crowd.calls.indices) }
        return crowd.calls.indices.filter { log[Int(row)].hasStatus(of: seen[Int(crowd.calls[$0][0])]) }
    }

    /// By class, those of the kinds whose figures are a row's; all of them where none is.
    private func byFigures(_ kinds: [[Int]], _ crowd: Crowd, _ test: LogMatcher.FigureTest) -> [[Int]] {
        guard crowd.rows.count * crowd.calls.count <= UntimedCrowds.pairLimit else { return kinds }
        let costs = test(
            zip(crowd.rows, kinds).flatMap { rows, kinds in kinds.map { (rows[0], crowd.calls[$0][0]) } })
        var next = costs[...]
        return kinds.map { own in
            let costs = next.prefix(own.count).map { $0 ?? 0 }
            next = next.dropFirst(own.count)
            let least = costs.min() ?? 0
            guard least < FigureMisfit.rare else { return own }
            return zip(own, costs).filter { Int64($0.1) < Int64(least) + RowJoin.certainty }.map(\.0)
        }
    }
}
