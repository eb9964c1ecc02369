import WireCore
import WireTesting

extension FrameFixture {
    /// One frame of every link type and link header.
    static let links: [FrameFixture] = [
        FrameFixture("Ethernet", 1, Bytes.ethernet(0x0800), link: 14),
        FrameFixture("Ethernet, IPv6", 1, Bytes.ethernet(0x86dd), Bytes.tcp6, link: 14, network: 40),
        FrameFixture("Ethernet, padded", 1, Bytes.ethernet(0x0800), Bytes.tcp4 + Bytes.zeros(6), link: 20),
        FrameFixture("Ethernet invented by pymobiledevice3", 1, Bytes.repeated([0xbe, 0xef], 6) + [8, 0], pseudo: 14),
        FrameFixture(
            "Ethernet invented by libimobiledevice's relatives, IPv6 under the type of IPv4", 1,
            Bytes.repeated([0xbe, 0xfe], 6) + [8, 0], Bytes.tcp6, pseudo: 14, network: 40),
        FrameFixture("Ethernet without addresses", 1, Bytes.zeros(12) + [8, 0], link: 14),
        FrameFixture("Ethernet, two bytes twice", 1, Bytes.repeated([2, 7], 6) + [8, 0], link: 14),
        FrameFixture("VLAN", 1, Bytes.ethernet(0x8100) + [0, 5, 8, 0], link: 18),
        FrameFixture(
            "QinQ and a third tag", 1, Bytes.ethernet(0x88a8) + [0, 5, 0x91, 0, 0, 6, 0x81, 0, 0, 7, 8, 0], link: 26),
        FrameFixture(
            "six VLAN tags", 1,
            Bytes.ethernet(0x8100) + [0, 1, 0x81, 0, 0, 2, 0x81, 0, 0, 3, 0x81, 0]
                + [0, 4, 0x81, 0, 0, 5, 0x81, 0, 0, 6, 8, 0], link: 38),
        FrameFixture("802.3 with SNAP", 1, Bytes.ethernet(58) + Bytes.snap, link: 22),
        FrameFixture("VLAN, then LLC", 1, Bytes.ethernet(0x8100) + [0, 5, 0, 53, 6, 6, 3], link: 21),
        FrameFixture("802.1ah", 1, Bytes.ethernet(0x88e7) + [0, 0, 0, 9] + Bytes.ethernet(0x0800), link: 32),
        FrameFixture("MPLS", 1, Bytes.ethernet(0x8847) + [0, 1, 0, 64, 0, 2, 1, 64], link: 22),
        FrameFixture(
            "MPLS, IPv6", 1, Bytes.ethernet(0x8848) + [0, 2, 1, 64], Bytes.tcp6, link: 18, network: 40),
        FrameFixture(
            "MPLS pseudowire", 1, Bytes.ethernet(0x8847) + [0, 2, 1, 64, 0, 0, 0, 0] + Bytes.ethernet(0x0800),
            link: 36),
        FrameFixture(
            "MPLS pseudowire without control word", 1,
            Bytes.ethernet(0x8847) + [0, 2, 1, 64] + Bytes.ethernet(0x0800), link: 32),
        FrameFixture("PPPoE", 1, Bytes.ethernet(0x8864) + [0x11, 0, 0, 1, 0, 52, 0, 0x21], link: 22),
        FrameFixture(
            "PPPoE, padded", 1, Bytes.ethernet(0x8864) + [0x11, 0, 0, 1, 0, 52, 0, 0x21], Bytes.tcp4 + [0, 0],
            link: 24),
        FrameFixture("LINUX_SLL", 113, Bytes.zeros(14) + [8, 0], pseudo: 16),
        FrameFixture("LINUX_SLL, VLAN", 113, Bytes.zeros(14) + [0x81, 0, 0, 5, 8, 0], pseudo: 16, link: 4),
        FrameFixture("LINUX_SLL, LLC", 113, Bytes.zeros(14) + [0, 4] + Bytes.snap, pseudo: 16, link: 8),
        FrameFixture("LINUX_SLL2", 276, [8, 0] + Bytes.zeros(18), pseudo: 20),
        FrameFixture(
            "LINUX_SLL2, radiotap", 276,
            [0, 0x19, 0, 0, 0, 0, 0, 1, 3, 0x23] + Bytes.zeros(10)
                + [0, 0, 8, 0, 0, 0, 0, 0] + Bytes.wireless + Bytes.snap, pseudo: 28, link: 32),
        FrameFixture("NULL, little-endian", 0, [2, 0, 0, 0], pseudo: 4),
        FrameFixture("NULL, big-endian, IPv6", 0, [0, 0, 0, 28], Bytes.tcp6, pseudo: 4, network: 40),
        FrameFixture("LOOP", 108, [0, 0, 0, 2], pseudo: 4),
        FrameFixture("RAW", 101, []),
        FrameFixture("RAW of BSD", 12, []),
        FrameFixture("RAW of OpenBSD, IPv6", 14, [], Bytes.tcp6, network: 40),
        FrameFixture("IPV4", 228, []),
        FrameFixture("IPV6", 229, [], Bytes.tcp6, network: 40),
        FrameFixture("PPP", 9, [0xff, 3, 0, 0x21], link: 4),
        FrameFixture("PPP, compressed", 9, [0x21], link: 1),
        FrameFixture("PPP, MPLS", 9, [2, 0x81, 0, 2, 1, 64], link: 6),
        FrameFixture("PPP_HDLC", 50, [0xff, 3, 0, 0x57], Bytes.tcp6, link: 4, network: 40),
        FrameFixture("PPP_HDLC, Cisco", 50, [0x0f, 0, 8, 0], link: 4),
        FrameFixture("PPP_ETHER", 51, [0x11, 0, 0, 1, 0, 52, 0, 0x21], link: 8),
        FrameFixture("PPP_PPPD", 166, [0, 3, 0, 0x21], link: 4),
        FrameFixture("PPP_WITH_DIR", 204, [1, 0xff, 3, 0, 0x21], pseudo: 1, link: 4),
        FrameFixture("C_HDLC", 104, [0x0f, 0, 8, 0], link: 4),
        FrameFixture("FRELAY, NLPID", 107, [0x18, 0x41, 3, 0xcc], link: 4),
        FrameFixture("FRELAY, SNAP", 107, [0x18, 0x41, 3, 0, 0x80, 0, 0, 0, 8, 0], link: 10),
        FrameFixture("FRELAY, Cisco", 107, [0x18, 0x41, 8, 0], link: 4),
        FrameFixture("ATM_RFC1483", 100, Bytes.snap, link: 8),
        FrameFixture("ATM_RFC1483, routed", 100, [0xfe, 0xfe, 3, 0xcc], link: 4),
        FrameFixture("SUNATM", 123, [2, 0, 0, 5] + Bytes.snap, pseudo: 4, link: 8),
        FrameFixture("IEEE802_5", 6, Bytes.zeros(14) + Bytes.snap, link: 22),
        FrameFixture("FDDI", 10, Bytes.zeros(13) + Bytes.snap, link: 21),
        FrameFixture("SLIP", 8, Bytes.zeros(16), pseudo: 16),
        FrameFixture("ENC", 109, [2] + Bytes.zeros(11), pseudo: 12),
        FrameFixture("PFLOG", 117, [61, 2] + Bytes.zeros(62), pseudo: 64),
        FrameFixture("IPNET", 226, [1, 2] + Bytes.zeros(22), pseudo: 24),
        FrameFixture(
            "NFLOG", 239, [2, 0, 0, 0, 5, 0, 10, 0, 0x61, 0, 0, 0, 54, 0, 9, 0], pseudo: 16),
        FrameFixture("NFLOG, big-endian", 239, [2, 0, 0, 0, 0, 8, 0, 1, 8, 0, 1, 0, 0, 54, 0, 9], pseudo: 16),
        FrameFixture("IPOIB", 242, Bytes.zeros(40) + [8, 0, 0, 0], link: 44),
        FrameFixture("MPLS alone", 219, [0, 2, 1, 64], link: 4),
        FrameFixture(
            "JUNIPER_ETHER", 178, [0x4d, 0x47, 0x43, 0x80, 0, 4] + Bytes.zeros(4) + Bytes.ethernet(0x0800),
            pseudo: 10, link: 14),
        FrameFixture("DSA_TAG_BRCM", 281, Bytes.zeros(16) + [8, 0], link: 18),
        FrameFixture("DSA_TAG_BRCM_PREPEND", 282, Bytes.zeros(4) + Bytes.ethernet(0x0800), link: 18),
        FrameFixture("DSA_TAG_DSA", 284, Bytes.zeros(16) + [8, 0], link: 18),
        FrameFixture("DSA_TAG_EDSA", 285, Bytes.zeros(12) + [0xda, 0xda] + Bytes.zeros(6) + [8, 0], link: 22),
    ]

    /// 802.11 and the headers that name a link type.
    static let captureHeaders: [FrameFixture] = [
        FrameFixture("IEEE802_11", 105, Bytes.wireless + Bytes.snap, link: 32),
        FrameFixture("IEEE802_11, QoS", 105, [0x88, 1] + Bytes.zeros(24) + Bytes.snap, link: 34),
        FrameFixture("IEEE802_11, QoS, HT control", 105, [0x88, 0x81] + Bytes.zeros(28) + Bytes.snap, link: 38),
        FrameFixture("IEEE802_11, four addresses", 105, [0x08, 3] + Bytes.zeros(28) + Bytes.snap, link: 38),
        FrameFixture(
            "IEEE802_11, protected", 105, [0x08, 0x41] + Bytes.zeros(22) + Bytes.snap, link: 82, network: 0,
            transport: 0, payload: 0, kind: .nonIP),
        FrameFixture(
            "IEEE802_11, A-MSDU", 105, [0x88, 1] + Bytes.zeros(22) + [0x80, 0] + Bytes.snap, link: 84, network: 0,
            transport: 0, payload: 0, kind: .nonIP),
        FrameFixture(
            "IEEE802_11, beacon", 105, [0x80, 0] + Bytes.zeros(22) + Bytes.snap, link: 82, network: 0, transport: 0,
            payload: 0, kind: .nonIP),
        FrameFixture(
            "radiotap", 127, [0, 0, 8, 0, 0, 0, 0, 0] + Bytes.wireless + Bytes.snap, pseudo: 8, link: 32),
        FrameFixture(
            "radiotap, time, two presence words, check sequence, padded header", 127,
            [0, 0, 25, 0, 3, 0, 0, 0x80, 0, 0, 0, 0] + Bytes.zeros(4) + Bytes.zeros(8) + [0x30]
                + [0x88, 1] + Bytes.zeros(26) + Bytes.snap, Bytes.tcp4 + Bytes.zeros(4), pseudo: 25, link: 40),
        FrameFixture(
            "PRISM", 119, [0x44, 0, 0, 0, 144, 0, 0, 0] + Bytes.zeros(136) + Bytes.wireless + Bytes.snap,
            pseudo: 144, link: 32),
        FrameFixture(
            "PRISM holding AVS", 119,
            [0x80, 0x21, 0x10, 1, 0, 0, 0, 64] + Bytes.zeros(56) + Bytes.wireless
                + Bytes.snap, pseudo: 64, link: 32),
        FrameFixture(
            "AVS", 163, [0x80, 0x21, 0x10, 2, 0, 0, 0, 80] + Bytes.zeros(72) + Bytes.wireless + Bytes.snap,
            pseudo: 80, link: 32),
        FrameFixture(
            "PPI, Ethernet", 192, [0, 0, 8, 0, 1, 0, 0, 0] + Bytes.ethernet(0x0800), pseudo: 8, link: 14),
        FrameFixture(
            "PPI, 802.11 with check sequence", 192,
            [0, 0, 32, 0, 105, 0, 0, 0, 2, 0, 20, 0] + Bytes.zeros(8)
                + [1, 0] + Bytes.zeros(10) + Bytes.wireless + Bytes.snap, Bytes.tcp4 + Bytes.zeros(4), pseudo: 32,
            link: 36),
        FrameFixture(
            "PKTAP, Ethernet", 258, Bytes.processTap(1, name: "Safari") + Bytes.ethernet(0x0800), pseudo: 108,
            link: 14),
        FrameFixture("PKTAP, raw IP", 258, Bytes.processTap(12, name: "Safari"), pseudo: 108),
        FrameFixture("PKTAP as USER2", 149, Bytes.processTap(0, name: "x") + [30, 0, 0, 0], pseudo: 112),
        FrameFixture(
            "USER2 of somebody else", 149, [], link: 50, network: 0, transport: 0, payload: 0, kind: .nonIP),
        FrameFixture("raw IP mislabelled as Ethernet", 1, []),
        FrameFixture("raw IP mislabelled as Ethernet in PKTAP", 258, Bytes.processTap(1, name: "x"), pseudo: 108),
        FrameFixture(
            "ARP", 1, Bytes.ethernet(0x0806), Bytes.zeros(46), link: 60, network: 0, transport: 0, payload: 0,
            kind: .nonIP),
        FrameFixture(
            "PPPoE discovery", 1, Bytes.ethernet(0x8863) + [0x11, 9, 0, 0, 0, 0], [], link: 20, network: 0,
            transport: 0, payload: 0, kind: .nonIP),
        FrameFixture(
            "an unknown link type", 9_999, [], link: 50, network: 0, transport: 0, payload: 0, kind: .nonIP),
    ]
}
