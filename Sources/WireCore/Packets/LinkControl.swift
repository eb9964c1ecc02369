/// Protocols that keep links, switches and clocks running. Their frames carry no user's data, so it is no loss that nobody
/// reads them. Frames without IP of all other kinds (encrypted, of an unknown type, with a broken IP header) may carry some.
enum LinkControl {
    /// By Ethernet type (IEEE "EtherType" registry).
    static func has(etherType type: UInt16) -> Bool {
        switch type {
        // ARP, RARP, Wake-on-LAN, stream reservation, IS-IS.
        case 0x0806, 0x8035, 0x0842, 0x22ea, 0x22f4: true
        // Pause frames, LACP and its relatives, PPPoE discovery, EAPOL and preauthentication.
        case 0x8808, 0x8809, 0x8863, 0x888e, 0x88c7: true
        // HomePlug, Realtek's loop detection, LLDP, IEEE 1905.1.
        case 0x887b, 0x88e1, 0x8899, 0x88cc, 0x893a: true
        // Media redundancy, MVRP, MMRP, PTP, PRP supervision, connectivity faults, FCoE initialization, edge control.
        case 0x88e3, 0x88f5, 0x88f6, 0x88f7, 0x88fb, 0x8902, 0x8914, 0x8940: true
        // Loopback test.
        case 0x9000: true
        default: false
        }
    }

    /// By the organization that SNAP names, and its own type: Cisco's CDP, VTP, DTP, PAgP, UDLD, spanning tree by VLAN.
    static func has(organization: UInt32, _ type: UInt16) -> Bool {
        guard organization == 0x00000c else { return false }
        switch type {
        case 0x0104, 0x010b, 0x0111, 0x2000, 0x2003, 0x2004: return true
        default: return false
        }
    }

    /// By the first three bytes of IEEE 802.2: spanning tree, and OSI routing.
    static func has(service: UInt32) -> Bool { service == 0x424203 || service == 0xfefe03 }

    /// By number of PPP: control protocols stand from 0x8000 on (RFC 1661 §2); below, CDP alone.
    static func has(pointToPoint number: UInt16) -> Bool { number >= 0x8000 || number == 0x0207 }

    /// By the first byte of 802.11's frame control: management, control, and data frames that say that they have none.
    static func has(wireless kind: UInt8) -> Bool { kind & 0x03 == 0 && kind & 0x0c != 0x08 || kind & 0x4f == 0x48 }
}
