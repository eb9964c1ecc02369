/// Subflows of Multipath TCP that have joined connections: those have no place of their own.
extension ConnectionStore {
    /// Takes a segment of no connection in the store, if it is of a subflow that has joined one, or joins one now. Returns the
    /// place of that.
    @inline(never)
    mutating func receiveJoined(_ routed: RoutedSegment, _ transport: RawSpan, _ shard: inout ShardContext) -> Int? {
        var member = shard.subflows[routed.key]
        if let known = member, !isAlive(known.place, known.number, shard) { member = nil }
        if routed.segment.flags.contains(.syn), !routed.segment.flags.contains(.ack) {
            member = join(routed, transport, member, shard)
            shard.subflows[routed.key] = member
        }
        guard let member else { return nil }
        let wasOpen = slots[member.place].facts.closedTime == nil
        slots[member.place].receive(routed.segment, transport, ofSubflow: member.subflow, &shard)
        if wasOpen, slots[member.place].facts.closedTime != nil { linger(member.place, routed.time, &shard) }
        return member.place
    }

    private func isAlive(_ place: Int, _ number: Int, _ shard: borrowing ShardContext) -> Bool {
        !slots[place].isVacant && slots[place].facts.number == number && !hasExpired(place, shard)
    }

    /// The subflow that a SYN opens, or the one that it opened before; nil where it joins nothing that is known.
    private func join(
        _ routed: RoutedSegment, _ transport: RawSpan, _ known: SubflowDirectory.Member?,
        _ shard: borrowing ShardContext
    ) -> SubflowDirectory.Member? {
        let segment = routed.segment
        guard let token = MultipathOptions(transport, headerLength: segment.headerLength).token,
            let opened = shard.subflows.connection(token), isAlive(opened.place, opened.number, shard),
            let multipath = slots[opened.place].multipath, multipath.mayBeJoined
        else { return nil }
        if let known, known.number == opened.number, multipath.isOpened(known.subflow, by: segment) { return known }
        guard shard.subflows.count < shard.streams.options.limitPerShard(of: shard.streams.options.connectionLimit)
        else { return nil }
        let index = multipath.join(routed.key, isSwapped: segment.direction == opened.owner)
        return index.map { SubflowDirectory.Member(place: opened.place, number: opened.number, subflow: $0) }
    }
}
