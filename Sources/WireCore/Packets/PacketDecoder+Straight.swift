/// The straight path: whole and ordinary packets, decoded with a few guards and no loop. Whatever is out of the
/// ordinary makes a guard fail, and the packet goes the way step by step.
extension PacketDecoder {
    /// IPv4 without options or fragmentation, then TCP, every header captured and every length sound; false
    /// otherwise, with nothing stored. The caller knows of 40 captured bytes at `start`.
    @inline(__always)
    func decodeStraightVersion4(
        _ bytes: RawSpan, at start: Int, _ original: Int, pseudo: Int = 0, into packet: inout DecodedPacket
    ) -> Bool {
        let lengths = bytes.be64(start)
        let addressing = bytes.be64(start + 8)
        // Version 4, header of five words; neither a fragment offset nor more fragments.
        guard lengths & 0xff00_0000_0000_3fff == 0x4500_0000_0000_0000,
            addressing & 0x00ff_0000_0000_0000 == 0x0006_0000_0000_0000
        else { return false }
        let total = Int(lengths >> 32 & 0xffff)
        let control = bytes.be32(start + 32)
        let transport = Int(control >> 28) << 2
        let payloadOffset = start &+ 20 &+ transport
        guard transport >= 20, 20 &+ transport <= total, start &+ total <= original,
            payloadOffset <= bytes.byteCount
        else { return false }
        let ports = bytes.be64(start + 16)
        packet.source = IPAddress(version4: UInt32(truncatingIfNeeded: addressing))
        packet.destination = IPAddress(version4: UInt32(truncatingIfNeeded: ports >> 32))
        packet.identification = UInt32(truncatingIfNeeded: lengths >> 16 & 0xffff)
        packet.hopLimit = UInt8(truncatingIfNeeded: addressing >> 56)
        packet.network = 20
        setStraight(
            bytes, start: start, transportOffset: start &+ 20, payloadOffset: payloadOffset,
            total: total, original: original, pseudo: pseudo, control: control,
            ports: UInt32(truncatingIfNeeded: ports), into: &packet)
        return true
    }

    /// IPv6 without extension headers, then TCP, every header captured and every length sound; false otherwise,
    /// with nothing stored. The caller knows of 40 captured bytes at `start`.
    @inline(__always)
    func decodeStraightVersion6(
        _ bytes: RawSpan, at start: Int, _ original: Int, pseudo: Int = 0, into packet: inout DecodedPacket
    ) -> Bool {
        guard bytes.byteCount >= start &+ 60 else { return false }
        let first = bytes.be64(start)
        // Version 6, next header TCP.
        guard first & 0xf000_0000_0000_ff00 == 0x6000_0000_0000_0600 else { return false }
        let total = 40 &+ Int(first >> 16 & 0xffff)
        let control = bytes.be32(start + 52)
        let transport = Int(control >> 28) << 2
        let payloadOffset = start &+ 40 &+ transport
        guard transport >= 20, 40 &+ transport <= total, start &+ total <= original,
            payloadOffset <= bytes.byteCount
        else { return false }
        packet.source = IPAddress(high: bytes.be64(start + 8), low: bytes.be64(start + 16), isVersion6: true)
        packet.destination = IPAddress(high: bytes.be64(start + 24), low: bytes.be64(start + 32), isVersion6: true)
        packet.identification = 0
        packet.hopLimit = UInt8(truncatingIfNeeded: first)
        packet.network = 40
        setStraight(
            bytes, start: start, transportOffset: start &+ 40, payloadOffset: payloadOffset,
            total: total, original: original, pseudo: pseudo, control: control,
            ports: bytes.be32(start + 40), into: &packet)
        return true
    }

    /// Stores what both straight paths have in common.
    @inline(__always)
    private func setStraight(
        _ bytes: RawSpan, start: Int, transportOffset: Int, payloadOffset: Int, total: Int, original: Int,
        pseudo: Int, control: UInt32, ports: UInt32, into packet: inout DecodedPacket
    ) {
        let numbers = bytes.be64(transportOffset + 4)
        let payload = start &+ total &- payloadOffset
        packet.kind = .tcp
        packet.pseudo = pseudo
        packet.link = original &- total &- pseudo
        packet.tunnel = 0
        packet.transport = payloadOffset &- transportOffset
        packet.payload = payload
        packet.protocolNumber = InternetProtocol.tcp
        packet.networkOffset = start
        packet.transportOffset = transportOffset
        packet.payloadOffset = payloadOffset
        packet.payloadCaptured = min(payload, bytes.byteCount &- payloadOffset)
        packet.fragmentOffset = 0
        packet.moreFragments = false
        packet.sourcePort = UInt16(truncatingIfNeeded: ports >> 16)
        packet.destinationPort = UInt16(truncatingIfNeeded: ports)
        packet.sequence = UInt32(truncatingIfNeeded: numbers >> 32)
        packet.acknowledgment = UInt32(truncatingIfNeeded: numbers)
        packet.flags = TCPFlags(rawValue: UInt8(truncatingIfNeeded: control >> 16))
        packet.window = UInt16(truncatingIfNeeded: control)
        packet.interfaceIndex = 0
        packet.processCarrier = .none
        packet.processOffset = 0
        packet.oddities = []
    }
}

// MARK: - Other links and UDP

extension PacketDecoder {
    /// Takes the straight path behind VLAN tags, cooked and loopback headers and without any, and for UDP; false
    /// otherwise, with nothing stored.
    func decodeStraight(
        _ bytes: RawSpan, _ linkType: LinkType, _ original: Int, into packet: inout DecodedPacket
    ) -> Bool {
        guard let start = Self.internetOffset(bytes, linkType), start + 40 <= bytes.byteCount else { return false }
        let pseudo = linkType == .ethernet ? 0 : start
        let isDecoded: Bool
        switch bytes.u8(start) >> 4 {
        case 4:
            isDecoded =
                decodeStraightVersion4(bytes, at: start, original, pseudo: pseudo, into: &packet)
                || decodeDatagramVersion4(bytes, at: start, original, pseudo: pseudo, into: &packet)
        case 6:
            isDecoded =
                decodeStraightVersion6(bytes, at: start, original, pseudo: pseudo, into: &packet)
                || decodeDatagramVersion6(bytes, at: start, original, pseudo: pseudo, into: &packet)
        default:
            isDecoded = false
        }
        if isDecoded, linkType == .cooked2 { packet.interfaceIndex = bytes.be32(4) }
        return isDecoded
    }

    /// Where IP begins behind the commonest headers.
    private static func internetOffset(_ bytes: RawSpan, _ linkType: LinkType) -> Int? {
        var offset: Int
        switch linkType {
        case .raw: return 0
        case .null where bytes.byteCount >= 4: return isInternetFamily(bytes, at: 0) ? 4 : nil
        case .cooked where bytes.byteCount >= 16: offset = 14
        case .cooked2 where bytes.byteCount >= 20:
            return isInternetType(bytes.be16(0)) && bytes.be16(8) < 800 ? 20 : nil
        case .ethernet where bytes.byteCount >= 14 + 3 * 4:
            offset = 12
            while offset < 12 + 3 * 4, EtherType.isVirtualLAN(bytes.be16(offset)) { offset += 4 }
        default: return nil
        }
        return isInternetType(bytes.be16(offset)) ? offset + 2 : nil
    }

    private static func isInternetType(_ type: UInt16) -> Bool {
        type == EtherType.version4 || type == EtherType.version6
    }

    /// Whether the loopback header's address family, in either byte order, is one of IP; systems number IPv6
    /// differently.
    static func isInternetFamily(_ bytes: RawSpan, at offset: Int) -> Bool {
        switch min(bytes.le32(offset), bytes.be32(offset)) {
        case 2, 10, 24, 28, 30: true
        default: false
        }
    }

    /// IPv4 without options or fragmentation, then UDP to and from ports without a tunnel.
    @inline(never)
    func decodeDatagramVersion4(
        _ bytes: RawSpan, at start: Int, _ original: Int, pseudo: Int = 0, into packet: inout DecodedPacket
    ) -> Bool {
        let lengths = bytes.be64(start)
        let total = Int(lengths >> 32 & 0xffff)
        guard lengths & 0xff00_0000_0000_3fff == 0x4500_0000_0000_0000, bytes.u8(start + 9) == InternetProtocol.udp,
            total >= 28, start + total <= original, !InternetHeader.mayTunnel(ports: bytes.be32(start + 20))
        else { return false }
        packet = DecodedPacket()
        packet.source = IPAddress(version4: bytes.be32(start + 12))
        packet.destination = IPAddress(version4: bytes.be32(start + 16))
        packet.identification = UInt32(truncatingIfNeeded: lengths >> 16 & 0xffff)
        packet.hopLimit = bytes.u8(start + 8)
        packet.network = 20
        setDatagram(bytes, start: start, total: total, original: original, pseudo: pseudo, into: &packet)
        return true
    }

    /// IPv6 without extension headers, then UDP to and from ports without a tunnel.
    @inline(never)
    func decodeDatagramVersion6(
        _ bytes: RawSpan, at start: Int, _ original: Int, pseudo: Int = 0, into packet: inout DecodedPacket
    ) -> Bool {
        guard bytes.byteCount >= start + 48, bytes.u8(start) >> 4 == 6,
            bytes.u8(start + 6) == InternetProtocol.udp
        else { return false }
        let total = 40 + Int(bytes.be16(start + 4))
        guard total >= 48, start + total <= original, !InternetHeader.mayTunnel(ports: bytes.be32(start + 40)) else {
            return false
        }
        packet = DecodedPacket()
        packet.source = IPAddress(high: bytes.be64(start + 8), low: bytes.be64(start + 16), isVersion6: true)
        packet.destination = IPAddress(high: bytes.be64(start + 24), low: bytes.be64(start + 32), isVersion6: true)
        packet.hopLimit = bytes.u8(start + 7)
        packet.network = 40
        setDatagram(bytes, start: start, total: total, original: original, pseudo: pseudo, into: &packet)
        return true
    }

    private func setDatagram(
        _ bytes: RawSpan, start: Int, total: Int, original: Int, pseudo: Int, into packet: inout DecodedPacket
    ) {
        let transportOffset = start + packet.network
        packet.kind = .udp
        packet.pseudo = pseudo
        packet.link = original - total - pseudo
        packet.transport = 8
        packet.payload = total - packet.network - 8
        packet.protocolNumber = InternetProtocol.udp
        packet.networkOffset = start
        packet.transportOffset = transportOffset
        packet.payloadOffset = transportOffset + 8
        packet.payloadCaptured = min(packet.payload, bytes.byteCount - packet.payloadOffset)
        packet.sourcePort = bytes.be16(transportOffset)
        packet.destinationPort = bytes.be16(transportOffset + 2)
    }
}
