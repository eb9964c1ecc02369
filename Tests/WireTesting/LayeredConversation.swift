import WireCore

/// A connection whose every byte has a known owner and cause, sent in segments of any shape, with a slow but obvious
/// account of what it must cost.
///
///     var talk = LayeredConversation(.aes128GCM13)
///     talk.write(.client, [KnownRun(request, 0, .headers)])
///     talk.sendRest(.client)
///     let (capture, account) = (talk.audit(), talk.account)
public struct LayeredConversation: Sendable {
    public var talk: Dialogue
    public private(set) var streams = [LayeredStream(), LayeredStream()]
    public private(set) var peers: TLSPeers?
    /// What packets cost beside their payload.
    private var packetCosts = [KnownCosts(), KnownCosts()]

    /// With the TCP handshake, and that of TLS if there is a suite, a segment for each flight. Keys of the same seed are
    /// the same.
    public init(
        _ suite: TLSSuite? = nil, protocols: [String] = ["http/1.1"], port: UInt16 = 51_234, seed: UInt64 = 1
    ) {
        talk = Dialogue(clientPort: port)
        talk.interval = 20_000
        talk.handshake()
        packetCosts[0].add(KnownRun.connection, .setupTCP, 80)
        packetCosts[1].add(KnownRun.connection, .setupTCP, 40)
        if let suite { beginTLS(suite, protocols: protocols, seed: seed) }
    }

    /// The handshake of TLS: a segment for each flight, or the first one cut at these places, or all in segments of
    /// one length.
    public mutating func beginTLS(
        _ suite: TLSSuite, protocols: [String] = ["http/1.1"], cuts: [Int] = [], segment: Int? = nil,
        seed: UInt64 = 1
    ) {
        var peers = TLSPeers(suite, protocols: protocols, seed: seed)
        for (index, flight) in peers.handshake().enumerated() {
            write(flight.side, [KnownRun(flight.bytes, KnownRun.handshake, .setupTLS)])
            if let segment {
                sendRest(flight.side, each: segment)
            } else {
                sendRest(flight.side, cuts: index == 0 ? cuts : [])
            }
        }
        self.peers = peers
    }

    /// Goes on with peers whose handshake was written by other means.
    public mutating func adopt(_ peers: TLSPeers) { self.peers = peers }

    /// By side: what everything that was sent must cost.
    public var account: [KnownCosts] {
        (0..<2).map { side in
            var costs = streams[side].posted
            costs += packetCosts[side]
            return costs
        }
    }

    /// Audits it with set-up apart.
    public func audit(keys: String? = nil, inspect: (borrowing Auditor) -> Void = { _ in }) -> AuditedCapture {
        var options = AuditOptions()
        options.setup = .separate
        return WireTesting.audit(talk.frames, options, keys: keys ?? peers?.keyLog ?? "", inspect: inspect)
    }

    // MARK: Writing

    /// Bytes that go into the stream as they are.
    public mutating func write(_ side: Dialogue.Side, _ runs: [KnownRun]) {
        streams[side.rawValue].write(runs)
    }

    /// Content of one record; without TLS it goes into the stream as it is.
    public mutating func seal(_ side: Dialogue.Side, _ content: [KnownRun], padding: Int = 0) {
        guard let suite = peers?.suite else { return write(side, content) }
        let bytes = content.flatMap(\.bytes)
        guard let record = peers?.seal(side, bytes, padding: padding) else { return }
        streams[side.rawValue].write(record: record, lead: suite.lead, content)
    }

    /// A record that was sealed by other means.
    public mutating func write(record: [UInt8], lead: Int, _ side: Dialogue.Side, _ content: [KnownRun]) {
        streams[side.rawValue].write(record: record, lead: lead, content)
    }

    /// A record of another kind, which the connection pays.
    public mutating func sealOther(
        _ side: Dialogue.Side, _ owner: Int, _ cause: Cause, _ make: (inout TLSPeers) -> [UInt8]
    ) {
        guard var peers else { return }
        let record = make(&peers)
        self.peers = peers
        write(side, [KnownRun(record, owner, cause)])
    }

    // MARK: Sending

    /// All that was written since, in one segment, or in segments that end at these places of the rest.
    public mutating func sendRest(_ side: Dialogue.Side, cuts: [Int] = []) {
        let start = streams[side.rawValue].sent
        let end = streams[side.rawValue].bytes.count
        let places = [start] + cuts.map { start + $0 }.filter { $0 > start && $0 < end } + [end]
        for (from, to) in zip(places, places.dropFirst()) where from < to { send(side, from..<to) }
        streams[side.rawValue].sent = end
    }

    /// All that was written since, in segments of this length.
    public mutating func sendRest(_ side: Dialogue.Side, each length: Int) {
        let count = streams[side.rawValue].bytes.count - streams[side.rawValue].sent
        sendRest(side, cuts: Array(stride(from: length, to: max(count, length + 1), by: length)))
    }

    /// All that was written was sent by other means.
    public mutating func skipSent(_ side: Dialogue.Side) {
        streams[side.rawValue].sent = streams[side.rawValue].bytes.count
    }

    /// A segment with these bytes of the stream, sent before or not.
    public mutating func send(_ side: Dialogue.Side, _ range: Range<Int>) {
        let own = side.rawValue
        let acknowledged = streams[1 - own].seenUpTo
        talk.data(side, Array(streams[own].bytes[range]), at: range.lowerBound, acknowledging: acknowledged)
        streams[1 - own].acknowledged = max(streams[1 - own].acknowledged, acknowledged)
        let (new, old) = streams[own].see(range)
        for (owner, count) in KnownCosts.count(old) { packetCosts[own].add(owner, .retransmission, count) }
        let owners = new.isEmpty ? old : new
        if !new.isEmpty, owners.allSatisfy({ $0 == KnownRun.handshake }) {
            packetCosts[own].add(KnownRun.connection, .setupTLS, 40)
            return
        }
        for (owner, part) in KnownCosts.share(40, KnownCosts.count(owners)) {
            packetCosts[own].add(owner, new.isEmpty ? .retransmission : .tcpip, part)
        }
    }

    /// Both FINs. Everything must have been acknowledged by packets with payload, or by `acknowledge`.
    public mutating func close() {
        acknowledge(.client)
        acknowledge(.server)
        talk.close()
        packetCosts[0].add(KnownRun.connection, .teardown, 80)
        packetCosts[1].add(KnownRun.connection, .teardown, 40)
    }

    /// A bare acknowledgment of what came so far, if it acknowledges anything new.
    public mutating func acknowledge(_ side: Dialogue.Side, upTo place: Int? = nil) {
        let other = side.other.rawValue
        let position = place ?? streams[other].seenUpTo
        guard position > streams[other].acknowledged else { return }
        streams[other].acknowledged = position
        packetCosts[side.rawValue].add(streams[other].owners[position - 1], .ack, 40)
        talk.ack(side, upTo: position)
    }
}

extension HTTP2Frame {
    /// Its bytes as the exchange pays for them, or the connection.
    public func runs(_ owner: Int) -> [KnownRun] {
        guard owner >= 0 else { return [KnownRun(bytes, owner, .setupHTTP)] }
        let isPadded = [0, 1, 5].contains(type) && flags & 0x8 != 0
        let before = 9 + (isPadded ? 1 : 0) + (type == 1 && flags & 0x20 != 0 ? 5 : 0)
        let content = before..<before + max(bodyBytes, fieldBytes)
        let all = bytes
        let runs = [
            KnownRun(Array(all[..<min(before, all.count)]), owner, .framing),
            KnownRun(
                Array(all[min(before, all.count)..<min(content.upperBound, all.count)]), owner,
                fieldBytes > 0 ? .headers : .body),
            KnownRun(Array(all[min(content.upperBound, all.count)...]), owner, .framing),
        ]
        return runs.filter { !$0.bytes.isEmpty }
    }
}
