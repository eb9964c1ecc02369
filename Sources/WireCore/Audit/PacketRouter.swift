/// The first half of the audit, which sees every frame: counts it, takes it apart, books what belongs to no TCP
/// connection, and says to which part of the connections a segment goes.
///
/// What it makes of a frame stands in `arrival` until the next.
struct PacketRouter: ~Copyable {
    /// What is to be done with a frame behind the router, in this order.
    struct Route: OptionSet {
        let rawValue: UInt8
        /// All parts are told the time: it has come to another step, or fallen back.
        static let step = Route(rawValue: 1 << 0)
        /// All parts are told that packets were lost.
        static let loss = Route(rawValue: 1 << 1)
        /// A part gets a segment.
        static let segment = Route(rawValue: 1 << 2)
        /// The segment's bytes are in `datagram`, not in the frame.
        static let reassembled = Route(rawValue: 1 << 3)
    }

    private(set) var files: [CaptureFileSummary] = []
    private(set) var ledger = LedgerSummary()
    var findings = FindingSink()
    let names: NameDirectory
    /// For the part `part`, if the route says so.
    var arrival = Arrival()
    /// For all parts, if the route says so: between the frame before and this one.
    var step: Arrival {
        var step = arrival
        step.kind = .step
        step.file = stepFile
        step.number = stepNumber
        step.ordinal = ordinal - 1
        return step
    }
    private(set) var part = 0
    /// Bytes of the latest datagram that was put together from fragments.
    private(set) var datagram: [UInt8] = []
    /// For all parts, if the route says so.
    var loss: Arrival {
        var loss = arrival
        loss.kind = .loss
        return loss
    }
    /// Of the latest frame; nil before the first.
    private(set) var latestTime: Int64?

    private let decoder = PacketDecoder()
    private var packet = DecodedPacket()
    private var duplicates = DuplicateDetector()
    private var fragments: FragmentReassembler
    private var datagrams: DatagramClassifier
    private var lookups: LookupDirectory
    private var openings = OpeningMemory()
    /// The frame before the latest step of time.
    private var stepFile = 0
    private var stepNumber = 0
    /// The step of time that the latest frame is in.
    private var stepStart = Int64.max
    private var stepEnd = Int64.min
    private var frameCount = 0
    private var lastLinkType = LinkType(rawValue: .max)
    private var lastLinkTypeFile = -1
    private var linkTypes: [[LinkType]] = []

    /// Times beyond this, 146 years from 1970, are taken for it: no difference of two can overflow.
    static let farthestTime: Int64 = (1 << 62) - (1 << 40)
    /// Most link types named for a file.
    private static let linkTypeLimit = 64

    init(options: AuditOptions, names: NameDirectory) {
        self.names = names
        fragments = FragmentReassembler(
            openLimit: options.fragmentLimit, heldLimit: options.fragmentBytesLimit, ageLimit: options.fragmentPatience)
        datagrams = DatagramClassifier(limit: options.quicFlowLimit)
        lookups = LookupDirectory(limit: options.lookupLimit)
    }

    // MARK: Files

    mutating func addFile(_ summary: CaptureFileSummary) -> Int {
        files.append(summary)
        linkTypes.append([])
        return files.count - 1
    }

    mutating func leftOut(file: Int) { files[file].filtered += 1 }

    mutating func endFile(_ file: Int, dropped: Int?, damagedAt: Int?) {
        files[file].dropped = dropped
        files[file].damagedAt = damagedAt
    }

    mutating func addName(_ address: IPAddress, name: [UInt8]) {
        if names.add(address, name: name, at: ordinal) { findings.add(.nameLimit) }
    }

    mutating func find(_ code: FindingCode, file: Int, packet: Int) {
        findings.file = file
        findings.packet = packet
        findings.ordinal = ordinal
        findings.add(code)
    }

    /// Place of the latest frame. A step of time before it has the number before.
    var ordinal: Int { 2 * frameCount + 1 }

    /// No frame follows.
    mutating func finish(_ keys: KeyLog) {
        if fragments.openCount > 0 { findings.add(.fragmentsIncomplete, count: fragments.openCount) }
        // What of the key logs could not be read, or not be kept: no packet's finding.
        findings.file = .max
        findings.packet = 0
        if keys.malformedLines > 0 { findings.add(.keyLogMalformed, count: keys.malformedLines) }
        let missing = keys.droppedLines + keys.forgottenLines
        if missing > 0 { findings.add(.keyLogLimit, count: missing) }
    }

    // MARK: Frames

    /// Takes one frame. `bytes` holds its captured bytes.
    mutating func route(_ frame: CaptureFrame, _ bytes: RawSpan, file: Int) -> Route {
        var time = frame.time
        if time.magnitude > PacketRouter.farthestTime.magnitude {
            time = time < 0 ? -PacketRouter.farthestTime : PacketRouter.farthestTime
        }
        frameCount += 1
        var route = noteTime(time)
        findings.file = file
        findings.packet = frame.number
        findings.ordinal = ordinal
        if frame.droppedBefore > 0 {
            arrival.lossAfter = files[file].last
            route.insert(.loss)
        }
        note(frame, time, file)
        decoder.decode(bytes, frame, into: &packet)
        ledger.bytes += frame.originalLength
        guard packet.kind != .nonIP else {
            ledger.layers.nonIP += frame.originalLength
            if packet.isTooDeep { findings.add(.headerDepth) }
            return route
        }
        if packet.lengthBeyondFrame { findings.add(.lengthBeyondFrame) }
        if packet.lengthFromFrame { findings.add(.lengthFromFrame) }
        let judgment = duplicates.judge(packet, bytes, frame)
        if judgment == .otherInterface || (judgment == .sameIdentification && packet.kind != .tcp) {
            ledger.layers.duplicate += frame.originalLength
            return route
        }
        addLayers(packet)
        arrival.mayBeCopy = judgment == .sameIdentification
        switch packet.kind {
        case .tcp:
            prepareSegment(packet, bytes, frames: 1, frameBytes: frame.originalLength)
            return route.union(.segment)
        case .udp:
            if packet.isTooDeep { findings.add(.headerDepth) }
            receiveDatagram(packet, bytes)
        case .icmp: ledger.other.icmp += packet.internetBytes
        case .fragment: return route.union(receiveFragment(bytes, time))
        case .otherIP, .nonIP:
            if packet.isTooDeep { findings.add(.headerDepth) }
            ledger.other.otherIP += packet.internetBytes
        }
        return route
    }

    /// Says where the bytes of the latest frame, or of its datagram, are kept.
    mutating func place(offset: Int, length: Int, buffer: Int) {
        arrival.offset = offset
        arrival.length = length
        arrival.buffer = buffer
    }

    /// Puts the frame's time into the arrival.
    @inline(__always)
    private mutating func noteTime(_ time: Int64) -> Route {
        arrival.steadyTime = min(time, latestTime ?? time)
        arrival.segment.time = time
        latestTime = time
        guard time < stepStart || time >= stepEnd else { return [] }
        stepStart = DueWheel.startOfStep(time)
        stepEnd = stepStart + DueWheel.step
        stepFile = arrival.file
        stepNumber = arrival.number
        return .step
    }

    @inline(__always)
    private mutating func note(_ frame: CaptureFrame, _ time: Int64, _ file: Int) {
        arrival.file = file
        arrival.number = frame.number
        arrival.ordinal = ordinal
        arrival.bytesSoFar = ledger.bytes + frame.originalLength
        if frame.capturedLength > frame.originalLength { findings.add(.capturedMoreThanOriginal) }
        if files[file].note(frame, time) { findings.add(.timeWentBack) }
        if lastLinkType != frame.linkType || lastLinkTypeFile != file { noteLinkType(frame.linkType, file) }
    }

    private mutating func noteLinkType(_ type: LinkType, _ file: Int) {
        lastLinkType = type
        lastLinkTypeFile = file
        guard linkTypes[file].count < PacketRouter.linkTypeLimit, !linkTypes[file].contains(type) else { return }
        linkTypes[file].append(type)
        files[file].linkTypes.append(type.name)
    }

    @inline(__always)
    private mutating func addLayers(_ packet: DecodedPacket) {
        ledger.layers.pseudo += packet.pseudo
        ledger.layers.link += packet.link
        ledger.layers.tunnel += packet.tunnel
        ledger.layers.network += packet.network
        ledger.layers.transport += packet.transport
        ledger.layers.payload += packet.payload
    }
}

// MARK: What frames carry

extension PacketRouter {
    @inline(__always)
    private mutating func prepareSegment(_ packet: DecodedPacket, _ bytes: RawSpan, frames: Int, frameBytes: Int) {
        arrival.key = ConnectionKey(packet)
        arrival.segment.side = arrival.key.sender
        arrival.segment.sequence = SequenceNumber(packet.sequence)
        arrival.segment.acknowledgment = SequenceNumber(packet.acknowledgment)
        arrival.segment.flags = packet.flags
        arrival.segment.payload = packet.payload
        arrival.segment.window = packet.window
        arrival.segment.identification = packet.identification
        arrival.segment.hopLimit = packet.hopLimit
        arrival.segment.cost = HeaderCost(internet: packet.network + packet.transport, link: packet.linkBytes)
        arrival.segment.frames = frames
        arrival.segment.frameBytes = frameBytes
        arrival.segment.headerLength = packet.transport
        arrival.segment.maximumSegmentSize = nil
        arrival.pseudo = packet.pseudo
        arrival.tunnel = packet.tunnel
        arrival.transportOffset = packet.transportOffset
        arrival.transportCaptured = packet.payloadOffset + packet.payloadCaptured - packet.transportOffset
        arrival.processNameOffset = packet.processNameOffset
        arrival.processNameLength = packet.processNameLength
        arrival.lookup = nil
        if packet.flags.contains(.syn) { prepareOpening(packet, bytes) }
        part = arrival.key.part
    }

    private mutating func prepareOpening(_ packet: DecodedPacket, _ bytes: RawSpan) {
        let start = packet.transportOffset + 20
        let end = min(packet.transportOffset + packet.transport, bytes.byteCount)
        if start < end {
            arrival.segment.maximumSegmentSize = TCPOptions.parse(bytes.extracting(start..<end)).maximumSegmentSize
        }
        guard !lookups.isEmpty, !arrival.mayBeCopy else { return }
        let isAnswer = packet.flags.contains(.ack)
        let initial = isAnswer ? packet.acknowledgment &- 1 : packet.sequence
        guard openings.isFirst(arrival.key.hash(seed: UInt64(initial))) else { return }
        let (client, server) =
            isAnswer ? (packet.destination, packet.source) : (packet.source, packet.destination)
        arrival.lookup = lookups.take(for: server, client: client)
    }

    private mutating func receiveDatagram(_ packet: DecodedPacket, _ bytes: RawSpan) {
        let payload = bytes.extracting(packet.payloadOffset..<packet.payloadOffset + packet.payloadCaptured)
        let forgotten = datagrams.forgotten
        switch datagrams.classify(packet, payload) {
        case .dns:
            ledger.other.dns += packet.internetBytes
            if let message = DNSMessage(payload) { receive(message, packet) }
        case .quic:
            ledger.other.quic += packet.internetBytes
            if datagrams.forgotten > forgotten { findings.add(.quicFlowLimit) }
        case .other: ledger.other.udp += packet.internetBytes
        }
    }

    private mutating func receive(_ message: DNSMessage, _ packet: DecodedPacket) {
        if lookups.receive(message, packet) { findings.add(.lookupLimit) }
        guard !message.name.isEmpty else { return }
        for address in message.addresses {
            if names.replace(address, name: message.name, at: ordinal) { findings.add(.nameLimit) }
        }
    }

    /// A fragment waits in `other_ip` until its datagram is whole; then all its bytes move to where they belong.
    private mutating func receiveFragment(_ bytes: RawSpan, _ time: Int64) -> Route {
        ledger.other.otherIP += packet.internetBytes
        let before = (
            gone: fragments.evicted - fragments.refused, crowdedOut: fragments.crowdedOut,
            contradictions: fragments.contradictions
        )
        let completed = fragments.add(packet, bytes, time: time)
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
        whole.processNameLength = 0
        ledger.other.otherIP -= completed.internetBytes
        moveLayers(of: completed.sums, to: whole)
        if whole.isTooDeep { findings.add(.headerDepth) }
        switch whole.kind {
        case .tcp:
            prepareSegment(whole, content, frames: completed.frames, frameBytes: completed.frameBytes)
            return [.segment, .reassembled]
        case .udp: receiveDatagram(whole, content)
        case .icmp: ledger.other.icmp += whole.internetBytes
        default: ledger.other.otherIP += whole.internetBytes
        }
        return []
    }

    /// What the fragments were booked to gives way to what their datagram turned out to be.
    private mutating func moveLayers(of sums: FragmentReassembler.Sums, to whole: DecodedPacket) {
        ledger.layers.pseudo += whole.pseudo - sums.pseudo
        ledger.layers.link += whole.link - sums.link
        ledger.layers.tunnel += whole.tunnel - sums.tunnel
        ledger.layers.network += whole.network - sums.network
        ledger.layers.transport += whole.transport
        ledger.layers.payload += whole.payload - sums.payload
    }
}
