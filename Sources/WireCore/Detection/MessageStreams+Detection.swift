/// Which protocol begins: by what the bytes show, not by ports.
extension MessageStreams {
    /// What the beginning of a stream or tunnel shows.
    enum DetectionResult: Equatable {
        case none
        /// More bytes are needed.
        case maybe
        /// A proxy names the client that it serves, and then the stream begins.
        case proxy(ProxyHeader)
        case tls
        case frames
        /// HTTP/2 from its first byte on, though the stream's own beginning was not seen.
        case preface

        var isFound: Bool { self != .none && self != .maybe }
    }

    /// Where the bytes are: at the start of a stream or of a tunnel, in sight of it, or anywhere.
    enum Place {
        case start, tunnel, middle
    }

    /// Bytes of another protocol behind which TLS is still looked for.
    private static let foreignPrefixLimit = 1 << 14

    /// Not in step: whether a carrier, or HTTP/2 inside one, begins with this run; if so, the direction has it afterwards.
    mutating func detect(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ direction: Direction,
        _ context: inout StreamContext
    ) -> Bool {
        guard directions[direction].isPlain else {
            return detectFramesInside(run, offset, at: position, direction, context)
        }
        // Behind a PROXY header the stream begins within a run.
        guard offset == 0 || http1.directions[direction].origin == .stream(position) else { return false }
        if directions[direction].isProbed { return offset == 0 && detectLate(run, at: position, direction, &context) }
        let isStart = http1.directions[direction].isFirstContent(position, assembly[direction])
        if !isStart, http1.directions[direction].origin == .stream(position) {
            if case .yes(let header) = ProxyHeader.probe(run, at: offset) {
                return enter(.proxy(header), at: position, direction, isStart: false, &context)
            }
        }
        let result = probe(run, offset, direction, isStart ? .start : .middle)
        if result == .none, isStart || tracker.requester != nil { directions[direction].isProbed = true }
        return enter(result, at: position, direction, isStart: isStart, &context)
    }

    /// Behind a few bytes of another protocol, as of a proxy or of one that asks for TLS first, a hello may come.
    private mutating func detectLate(
        _ run: RawSpan, at position: StreamPosition, _ direction: Direction, _ context: inout StreamContext
    ) -> Bool {
        guard tracker.requester == nil,
            position.value < MessageStreams.foreignPrefixLimit || tracker.security != nil,
            TLSProbe.probe(run, at: 0, isMidstream: false) == .yes
        else { return false }
        return enter(.tls, at: position, direction, isStart: true, &context)
    }

    /// The direction carries what was found.
    mutating func enter(
        _ result: DetectionResult, at position: StreamPosition, _ direction: Direction, isStart: Bool,
        _ context: inout StreamContext
    ) -> Bool {
        switch result {
        case .none: return false
        case .maybe: enter(.undecided(UndecidedStart(origin: position)), at: position, direction, context)
        case .proxy(let header): enter(header, at: position, direction, &context)
        case .tls:
            let records = records ?? TLSRecordLayer()
            self.records = records
            records[direction] = RecordStream(origin: position)
            enter(.records, at: position, direction, context)
            tracker.isSecure[direction] = true
            directions[direction].messages = .http1
            http1.directions[direction].reader.state = .searching
        case .frames, .preface:
            enter(.frames, at: position, direction, context)
            if result == .preface { tracker.requester = direction }
            beginFrames(direction, isStart: isStart || result == .preface)
        }
        return true
    }

    private mutating func enter(
        _ carrier: StreamCarrier, at position: StreamPosition, _ direction: Direction,
        _ context: borrowing StreamContext
    ) {
        directions[direction].carrier = carrier
        http1.directions[direction].origin = .hidden
        let isDirect = if case .frames = carrier { true } else { false }
        context.attribution.connection[direction].runs = OwnerRuns(from: position, isDirect: isDirect)
    }

    /// The stream begins behind the header. Who sends one opened the connection.
    private mutating func enter(
        _ header: ProxyHeader, at position: StreamPosition, _ direction: Direction, _ context: inout StreamContext
    ) {
        directions[direction].carrier = .proxyHeader(end: position + header.length)
        http1.directions[direction].origin = .stream(position + header.length)
        if tracker.connection.client == nil { tracker.connection.client = direction }
        context.findings.add(.proxyHeader)
        // An inner header, of another proxy, may name none.
        if let client = header.client { tracker.connection.proxiedClient = client }
    }

    /// What was undecided lies in the stream itself after all, or in what is entered next.
    mutating func keepUndecided(
        _ undecided: UndecidedStart, _ direction: Direction, _ context: borrowing StreamContext
    ) {
        directions[direction].carrier = .stream
        http1.directions[direction].origin = .stream(undecided.origin)
        context.attribution.connection[direction].runs = nil
    }

    /// The direction carries HTTP/2 from here on. `isStart`: from the connection's first byte of it on.
    private mutating func beginFrames(_ direction: Direction, isStart: Bool) {
        let http2 = http2 ?? HTTP2Connection(assembly: assembly)
        self.http2 = http2
        tracker.multiplexed = http2
        if tracker.requester == nil { tracker.requester = tracker.client }
        http2.begin(direction, isStart: isStart, isRequester: direction == tracker.requester)
        tracker.httpVersion = .http2
        directions[direction].messages = .http2
    }

    /// Inside TLS, or where frames were lost: whether HTTP/2 begins, or goes on, with this run.
    private mutating func detectFramesInside(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ direction: Direction,
        _ context: borrowing StreamContext
    ) -> Bool {
        let isJoined = tracker.security?.isJoined == true
        let isStart =
            !isJoined && http1.directions[direction].origin == .from(position) && http2?[direction] == nil
        // Drafts have names such as h2-16.
        let isNamed = tracker.security?.handshake.known.applicationProtocol?.starts(with: "h2".utf8) == true
        if isStart {
            let preface = HTTP2Probe.probePreface(run, at: offset)
            let asker = tracker.requester ?? (preface == .yes ? direction : nil)
            let client = asker ?? tracker.connection.client ?? tracker.security?.client ?? direction
            let isClient = client == direction
            if http2 == nil {
                guard tracker.requester == nil || isNamed else { return false }
                let isFrames =
                    isClient
                    ? preface == .yes : HTTP2Probe.probeFrames(run, at: offset, isFirst: true) == .yes
                let mayBeMessage =
                    preface == .no && StartLinePlausibility.probe(run, at: offset, isFirst: true) != .no
                // The name counts only where the bytes say nothing, as behind a loss.
                guard isFrames || (isNamed && !mayBeMessage) else { return false }
            }
            if tracker.requester == nil { tracker.requester = isClient ? direction : direction.opposite }
        } else {
            // Who joins late has not seen which protocol was agreed on.
            let mayCarryFrames = http2 != nil || isNamed || (isJoined && tracker.requester == nil)
            guard mayCarryFrames, HTTP2Probe.probeFrames(run, at: offset, isFirst: false) == .yes else { return false }
        }
        beginFrames(direction, isStart: isStart)
        return true
    }

    func probe(_ run: RawSpan, _ offset: Int, _ direction: Direction, _ place: Place) -> DetectionResult {
        var result = DetectionResult.none
        let isStart = place != .middle
        if place == .start {
            switch ProxyHeader.probe(run, at: offset) {
            case .yes(let header): return .proxy(header)
            case .maybe: result = .maybe
            case .no: break
            }
        }
        let hasRecords = tracker.security != nil
        switch TLSProbe.probe(run, at: offset, isMidstream: !isStart || hasRecords, isExpected: hasRecords) {
        case .yes: return .tls
        case .maybe: if isStart { result = .maybe }
        case .no: break
        }
        let client = tracker.connection.client
        let isClient = (tracker.requester ?? client ?? direction) == direction
        // The preface is proof enough wherever it stands, and whoever sends it.
        let mayBegin = !isStart || (!isClient && tracker.requester == nil)
        if mayBegin, http2?[direction] == nil, HTTP2Probe.probePreface(run, at: offset) == .yes { return .preface }
        if isStart, isClient {
            switch HTTP2Probe.probePreface(run, at: offset) {
            case .yes: return .frames
            case .maybe: return .maybe
            case .no: break
            }
        }
        let mayCarryFrames = place == .tunnel || tracker.requester == nil || http2 != nil
        guard mayCarryFrames, !isClient || !isStart || client == nil else { return result }
        switch HTTP2Probe.probeFrames(run, at: offset, isFirst: isStart) {
        case .yes: return .frames
        case .maybe: return isStart ? .maybe : result
        case .no: return result
        }
    }

    // MARK: Tunnels

    /// The first bytes behind CONNECT or 101 show what runs inside. Claims none.
    mutating func enterTunnel(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ direction: Direction,
        _ context: inout StreamContext
    ) -> Int {
        let result = directions[direction].isPlain ? probe(run, offset, direction, .tunnel) : .none
        if result == .none, carriesMessages(run, offset, direction, context) {
            leaveExchange(at: position, direction, &context)
            http1.directions[direction].reader.state = .idle
        } else if result == .none {
            directions[direction].messages = .tunnel
        } else {
            openTunnel(result, at: position, direction, &context)
        }
        return 0
    }

    /// Behind CONNECT: whether HTTP/1 goes on in clear text, as with a proxy that is asked for a tunnel to port 80.
    @inline(never)
    private func carriesMessages(
        _ run: RawSpan, _ offset: Int, _ direction: Direction, _ context: borrowing StreamContext
    ) -> Bool {
        let index = Int(context.attribution.connection[direction].latest)
        guard index >= 0, context.exchanges[index].flags.contains(.tunnel) else { return false }
        if direction == tracker.requester { return StartLinePlausibility.isRequest(run, at: offset) }
        return tracker.oldestUnanswered >= 0 && StartLine.couldBegin(run, offset, .response)
    }

    /// What comes is no longer the exchange's that opened the tunnel.
    private func leaveExchange(at position: StreamPosition, _ direction: Direction, _ context: inout StreamContext) {
        let index = Int(context.attribution.connection[direction].latest)
        guard index >= 0 else { return }
        context.attribution.accounts[index].ranges[direction].end = position
        context.attribution.connection[direction].latest = -1
    }

    /// The tunnel carries something known, or may.
    mutating func openTunnel(
        _ result: DetectionResult, at position: StreamPosition, _ direction: Direction,
        _ context: inout StreamContext
    ) {
        let index = Int(context.attribution.connection[direction].latest)
        if result != .maybe { leaveExchange(at: position, direction, &context) }
        _ = enter(result, at: position, direction, isStart: true, &context)
        if result == .frames, index >= 0, context.exchanges[index].flags.contains(.upgraded) {
            adoptUpgraded(index, &context)
        }
    }

    /// 101 named HTTP/2, and nothing that followed was captured: what the upgrade cost was set-up all the same.
    mutating func adoptPromised(_ direction: Direction, _ context: inout StreamContext) {
        guard http1.directions[direction].reader.section?.namesHTTP2 == true else { return }
        let index = Int(context.attribution.connection[direction].latest)
        guard index >= 0, context.exchanges[index].flags.contains(.upgraded) else { return }
        // What came instead is in a tunnel.
        let costs = context.attribution.accounts[index].costs
        guard Direction.both.allSatisfy({ costs.bytes(.opaque, $0) == 0 }) else { return }
        adoptUpgraded(index, &context)
    }

    /// 101 named HTTP/2, and the bytes that follow are not there: the response of stream 1 is among them.
    func missPromised(_ direction: Direction, _ reason: SkipReason, _ context: inout StreamContext) {
        guard http1.directions[direction].reader.section?.namesHTTP2 == true else { return }
        let index = Int(context.attribution.connection[direction].latest)
        guard index >= 0, context.exchanges[index].flags.contains(.upgraded) else { return }
        context.exchanges[index].flags.insert(reason.flag)
    }

    /// 101 led to HTTP/2: its exchange is stream 1 from here on, and what the upgrade cost is set-up (RFC 7540 §3.2).
    private mutating func adoptUpgraded(_ index: Int, _ context: inout StreamContext) {
        http2?.isUpgraded = true
        guard http2?.streams[1] == nil else { return }
        for direction in Direction.both {
            for cause in [Cause.startLine, .headers, .framing] {
                context.attribution.disown(index, cause, as: .setupHTTP, direction)
            }
            if context.attribution.connection[direction].latest == Int32(index) {
                http1.leaveMessage(direction, &context)
            }
            let account = context.attribution.connection
            account[direction].upgrade = UpgradeMessage(
                context.attribution.owner(Int32(index)), context.attribution.accounts[index].ranges[direction])
            context.attribution.accounts[index].ranges[direction] = OwnedRange()
        }
        context.exchanges[index].stream = 1
        context.exchanges[index].status = 0
        context.exchanges[index].interim = 0
        context.exchanges[index].flags.remove(.upgraded)
        context.exchanges[index].request.version = .http2
        context.exchanges[index].request.fieldBytes = nil
        if context.exchanges[index].response.isFinished { context.answeredCount -= 1 }
        context.exchanges[index].response = MessageState()
        context.exchanges[index].responseStartTime = nil
        context.exchanges[index].responseEndTime = nil
        http2?.adopt(index, requester: tracker.requester ?? 0, context)
    }
}
