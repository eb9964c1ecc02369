/// Tunnels in UDP whose headers tell what they carry. Each is held against what its header always has, because any
/// datagram may use the port.
extension InternetHeader {
    /// VXLAN-GPE: flags with the network identifier's and version 0, and in the fourth byte what follows if a flag says so.
    /// Packets with the O bit are not the user's.
    static func virtualLANGeneric(_ bytes: RawSpan, _ datagram: HeaderWalk) -> HeaderWalk? {
        guard datagram.has(8) else { return nil }
        let flags = bytes.u8(datagram.offset)
        guard flags & 0x39 == 0x08 else { return nil }
        var inside = datagram.resumed(after: 8, with: .none)
        inside.stepIntoService(flags & 0x04 != 0 ? bytes.u8(datagram.offset + 3) : 3)
        return inside
    }

    /// GRE in UDP (RFC 8086 §4): version 0, of the flags only checksum, key and sequence number.
    static func genericRoutingInDatagram(_ bytes: RawSpan, _ datagram: HeaderWalk) -> HeaderWalk? {
        guard datagram.has(4), bytes.be16(datagram.offset) & 0x4fff == 0 else { return nil }
        return genericRouting(bytes, datagram)
    }

    /// LISP (RFC 9300 §5): flags that do not exclude one another, no encryption, then an IP packet that fills the rest.
    static func locator(_ bytes: RawSpan, _ datagram: HeaderWalk) -> HeaderWalk? {
        guard datagram.has(9) else { return nil }
        let flags = bytes.u8(datagram.offset)
        let hasNonce = flags & 0x80 != 0
        let (asksForNonce, hasMapVersion) = (flags & 0x20 != 0, flags & 0x10 != 0)
        guard flags & 0x07 == 0, !(hasNonce && hasMapVersion), hasNonce || !asksForNonce else { return nil }
        let packet = datagram.resumed(after: 8, with: .internet)
        return packet.isFilled(bytes, byVersion: 4) || packet.isFilled(bytes, byVersion: 6) ? packet : nil
    }

    /// AYIYA: sizes of identity and signature, operation 1 (forward), IP protocol, then an IP packet that fills the rest.
    static func anythingInAnything(_ bytes: RawSpan, _ datagram: HeaderWalk) -> HeaderWalk? {
        let start = datagram.offset
        guard datagram.has(8), bytes.u8(start + 2) & 0x0f == 1 else { return nil }
        let length = 8 + (1 << Int(bytes.u8(start) >> 4)) + Int(bytes.u8(start + 1) >> 4) * 4
        guard datagram.has(length) else { return nil }
        let packet = datagram.resumed(after: length, with: .internet)
        switch bytes.u8(start + 3) {
        case InternetProtocol.version4: return packet.isFilled(bytes, byVersion: 4) ? packet : nil
        case InternetProtocol.version6: return packet.isFilled(bytes, byVersion: 6) ? packet : nil
        default: return nil
        }
    }

    // MARK: CAPWAP

    /// CAPWAP's data (RFC 5415 §4.3) that is neither a keep-alive nor a fragment: 802.3, or 802.11 by its binding.
    static func accessPoint(_ bytes: RawSpan, _ datagram: HeaderWalk) -> HeaderWalk? {
        guard let length = accessPointHeader(bytes, datagram) else { return nil }
        let flags = bytes.be16(datagram.offset + 2)
        guard flags & 0x0088 == 0 else { return nil }
        guard flags & 0x0100 != 0 else { return datagram.resumed(after: length, with: .ethernet) }
        let binding = bytes.u8(datagram.offset + 2) >> 1 & 0x1f
        guard binding == 1 else { return nil }
        var inside = datagram.resumed(after: length, with: .wireless)
        inside.mayBeSwapped = true
        return inside
    }

    static func isAccessPointFragment(_ bytes: RawSpan, _ datagram: HeaderWalk) -> Bool {
        accessPointHeader(bytes, datagram) != nil && bytes.be16(datagram.offset + 2) & 0x0088 == 0x0080
    }

    /// Length of the header; nil where it is none: version 0, in clear text, 8 bytes at least.
    ///
    ///     version (4) type (4)  length (5) radio (5) binding (5)  T F L W M K reserved (3)
    ///     fragment (16)  offset (13) reserved (3)  radio's address and wireless information if W and M say so
    private static func accessPointHeader(_ bytes: RawSpan, _ datagram: HeaderWalk) -> Int? {
        guard datagram.has(8), bytes.u8(datagram.offset) == 0 else { return nil }
        let length = Int(bytes.u8(datagram.offset + 1) >> 3) * 4
        return length >= 8 && datagram.has(length) ? length : nil
    }
}
