/// The registered link types that `PacketDecoder` looks into. Frames of any other type are non-IP to it.
extension LinkType {
    /// BSD loopback: address family in the byte order of the capturing host.
    public static let null = LinkType(rawValue: 0)
    /// IEEE 802.5 Token Ring.
    public static let tokenRing = LinkType(rawValue: 6)
    /// SLIP with BSD's 16-byte made-up header.
    public static let slip = LinkType(rawValue: 8)
    /// PPP, with or without address and control field.
    public static let ppp = LinkType(rawValue: 9)
    /// FDDI.
    public static let fddi = LinkType(rawValue: 10)
    /// Raw IP as some systems number it.
    public static let rawBSD = LinkType(rawValue: 12)
    /// Raw IP as OpenBSD numbers it.
    public static let rawOpenBSD = LinkType(rawValue: 14)
    /// PPP in HDLC-like framing.
    public static let pppHDLC = LinkType(rawValue: 50)
    /// PPPoE session header without Ethernet around it.
    public static let pppoe = LinkType(rawValue: 51)
    /// LLC-encapsulated ATM (RFC 2684).
    public static let atmRFC1483 = LinkType(rawValue: 100)
    /// Raw IPv4 or IPv6; the version field tells which.
    public static let raw = LinkType(rawValue: 101)
    /// Cisco HDLC.
    public static let ciscoHDLC = LinkType(rawValue: 104)
    /// IEEE 802.11.
    public static let ieee80211 = LinkType(rawValue: 105)
    /// Frame Relay (RFC 2427).
    public static let frameRelay = LinkType(rawValue: 107)
    /// OpenBSD loopback: address family, most significant byte first.
    public static let loop = LinkType(rawValue: 108)
    /// OpenBSD's IPsec interface.
    public static let enc = LinkType(rawValue: 109)
    /// Linux cooked capture, version 1.
    public static let cooked = LinkType(rawValue: 113)
    /// OpenBSD's packet filter log.
    public static let packetFilterLog = LinkType(rawValue: 117)
    /// IEEE 802.11 behind a Prism header.
    public static let prism = LinkType(rawValue: 119)
    /// SunATM: a four-byte header of the device, then LLC.
    public static let sunATM = LinkType(rawValue: 123)
    /// IEEE 802.11 behind a radiotap header.
    public static let radiotap = LinkType(rawValue: 127)
    /// The private type under which Apple's tools wrote PKTAP before it had a number.
    public static let user2 = LinkType(rawValue: 149)
    /// IEEE 802.11 behind an AVS header.
    public static let avs = LinkType(rawValue: 163)
    /// PPP whose address byte tells the direction.
    public static let pppDirectionInAddress = LinkType(rawValue: 166)
    /// Ethernet behind Juniper's header.
    public static let juniperEthernet = LinkType(rawValue: 178)
    /// Per-Packet Information: a header naming the link type inside.
    public static let perPacketInformation = LinkType(rawValue: 192)
    /// PPP behind a byte that tells the direction.
    public static let pppWithDirection = LinkType(rawValue: 204)
    /// MPLS labels without a link header.
    public static let mpls = LinkType(rawValue: 219)
    /// Solaris' IP observability header, then IP.
    public static let solarisIPNet = LinkType(rawValue: 226)
    /// Raw IPv4.
    public static let version4 = LinkType(rawValue: 228)
    /// Raw IPv6.
    public static let version6 = LinkType(rawValue: 229)
    /// Linux netfilter log.
    public static let netfilterLog = LinkType(rawValue: 239)
    /// IP over InfiniBand.
    public static let infiniBand = LinkType(rawValue: 242)
    /// Apple's PKTAP: a header naming interface, process and the link type inside.
    public static let pktap = LinkType(rawValue: 258)
    /// Linux cooked capture, version 2, which names the interface.
    public static let cooked2 = LinkType(rawValue: 276)
    /// Ethernet with a Broadcom switch tag between source address and type.
    public static let broadcomTag = LinkType(rawValue: 281)
    /// Ethernet behind a Broadcom switch tag.
    public static let broadcomTagFirst = LinkType(rawValue: 282)
    /// Ethernet with a Marvell switch tag of four bytes between source address and type.
    public static let marvellTag = LinkType(rawValue: 284)
    /// Ethernet with a Marvell switch tag of eight bytes between source address and type.
    public static let marvellTypedTag = LinkType(rawValue: 285)
}
