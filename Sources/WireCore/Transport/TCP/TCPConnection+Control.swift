/// Packets without payload, SYN, FIN and RST: which kind they are, and who pays (ByteLedger.md §3).
extension TCPConnection {
    mutating func attributeControl(
        _ segment: Segment, _ transport: RawSpan, _ start: StreamPosition, acknowledgedBefore: StreamPosition,
        isHandshake: Bool, _ shard: inout ShardContext
    ) {
        let direction = segment.direction
        if isHandshake {
            shard.addOverhead(.setupTCP, direction, segment.internetBytes, segment.cost.link)
            return
        }
        if isKeepAlive(start, direction) {
            directions[direction].probeIsOpen = true
            shard.addOverhead(.keepalive, direction, segment.internetBytes, segment.cost.link)
            return
        }
        let other = direction.opposite
        guard segment.flags.contains(.ack), assembly[other].hasBase else {
            return shard.post(.connection, .ack, segment.internetBytes, segment.cost.link, direction)
        }
        let acknowledged = position(acknowledgedBy: segment)
        let advances = acknowledged > acknowledgedBefore
        if directions[other].probeIsOpen, !advances || acknowledged <= assembly[other].next {
            directions[other].probeIsOpen = false
            if !advances {
                shard.addOverhead(.keepalive, direction, segment.internetBytes, segment.cost.link)
                return
            }
        }
        let finish = directions[other].finish
        if advances, acknowledged - 1 == finish, acknowledgedBefore >= finish {
            shard.addOverhead(.teardown, direction, segment.internetBytes, segment.cost.link)
            return
        }
        let options = min(segment.headerLength, transport.byteCount)
        let block = advances || options <= 20 ? nil : assembly[other].firstBlock(in: transport.extracting(20..<options))
        if let block, block.upperBound <= min(acknowledged, assembly[other].next), block.upperBound > .zero {
            // Bytes that came a second time (D-SACK, RFC 2883 §4).
            let target = block.upperBound - 1
            guard target < shard.streams.attribution.known(other, next: assembly[other].next) else {
                return postpone(segment, until: target, &shard)
            }
            return postAcknowledgment(segment, on: target, &shard)
        }
        // Bytes behind the next one have arrived, so it was sent, though it may stand later in the capture.
        let nextWasSent = block.map { $0.lowerBound >= acknowledged } ?? false
        attributeAcknowledgment(segment, acknowledged, advances: advances, nextWasSent: nextWasSent, &shard)
    }

    private func postAcknowledgment(_ segment: Segment, on target: StreamPosition, _ shard: inout ShardContext) {
        let owner = shard.streams.attribution.owner(at: target, segment.direction.opposite)
        shard.post(owner, .ack, segment.internetBytes, segment.cost.link, segment.direction)
    }

    /// No byte at one before the next expected: asks only for an answer (RFC 9293 §3.8.4).
    @inline(__always)
    private func isKeepAlive(_ start: StreamPosition, _ direction: Direction) -> Bool {
        start == assembly[direction].highest - 1 && directions[direction].finish == .never
            && (directions[direction].synchronize != nil || assembly[direction].highest > .zero)
    }

    /// The owner of the last byte newly acknowledged pays; for a duplicate without D-SACK or a window update the owner of the next
    /// byte expected, else of the last byte seen.
    private func attributeAcknowledgment(
        _ segment: Segment, _ acknowledged: StreamPosition, advances: Bool, nextWasSent: Bool,
        _ shard: inout ShardContext
    ) {
        let other = segment.direction.opposite
        let finish = directions[other].finish
        var target = advances ? acknowledged - 1 : acknowledged
        if finish != .never, target >= finish { target = finish - 1 }
        let known = shard.streams.attribution.known(other, next: assembly[other].next)
        if target >= known {
            let expected = assembly[other].next
            let hasGap = !assembly[other].waiting.isEmpty && expected < assembly[other].highest
            if advances || hasGap || nextWasSent || target < expected {
                return postpone(segment, until: target, &shard)
            }
            target = assembly[other].highest - 1
            if target >= known, target < expected { return postpone(segment, until: target, &shard) }
        }
        postAcknowledgment(segment, on: target, &shard)
    }

    /// The owner of a byte that has not been delivered pays for an acknowledgment.
    private func postpone(_ segment: Segment, until target: StreamPosition, _ shard: inout ShardContext) {
        postpone(
            DeferredCost(
                start: target, end: target + 1, cause: .ack, payer: segment.direction,
                cost: HeaderCost(internet: segment.internetBytes, link: segment.cost.link),
                frame: UInt32(truncatingIfNeeded: shard.frame)),
            on: segment.direction.opposite, &shard)
    }
}
