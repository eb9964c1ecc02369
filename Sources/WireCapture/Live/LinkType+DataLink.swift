import CPcap
import WireCore

extension LinkType {
    /// The registered number (LINKTYPE_) for what libpcap's functions call a link type on this system (DLT_). They are
    /// the same but for a few.
    init(dataLink: Int32) {
        let different: [(dataLink: Int32, linkType: UInt32)] = [
            (DLT_ATM_RFC1483, 100), (DLT_RAW, 101), (DLT_SLIP_BSDOS, 102), (DLT_PPP_BSDOS, 103), (DLT_ATM_CLIP, 106),
            (DLT_PFSYNC, 246), (DLT_PKTAP, 258),
        ]
        let match = different.first { $0.dataLink == dataLink }
        self.init(rawValue: match?.linkType ?? UInt32(bitPattern: dataLink))
    }
}
