/// Multipath TCP: what the subflows of a connection bring becomes segments of one TCP connection.
extension Connection {
    /// Most segments that wait for their mapping, and their bytes.
    private static let unmappedLimit = 64
    private static let unmappedBytesLimit = 1 << 18

    /// Looks at the first segment of a connection.
    @inline(never)
    mutating func findMultipath(_ segment: Segment, _ transport: RawSpan, _ shard: inout ShardContext) {
        let options = MultipathOptions(transport, headerLength: segment.headerLength)
        guard let multipath = MultipathTCP(segment, options, facts.key) else { return }
        self.multipath = multipath
        order.tcp.isMultipath = true
        // Its bytes are parts of messages whose other parts went over other subflows.
        guard multipath.isStray else { return }
        multipath.markIncomplete()
        streams.markIncomplete(isJoined: true, lacksStart: !multipath.hasStart, &shard.streams)
    }

    /// Takes a segment of a subflow, whose directions are those of its addresses. `transport` is what was captured of the TCP
    /// header and payload.
    @inline(never)
    mutating func receive(
        _ original: Segment, _ transport: RawSpan, ofSubflow subflow: Int, _ shard: inout ShardContext
    ) {
        guard let multipath else { return }
        shard.streams.attribution.connection = account
        let options = MultipathOptions(transport, headerLength: original.headerLength)
        let segment = subflow == 0 ? original : adapt(original, transport, multipath.subflows[subflow])
        multipath.count(segment, of: subflow)
        if segment.flags.contains(.syn) {
            receiveSynchronize(segment, options, transport, subflow, multipath, &shard)
        } else {
            multipath.receiveOptions(options, segment, of: subflow)
            register(options, segment.direction, subflow, &shard)
            markIncomplete(multipath, &shard)
            if multipath.isSplit {
                receiveSplit(segment, options, transport, subflow, multipath, &shard)
            } else {
                receiveWhole(segment, options, transport, multipath, &shard)
            }
        }
        if !multipath.unmapped.isEmpty { releaseUnmapped(at: facts.lastTime, multipath, &shard) }
        markIfTorn(&shard)
        if multipath.isPlain { leaveMultipath(multipath, &shard) }
    }

    private mutating func leaveMultipath(_ multipath: MultipathTCP, _ shard: inout ShardContext) {
        giveUpUnmapped(&shard)
        shard.subflows.remove(multipath, facts)
        self.multipath = nil
    }

    /// A packet of a subflow that joined says nothing of the path of the first one.
    private func adapt(_ original: Segment, _ transport: RawSpan, _ subflow: Subflow) -> Segment {
        var segment = original
        segment.direction = subflow.direction(original.direction)
        segment.hopLimit = order.tcp.directions[segment.direction].hopLimit
        segment.identification = 0
        if segment.payload > 0 { segment.readChecksum(transport, subflow.key) }
        return segment
    }

    private mutating func receiveSynchronize(
        _ segment: Segment, _ options: MultipathOptions, _ transport: RawSpan, _ subflow: Int,
        _ multipath: MultipathTCP, _ shard: inout ShardContext
    ) {
        if subflow == 0 {
            multipath.receiveSynchronize(segment, options)
            register(options, segment.direction, subflow, &shard)
            order.receive(segment, transport, &streams, &shard)
        } else {
            multipath.recordStart(segment, of: subflow)
            addOverhead(.setupTCP, segment, &shard)
        }
    }

    private func register(
        _ options: MultipathOptions, _ direction: Direction, _ subflow: Int, _ shard: inout ShardContext
    ) {
        guard options.isCapable, subflow == 0 else { return }
        if let key = options.key { shard.subflows.add(key, of: direction, facts) }
        if let key = options.otherKey { shard.subflows.add(key, of: direction.opposite, facts) }
    }

    // MARK: One path

    /// Data went over the first subflow only: its segments are those of the connection as they are.
    private mutating func receiveWhole(
        _ segment: Segment, _ options: MultipathOptions, _ transport: RawSpan, _ multipath: MultipathTCP,
        _ shard: inout ShardContext
    ) {
        if segment.payload > 0, !multipath.isIncomplete, !multipath.isPlain {
            let isWhole = transport.byteCount >= segment.headerLength
            let places = multipath.places(of: segment, 0)
            // Who sends the first data without any option falls back.
            if isWhole, !options.isPresent, places?.lowerBound == 0, multipath.isUntouched(segment.direction) {
                multipath.fallBack()
            } else if !multipath.hasStart {
                if multipath.lacksBase(segment.direction) { multipath.markIncomplete() }
            } else if let places, multipath.divide(segment, 0) != nil {
                multipath.recordPayload(upTo: places.upperBound, segment.direction, 0)
            } else if isWhole, places != nil {
                return hold(segment, transport, 0, multipath, &shard)
            } else {
                multipath.markIncomplete()
            }
            markIncomplete(multipath, &shard)
        }
        order.receive(segment, transport, &streams, &shard)
    }

    // MARK: Several paths

    private mutating func receiveSplit(
        _ original: Segment, _ options: MultipathOptions, _ transport: RawSpan, _ subflow: Int,
        _ multipath: MultipathTCP, _ shard: inout ShardContext
    ) {
        var segment = original
        let acknowledgment = multipath.acknowledgment(of: segment, options, subflow)
        segment.acknowledgment = acknowledgment ?? segment.acknowledgment
        if acknowledgment == nil { segment.flags.remove(.ack) }
        let advances = acknowledgment.map { $0.distance(from: acknowledged(segment.direction.opposite)) > 0 } ?? false
        multipath.recordClosing(original, subflow)
        let finishes = order.tcp.directions[segment.direction].counts.fin + (segment.flags.contains(.fin) ? 1 : 0)
        // The end of the data is none.
        defer { order.tcp.directions[segment.direction].counts.fin = finishes }
        if segment.flags.contains(.rst) {
            return receiveReset(segment, options, transport, multipath, &shard)
        }
        let isClosing = segment.flags.contains(.fin)
        segment.flags.remove(.fin)
        let end =
            options.end.flatMap { multipath.sequence(of: $0, segment.direction) }
            ?? (isClosing ? multipath.end(byClosing: original, subflow) : nil)
        let endsNow = end.map { multipath.recordEnd($0, segment.direction) } ?? false
        if segment.payload > 0 {
            receivePayload(segment, transport, subflow, multipath, &shard)
            if let end, endsNow { receiveEnd(end, segment, isCharged: true, &shard) }
        } else if let end, endsNow || !advances {
            receiveEnd(end, segment, isCharged: false, &shard)
        } else if isClosing || multipath.acknowledgesFinish(original, subflow) && !advances {
            addOverhead(.teardown, segment, &shard)
        } else if options.isJoin {
            multipath.recordStart(original, of: subflow)
            addOverhead(.setupTCP, segment, &shard)
        } else {
            segment.sequence = place(of: original, subflow, multipath)
            receiveBare(segment, transport, &shard)
        }
    }

    /// How far the other endpoint acknowledged the data of a direction.
    private func acknowledged(_ direction: Direction) -> SequenceNumber {
        let assembly = order.tcp.assembly
        return assembly[direction].base.advanced(by: max(order.tcp.directions[direction].acknowledged.value, 0))
    }

    /// Where a packet without payload stands in the connection: behind all data; before the last byte, if it asks only for an
    /// answer in its subflow.
    private func place(of segment: Segment, _ subflow: Int, _ multipath: MultipathTCP) -> SequenceNumber {
        let direction = segment.direction
        let assembly = order.tcp.assembly
        guard assembly[direction].hasBase else { return multipath.next(direction) ?? segment.sequence }
        let half = multipath.subflows[subflow][direction]
        let isProbe = half.finish == nil && half.position(of: segment.sequence) == half.highest - 1
        return assembly[direction].base.advanced(by: assembly[direction].highest.value - (isProbe ? 1 : 0))
    }

    /// Options of the subflow say nothing of the connection's numbers (SACK).
    private mutating func receiveBare(_ segment: Segment, _ transport: RawSpan, _ shard: inout ShardContext) {
        order.receive(segment, transport.extracting(first: min(20, transport.byteCount)), &streams, &shard)
    }

    /// The data of a direction end: that is the FIN of the connection. `isCharged`: the packet's bytes were attributed.
    private mutating func receiveEnd(
        _ end: SequenceNumber, _ original: Segment, isCharged: Bool, _ shard: inout ShardContext
    ) {
        var segment = original
        segment.sequence = end
        segment.flags.insert(.fin)
        if isCharged {
            (segment.payload, segment.frames, segment.frameBytes, segment.cost) = (0, 0, 0, HeaderCost())
        }
        order.receive(segment, RawSpan(), &streams, &shard)
    }

    /// A reset of the last subflow, or of all at once, is that of the connection.
    private mutating func receiveReset(
        _ original: Segment, _ options: MultipathOptions, _ transport: RawSpan, _ multipath: MultipathTCP,
        _ shard: inout ShardContext
    ) {
        guard options.closesAll || multipath.isOver, facts.closedTime == nil else {
            return addOverhead(.teardown, original, &shard)
        }
        var segment = original
        let assembly = order.tcp.assembly
        if assembly[segment.direction].hasBase {
            segment.sequence = assembly[segment.direction].base.advanced(by: assembly[segment.direction].highest.value)
        }
        receiveBare(segment, transport, &shard)
    }

    private mutating func receivePayload(
        _ segment: Segment, _ transport: RawSpan, _ subflow: Int, _ multipath: MultipathTCP,
        _ shard: inout ShardContext
    ) {
        guard let pieces = multipath.divide(segment, subflow) else {
            return hold(segment, transport, subflow, multipath, &shard)
        }
        if let places = multipath.places(of: segment, subflow) {
            multipath.recordPayload(upTo: places.upperBound, segment.direction, subflow)
        }
        for piece in pieces { order.receive(piece, transport, &streams, &shard) }
    }

    /// Packets of a subflow that joined which are no segments of the connection. Payload in them is nobody's.
    private mutating func addOverhead(_ cause: Cause, _ segment: Segment, _ shard: inout ShardContext) {
        let direction = segment.direction
        facts.note(time: segment.time)
        order.tcp.directions[direction].count(segment)
        shard.streams.attribution.packet = PacketContext(time: segment.time)
        shard.addOverhead(cause, direction, segment.internetBytes, segment.cost.link)
        guard segment.payload > 0 else { return }
        order.tcp.directions[direction].counts.payloadRefused += segment.payload
        shard.streams.findings.add(.refusedSegment)
    }
}

// MARK: - Data without a mapping

extension Connection {
    private mutating func hold(
        _ segment: Segment, _ transport: RawSpan, _ subflow: Int, _ multipath: MultipathTCP,
        _ shard: inout ShardContext
    ) {
        facts.note(time: segment.time)
        shard.subflows.unmappedBytes += transport.byteCount
        multipath.hold(
            UnmappedSegment(
                segment: segment, subflow: subflow, transport: transport.array(0..<transport.byteCount),
                place: shard.streams.findings.place, since: facts.lastTime))
    }

    /// Takes what has a mapping by now, and what is waited for no longer.
    @inline(never)
    private mutating func releaseUnmapped(at time: Int64, _ multipath: MultipathTCP, _ shard: inout ShardContext) {
        let window = shard.streams.options.reorderingWindow
        let isCrowded =
            multipath.unmapped.count > Self.unmappedLimit || shard.isCrowded
            || multipath.unmapped.reduce(0) { $0 + $1.transport.count } > Self.unmappedBytesLimit
        while let held = multipath.release(where: {
            isCrowded || time - $0.since > window || multipath.divide($0.segment, $0.subflow) != nil
        }) {
            resolve(held, multipath, &shard)
        }
    }

    /// No mapping will come any more.
    mutating func giveUpUnmapped(_ shard: inout ShardContext) {
        guard let multipath else { return }
        while let held = multipath.release(where: { _ in true }) { resolve(held, multipath, &shard) }
    }

    private mutating func resolve(_ held: UnmappedSegment, _ multipath: MultipathTCP, _ shard: inout ShardContext) {
        let (place, packet) = (shard.streams.findings.place, shard.streams.attribution.packet)
        shard.streams.findings.place = held.place
        shard.subflows.unmappedBytes -= held.transport.count
        unsafe resolve(held.segment, held.transport.span.bytes, held.subflow, multipath, &shard)
        shard.streams.findings.place = place
        shard.streams.attribution.packet = packet
    }

    private mutating func resolve(
        _ segment: Segment, _ transport: RawSpan, _ subflow: Int, _ multipath: MultipathTCP,
        _ shard: inout ShardContext
    ) {
        let hasMapping = multipath.divide(segment, subflow) != nil
        if !hasMapping {
            multipath.markIncomplete()
            markIncomplete(multipath, &shard)
        }
        if !multipath.isSplit {
            if let places = multipath.places(of: segment, subflow) {
                multipath.recordPayload(upTo: places.upperBound, segment.direction, subflow)
            }
            order.receive(segment, transport, &streams, &shard)
        } else if hasMapping {
            receivePayload(segment, transport, subflow, multipath, &shard)
        } else {
            refuse(segment, &shard)
        }
    }

    /// Which bytes of the connection these are, nothing tells.
    private mutating func refuse(_ segment: Segment, _ shard: inout ShardContext) {
        let direction = segment.direction
        facts.note(time: segment.time)
        order.tcp.directions[direction].count(segment)
        order.tcp.directions[direction].counts.payloadRefused += segment.payload
        shard.streams.attribution.packet = PacketContext(time: segment.time)
        shard.post(.connection, .opaque, segment.internetBytes, segment.cost.link, direction)
    }

    /// Tells the streams that data are missing.
    private mutating func markIncomplete(_ multipath: MultipathTCP, _ shard: inout ShardContext) {
        guard multipath.isIncomplete, !facts.doubts.contains(.gap) else { return }
        streams.markIncomplete(isJoined: false, lacksStart: !multipath.hasStart, &shard.streams)
    }

    /// Of data that go over several paths some are missing: not all paths may be in the capture.
    mutating func markIfTorn(_ shard: inout ShardContext) {
        guard let multipath, multipath.isSplit, facts.flags.contains(.gap) else { return }
        multipath.markIncomplete()
        markIncomplete(multipath, &shard)
    }
}
