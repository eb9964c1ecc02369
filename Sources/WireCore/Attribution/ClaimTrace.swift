/// Of which frame each claimed byte is: every post with its owner, its cause and its frame.
///
/// There is one only where somebody asked for it (`Auditor.trace`), and then one for all shards, which one thread works on.
/// What is posted late, because its owner showed late, is noted with the frame that it came in. Memory grows with the
/// capture, up to `limit` claims of 24 bytes.
///
/// - Invariant: the claims of a frame add up to the bytes that were posted for it.
package final class ClaimTrace {
    /// Bytes of a frame that have one owner and one cause.
    package struct Claim: Sendable {
        /// Number in the capture, from 1.
        package fileprivate(set) var frame: UInt32
        /// Index in `owners`.
        package fileprivate(set) var owner: Int32
        /// The owner's claim before this one; below 0 for none.
        fileprivate var previous: Int32
        package fileprivate(set) var cause: Cause
        /// The direction of the connection that pays: 0 or 1.
        package fileprivate(set) var direction: UInt8
        package fileprivate(set) var bytes: Int
    }

    /// Who owns claims: a connection, or one of its exchanges.
    package struct Owner: Sendable {
        package var connection: Int
        /// Number in the connection; nil for the connection itself.
        package fileprivate(set) var exchange: Int?
        /// The name of the exchange's API.
        package fileprivate(set) var api: [UInt8] = []
        fileprivate var latest: Int32 = -1
    }

    /// Whose client is which: known at the end of a connection.
    package struct ConnectionEnd: Sendable {
        package var client: Int
        package var host: [UInt8]
    }

    /// Where the bytes of a frame lie in the stream.
    private struct Piece {
        var start: StreamPosition
        var end: StreamPosition
        var frame: Int
    }

    private final class State {
        let own: Int32
        var exchanges: [UInt32: Int32] = [:]
        var pieces: [[Piece]] = [[], []]

        init(own: Int32) { self.own = own }
    }

    package private(set) var claims: [Claim] = []
    package private(set) var owners: [Owner] = []
    package private(set) var ends: [Int: ConnectionEnd] = [:]
    /// Most claims kept.
    package let limit: Int
    /// There were more.
    package private(set) var isFull = false
    /// By number, from 1: what each frame consists of.
    package private(set) var parts: [FrameParts] = []
    /// Frames of a datagram, by the one that completed it.
    package private(set) var joined: [Int: [Int]] = [:]
    private var lookups: [Int: [(frame: Int, bytes: Int, isAnswer: Bool)]] = [:]
    private var states: [Int: State] = [:]
    private var current: State
    /// Frame of the packet that is attributed.
    var frame = 0
    /// Where the bytes lie that are claimed next.
    var cursor = StreamPosition.zero

    /// About 2 GB with all that belongs to them.
    package static let standardLimit = 1 << 25

    package init(limit: Int = ClaimTrace.standardLimit) {
        self.limit = limit
        owners.append(Owner(connection: -1))
        current = State(own: 0)
    }

    // MARK: Who and where

    /// What is posted now is of this connection.
    func select(connection number: Int) {
        if let state = states[number] {
            current = state
            return
        }
        owners.append(Owner(connection: number))
        current = State(own: Int32(owners.count - 1))
        states[number] = current
    }

    /// Bytes of a frame are delivered at a place of the stream.
    func deliver(at start: StreamPosition, _ count: Int, frame: Int, _ direction: Direction) {
        cursor = start
        guard count > 0 else { return }
        current.pieces[direction.index].append(Piece(start: start, end: start + count, frame: frame))
    }

    /// The exchange leaves; this is what it was.
    func name(_ serial: UInt32, exchange: Int, api: [UInt8]) {
        let owner = Int(owner(serial))
        owners[owner].exchange = exchange
        owners[owner].api = api
        current.exchanges[serial] = nil
    }

    /// The connection ends.
    func end(connection number: Int, client: Direction, host: [UInt8]) {
        ends[number] = ConnectionEnd(client: client.index, host: host)
        states[number] = nil
    }

    /// - Parameter serial: of the exchange's account; 0 for the connection.
    private func owner(_ serial: UInt32) -> Int32 {
        guard serial > 0 else { return current.own }
        if let owner = current.exchanges[serial] { return owner }
        owners.append(Owner(connection: owners[Int(current.own)].connection, exchange: -1))
        let owner = Int32(owners.count - 1)
        current.exchanges[serial] = owner
        return owner
    }

    // MARK: Claims

    /// The next bytes of the stream.
    func claim(_ serial: UInt32, _ cause: Cause, _ count: Int, _ direction: Direction) {
        claim(serial, cause, count, at: cursor, direction)
        cursor = cursor + count
    }

    /// Bytes of the stream.
    func claim(_ serial: UInt32, _ cause: Cause, _ count: Int, at start: StreamPosition, _ direction: Direction) {
        guard count > 0 else { return }
        let end = start + count
        var position = start
        var index = firstPiece(endingBehind: start, direction)
        while position < end {
            let pieces = current.pieces[direction.index]
            guard index < pieces.count, pieces[index].start <= position else {
                // No packet held it: the frame's sums will not fit, and that is told.
                return post(serial, cause, end - position, frame: 0, direction)
            }
            let stop = min(end, pieces[index].end)
            post(serial, cause, stop - position, frame: pieces[index].frame, direction)
            position = stop
            index += 1
        }
    }

    /// Nearly always one of the last.
    private func firstPiece(endingBehind position: StreamPosition, _ direction: Direction) -> Int {
        var (low, high) = (0, current.pieces[direction.index].count)
        while low < high {
            let middle = (low + high) / 2
            if current.pieces[direction.index][middle].end <= position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func post(_ serial: UInt32, _ cause: Cause, _ bytes: Int, frame: Int, _ direction: Direction) {
        append(owner(serial), cause, bytes, frame: frame, direction)
    }

    private func append(_ owner: Int32, _ cause: Cause, _ bytes: Int, frame: Int, _ direction: Direction) {
        guard bytes > 0 else { return }
        let latest = owners[Int(owner)].latest
        if latest >= 0, latest == claims.count - 1, claims[Int(latest)].frame == frame,
            claims[Int(latest)].cause == cause, claims[Int(latest)].direction == direction.index
        {
            claims[Int(latest)].bytes += bytes
            return
        }
        guard claims.count < limit else {
            isFull = true
            return
        }
        claims.append(
            Claim(
                frame: UInt32(clamping: frame), owner: owner, previous: latest, cause: cause,
                direction: UInt8(direction.index), bytes: bytes))
        owners[Int(owner)].latest = Int32(claims.count - 1)
    }

    // MARK: Frames

    /// Takes what a frame consists of; frames come in their order, from 1 on.
    func note(_ parts: FrameParts) { self.parts.append(parts) }

    /// To whom the latest frame belongs, if to no connection.
    func noteOther(_ other: FrameParts.Other?) {
        guard let other, !parts.isEmpty else { return }
        parts[parts.count - 1].other = other
    }

    /// A frame, or all frames of a datagram, were captured twice.
    func noteDuplicate(_ frame: Int) {
        for frame in joined[frame] ?? [frame] where parts.indices.contains(frame - 1) {
            parts[frame - 1] = FrameParts(whole: parts[frame - 1].total, .duplicate)
        }
    }

    /// Fragments in these frames are one datagram: what is claimed of the latest is of all of them.
    func join(_ frames: [Int]) {
        guard frames.count > 1, let last = frames.last else { return }
        joined[last] = frames
    }

    // MARK: DNS

    /// A message of a lookup that a connection may pay for.
    func noteLookup(_ lookup: Int?, frame: Int, _ bytes: Int, isAnswer: Bool) {
        guard let lookup else { return }
        lookups[lookup, default: []].append((frame, bytes, isAnswer))
    }

    /// The connection pays for a lookup.
    func pay(_ lookup: Int, _ client: Direction) {
        for message in lookups.removeValue(forKey: lookup) ?? [] {
            post(0, .setupDNS, message.bytes, frame: message.frame, message.isAnswer ? client.opposite : client)
        }
    }

    // MARK: Corrections

    /// The latest bytes that an exchange has under one cause are of another.
    func reclassify(_ serial: UInt32, _ bytes: Int, from cause: Cause, to other: Cause, _ direction: Direction) {
        var rest = bytes
        change(serial, direction) { claim in
            guard rest > 0, claim.cause == cause else { return nil }
            let part = min(rest, claim.bytes)
            rest -= part
            return (part, other, claim.owner)
        }
    }

    /// All that an exchange has under one cause is the connection's, under another.
    func disown(_ serial: UInt32, _ cause: Cause, as other: Cause, _ direction: Direction) {
        change(serial, direction) { $0.cause == cause ? ($0.bytes, other, self.current.own) : nil }
    }

    /// All that it has is the connection's; its messages were not read.
    func disownAll(_ serial: UInt32, _ direction: Direction) {
        change(serial, direction) { claim in
            let isMessage = [.startLine, .headers, .framing, .body].contains(claim.cause)
            return (claim.bytes, isMessage ? .opaque : claim.cause, self.current.own)
        }
    }

    /// Goes through an exchange's claims of a direction, the latest first. The body says how many bytes of one are another's.
    private func change(
        _ serial: UInt32, _ direction: Direction, _ body: (Claim) -> (bytes: Int, cause: Cause, owner: Int32)?
    ) {
        var cursor = owners[Int(owner(serial))].latest
        while cursor >= 0 {
            let index = Int(cursor)
            let claim = claims[index]
            cursor = claim.previous
            guard claim.direction == direction.index, claim.bytes > 0, let change = body(claim) else { continue }
            claims[index].bytes -= change.bytes
            append(change.owner, change.cause, change.bytes, frame: Int(claim.frame), direction)
        }
    }
}

/// What a frame consists of, by layer: bytes that add up to its original length.
package struct FrameParts: Sendable {
    /// A line of the ledger for what is of no connection.
    package enum Other: UInt8, Sendable {
        case dns, quic, wireGuard, udp, icmp, otherIP
    }

    /// What is counted as a whole.
    package enum Whole: UInt8, Sendable {
        case nonIP, duplicate
    }

    package var pseudo = 0
    package var link = 0
    package var tunnel = 0
    /// Bytes of the IP layer: what claims add up to.
    package var internet = 0
    /// The whole frame, where it is not taken apart.
    package var whole = 0
    package var kind: Whole?
    /// Where no connection owns it.
    package var other: Other?

    init(pseudo: Int, link: Int, tunnel: Int, internet: Int) {
        (self.pseudo, self.link, self.tunnel, self.internet) = (pseudo, link, tunnel, internet)
    }

    init(whole: Int, _ kind: Whole) {
        (self.whole, self.kind) = (whole, kind)
    }

    package var total: Int { pseudo + link + tunnel + internet + whole }
}
