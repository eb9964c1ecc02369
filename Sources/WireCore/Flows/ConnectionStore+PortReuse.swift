/// Connections whose ports a later connection uses (ByteLedger.md §2.3), oldest first.
struct SupersededConnections {
    private var entries: [(place: Int, number: Int, time: Int64)] = []
    private var head = 0
    private(set) var count = 0
    /// The oldest.
    var first: (place: Int, number: Int, time: Int64) { entries[head] }

    mutating func append(_ place: Int, number: Int, at time: Int64) {
        entries.append((place, number, time))
        count += 1
    }

    mutating func removeFirst() {
        head += 1
        count -= 1
        guard count == 0 || head > 1024 else { return }
        entries.removeFirst(head)
        head = 0
    }

    /// The clock was set back.
    mutating func fallBack(to time: Int64) {
        for place in head..<entries.count { entries[place].time = min(entries[place].time, time) }
    }
}

/// A port that is used again within moments. Where packets are out of order, or come twice, those of the earlier
/// connection stand behind the SYN of the next one. Sequence and acknowledgment numbers say whose they are.
extension ConnectionStore {
    /// Most superseded connections that wait for late packets.
    private static let supersededLimit = 1024
    /// Most earlier connections on the same ports that are asked.
    private static let predecessorLimit = 16

    /// Another connection takes the ports of this one, whose late packets may still come. False if they can not.
    mutating func supersede(_ index: Int, _ shard: inout ShardContext) -> Bool {
        guard shard.streams.options.ordersDirections, !hasExpired(index, shard),
            shard.steadyTime - slots[index].facts.lastTime <= TimerWheel.lateSegmentWindow
        else { return false }
        if superseded.count >= ConnectionStore.supersededLimit { endFirstSuperseded(&shard) }
        table.remove(slots[index].facts.key.hash(seed: table.seed), index)
        superseded.append(index, number: slots[index].facts.number, at: shard.steadyTime)
        if last == index { last = -1 }
        return true
    }

    /// The earlier connection on the same ports that a segment belongs to; nil where it belongs to the present one.
    @inline(never)
    func earlierOwner(of segment: Segment, at index: Int) -> Int? {
        guard slots[index].predecessor >= 0, slots[index].order.holdsNumbers(of: segment) != true else { return nil }
        var place = index
        for _ in 0..<ConnectionStore.predecessorLimit {
            let earlier = Int(slots[place].predecessor)
            // Another connection may have taken its slot.
            guard earlier >= 0, !slots[earlier].isVacant, slots[earlier].facts.number < slots[place].facts.number
            else { return nil }
            if slots[earlier].order.holdsNumbers(of: segment) == true { return earlier }
            place = earlier
        }
        return nil
    }

    mutating func takeLate(_ segment: Segment, _ transport: RawSpan, _ place: Int, _ shard: inout ShardContext) {
        let wasOpen = slots[place].facts.closedTime == nil
        var segment = segment
        slots[place].receive(&segment, transport, &shard)
        if wasOpen, slots[place].facts.closedTime != nil { linger(place, segment.time, &shard) }
    }

    /// Ends those whose late packets are not waited for any longer.
    @inline(never)
    mutating func endSuperseded(_ shard: inout ShardContext) {
        while superseded.count > 0, shard.steadyTime - superseded.first.time > TimerWheel.lateSegmentWindow {
            endFirstSuperseded(&shard)
        }
    }

    private mutating func endFirstSuperseded(_ shard: inout ShardContext) {
        let entry = superseded.first
        superseded.removeFirst()
        if !slots[entry.place].isVacant, slots[entry.place].facts.number == entry.number {
            end(entry.place, .idle, &shard)
        }
    }
}
