/// Costs whose owner is known only when the stream has been delivered up to `end`.
struct DeferredCost: Sendable {
    var start = StreamPosition.zero
    var end = StreamPosition.zero
    /// `ack`: the whole packet is `cost.internet`. `retransmission`: the range's bytes come on top.
    var cause = Cause.ack
    /// The direction whose cost it is; the range lies in the other one for an acknowledgment.
    var payer = Direction(0)
    var cost = HeaderCost()
    /// Number of the frame.
    var frame: UInt32 = 0
    /// Its place in the order of arrival.
    fileprivate(set) var arrival = 0
}

/// All deferred costs: for each direction in the order in which their ranges end.
struct DeferredCosts: Sendable {
    struct Chain: Sendable {
        fileprivate var tree = IntervalTree()
        /// Costs that came so far: their order of arrival.
        fileprivate var arrivals = 0
        fileprivate(set) var count = 0
        /// Where the first of the ranges ends; nothing can be attributed before the stream has come there.
        fileprivate var earliestEnd = StreamPosition.never
        @inline(__always) var isEmpty: Bool { count == 0 }
    }

    private var costs = IntervalForest<DeferredCost>()

    mutating func append(_ cost: consuming DeferredCost, to chain: inout Chain) {
        let end = cost.end.value
        chain.arrivals += 1
        chain.count += 1
        cost.arrival = chain.arrivals
        chain.earliestEnd = min(chain.earliestEnd, cost.end)
        costs.insert(cost, end..<end + 1, rank: chain.arrivals, into: &chain.tree)
    }

    /// Takes out those whose ranges end at or before `position`, in order of arrival.
    mutating func takeAll(endingBy position: StreamPosition, from chain: inout Chain) -> [DeferredCost] {
        guard chain.earliestEnd <= position else { return [] }
        var (taken, isOrdered) = ([DeferredCost](), true)
        var first = costs.first(endingBehind: .min, chain.tree)
        while let index = first, costs[index].end <= position {
            let cost = costs.remove(index, from: &chain.tree, leaving: DeferredCost())
            if let last = taken.last, last.arrival > cost.arrival { isOrdered = false }
            taken.append(cost)
            first = costs.first(endingBehind: .min, chain.tree)
        }
        chain.count -= taken.count
        chain.earliestEnd = first.map { costs[$0].end } ?? .never
        if !isOrdered { taken.sort { $0.arrival < $1.arrival } }
        return taken
    }
}
