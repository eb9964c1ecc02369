/// GRE, and what it carries beside Ethernet types.
extension InternetHeader {
    /// GRE (RFC 2784, 2890; with routing RFC 1701) and its version 1 for PPTP (RFC 2637 §4.1).
    static func genericRouting(_ bytes: RawSpan, _ content: HeaderWalk) -> HeaderWalk? {
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
        let carried = content.resumed(after: length, with: .etherType(type))
        switch type {
        case 0x88be: return mirroredPort(bytes, carried, isNumbered: holdsSequence)
        case 0x22eb: return mirroredPort3(bytes, carried)
        case 0x883e:
            // Web cache redirection: four bytes from WCCP version 2 on, then IP.
            guard content.has(length + 1) else { return nil }
            let holdsIP = bytes.u8(content.offset + length) >> 4 == 4
            return content.resumed(after: length + (holdsIP ? 0 : 4), with: .internet)
        case _ where isWireless(type):
            return carried.resumed(after: 0, with: .wireless)
        default:
            return carried
        }
    }

    /// Types under which Aruba's access points send 802.11: 0x8200 to 0x83f0 in steps of sixteen, and another.
    private static func isWireless(_ type: UInt16) -> Bool { type & 0xfe0f == 0x8200 || type == 0x9000 }

    /// ERSPAN: type I has neither a sequence number nor a header of its own; type II has both, with version 1.
    private static func mirroredPort(_ bytes: RawSpan, _ content: HeaderWalk, isNumbered: Bool) -> HeaderWalk? {
        guard isNumbered else { return content.resumed(after: 0, with: .ethernet) }
        guard content.has(8), bytes.u8(content.offset) >> 4 == 1 else { return nil }
        return content.resumed(after: 8, with: .ethernet)
    }

    /// ERSPAN type III: version 2, twelve bytes, the kind of frame in five bits, eight bytes more if the last bit says so.
    private static func mirroredPort3(_ bytes: RawSpan, _ content: HeaderWalk) -> HeaderWalk? {
        guard content.has(12), bytes.u8(content.offset) >> 4 == 2 else { return nil }
        let length = bytes.u8(content.offset + 11) & 1 != 0 ? 20 : 12
        guard content.has(length) else { return nil }
        switch bytes.u8(content.offset + 10) >> 2 & 0x1f {
        case 0: return content.resumed(after: length, with: .ethernet)
        case 2: return content.resumed(after: length, with: .internet)
        default: return nil
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
