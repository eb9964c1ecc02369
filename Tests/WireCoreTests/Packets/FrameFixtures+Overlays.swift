import WireCore
import WireTesting

/// What switches, access points and tunnels put around frames in mirrored traffic.
extension FrameFixture {
    private static let inner = Bytes.ethernet(0x0800) + Bytes.tcp4
    private static let wireless = Bytes.wireless + Bytes.snap + Bytes.tcp4
    /// NSH with metadata of type 1 around IPv4.
    private static let service: [UInt8] = [0x0f, 0xc6, 1, 1, 0, 0, 1, 255] + Bytes.zeros(16)

    private static func number(_ value: Int) -> [UInt8] { [UInt8](be16: 0) + [UInt8](be16: UInt16(value)) }

    /// A flow sample with one raw packet header of Ethernet.
    private static let sample: [UInt8] = {
        let header = inner + Bytes.zeros(4 - inner.count % 4)
        let record =
            number(1) + number(16 + header.count) + number(1) + number(1518) + number(4) + number(inner.count)
            + header
        let flow = Bytes.zeros(28) + number(1) + record
        return number(5) + number(1) + [10, 0, 0, 9] + Bytes.zeros(12) + number(1) + number(1) + number(flow.count)
            + flow
    }()

    /// Tags of switches, and NSH on Ethernet.
    static let fabric: [FrameFixture] = [
        FrameFixture("Cisco metadata", 1, Bytes.ethernet(0x8909) + [1, 1, 0, 1, 0, 9, 8, 0], link: 22),
        FrameFixture(
            "VLAN, Cisco metadata, IPv6", 1,
            Bytes.ethernet(0x8100) + [0, 5, 0x89, 0x09, 1, 1, 0, 1, 0, 9, 0x86, 0xdd], Bytes.tcp6, link: 26, network: 40
        ),
        FrameFixture(
            "Cisco metadata of another version", 1, Bytes.ethernet(0x8909) + [2, 1, 0, 1, 0, 9, 8, 0], link: 72,
            network: 0, transport: 0, payload: 0, kind: .nonIP),
        FrameFixture("E-tag", 1, Bytes.ethernet(0x893f) + [0, 0, 0, 1, 0, 0, 8, 0], link: 22),
        FrameFixture(
            "E-tag, then VLAN", 1, Bytes.ethernet(0x893f) + [0, 0, 0, 1, 0, 0, 0x81, 0, 0, 5, 8, 0], link: 26),
        FrameFixture("VN-tag", 1, Bytes.ethernet(0x8926) + [0x80, 1, 0, 2, 8, 0], link: 20),
        FrameFixture(
            "VN-tag, VLAN, LLC", 1, Bytes.ethernet(0x8926) + [0, 1, 0, 2, 0x81, 0, 0, 5, 0, 58] + Bytes.snap, link: 32),
        FrameFixture(
            "VN-tag of another version", 1, Bytes.ethernet(0x8926) + [0, 1, 0x10, 2, 8, 0], link: 70, network: 0,
            transport: 0, payload: 0, kind: .nonIP),
        FrameFixture("NSH", 1, Bytes.ethernet(0x894f) + service, link: 38),
        FrameFixture(
            "NSH, Ethernet, IPv6", 1,
            Bytes.ethernet(0x894f) + [0x0f, 0xc2, 2, 3, 0, 0, 1, 255] + Bytes.ethernet(0x86dd), Bytes.tcp6, link: 36,
            network: 40),
        FrameFixture(
            "NSH in NSH, MPLS", 1,
            Bytes.ethernet(0x894f) + [0x0f, 0xc3, 2, 4, 0, 0, 1, 255, 0, 0, 0, 0, 0x0f, 0xc2, 2, 5, 0, 0, 1, 254]
                + [0, 2, 1, 64], link: 38),
        FrameFixture(
            "NSH of another version", 1, Bytes.ethernet(0x894f) + [0x4f, 0xc2, 2, 1, 0, 0, 1, 255], link: 72,
            network: 0, transport: 0, payload: 0, kind: .nonIP),
        FrameFixture(
            "NSH with operations data", 1, Bytes.ethernet(0x894f) + [0x2f, 0xc2, 2, 1, 0, 0, 1, 255], link: 72,
            network: 0, transport: 0, payload: 0, kind: .nonIP),
        FrameFixture(
            "NSH whose length and metadata disagree", 1, Bytes.ethernet(0x894f) + [0x0f, 0xc2, 1, 1, 0, 0, 1, 255],
            link: 72, network: 0, transport: 0, payload: 0, kind: .nonIP),
    ]

    /// Tunnels of mirror ports, access points and overlay networks.
    static let overlays: [FrameFixture] = [
        ethernet4(
            "ERSPAN III without platform",
            Bytes.version4(
                47, [0x10, 0, 0x22, 0xeb] + Bytes.zeros(4) + [0x20] + Bytes.zeros(11) + inner), tunnel: 54),
        ethernet4(
            "ERSPAN III, IP",
            Bytes.version4(
                47, [0x10, 0, 0x22, 0xeb] + Bytes.zeros(4) + [0x20] + Bytes.zeros(9) + [8, 0] + Bytes.tcp4), tunnel: 40),
        ethernet4("GRE, 802.11", Bytes.version4(47, [0, 0, 0x82, 0x10] + wireless), tunnel: 56),
        ethernet4(
            "GRE, 802.11 with QoS",
            Bytes.version4(47, [0, 0, 0x90, 0] + [0x88, 0x02] + Bytes.zeros(24) + Bytes.snap + Bytes.tcp4), tunnel: 58),
        ethernet4("GRE, NSH", Bytes.version4(47, [0, 0, 0x89, 0x4f] + service + Bytes.tcp4), tunnel: 48),
        ethernet4("GRE in UDP", Bytes.datagram(to: 4754, [0, 0, 8, 0] + Bytes.tcp4), tunnel: 32),
        ethernet4(
            "GRE in UDP, all fields, Ethernet",
            Bytes.datagram(to: 4754, [0xb0, 0, 0x65, 0x58] + Bytes.zeros(12) + inner), tunnel: 58),
        ethernet4("CAPWAP, 802.3", Bytes.datagram(to: 5247, [0, 0x10, 2, 0, 0, 0, 0, 0] + inner), tunnel: 50),
        ethernet4(
            "CAPWAP, 802.11, from the controller",
            Bytes.datagram(from: 5247, to: 50_000, [0, 0x10, 3, 0, 0, 0, 0, 0] + wireless), tunnel: 68),
        ethernet4(
            "CAPWAP, 802.11 with swapped control, radio and wireless information",
            Bytes.datagram(
                to: 5247,
                [0, 0x28, 3, 0x30, 0, 0, 0, 0, 6, 1, 2, 3, 4, 5, 6, 0, 4, 1, 2, 3, 0, 0, 0, 0][..<20]
                    + [0x01, 0x88] + Bytes.zeros(24) + Bytes.snap + Bytes.tcp4), tunnel: 82),
        ethernet4(
            "AYIYA", Bytes.datagram(from: 5072, to: 50_000, [0x41, 0x52, 0x11, 41] + Bytes.zeros(40) + Bytes.tcp6),
            tunnel: 72, network: 40),
        ethernet4(
            "AYIYA without signature, IPv4", Bytes.datagram(to: 5072, [0, 0, 1, 4] + Bytes.zeros(5) + Bytes.tcp4),
            tunnel: 37),
        ethernet4("LISP", Bytes.datagram(to: 4341, [0xc8, 1, 2, 3, 0, 0, 1, 0] + Bytes.tcp4), tunnel: 36),
        ethernet4("LISP, IPv6", Bytes.datagram(to: 4341, Bytes.zeros(8) + Bytes.tcp6), tunnel: 36, network: 40),
        ethernet4(
            "VXLAN-GPE, IPv6", Bytes.datagram(to: 4790, [0x0c, 0, 0, 2, 0, 0, 1, 0] + Bytes.tcp6), tunnel: 36,
            network: 40),
        ethernet4(
            "VXLAN-GPE without a type", Bytes.datagram(to: 4790, [0x08, 0, 0, 0, 0, 0, 1, 0] + inner), tunnel: 50),
        ethernet4(
            "VXLAN-GPE, NSH", Bytes.datagram(to: 4790, [0x0c, 0, 0, 4, 0, 0, 1, 0] + service + Bytes.tcp4), tunnel: 60),
    ]

    private static func other(_ name: String, _ content: [UInt8], to port: UInt16) -> FrameFixture {
        ethernet4(name, Bytes.datagram(to: port, content), transport: 8, payload: content.count, kind: .udp)
    }

    /// What uses their ports and protocols, and is none of them or cannot be looked into.
    static let noOverlays: [FrameFixture] = [
        ethernet4(
            "ERSPAN II of another version",
            Bytes.version4(47, [0x10, 0, 0x88, 0xbe] + Bytes.zeros(4) + [0x20] + Bytes.zeros(7) + inner), transport: 0,
            payload: 80, kind: .otherIP),
        ethernet4(
            "ERSPAN III with a frame of another kind",
            Bytes.version4(
                47, [0x10, 0, 0x22, 0xeb] + Bytes.zeros(4) + [0x20] + Bytes.zeros(9) + [4, 0] + inner), transport: 0,
            payload: 84, kind: .otherIP),
        other("GRE in UDP with routing", [0x40, 0, 8, 0] + Bytes.zeros(8) + Bytes.tcp4, to: 4754),
        other("GRE in UDP of version 1", [0, 1, 8, 0] + Bytes.tcp4, to: 4754),
        other("GRE in UDP, too short an IP packet", [0, 0, 8, 0] + Bytes.tcp4.dropLast(), to: 4754),
        other("CAPWAP, encrypted", [1, 0, 0, 0, 0, 0, 0, 0] + inner, to: 5247),
        other("CAPWAP, keep-alive", [0, 0x10, 2, 8, 0, 0, 0, 0] + inner, to: 5247),
        other("CAPWAP, fragment", [0, 0x10, 2, 0x80, 0, 1, 0, 0] + inner, to: 5247),
        other("CAPWAP, header too short", [0, 0x08, 2, 0, 0, 0, 0, 0] + inner, to: 5247),
        other("CAPWAP, another binding", [0, 0x10, 7, 0, 0, 0, 0, 0] + wireless, to: 5247),
        other("AYIYA, no forwarding", [0x41, 0x52, 0x10, 41] + Bytes.zeros(40) + Bytes.tcp6, to: 5072),
        other("AYIYA, another version inside", [0x41, 0x52, 0x11, 4] + Bytes.zeros(40) + Bytes.tcp6, to: 5072),
        other("AYIYA, surplus", [0x41, 0x52, 0x11, 41] + Bytes.zeros(40) + Bytes.tcp6 + [0], to: 5072),
        other("LISP, encrypted", [0xc9, 1, 2, 3, 0, 0, 1, 0] + Bytes.tcp4, to: 4341),
        other("LISP, contradictory flags", [0x90, 1, 2, 3, 0, 0, 1, 0] + Bytes.tcp4, to: 4341),
        other("LISP, echo asked without nonce", [0x20, 1, 2, 3, 0, 0, 1, 0] + Bytes.tcp4, to: 4341),
        other("LISP, surplus", Bytes.zeros(8) + Bytes.tcp4 + [0], to: 4341),
        other("VXLAN-GPE, operations data", [0x0d, 0, 0, 1, 0, 0, 1, 0] + Bytes.tcp4, to: 4790),
        other("VXLAN-GPE, another version", [0x1c, 0, 0, 1, 0, 0, 1, 0] + Bytes.tcp4, to: 4790),
        other("VXLAN-GPE, another type", [0x0c, 0, 0, 9, 0, 0, 1, 0] + Bytes.tcp4, to: 4790),
        other("sFlow", sample, to: 6343),
        other("WireGuard", [1, 0, 0, 0] + Bytes.zeros(144), to: 51_820),
    ]
}
