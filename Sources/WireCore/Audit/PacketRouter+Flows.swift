/// Flows at several places that no handshake shows: they count at one of them (`TranslatedFlows`).
extension PacketRouter {
    /// Follows the beginning of a flow. Nil where the packet goes on as any other; `followed` is then its flow.
    @inline(never)
    mutating func follow(_ bytes: RawSpan) -> Route? {
        followed = nil
        flows.check(frameCount)
        guard flows.isSearching, !packet.destination.isGroup else { return nil }
        let key = packet.kind == .udp ? ConnectionKey(packet) : routed.key
        guard let flow = flow(key) else { return nil }
        switch flows.step(flow, sample(of: bytes, flow.hash, key.sender), isOpening: packet.flags.contains(.syn)) {
        case .passed: return nil
        case .followed:
            flow.add(packet, routed)
            if trace != nil { flow.numbers.append(routed.number) }
            followed = flow
            return nil
        case .held:
            if flows.hold(heldFrame(bytes), of: flow) { return [] }
            return refute(flow)
        case .proved(let one, let partner):
            _ = flows.hold(heldFrame(bytes), of: flow)
            return resolve(one, partner, flow)
        }
    }

    /// The flow of the latest packet, if its beginning is followed.
    @inline(__always)
    private mutating func flow(_ key: ConnectionKey) -> FlowSide? {
        let isDatagram = packet.kind == .udp
        let hash = flows.hash(key, isDatagram: isDatagram)
        if let flow = flows.find(hash) { return flow }
        guard flows.isNew(hash) else { return nil }
        let flow = FlowSide(
            hash, key, isDatagrams: isDatagram, from: findings.place,
            at: CapturePoint(file: routed.file, interface: interface), routed.time)
        flows.begin(flow)
        return flow
    }

    /// The same of a datagram, which is booked where it goes on.
    @inline(never)
    mutating func routeFollowed(_ bytes: RawSpan) -> Route {
        if let route = follow(bytes) { return route }
        let other = ledger.other
        (booked, lookups.latestMessage) = (nil, nil)
        let route = receiveDatagram(bytes, frames: 1, frameBytes: packet.frameBytes)
        guard let followed else { return route }
        if let booked {
            let (counts, message, added) = (datagramCounts(1), lookups.latestMessage, ledger.other.subtracting(other))
            followed.add(booking: booked, counts, added, message)
        } else {
            let begins = routed.kind == .datagram && bytes.u8(packet.payloadOffset) & 0x80 != 0
            let payment = payments.cost(routed.lookup)
            followed.add(connection: begins, paying: payment)
        }
        return route
    }

    private func heldFrame(_ bytes: RawSpan) -> HeldFrame {
        HeldFrame(packet: packet, routed: routed, bytes: bytes.array(0..<bytes.byteCount))
    }

    /// Of what a translation leaves as it is; nil where that is too little to tell packets apart.
    @inline(__always)
    private func sample(of bytes: RawSpan, _ flow: FlowHash, _ direction: Direction) -> FlowSample? {
        guard routed.resemblance == nil, let digest = translatedDigest(bytes) else { return nil }
        var sample = FlowSample()
        (sample.digest, sample.flow, sample.time) = (digest, flow, routed.time)
        (sample.hops, sample.hasPayload) = (HandshakeSide.hops(packet.hopLimit), packet.payload > 0)
        (sample.direction, sample.point) = (direction, CapturePoint(file: routed.file, interface: interface))
        guard packet.kind == .udp else { return sample }
        let payload = bytes.extracting(packet.payloadOffset..<packet.payloadOffset + packet.payloadCaptured)
        sample.isInitial = packet.payload >= 1200 && QUICPacket.isLongHeader(payload) && payload.u8(5) >= 8
        return sample
    }

    private func translatedDigest(_ bytes: RawSpan) -> UInt64? {
        let payload = bytes.extracting(packet.payloadOffset..<packet.payloadOffset + packet.payloadCaptured)
        guard packet.kind == .tcp else {
            guard payload.byteCount >= 12 else { return nil }
            let digest = duplicates.digest(ofPayload: payload.extracting(0..<min(payload.byteCount, 128)))
            return digest ^ UInt64(packet.payload) &* 0x9E37_79B9_7F4A_7C15
        }
        guard packet.flags.contains(.ack), packet.flags.isDisjoint(with: [.syn, .rst]) else { return nil }
        let digest = duplicates.digest(ofPayload: payload.extracting(0..<min(payload.byteCount, 32)))
        let numbers = UInt64(packet.sequence) << 32 | UInt64(packet.acknowledgment)
        return UInt64.fold(numbers ^ 0xA076_1D64_78BD_642F, digest ^ 0xE703_7ED1_A0B4_28DB)
    }

    // MARK: Proofs

    /// Two flows are one. Where neither can be taken back, both count. `own`: the flow of the latest packet.
    private mutating func resolve(_ one: FlowSide, _ other: FlowSide, _ own: FlowSide) -> Route {
        let isFirst = translations.interfaces.isChosen(one.point)
        let isChosen = isFirst != translations.interfaces.isChosen(other.point)
        let isPreferred = isChosen ? isFirst : one.evidence.isOutside(one.key, other.key, client: one.client)
        let (mayGo, otherMayGo) = (mayBeWithdrawn(one), mayBeWithdrawn(other))
        guard mayGo || otherMayGo, translations.hasRoom else {
            let released = refute(one)
            return own === one ? released : released.union(refute(other, behind: 1))
        }
        let isKept = isPreferred ? otherMayGo : !mayGo
        let (kept, copied) = isKept ? (one, other) : (other, one)
        if isChosen, isKept != isPreferred { findings.add(.countedElsewhere) }
        findings.add(.translated)
        translations.count(kept, insteadOf: copied)
        kept.isCounted = true
        flows.remove(copied, keeping: kept)
        let route = withdraw(copied)
        release(flows.release(kept), behind: 0)
        return released.isEmpty ? route : route.union(.released)
    }

    private func mayBeWithdrawn(_ side: FlowSide) -> Bool {
        side.sum.segment.frames == 0
            || side.mayBeWithdrawn(at: routed.time, options) && side.lookups.allSatisfy(lookups.isOwed)
    }

    /// Nothing of a flow counts.
    private mutating func withdraw(_ side: FlowSide) -> Route {
        for frame in side.held { discard(frame.packet, frame.routed.number) }
        lateOpenings.remove(side.key)
        guard side.sum.segment.frames > 0 else { return [] }
        guard side.isDatagrams, !side.isConnection else {
            withdrawal = side.withdrawal(at: routed)
            withdrawal.lookup = side.payment.map(payments.add) ?? 0
            withdrawalShard = side.isDatagrams ? AuditOptions.datagramShard : side.key.shard
            return .withdrawal
        }
        for message in side.lookups { lookups.withdraw(message) }
        for booking in side.bookings { endpoints.add(-booking.counts, at: booking.seat) }
        ledger.other = ledger.other.subtracting(side.other)
        ledger.moveToDuplicates(side.sum)
        for number in side.numbers { trace?.noteDuplicate(number) }
        return []
    }

    /// A frame that was held, or is the latest, is a copy.
    mutating func discard(_ packet: DecodedPacket, _ number: Int) {
        ledger.layers.pseudo -= packet.pseudo
        ledger.layers.link -= packet.link
        ledger.layers.tunnel -= packet.tunnel
        ledger.layers.network -= packet.network
        ledger.layers.transport -= packet.transport
        ledger.layers.payload -= packet.payload
        ledger.layers.duplicate += packet.frameBytes
        trace?.noteDuplicate(number)
    }

    // MARK: What was held

    /// Nothing proves that a flow is another: it counts.
    private mutating func refute(_ flow: FlowSide, behind count: Int = 0) -> Route {
        release(flows.refute(flow), behind: count)
        return released.isEmpty ? [] : .released
    }

    /// Connections and what ends are ordered as shards hear of them: so many places behind the latest frame.
    private mutating func release(_ frames: [HeldFrame], behind count: Int) {
        for var frame in frames {
            frame.routed.ordinal = ordinal + count
            released.append(frame)
        }
    }

    /// Between two frames: lets a flow go on that has waited too long, if there is one. `isLast`: none waits any longer.
    mutating func releaseOverdue(at time: Int64, isLast: Bool = false) -> Bool {
        guard let flow = isLast ? flows.holding.first : flows.overdue(at: time) else { return false }
        if isLast { lastReleases += 1 }
        release(flows.refute(flow), behind: 2 + lastReleases)
        return true
    }

    /// Routes the next frame that was held; nil where there is none.
    mutating func routeReleased() -> (route: Route, bytes: [UInt8])? {
        guard !released.isEmpty else { return nil }
        let frame = released.removeFirst()
        packet = frame.packet
        routed = frame.routed
        followed = nil
        findings.place = FindingPlace(file: routed.file, packet: routed.number)
        guard packet.kind == .udp else {
            shard = routed.key.shard
            return (.segment, frame.bytes)
        }
        let bytes = frame.bytes
        let content = unsafe bytes.span.bytes
        return (receiveDatagram(content, frames: 1, frameBytes: packet.frameBytes), bytes)
    }
}
