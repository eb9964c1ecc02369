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
    fileprivate(set) var following: Int32 = -1
}

/// All deferred costs: an arena with one chain per direction, in order of arrival.
struct DeferredCosts: Sendable {
    struct Chain: Sendable {
        fileprivate var head: Int32 = -1
        fileprivate var tail: Int32 = -1
        fileprivate(set) var count = 0
        /// Where the first of the ranges ends; nothing can be attributed before the stream has come there.
        fileprivate var earliestEnd = StreamPosition.never
        @inline(__always) var isEmpty: Bool { head < 0 }
    }

    private var slots: [DeferredCost] = []
    private var free: [Int32] = []

    mutating func append(_ cost: DeferredCost, to chain: inout Chain) {
        let index: Int32
        if let reused = free.popLast() {
            index = reused
            slots[Int(index)] = cost
        } else {
            index = Int32(slots.count)
            slots.append(cost)
        }
        link(index, to: &chain)
    }

    private mutating func link(_ index: Int32, to chain: inout Chain) {
        slots[Int(index)].following = -1
        if chain.tail >= 0 { slots[Int(chain.tail)].following = index } else { chain.head = index }
        chain.tail = index
        chain.count += 1
        chain.earliestEnd = min(chain.earliestEnd, slots[Int(index)].end)
    }

    /// Takes out those whose ranges end at or before `position`, in order of arrival.
    mutating func takeAll(endingBy position: StreamPosition, from chain: inout Chain) -> [DeferredCost] {
        guard chain.earliestEnd <= position else { return [] }
        var taken: [DeferredCost] = []
        var cursor = chain.head
        chain = Chain()
        while cursor >= 0 {
            let cost = slots[Int(cursor)]
            if cost.end <= position {
                taken.append(cost)
                free.append(cursor)
            } else {
                link(cursor, to: &chain)
            }
            cursor = cost.following
        }
        return taken
    }
}
