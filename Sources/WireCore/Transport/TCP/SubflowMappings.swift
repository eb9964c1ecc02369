/// Which numbers of the connection the bytes of one direction of a subflow have, by their places in the subflow.
struct SubflowMappings: Sendable {
    private struct Run: Sendable {
        var range: Range<Int>
        /// What is added to a sequence number of the subflow.
        var shift: UInt32
    }

    /// In order; none overlaps another, and none that follows another could be one with it.
    private var runs: [Run] = []
    /// Most runs. Bytes of older ones were acknowledged, or come with their mapping again.
    private static let limit = 64

    /// Beyond all places: the end of a mapping that has none.
    static let farthest = 1 << 40

    var isEmpty: Bool { runs.isEmpty }

    /// Adds a mapping. Returns false if it contradicts an earlier one.
    mutating func insert(_ range: Range<Int>, shift: UInt32) -> Bool {
        guard !range.isEmpty else { return true }
        var first = runs.count
        while first > 0, runs[first - 1].range.upperBound >= range.lowerBound { first -= 1 }
        var merged = Run(range: range, shift: shift)
        var (lower, upper) = (first, first)
        for index in first..<runs.count {
            let run = runs[index]
            guard run.range.lowerBound <= range.upperBound else { break }
            if run.shift == shift {
                let start = min(merged.range.lowerBound, run.range.lowerBound)
                merged.range = start..<max(merged.range.upperBound, run.range.upperBound)
                upper = index + 1
            } else if run.range.overlaps(range) {
                return false
            } else if run.range.upperBound == range.lowerBound {
                (lower, upper) = (index + 1, index + 1)
            }
        }
        runs.replaceSubrange(lower..<upper, with: CollectionOfOne(merged))
        if runs.count > Self.limit { runs.removeFirst(Self.limit / 2) }
        return true
    }

    /// The mapping of a byte: up to where it goes, and what is added to sequence numbers. Nil where none is known.
    func mapping(at position: Int) -> (end: Int, shift: UInt32)? {
        for run in runs.reversed() where run.range.lowerBound <= position {
            return position < run.range.upperBound ? (run.range.upperBound, run.shift) : nil
        }
        return nil
    }
}
