/// How much was done; grows with n log n, whatever the log. Counted to be tested, since time is not a fit measure.
package struct MatchingWork {
    var heapSteps = 0
    var searchSteps = 0
    var comparedPairs = 0

    package var total: Int { heapSteps + searchSteps + comparedPairs }
}

/// The one-to-one assignment of rows to exchanges of one group with the least total of time differences, where leaving
/// a row and an exchange out costs `limit` together. So no pair is farther apart than that.
///
/// Some best assignment has no two pairs that cross, as times are points on a line and costs are distances. It is found
/// from left to right: each point, row or exchange, takes what is cheapest at that moment, a free point of the other
/// kind or one whose earlier choice is undone, and leaves behind what undoing its own choice would cost. This is the
/// successive shortest path method of the assignment problem, with two heaps in the place of the search: exact, and
/// n log n, whatever the density of points.
struct LineAssignment {
    /// What a later point of the other kind may take.
    private struct Offer {
        /// The total changes by this and the taker's own position.
        var value: Int64
        /// The point that gets or loses its partner when the offer is taken: rows from 0, exchanges as `~index`.
        var leaf: Int32
    }

    /// The cheapest offer first.
    private struct OfferHeap {
        private var offers: [Offer] = []
        var first: Offer? { offers.first }

        mutating func removeAll() { offers.removeAll(keepingCapacity: true) }

        mutating func push(_ offer: Offer, _ work: inout MatchingWork) {
            var place = offers.count
            offers.append(offer)
            while place > 0 {
                let parent = (place - 1) / 2
                work.heapSteps &+= 1
                guard offer.value < offers[parent].value else { break }
                offers[place] = offers[parent]
                place = parent
            }
            offers[place] = offer
        }

        mutating func removeFirst(_ work: inout MatchingWork) {
            guard let last = offers.popLast(), !offers.isEmpty else { return }
            var place = 0
            while true {
                var child = 2 * place + 1
                guard child < offers.count else { break }
                if child + 1 < offers.count, offers[child + 1].value < offers[child].value { child += 1 }
                work.heapSteps &+= 1
                guard offers[child].value < last.value else { break }
                offers[place] = offers[child]
                place = child
            }
            offers[place] = last
        }
    }

    private var rowOffers = OfferHeap()
    private var callOffers = OfferHeap()
    private var isRowMatched: [Bool] = []
    private var isCallMatched: [Bool] = []
    /// By row: its exchange, -1 for none. Both by their places in the times given.
    private(set) var partners: [Int32] = []
    var work = MatchingWork()

    /// - Parameters:
    ///   - rows: ascending.
    ///   - calls: ascending.
    ///   - limit: at most some hours.
    mutating func solve(rows: [Int64], calls: [Int64], limit: Int64) {
        partners.removeAll(keepingCapacity: true)
        partners.append(contentsOf: repeatElement(-1, count: rows.count))
        var (row, call) = (0, 0)
        while row < rows.count, call < calls.count {
            let (firstRow, firstCall) = (row, call)
            var last = min(rows[row], calls[call])
            while true {
                if row < rows.count, rows[row].saturatingSubtract(last) <= limit,
                    call >= calls.count || rows[row] <= calls[call]
                {
                    last = rows[row]
                    row += 1
                } else if call < calls.count, calls[call].saturatingSubtract(last) <= limit {
                    last = calls[call]
                    call += 1
                } else {
                    break
                }
            }
            solveCluster(rows, firstRow..<row, calls, firstCall..<call, limit)
        }
    }

    /// Points without a gap larger than the limit: no pair leaves them.
    private mutating func solveCluster(
        _ rows: [Int64], _ rowRange: Range<Int>, _ calls: [Int64], _ callRange: Range<Int>, _ limit: Int64
    ) {
        if rowRange.isEmpty || callRange.isEmpty { return }
        if rowRange.count == 1, callRange.count == 1 {
            partners[rowRange.lowerBound] = Int32(truncatingIfNeeded: callRange.lowerBound)
            return
        }
        rowOffers.removeAll()
        callOffers.removeAll()
        isRowMatched = Array(repeating: false, count: rowRange.count)
        isCallMatched = Array(repeating: false, count: callRange.count)
        let origin = min(rows[rowRange.lowerBound], calls[callRange.lowerBound])
        var (row, call) = (rowRange.lowerBound, callRange.lowerBound)
        while row < rowRange.upperBound || call < callRange.upperBound {
            if call >= callRange.upperBound || (row < rowRange.upperBound && rows[row] <= calls[call]) {
                place(row: row - rowRange.lowerBound, at: rows[row] - origin, limit)
                row += 1
            } else {
                place(call: call - callRange.lowerBound, at: calls[call] - origin, limit)
                call += 1
            }
        }
        var next = callRange.lowerBound
        for row in rowRange where isRowMatched[row - rowRange.lowerBound] {
            while !isCallMatched[next - callRange.lowerBound] { next += 1 }
            partners[row] = Int32(truncatingIfNeeded: next)
            next += 1
        }
    }

    private mutating func place(row: Int, at position: Int64, _ limit: Int64) {
        // One more than the limit, so that a pair just as far apart as the limit is still made.
        let price = limit + 1
        if let offer = callOffers.first, position + offer.value - price < 0 {
            callOffers.removeFirst(&work)
            isRowMatched[row] = true
            toggle(offer.leaf)
            rowOffers.push(Offer(value: -2 * position - offer.value, leaf: offer.leaf), &work)
        } else {
            rowOffers.push(Offer(value: -position - price, leaf: Int32(truncatingIfNeeded: row)), &work)
        }
    }

    private mutating func place(call: Int, at position: Int64, _ limit: Int64) {
        if let offer = rowOffers.first, position + offer.value < 0 {
            rowOffers.removeFirst(&work)
            isCallMatched[call] = true
            toggle(offer.leaf)
            callOffers.push(Offer(value: -2 * position - offer.value, leaf: offer.leaf), &work)
        } else {
            callOffers.push(Offer(value: -position, leaf: ~Int32(truncatingIfNeeded: call)), &work)
        }
    }

    private mutating func toggle(_ leaf: Int32) {
        if leaf >= 0 {
            isRowMatched[Int(leaf)].toggle()
        } else {
            isCallMatched[Int(~leaf)].toggle()
        }
    }
}
