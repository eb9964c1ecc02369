import WireCore
import WireTesting

extension FrameFixture {
    private static let segment = Array(Bytes.tcp4[20...])
    private static let segment6 = Array(Bytes.tcp6[40...])

    static func ethernet4(
        _ name: String, _ content: [UInt8], tunnel: Int = 0, network: Int = 20, transport: Int = 20,
        payload: Int = 10, link: Int = 14, kind: DecodedPacket.Kind = .tcp
    ) -> FrameFixture {
        FrameFixture(
            name, 1, Bytes.ethernet(content[0] >> 4 == 4 ? 0x0800 : 0x86dd), content, link: link, tunnel: tunnel,
            network: network, transport: transport, payload: payload, kind: kind)
    }

    /// IP headers, extension headers and protocols.
    static let internet: [FrameFixture] = {
        var withOptions = Bytes.tcp4
        withOptions[0] = 0x47
        withOptions[3] += 8
        withOptions.insert(contentsOf: Bytes.zeros(8), at: 20)
        let hopByHop: [UInt8] = [43, 0, 1, 4, 0, 0, 0, 0]
        let routing: [UInt8] = [60, 0, 0, 0, 0, 0, 0, 0]
        let destination: [UInt8] = [51, 1, 1, 12] + Bytes.zeros(12)
        let authentication: [UInt8] = [6, 4] + Bytes.zeros(22)
        let jumbo: [UInt8] = [6, 0, 0xc2, 4, 0, 0, 0, 38]
        var jumbogram = Bytes.version6(0, jumbo + segment6)
        jumbogram[5] = 0
        return [
            ethernet4("IPv4 options", withOptions, network: 28),
            ethernet4("IPv4, authentication header", Bytes.version4(51, authentication + segment), network: 44),
            ethernet4(
                "IPv6, all extension headers",
                Bytes.version6(0, hopByHop + routing + destination + authentication + segment6),
                network: 96),
            ethernet4(
                "IPv6, mobility", Bytes.version6(135, [59, 0] + Bytes.zeros(6)), network: 48, transport: 0, payload: 0,
                kind: .otherIP),
            ethernet4("IPv6, atomic fragment", Bytes.version6(44, [6, 0, 0, 0, 0, 0, 0, 9] + segment6), network: 48),
            ethernet4(
                "IPv6, first fragment", Bytes.version6(44, [6, 0, 0, 1, 0, 0, 0, 9] + segment6), network: 48,
                transport: 0, payload: 30, kind: .fragment),
            ethernet4("IPv6 jumbogram", jumbogram, network: 48),
            ethernet4(
                "IPv6, nothing inside", Bytes.version6(59, []) + Bytes.zeros(6), network: 40, transport: 0, payload: 0,
                link: 20, kind: .otherIP),
            ethernet4(
                "ICMP", Bytes.version4(1, [3, 1] + Bytes.zeros(6) + Bytes.tcp4), transport: 0, payload: 58, kind: .icmp),
            ethernet4("ICMPv6", Bytes.version6(58, Bytes.zeros(8)), network: 40, transport: 0, payload: 8, kind: .icmp),
            ethernet4("UDP", Bytes.datagram(to: 53, Bytes.zeros(12)), transport: 8, payload: 12, kind: .udp),
            ethernet4("ESP", Bytes.version4(50, Bytes.zeros(40)), transport: 0, payload: 40, kind: .otherIP),
            ethernet4("cut TCP header", Bytes.version4(6, Bytes.zeros(19)), transport: 0, payload: 19, kind: .otherIP),
            ethernet4(
                "TCP header length 0", Bytes.version4(6, Bytes.zeros(30)), transport: 0, payload: 30, kind: .otherIP),
            ethernet4(
                "TCP header length beyond the packet", Bytes.version4(6, Bytes.zeros(12) + [0xf0] + Bytes.zeros(17)),
                transport: 0, payload: 30, kind: .otherIP),
            ethernet4("cut UDP header", Bytes.version4(17, Bytes.zeros(7)), transport: 0, payload: 7, kind: .otherIP),
        ]
    }()

    /// IP inside IP.
    static let tunnels: [FrameFixture] = {
        let inner = Bytes.ethernet(0x0800) + Bytes.tcp4
        let message = [UInt8](be16: 50)
        let teredo = Bytes.tcp6
        return [
            ethernet4("IP in IP", Bytes.version4(4, Bytes.tcp4), tunnel: 20),
            ethernet4("IP in IP, inner padding", Bytes.version4(4, Bytes.tcp4 + Bytes.zeros(5)), tunnel: 25),
            ethernet4("6in4", Bytes.version4(41, Bytes.tcp6), tunnel: 20, network: 40),
            ethernet4("4in6", Bytes.version6(4, Bytes.tcp4), tunnel: 40),
            ethernet4(
                "three levels", Bytes.version4(4, Bytes.version6(4, Bytes.version4(4, Bytes.tcp4))), tunnel: 80),
            ethernet4("GRE", Bytes.version4(47, [0, 0, 8, 0] + Bytes.tcp4), tunnel: 24),
            ethernet4(
                "GRE, all fields", Bytes.version4(47, [0xb0, 0, 8, 0] + Bytes.zeros(12) + Bytes.tcp4), tunnel: 36),
            ethernet4(
                "GRE, source route",
                Bytes.version4(
                    47, [0x40, 0, 8, 0] + Bytes.zeros(4) + [8, 0, 0, 4, 1, 2, 3, 4] + Bytes.zeros(4) + Bytes.tcp4),
                tunnel: 40),
            ethernet4("GRE, Ethernet", Bytes.version4(47, [0x20, 0, 0x65, 0x58, 0, 0, 0, 1] + inner), tunnel: 42),
            ethernet4("GRE, MPLS", Bytes.version4(47, [0, 0, 0x88, 0x47, 0, 2, 1, 64] + Bytes.tcp4), tunnel: 28),
            ethernet4(
                "GRE of PPTP",
                Bytes.version4(
                    47, [0x30, 0x81, 0x88, 0x0b, 0, 54, 0, 1] + Bytes.zeros(8) + [0xff, 3, 0, 0x21] + Bytes.tcp4),
                tunnel: 40),
            ethernet4(
                "GRE of PPTP, acknowledgment", Bytes.version4(47, [0x20, 0x81, 0x88, 0x0b] + Bytes.zeros(8)),
                transport: 0, payload: 12, kind: .otherIP),
            ethernet4("ERSPAN I", Bytes.version4(47, [0, 0, 0x88, 0xbe] + inner), tunnel: 38),
            ethernet4(
                "ERSPAN II",
                Bytes.version4(47, [0x10, 0, 0x88, 0xbe] + Bytes.zeros(4) + [0x10] + Bytes.zeros(7) + inner),
                tunnel: 50),
            ethernet4(
                "ERSPAN III",
                Bytes.version4(
                    47,
                    [0x10, 0, 0x22, 0xeb] + Bytes.zeros(4) + [0x20] + Bytes.zeros(10) + [1] + Bytes.zeros(8) + inner),
                tunnel: 62),
            ethernet4("WCCP", Bytes.version4(47, [0, 0, 0x88, 0x3e, 0, 0, 0, 0] + Bytes.tcp4), tunnel: 28),
            ethernet4("EtherIP", Bytes.version4(97, [0x30, 0] + inner), tunnel: 36),
            ethernet4("MPLS in IP", Bytes.version4(137, [0, 2, 1, 64] + Bytes.tcp4), tunnel: 24),
            ethernet4("VXLAN", Bytes.datagram(to: 4789, [8, 0, 0, 0, 0, 0, 1, 0] + inner), tunnel: 50),
            ethernet4(
                "VXLAN of old Linux, reserved bits, VLAN inside",
                Bytes.datagram(
                    to: 8472, [0x88, 0xff, 0, 0, 0, 0, 1, 9] + Bytes.ethernet(0x8100) + [0, 5, 8, 0] + Bytes.tcp4),
                tunnel: 54),
            ethernet4(
                "VXLAN without a valid identifier", Bytes.datagram(to: 4789, Bytes.zeros(8) + inner), transport: 8,
                payload: 72, kind: .udp),
            ethernet4(
                "VXLAN with ARP",
                Bytes.datagram(to: 4789, [8, 0, 0, 0, 0, 0, 1, 0] + Bytes.ethernet(0x0806) + Bytes.zeros(28)),
                transport: 8, payload: 50, kind: .udp),
            ethernet4("Geneve", Bytes.datagram(to: 6081, [0, 0, 0x65, 0x58, 0, 0, 1, 0] + inner), tunnel: 50),
            ethernet4(
                "Geneve, options, IPv6",
                Bytes.datagram(to: 6081, [1, 0, 0x86, 0xdd, 0, 0, 1, 0, 0, 0, 0, 0] + Bytes.tcp6),
                tunnel: 40, network: 40),
            ethernet4(
                "GTP-U", Bytes.datagram(to: 2152, [0x30, 255] + message + Bytes.zeros(4) + Bytes.tcp4), tunnel: 36),
            ethernet4(
                "GTP-U, extension headers",
                Bytes.datagram(
                    to: 2152,
                    [0x36, 255, 0, 62] + Bytes.zeros(4) + [0, 1, 0, 0x85, 1, 0, 0, 0xc0, 1, 0, 0, 0] + Bytes.tcp4),
                tunnel: 48),
            ethernet4(
                "GTP-U, echo request", Bytes.datagram(to: 2152, [0x32, 1, 0, 4] + Bytes.zeros(8)), transport: 8,
                payload: 12, kind: .udp),
            ethernet4(
                "Teredo", Bytes.datagram(from: 3544, to: 50_000, teredo), tunnel: 28, network: 40),
            ethernet4(
                "Teredo, authentication and origin",
                Bytes.datagram(
                    to: 3544, [0, 1, 2, 3] + Bytes.zeros(14) + [0, 0] + Bytes.zeros(6) + teredo), tunnel: 54,
                network: 40),
            ethernet4(
                "a length that does not agree is no Teredo", Bytes.datagram(to: 3544, teredo + [0]), transport: 8,
                payload: 71, kind: .udp),
            ethernet4(
                "an IP packet longer than its datagram is no GTP-U",
                Bytes.datagram(to: 2152, [0x30, 255, 0, 49] + Bytes.zeros(4) + Bytes.tcp4.dropLast()), transport: 8,
                payload: 57, kind: .udp),
            ethernet4(
                "a fragment in a tunnel",
                Bytes.version4(
                    4,
                    {
                        var part = Bytes.tcp4
                        part[6] = 0x20
                        return part
                    }()), tunnel: 20, transport: 0,
                payload: 30, kind: .fragment),
        ]
    }()

    static let all = links + fabric + captureHeaders + internet + tunnels + overlays + noOverlays
}
