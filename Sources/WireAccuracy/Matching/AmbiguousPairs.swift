/// Tells which pairs of one group might be others.
///
/// What is known of a row is where it lies, give or take `slack`. Pairs were made in the order of times; a pair is
/// certain when every other one-to-one assignment of the matched rows puts some row farther from its exchange than
/// rows usually lie. So these are ambiguous:
///
/// - two pairs whose rows could each be of the other's exchange (the rows are then not the same row twice),
/// - a pair whose row could be of an exchange that has no row,
/// - a pair whose exchange could be of a row that has no exchange,
/// - and pairs that would have to move on for one of these, step by step.
///
/// Requests that are merely near each other are none of these: their order and their times tell them apart as soon as
/// they lie farther apart than rows scatter.
struct AmbiguousPairs {
    /// A matched pair, by predicted times. `identity` is the same for rows that are equal in all columns.
    struct Pair {
        var row: Int64
        var call: Int64
        var identity: Int32
    }

    /// - Parameters:
    ///   - pairs: in the order of both.
    ///   - freeRows: times of rows without an exchange, ascending.
    ///   - freeCalls: times of exchanges without a row, ascending.
    /// - Returns: by pair, whether it is ambiguous.
    static func find(_ pairs: [Pair], freeRows: [Int64], freeCalls: [Int64], slack: Int64) -> [Bool] {
        var found = swappable(pairs, slack)
        if !freeCalls.isEmpty {
            mark(pairs.map { ($0.row, $0.call) }, freeCalls, slack, &found)
        }
        if !freeRows.isEmpty {
            mark(pairs.map { ($0.call, $0.row) }, freeRows, slack, &found)
        }
        return found
    }

    /// Two points are as near as rows usually are, or nearer than the pair at hand.
    private static func fits(_ left: Int64, _ right: Int64, _ slack: Int64, _ pair: (Int64, Int64)) -> Bool {
        left.distance(from: right) <= max(slack, pair.0.distance(from: pair.1))
    }

    /// Neighbours that may change places. Where pairs farther apart may change places, so may the neighbours between
    /// them, as both orders are the same.
    private static func swappable(_ pairs: [Pair], _ slack: Int64) -> [Bool] {
        var found = [Bool](repeating: false, count: pairs.count)
        var start = 0
        for index in pairs.indices {
            let hasNext = index + 1 < pairs.count && canSwap(pairs[index], pairs[index + 1], slack)
            if hasNext { continue }
            if pairs[start...index].contains(where: { $0.identity != pairs[start].identity }) {
                for place in start...index { found[place] = true }
            }
            start = index + 1
        }
        return found
    }

    private static func canSwap(_ left: Pair, _ right: Pair, _ slack: Int64) -> Bool {
        fits(left.row, right.call, slack, (left.row, left.call))
            && fits(right.row, left.call, slack, (right.row, right.call))
    }

    /// Marks pairs whose own point (first) could go to a free point of the other kind, or to the place of a pair that
    /// could.
    private static func mark(
        _ pairs: [(own: Int64, other: Int64)], _ free: [Int64], _ slack: Int64, _ found: inout [Bool]
    ) {
        var moves = false
        var next = 0
        for (index, pair) in pairs.enumerated() {
            while next < free.count, free[next] <= pair.other { next += 1 }
            let before = next > 0 ? free[next - 1] : nil
            moves = moves && index > 0 && fits(pair.own, pairs[index - 1].other, slack, pair)
            if let before, fits(pair.own, before, slack, pair) { moves = true }
            if moves { found[index] = true }
        }
        moves = false
        next = free.count
        for (index, pair) in pairs.enumerated().reversed() {
            while next > 0, free[next - 1] >= pair.other { next -= 1 }
            let after = next < free.count ? free[next] : nil
            moves = moves && index + 1 < pairs.count && fits(pair.own, pairs[index + 1].other, slack, pair)
            if let after, fits(pair.own, after, slack, pair) { moves = true }
            if moves { found[index] = true }
        }
    }
}
