import Testing
import WireCore
import WireTesting

@Suite("Frames without IP")
struct LinkControlTests {
    /// Link type, the frame's beginning, whether it is of the link itself.
    private static let frames: [(name: String, link: UInt32, head: [UInt8], isControl: Bool)] = [
        ("ARP", 1, Bytes.ethernet(0x0806), true), ("LLDP", 1, Bytes.ethernet(0x88cc), true),
        ("EAPOL", 1, Bytes.ethernet(0x888e), true), ("LACP", 1, Bytes.ethernet(0x8809), true),
        ("ARP in a VLAN", 1, Bytes.ethernet(0x8100) + [0, 5, 8, 6], true),
        ("spanning tree", 1, Bytes.ethernet(38) + [0x42, 0x42, 3, 0], true),
        ("CDP", 1, Bytes.ethernet(60) + [0xaa, 0xaa, 3, 0, 0, 0x0c, 0x20, 0], true),
        ("ARP behind SNAP", 1, Bytes.ethernet(60) + [0xaa, 0xaa, 3, 0, 0, 0, 8, 6], true),
        ("ARP on every interface", 113, Bytes.zeros(14) + [8, 6], true),
        ("PPP's LCP", 9, [0xff, 3, 0xc0, 0x21], true), ("an 802.11 beacon", 105, [0x80, 0] + Bytes.zeros(22), true),
        ("an 802.11 acknowledgment", 105, [0xd4, 0] + Bytes.zeros(8), true),
        ("802.11 without data", 105, [0x48, 1] + Bytes.zeros(22), true),
        ("MACsec", 1, Bytes.ethernet(0x88e5), false), ("an unknown type", 1, Bytes.ethernet(0x1234), false),
        ("MACsec in a VLAN", 1, Bytes.ethernet(0x8100) + [0, 5, 0x88, 0xe5], false),
        ("NetBEUI", 1, Bytes.ethernet(60) + [0xf0, 0xf0, 3, 0], false),
        ("AppleTalk behind SNAP", 1, Bytes.ethernet(60) + [0xaa, 0xaa, 3, 8, 0, 7, 0x80, 0x9b], false),
        ("a broken IP header", 1, Bytes.ethernet(0x0800) + [0x44], false),
        ("compressed PPP", 9, [0xff, 3, 0, 0xfd], false),
        ("802.11 protected", 105, [0x08, 0x41] + Bytes.zeros(22), false),
        ("an unknown link type", 9999, [], false),
    ]

    @Test("are of the link itself, or nobody read them", arguments: frames.indices)
    func kinds(index: Int) {
        let (name, link, head, isControl) = Self.frames[index]
        let packet = decode(head + Bytes.zeros(60), LinkType(rawValue: link))
        #expect(packet.kind == .nonIP && packet.isLinkControl == isControl, "\(name)")
    }

    @Test("count as unread unless they are of the link itself; of frames with IP none does")
    func counted() {
        var talk = Dialogue()
        talk.handshake()
        for type: UInt16 in [0x0806, 0x88e5, 0x88cc, 0x1234] {
            talk.frames.append(CapturedFrame(time: talk.time, bytes: Bytes.ethernet(type) + Bytes.zeros(46)))
        }
        let ledger = talk.audit().result.ledger
        #expect(ledger.layers.nonIP == 240 && ledger.unreadFrames == 120 && ledger.balanced)
    }
}
