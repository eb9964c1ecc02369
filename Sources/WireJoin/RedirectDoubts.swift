/// Rows of redirected calls, where the wire leaves open which call followed which redirection.
///
/// A row with the first name of a chain is joined to the chain's last hop. Where another call may have followed in its
/// stead, the row may be of another last hop. The times of all rows of such chains decide, if they are as exact as the ends lie
/// apart and give each row an end of its own; otherwise rows that may be of another end are ambiguous.
struct RedirectDoubts {
    private static let alternativeLimit = 8
    /// So many sets of chains are looked at for a row that found no exchange.
    private static let setLimit = 16

    /// A row, and what it costs at each end that it may have, the likeliest first.
    private struct Candidate {
        var place: Int
        var ends: [(cost: Int64, end: Int32)]

        /// By how much the likeliest end is likelier than the next.
        var margin: Int64 { ends.count > 1 ? ends[1].cost - ends[0].cost : .max }
    }

    private let chainSets: [[RedirectReadings.Chain]]
    private let calls: [WireCall]
    /// By last hop, and by path of a first hop: in which sets.
    private var setOfEnd: [Int32: Int] = [:]
    private var setsOfPath: [Int32: [Int]] = [:]

    init(_ readings: RedirectReadings, _ calls: [WireCall]) {
        chainSets = readings.chainSets
        self.calls = calls
        for (set, chains) in chainSets.enumerated() {
            for chain in chains { setOfEnd[Int32(truncatingIfNeeded: chain.end)] = set }
            for path in Set(chains.map { calls[$0.start].path }) where path >= 0 {
                setsOfPath[path, default: []].append(set)
            }
        }
    }

    /// What was found, with rows moved to the ends that their times tell, or marked as ambiguous.
    ///
    /// - Parameter isFree: exchanges that have no row of another kind.
    func settle(_ found: [RowJoin.Found], of join: RowJoin, isFree: (Int32) -> Bool) -> [RowJoin.Found] {
        if chainSets.isEmpty { return found }
        var found = found
        for (set, places) in rowsOfSets(found, join).sorted(by: { $0.key < $1.key }) {
            let rows = places.compactMap { candidate($0, found[$0], set, join, isFree) }
            guard let told = assign(rows) else {
                for row in rows { mark(&found[row.place], row) }
                continue
            }
            for (row, end) in zip(rows, told) { found[row.place].call = end }
        }
        return found
    }

    /// The ends of all rows if times tell them: a row that has a likeliest end takes it from the others. Nil where two rows
    /// want one end, or where ends remain from which nothing chooses.
    private func assign(_ rows: [Candidate]) -> [Int32]? {
        var rows = rows
        var told = [Int32?](repeating: nil, count: rows.count)
        while let place = rows.indices.first(where: { told[$0] == nil && rows[$0].margin >= RowJoin.certainty }) {
            guard let end = rows[place].ends.first?.end else { return nil }
            told[place] = end
            for other in rows.indices where told[other] == nil {
                // Who gives up its likeliest end must lose less by that than the other would.
                let isFirst = rows[other].ends.first?.end == end
                if isFirst, rows[place].margin.saturatingSubtract(rows[other].margin) < RowJoin.certainty { return nil }
                rows[other].ends.removeAll { $0.end == end }
            }
        }
        return told.contains(nil) ? nil : told.compactMap { $0 }
    }

    /// By set of chains, the places of rows that have one of its ends, or the name of one of its chains and no exchange.
    private func rowsOfSets(_ found: [RowJoin.Found], _ join: RowJoin) -> [Int: [Int]] {
        var places: [Int: [Int]] = [:]
        for (place, item) in found.enumerated() {
            if let set = setOfEnd[item.call] {
                places[set, default: []].append(place)
            } else if item.call < 0, !item.isAmbiguous, !item.fitsNone, let sets = setsOfPath[join.path(of: item.row)] {
                let near = sets.suffix(RedirectDoubts.setLimit).first { !costs(item.row, $0, join).isEmpty }
                if let near { places[near, default: []].append(place) }
            }
        }
        return places
    }

    private func candidate(
        _ place: Int, _ item: RowJoin.Found, _ set: Int, _ join: RowJoin, _ isFree: (Int32) -> Bool
    ) -> Candidate? {
        let limit = item.call < 0 ? join.leaveCost(of: item.row) : .max
        let likely = costs(item.row, set, join).filter { $0.value < limit && isFree($0.key) }
        guard !likely.isEmpty else { return nil }
        return Candidate(place: place, ends: likely.map { (cost: $0.value, end: $0.key) }.sorted { $0 < $1 })
    }

    /// Of a row at each end that a chain of its name may have had.
    private func costs(_ row: Int32, _ set: Int, _ join: RowJoin) -> [Int32: Int64] {
        var costs: [Int32: Int64] = [:]
        for chain in chainSets[set] where join.hasNames(row, of: Int32(truncatingIfNeeded: chain.end)) {
            for reading in chain.readings {
                guard let call = call(chain, as: reading, join), let cost = join.cost(row, of: call) else { continue }
                let end = Int32(truncatingIfNeeded: reading.end)
                costs[end] = min(costs[end] ?? .max, cost)
            }
        }
        return costs
    }

    /// A chain under its own name, with the times of a reading. Nil where it would end before it began.
    private func call(_ chain: RedirectReadings.Chain, as reading: RedirectReadings.Reading, _ join: RowJoin)
        -> WireCall?
    {
        var call = join.calls[chain.end]
        let (first, end) = (calls[reading.first], join.calls[reading.end])
        if UsableTime.contains(first.start), UsableTime.contains(end.end), end.end < first.start { return nil }
        (call.end, call.status) = (end.end, end.status)
        (call.isFailed, call.isGivenUp, call.isUnheard) = (end.isFailed, end.isGivenUp, end.isUnheard)
        if join.kind == .exchange {
            (call.start, call.opened, call.isFirst) = (first.start, first.opened, first.isFirst)
        }
        return call
    }

    private func mark(_ item: inout RowJoin.Found, _ row: Candidate) {
        // Without a place among the likely ends the row has none: all of them are as good.
        let own = row.ends.first { $0.end == item.call }?.cost ?? row.ends[row.ends.count - 1].cost
        let others = row.ends.filter { $0.end != item.call && $0.cost - own < RowJoin.certainty }
        guard !others.isEmpty else { return }
        item.isAmbiguous = true
        let ends = others.prefix(RedirectDoubts.alternativeLimit).map { $0.end }
        item.alternatives = ends + item.alternatives.filter { !ends.contains($0) }
    }
}
