/// Whose a byte is that was delivered before, and costs that follow such bytes: acknowledgments, retransmissions.
extension Attribution {
    /// Owners of all bytes before it are known. `next`: how far the direction was delivered.
    @inline(__always)
    func known(_ direction: Direction, next: StreamPosition) -> StreamPosition {
        // Asked first, because taking the object out counts a reference.
        guard connection[direction].runs != nil, let runs = connection[direction].runs else { return next }
        return min(runs.end, next)
    }

    /// The owner of a byte that was delivered.
    @inline(__always)
    func owner(at position: StreamPosition, _ direction: Direction) -> Owner {
        ownerRun(at: position, direction).owner
    }

    /// The owner of a byte, and the position up to which it owns all bytes.
    @inline(__always)
    private func ownerRun(
        at position: StreamPosition, _ direction: Direction
    ) -> (owner: Owner, end: StreamPosition) {
        var later = StreamPosition.never
        if connection[direction].runs != nil, let runs = connection[direction].runs {
            if position >= runs.origin { return runs.find(position) }
            later = runs.origin
        }
        var index = searchStart(position, direction)
        while index >= 0 {
            let range = accounts[Int(index)].ranges[direction]
            if range.isPresent {
                if range.start <= position {
                    connection[direction].hint = index
                    return position < range.end ? (owner(index), min(range.end, later)) : (.connection, later)
                }
                later = range.start
            }
            index = accounts[Int(index)].previous
        }
        guard let upgrade = connection[direction].upgrade, upgrade.range.start <= position,
            position < upgrade.range.end, isOpen(upgrade.owner)
        else { return (.connection, later) }
        return (upgrade.owner, min(upgrade.range.end, later))
    }

    /// An owner from which the one looked for is found by going back: the latest that can have the byte, or one near the
    /// place looked at last, so that going through a stream does not take a walk for each byte.
    @inline(__always)
    private func searchStart(_ position: StreamPosition, _ direction: Direction) -> Int32 {
        let latest = connection[direction].latest
        guard connection[direction].hint >= 0, latest >= 0, accounts[Int(latest)].ranges[direction].start > position
        else { return latest }
        var index = connection[direction].hint
        while index != latest, index >= 0 {
            let range = accounts[Int(index)].ranges[direction]
            if range.isPresent, range.start > position { return index }
            index = accounts[Int(index)].following
        }
        return latest
    }

    /// Forgets owners of bytes that nothing is likely to be charged to any more.
    @inline(__always)
    func trimRuns(_ direction: Direction, acknowledged: StreamPosition) {
        if connection[direction].runs != nil, let runs = connection[direction].runs {
            runs.trim(acknowledged: acknowledged)
        }
    }

    // MARK: Costs that follow bytes

    /// Charges a cost to the owners of its range. `last`: the last byte seen, where the range may never have come.
    mutating func charge(
        _ cost: DeferredCost, on direction: Direction, last: StreamPosition? = nil, next: StreamPosition
    ) {
        if cost.cause == .ack {
            var position = cost.start
            if let last, position >= known(direction, next: next) { position = last }
            let owner = owner(at: position, direction)
            return post(
                packet: owner, .ack, cost.cost.internet, link: cost.cost.link, frame: Int(cost.frame), cost.payer)
        }
        var shares = ShareList()
        var position = cost.start
        while position < cost.end {
            let run = ownerRun(at: position, direction)
            let end = min(run.end, cost.end)
            shares.add(run.owner, end - position)
            post(
                packet: run.owner, .retransmission, end - position, link: 0, frame: Int(cost.frame), direction)
            position = end
        }
        post(cost.cost, .retransmission, frame: Int(cost.frame), among: shares.merged(), direction)
    }

    /// Waits with a cost until its range was delivered.
    mutating func postpone(_ cost: DeferredCost, on direction: Direction) {
        deferred.append(cost, to: &connection[direction].deferred)
    }

    @inline(__always)
    func hasDeferredCosts(_ direction: Direction) -> Bool { !connection[direction].deferred.isEmpty }

    /// Charges the costs whose ranges have been delivered since.
    mutating func resolveDeferredCosts(_ direction: Direction, next: StreamPosition) {
        let known = known(direction, next: next)
        for cost in deferred.takeAll(endingBy: known, from: &connection[direction].deferred) {
            charge(cost, on: direction, next: next)
        }
    }

    /// Charges all of them: nothing more comes.
    mutating func resolveAllDeferredCosts(_ direction: Direction, last: StreamPosition, next: StreamPosition) {
        for cost in deferred.takeAll(endingBy: .never, from: &connection[direction].deferred) {
            charge(cost, on: direction, last: last, next: next)
        }
    }
}
