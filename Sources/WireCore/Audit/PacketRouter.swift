/// The first half of the audit, which sees every frame: counts it, takes it apart, attributes what belongs to no TCP
/// connection, and says to which shard a segment goes.
///
/// What it makes of a frame stands in `routed` until the next.
struct PacketRouter: ~Copyable {
    /// What is to be done with a frame behind the router, in this order.
    struct Route: OptionSet {
        let rawValue: UInt8
        /// All shards are told the time: it has come to another step, or fallen back.
        static let step = Route(rawValue: 1 << 0)
        /// All shards are told that packets were lost.
        static let loss = Route(rawValue: 1 << 1)
        /// A shard gets a segment.
        static let segment = Route(rawValue: 1 << 2)
        /// The segment's bytes are in `datagram`, not in the frame.
        static let reassembled = Route(rawValue: 1 << 3)
        /// A shard is told of a DNS message that came late. There is no segment then.
        static let lookup = Route(rawValue: 1 << 4)
        /// A shard is told of `withdrawal`, behind the segment.
        static let withdrawal = Route(rawValue: 1 << 5)
        /// Frames that were held go on, behind all else.
        static let released = Route(rawValue: 1 << 6)
    }

    private let passing = PassedByAddress()
    private var summaries = UnsafeSlab<CaptureFileSummary>(capacity: 16)
    var ledger = LedgerSummary()
    var findings = FindingSink()
    let names: NameDirectory
    let processes: ProcessDirectory
    /// The names were full and were forgotten: they are kept until it is said that nobody asks for them any more.
    var hasForgottenNames = false
    let keys: KeyLog
    /// For the shard `shard`, if the route says so.
    var routed = RoutedSegment()
    /// For all shards, if the route says so: between the frame before and this one.
    var step: RoutedSegment {
        var step = routed
        step.kind = .step
        step.file = stepFile
        step.number = stepNumber
        step.ordinal = ordinal - 1
        return step
    }
    var shard = 0
    /// For a shard, if the route says so.
    var withdrawal = RoutedSegment()
    var withdrawalShard = 0
    /// Bytes of the latest datagram that was put together from fragments.
    var datagram: [UInt8] = []
    /// For all shards, if the route says so.
    var loss: RoutedSegment {
        var loss = routed
        loss.kind = .loss
        return loss
    }
    /// Of the latest frame; nil before the first.
    private(set) var latestTime: Int64?

    let decoder = PacketDecoder()
    var packet = DecodedPacket()
    private(set) var duplicates = DuplicateDetector()
    /// Where the latest packet was captured: the number in the file in the upper half, and in the packet in the lower.
    private(set) var interface = UInt64.max
    let options: AuditOptions
    var fragments: FragmentReassembler
    var datagrams: DatagramClassifier
    var lookups: LookupDirectory
    let payments: LookupPayments
    /// UDP that is of no QUIC connection, without what the shards know of it.
    var endpoints: DatagramTable
    var openings = OpeningMemory()
    var translations: TranslatedConnections
    var lateOpenings = LateOpenings()
    var flows = TranslatedFlows()
    /// The flow of the latest packet, if its beginning is followed, and where a datagram of it was booked.
    var followed: FlowSide?
    var booked: DatagramTable.Seat?
    /// What was held and is to go on, the first first.
    var released: [HeldFrame] = []
    /// Flows that went on when no frame followed.
    var lastReleases = 0
    /// Notes what frames consist of; nil where nobody asked.
    var trace: ClaimTrace?
    var sessions: SessionWatch
    var subflows: SubflowRoutes
    /// The frame before the latest step of time.
    private var stepFile = 0
    private var stepNumber = 0
    /// The step of time that the latest frame is in.
    private var stepStart = Int64.max
    private var stepEnd = Int64.min
    private(set) var frameCount = 0
    private var lastLinkType = LinkType(rawValue: .max)
    private var lastLinkTypeFile = -1
    private var linkTypes: [[LinkType]] = []

    /// Times beyond this, 146 years from 1970, are taken for it: no difference of two can overflow.
    static let farthestTime: Int64 = (1 << 62) - (1 << 40)
    /// Most link types named for a file.
    private static let linkTypeLimit = 64

    init(
        options: AuditOptions, names: NameDirectory, keys: KeyLog = KeyLog(),
        payments: LookupPayments = LookupPayments(), processes: ProcessDirectory = ProcessDirectory()
    ) {
        self.names = names
        self.processes = processes
        self.payments = payments
        self.keys = keys
        self.options = options
        sessions = SessionWatch(keys.sessions)
        subflows = SubflowRoutes(limit: options.connectionLimit, idleLimit: options.idleLimit)
        fragments = FragmentReassembler(
            openLimit: options.fragmentLimit, heldLimit: options.fragmentBytesLimit, ageLimit: options.fragmentPatience)
        datagrams = DatagramClassifier(limit: options.quicFlowLimit)
        lookups = LookupDirectory(limit: options.lookupLimit)
        endpoints = DatagramTable(options)
        translations = TranslatedConnections(CaptureInterfaces(chosen: options.countedInterface))
    }

    // MARK: Files

    mutating func addFile(_ summary: CaptureFileSummary) -> Int {
        translations.interfaces.addFile(summary.path, at: summaries.count)
        summaries.append(summary)
        linkTypes.append([])
        return summaries.count - 1
    }

    var files: [CaptureFileSummary] { (0..<summaries.count).map { summaries[$0] } }

    mutating func leftOut(file: Int) { summaries[file].filtered += 1 }

    mutating func endFile(_ file: Int, dropped: Int?, damagedAt: Int?) {
        summaries[file].dropped = dropped
        summaries[file].damagedAt = damagedAt
    }

    mutating func addName(_ address: IPAddress, name: [UInt8]) {
        if names.add(address, name: name, at: ordinal) { findings.add(.nameLimit) }
    }

    mutating func find(_ code: FindingCode, file: Int, packet: Int, count: Int) {
        findings.place = FindingPlace(file: file, packet: packet)
        findings.ordinal = ordinal
        findings.add(code, count: count)
    }

    /// Place of the latest frame. A step of time before it has the number before, and the two behind it are for what was held.
    var ordinal: Int { 4 * frameCount + 2 }

    /// No frame follows.
    mutating func finish(_ keys: KeyLog) {
        translations.discardAll(&findings)
        if fragments.openCount > 0 { findings.add(.fragmentsIncomplete, count: fragments.openCount) }
        // What of the key logs could not be read, or not be kept: no packet's finding.
        findings.place = FindingPlace(file: .max, packet: 0)
        if keys.malformedLines > 0 { findings.add(.keyLogMalformed, count: keys.malformedLines) }
        let missing = keys.droppedLines + keys.forgottenLines
        if missing > 0 { findings.add(.keyLogLimit, count: missing) }
        let unnamed = processes.overflows
        if unnamed > 0 { findings.add(.processLimit, count: unnamed) }
    }

    // MARK: Frames

    /// Takes one frame. `bytes` holds its captured bytes.
    mutating func route(_ frame: CaptureFrame, _ bytes: RawSpan, file: Int) -> Route {
        let time = max(-PacketRouter.farthestTime, min(frame.time, PacketRouter.farthestTime))
        frameCount += 1
        var route = noteTime(time)
        findings.place = FindingPlace(file: file, packet: frame.number)
        findings.ordinal = ordinal
        if frame.droppedBefore > 0 {
            routed.lossAfter = summaries[file].last
            route.insert(.loss)
        }
        note(frame, time, file)
        decoder.decode(bytes, frame, into: &packet)
        ledger.bytes += frame.originalLength
        guard packet.kind != .nonIP else {
            countOutsideInternet(frame.originalLength)
            return route
        }
        (routed.process, routed.segment.senderFlags) = (frame.process, frame.senderFlags)
        if packet.processCarrier != .none { readProcess(bytes) }
        if !packet.oddities.isEmpty { noteOddLengths() }
        if translations.isInUse, packet.kind == .tcp || packet.kind == .udp, translations.holds(packet) {
            countCopy(frame)
            return route
        }
        routed.resemblance = nil
        let interface = UInt64(truncatingIfNeeded: frame.interface) << 32 | UInt64(packet.interfaceIndex)
        if interface != self.interface { changeInterface(to: interface, file) }
        let digest = duplicates.digest(of: packet, bytes)
        let sighting = DuplicateDetector.Sighting(
            time: frame.time, interface: interface, identification: packet.identification)
        if !duplicates.mayKnow(digest) {
            duplicates.insert(digest, sighting, at: routed.ordinal)
        } else if isCopy(digest, sighting, bytes) {
            countCopy(frame)
            return route
        }
        addLayers()
        return route.union(routeContents(bytes, frame, time))
    }

    @inline(never)
    private mutating func changeInterface(to interface: UInt64, _ file: Int) {
        self.interface = interface
        translations.interfaces.record(CapturePoint(file: file, interface: interface))
        flows.record(interface: interface)
    }

    @inline(never)
    private mutating func countCopy(_ frame: CaptureFrame) {
        ledger.layers.duplicate += frame.originalLength
        trace?.noteDuplicate(frame.number)
    }

    /// Whether the latest packet is proved to be one that was captured before.
    @inline(never)
    private mutating func isCopy(_ digest: UInt64, _ sighting: DuplicateDetector.Sighting, _ bytes: RawSpan) -> Bool {
        let judgment = duplicates.judge(digest, sighting, packet, bytes, at: routed.ordinal)
        guard judgment != .first else { return false }
        if judgment == .otherInterface || judgment == .sameIdentification && packet.kind != .tcp { return true }
        routed.resemblance = duplicates.resemblance
        return false
    }

    @inline(never)
    private mutating func readProcess(_ bytes: RawSpan) {
        let number = processes.number(of: packet, bytes)
        if number != 0 { routed.process = number }
    }

    /// Books a frame without IP.
    @inline(never)
    private mutating func countOutsideInternet(_ length: Int) {
        ledger.layers.nonIP += length
        if !packet.isLinkControl { ledger.unreadFrames += length }
        if packet.isTooDeep { findings.add(.headerDepth) }
    }

    @inline(__always)
    private mutating func routeContents(_ bytes: RawSpan, _ frame: CaptureFrame, _ time: Int64) -> Route {
        switch packet.kind {
        case .tcp:
            prepareSegment(bytes, frames: 1, frameBytes: frame.originalLength)
            if flows.isSearching, let route = follow(bytes) { return route }
            return packet.flags.contains(.syn) ? routeOpening() : .segment
        case .udp:
            if !packet.oddities.isEmpty { noteOddTunnel() }
            if flows.isSearching { return routeFollowed(bytes) }
            return receiveDatagram(bytes, frames: 1, frameBytes: frame.originalLength)
        case .icmp: ledger.other.icmp += packet.internetBytes
        case .fragment: return receiveFragment(bytes, time)
        case .otherIP, .nonIP:
            if packet.isTooDeep { findings.add(.headerDepth) }
            ledger.other.otherIP += packet.internetBytes
        }
        return []
    }

    /// Says where the bytes of the latest frame, or of its datagram, are kept.
    mutating func place(offset: Int, length: Int, buffer: Int) {
        routed.offset = offset
        routed.length = length
        routed.buffer = buffer
    }

    /// Puts the frame's time into the routed segment.
    @inline(__always)
    private mutating func noteTime(_ time: Int64) -> Route {
        routed.steadyTime = min(time, latestTime ?? time)
        routed.segment.time = time
        latestTime = time
        guard time < stepStart || time >= stepEnd else { return [] }
        stepStart = TimerWheel.startOfStep(time)
        stepEnd = stepStart + TimerWheel.step
        stepFile = routed.file
        stepNumber = routed.number
        return .step
    }

    @inline(__always)
    private mutating func note(_ frame: CaptureFrame, _ time: Int64, _ file: Int) {
        routed.file = file
        routed.number = frame.number
        routed.ordinal = ordinal
        routed.bytesSoFar = ledger.bytes + frame.originalLength
        if frame.capturedLength > frame.originalLength { findings.add(.capturedMoreThanOriginal) }
        if summaries[file].note(frame, time) { findings.add(.timeWentBack) }
        if lastLinkType != frame.linkType || lastLinkTypeFile != file { noteLinkType(frame.linkType, file) }
    }

    private mutating func noteLinkType(_ type: LinkType, _ file: Int) {
        lastLinkType = type
        lastLinkTypeFile = file
        guard linkTypes[file].count < PacketRouter.linkTypeLimit, !linkTypes[file].contains(type) else { return }
        linkTypes[file].append(type)
        summaries[file].linkTypes.append(type)
    }

    @inline(__always)
    private mutating func addLayers() {
        ledger.layers.pseudo += packet.pseudo
        ledger.layers.link += packet.link
        ledger.layers.tunnel += packet.tunnel
        ledger.layers.network += packet.network
        ledger.layers.transport += packet.transport
        ledger.layers.payload += packet.payload
    }
}
