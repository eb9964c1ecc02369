/// The messages of one connection, whatever carries them: hands bytes to the reader of the direction's protocol, and finds
/// out which protocol that is.
///
/// Bytes come from the stream itself or from records. When messages turn out to lie in a carrier, `directions` says so
/// and no byte is claimed: the caller goes on there.
struct MessageStreams {
    var tracker: ExchangeTracker
    var http1: HTTP1Stream
    /// Nil before the first direction carries HTTP/2.
    var http2: HTTP2Connection?
    /// Nil before the first direction carries TLS.
    var records: TLSRecordLayer?
    /// Nil before the server sends what may be DNS.
    private var lookups: DNSStream?
    let directions: UnsafePair<StreamDirection>
    /// How far each direction was delivered.
    let assembly: UnsafePair<StreamAssembler>

    @inline(__always)
    init(
        tracker: ExchangeTracker, http1: HTTP1Stream, directions: UnsafePair<StreamDirection>,
        assembly: UnsafePair<StreamAssembler>
    ) {
        self.tracker = tracker
        self.http1 = http1
        self.directions = directions
        self.assembly = assembly
    }

    /// Claims bytes of the run from `offset` on; may claim none when only the state changes.
    @inline(__always)
    mutating func claim(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ direction: Direction,
        _ context: inout StreamContext
    ) -> Int {
        switch directions[direction].messages {
        case .http1:
            switch http1.directions[direction].reader.state {
            case .searching: return search(run, offset, at: position, direction, &context)
            case .switched: return enterTunnel(run, offset, at: position, direction, &context)
            default: return http1.receive(run, offset, at: position, direction, &tracker, &context)
            }
        case .http2:
            guard let http2 else { return run.byteCount - offset }
            return http2.receive(run, offset, at: position, direction, &tracker, &context)
        case .tunnel:
            http1.claim(.opaque, run.byteCount - offset, direction, &context)
            return run.byteCount - offset
        }
    }

    /// Bodies that are only followed by length need no content.
    @inline(__always)
    func needsContent(_ direction: Direction) -> Bool {
        switch directions[direction].carrier {
        case .stream:
            switch directions[direction].messages {
            case .http1:
                switch http1.directions[direction].reader.state {
                case .head, .idle, .chunked, .switched: return true
                case .body, .untilClose:
                    return http1.directions[direction].body.examined != nil || http1.directions[direction].mayLackBody
                case .searching: return tracker.requester != nil || assembly[direction].next.value < 4096
                }
            case .http2: return true
            case .tunnel: return false
            }
        case .records: return records?[direction]?.readsContent ?? true
        case .undecided, .proxyHeader, .frames: return true
        }
    }

    /// Not in step: looks for a start line, at the beginning of the run, and on a connection known to carry HTTP
    /// anywhere in it.
    private mutating func search(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ direction: Direction,
        _ context: inout StreamContext
    ) -> Int {
        if detect(run, offset, at: position, direction, &context) { return 0 }
        if let http2 {
            http2.receiveUnreadable(run.byteCount - offset, at: position, direction, tracker, &context)
            return run.byteCount - offset
        }
        let count = http1.search(run, offset, at: position, direction, &tracker, &context)
        if context.keepsRecords, mayCarryLookups, count > 0, tracker.requester == nil {
            readLookups(run.extracting(offset..<offset + count), at: position, direction, &context)
        }
        return count
    }

    /// The server's port may be that of DNS.
    private var mayCarryLookups: Bool {
        let port = tracker.connection.key.sender(of: tracker.client.opposite).port
        return port == DNSStream.securePort || port == DNSStream.port
    }

    /// DNS over TCP or TLS: the connection owns its bytes, and those that use an address in them are linked to it.
    private mutating func readLookups(
        _ run: RawSpan, at position: StreamPosition, _ direction: Direction, _ context: inout StreamContext
    ) {
        guard direction != tracker.client else { return }
        if lookups == nil, http1.directions[direction].isFirstContent(position, assembly[direction]) {
            lookups = DNSStream(context.contentBudget)
        }
        for message in lookups?.receive(run) ?? [] { context.tell(message, exchange: nil, of: tracker) }
    }

    /// No message goes on behind the connection's end.
    func leaveUnowned(_ direction: Direction) { http1.leaveUnowned(direction) }

    /// Bytes of a direction were acknowledged that no packet showed: messages may lie in them.
    mutating func doubt(_ direction: Direction) {
        tracker.connection.flags.insert(.gap)
        tracker.losses[direction].insert(.gap)
    }

    /// The end of a direction is missing: `count` bytes behind the last one seen were acknowledged.
    mutating func missEnd(_ count: Int, _ direction: Direction, _ context: inout StreamContext) {
        tracker.connection.flags.insert(.gap)
        context.findings.add(.streamGap)
        tracker.losses[direction].insert(.gap)
        http2?.flagOpenStreams(direction, &context)
        let index = context.attribution.connection[direction].latest
        guard index >= 0, context.attribution.accounts[Int(index)].ranges[direction].end == .never else { return }
        context.attribution.accounts[Int(index)].unseen += count
        context.exchanges[Int(index)].flags.insert(.gap)
    }
}

extension MessageStreams: StreamReader {
    mutating func receive(
        _ bytes: RawSpan, at position: StreamPosition, _ direction: Direction, _ context: inout StreamContext
    ) {
        if http1.directions[direction].origin == .hidden, case .records = directions[direction].carrier {
            http1.directions[direction].origin = .from(position)
        }
        var offset = 0
        while offset < bytes.byteCount {
            offset += claim(bytes, offset, at: position + offset, direction, &context)
        }
    }

    mutating func skip(
        _ count: Int, at position: StreamPosition, _ direction: Direction, _ reason: SkipReason,
        _ context: inout StreamContext
    ) -> SkipClaim {
        // Calls may lie in them whose exchanges never come to be: so in `lose`, too.
        if reason.flag == .snapped, needsContent(direction) { tracker.connection.flags.insert(.snapped) }
        switch directions[direction].messages {
        case .http1:
            http2?.loseMore(direction, reason, tracker, &context)
            lookups?.giveUp()
            if case .switched = http1.directions[direction].reader.state {
                missPromised(direction, reason, &context)
                directions[direction].messages = .tunnel
            }
        case .http2:
            if let claim = http2?.skip(count, at: position, direction, reason, &tracker, &context) { return claim }
            leaveHTTP2(direction)
            return SkipClaim(owner: .connection, count: count, cause: .opaque)
        case .tunnel: break
        }
        guard directions[direction].messages == .tunnel else {
            return http1.skip(count, at: position, direction, reason, &tracker, &context)
        }
        let owner = context.attribution.owner(context.attribution.connection[direction].latest)
        return SkipClaim(owner: owner, count: count, cause: .opaque)
    }

    mutating func lose(_ direction: Direction, _ reason: SkipReason, _ context: inout StreamContext) {
        if reason.flag == .snapped { tracker.connection.flags.insert(.snapped) }
        switch directions[direction].messages {
        case .http1:
            http2?.loseMore(direction, reason, tracker, &context)
            lookups?.giveUp()
            http1.lose(direction, reason, &tracker, &context)
        case .http2:
            http2?.lose(direction, reason, &tracker, &context)
            leaveHTTP2(direction)
        case .tunnel: break
        }
    }

    mutating func extendLoss(_ direction: Direction, upTo position: StreamPosition) {
        if directions[direction].messages == .http1 { http1.noteLost(direction, upTo: position) }
    }

    /// Where the next frame begins is not known: it is searched for.
    private mutating func leaveHTTP2(_ direction: Direction) {
        directions[direction].messages = .http1
        http1.directions[direction].reader.state = .searching
    }

    mutating func miss(at position: StreamPosition?, _ direction: Direction, _ reason: SkipReason) {
        tracker.losses[direction].insert(reason.flag)
        tracker.loseMessages(direction)
        lookups?.giveUp()
        if let position, http1.directions[direction].origin == .hidden {
            http1.directions[direction].origin = .from(position)
        }
    }

    mutating func finish(_ direction: Direction, isOrderly: Bool, _ context: inout StreamContext) {
        if directions[direction].messages == .http2 {
            http2?.finish(direction, isOrderly: isOrderly, tracker, &context)
        } else {
            if case .switched = http1.directions[direction].reader.state { adoptPromised(direction, &context) }
            http1.finish(direction, isOrderly: isOrderly, &tracker, &context)
        }
    }
}
