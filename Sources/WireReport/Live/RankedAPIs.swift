import WireCore

/// The APIs that fit the selection and the filter. There may be ten thousands of them, the screen is drawn several
/// times a second, and meanwhile no packet is read: so rows stay where they are, and only those that are shown are
/// sorted.
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
    private var entries: [Entry] = []
    private let sort: LiveSort

    var count: Int { sums.count }

    init(state: LiveState, options: ReportOptions) {
        let selections = [options.selection, RankedAPIs.filter(state)].filter { !$0.isEmpty }
        isSelected = !selections.isEmpty
        let apis = state.snapshot.apis
        self.rows = apis
        sort = state.sort
        entries.reserveCapacity(apis.count)
        let rows = apis.span
        for index in rows.indices {
            if isSelected, !selections.allSatisfy({ $0.includes(rows[index]) }) { continue }
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
        entries.append(entry)
        largestWire = max(largestWire, entry.wire)
        sums.count += 1
        sums.wire += entry.wire
        sums.rate &+= entry.rate
        sums.calls += entry.calls
    }

    /// The first `count` in the order chosen.
    func first(_ count: Int) -> [Entry] {
        guard count > 0 else { return [] }
        guard entries.count > count else { return entries.sorted(by: precedes) }
        var first: [Entry] = []
        first.reserveCapacity(count + 1)
        for entry in entries {
            if first.count == count {
                guard precedes(entry, first[count - 1]) else { continue }
                first.removeLast()
            }
            first.insert(entry, at: place(of: entry, in: first))
        }
        return first
    }

    private func place(of entry: Entry, in sorted: [Entry]) -> Int {
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            if precedes(entry, sorted[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private func precedes(_ left: Entry, _ right: Entry) -> Bool {
        switch sort {
        case .rate where left.rate != right.rate: return left.rate > right.rate
        case .calls where left.calls != right.calls: return left.calls > right.calls
        case .wire, .rate, .calls:
            if left.wire != right.wire { return left.wire > right.wire }
        case .name: break
        }
        return rows[left.index].api.utf8.lexicographicallyPrecedes(rows[right.index].api.utf8)
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
