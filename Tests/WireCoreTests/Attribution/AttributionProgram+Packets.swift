import WireTesting

@testable import WireCore

/// Packets, costs that follow their bytes, and the end.
extension AttributionProgram {
    // MARK: Packets

    /// Sends a packet of the direction: whole, or in two pieces with the packet between them that filled its gap.
    func sendPacket(_ direction: Direction) {
        let cost = HeaderCost(
            internet: 20 + random.below(41), link: random.oneIn(3) ? 0 : 14,
            hidden: random.oneIn(5) ? random.below(90) : 0)
        attribution.packet.time += 1
        guard random.oneIn(4) else {
            enter(cost, direction)
            deliver(1 + random.below(30), direction)
            leave(direction)
            return check("packet")
        }
        let mine = append(cost, direction)
        let handle = attribution.pending.insert(cost, outstanding: 3)
        check("packet that waits")
        attribution.release(handle, direction)
        deliverWaiting(handle, 1 + random.below(30), direction, mine)
        enter(HeaderCost(internet: 33, link: 1), direction)
        deliver(1 + random.below(5), direction)
        // What waited may be delivered within the packet that ends the waiting, or behind it.
        let isWithin = random.oneIn(2)
        if !isWithin { leave(direction) }
        deliverWaiting(handle, 1 + random.below(10), direction, mine)
        guard isWithin else { return }
        packet = model.packets.count - 1
        deliver(1 + random.below(5), direction)
        leave(direction)
        check("packet around one that waited")
    }

    /// Adds a packet to the slow ledger.
    private func append(_ cost: HeaderCost, _ direction: Direction) -> Int {
        model.packets.append(SlowLedger.Packet(direction: direction, cost: cost))
        entered += cost.internet
        return model.packets.count - 1
    }

    private func enter(_ cost: HeaderCost, _ direction: Direction) {
        packet = append(cost, direction)
        attribution.enter(packet: cost)
        isDelivering = true
        check("packet entered")
    }

    private func leave(_ direction: Direction) {
        attribution.leave(direction)
        isDelivering = false
    }

    private func deliverWaiting(
        _ handle: PendingOverheads.Handle, _ count: Int, _ direction: Direction, _ mine: Int
    ) {
        let context = attribution.packet
        packet = mine
        attribution.resume(handle, PacketContext(time: -7))
        if attribution.packet.time != -7 { failures.append("context of a resumed packet") }
        deliver(count, direction)
        attribution.leave(direction)
        if attribution.packet.time != context.time { failures.append("context behind a resumed packet") }
        check("packet resumed")
    }

    // MARK: Costs that follow bytes

    /// An acknowledgment or a retransmission of bytes that were sent, or are still to come.
    func addFollowing() {
        let direction = Direction(random.below(2))
        let limit = next[direction.index] + random.below(20)
        guard limit > 0 else { return }
        let isAck = random.oneIn(2)
        let start = random.below(limit)
        let end = isAck ? start + 1 : start + 1 + random.below(min(40, limit - start))
        let cost = DeferredCost(
            start: StreamPosition(start), end: StreamPosition(end), cause: isAck ? .ack : .retransmission,
            payer: isAck ? direction.opposite : direction, cost: HeaderCost(internet: 20 + random.below(41), link: 14))
        entered += cost.cost.internet + (isAck ? 0 : end - start)
        model.following.append((cost, direction))
        let next = StreamPosition(next[direction.index])
        if cost.end <= attribution.known(direction, next: next) {
            attribution.charge(cost, on: direction, next: next)
        } else {
            attribution.postpone(cost, on: direction)
            postponed.append((cost, direction))
        }
        check("cost that follows")
    }

    func resolveFollowing(_ direction: Direction) {
        let next = StreamPosition(next[direction.index])
        let known = attribution.known(direction, next: next)
        attribution.resolveDeferredCosts(direction, next: next)
        postponed.removeAll { $0.direction == direction && $0.cost.end <= known }
        check("deferred costs resolved")
    }

    // MARK: The end

    /// Delivers what was begun, and something behind it: nothing waits afterwards.
    func finish() {
        for direction in Direction.both {
            while next[direction.index] < 64 || !elements[direction.index].isEmpty
                || postponed.contains(where: { $0.direction == direction && $0.cost.end.value > next[direction.index] })
            {
                finishesElements = next[direction.index] >= 64
                enter(LayerBench.headers, direction)
                deliver(elements[direction.index].first.map { $0.count - consumed[direction.index] } ?? 10, direction)
                leave(direction)
            }
            decide(true, direction)
            abandon(direction)
            resolveFollowing(direction)
        }
        for record in records {
            model.close(
                SlowLedger.Record(
                    direction: record.direction, start: record.start, lead: record.lead, content: record.content,
                    trail: record.trail))
        }
        check("end")
    }
}
