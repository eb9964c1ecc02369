/// The audit: takes frames in time order, attributes their bytes, gives the result.
///
///     var auditor = Auditor(options: AuditOptions(), sink: nil)
///     let file = auditor.addFile(CaptureFileSummary(path: "shop.pcap", format: "pcap"))
///     auditor.consume(frame, bytes, file: file)      // for each frame
///     let result = auditor.finish()
///
/// It opens no file and reads no clock. Every byte of every frame is attributed once to a layer, and every byte of the IP
/// layer once to a cause and an owner; `LedgerSummary.balanced` compares the independent sums.
///
/// TCP connections are dealt out to 16 shards by their addresses and ports; subflows of Multipath TCP go with the connection
/// that they join. QUIC connections, which may change their addresses, have a shard of their own. The shards depend on the
/// capture alone, so it makes no difference which thread a shard is in.
public struct Auditor: ~Copyable {
    var router: PacketRouter
    var shards: UnsafeSlab<Shard>
    let totals: Totals
    private let keys: KeyLog
    /// Take the place of the shards' own while those are added to the totals.
    private var completed = [CompletedFlows](repeating: CompletedFlows(), count: AuditOptions.allShardCount)
    /// Connections seen by `consume`.
    private var nextNumber = 0
    /// Where the next frame's connection is looked for; no shard where nothing is expected.
    private var expected: (shard: Int?, connection: ConnectionStore.Expectation) = (nil, ConnectionStore.Expectation())

    /// How long after the last packet its exchanges have settled: nanoseconds.
    private static let settlingTime: Int64 = 4_000_000_000

    /// - Parameters:
    ///   - sink: receives records as exchanges and connections end.
    ///   - examiner: looks at the content of bodies, in place of the decoding that the options ask for.
    ///   - keys: opens TLS. It may grow while the audit runs.
    ///   - processes: what the numbers of processes in frames stand for.
    public init(
        options: AuditOptions = AuditOptions(), sink: (any AuditSink)? = nil, examiner: (any BodyExaminer)? = nil,
        keys: KeyLog = KeyLog(), processes: ProcessDirectory? = nil
    ) {
        self.keys = keys
        let processes = processes ?? ProcessDirectory(limit: options.processLimit)
        let names = NameDirectory(limit: options.nameLimit)
        let payments = LookupPayments()
        router = PacketRouter(options: options, names: names, keys: keys, payments: payments, processes: processes)
        totals = Totals(options: options, sink: sink, processes: processes)
        shards = UnsafeSlab(capacity: AuditOptions.allShardCount)
        for shard in 0..<AuditOptions.allShardCount {
            shards.append(
                Shard(
                    ShardContext(
                        StreamContext(
                            options: options, keepsRecords: sink != nil, examiner: examiner, keys: keys,
                            names: names, processes: processes), payments),
                    holdsDatagrams: shard == AuditOptions.datagramShard))
        }
    }

    /// Announces a file; returns its index, which `consume` takes.
    public mutating func addFile(_ summary: CaptureFileSummary) -> Int {
        for shard in 0..<shards.count { shards[shard].context.streams.paths.append(summary.path) }
        return router.addFile(summary)
    }

    /// To be called before `consume`, or not at all: `following` lies where the frame after that one will begin. What its
    /// connection consists of comes into the processor's cache meanwhile.
    @inline(__always)
    package mutating func expect(_ following: RawSpan) {
        if let shard = expected.shard { shards[shard].connections.prefetch(expected.connection) }
        // Parts are much of one size.
        guard shards[0].connections.rewardsPrefetching, let key = router.glimpse(following) else {
            expected.shard = nil
            return
        }
        let shard = key.shard
        expected = (shard, shards[shard].connections.expect(key))
    }

    /// Takes one frame. `bytes` holds its captured bytes.
    public mutating func consume(_ frame: CaptureFrame, _ bytes: RawSpan, file: Int) {
        if frame.time > router.flows.deadline, router.releaseOverdue(at: frame.time) { receiveReleased() }
        let route = receive(frame, bytes, file: file)
        if route.contains(.released) { receiveReleased() }
    }

    /// The same without frames that were held.
    @inline(__always)
    mutating func receive(_ frame: CaptureFrame, _ bytes: RawSpan, file: Int) -> PacketRouter.Route {
        let route = router.route(frame, bytes, file: file)
        if !route.isDisjoint(with: [.step, .loss, .lookup]) { tell(route) }
        if route.contains(.segment) { receive(route, bytes) } else { settleNames() }
        if route.contains(.withdrawal) { withdraw() }
        return route
    }

    /// Takes frames that were held.
    @inline(never)
    mutating func receiveReleased() {
        let latest = router.routed
        while true {
            // Routing books what is of no connection.
            let (other, datagrams) = (router.ledger.other, datagramTotals)
            guard let (route, bytes) = router.routeReleased() else { break }
            if route.contains(.lookup) { tell(route) }
            if route.contains(.segment) { unsafe receive(route, bytes.span.bytes) }
            let changed = router.ledger.other.changed(since: other) ?? datagramTotals.changed(since: datagrams)
            router.trace?.noteOther(changed, frame: router.routed.number)
        }
        router.routed = latest
    }

    @inline(__always)
    private mutating func receive(_ route: PacketRouter.Route, _ bytes: RawSpan) {
        let shard = router.shard
        if shard == AuditOptions.datagramShard { return receiveDatagram(route, bytes) }
        shards[shard].connections.nextNumber = nextNumber
        if route.contains(.reassembled) {
            let datagram = router.datagram
            unsafe shards[shard].receive(&router.routed, datagram.span.bytes)
        } else {
            shards[shard].receive(&router.routed, bytes)
        }
        nextNumber = shards[shard].connections.nextNumber
        settle(shard)
    }

    @inline(never)
    private mutating func withdraw() {
        shards[router.withdrawalShard].withdraw(router.withdrawal)
    }

    /// The same for UDP. Apart, so that segments do not pay for it.
    @inline(never)
    private mutating func receiveDatagram(_ route: PacketRouter.Route, _ bytes: RawSpan) {
        let shard = AuditOptions.datagramShard
        shards[shard].nextNumber = nextNumber
        if route.contains(.reassembled) {
            let datagram = router.datagram
            unsafe shards[shard].receiveDatagram(&router.routed, datagram.span.bytes)
        } else {
            shards[shard].receiveDatagram(&router.routed, bytes)
        }
        nextNumber = shards[shard].nextNumber
        settle(shard)
    }

    /// Frames are taken one by one here, so nobody asks about those in front of this one.
    @inline(__always)
    private mutating func settleNames() {
        guard router.hasForgottenNames else { return }
        router.names.settle(router.ordinal)
        router.hasForgottenNames = false
    }

    private mutating func tell(_ route: PacketRouter.Route) {
        if route.contains(.step) {
            router.names.settle(router.ordinal)
            keys.sessions.settle(router.ordinal)
            let step = router.step
            for shard in 0..<shards.count {
                shards[shard].step(step)
            }
            settleAll()
        }
        if route.contains(.loss) {
            let loss = router.loss
            for shard in 0..<shards.count { shards[shard].noteLoss(loss) }
        }
        if route.contains(.lookup) { shards[router.shard].receiveLookup(router.routed) }
    }

    /// Adds what a shard has completed to the totals.
    @inline(__always)
    private mutating func settle(_ shard: Int) {
        if !shards[shard].context.streams.completed.isEmpty {
            totals.settle(&shards[shard].context.streams.completed, shard: shard)
        }
    }

    /// Adds what all shards have completed to the totals.
    private mutating func settleAll() {
        var leaving: (first: Int, count: Int) = (0, 0)
        for shard in 0..<shards.count where !shards[shard].context.streams.completed.isEmpty {
            if leaving.count == 0 { leaving.first = shard }
            leaving.count += 1
        }
        guard leaving.count > 1 else {
            if leaving.count == 1 { settle(leaving.first) }
            return
        }
        for shard in 0..<shards.count { swap(&completed[shard], &shards[shard].context.streams.completed) }
        totals.settle(&completed)
        for shard in 0..<shards.count { swap(&completed[shard], &shards[shard].context.streams.completed) }
    }

    /// Does what time does: exchanges that are over are given out, closed connections are concluded. `consume` does so by the
    /// times of the frames; while frames are awaited the caller may, for a time before which no frame comes any more.
    /// Nothing is done that the end of the capture, if it came now, would not do as well.
    public mutating func advance(to time: Int64) {
        guard let latestTime = router.latestTime else { return }
        placeBehindLatest()
        for shard in 0..<shards.count {
            shards[shard].advance(to: min(time, latestTime + Auditor.settlingTime, PacketRouter.farthestTime))
        }
        settleAll()
    }

    /// What happens now, happens behind the latest frame.
    private mutating func placeBehindLatest() {
        for shard in 0..<shards.count {
            shards[shard].context.streams.findings.place = FindingPlace(
                file: router.routed.file, packet: router.routed.number)
            shards[shard].context.streams.findings.ordinal = router.ordinal + 1
            shards[shard].context.steadyTime = router.routed.steadyTime
        }
    }

    /// Goes on with what waited for TLS keys, at this time of the capture. To be called when keys have come, and now and
    /// then, where they may still come (`KeyLog.mayGrow`).
    public mutating func resumeAwaited(at time: Int64) {
        placeBehindLatest()
        for shard in 0..<shards.count {
            shards[shard].resumeAwaited(at: min(max(time, -PacketRouter.farthestTime), PacketRouter.farthestTime))
        }
        settleAll()
    }

    /// Some packets wait for a key that may still come.
    public var awaitsKeys: Bool { (0..<shards.count).contains { shards[$0].context.streams.awaitingKeys > 0 } }

    /// Exchanges of which the response has ended.
    public var answeredExchanges: Int { (0..<shards.count).reduce(0) { $0 + shards[$1].context.streams.answeredCount } }

    /// Counts a frame that a filter left out.
    public mutating func leftOut(file: Int) { router.leftOut(file: file) }

    /// Closes a file: what its statistics say of lost frames, and where reading had to end.
    public mutating func endFile(_ file: Int, dropped: Int?, damagedAt: Int?) {
        router.endFile(file, dropped: dropped, damagedAt: damagedAt)
    }

    /// Takes a name record of the capture file.
    public mutating func addName(_ address: IPAddress, name: [UInt8]) { router.addName(address, name: name) }

    /// Takes the name of an interface. `number`: over all files, as its frames have it.
    public mutating func addInterface(_ number: Int, name: [UInt8]) {
        router.translations.interfaces.add(name, number: number)
    }

    /// Takes TLS keys that the capture file holds: lines of a key log.
    public mutating func addSecrets(_ bytes: RawSpan) { keys.add(bytes) }

    /// Takes a finding of the reader.
    public mutating func find(_ code: FindingCode, file: Int, packet: Int, count: Int = 1) {
        router.find(code, file: file, packet: packet, count: count)
    }

    /// Ends all connections.
    public mutating func finish() -> AuditResult {
        while router.releaseOverdue(at: .max, isLast: true) { receiveReleased() }
        advance(to: .max)
        placeBehindLatest()
        endAll()
        totals.finish()
        router.finish(keys)
        var result = AuditResult()
        result.files = router.files
        result.ledger = ledger
        for row in totals.state.tables.apiRows { result.ledger.owned += row.costs }
        for row in totals.state.tables.hostRows { result.ledger.owned += row.unassigned }
        result.ledger.owned += totals.state.leftOut
        result.apis = totals.state.tables.apiRows
        result.hosts = totals.state.tables.hostRows
        let datagrams = datagramRows
        if let datagrams { (result.datagrams, result.ledger.datagrams) = (datagrams.rows, datagrams.total) }
        result.apps = apps(datagrams)
        result.contentTypes = totals.state.contentTypes.summaries { shard, type in
            shards[shard].context.streams.shownType(type)
        }
        result.connections = totals.state.connectionCount
        result.quicConnections = totals.state.datagramConnectionCount
        result.lateConnections = totals.state.lateConnectionCount
        result.unfinishedExchanges = totals.state.unfinishedCount
        result.exchanges = totals.state.exchangeCount
        result.findings = findings.summary(paths: router.files.map(\.path))
        result.countedPoints = router.countedPoints
        let isChosen = totals.state.options.countedInterface != nil
        let interfaces = router.translations.interfaces
        result.lacksCountedInterface = isChosen && !interfaces.isChosenSeen
        if result.lacksCountedInterface { result.otherInterfaces = interfaces.others }
        return result
    }

    /// All connections that are left, in the order of their first packets.
    private mutating func endAll() {
        let rest = (0..<shards.count).map { shards[$0].rest }
        var next = [Int](repeating: 0, count: rest.count)
        while true {
            var first: (shard: Int, ordinal: Int)?
            for shard in rest.indices where next[shard] < rest[shard].count {
                let ordinal = rest[shard][next[shard]].ordinal
                if ordinal < first?.ordinal ?? .max { first = (shard, ordinal) }
            }
            guard let shard = first?.shard else { return }
            shards[shard].endLast(rest[shard][next[shard]].place)
            settle(shard)
            next[shard] += 1
        }
    }

    /// The ledger of all shards, without what their open connections hold.
    var ledger: LedgerSummary {
        var sum = router.ledger
        for shard in 0..<shards.count { sum.add(shards[shard].context.ledger) }
        return sum
    }

    /// Everything of connections and UDP by app, if some is named.
    private func apps(_ datagrams: DatagramRows?) -> [AppSummary] {
        guard !router.processes.isEmpty else { return [] }
        var rows = AppRows(router.processes)
        for shard in 0..<shards.count { rows.add(shards[shard].context.streams.processSums) }
        if let datagrams { rows.add(datagrams) }
        return rows.nameSome ? rows.rows : []
    }

    /// Rows of UDP, with what the shards have booked and taken back; nil without any.
    var datagramRows: DatagramRows? {
        guard
            !router.endpoints.rows.isEmpty
                || (0..<shards.count).contains(where: { !shards[$0].context.strays.rows.isEmpty })
        else { return nil }
        let (totals, processes) = (totals, router.processes)
        var rows = DatagramRows(limit: totals.state.options.datagramEndpointLimit) { number in
            totals.state.options.includesApp?(processes.process(number)?.app) ?? true
        }
        rows.add(router.endpoints, (0..<shards.count).map { shards[$0].context.datagrams })
        for shard in 0..<shards.count { rows.add(shards[shard].context.strays, []) }
        return rows
    }

    var findings: FindingSink {
        var sum = router.findings
        sum.add(totals.state.findings)
        var late = router.lateOpenings
        for shard in 0..<shards.count {
            sum.add(shards[shard].context.streams.findings)
            late.add(shards[shard].context.lateOpenings)
        }
        late.report(to: &sum)
        return sum
    }
}
