extension LinkType {
    /// The registered name without its `LINKTYPE_` prefix (Ethernet by its libpcap name EN10MB); `LINKTYPE_n` where
    /// none is known here.
    public var name: String {
        switch rawValue {
        // Reserved for private use.
        case 147...162: "USER\(rawValue - 147)"
        default: Self.names[rawValue]?.registered ?? "LINKTYPE_\(rawValue)"
        }
    }

    /// The name that people use, where it is another one than the registered name.
    public var commonName: String { Self.names[rawValue]?.common ?? name }

    /// A string literal is a registered name for which people use no other.
    private struct Names: ExpressibleByStringLiteral {
        var registered: String
        var common: String?

        init(_ registered: String, common: String) {
            self.registered = registered
            self.common = common
        }

        init(stringLiteral registered: String) { self.registered = registered }
    }

    /// Numbers 12 and 14 are what some systems' programs write for raw IP instead of the registered 101.
    private static let names: [UInt32: Names] = [
        0: Names("NULL", common: "loopback"), 1: Names("EN10MB", common: "Ethernet"), 3: "AX25", 6: "IEEE802_5",
        7: "ARCNET_BSD", 8: "SLIP", 9: "PPP", 10: "FDDI",
        12: Names("RAW", common: "raw IP"), 14: Names("RAW", common: "raw IP"), 50: "PPP_HDLC", 51: "PPP_ETHER",
        100: "ATM_RFC1483", 101: Names("RAW", common: "raw IP"), 102: "SLIP_BSDOS",
        103: "PPP_BSDOS", 104: "C_HDLC", 105: Names("IEEE802_11", common: "Wi-Fi"), 106: "ATM_CLIP", 107: "FRELAY",
        108: Names("LOOP", common: "loopback"), 109: "ENC",
        113: Names("LINUX_SLL", common: "Linux cooked"), 114: "LTALK", 117: "PFLOG", 119: "IEEE802_11_PRISM",
        122: "IP_OVER_FC", 123: "SUNATM",
        127: Names("IEEE802_11_RADIOTAP", common: "Wi-Fi with radiotap"), 129: "ARCNET_LINUX", 130: "JUNIPER_MLPPP",
        131: "JUNIPER_MLFR",
        138: "APPLE_IP_OVER_IEEE1394", 139: "MTP2_WITH_PHDR", 140: "MTP2", 141: "MTP3", 142: "SCCP", 143: "DOCSIS",
        144: "LINUX_IRDA", 163: "IEEE802_11_AVS", 165: "BACNET_MS_TP", 166: "PPP_PPPD", 167: "JUNIPER_PPPOE",
        169: "GPRS_LLC", 177: "LINUX_LAPD", 178: "JUNIPER_ETHER", 179: "JUNIPER_PPP", 180: "JUNIPER_FRELAY",
        181: "JUNIPER_CHDLC", 182: "MFR", 187: "BLUETOOTH_HCI_H4", 189: "USB_LINUX", 192: "PPI",
        195: "IEEE802_15_4_WITHFCS", 196: "SITA", 197: "ERF", 201: "BLUETOOTH_HCI_H4_WITH_PHDR", 202: "AX25_KISS",
        203: "LAPD", 204: "PPP_WITH_DIR", 205: "C_HDLC_WITH_DIR", 206: "FRELAY_WITH_DIR", 207: "LAPB_WITH_DIR",
        209: "IPMB_LINUX", 215: "IEEE802_15_4_NONASK_PHY", 219: "MPLS", 220: "USB_LINUX_MMAPPED", 224: "FC_2",
        225: "FC_2_WITH_FRAME_DELIMS", 226: "IPNET", 227: "CAN_SOCKETCAN", 228: Names("IPV4", common: "raw IP"),
        229: Names("IPV6", common: "raw IP"),
        230: "IEEE802_15_4_NOFCS", 231: "DBUS", 235: "DVB_CI", 239: "NFLOG", 240: "NETANALYZER",
        241: "NETANALYZER_TRANSPARENT", 242: "IPOIB", 243: "MPEG_2_TS", 245: "NFC_LLCP", 246: "PFSYNC",
        247: "INFINIBAND", 248: "SCTP", 249: "USBPCAP", 251: "BLUETOOTH_LE_LL", 252: "WIRESHARK_UPPER_PDU",
        253: "NETLINK", 254: "BLUETOOTH_LINUX_MONITOR", 255: "BLUETOOTH_BREDR_BB", 256: "BLUETOOTH_LE_LL_WITH_PHDR",
        257: "PROFIBUS_DL", 258: "PKTAP", 259: "EPON", 266: "USB_DARWIN", 267: "OPENFLOW", 268: "SDLC",
        270: "LORATAP", 271: "VSOCK", 272: "NORDIC_BLE", 273: "DOCSIS31_XRA31", 274: "ETHERNET_MPACKET",
        275: "DISPLAYPORT_AUX", 276: Names("LINUX_SLL2", common: "Linux cooked v2"), 280: "VPP_DISPATCH",
        281: "DSA_TAG_BRCM",
        282: "DSA_TAG_BRCM_PREPEND", 283: "IEEE802_15_4_TAP", 284: "DSA_TAG_DSA", 285: "DSA_TAG_EDSA", 286: "ELEE",
        287: "Z_WAVE_SERIAL", 288: "USB_2_0", 289: "ATSC_ALP",
    ]
}
