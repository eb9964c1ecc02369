import WireCore
import WireRecords

/// The APIs that fit the selection and the filter. Rows stay where they are, and only those that are shown are sorted.
struct RankedAPIs {
    struct Entry {
        /// Place of its row in the snapshot.
        var index: Int
        var wire: Int
        /// Wire bytes in a second.
        var rate: Int
        var calls: Int
    }

    /// Sums of several rows.
    struct Sums {
        var count = 0
        var wire = 0
        var rate = 0
        var calls = 0
    }

    let rows: [APISummary]
    /// Some may be left out.
    let isSelected: Bool
    /// Of all that fit.
    private(set) var sums = Sums()
    private(set) var largestWire = 0
    private(set) var hasEncrypted = false
    private(set) var ranking: Ranking<Entry>

    var count: Int { sums.count }

    /// - Parameter host: whose APIs alone are wanted; nil for all.
    init(state: LiveState, options: ReportOptions, host: String? = nil) {
        let selections = [options.selection, RankedAPIs.filter(state)].filter { !$0.isEmpty }
        isSelected = !selections.isEmpty || host != nil
        let apis = state.snapshot.apis
        self.rows = apis
        ranking = Ranking(by: RankedAPIs.order(state.place.order, apis))
        ranking.reserve(apis.count)
        let wanted = host.map { Array($0.utf8) }
        let rows = apis.span
        for index in rows.indices {
            if isSelected, !selections.allSatisfy({ $0.includes(rows[index]) }) { continue }
            if let wanted, rows[index].host != wanted { continue }
            add(
                Entry(
                    index: index, wire: options.wire(up: rows[index].costs.up, down: rows[index].costs.down),
                    rate: state.rates.wirePerSecond(row: index, api: rows[index].api),
                    calls: rows[index].exchanges))
            if rows[index].isEncrypted { hasEncrypted = true }
        }
    }

    @inline(__always)
    private mutating func add(_ entry: Entry) {
        ranking.add(entry)
        largestWire = max(largestWire, entry.wire)
        sums.count += 1
        sums.wire += entry.wire
        sums.rate &+= entry.rate
        sums.calls += entry.calls
    }

    private static func order(_ order: LiveOrder, _ rows: [APISummary]) -> (Entry, Entry) -> Bool {
        let precedes = { (left: Entry, right: Entry) -> Bool in
            switch order.sort {
            case .rate where left.rate != right.rate: return left.rate > right.rate
            case .calls where left.calls != right.calls: return left.calls > right.calls
            case .name: break
            default: if left.wire != right.wire { return left.wire > right.wire }
            }
            return rows[left.index].api.utf8.lexicographicallyPrecedes(rows[right.index].api.utf8)
        }
        return order.isReversed ? { precedes($1, $0) } : precedes
    }

    /// What was typed, understood as `--api` is.
    static func filter(_ state: LiveState) -> Selection {
        Selection(apis: state.filterText.isEmpty ? [] : [state.filterText])
    }
}

extension ReportOptions {
    /// Wire bytes by the chosen layer. Takes the directions one by one: a pair of them would be copied.
    @inline(__always)
    func wire(up: CostVector, down: CostVector) -> Int { wire(up) + wire(down) }
}
