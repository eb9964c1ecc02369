/// Looks for QUIC connections whose beginning was not captured, among datagrams that belong to no connection.
///
/// A short header has no version and no length. But packets of one direction begin with the same connection ID, so two of
/// them tell about how long it is; and the tag of a packet proves the secret that opens it.
///
/// - Invariant: what is kept here is booked as other UDP meanwhile.
struct QUICLateSearch {
    struct Held {
        var routed: RoutedSegment
        var bytes: [UInt8]
    }

    fileprivate struct Candidate {
        var held: [Held] = []
        /// Whole packets that each direction of the pair has sent.
        var counts = DirectionPair(repeating: 0)
        var isGivenUp = false
    }

    private var candidates: [QUICPair: Candidate] = [:]
    private var byteCount = 0
    private var trial: QUICTrial
    private let byteLimit: Int
    /// A limit was reached, which has not been told yet.
    private(set) var isLimited = false

    /// Datagrams are kept.
    var isHolding: Bool { byteCount > 0 }

    /// Pairs of addresses, and datagrams of one, that are looked at.
    private static let pairLimit = 4096
    private static let datagramLimit = 32
    /// Packets of a direction at which the key log is tried.
    private static let tries = [2, 3, 5, 9, 16]

    init(byteLimit: Int, trialLimit: Int) {
        self.byteLimit = byteLimit
        trial = QUICTrial(budget: trialLimit)
    }

    /// Takes a datagram that is no connection's. Returns the secrets that open it, with all that came between these
    /// addresses, the datagram last.
    mutating func receive(
        _ routed: RoutedSegment, _ payload: RawSpan, _ keys: KeyLog
    ) -> (join: QUICJoin, held: [Held])? {
        let pair = QUICPair(key: routed.key)
        guard keys.isInUse, candidates[pair]?.isGivenUp != true else { return nil }
        let held = Held(routed: routed, bytes: payload.array(0..<payload.byteCount))
        if candidates[pair] == nil, candidates.count >= QUICLateSearch.pairLimit { forgetAll() }
        guard byteCount + held.bytes.count <= byteLimit else {
            isLimited = true
            giveUp(pair)
            return nil
        }
        var candidate = candidates[pair] ?? Candidate()
        let before = candidate.held.last { $0.routed.key.sender == routed.key.sender && $0.isTelling }
        candidate.held.append(held)
        byteCount += held.bytes.count
        if held.isTelling { candidate.counts[routed.key.sender] += 1 }
        candidates[pair] = candidate
        let count = candidate.counts[routed.key.sender]
        if held.isTelling, let before, QUICLateSearch.tries.contains(count), let join = find(held, before, keys) {
            forget(pair)
            return (join, candidate.held)
        }
        if candidate.held.count >= QUICLateSearch.datagramLimit || trial.isExhausted { giveUp(pair) }
        return nil
    }

    private mutating func find(_ held: Held, _ before: Held, _ keys: KeyLog) -> QUICJoin? {
        let bytes = unsafe held.bytes.span.bytes
        let other = unsafe before.bytes.span.bytes
        var common = 0
        let longest = min(QUICConnectionID.longest, bytes.byteCount - 21, other.byteCount - 21)
        while common < longest, bytes.u8(1 + common) == other.u8(1 + common) { common += 1 }
        // Bytes behind the ID may be equal by chance.
        let lengths = (max(common - 2, 0)...max(common, 0)).reversed()
        let packet = QUICTrial.Packet(
            range: 0..<bytes.byteCount, numberOffset: { 1 + $0 }, idLengths: Array(lengths), isShort: true)
        let join = trial.find(packet, bytes, keys)
        if trial.isExhausted { isLimited = true }
        return join
    }

    /// Takes out what came between these addresses before the connection's first long header, as far as it is the
    /// connection's.
    mutating func take(_ pair: QUICPair, where isOwn: (Held) -> Bool) -> [Held] {
        guard byteCount > 0, var candidate = candidates[pair], !candidate.held.isEmpty else { return [] }
        let own = candidate.held.filter(isOwn)
        guard !own.isEmpty else { return [] }
        candidate.held.removeAll(where: isOwn)
        byteCount -= own.reduce(0) { $0 + $1.bytes.count }
        candidates[pair] = candidate
        return own
    }

    /// The same for a connection that began with a long header, but not with a ClientHello.
    mutating func find(_ connection: QUICConnection, _ keys: KeyLog) -> (join: QUICJoin, direction: Direction)? {
        for held in connection.waiting.datagrams {
            let bytes = unsafe held.bytes.span.bytes
            for packet in held.packets where packet.kind == .handshake || packet.kind == .short {
                let isShort = packet.kind == .short
                let offset = packet.numberOffset - packet.range.lowerBound
                let tried = QUICTrial.Packet(
                    range: packet.range, numberOffset: { _ in offset }, idLengths: [packet.destination.count],
                    isShort: isShort, version: isShort ? connection.versions.last : QUICVersion(packet.version))
                if let join = trial.find(tried, bytes, keys) { return (join, held.datagram.direction) }
                if trial.isExhausted { isLimited = true }
            }
        }
        return nil
    }

    /// Whether a limit was reached since it was asked last.
    mutating func takeLimited() -> Bool {
        defer { isLimited = false }
        return isLimited
    }

    private mutating func forget(_ pair: QUICPair) {
        guard let candidate = candidates.removeValue(forKey: pair) else { return }
        byteCount -= candidate.byteCount
    }

    private mutating func giveUp(_ pair: QUICPair) {
        forget(pair)
        candidates[pair] = Candidate(isGivenUp: true)
    }

    private mutating func forgetAll() {
        candidates.removeAll(keepingCapacity: true)
        byteCount = 0
        isLimited = true
    }
}

extension QUICLateSearch.Held {
    /// It was captured whole, equals none before, and is long enough for a packet with a short header (RFC 9001 §5.4.2).
    var isTelling: Bool { bytes.count == routed.segment.payload && bytes.count > 20 && routed.resemblance == nil }
}

extension QUICLateSearch.Candidate {
    fileprivate var byteCount: Int { held.reduce(0) { $0 + $1.bytes.count } }
}
