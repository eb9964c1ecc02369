/// Rows in an order, of which no more is sorted than is shown: there may be ten thousands, the screen is drawn several
/// times a second, and meanwhile no packet is read.
struct Ranking<Entry> {
    /// From here on sorting all takes less time than finding the first ones.
    private static var many: Int { 256 }

    /// In no order.
    private(set) var entries: [Entry] = []
    private let precedes: (Entry, Entry) -> Bool

    /// - Parameter precedes: an order in which no two rows are equal.
    init(by precedes: @escaping (Entry, Entry) -> Bool) { self.precedes = precedes }

    var count: Int { entries.count }

    mutating func reserve(_ count: Int) { entries.reserveCapacity(count) }

    @inline(__always)
    mutating func add(_ entry: Entry) { entries.append(entry) }

    /// The first `count` in their order.
    func first(_ count: Int) -> [Entry] {
        guard count > 0 else { return [] }
        guard entries.count > count, count <= Self.many else {
            return Array(entries.sorted(by: precedes).prefix(count))
        }
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

    /// `height` rows of which one is in the middle, where there are enough before and behind it.
    func window(around rank: Int, height: Int) -> [Entry] {
        let start = max(min(rank - height / 2, entries.count - height), 0)
        return Array(first(start + height).dropFirst(start))
    }

    /// How many rows stand before the first one that fits; nil where none does.
    func rank(where fits: (Entry) -> Bool) -> Int? {
        guard let entry = entries.first(where: fits) else { return nil }
        return entries.reduce(0) { precedes($1, entry) ? $0 + 1 : $0 }
    }
}
