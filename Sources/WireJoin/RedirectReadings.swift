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

    /// Sets of chains that may have taken each other's calls.
    private(set) var chainSets: [[Chain]] = []
    private let chains: RedirectChains
    private let calls: [WireCall]
    /// Calls for one target that came close together, and by call in which of these groups it is.
    private var rivalGroups: [[Int]] = []
    private var groupOfCall: [Int: Int] = [:]

    init(_ chains: RedirectChains, _ calls: [WireCall]) {
        self.chains = chains
        self.calls = calls
        for (place, call) in calls.enumerated() where call.redirectRival >= 0 && call.redirectRival < place {
            enter(place, rival: Int(call.redirectRival))
        }
        if rivalGroups.isEmpty { return }
        let ends = chains.lastHops()
        for starts in startsThatShareRivals() {
            let names = Set(starts.map { [calls[$0].host, calls[$0].path, calls[$0].method] })
            // Rows of one name tell nothing, whichever is whose.
            guard names.count > 1 else { continue }
            chainSets.append(starts.map { Chain(start: $0, end: ends[$0], readings: readings(of: $0)) })
        }
    }

    private mutating func enter(_ place: Int, rival: Int) {
        if let group = groupOfCall[rival], rivalGroups[group].count < RedirectReadings.limit {
            rivalGroups[group].append(place)
            groupOfCall[place] = group
        } else {
            (groupOfCall[rival], groupOfCall[place]) = (rivalGroups.count, rivalGroups.count)
            rivalGroups.append([rival, place])
        }
    }

    /// The starts of chains that share groups, directly or by others.
    private func startsThatShareRivals() -> [[Int]] {
        var sets: [[Int]] = []
        var setOfStart: [Int: Int] = [:]
        for group in rivalGroups {
            let starts = Set(group.map { chains.firstHop(of: $0) })
            let known = Set(starts.compactMap { setOfStart[$0] }).sorted()
            let merged = starts.union(known.flatMap { sets[$0] })
            let isSmall = merged.count <= RedirectReadings.limit
            if isSmall { for set in known { sets[set] = [] } }
            let members = isSmall ? merged : starts
            for start in members { setOfStart[start] = sets.count }
            sets.append(members.sorted())
        }
        return sets.filter { !$0.isEmpty }
    }

    // MARK: Readings of a chain

    private func readings(of start: Int) -> [Reading] {
        rivals(of: start).flatMap { first in ends(from: first).map { Reading(first: first, end: $0) } }
    }

    /// The calls that may have been in the place of this one, itself among them.
    private func rivals(of place: Int) -> [Int] { groupOfCall[place].map { rivalGroups[$0] } ?? [place] }

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
        let longest = RedirectWait.longest(usual: calls[next].start.saturatingSubtract(since))
        return time >= since && time.saturatingSubtract(since) <= longest
    }
}
