/// Ports and protocols under which IP travels inside IP. A tunnel counts as one only if a sound IP header is inside;
/// otherwise the outer packet is the innermost.
extension InternetHeader {
    /// The IP header inside this packet, if it is a tunnel's.
    func tunnelledHeader(_ bytes: RawSpan, captured: Int) -> InternetHeader? {
        let content = HeaderWalk(at: transportOffset, end: end, captured: captured, next: .internet)
        switch protocolNumber {
        case InternetProtocol.udp:
            return headerInDatagram(bytes, content)
        case InternetProtocol.version4, InternetProtocol.version6:
            return InternetHeader(bytes, content)
        case InternetProtocol.genericRouting:
            return Self.genericRouting(bytes, content).flatMap { $0.headerInside(bytes) }
        case InternetProtocol.mpls:
            return content.resumed(after: 0, with: .mpls).headerInside(bytes)
        case InternetProtocol.etherIP:
            // RFC 3378: version 3, then Ethernet.
            guard content.has(2), bytes.be16(content.offset) == 0x3000 else { return nil }
            return content.resumed(after: 2, with: .ethernet).headerInside(bytes)
        default:
            return nil
        }
    }

    // MARK: UDP

    /// Ports that announce a tunnel. VXLAN and Geneve put a hash of the flow into the source port.
    private enum TunnelPort {
        static let virtualLAN: UInt16 = 4789
        /// VXLAN in Linux before the registration.
        static let virtualLANLinux: UInt16 = 8472
        static let geneve: UInt16 = 6081
        static let mobileUser: UInt16 = 2152
        static let teredo: UInt16 = 3544
        /// VXLAN with the type of what follows.
        static let virtualLANGeneric: UInt16 = 4790
        static let genericRouting: UInt16 = 4754
        /// CAPWAP's data channel.
        static let accessPoint: UInt16 = 5247
        static let anythingInAnything: UInt16 = 5072
        /// LISP's data.
        static let locator: UInt16 = 4341
    }

    /// Whether a UDP datagram with these ports, the source's in the upper half, may hold an IP packet.
    @inline(__always)
    static func mayTunnel(ports: UInt32) -> Bool {
        // All of them are in this range, and few other ports in use are.
        let (lowest, highest) = (TunnelPort.mobileUser, TunnelPort.virtualLANLinux)
        let source = UInt16(truncatingIfNeeded: ports >> 16)
        let destination = UInt16(truncatingIfNeeded: ports)
        guard destination &- lowest <= highest - lowest || source &- lowest <= highest - lowest else { return false }
        return announcesTunnel(from: source, to: destination)
    }

    @inline(never)
    private static func announcesTunnel(from source: UInt16, to destination: UInt16) -> Bool {
        switch destination {
        case TunnelPort.virtualLAN, TunnelPort.virtualLANLinux, TunnelPort.geneve, TunnelPort.mobileUser,
            TunnelPort.teredo, TunnelPort.virtualLANGeneric, TunnelPort.genericRouting, TunnelPort.accessPoint,
            TunnelPort.anythingInAnything, TunnelPort.locator:
            return true
        default:
            return source == TunnelPort.mobileUser || source == TunnelPort.teredo || source == TunnelPort.accessPoint
                || source == TunnelPort.anythingInAnything
        }
    }

    private func headerInDatagram(_ bytes: RawSpan, _ content: HeaderWalk) -> InternetHeader? {
        guard let inner = walkInDatagram(bytes, content)?.headerInside(bytes) else { return nil }
        // Any datagram may use these ports: only lengths that agree prove a tunnel.
        let lengths: PacketOddities = [.lengthFromFrame, .lengthBeyondFrame]
        guard inner.oddities.intersection(lengths).isSubset(of: oddities) else { return nil }
        return inner
    }

    /// What a datagram to or from a tunnel's port holds.
    private func walkInDatagram(_ bytes: RawSpan, _ content: HeaderWalk) -> HeaderWalk? {
        guard let datagram = tunnelDatagram(bytes, content) else { return nil }
        switch (bytes.be16(content.offset), bytes.be16(content.offset + 2)) {
        case (_, TunnelPort.virtualLAN), (_, TunnelPort.virtualLANLinux): return Self.virtualLAN(bytes, datagram)
        case (_, TunnelPort.virtualLANGeneric): return Self.virtualLANGeneric(bytes, datagram)
        case (_, TunnelPort.geneve): return Self.geneve(bytes, datagram)
        case (_, TunnelPort.genericRouting): return Self.genericRoutingInDatagram(bytes, datagram)
        case (_, TunnelPort.locator): return Self.locator(bytes, datagram)
        case (_, TunnelPort.mobileUser), (TunnelPort.mobileUser, _): return Self.mobileUser(bytes, datagram)
        case (_, TunnelPort.teredo), (TunnelPort.teredo, _): return Self.teredo(bytes, datagram)
        case (_, TunnelPort.accessPoint), (TunnelPort.accessPoint, _): return Self.accessPoint(bytes, datagram)
        case (_, TunnelPort.anythingInAnything), (TunnelPort.anythingInAnything, _):
            return Self.anythingInAnything(bytes, datagram)
        default: return nil
        }
    }

    /// The payload of a datagram with a tunnel's port, by UDP's own length.
    private func tunnelDatagram(_ bytes: RawSpan, _ content: HeaderWalk) -> HeaderWalk? {
        guard content.has(16), Self.mayTunnel(ports: bytes.be32(content.offset)) else { return nil }
        var datagram = content
        let length = Int(bytes.be16(content.offset + 4))
        if length >= 8 { datagram.narrow(to: length) }
        datagram.offset += 8
        return datagram
    }

    /// Whether the packet is a tunnel's datagram with a fragment of a frame.
    func holdsTunnelFragment(_ bytes: RawSpan, captured: Int) -> Bool {
        guard protocolNumber == InternetProtocol.udp, !isFragment else { return false }
        let content = HeaderWalk(at: transportOffset, end: end, captured: captured, next: .internet)
        guard let datagram = tunnelDatagram(bytes, content),
            bytes.be16(content.offset) == TunnelPort.accessPoint
                || bytes.be16(content.offset + 2) == TunnelPort.accessPoint
        else { return false }
        return Self.isAccessPointFragment(bytes, datagram)
    }

    /// VXLAN (RFC 7348 §5): the flag of a valid network identifier, then Ethernet after eight bytes.
    private static func virtualLAN(_ bytes: RawSpan, _ datagram: HeaderWalk) -> HeaderWalk? {
        guard datagram.has(8), bytes.u8(datagram.offset) & 0x08 != 0 else { return nil }
        return datagram.resumed(after: 8, with: .ethernet)
    }

    /// Geneve (RFC 8926 §3.4): version 0, options, the type of what follows.
    private static func geneve(_ bytes: RawSpan, _ datagram: HeaderWalk) -> HeaderWalk? {
        guard datagram.has(8), bytes.u8(datagram.offset) >> 6 == 0 else { return nil }
        let length = 8 + Int(bytes.u8(datagram.offset) & 0x3f) * 4
        guard datagram.has(length) else { return nil }
        return datagram.resumed(after: length, with: .etherType(bytes.be16(datagram.offset + 2)))
    }

    /// GTP-U (3GPP TS 29.281 §5): version 1, message 255, optional fields, a chain of extension headers.
    private static func mobileUser(_ bytes: RawSpan, _ datagram: HeaderWalk) -> HeaderWalk? {
        let start = datagram.offset
        guard datagram.has(8), bytes.u8(start) & 0xf0 == 0x30, bytes.u8(start + 1) == 255 else { return nil }
        let flags = bytes.u8(start)
        var message = datagram
        let total = 8 + Int(bytes.be16(start + 2))
        guard start + total <= datagram.end else { return nil }
        message.narrow(to: total)
        var length = 8
        if flags & 0x07 != 0 {
            length = 12
            guard message.has(length) else { return nil }
            var nextType = flags & 0x04 != 0 ? bytes.u8(start + 11) : 0
            while nextType != 0 {
                guard message.has(length + 4) else { return nil }
                let extensionLength = Int(bytes.u8(start + length)) * 4
                guard extensionLength > 0, message.has(length + extensionLength) else { return nil }
                length += extensionLength
                nextType = bytes.u8(start + length - 1)
            }
        }
        return message.resumed(after: length, with: .internet)
    }

    /// Teredo (RFC 4380 §5.1.1): authentication and origin may stand before an IPv6 packet that fills the rest.
    private static func teredo(_ bytes: RawSpan, _ datagram: HeaderWalk) -> HeaderWalk? {
        var packet = datagram
        if packet.has(4), bytes.be16(packet.offset) == 0x0001 {
            let length = 13 + Int(bytes.u8(packet.offset + 2)) + Int(bytes.u8(packet.offset + 3))
            guard packet.has(length) else { return nil }
            packet.offset += length
        }
        if packet.has(8), bytes.be16(packet.offset) == 0x0000 { packet.offset += 8 }
        return packet.isFilled(bytes, byVersion: 6) ? packet : nil
    }
}

extension HeaderWalk {
    /// The same walk, `count` bytes on, with another header.
    func resumed(after count: Int, with header: Header) -> HeaderWalk {
        HeaderWalk(at: offset + count, end: end, captured: captured, next: header)
    }

    /// Whether an IP packet of the version begins here and has the length of all that is left.
    func isFilled(_ bytes: RawSpan, byVersion version: UInt8) -> Bool {
        guard has(version == 6 ? 40 : 20), bytes.u8(offset) >> 4 == version else { return false }
        return end - offset == (version == 6 ? 40 + Int(bytes.be16(offset + 4)) : Int(bytes.be16(offset + 2)))
    }

    /// The IP header to which the walk leads.
    func headerInside(_ bytes: RawSpan) -> InternetHeader? {
        var walk = self
        guard walk.findInternet(bytes) else { return nil }
        return InternetHeader(bytes, walk)
    }
}
