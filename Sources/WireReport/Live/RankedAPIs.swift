import WireCore

/// The APIs that fit the selection and the filter, in the order chosen. There may be ten thousand of them and the screen
/// is drawn ten times a second, so rows stay where they are and only their places are sorted.
struct RankedAPIs {
    struct Entry {
        /// Place of its row in the snapshot.
        var index: Int
        var wire: Int
        /// Wire bytes in a second.
        var rate: Int
    }

    let entries: [Entry]
    /// Some may be left out.
    let isSelected: Bool

    init(state: LiveState, options: ReportOptions) {
        let selections = [options.selection, RankedAPIs.filter(state)].filter { !$0.isEmpty }
        isSelected = !selections.isEmpty
        let rows = state.snapshot.apis
        var entries: [Entry] = []
        entries.reserveCapacity(rows.count)
        for index in rows.indices where selections.allSatisfy({ $0.includes(rows[index]) }) {
            let rate = state.rates.wirePerSecond(api: rows[index].api)
            entries.append(Entry(index: index, wire: options.wire(rows[index].costs), rate: rate))
        }
        entries.sort { left, right in
            let (first, second) = (rows[left.index], rows[right.index])
            switch state.sort {
            case .rate where left.rate != right.rate: return left.rate > right.rate
            case .calls where first.exchanges != second.exchanges: return first.exchanges > second.exchanges
            case .wire, .rate, .calls:
                if left.wire != right.wire { return left.wire > right.wire }
            case .name: break
            }
            return first.api.utf8.lexicographicallyPrecedes(second.api.utf8)
        }
        self.entries = entries
    }

    /// What was typed, understood as `--api` is.
    static func filter(_ state: LiveState) -> Selection {
        Selection(apis: state.filterText.isEmpty ? [] : [state.filterText])
    }
}
