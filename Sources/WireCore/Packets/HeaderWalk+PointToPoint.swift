/// Link headers of serial lines, access networks and label switching.
extension HeaderWalk {
    /// PPP (RFC 1661 §2), with or without address and control field (RFC 1662 §3.1).
    mutating func stepPointToPoint(_ bytes: RawSpan) {
        if has(2), bytes.be16(offset) == 0xff03 { offset += 2 }
        guard has(1) else { return }
        var protocolNumber = UInt16(bytes.u8(offset))
        if protocolNumber & 1 != 0 {
            // Protocol field compression: an odd first byte is the whole field.
            offset += 1
        } else {
            guard has(2) else { return }
            protocolNumber = bytes.be16(offset)
            offset += 2
        }
        switch protocolNumber {
        case 0x0021, 0x0057: next = .internet
        case 0x0281, 0x0283: next = .mpls
        default: isLinkControl = LinkControl.has(pointToPoint: protocolNumber)
        }
    }

    /// PPP in HDLC-like framing, or Cisco HDLC on the same line.
    mutating func stepPointToPointHDLC(_ bytes: RawSpan) {
        guard has(2) else { return }
        let address = bytes.u8(offset)
        if address == 0x0f || address == 0x8f { stepCiscoHDLC(bytes) } else { next = .ppp }
    }

    /// Address, control, and an Ethernet type.
    mutating func stepCiscoHDLC(_ bytes: RawSpan) {
        guard has(4) else { return }
        let type = bytes.be16(offset + 2)
        offset += 4
        next = .etherType(type)
    }

    /// PPPoE session (RFC 2516 §4): version and type, code 0, session, length.
    mutating func stepSession(_ bytes: RawSpan) {
        guard has(6), bytes.be16(offset) == 0x1100 else { return }
        let length = Int(bytes.be16(offset + 4))
        offset += 6
        // A super-segment may have been captured before it got a length.
        if length >= 2 { narrow(to: length) }
        next = .ppp
    }

    /// Frame Relay (RFC 2427): an address of two to four bytes, then control and NLPID, or an Ethernet type as Cisco
    /// puts it.
    mutating func stepFrameRelay(_ bytes: RawSpan) {
        var addressLength = 0
        repeat {
            guard addressLength < 4, has(addressLength + 1) else { return }
            addressLength += 1
        } while bytes.u8(offset + addressLength - 1) & 1 == 0
        offset += addressLength
        guard addressLength >= 2, has(2) else { return }
        guard bytes.u8(offset) == 0x03 else {
            let type = bytes.be16(offset)
            offset += 2
            next = .etherType(type)
            return
        }
        offset += 1
        if bytes.u8(offset) == 0, has(2) { offset += 1 }
        switch bytes.u8(offset) {
        case 0xcc, 0x8e:
            offset += 1
            next = .internet
        case 0xcf:
            offset += 1
            next = .ppp
        case 0x80:
            guard has(6), bytes.be32(offset) == 0x8000_0000 else { return }
            let type = bytes.be16(offset + 4)
            offset += 6
            next = .etherType(type)
        default:
            break
        }
    }

    /// MPLS labels (RFC 3032 §2.1) to the bottom of the stack. Nothing says what follows; its first nibble is 4 or 6
    /// for IP, 0 for the control word of a pseudowire (RFC 4385 §3), anything for Ethernet without one.
    mutating func stepLabels(_ bytes: RawSpan) {
        var isBottom = false
        while !isBottom {
            guard has(4) else { return }
            isBottom = bytes.u8(offset + 2) & 1 != 0
            offset += 4
        }
        guard has(1) else { return }
        let nibble = bytes.u8(offset) >> 4
        if nibble == 4 || nibble == 6 {
            next = .internet
        } else if nibble == 0, announcesInternet(bytes, ethernetAt: 4) {
            offset += 4
            next = .ethernet
        } else if announcesInternet(bytes, ethernetAt: 0) {
            next = .ethernet
        }
    }

    /// Whether an Ethernet header so many bytes on has a type with which IP may follow.
    private func announcesInternet(_ bytes: RawSpan, ethernetAt distance: Int) -> Bool {
        guard has(distance + 14) else { return false }
        let type = bytes.be16(offset + distance + 12)
        switch type {
        case EtherType.version4, EtherType.version6, EtherType.mpls, EtherType.pppoeSession: return true
        default: return EtherType.isVirtualLAN(type)
        }
    }
}
