/// A set of numbers as ranges: bytes of a stream that were seen, or packet numbers. It knows at most `limit` ranges.
struct QUICRanges: Sendable {
    static let limit = 1024

    /// In order, with a gap between any two.
    private(set) var ranges: [Range<UInt64>] = []
    /// Gaps were taken for seen, because there were too many.
    private(set) var isOverfull = false

    /// Adds a range. Calls `body` for each part of it that was not in the set, in order.
    mutating func add(_ range: Range<UInt64>, _ body: (Range<UInt64>) -> Void) {
        guard !range.isEmpty else { return }
        // Nearly always it goes on where the last one ends.
        if let last = ranges.last {
            if range.lowerBound == last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
                return body(range)
            }
            if range.lowerBound > last.upperBound { return append(range, body) }
        } else {
            return append(range, body)
        }
        merge(range, body)
    }

    private mutating func append(_ range: Range<UInt64>, _ body: (Range<UInt64>) -> Void) {
        ranges.append(range)
        body(range)
        closeFirstGap()
    }

    private mutating func closeFirstGap() {
        guard ranges.count > QUICRanges.limit else { return }
        isOverfull = true
        ranges[1] = ranges[0].lowerBound..<ranges[1].upperBound
        ranges.removeFirst()
    }

    private mutating func merge(_ range: Range<UInt64>, _ body: (Range<UInt64>) -> Void) {
        var first = firstIndex(endingFrom: range.lowerBound)
        var merged = range
        var next = range.lowerBound
        let start = first
        while first < ranges.count, ranges[first].lowerBound <= range.upperBound {
            let known = ranges[first]
            if known.lowerBound > next { body(next..<min(known.lowerBound, range.upperBound)) }
            next = max(next, known.upperBound)
            merged = min(merged.lowerBound, known.lowerBound)..<max(merged.upperBound, known.upperBound)
            first += 1
        }
        if next < range.upperBound { body(next..<range.upperBound) }
        ranges.replaceSubrange(start..<first, with: CollectionOfOne(merged))
        closeFirstGap()
    }

    /// The first range that ends at `place` or behind it.
    private func firstIndex(endingFrom place: UInt64) -> Int {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func contains(_ number: UInt64) -> Bool {
        let index = firstIndex(endingFrom: number)
        for place in index..<min(index + 2, ranges.count) where ranges[place].contains(number) { return true }
        return false
    }

    /// The highest number of `range` that is not in the set; nil where all are.
    func highestMissing(in range: Range<UInt64>) -> UInt64? {
        guard !range.isEmpty else { return nil }
        let last = range.upperBound - 1
        let index = firstIndex(endingFrom: last)
        for place in index..<min(index + 2, ranges.count) where ranges[place].contains(last) {
            let before = ranges[place].lowerBound
            return before > range.lowerBound ? before - 1 : nil
        }
        return last
    }
}
