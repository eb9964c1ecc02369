/// What one endpoint of a connection has sent: a direction's keys, packet numbers, acknowledgments.
struct QUICSide {
    /// Packet number spaces (RFC 9000 §12.3).
    enum Space: Int, CaseIterable { case initial, handshake, application }

    /// Levels of keys that only a key log has (RFC 9001 §2.1).
    enum Level: Int {
        case early, handshake, application

        /// That of a kind of packet; nil where the key log has no secret for it.
        init?(_ kind: QUICPacketKind) {
            switch kind {
            case .earlyData: self = .early
            case .handshake: self = .handshake
            case .short: self = .application
            default: return nil
            }
        }
    }

    var counts = DirectionCounts()
    /// By level: keys that may be right, until one opened a packet: then that one.
    var keys: InlineArray<3, [QUICKeys]> = [[], [], []]
    /// Lines of the key log when keys of a level were looked up without success.
    var askedAt: InlineArray<3, Int> = [-1, -1, -1]
    /// The highest packet number of each space.
    private var largest: InlineArray<3, UInt64> = [.max, .max, .max]
    /// Owners of the last exchange data in packets that were not acknowledged yet.
    private(set) var held: [UInt64: Owner] = [:]
    /// Numbers of this side's packets of 1-RTT that the other side acknowledged.
    private var acknowledged = QUICRanges()
    /// Numbers of this side's packets that were opened, by space.
    private var numbers: InlineArray<3, QUICRanges> = [QUICRanges(), QUICRanges(), QUICRanges()]
    /// By space the first packet that closed the connection.
    private var closing: InlineArray<3, UInt64> = [.max, .max, .max]
    /// ACK frames of this side that wait for packets of the other.
    var waitingACKs = QUICWaitingACKs()
    /// By space.
    var crypto: InlineArray<3, QUICCryptoStream> = [QUICCryptoStream(), QUICCryptoStream(), QUICCryptoStream()]
    /// Handshake messages on their way to TLS.
    var messages = QUICMessageOrder()
    /// By its latest long header. Another one is another endpoint's, which counts its packets anew.
    private var source: QUICConnectionID?
    /// Length of the connection IDs that the side chose, by which packets to it are cut; nil where it chose none yet.
    var idLength: Int?
    /// Packets of the side that did not open with any length of the other's connection ID.
    var lengthTries = 0
    /// Tokens that the side gave out, by which it may end the connection without knowing it.
    var resetTokens = QUICResetTokens()
    /// Sizes of datagrams in which a packet was opened, the latest first.
    private(set) var sizes: [Int] = []
    /// Packets in a row in frames of which no size of a datagram was found.
    var failedSearches = 0

    /// Most packets that wait for their acknowledgment.
    private static let heldLimit = 1 << 16
    private static let sizeLimit = 4
    /// Most packets of which the length of the connection ID is tried.
    static let lengthTryLimit = 16

    subscript(space: Space) -> UInt64? {
        get { largest[space.rawValue] == .max ? nil : largest[space.rawValue] }
        set { largest[space.rawValue] = newValue ?? .max }
    }

    /// There are keys of a key log, right or wrong.
    var hasKeys: Bool { !keys[0].isEmpty || !keys[1].isEmpty || !keys[2].isEmpty }

    @inline(__always)
    mutating func count(_ datagram: QUICDatagram) {
        counts.packets += datagram.frames
        counts.frames += datagram.frameBytes
        counts.internet += datagram.cost.internet + datagram.length
        counts.payload += datagram.length
    }

    /// Numbers of this side's packets of 1-RTT and 0-RTT that were opened.
    var seen: QUICRanges { numbers[Space.application.rawValue] }

    /// Returns whether no packet that was opened is known to have had the number.
    mutating func record(_ number: UInt64, _ space: Space) -> Bool {
        var isNew = false
        numbers[space.rawValue].add(number..<number + 1) { _ in isNew = true }
        if self[space].map({ number > $0 }) ?? true { self[space] = number }
        return isNew || numbers[space.rawValue].isOverfull
    }

    mutating func record(source other: QUICConnectionID) {
        if let source, source != other { discardNumbers() }
        (source, idLength) = (other, other.count)
    }

    mutating func discardNumbers() {
        for space in [Space.initial, .handshake] { numbers[space.rawValue] = QUICRanges() }
    }

    mutating func recordClose(_ number: UInt64, _ space: Space) {
        closing[space.rawValue] = min(closing[space.rawValue], number)
    }

    /// The endpoint may send the packet again as it is, number and all (RFC 9000 §10.2.1).
    func mayResend(_ content: QUICContent) -> Bool { content.packet.number >= closing[content.space.rawValue] }

    mutating func hold(_ number: UInt64, _ owner: Owner) {
        guard !acknowledged.contains(number) else { return }
        if held.count >= QUICSide.heldLimit { held.removeAll(keepingCapacity: true) }
        held[number] = owner
    }

    /// Numbers of this side are acknowledged. Those that were not before are appended to `new`. Returns the highest among
    /// them that carried exchange data, with its owner; nil where none did.
    mutating func acknowledge(
        _ range: Range<UInt64>, _ new: inout [Range<UInt64>]
    ) -> (number: UInt64, owner: Owner)? {
        let first = new.count
        acknowledged.add(range) { new.append($0) }
        var best: (number: UInt64, owner: Owner)?
        for part in new[first...].reversed() {
            let numbers = part.count <= held.count ? nil : held.keys.filter { part.contains($0) }
            if let numbers {
                for number in numbers { take(number, &best) }
            } else {
                for number in part.reversed() { take(number, &best) }
            }
        }
        return best
    }

    private mutating func take(_ number: UInt64, _ best: inout (number: UInt64, owner: Owner)?) {
        guard let owner = held.removeValue(forKey: number) else { return }
        if best.map({ number > $0.number }) ?? true { best = (number, owner) }
    }

    mutating func record(size: Int) {
        guard sizes.first != size else { return }
        sizes.removeAll { $0 == size }
        if sizes.count >= QUICSide.sizeLimit { sizes.removeLast() }
        sizes.insert(size, at: 0)
    }
}

/// Tokens of stateless resets (RFC 9000 §10.3).
struct QUICResetTokens {
    private static let limit = 64
    private static let length = 16

    private var tokens: Set<QUICConnectionID> = []

    mutating func add(_ bytes: RawSpan, at offset: Int) {
        guard tokens.count < QUICResetTokens.limit, offset + QUICResetTokens.length <= bytes.byteCount else { return }
        tokens.insert(QUICConnectionID(bytes, offset..<offset + QUICResetTokens.length))
    }

    /// Takes the token of transport parameters, if there is one.
    mutating func learn(_ parameters: [UInt8]) {
        let bytes = unsafe parameters.span.bytes
        guard let range = QUICTransportParameters.resetToken(bytes) else { return }
        add(bytes, at: range.lowerBound)
    }

    /// Whether a packet that does not open ends with one of them.
    func end(_ packet: QUICPacket, _ bytes: RawSpan) -> Bool {
        let end = packet.range.upperBound
        guard !tokens.isEmpty, packet.range.count >= 21, end <= bytes.byteCount else { return false }
        return tokens.contains(QUICConnectionID(bytes, end - QUICResetTokens.length..<end))
    }
}
