/// Bytes by layer, over all frames.
public struct LayerTotals: Sendable, Equatable {
    public var pseudo = 0
    public var link = 0
    public var tunnel = 0
    public var network = 0
    public var transport = 0
    public var payload = 0
    /// Whole frames without IP.
    public var nonIP = 0
    /// Whole frames proved to be second captures of a frame.
    public var duplicate = 0

    public init() {}

    mutating func add(_ other: LayerTotals) {
        pseudo += other.pseudo
        link += other.link
        tunnel += other.tunnel
        network += other.network
        transport += other.transport
        payload += other.payload
        nonIP += other.nonIP
        duplicate += other.duplicate
    }

    public var total: Int { pseudo + link + tunnel + network + transport + payload + nonIP + duplicate }
    /// IP bytes: what the causes and the other lines share out.
    public var internet: Int { network + transport + payload }
}

/// IP bytes that belong to no TCP connection.
public struct OtherTotals: Sendable, Equatable {
    /// DNS over UDP that no connection followed.
    public var dns = 0
    public var quic = 0
    public var wireGuard = 0
    /// Other UDP.
    public var udp = 0
    /// ICMP and ICMPv6.
    public var icmp = 0
    /// Other protocols over IP, unreadable transport headers, fragments that never became a datagram.
    public var otherIP = 0

    public init() {}

    mutating func add(_ other: OtherTotals) {
        dns += other.dns
        quic += other.quic
        wireGuard += other.wireGuard
        udp += other.udp
        icmp += other.icmp
        otherIP += other.otherIP
    }

    func subtracting(_ other: OtherTotals) -> OtherTotals {
        var rest = self
        rest.dns -= other.dns
        rest.quic -= other.quic
        rest.wireGuard -= other.wireGuard
        rest.udp -= other.udp
        rest.icmp -= other.icmp
        rest.otherIP -= other.otherIP
        return rest
    }

    /// What the rows of UDP share out.
    public var datagrams: Int { dns + quic + wireGuard + udp }
    public var total: Int { dns + quic + wireGuard + udp + icmp + otherIP }
}

/// The ledger of a whole capture.
public struct LedgerSummary: Sendable {
    /// Sum of the original lengths of all frames.
    public var bytes = 0
    public var layers = LayerTotals()
    /// Part of `layers.nonIP`: frames that may carry a user's data and that nobody read. They are encrypted or of an unknown
    /// type, or their IP header is broken.
    public var unreadFrames = 0
    /// IP bytes of TCP connections by cause, with the DNS exchanges that connections paid for.
    public var causes = Directions<CostVector>()
    public var other = OtherTotals()
    /// What the lines of APIs and hosts add up to; must equal `causes`.
    public var owned = Directions<CostVector>()
    /// What the rows of UDP add up to; must equal its lines in `other`.
    public var datagrams = 0

    public init() {}

    /// Adds what parts of the audit counted on their own.
    mutating func add(_ other: LedgerSummary) {
        bytes += other.bytes
        layers.add(other.layers)
        unreadFrames += other.unreadFrames
        causes += other.causes
        self.other.add(other.other)
        owned += other.owned
        datagrams += other.datagrams
    }

    /// Every identity holds: layers sum to the frames, causes and other lines to the IP layers, owners to the causes,
    /// and rows of UDP to its lines.
    public var balanced: Bool {
        layers.total == bytes
            && causes.up.internet + causes.down.internet + other.total == layers.internet
            && owned == causes && datagrams == other.datagrams
    }
}
