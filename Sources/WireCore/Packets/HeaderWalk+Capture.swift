/// The first header of a frame, by link type.
extension HeaderWalk {
    mutating func stepIntoFrame(_ bytes: RawSpan, _ linkType: LinkType) {
        switch linkType {
        case .ethernet: next = .ethernet
        case .raw, .rawBSD, .rawOpenBSD, .version4, .version6: next = .internet
        case .null, .loop: stepLoopback(bytes)
        case .cooked: stepCooked(bytes)
        case .cooked2: stepCooked2(bytes)
        case .pktap: stepProcessTap(bytes)
        case .user2 where looksLikeProcessTap(bytes): stepProcessTap(bytes)
        case .perPacketInformation: stepPerPacketInformation(bytes)
        case .ieee80211: next = .wireless
        case .radiotap: stepRadiotap(bytes)
        case .prism: stepPrism(bytes)
        case .avs: stepAVS(bytes)
        default: stepIntoRareFrame(bytes, linkType)
        }
    }

    private mutating func stepIntoRareFrame(_ bytes: RawSpan, _ linkType: LinkType) {
        switch linkType {
        case .ppp: next = .ppp
        case .pppHDLC: stepPointToPointHDLC(bytes)
        case .pppDirectionInAddress: skipHeader(2, then: .ppp)
        case .pppWithDirection: if skipPseudo(1) { next = .ppp }
        case .pppoe: next = .pppoe
        case .ciscoHDLC: stepCiscoHDLC(bytes)
        case .frameRelay: stepFrameRelay(bytes)
        case .mpls: next = .mpls
        case .atmRFC1483: next = .logicalLink
        case .tokenRing: stepTokenRing(bytes)
        case .fddi: skipHeader(13, then: .logicalLink)
        case .sunATM: stepSunATM(bytes)
        case .slip: if skipPseudo(16) { next = .internet }
        case .enc: if skipPseudo(12) { next = .internet }
        case .solarisIPNet: if skipPseudo(24) { next = .internet }
        case .packetFilterLog: stepPacketFilterLog(bytes)
        case .netfilterLog: stepNetfilterLog(bytes)
        case .infiniBand: stepInfiniBand(bytes)
        case .juniperEthernet: stepJuniperEthernet(bytes)
        case .broadcomTag, .marvellTag: stepTaggedEthernet(bytes, tagLength: 4)
        case .marvellTypedTag: stepTaggedEthernet(bytes, tagLength: 8)
        case .broadcomTagFirst: skipHeader(4, then: .ethernet)
        default: break
        }
    }

    private mutating func skipHeader(_ count: Int, then header: Header) {
        guard has(count) else { return }
        offset += count
        next = header
    }

    // MARK: Cooked and loopback

    /// Packet type, ARPHRD type, address length, address, protocol.
    private mutating func stepCooked(_ bytes: RawSpan) {
        guard skipPseudo(16) else { return }
        setCooked(bytes, protocolNumber: bytes.be16(offset - 2), hardware: bytes.be16(offset - 14))
    }

    /// Protocol, reserved, interface index, ARPHRD type, packet type, address length, address.
    private mutating func stepCooked2(_ bytes: RawSpan) {
        guard skipPseudo(20) else { return }
        interfaceIndex = bytes.be32(offset - 16)
        setCooked(bytes, protocolNumber: bytes.be16(offset - 20), hardware: bytes.be16(offset - 12))
    }

    private mutating func setCooked(_ bytes: RawSpan, protocolNumber: UInt16, hardware: UInt16) {
        switch hardware {
        case 824: isLinkControl = true  // netlink: the field is a netlink family
        case 803: next = .capture(.radiotap)
        default: next = protocolNumber == 4 ? .logicalLink : .etherType(protocolNumber)
        }
    }

    /// An address family.
    private mutating func stepLoopback(_ bytes: RawSpan) {
        guard skipPseudo(4) else { return }
        if PacketDecoder.isInternetFamily(bytes, at: offset - 4) { next = .internet }
    }

    // MARK: Headers that name a link type

    /// PKTAP, all numbers least significant byte first: length (0), type (4), link type (8), interface name (12),
    /// flags, protocol family, lengths before and after the frame, processes (52).
    private mutating func stepProcessTap(_ bytes: RawSpan) {
        guard has(76) else { return }
        let start = offset
        let length = Int(bytes.le32(start))
        let holdsPacket = bytes.le32(start + 4) == 1
        let inner = LinkType(rawValue: bytes.le32(start + 8))
        guard length >= 76, skipPseudo(length) else { return }
        (processCarrier, processOffset) = (.tap, start)
        if holdsPacket { next = .capture(inner) } else { isLinkControl = true }
    }

    private func looksLikeProcessTap(_ bytes: RawSpan) -> Bool {
        has(76) && (76...1024).contains(bytes.le32(offset)) && bytes.le32(offset + 4) <= 1
            && bytes.le32(offset + 8) < 512
    }

    /// PPI: version, flags, length, link type, then typed fields. Field 2 (802.11 common) says after eight bytes of
    /// time whether a frame check sequence is there.
    private mutating func stepPerPacketInformation(_ bytes: RawSpan) {
        guard has(8) else { return }
        let start = offset
        let length = Int(bytes.le16(start + 2))
        let inner = LinkType(rawValue: bytes.le32(start + 4))
        guard length >= 8, skipPseudo(length) else { return }
        next = .capture(inner)
        var field = start + 8
        while field + 4 <= start + length {
            let size = Int(bytes.le16(field + 2))
            if bytes.le16(field) == 2, size >= 10, field + 14 <= start + length, bytes.le16(field + 12) & 1 != 0 {
                claimWirelessTrailer()
            }
            field += 4 + size
        }
    }

    // MARK: Logs

    /// OpenBSD's pf log: its length, which does not count the padding to a multiple of four, then address family.
    private mutating func stepPacketFilterLog(_ bytes: RawSpan) {
        guard has(1) else { return }
        let length = (Int(bytes.u8(offset)) + 3) & ~3
        if length >= 48, skipPseudo(length) { next = .internet }
    }

    /// Family, version, resource, then type-length-value fields in the byte order of the capturing host; field 9
    /// holds the packet.
    private mutating func stepNetfilterLog(_ bytes: RawSpan) {
        guard has(8), bytes.u8(offset + 1) == 0 else { return }
        // A length is small, so its most significant byte is the lesser one.
        let isLittle = bytes.le16(offset + 4) <= bytes.be16(offset + 4)
        var field = offset + 4
        while field + 4 <= min(captured, end) {
            let size = Int(isLittle ? bytes.le16(field) : bytes.be16(field))
            let type = (isLittle ? bytes.le16(field + 2) : bytes.be16(field + 2)) & 0x7fff
            guard size >= 4 else { return }
            if type == 9 {
                if skipPseudo(field + 4 - offset) { next = .internet }
                return
            }
            field += (size + 3) & ~3
        }
    }

    // MARK: Rare media

    /// Access control, frame control, two addresses, a source route if the source address says so, then LLC.
    private mutating func stepTokenRing(_ bytes: RawSpan) {
        guard has(15) else { return }
        let routeLength = bytes.u8(offset + 8) & 0x80 != 0 ? Int(bytes.u8(offset + 14) & 0x1f) : 0
        skipHeader(14 + routeLength, then: .logicalLink)
    }

    /// Flags, VPI, VCI. The low nibble of the flags is 2 for LLC, 1 for an emulated Ethernet.
    private mutating func stepSunATM(_ bytes: RawSpan) {
        guard skipPseudo(4) else { return }
        switch bytes.u8(offset - 4) & 0x0f {
        case 1: skipHeader(2, then: .ethernet)
        case 2: next = .logicalLink
        default: break
        }
    }

    /// Forty bytes of addresses, an Ethernet type, two reserved bytes (RFC 4391 §6).
    private mutating func stepInfiniBand(_ bytes: RawSpan) {
        guard has(44) else { return }
        let type = bytes.be16(offset + 40)
        offset += 44
        next = .etherType(type)
    }

    /// "MGC", flags, and extensions with their length if bit 7 is set. Bit 1 says that no link header follows.
    private mutating func stepJuniperEthernet(_ bytes: RawSpan) {
        guard has(6), bytes.be32(offset) >> 8 == 0x4d4743 else { return }
        let flags = bytes.u8(offset + 3)
        let length = flags & 0x80 != 0 ? 6 + Int(bytes.be16(offset + 4)) : 4
        if skipPseudo(length) { next = flags & 0x02 != 0 ? .internet : .ethernet }
    }
}
