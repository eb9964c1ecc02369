/// Redirected calls as a log with a certain convention sees them.
struct RedirectChains {
    /// Two calls for one target, of which each may be the one that followed the other's redirection. Places among the calls.
    struct Doubt: Equatable {
        var first: Int
        var second: Int
    }

    /// By place among the calls: the first hop; -1 where the call is no hop.
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
        firstHops = Array(repeating: -1, count: calls.count)
        nextHops = Array(repeating: -1, count: calls.count)
        var found = false
        for (place, call) in calls.enumerated() {
            let before = Int(call.redirectedFrom)
            // A hop follows one before it: chains have no circles.
            guard before >= 0, before < place else { continue }
            found = true
            nextHops[before] = Int32(truncatingIfNeeded: place)
            if firstHops[before] < 0 { firstHops[before] = Int32(truncatingIfNeeded: before) }
            firstHops[place] = firstHops[before]
        }
        isEmpty = !found
        guard found else { return }
        for (place, call) in calls.enumerated() where calls.indices.contains(Int(call.redirectRival)) {
            let rival = Int(call.redirectRival)
            let (one, two) = (calls[start(of: rival)], calls[start(of: place)])
            guard rival < place, calls[rival].redirectedFrom >= 0 else { continue }
            if (one.host, one.path, one.method) != (two.host, two.path, two.method) {
                doubts.append(Doubt(first: rival, second: place))
            }
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

    /// The same calls, with each of the two behind the other's redirection.
    func exchanging(_ doubt: Doubt) -> RedirectChains {
        var calls = calls
        (calls[doubt.first].redirectedFrom, calls[doubt.second].redirectedFrom) =
            (calls[doubt.second].redirectedFrom, calls[doubt.first].redirectedFrom)
        var chains = RedirectChains(calls)
        (chains.doubts, chains.openEnds) = (doubts, openEnds)
        return chains
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
        return calls.indices.map { place in
            var call = calls[place]
            guard firstHops[place] >= 0 else { return call }
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
