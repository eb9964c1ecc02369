/// What frames carry: segments on their way to the connections, and what belongs to none.
extension PacketRouter {
    @inline(__always)
    mutating func prepareSegment(_ bytes: RawSpan, frames: Int, frameBytes: Int) {
        routed.kind = .segment
        routed.key = ConnectionKey(packet)
        routed.segment.direction = routed.key.sender
        routed.segment.sequence = SequenceNumber(packet.sequence)
        routed.segment.acknowledgment = SequenceNumber(packet.acknowledgment)
        routed.segment.flags = packet.flags
        routed.segment.payload = packet.payload
        routed.segment.window = packet.window
        routed.segment.identification = packet.identification
        routed.segment.hopLimit = packet.hopLimit
        routed.segment.cost = HeaderCost(internet: packet.network + packet.transport, link: packet.linkBytes)
        routed.segment.frames = frames
        routed.segment.frameBytes = frameBytes
        routed.segment.headerLength = packet.transport
        (routed.segment.maximumSegmentSize, routed.segment.hasMultipath) = (nil, false)
        routed.pseudo = packet.pseudo
        routed.tunnel = packet.tunnel
        routed.transportOffset = packet.transportOffset
        routed.transportCaptured = packet.payloadOffset + packet.payloadCaptured - packet.transportOffset
        routed.lookup = 0
        if packet.flags.contains(.syn) { prepareOpening(bytes) }
        watchSession(bytes)
        shard = routed.key.shard
        if subflows.isInUse, subflows.mayHold(routed.key) {
            let end = routed.transportOffset + routed.transportCaptured
            shard = subflows.shard(routed, bytes.extracting(routed.transportOffset..<end))
        }
    }

    /// Handshakes name sessions that other connections resume, whose shards must know.
    @inline(__always)
    private mutating func watchSession(_ bytes: RawSpan) {
        let payload = bytes.extracting(packet.payloadOffset..<packet.payloadOffset + packet.payloadCaptured)
        // The keys are an object: reading them costs more than the look at the bytes.
        guard SessionWatch.mayHoldHandshake(payload), keys.isInUse else { return }
        sessions.look(payload, of: routed.key, at: ordinal)
    }

    /// The connection of a frame to come, if its headers lie as those of the latest one do. Nothing but speed may depend
    /// on it.
    @inline(__always)
    func glimpse(_ frame: RawSpan) -> ConnectionKey? {
        let start = packet.networkOffset
        guard frame.byteCount - start >= 24 else { return nil }
        if frame.u8(start) == 0x45 {
            guard frame.u8(start + 9) == 6 else { return nil }
            return ConnectionKey(
                IPAddress(version4: frame.be32(start + 12)), IPAddress(version4: frame.be32(start + 16)),
                ports: frame.be32(start + 20))
        }
        guard frame.byteCount - start >= 44, frame.u8(start) >> 4 == 6, frame.u8(start + 6) == 6 else { return nil }
        return ConnectionKey(
            IPAddress(high: frame.be64(start + 8), low: frame.be64(start + 16), isVersion6: true),
            IPAddress(high: frame.be64(start + 24), low: frame.be64(start + 32), isVersion6: true),
            ports: frame.be32(start + 40))
    }

    mutating func prepareOpening(_ bytes: RawSpan) {
        let start = packet.transportOffset + 20
        let end = min(packet.transportOffset + packet.transport, bytes.byteCount)
        if start < end {
            let options = TCPOptions.parse(bytes.extracting(start..<end))
            routed.segment.maximumSegmentSize = options.maximumSegmentSize
            routed.segment.hasMultipath = options.hasMultipath
            if options.hasMultipath { subflows.receiveOpening(routed, bytes.extracting(start..<end)) }
        }
        guard !lookups.isEmpty, routed.resemblance == nil, !subflows.holds(routed.key) else { return }
        let isAnswer = packet.flags.contains(.ack)
        let initial = isAnswer ? packet.acknowledgment &- 1 : packet.sequence
        guard openings.isFirst(routed.key.hash(seed: openings.seed ^ UInt64(initial))) else { return }
        let (client, server) =
            isAnswer ? (packet.destination, packet.source) : (packet.source, packet.destination)
        payLookup(for: server, client: client, LookupPayer(key: routed.key, isDatagram: false))
    }

    /// What the capture has before and behind a translation of its addresses counts once.
    @inline(never)
    mutating func routeOpening() -> Route {
        guard routed.resemblance == nil, translations.record(&routed, at: interface, payments, &findings)
        else { return .segment }
        findings.add(.translated)
        withdrawal = translations.withdrawal.routed
        withdrawal.lookup = translations.withdrawal.lookup.map(payments.add) ?? 0
        withdrawalShard = withdrawal.key.shard
        return [.segment, .withdrawal]
    }

    /// A flow of UDP begins: the capture may have it before and behind a translation of its addresses.
    @inline(never)
    private mutating func recordFlow(_ key: ConnectionKey, _ payload: RawSpan) {
        guard payload.byteCount >= 16, !packet.destination.isGroup else { return }
        // Its length is compared, too. Random numbers of protocols stand in front.
        let beginning = payload.extracting(0..<min(payload.byteCount, 128))
        lateOpenings.record(
            datagram: duplicates.digest(ofPayload: beginning), packet, key, from: interface, at: routed.time,
            findings.place)
    }

    /// Where connections count that were captured at several places, most connections first.
    var countedPoints: [CountedPoint] {
        let files = files
        return translations.counted.filter { $0.value > 0 }.map { point, count in
            let file = files[point.file]
            let isNumbered = point.number != 0 || file.format == "pcapng"
            return CountedPoint(
                file: file.path, interface: isNumbered ? point.number : nil,
                name: translations.interfaces.name(of: point).map { String(decoding: $0, as: UTF8.self) },
                connections: count)
        }.sorted { ($1.connections, $0.file, $0.interface ?? -1) < ($0.connections, $1.file, $1.interface ?? -1) }
    }

    /// A connection begins: it pays for the lookups of its address.
    private mutating func payLookup(for server: IPAddress, client: IPAddress, _ payer: LookupPayer) {
        guard let cost = lookups.take(for: server, client: client, at: routed.segment.time, by: payer) else { return }
        if let joined = cost.joined { trace?.joinLookup(joined, to: cost.serial) }
        routed.lookup = payments.add(cost)
    }

    mutating func noteOddLengths() {
        if packet.lengthBeyondFrame { findings.add(.lengthBeyondFrame) }
        if packet.lengthFromFrame { findings.add(.lengthFromFrame) }
    }

    mutating func noteOddTunnel() {
        if packet.isTooDeep { findings.add(.headerDepth) }
        if packet.holdsTunnelFragment { findings.add(.tunnelFragment) }
    }

    /// Books a datagram, or says that QUIC's shard gets it.
    mutating func receiveDatagram(_ bytes: RawSpan, frames: Int, frameBytes: Int) -> Route {
        let payload = bytes.extracting(packet.payloadOffset..<packet.payloadOffset + packet.payloadCaptured)
        let forgotten = datagrams.forgotten
        let key = ConnectionKey(packet)
        switch datagrams.classify(key, payload, length: packet.payload, mayOpen: keys.isInUse) {
        case .dns:
            ledger.other.dns += packet.internetBytes
            let seat = book(payload, frames)
            if let message = DNSMessage(payload) { return receive(message, frames, at: seat) }
        case .quic(let begins):
            if datagrams.forgotten > forgotten { findings.add(.quicFlowLimit) }
            prepareDatagram(key, frames: frames, frameBytes: frameBytes, begins: begins)
            // With keys a packet counts once by its number, whatever its addresses.
            if begins, !keys.isInUse { recordFlow(key, payload) }
            routed.seat = nil
            return .segment
        case .wireGuard:
            ledger.other.wireGuard += packet.internetBytes
            _ = book(payload, frames, .wireGuard)
            if datagrams.forgotten > forgotten { findings.add(.quicFlowLimit) }
        case .other:
            ledger.other.udp += packet.internetBytes
            _ = book(payload, frames)
            let samples = SampledFrames.count(packet, payload)
            if samples > 0 { findings.add(.sampledFrames, count: samples) }
        case .unknown:
            // By its connection ID it may still be QUIC, on a path that nobody saw before.
            prepareDatagram(key, frames: frames, frameBytes: frameBytes, begins: false)
            routed.kind = .unknownDatagram
            routed.seat = seat(payload)
            return .segment
        }
        return []
    }

    /// Counts the datagram in the row of its server.
    private mutating func book(
        _ payload: RawSpan, _ frames: Int, _ proved: DatagramProtocols = []
    ) -> DatagramTable.Seat {
        let seat = seat(payload, proved)
        endpoints.add(datagramCounts(frames), at: seat)
        booked = seat
        return seat
    }

    func datagramCounts(_ frames: Int) -> DatagramCounts {
        DatagramCounts(
            packets: frames, internet: packet.internetBytes, payload: packet.payload, link: packet.linkBytes)
    }

    private mutating func seat(_ payload: RawSpan, _ proved: DatagramProtocols = []) -> DatagramTable.Seat {
        let (overflows, flows) = (endpoints.overflows, endpoints.openedFlows)
        let (names, ordinal) = (self.names, self.ordinal)
        let key = ConnectionKey(packet)
        let seat = endpoints.seat(
            key, payload, length: packet.payload, proved: proved, process: routed.process
        ) {
            names.name(of: $0, at: ordinal)
        }
        if endpoints.openedFlows > flows { recordFlow(key, payload) }
        if endpoints.overflows > overflows { findings.add(.datagramLimit) }
        return seat
    }

    /// `begins`: no QUIC was seen between these two before.
    private mutating func prepareDatagram(_ key: ConnectionKey, frames: Int, frameBytes: Int, begins: Bool) {
        routed.kind = .datagram
        routed.key = key
        routed.segment.direction = routed.key.sender
        routed.segment.flags = []
        routed.segment.payload = packet.payload
        routed.segment.cost = HeaderCost(internet: packet.network + packet.transport, link: packet.linkBytes)
        routed.segment.frames = frames
        routed.segment.frameBytes = frameBytes
        routed.segment.headerLength = packet.transport
        routed.transportOffset = packet.payloadOffset
        routed.transportCaptured = packet.payloadCaptured
        (routed.pseudo, routed.tunnel) = (packet.pseudo, packet.tunnel)
        routed.lookup = 0
        if begins, !lookups.isEmpty {
            payLookup(for: packet.destination, client: packet.source, LookupPayer(key: routed.key, isDatagram: true))
        }
        shard = AuditOptions.datagramShard
    }

    mutating func receive(_ message: DNSMessage, _ frames: Int, at seat: DatagramTable.Seat) -> Route {
        let counts = datagramCounts(frames)
        if lookups.receive(message, packet, counts, at: seat, time: routed.segment.time) { findings.add(.lookupLimit) }
        trace?.noteLookup(lookups.latest, frame: routed.number, packet.internetBytes, isAnswer: !seat.isUp)
        if !message.name.isEmpty {
            for address in message.addresses {
                guard names.replace(address, name: message.name, at: ordinal) else { continue }
                findings.add(.nameLimit)
                hasForgottenNames = true
            }
        }
        guard let late = lookups.late else { return [] }
        routed.kind = .lookup
        routed.key = late.payer.key
        routed.lookup = payments.add(late.cost)
        shard = late.payer.isDatagram ? AuditOptions.datagramShard : late.payer.key.shard
        return .lookup
    }

    /// A fragment waits in `other_ip` until its datagram is whole; then all its bytes move to where they belong.
    mutating func receiveFragment(_ bytes: RawSpan, _ time: Int64) -> Route {
        ledger.other.otherIP += packet.internetBytes
        let before = (
            gone: fragments.evicted - fragments.refused, crowdedOut: fragments.crowdedOut,
            contradictions: fragments.contradictions
        )
        let completed = fragments.add(packet, bytes, time: time, frame: trace == nil ? nil : routed.number)
        let crowdedOut = fragments.crowdedOut - before.crowdedOut
        let expired = fragments.evicted - fragments.refused - before.gone - crowdedOut
        if crowdedOut > 0 { findings.add(.fragmentLimit, count: crowdedOut) }
        if expired > 0 { findings.add(.fragmentsIncomplete, count: expired) }
        if fragments.contradictions > before.contradictions { findings.add(.fragmentContradiction) }
        guard let completed else { return [] }
        var whole = completed.packet
        let held = completed.bytes
        datagram = held
        let content = unsafe held.span.bytes
        decoder.decodeTransport(content, into: &whole)
        ledger.other.otherIP -= completed.internetBytes
        moveLayers(of: completed.sums, to: whole)
        trace?.join(completed.numbers, tunnel: whole.tunnel - completed.sums.tunnel)
        packet = whole
        noteOddTunnel()
        switch packet.kind {
        case .tcp:
            prepareSegment(content, frames: completed.frames, frameBytes: completed.frameBytes)
            return [.segment, .reassembled]
        case .udp:
            if translations.isInUse, translations.holds(packet) {
                discard(packet, routed.number)
                return []
            }
            let route = receiveDatagram(content, frames: completed.frames, frameBytes: completed.frameBytes)
            return route.isEmpty ? [] : route.union(.reassembled)
        case .icmp: ledger.other.icmp += packet.internetBytes
        default: ledger.other.otherIP += packet.internetBytes
        }
        return []
    }

    /// What was attributed to the fragments is moved to what their datagram turned out to be.
    mutating func moveLayers(of sums: FragmentReassembler.Sums, to whole: DecodedPacket) {
        ledger.layers.pseudo += whole.pseudo - sums.pseudo
        ledger.layers.link += whole.link - sums.link
        ledger.layers.tunnel += whole.tunnel - sums.tunnel
        ledger.layers.network += whole.network - sums.network
        ledger.layers.transport += whole.transport
        ledger.layers.payload += whole.payload - sums.payload
    }
}
