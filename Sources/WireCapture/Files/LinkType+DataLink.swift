import CPcap
import WireCore

/// Files use one number for a link type everywhere (LINKTYPE_); libpcap's functions take what the system uses (DLT_),
/// which is another one for a few.
extension LinkType {
    private static let different: [(dataLink: Int32, linkType: UInt32)] = [
        (DLT_ATM_RFC1483, 100), (DLT_RAW, 101), (DLT_SLIP_BSDOS, 102), (DLT_PPP_BSDOS, 103), (DLT_ATM_CLIP, 106),
        (DLT_PFSYNC, 246), (DLT_PKTAP, 258),
    ]

    /// The registered number for what libpcap's functions call a link type on this system.
    init(dataLink: Int32) {
        let match = Self.different.first { $0.dataLink == dataLink }
        self.init(rawValue: match?.linkType ?? UInt32(bitPattern: dataLink))
    }

    /// What libpcap's functions call it on this system.
    var dataLink: Int32 {
        switch self {
        // Some systems' programs write their own numbers for raw IP.
        case .rawBSD, .rawOpenBSD: DLT_RAW
        default:
            Self.different.first { $0.linkType == rawValue }?.dataLink ?? Int32(truncatingIfNeeded: rawValue)
        }
    }
}
