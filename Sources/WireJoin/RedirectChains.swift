import WireLogs

/// Redirected calls as a log with a certain convention sees them.
struct RedirectChains {
    /// By place among the calls: the first hop; -1 where the call is no hop.
    private var firstHops: [Int32]
    /// By place: the next hop; -1 for none.
    private var nextHops: [Int32]
    let isEmpty: Bool
    private let calls: [WireCall]

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
    }

    func isHop(_ place: Int) -> Bool { firstHops[place] >= 0 }

    /// The call that was redirected first, of those that led to a call; itself where none did.
    func firstHop(of place: Int) -> Int { firstHops[place] >= 0 ? Int(firstHops[place]) : place }

    /// The call that followed a redirection; nil for none.
    func nextHop(of place: Int) -> Int? { nextHops[place] >= 0 ? Int(nextHops[place]) : nil }

    /// By place, the call at which the redirections from there end.
    func lastHops() -> [Int] {
        var ends = Array(calls.indices)
        for place in calls.indices.reversed() where nextHops[place] >= 0 { ends[place] = ends[Int(nextHops[place])] }
        return ends
    }

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
