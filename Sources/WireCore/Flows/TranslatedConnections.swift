/// TCP connections that the capture has several times: before and behind a translation of their addresses (NAT, 464XLAT).
///
/// Translation changes addresses, and ports at times. The sequence numbers stay, and both endpoints choose the first at random
/// (RFC 9293 §3.4.1): two handshakes at one time that have both numbers in common are one. The connection counts where it is
/// nearest to the network; its packets at the other place are copies.
struct TranslatedConnections {
    /// A handshake as one capture point saw it: each SYN, and each answer.
    fileprivate struct Side {
        var openings: [RoutedSegment]
        var server: IPAddress
        /// What its connection pays for.
        var lookup: LookupCost?
        var answers: [RoutedSegment] = []
        var key: ConnectionKey { openings[0].key }
    }

    fileprivate struct Handshake {
        var sequence: UInt32 = 0
        var sides: [Side] = []
    }

    enum Judgment {
        /// The packet counts so far.
        case open
        /// The packets of a connection that does not count, the latest perhaps among them, and the lookup that it paid for.
        case proved([RoutedSegment], LookupCost?)
        /// Of so many no more can be remembered: the connection counts at both places.
        case full
    }

    /// The latest handshakes, at places that their sequence numbers say. Empty before the first.
    private var handshakes: [Handshake] = []
    /// Of connections that do not count, by the hash of their addresses and ports: the client's first sequence number.
    private var uncounted: [UInt64: UInt32] = [:]
    private let seed = UInt64.random(in: .min ... .max)

    private static let places = 512
    private static let sideLimit = 4
    /// SYNs, and answers, of one side.
    private static let packetLimit = 8
    /// How much later a packet may show at another place.
    private static let patience: Int64 = 500_000_000
    /// Connections that are remembered not to count.
    private static let limit = 65_536

    /// Some connections do not count.
    var isInUse: Bool { !uncounted.isEmpty }

    /// Whether a packet is of a connection that does not count. Its ports may be used again.
    mutating func holds(_ packet: DecodedPacket) -> Bool {
        let hash = ConnectionKey(packet).hash(seed: seed)
        guard let sequence = uncounted[hash] else { return false }
        let isOpening = packet.flags.contains(.syn) && !packet.flags.contains(.ack)
        guard isOpening, packet.sequence != sequence else { return true }
        uncounted[hash] = nil
        return false
    }

    /// Takes a SYN, or the answer to one.
    mutating func note(_ routed: RoutedSegment, server: IPAddress, paying lookup: LookupCost?) -> Judgment {
        if handshakes.isEmpty { handshakes = [Handshake](repeating: Handshake(), count: Self.places) }
        let isAnswer = routed.segment.flags.contains(.ack)
        let sequence = isAnswer ? routed.segment.acknowledgment.rawValue &- 1 : routed.segment.sequence.rawValue
        let side = Side(openings: [routed], server: server, lookup: lookup)
        // Senders count their sequence numbers up at times: the product spreads them.
        let place = Int(truncatingIfNeeded: (sequence &* 0x9E37_79B9) >> 23)
        guard handshakes[place].sequence == sequence, !handshakes[place].sides.isEmpty else {
            if !isAnswer { handshakes[place] = Handshake(sequence: sequence, sides: [side]) }
            return .open
        }
        guard isAnswer else {
            handshakes[place].open(side, routed)
            return .open
        }
        guard let inner = handshakes[place].answer(routed) else { return .open }
        guard uncounted.count < Self.limit else { return .full }
        let copied = handshakes[place].sides.remove(at: inner)
        uncounted[copied.key.hash(seed: seed)] = sequence
        return .proved(copied.openings + copied.answers, copied.lookup)
    }
}

extension TranslatedConnections.Handshake {
    fileprivate mutating func open(_ side: TranslatedConnections.Side, _ routed: RoutedSegment) {
        if let known = sides.firstIndex(where: { $0.key == routed.key }) {
            guard sides[known].openings.count < TranslatedConnections.packetLimit else { return }
            return sides[known].openings.append(routed)
        }
        let isTranslated = sides.allSatisfy {
            !$0.key.hasAddresses(of: routed.key) && Self.isElsewhere($0.openings[0], routed)
        }
        let isNear = sides.contains { side in side.openings.contains { Self.isNear($0, routed) } }
        guard isTranslated, isNear else {
            sides = [side]
            return
        }
        guard sides.count < TranslatedConnections.sideLimit else { return }
        sides.append(side)
    }

    /// Takes an answer. Returns the side that does not count, if another one has the same.
    fileprivate mutating func answer(_ routed: RoutedSegment) -> Int? {
        guard let own = sides.firstIndex(where: { $0.key == routed.key }),
            sides[own].answers.count < TranslatedConnections.packetLimit
        else { return nil }
        sides[own].answers.append(routed)
        let other = sides.indices.first { place in
            place != own
                && sides[place].answers.contains {
                    $0.segment.sequence == routed.segment.sequence && Self.isNear($0, routed)
                }
        }
        guard let other else { return nil }
        let isOwnFirst = sides[own].openings[0].time < sides[other].openings[0].time
        let (first, second) = isOwnFirst ? (own, other) : other < own ? (other, own) : (own, other)
        return isServerSide(first, second) ? second : first
    }

    /// Whether the second place that a SYN came to is the farther one from the network: the server is nearer to it than the
    /// client is to the first, as their hop limits show, or else its address is a private one there only.
    private func isServerSide(_ first: Int, _ second: Int) -> Bool {
        let client = Self.hops(sides[first].openings[0])
        let server = sides[second].answers.first.map(Self.hops) ?? client
        return server == client ? sides[second].server.isPrivate && !sides[first].server.isPrivate : server < client
    }

    /// Routers behind a packet, which senders begin with 64, 128 or 255.
    private static func hops(_ routed: RoutedSegment) -> UInt8 {
        let limit = routed.segment.hopLimit
        return (limit <= 64 ? 64 : limit <= 128 ? 128 : 255) - limit
    }

    /// What was made with constant sequence numbers shows one place: a translation has routed packets, as another interface,
    /// a lower hop limit or the other version of IP shows.
    private static func isElsewhere(_ one: RoutedSegment, _ other: RoutedSegment) -> Bool {
        one.interface != other.interface || one.segment.hopLimit != other.segment.hopLimit
            || one.key.isVersion6 != other.key.isVersion6
    }

    private static func isNear(_ one: RoutedSegment, _ other: RoutedSegment) -> Bool {
        (one.time - other.time).magnitude <= TranslatedConnections.patience.magnitude
    }
}
