/// A packet of a flow, as it is compared with those of other flows.
struct FlowSample {
    /// Of what a translation of addresses does not change.
    var digest: UInt64 = 0
    var flow = FlowHash()
    var direction = Direction(0)
    /// Routers that it had behind it.
    var hops: UInt8 = 0
    /// TCP: it has data. UDP: always.
    var hasPayload = false
    /// The first packet of a QUIC endpoint, which has a random connection ID and is encrypted with keys made from it.
    var isInitial = false
    var time = Int64.min
    var point = CapturePoint()
}

/// What shows that two flows are one, at two places (ByteLedger.md §2.4).
struct TranslationEvidence {
    /// A direction of the flow, as packets show it that both places have.
    private struct Way {
        /// The direction of the other flow that is the same.
        var other: Direction
        /// Routers behind the packets, here and there.
        var hops: UInt8
        var otherHops: UInt8
        /// They came to this place before they came to the other.
        var isFirst: Bool
    }

    private var ways = DirectionPair<Way?>(repeating: nil)
    /// Of different packets with payload that both have, a few.
    private var digests: [UInt64] = []
    private var hasPayload = DirectionPair(repeating: false)
    private var hasInitial = false
    private var isContradicted = false
    /// Packets of one direction have always the same number of routers between the places.
    private var isSteady = true

    private static let proofCount = 3

    /// Both flows have a packet. `isFirst`: it came to this place first.
    mutating func record(_ own: FlowSample, _ other: FlowSample, isFirst: Bool) {
        let opposite = ways[own.direction.opposite]
        if let way = ways[own.direction] {
            if way.other != other.direction { isContradicted = true }
            if Int(way.hops) - Int(way.otherHops) != Int(own.hops) - Int(other.hops) { isSteady = false }
        } else {
            if opposite?.other == other.direction { isContradicted = true }
            ways[own.direction] = Way(
                other: other.direction, hops: own.hops, otherHops: other.hops, isFirst: isFirst)
        }
        if own.isInitial { hasInitial = true }
        guard own.hasPayload else { return }
        hasPayload[own.direction] = true
        if digests.count < Self.proofCount, !digests.contains(own.digest) { digests.append(own.digest) }
    }

    /// Whether two flows are proved to be one. Both endpoints of TCP choose their numbers at random, and QUIC's packets are
    /// encrypted. Of other UDP, packets of both directions must have been routed from one place to the other, and changed
    /// from one version of IP to the other.
    func isProof(_ own: FlowSide, _ other: FlowSide) -> Bool {
        guard !isContradicted else { return false }
        if hasInitial { return true }
        let isTwoWay = hasPayload[0] && hasPayload[1]
        guard own.isDatagrams else { return isTwoWay || digests.count >= Self.proofCount }
        let isEnough = digests.count >= Self.proofCount || own.key.has(port: 53)
        return isTwoWay && isEnough && (isRouted || isTranslatedVersion(own.key, other.key))
    }

    /// Routers between the places stand on the way of both directions: in front of one place for one, of the other for the
    /// other. Two hosts that send the same do not show that.
    private var isRouted: Bool {
        guard isSteady, let one = ways[0], let other = ways[1] else { return false }
        let distance = Int(one.hops) - Int(one.otherHops)
        return distance != 0 && distance == Int(other.otherHops) - Int(other.hops)
    }

    /// One address over IPv6 holds the one over IPv4 (RFC 6052).
    private func isTranslatedVersion(_ own: ConnectionKey, _ other: ConnectionKey) -> Bool {
        guard own.isVersion6 != other.isVersion6 else { return false }
        return Direction.both.contains { direction in
            guard let way = ways[direction] else { return false }
            let (one, another) = (own.sender(of: direction).address, other.sender(of: way.other).address)
            return one.embeds(another) || another.embeds(one)
        }
    }

    /// Whether this place is nearer to the network than the other: that is the one that faces the endpoint farther away.
    /// `client`: a direction of the flow. As `HandshakeSide` has it.
    func isOutside(_ own: ConnectionKey, _ other: ConnectionKey, client: Direction) -> Bool {
        let (up, down) = (ways[client], ways[client.opposite])
        let isNearClient: Bool
        if let up, up.hops != up.otherHops || down == nil {
            isNearClient = up.hops == up.otherHops ? up.isFirst : up.hops < up.otherHops
        } else if let down, down.hops != down.otherHops {
            isNearClient = down.hops > down.otherHops
        } else {
            isNearClient = up?.isFirst ?? !(down?.isFirst ?? true)
        }
        let clientHops = up.map { min($0.hops, $0.otherHops) }
        let serverHops = down.map { min($0.hops, $0.otherHops) }
        let otherClient = up?.other ?? down?.other.opposite ?? client
        let near = isNearClient ? own.sender(of: client.opposite) : other.sender(of: otherClient.opposite)
        let far = isNearClient ? other.sender(of: otherClient.opposite) : own.sender(of: client.opposite)
        let isFarOutside: Bool
        if let clientHops, let serverHops, clientHops != serverHops {
            isFarOutside = serverHops > clientHops
        } else {
            isFarOutside = !far.address.isPrivate || near.address.isPrivate
        }
        return isFarOutside != isNearClient
    }
}

extension IPAddress {
    /// Whether it is an IPv6 address that holds this one of IPv4, behind a prefix of any length (RFC 6052 §2.2).
    fileprivate func embeds(_ address: IPAddress) -> Bool {
        guard isVersion6, !address.isVersion6, address.low != 0 else { return false }
        if low & 0xFFFF_FFFF == address.low { return true }
        return stride(from: UInt64(0), through: 32, by: 8).contains { behind in
            let head = high & (1 << (32 - behind) - 1)
            return head << behind | low >> (56 - behind) & (1 << behind - 1) == address.low
        }
    }
}
