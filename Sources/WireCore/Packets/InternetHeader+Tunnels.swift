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
    }

    /// Whether a UDP datagram with these ports, the source's in the upper half, may hold an IP packet.
    static func mayTunnel(ports: UInt32) -> Bool {
        let source = UInt16(truncatingIfNeeded: ports >> 16)
        switch UInt16(truncatingIfNeeded: ports) {
        case TunnelPort.virtualLAN, TunnelPort.virtualLANLinux, TunnelPort.geneve, TunnelPort.mobileUser,
            TunnelPort.teredo:
            return true
        default:
            return source == TunnelPort.mobileUser || source == TunnelPort.teredo
        }
    }

    private func headerInDatagram(_ bytes: RawSpan, _ content: HeaderWalk) -> InternetHeader? {
        guard content.has(16), Self.mayTunnel(ports: bytes.be32(content.offset)) else { return nil }
        let destination = bytes.be16(content.offset + 2)
        let source = bytes.be16(content.offset)
        var datagram = content
        let length = Int(bytes.be16(content.offset + 4))
        if length >= 8 { datagram.narrow(to: length) }
        datagram.offset += 8
        let inside: HeaderWalk?
        switch (source, destination) {
        case (_, TunnelPort.virtualLAN), (_, TunnelPort.virtualLANLinux): inside = Self.virtualLAN(bytes, datagram)
        case (_, TunnelPort.geneve): inside = Self.geneve(bytes, datagram)
        case (_, TunnelPort.mobileUser), (TunnelPort.mobileUser, _): inside = Self.mobileUser(bytes, datagram)
        case (_, TunnelPort.teredo), (TunnelPort.teredo, _): inside = Self.teredo(bytes, datagram)
        default: return nil
        }
        guard let inner = inside?.headerInside(bytes) else { return nil }
        // Any datagram may use these ports: only lengths that agree prove a tunnel.
        guard !inner.lengthFromFrame || lengthFromFrame, !inner.lengthBeyondFrame || lengthBeyondFrame else {
            return nil
        }
        return inner
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
        guard packet.has(40), bytes.u8(packet.offset) >> 4 == 6,
            packet.offset + 40 + Int(bytes.be16(packet.offset + 4)) == packet.end
        else { return nil }
        return packet
    }

    // MARK: GRE

    /// GRE (RFC 2784, 2890; with routing RFC 1701) and its version 1 for PPTP (RFC 2637 §4.1).
    private static func genericRouting(_ bytes: RawSpan, _ content: HeaderWalk) -> HeaderWalk? {
        guard content.has(4) else { return nil }
        let flags = bytes.be16(content.offset)
        let type = bytes.be16(content.offset + 2)
        let version = flags & 0x0007
        let holdsSequence = flags & 0x1000 != 0
        var length = 4
        if flags & 0xc000 != 0 { length += 4 }
        if flags & 0x2000 != 0 { length += 4 }
        if holdsSequence { length += 4 }
        if version == 1, flags & 0x0080 != 0 { length += 4 }
        if flags & 0x4000 != 0 {
            guard let routing = routingLength(bytes, content, after: length) else { return nil }
            length += routing
        }
        guard version <= 1, content.has(length) else { return nil }
        switch type {
        case 0x88be:
            // ERSPAN: type I has neither sequence number nor header of its own, type II has both.
            return content.resumed(after: length + (holdsSequence ? 8 : 0), with: .ethernet)
        case 0x22eb:
            // ERSPAN type III: twelve bytes, eight more if the last bit says so.
            guard content.has(length + 12) else { return nil }
            let holdsMore = bytes.u8(content.offset + length + 11) & 1 != 0
            return content.resumed(after: length + (holdsMore ? 20 : 12), with: .ethernet)
        case 0x883e:
            // Web cache redirection: four bytes from WCCP version 2 on, then IP.
            guard content.has(length + 1) else { return nil }
            let holdsIP = bytes.u8(content.offset + length) >> 4 == 4
            return content.resumed(after: length + (holdsIP ? 0 : 4), with: .internet)
        default:
            return content.resumed(after: length, with: .etherType(type))
        }
    }

    /// Length of GRE's source routes: each has four bytes and what its last byte says; an empty one ends them.
    private static func routingLength(_ bytes: RawSpan, _ content: HeaderWalk, after start: Int) -> Int? {
        var length = 0
        while content.has(start + length + 4) {
            let route = bytes.be32(content.offset + start + length)
            length += 4
            if route == 0 { return length }
            length += Int(route & 0xff)
        }
        return nil
    }
}

extension HeaderWalk {
    /// The same walk, `count` bytes on, with another header.
    func resumed(after count: Int, with header: Header) -> HeaderWalk {
        HeaderWalk(at: offset + count, end: end, captured: captured, next: header)
    }

    /// The IP header to which the walk leads.
    func headerInside(_ bytes: RawSpan) -> InternetHeader? {
        var walk = self
        guard walk.findInternet(bytes) else { return nil }
        return InternetHeader(bytes, walk)
    }
}
