/// The audit: takes frames in time order, keeps the books, gives the result.
///
///     var auditor = Auditor(options: AuditOptions(), sink: nil)
///     let file = auditor.addFile(CaptureFileSummary(path: "shop.pcap", format: "pcap"))
///     auditor.consume(frame, bytes, file: file)      // for each frame
///     let result = auditor.finish()
///
/// It opens no file and reads no clock. Every byte of every frame is booked once to a layer, and every byte of the IP
/// layer once to a cause and an owner; `LedgerSummary.balanced` compares the independent sums.
public struct Auditor: ~Copyable {
    var books: Books
    var connections = ConnectionStore()
    var files: [CaptureFileSummary] = []
    let decoder = PacketDecoder()
    private var packet = DecodedPacket()
    private var duplicates = DuplicateDetector()
    var fragments = FragmentReassembler()
    var datagrams = DatagramClassifier()
    private var lastLinkType = LinkType(rawValue: .max)
    private var lastLinkTypeFile = -1
    private var linkTypes: [[LinkType]] = []
    /// Of the frame before; nil before the first.
    private var latestTime: Int64?

    /// Times beyond this, 146 years from 1970, are taken for it: no difference of two can overflow.
    private static let farthestTime: Int64 = (1 << 62) - (1 << 40)
    /// How long after the last packet its exchanges have settled: nanoseconds.
    private static let settlingTime: Int64 = 4_000_000_000
    /// Most link types named for a file.
    private static let linkTypeLimit = 64

    /// - Parameters:
    ///   - sink: receives records as exchanges and connections end.
    ///   - examiner: looks at the content of bodies, in place of the decoding that the options ask for.
    ///   - keys: opens TLS. It may grow while the audit runs.
    public init(
        options: AuditOptions = AuditOptions(), sink: (any AuditSink)? = nil, examiner: (any BodyExaminer)? = nil,
        keys: KeyLog = KeyLog()
    ) {
        books = Books(options: options, sink: sink, examiner: examiner, keys: keys)
    }

    /// Announces a file; returns its index, which `consume` takes.
    public mutating func addFile(_ summary: CaptureFileSummary) -> Int {
        files.append(summary)
        linkTypes.append([])
        books.paths.append(summary.path)
        return files.count - 1
    }

    /// Takes one frame. `bytes` holds its captured bytes.
    public mutating func consume(_ frame: CaptureFrame, _ bytes: RawSpan, file: Int) {
        guard frame.time.magnitude <= Auditor.farthestTime.magnitude else {
            var nearer = frame
            nearer.time = frame.time < 0 ? -Auditor.farthestTime : Auditor.farthestTime
            consume(nearer, bytes, file: file)
            return
        }
        books.steadyTime = min(frame.time, latestTime ?? frame.time)
        if frame.time >= books.due.nextTime || frame.time < books.due.earliestTime {
            connections.pass(frame.time, &books)
        }
        latestTime = frame.time
        books.findings.file = file
        books.findings.packet = frame.number
        if frame.droppedBefore > 0 { books.drops.note(frame.time, after: files[file].last) }
        note(frame, file)
        decoder.decode(bytes, frame, into: &packet)
        books.ledger.bytes += frame.originalLength
        guard packet.kind != .nonIP else {
            books.ledger.layers.nonIP += frame.originalLength
            return
        }
        if packet.lengthBeyondFrame { books.findings.add(.lengthBeyondFrame) }
        if packet.lengthFromFrame { books.findings.add(.lengthFromFrame) }
        if isDuplicate(bytes, frame) {
            books.ledger.layers.duplicate += frame.originalLength
            return
        }
        addLayers(packet)
        switch packet.kind {
        case .tcp: receiveSegment(packet, bytes, frame, file)
        case .udp: receiveDatagram(packet, bytes)
        case .icmp: books.ledger.other.icmp += packet.internetBytes
        case .fragment: receiveFragment(packet, bytes, frame, file)
        case .otherIP, .nonIP: books.ledger.other.otherIP += packet.internetBytes
        }
    }

    /// Does what time does: settled exchanges leave the books, closed connections are concluded. `consume` does so by the
    /// times of the frames; while frames are awaited the caller may, for a time before which no frame comes any more.
    /// Nothing is done that the end of the capture, if it came now, would not do as well.
    public mutating func advance(to time: Int64) {
        guard let latestTime else { return }
        connections.advance(to: min(time, latestTime + Auditor.settlingTime, Auditor.farthestTime), &books)
    }

    /// Goes on with what waited for TLS keys, at this time of the capture. To be called when keys have come, and now and
    /// then, where they may still come (`KeyLog.mayGrow`).
    public mutating func resumeAwaited(at time: Int64) {
        connections.resumeAwaited(at: min(max(time, -Auditor.farthestTime), Auditor.farthestTime), &books)
    }

    /// Some packets wait for a key that may still come.
    public var awaitsKeys: Bool { books.awaitingKeys > 0 }

    /// Exchanges of which the response has ended.
    public var answeredExchanges: Int { books.answeredCount }

    /// Counts a frame that a filter left out.
    public mutating func leftOut(file: Int) { files[file].filtered += 1 }

    /// Closes a file: what its statistics say of lost frames, and where reading had to end.
    public mutating func endFile(_ file: Int, dropped: Int?, damagedAt: Int?) {
        files[file].dropped = dropped
        files[file].damagedAt = damagedAt
    }

    /// Takes a name record of the capture file.
    public mutating func addName(_ address: IPAddress, name: [UInt8]) { books.names.add(address, name: name) }

    /// Takes TLS keys that the capture file holds: lines of a key log.
    public mutating func addSecrets(_ bytes: RawSpan) { books.keys.add(bytes) }

    /// Takes a finding of the reader.
    public mutating func find(_ code: FindingCode, file: Int, packet: Int) {
        books.findings.file = file
        books.findings.packet = packet
        books.findings.add(code)
    }

    /// Ends all connections and closes the books.
    public mutating func finish() -> AuditResult {
        advance(to: .max)
        connections.endAll(&books)
        if fragments.openCount > 0 { books.findings.add(.fragmentsIncomplete, count: fragments.openCount) }
        for row in books.tables.apiRows { books.ledger.owned += row.costs }
        for row in books.tables.hostRows { books.ledger.owned += row.unassigned }
        var result = AuditResult()
        result.files = files
        result.ledger = books.ledger
        result.apis = books.tables.apiRows
        result.hosts = books.tables.hostRows
        result.connections = books.connectionCount
        result.exchanges = books.exchangeCount
        result.findings = books.findings.summary(paths: books.paths)
        return result
    }

    @inline(__always)
    private mutating func isDuplicate(_ bytes: RawSpan, _ frame: CaptureFrame) -> Bool {
        switch duplicates.judge(packet, bytes, frame) {
        case .first: false
        case .otherInterface: true
        case .sameIdentification: packet.kind != .tcp || connections.identificationIsTelling(packet)
        }
    }

    @inline(__always)
    private mutating func note(_ frame: CaptureFrame, _ file: Int) {
        if frame.capturedLength > frame.originalLength { books.findings.add(.capturedMoreThanOriginal) }
        if files[file].note(frame) { books.findings.add(.timeWentBack) }
        if lastLinkType != frame.linkType || lastLinkTypeFile != file { noteLinkType(frame.linkType, file) }
    }

    private mutating func noteLinkType(_ type: LinkType, _ file: Int) {
        lastLinkType = type
        lastLinkTypeFile = file
        guard linkTypes[file].count < Auditor.linkTypeLimit, !linkTypes[file].contains(type) else { return }
        linkTypes[file].append(type)
        files[file].linkTypes.append(type.name)
    }

    @inline(__always)
    private mutating func addLayers(_ packet: DecodedPacket) {
        books.ledger.layers.pseudo += packet.pseudo
        books.ledger.layers.link += packet.link
        books.ledger.layers.tunnel += packet.tunnel
        books.ledger.layers.network += packet.network
        books.ledger.layers.transport += packet.transport
        books.ledger.layers.payload += packet.payload
    }
}
