/// Redirected calls as a log with a certain convention sees them.
struct RedirectChains {
    /// Calls for one target that came close together: each may be the one that followed another's redirection. So a row with
    /// the first name of one chain may be of the last hop of another.
    struct Rivals {
        /// First and last hops of the chains through these calls. Places among the calls.
        var starts: [Int] = []
        var ends: [Int] = []
    }

    /// So many calls are held against each other.
    private static let rivalLimit = 32

    /// By place among the calls: the first hop; -1 where the call is no hop.
    private var firstHops: [Int32]
    /// By place: the next hop; -1 for none.
    private var nextHops: [Int32]
    let isEmpty: Bool
    private let calls: [WireCall]
    private(set) var rivals: [Rivals] = []

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
        if found { rivals = findRivals() }
    }

    func isHop(_ place: Int) -> Bool { firstHops[place] >= 0 }

    private func findRivals() -> [Rivals] {
        var groups: [[Int]] = []
        var groupOfCall: [Int: Int] = [:]
        for (place, call) in calls.enumerated() where call.redirectRival >= 0 && call.redirectRival < place {
            let rival = Int(call.redirectRival)
            if let group = groupOfCall[rival], groups[group].count < RedirectChains.rivalLimit {
                groups[group].append(place)
                groupOfCall[place] = group
            } else {
                (groupOfCall[rival], groupOfCall[place]) = (groups.count, groups.count)
                groups.append([rival, place])
            }
        }
        let ends = lastHops()
        return groups.compactMap { group in
            let found = Rivals(starts: group.map(start), ends: group.map { ends[$0] })
            let names = Set(found.starts.map { [calls[$0].host, calls[$0].path, calls[$0].method] })
            return names.count > 1 ? found : nil
        }
    }

    private func start(of place: Int) -> Int { firstHops[place] >= 0 ? Int(firstHops[place]) : place }

    private func lastHops() -> [Int] {
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
