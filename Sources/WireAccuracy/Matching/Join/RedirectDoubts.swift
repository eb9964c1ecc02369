/// Rows of redirected calls, where the wire leaves open which call followed which redirection.
///
/// A row with the first name of a chain is joined to the chain's last hop. Where a rival of the chain may have followed in its
/// stead, the row may be of the rival's last hop. The times of all rows of the rivals decide, if they are as exact as the ends lie
/// apart and give each row an end of its own; otherwise rows that may be of another end are ambiguous.
struct RedirectDoubts {
    private static let alternativeLimit = 8
    /// So many groups of rivals are looked at for a row that found no exchange.
    private static let groupLimit = 16

    /// A row, and what it costs at each end of its group, the likeliest first.
    private struct Candidate {
        var place: Int
        var ends: [(cost: Int64, end: Int32)]

        /// By how much the likeliest end is likelier than the next.
        var margin: Int64 { ends.count > 1 ? ends[1].cost - ends[0].cost : .max }
    }

    private let rivals: [RedirectChains.Rivals]
    /// By last hop, and by path of a first hop: in which groups.
    private var groupOfEnd: [Int32: Int] = [:]
    private var groupsOfPath: [Int32: [Int]] = [:]

    init(_ rivals: [RedirectChains.Rivals], _ calls: [WireCall]) {
        self.rivals = rivals
        for (group, item) in rivals.enumerated() {
            for end in item.ends { groupOfEnd[Int32(truncatingIfNeeded: end)] = group }
            for path in Set(item.starts.map { calls[$0].path }) where path >= 0 {
                groupsOfPath[path, default: []].append(group)
            }
        }
    }

    /// What was found, with rows moved to the ends that their times tell, or marked as ambiguous.
    ///
    /// - Parameter isFree: exchanges that have no row of another kind.
    func settle(_ found: [RowJoin.Found], of join: RowJoin, isFree: (Int32) -> Bool) -> [RowJoin.Found] {
        if rivals.isEmpty { return found }
        var found = found
        for (group, places) in rowsOfGroups(found, join).sorted(by: { $0.key < $1.key }) {
            let ends = Set(rivals[group].ends.map { Int32(truncatingIfNeeded: $0) }).filter(isFree)
            let rows = places.compactMap { candidate($0, found[$0], ends, join) }
            let told = Set(rows.map { $0.ends[0].end })
            let isTold = told.count == rows.count && rows.allSatisfy { $0.margin >= RowJoin.certainty }
            for row in rows {
                if isTold {
                    found[row.place].call = row.ends[0].end
                } else {
                    mark(&found[row.place], row)
                }
            }
        }
        return found
    }

    /// By group, the places of rows that have one of its ends, or the name of one of its chains and no exchange.
    private func rowsOfGroups(_ found: [RowJoin.Found], _ join: RowJoin) -> [Int: [Int]] {
        var places: [Int: [Int]] = [:]
        for (place, item) in found.enumerated() {
            if let group = groupOfEnd[item.call] {
                places[group, default: []].append(place)
            } else if item.call < 0, !item.isAmbiguous, let groups = groupsOfPath[join.path(of: item.row)] {
                let near = groups.suffix(RedirectDoubts.groupLimit).first { group in
                    rivals[group].ends.contains { end in
                        let end = Int32(truncatingIfNeeded: end)
                        return join.hasNames(item.row, of: end) && cost(item.row, end, group, join) != nil
                    }
                }
                if let near { places[near, default: []].append(place) }
            }
        }
        return places
    }

    private func candidate(
        _ place: Int, _ item: RowJoin.Found, _ ends: Set<Int32>, _ join: RowJoin
    ) -> Candidate? {
        guard let group = groupOfEnd[item.call] ?? ends.first.flatMap({ groupOfEnd[$0] }) else { return nil }
        let limit = item.call < 0 ? join.leaveCost(of: item.row) : .max
        let costs = ends.compactMap { end in
            cost(item.row, end, group, join).map { (cost: $0, end: end) }
        }
        let likely = costs.filter { $0.cost < limit }.sorted { $0 < $1 }
        return likely.isEmpty ? nil : Candidate(place: place, ends: likely)
    }

    /// Of a row at an end, whichever chain of its name leads there; nil where none can.
    private func cost(_ row: Int32, _ end: Int32, _ group: Int, _ join: RowJoin) -> Int64? {
        Set(rivals[group].ends).compactMap { own in
            let own = Int32(truncatingIfNeeded: own)
            return join.hasNames(row, of: own) ? join.cost(row, of: own, endingAs: end) : nil
        }.min()
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
