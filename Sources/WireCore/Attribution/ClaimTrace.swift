/// Of which frame each claimed byte is: every post with its owner, its cause and its frame.
///
/// There is one only where somebody asked for it (`Auditor.begin`), and then one for all shards, which one thread works on.
/// What is posted late, because its owner showed late, is noted with the frame that it came in. Memory grows with the
/// capture, up to `limit` claims, `limit` frames, `limit` places in streams and `limit` owners.
///
/// - Invariant: the claims of a frame add up to the bytes that were posted for it, or to less where the limit was reached.
package final class ClaimTrace {
    /// Bytes of a frame that have one owner and one cause.
    package struct Claim: Sendable {
        /// Number in the capture, from 1.
        package fileprivate(set) var frame: UInt32
        /// Index in `owners`.
        package fileprivate(set) var owner: Int32
        /// The owner's claim before this one; below 0 for none.
        var previous: Int32
        package fileprivate(set) var cause: Cause
        /// The direction of the connection that pays: 0 or 1.
        package fileprivate(set) var direction: UInt8
        package internal(set) var bytes: Int
    }

    /// Who owns claims: a connection, or one of its exchanges.
    package struct Owner: Sendable {
        /// Index in `connections`.
        package fileprivate(set) var connection: Int32
        /// Number in the connection; nil for the connection itself.
        package fileprivate(set) var exchange: Int?
        /// The name of the exchange's API: its index in `names`.
        package fileprivate(set) var api: Int32 = 0
        var latest: Int32 = -1
    }

    /// A connection as it is known at its end.
    package struct TracedConnection: Sendable {
        /// Its number in the records; below 0 before its end.
        package fileprivate(set) var number = -1
        /// The direction that its client sends in.
        package fileprivate(set) var client = 0
        package fileprivate(set) var host: [UInt8] = []
    }

    /// Where the bytes of a frame lie in the stream.
    struct Piece {
        var start: StreamPosition
        var end: StreamPosition
        var frame: Int
    }

    final class State {
        let connection: Int32
        let own: Int32
        var exchanges: [UInt32: Int32] = [:]
        var pieces: [[Piece]] = [[], []]
        /// First bytes of streams that have no owner yet, by stream and direction.
        var held: [HeldKey: [(frame: Int, count: Int)]] = [:]

        init(_ connection: Int32, own: Int32) { (self.connection, self.own) = (connection, own) }
    }

    struct HeldKey: Hashable {
        var stream: UInt64
        var direction: Int
    }

    package internal(set) var claims: [Claim] = []
    package internal(set) var owners: [Owner] = []
    package private(set) var connections: [TracedConnection] = []
    /// Names of APIs; the first is that of a call whose name was not kept.
    package private(set) var names: [[UInt8]] = [[]]
    private var places: [[UInt8]: Int32] = [:]
    private var nameBytes = 0
    /// There were more names of APIs than are kept.
    package private(set) var lacksNames = false
    /// Most claims, frames, places in streams and owners kept, of each. Names take four bytes of each at most.
    package let limit: Int
    /// There were more: the claims of some frames are missing, so that their sums do not fit.
    package internal(set) var isFull = false
    private var pieceCount = 0
    /// By number, from 1: what each frame consists of.
    package internal(set) var parts: [FrameParts] = []
    /// Frames of a datagram, by the one that completed it.
    package internal(set) var joined: [Int: [Int]] = [:]
    var lookups: [Int: [(frame: Int, bytes: Int, isAnswer: Bool)]] = [:]
    private var states: [Int: State] = [:]
    private(set) var current = State(0, own: 0)
    private var selected = 0
    /// Frame of the packet whose parts are booked one by one.
    var frame = 0
    /// Where the bytes lie that are claimed next.
    var cursor = StreamPosition.zero

    /// About 1 GB with all that belongs to them.
    package static let standardLimit = 1 << 24
    /// What is kept of a name: more than is shown.
    private static let nameLimit = 2048

    package init(limit: Int = ClaimTrace.standardLimit) {
        self.limit = limit
        // Of what finds no place.
        owners.append(Owner(connection: 0))
        connections.append(TracedConnection())
    }

    // MARK: Who and where

    /// What is noted now is of this connection. `identity`: tells it from others that are open.
    func select(_ identity: Int) {
        guard identity != selected else { return }
        selected = identity
        if let state = states[identity] {
            current = state
            return
        }
        let own = addOwner(Owner(connection: Int32(connections.count)))
        if own > 0 { connections.append(TracedConnection()) }
        current = State(owners[Int(own)].connection, own: own)
        states[identity] = current
    }

    private func addOwner(_ owner: Owner) -> Int32 {
        guard owners.count <= limit else {
            isFull = true
            return 0
        }
        owners.append(owner)
        return Int32(owners.count - 1)
    }

    /// Bytes of a frame are delivered at a place of the stream.
    func deliver(at start: StreamPosition, _ count: Int, frame: Int, _ direction: Direction) {
        cursor = start
        guard count > 0 else { return }
        guard pieceCount < limit else {
            isFull = true
            return
        }
        pieceCount += 1
        current.pieces[direction.index].append(Piece(start: start, end: start + count, frame: frame))
    }

    /// The exchange leaves; this is what it was.
    func name(_ serial: UInt32, exchange: Int, api: ArraySlice<UInt8>) {
        let owner = Int(owner(serial))
        current.exchanges[serial] = nil
        guard owner > 0 else { return }
        owners[owner].exchange = exchange
        owners[owner].api = place(of: Array(api.prefix(ClaimTrace.nameLimit)))
    }

    private func place(of name: [UInt8]) -> Int32 {
        if let place = places[name] { return place }
        guard nameBytes + name.count <= 4 * limit else {
            lacksNames = true
            return 0
        }
        nameBytes += name.count
        names.append(name)
        places[name] = Int32(names.count - 1)
        return Int32(names.count - 1)
    }

    /// The selected connection ends.
    func end(connection number: Int, client: Direction, host: [UInt8]) {
        if current.own > 0 {
            connections[Int(current.connection)] = TracedConnection(
                number: number, client: client.index, host: Array(host.prefix(ClaimTrace.nameLimit)))
        }
        pieceCount -= current.pieces[0].count + current.pieces[1].count
        states[selected] = nil
        selected = 0
    }

    /// - Parameter serial: of the exchange's account; 0 for the connection.
    func owner(_ serial: UInt32) -> Int32 {
        guard serial > 0 else { return current.own }
        if let owner = current.exchanges[serial] { return owner }
        let owner = addOwner(Owner(connection: current.connection, exchange: -1))
        if owner > 0 { current.exchanges[serial] = owner }
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
            // Without the place of its frame, which the limit may have cut off, the frame's sums will not fit.
            guard index < pieces.count, pieces[index].start <= position else { return }
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

    func append(_ owner: Int32, _ cause: Cause, _ bytes: Int, frame: Int, _ direction: Direction) {
        guard bytes > 0, owner > 0, frame > 0 else { return }
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

    /// The first bytes of a stream have no owner yet.
    func hold(_ count: Int, _ stream: UInt64, _ direction: Direction) {
        guard count > 0 else { return }
        current.held[HeldKey(stream: stream, direction: direction.index), default: []].append((frame, count))
    }

    /// They have one.
    func release(_ serial: UInt32, _ cause: Cause, _ stream: UInt64, _ direction: Direction) {
        let held = current.held.removeValue(forKey: HeldKey(stream: stream, direction: direction.index))
        for (frame, count) in held ?? [] { post(serial, cause, count, frame: frame, direction) }
    }
}
