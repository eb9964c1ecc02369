/// What a capture leaves open of redirections: calls for one target that came close together may each have followed the
/// other's redirection. So a chain of redirections may have begun or ended at another call than its own.
struct RedirectReadings {
    struct Reading: Hashable {
        /// The call with the first name of the chain, and the one that it ended at. Places among the calls.
        var first: Int
        var end: Int
    }

    /// A chain as the order of the capture suggests it, and what else it may have been.
    struct Chain {
        var start: Int
        var end: Int
        var readings: [Reading]
    }

    /// So many calls, and so many chains, are held against each other.
    private static let limit = 32
    /// As long as a client may take to open a connection before it follows, nanoseconds.
    private static let patience: Int64 = 1_000_000_000

    /// Chains that may have taken each other's calls.
    private(set) var tangles: [[Chain]] = []
    private let chains: RedirectChains
    private let calls: [WireCall]
    /// Calls for one target that came close together, and by call in which of these groups it is.
    private var groups: [[Int]] = []
    private var groupOfCall: [Int: Int] = [:]

    init(_ chains: RedirectChains, _ calls: [WireCall]) {
        self.chains = chains
        self.calls = calls
        for (place, call) in calls.enumerated() where call.redirectRival >= 0 && call.redirectRival < place {
            enter(place, rival: Int(call.redirectRival))
        }
        if groups.isEmpty { return }
        let ends = chains.lastHops()
        for starts in tangledStarts() {
            let names = Set(starts.map { [calls[$0].host, calls[$0].path, calls[$0].method] })
            // Rows of one name tell nothing, whichever is whose.
            guard names.count > 1 else { continue }
            tangles.append(starts.map { Chain(start: $0, end: ends[$0], readings: readings(of: $0)) })
        }
    }

    private mutating func enter(_ place: Int, rival: Int) {
        if let group = groupOfCall[rival], groups[group].count < RedirectReadings.limit {
            groups[group].append(place)
            groupOfCall[place] = group
        } else {
            (groupOfCall[rival], groupOfCall[place]) = (groups.count, groups.count)
            groups.append([rival, place])
        }
    }

    /// The starts of chains that share groups, directly or by others.
    private func tangledStarts() -> [[Int]] {
        var tangles: [[Int]] = []
        var tangleOfStart: [Int: Int] = [:]
        for group in groups {
            let starts = Set(group.map { chains.firstHop(of: $0) })
            let known = Set(starts.compactMap { tangleOfStart[$0] }).sorted()
            let merged = starts.union(known.flatMap { tangles[$0] })
            let isSmall = merged.count <= RedirectReadings.limit
            if isSmall { for tangle in known { tangles[tangle] = [] } }
            let members = isSmall ? merged : starts
            for start in members { tangleOfStart[start] = tangles.count }
            tangles.append(members.sorted())
        }
        return tangles.filter { !$0.isEmpty }
    }

    // MARK: Readings of a chain

    private func readings(of start: Int) -> [Reading] {
        rivals(of: start).flatMap { first in ends(from: first).map { Reading(first: first, end: $0) } }
    }

    /// The calls that may have been in the place of this one, itself among them.
    private func rivals(of place: Int) -> [Int] { groupOfCall[place].map { groups[$0] } ?? [place] }

    private func ends(from first: Int) -> [Int] {
        var found: [Int] = []
        var seen: Set<Int> = [first]
        var open = [first]
        while let place = open.popLast() {
            guard let next = chains.nextHop(of: place) else {
                found.append(place)
                continue
            }
            for rival in rivals(of: next) where mayFollow(rival, place, insteadOf: next) && seen.insert(rival).inserted
            {
                open.append(rival)
            }
        }
        return found.sorted()
    }

    /// Whether a call may have followed the redirection of another, which `next` follows by the order of the capture.
    private func mayFollow(_ call: Int, _ redirected: Int, insteadOf next: Int) -> Bool {
        let (time, since) = (calls[call].start, calls[redirected].end)
        guard call != next, UsableTime.contains(time), UsableTime.contains(since) else { return true }
        let usual = calls[next].start.saturatingSubtract(since)
        // As in `RedirectLinks`: where connections are scarce, requests wait long, and not in the app's order.
        let longest = max(RedirectReadings.patience, usual < .max / 4 ? 4 * usual : .max)
        return time >= since && time.saturatingSubtract(since) <= longest
    }
}
