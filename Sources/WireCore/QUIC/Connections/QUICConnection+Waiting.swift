/// Packets that wait for their keys, or for the ClientHello that names them: as long as those may still come.
///
///     empty ─▶ waiting ⟲ some opened ─▶ empty
///                 └─▶ given up (for good)
extension QUICConnection {
    /// The capture may lack its ClientHello, so that only trying tells which secrets are its own.
    var mayBeJoined: Bool {
        join == nil && !waiting.isEmpty && tracker.security?.handshake.negotiation.clientRandom == nil
    }

    /// Whether a packet that did not open may open later.
    func awaitsKeys(_ packet: QUICPacket, captured: Int, _ direction: Direction, _ context: borrowing StreamContext)
        -> Bool
    {
        guard !waiting.isGivenUp, context.keys.isInUse || packet.kind == .initial, packet.numberOffset >= 0,
            packet.range.upperBound <= captured
        else { return false }
        // Its keys are made of the client's first Initial.
        if packet.kind == .initial { return direction != client && initialKeys.isEmpty }
        guard let level = QUICSide.Level(packet.kind), self[direction].keys[level.rawValue].isEmpty, join == nil else {
            return false
        }
        return tracker.security?.handshake.negotiation.clientRandom == nil || context.keys.mayGrow
    }

    /// Keeps what is left of a datagram.
    func hold(_ held: QUICWaitingDatagram, _ context: inout StreamContext) {
        guard waiting.hold(held, &context) else { return }
        context.findings.add(.recordLimit)
        resumeWaiting(isLast: true, &context)
    }

    /// What waits has waited long enough by this time.
    func giveUpStale(at time: Int64, _ context: inout StreamContext) {
        guard let first = waiting.datagrams.first, time - first.datagram.time > context.options.keyPatience else {
            return
        }
        resumeWaiting(isLast: true, &context)
    }

    /// Goes on with what waits, as if it had just come, if something came that may open it. `isLast`: nothing will.
    func resumeWaiting(isLast: Bool = false, _ context: inout StreamContext) {
        guard !waiting.isEmpty, isLast || mayOpenWaiting(context) else { return }
        if isLast { waiting.giveUp() }
        let (time, place) = (context.attribution.packet, context.findings.place)
        var isMoving = true
        while isMoving, !waiting.isEmpty {
            isMoving = false
            for held in waiting.takeAll() { resume(held, &isMoving, &context) }
            isMoving = isMoving && mayOpenWaiting(context)
        }
        (context.attribution.packet, context.findings.place) = (time, place)
        context.attribution.noteFrame(place.packet)
        waiting.settle(&context)
    }

    private func resume(_ held: QUICWaitingDatagram, _ isMoving: inout Bool, _ context: inout StreamContext) {
        var parts = held.parts
        let direction = held.datagram.direction
        context.attribution.packet = PacketContext(time: held.datagram.time)
        context.findings.place = held.place
        context.attribution.noteFrame(held.place.packet)
        let bytes = unsafe held.bytes.span.bytes
        var holdsInitial = false
        for index in parts.indices {
            switch parts[index] {
            case .booked(let tally): if tally.holdsInitial { holdsInitial = true }
            case .waiting(let packet):
                if packet.kind == .initial { holdsInitial = true }
                var tally = QUICDatagramTally()
                tally.holdsInitial = holdsInitial
                let fate = take(cutAnew(packet, bytes, held.datagram), bytes, direction, &tally, &context)
                guard fate == .booked else { continue }
                parts[index] = .booked(tally)
                isMoving = true
            }
        }
        var rest = held
        rest.parts = parts
        guard !rest.isWaiting else { return waiting.keep(rest) }
        context.buffered.records -= held.bytes.count
        finish(held.datagram, rest: held.rest, rest.tally, &context)
    }

    /// The length of the connection IDs may be known by now.
    private func cutAnew(_ packet: QUICPacket, _ bytes: RawSpan, _ datagram: QUICDatagram) -> QUICPacket {
        guard packet.kind == .short else { return packet }
        return nextPacket(bytes, at: packet.range.lowerBound, datagram) ?? packet
    }

    /// Something came since it was looked last, or the first packet that waits has its keys now.
    private func mayOpenWaiting(_ context: borrowing StreamContext) -> Bool {
        let hasHello = tracker.security?.handshake.negotiation.clientRandom != nil
        let known = initialKeys.count + (hasHello ? 1 << 8 : 0) + (join != nil ? 1 << 9 : 0)
        if waiting.isNews(known) { return true }
        guard context.keys.mayGrow, let held = waiting.datagrams.first, let packet = held.packets.first,
            let level = QUICSide.Level(packet.kind)
        else { return false }
        findKeys(level, held.datagram.direction, context)
        return !self[held.datagram.direction].keys[level.rawValue].isEmpty
    }
}
