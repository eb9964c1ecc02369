import WireCore
import WireRecords

/// Wire bytes by what they were spent on, in bins of time. Bytes of a call stand in the bin in which it began,
/// those of a connection that was not read where its records and packets were sent.
///
/// Where the capture gets longer than the bins reach, each two become one: so there are never more than `most`, and what
/// comes out depends on the first and last time alone.
struct BytesOverTime {
    static let most = 240
    /// Nanoseconds.
    private(set) var width: Int64 = 1_000_000
    /// By the number of their width since the epoch.
    private var bins: [Int64: CostGroups] = [:]
    private var range: ClosedRange<Int64>?

    mutating func add(_ groups: CostGroups, at time: Int64) {
        var place = number(time)
        range = range.map { min($0.lowerBound, place)...max($0.upperBound, place) } ?? place...place
        while let span = range, span.upperBound &- span.lowerBound >= Int64(BytesOverTime.most) {
            widen(span)
            place = number(time)
        }
        bins[place, default: CostGroups()].add(groups)
    }

    /// Adds a connection that was not read: its set-up where it began, and the rest in shares as large as the pieces.
    mutating func add(_ groups: CostGroups, from start: Int64, over pieces: [HiddenPiece]) {
        var (first, rest) = (CostGroups(), groups)
        first[.opening] = groups[.opening]
        rest[.opening] = 0
        add(first, at: start)
        let whole = pieces.reduce(0) { $0 + Int($1.bytes) }
        guard whole > 0 else { return add(rest, at: start) }
        var (bytes, added) = (0, CostGroups())
        for piece in pieces {
            bytes += Int(piece.bytes)
            var share = CostGroups()
            for group in CostGroup.allCases {
                share[group] = scaled(bytes, of: whole, to: rest[group]) - added[group]
            }
            added.add(share)
            add(share, at: piece.time)
        }
    }

    private mutating func widen(_ span: ClosedRange<Int64>) {
        width *= 2
        var merged: [Int64: CostGroups] = [:]
        for (place, groups) in bins { merged[place >> 1, default: CostGroups()].add(groups) }
        bins = merged
        range = (span.lowerBound >> 1)...(span.upperBound >> 1)
    }

    /// Rounded towards the past, so that halving a number is the same as doubling the width.
    private func number(_ time: Int64) -> Int64 {
        let (quotient, remainder) = time.quotientAndRemainder(dividingBy: width)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// All bins from the first to the last, and when the first begins.
    var series: (start: Int64, bins: [CostGroups]) {
        guard let range else { return (0, []) }
        return (range.lowerBound &* width, range.map { bins[$0] ?? CostGroups() })
    }
}
