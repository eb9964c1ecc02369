/// Protocols over UDP that bytes have proved. A port alone proves none.
public struct DatagramProtocols: OptionSet, Sendable, Hashable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// RTP or RTCP, encrypted or not, between two that STUN was seen between.
    public static let rtp = DatagramProtocols(rawValue: 1 << 0)
    public static let dtls = DatagramProtocols(rawValue: 1 << 1)
    public static let turn = DatagramProtocols(rawValue: 1 << 2)
    public static let stun = DatagramProtocols(rawValue: 1 << 3)
    public static let dns = DatagramProtocols(rawValue: 1 << 4)
    public static let multicastDNS = DatagramProtocols(rawValue: 1 << 5)
    public static let ntp = DatagramProtocols(rawValue: 1 << 6)
    public static let wireGuard = DatagramProtocols(rawValue: 1 << 7)
    /// Packets of QUIC that belong to no connection.
    public static let quic = DatagramProtocols(rawValue: 1 << 8)

    /// By bit, with the word that stands in front of an endpoint.
    private static let table: [(name: String, scheme: String)] = [
        ("RTP", "rtp"), ("DTLS", "dtls"), ("TURN", "turn"), ("STUN", "stun"), ("DNS", "dns"), ("mDNS", "mdns"),
        ("NTP", "ntp"), ("WireGuard", "wireguard"), ("QUIC", "quic"),
    ]
    public static let count = table.count

    /// Their names in outputs; "UDP" where none was proved.
    public var names: [String] {
        isEmpty ? ["UDP"] : places.map { DatagramProtocols.table[$0].name }
    }

    /// The scheme of an endpoint: of several protocols that which the others prepare or carry.
    public var scheme: String { places.first.map { DatagramProtocols.table[$0].scheme } ?? "udp" }

    private var places: [Int] {
        DatagramProtocols.table.indices.filter { rawValue >> UInt16($0) & 1 == 1 }
    }
}

/// Datagrams of one direction.
public struct DatagramCounts: Sendable, Equatable {
    /// Captured packets; fragments of one datagram count each.
    public var packets = 0
    /// IP bytes.
    public var internet = 0
    /// Those of them that UDP carried.
    public var payload = 0
    /// Link and tunnel bytes beside them.
    public var link = 0

    public init() {}

    init(packets: Int, internet: Int, payload: Int, link: Int) {
        (self.packets, self.internet, self.payload, self.link) = (packets, internet, payload, link)
    }

    static func += (left: inout Self, right: Self) {
        left.packets += right.packets
        left.internet += right.internet
        left.payload += right.payload
        left.link += right.link
    }

    static prefix func - (counts: Self) -> Self {
        Self(
            packets: -counts.packets, internet: -counts.internet, payload: -counts.payload, link: -counts.link)
    }
}

extension Directions where Value == DatagramCounts {
    public init() { self.init(up: DatagramCounts(), down: DatagramCounts()) }

    static func += (left: inout Self, right: Self) {
        left.up += right.up
        left.down += right.down
    }

    /// IP bytes of both directions.
    public var internet: Int { up.internet + down.internet }
}
