import WireCore

/// What could be spared of connections, their handshakes and certificates.
extension ConnectionSavings {
    /// What all that is computed saves together, and what of it stands by itself.
    struct Savings {
        var found: [Opportunity] = []
        /// By kind. A connection that is not opened needs no handshake, and a handshake that is resumed no certificates.
        var together: [Opportunity.Kind: Int] = [:]
        /// Connections that carried nothing but calls that need not be made, with what they cost besides.
        var unopened: [(calls: SparedCalls, part: Opportunity.Part)] = []
    }

    /// - Parameters:
    ///   - includes: hosts that the report is about.
    ///   - spared: calls that need not be made, by connection. One that carried only such need not be opened.
    ///   - fields: what header fields of a connection's calls cost less on another.
    func savings(_ includes: (String) -> Bool, spared: [Int: SparedCalls], fields: [Int: Int] = [:]) -> Savings {
        var (resumption, unresumed, chains, savings) = (SubjectSums(), SubjectSums(), ChainSums(), Savings())
        for (host, bytes) in elsewhere where includes(host) {
            savings.together[.connectionReuse, default: 0] += bytes
        }
        let unopened = unopened(spared)
        savings.unopened = unopened.costs
        let others = needless(spared, unopened.places)
        for (key, group) in groups where includes(group.name) {
            for (place, bytes) in group.avoidable(group.uses.indices) {
                resumption.add(group.part(place, bytes), group.name)
            }
            for (place, bytes) in group.unresumed() { unresumed.add(group.part(place, bytes), group.name) }
            var left: [Int] = []
            for (index, use) in group.uses.enumerated() where unopened.places[key]?.contains(index) != true {
                let isJudgedAnew = others.pools.contains(group.pool)
                let cost = isJudgedAnew ? others.costs[use.number] : use.needless
                guard let cost else {
                    left.append(index)
                    continue
                }
                savings.together[.connectionReuse, default: 0] += cost + (fields[use.number] ?? 0)
            }
            let avoidable = group.avoidable(left)
            savings.together[.fullHandshake, default: 0] += avoidable.values.reduce(0, +)
            for use in group.uses { chains.add(use, group.name) }
            for index in left where avoidable[index] == nil {
                savings.together[.certificateChain, default: 0] += group.uses[index].chain?.together ?? 0
            }
        }
        let resumed = resumption.opportunity(.fullHandshake, isComputed: true)
        let never = unresumed.opportunity(.sessionResumption, isComputed: false)
        savings.found = [resumed, never].compactMap(\.self) + chains.opportunities()
        return savings
    }

    /// The needless connections, by host. Their bytes include `fields`: what header fields cost less without them.
    func needlessParts(_ fields: [Int: Int]) -> [String: [(part: Opportunity.Part, fields: Int)]] {
        var found: [String: [(part: Opportunity.Part, fields: Int)]] = [:]
        for group in groups.values {
            for use in group.uses {
                guard let cost = use.needless else { continue }
                let fields = fields[use.number] ?? 0
                found[group.name, default: []].append((Opportunity.Part(use, group.name, bytes: cost + fields), fields))
            }
        }
        return found
    }

    /// Connections that carried nothing but calls that need not be made: their places in their groups, and what they cost
    /// besides these calls.
    private func unopened(
        _ spared: [Int: SparedCalls]
    ) -> (places: [[UInt8]: Set<Int>], costs: [(calls: SparedCalls, part: Opportunity.Part)]) {
        var found: [[UInt8]: Set<Int>] = [:]
        var costs: [(calls: SparedCalls, part: Opportunity.Part)] = []
        for (connection, calls) in spared {
            guard let place = places[connection], place.index >= 0, let group = groups[place.key],
                group.uses[place.index].exchanges == calls.count
            else { continue }
            found[place.key, default: []].insert(place.index)
            costs.append((calls, group.part(place.index, group.uses[place.index].bytes - calls.bytes)))
        }
        return (found, costs)
    }

    /// Where calls are not made, fewer connections are there that could stand in for others, and these are idle at other
    /// times: which are needless then, with what they cost. `pools`: those that were looked at anew.
    private func needless(
        _ spared: [Int: SparedCalls], _ unopened: [[UInt8]: Set<Int>]
    ) -> (pools: Set<[UInt8]>, costs: [Int: Int]) {
        var members: [[UInt8]: [PooledConnection]] = [:]
        for connection in spared.keys {
            guard let key = places[connection]?.key, let pool = groups[key]?.pool else { continue }
            members[pool] = []
        }
        for (key, group) in groups where members[group.pool] != nil {
            for (index, use) in group.uses.enumerated() where unopened[key]?.contains(index) != true {
                guard let known = use.use else { continue }
                members[group.pool]?.append(pooled(use.number, known))
            }
        }
        var costs: [Int: Int] = [:]
        for pool in members.values {
            let needless = Set(PooledConnection.needless(pool))
            for one in pool where needless.contains(one.number) { costs[one.number] = one.use.cost }
        }
        return (Set(members.keys), costs)
    }

    /// A connection as the calls use it that have to be made.
    private func pooled(_ number: Int, _ known: ConnectionUse) -> PooledConnection {
        var (use, needed) = (known, CallTimes())
        if use.kind != .unread, let calls = times[number], let first = calls.list.first, let last = calls.list.last {
            use.begin = first.begin
            if !use.isSpent { use.end = last.end }
            if use.kind == .sequential || use.kind == .limited, !use.isSpent, calls.list.count > 1 { needed = calls }
        }
        return PooledConnection(number: number, use, needed)
    }
}
