/// Redirected calls as a log with a certain convention sees them.
struct RedirectChains {
    /// Two calls for one target, of which each may be the one that followed the other's redirection. Places among the calls.
    struct Doubt: Equatable {
        var first: Int
        var second: Int
    }

    /// By place among the calls: the hop before; -1 for none.
    private var lastHops: [Int32]
    /// By place: the first hop; -1 where the call is no hop.
    private var firstHops: [Int32]
    /// By place: the next hop; -1 for none.
    private var nextHops: [Int32]
    let isEmpty: Bool
    private let calls: [WireCall]
    /// Doubts about which call followed, as far as a name depends on it.
    private(set) var doubts: [Doubt] = []
    /// By last hops of chains whose doubt was left open: the last hop of the other chain.
    private var openEnds: [Int32: Int32] = [:]

    init(_ calls: [WireCall]) {
        self.calls = calls
        // A hop follows one before it: chains have no circles.
        lastHops = calls.enumerated().map { place, call in
            call.redirectedFrom >= 0 && call.redirectedFrom < place ? call.redirectedFrom : -1
        }
        firstHops = Array(repeating: -1, count: calls.count)
        nextHops = Array(repeating: -1, count: calls.count)
        isEmpty = lastHops.allSatisfy { $0 < 0 }
        if isEmpty { return }
        link(Array(calls.indices))
        for (place, call) in calls.enumerated() where call.redirectRival >= 0 && call.redirectRival < place {
            let rival = Int(call.redirectRival)
            let (one, two) = (calls[start(of: rival)], calls[start(of: place)])
            if lastHops[rival] >= 0, (one.host, one.path, one.method) != (two.host, two.path, two.method) {
                doubts.append(Doubt(first: rival, second: place))
            }
        }
    }

    /// - Parameter hops: ascending; with a hop all of its chain.
    private mutating func link(_ hops: [Int]) {
        for hop in hops { (firstHops[hop], nextHops[hop]) = (-1, -1) }
        for hop in hops where lastHops[hop] >= 0 {
            let before = Int(lastHops[hop])
            nextHops[before] = Int32(truncatingIfNeeded: hop)
            if firstHops[before] < 0 { firstHops[before] = Int32(truncatingIfNeeded: before) }
            firstHops[hop] = firstHops[before]
        }
    }

    func isHop(_ place: Int) -> Bool { firstHops[place] >= 0 }

    private func start(of place: Int) -> Int { firstHops[place] >= 0 ? Int(firstHops[place]) : place }

    private func end(of place: Int) -> Int {
        var end = place
        while nextHops[end] >= 0 { end = Int(nextHops[end]) }
        return end
    }

    // MARK: Doubts

    /// Hops of both chains.
    func hops(of doubt: Doubt) -> [Int] {
        [doubt.first, doubt.second].flatMap { place in
            var hops = [start(of: place)]
            while let last = hops.last, nextHops[last] >= 0 { hops.append(Int(nextHops[last])) }
            return hops
        }
    }

    /// Puts each of the two calls behind the other's redirection.
    mutating func exchange(_ doubt: Doubt) {
        let hops = Set(hops(of: doubt)).sorted()
        let (one, two) = (lastHops[doubt.first], lastHops[doubt.second])
        // A redirection that came later than the other call cannot have led to it.
        guard one < doubt.second, two < doubt.first else { return }
        (lastHops[doubt.first], lastHops[doubt.second]) = (two, one)
        link(hops)
    }

    /// Nothing tells which of the two followed: rows of one chain may be of the other.
    mutating func leaveOpen(_ doubt: Doubt) {
        let (one, two) = (end(of: doubt.first), end(of: doubt.second))
        openEnds[Int32(truncatingIfNeeded: one)] = Int32(truncatingIfNeeded: two)
        openEnds[Int32(truncatingIfNeeded: two)] = Int32(truncatingIfNeeded: one)
    }

    /// Rows of chains in doubt are ambiguous: they may be of the other chain's last hop.
    func withOpenEnds(_ found: [RowJoin.Found], as convention: RedirectConvention?) -> [RowJoin.Found] {
        guard !openEnds.isEmpty, convention == .task || convention == .firstURLOnLast else { return found }
        return found.map { item in
            guard let other = openEnds[item.call] else { return item }
            var item = item
            item.isAmbiguous = true
            if !item.alternatives.contains(other) { item.alternatives.insert(other, at: 0) }
            return item
        }
    }

    // MARK: Names

    /// The calls under names and times by which rows of the convention know them. A call that has no row of its own is
    /// left out: its number is -1.
    func calls(as convention: RedirectConvention, for kind: LogRow.Kind) -> [WireCall] {
        if convention == .hops || isEmpty { return calls }
        return calls.indices.map { call($0, as: convention, for: kind) }
    }

    /// One of them.
    func call(_ place: Int, as convention: RedirectConvention, for kind: LogRow.Kind) -> WireCall {
        var call = calls[place]
        guard convention != .hops, firstHops[place] >= 0 else { return call }
        if nextHops[place] >= 0 {
            if convention == .task { call.number = -1 }
            return call
        }
        let first = calls[Int(firstHops[place])]
        (call.host, call.path, call.method) = (first.host, first.path, first.method)
        if kind == .exchange {
            (call.start, call.opened, call.isFirst) = (first.start, first.opened, first.isFirst)
        }
        return call
    }

    /// Conventions that rows of a kind may follow. The row of a request is that of its own hop in all of them.
    static func conventions(_ kind: LogRow.Kind) -> [RedirectConvention] {
        switch kind {
        case .request: [.hops]
        case .response: [.hops, .firstURLOnLast, .task]
        case .exchange: [.hops, .task]
        }
    }
}
