/// An IPv4 or IPv6 address. IPv4 stands in the low 32 bits.
public struct IPAddress: Hashable, Sendable {
    public var high: UInt64
    public var low: UInt64
    public var isVersion6: Bool

    public init(high: UInt64 = 0, low: UInt64 = 0, isVersion6: Bool = false) {
        self.high = high
        self.low = low
        self.isVersion6 = isVersion6
    }

    /// An IPv4 address from its four bytes as one big-endian number.
    public init(version4 value: UInt32) {
        self.init(high: 0, low: UInt64(value), isVersion6: false)
    }

    /// Reads the bytes of an address.
    init(_ bytes: RawSpan, at offset: Int, isVersion6: Bool) {
        if isVersion6 {
            self.init(high: bytes.be64(offset), low: bytes.be64(offset + 8), isVersion6: true)
        } else {
            self.init(version4: bytes.be32(offset))
        }
    }
}

/// TCP's flag bits as they stand in byte 13 of its header (RFC 9293 §3.1).
public struct TCPFlags: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let fin = TCPFlags(rawValue: 0x01)
    public static let syn = TCPFlags(rawValue: 0x02)
    public static let rst = TCPFlags(rawValue: 0x04)
    public static let psh = TCPFlags(rawValue: 0x08)
    public static let ack = TCPFlags(rawValue: 0x10)
    public static let urg = TCPFlags(rawValue: 0x20)
}

/// What may be out of the ordinary about the headers of a packet.
public struct PacketOddities: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The IP total length was 0: payload was derived from the frame's length (ByteLedger.md §1.2).
    public static let lengthFromFrame = PacketOddities(rawValue: 1 << 0)
    /// The length fields of IP claim more than the frame's original length; the layers were cut to the frame.
    public static let lengthBeyondFrame = PacketOddities(rawValue: 1 << 1)
    /// There are more headers inside one another than the decoder follows: never so for TCP.
    public static let tooDeep = PacketOddities(rawValue: 1 << 2)
    /// A tunnel's datagram holds a fragment of a frame. Such fragments are not joined.
    public static let tunnelFragment = PacketOddities(rawValue: 1 << 3)
    /// Without IP, and of a protocol that keeps links and switches running: the frame carries no user's data.
    public static let linkControl = PacketOddities(rawValue: 1 << 4)
}

/// What the decoder made of one frame: the sizes of its layers, which tile its original length exactly, and the
/// fields that later stages need.
///
///     | pseudo | link | tunnel | network | transport | payload | link (padding, FCS) |
///     '-------------------------- original length -----------------------------------'
///
/// The decoder fills one such value again and again; it holds numbers only.
public struct DecodedPacket: Sendable {
    /// What the innermost decoded packet is. It says which of the fields below mean something.
    public enum Kind: UInt8, Sendable {
        /// No IP inside (ARP, LLDP, an unknown link type, an IP header that cannot be read): all of it is `link`
        /// and `pseudo`, and the whole frame is attributed to `non-ip`.
        case nonIP
        /// A TCP segment whose 20 fixed header bytes were captured and whose header length is sound.
        case tcp
        /// A UDP datagram whose header was captured.
        case udp
        /// ICMP or ICMPv6.
        case icmp
        /// Any other protocol over IP, and TCP or UDP whose header is cut or nonsense: all after IP is `payload`.
        case otherIP
        /// A fragment of an IP datagram (other than one that is the whole datagram): all after IP is `payload`.
        case fragment
    }

    public var kind: Kind = .nonIP

    // MARK: Sizes of the layers, in bytes of the original frame

    /// Headers made up by the capture machinery.
    public var pseudo = 0
    /// Link headers, padding after the IP packet, and frame check sequence.
    public var link = 0
    /// Headers around the innermost IP packet: outer IP, UDP, GRE, VXLAN and others, and link headers inside those.
    public var tunnel = 0
    /// The innermost IP header with options or extension headers.
    public var network = 0
    /// TCP header with options, or UDP header.
    public var transport = 0
    /// What TCP, UDP or another protocol over IP carries, by the IP total length.
    public var payload = 0

    // MARK: Innermost IP

    public var source = IPAddress()
    public var destination = IPAddress()
    /// IPv4 identification; 0 for IPv6 without a fragment header. For a fragment: its identification (IPv6: 32 bits).
    public var identification: UInt32 = 0
    /// TTL or hop limit.
    public var hopLimit: UInt8 = 0
    /// IP protocol number of what follows the IP header and its extension headers.
    public var protocolNumber: UInt8 = 0
    /// Where the innermost IP header begins in the captured bytes.
    public var networkOffset = 0
    /// Where the transport header (or, for other kinds, the IP payload) begins in the captured bytes.
    public var transportOffset = 0
    /// Where the payload begins in the captured bytes. For a fragment and for `otherIP`: what follows the IP header.
    public var payloadOffset = 0
    /// Bytes of the payload that were captured; `payload` or fewer.
    public var payloadCaptured = 0

    // MARK: Fragment (kind == .fragment)

    /// Where the fragment's payload belongs in the datagram, in bytes.
    public var fragmentOffset = 0
    public var moreFragments = false

    // MARK: TCP and UDP

    public var sourcePort: UInt16 = 0
    public var destinationPort: UInt16 = 0
    public var sequence: UInt32 = 0
    public var acknowledgment: UInt32 = 0
    public var flags: TCPFlags = []
    /// The window field, not scaled.
    public var window: UInt16 = 0

    // MARK: Capture machinery

    /// Interface index of an SLL2 header, else 0. Together with `CaptureFrame.interface` it tells captures of the same
    /// frame at two interfaces apart.
    public var interfaceIndex: UInt32 = 0
    /// What tells of its process, and where that begins in the captured bytes.
    public var processCarrier = ProcessCarrier.none
    public var processOffset = 0
    /// What is out of the ordinary about its headers.
    public var oddities: PacketOddities = []

    public init() {}

    /// Bytes at and above the innermost IP layer.
    public var internetBytes: Int { network + transport + payload }
    /// Link and tunnel bytes.
    public var linkBytes: Int { link + tunnel }
    /// All bytes of the frame; equals its original length.
    public var frameBytes: Int { pseudo + link + tunnel + network + transport + payload }

    public var lengthFromFrame: Bool {
        get { oddities.contains(.lengthFromFrame) }
        set { set(.lengthFromFrame, newValue) }
    }
    public var lengthBeyondFrame: Bool {
        get { oddities.contains(.lengthBeyondFrame) }
        set { set(.lengthBeyondFrame, newValue) }
    }
    public var isTooDeep: Bool { oddities.contains(.tooDeep) }
    /// Of a frame without IP: a protocol of the link itself, such as ARP, and not what nobody could read.
    public var isLinkControl: Bool { oddities.contains(.linkControl) }
    public var holdsTunnelFragment: Bool { oddities.contains(.tunnelFragment) }

    private mutating func set(_ oddity: PacketOddities, _ isSet: Bool) {
        if isSet { oddities.insert(oddity) } else { oddities.remove(oddity) }
    }
}
