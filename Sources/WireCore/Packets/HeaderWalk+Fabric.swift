/// Tags that switches put behind the Ethernet addresses, and the header of service chains.
extension HeaderWalk {
    /// `length` bytes of tag, then the next type, or a length.
    mutating func stepTag(_ bytes: RawSpan, length: Int) {
        guard has(length + 2) else { return }
        let inner = bytes.be16(offset + length)
        offset += length + 2
        next = inner >= 0x0600 ? .etherType(inner) : .logicalLink
    }

    /// Cisco's metadata with a security group: version 1, length in words, an option with the group, then the next type.
    mutating func stepCiscoMetadata(_ bytes: RawSpan) {
        guard has(8), bytes.be16(offset) == 0x0101 else { return }
        stepTag(bytes, length: 6)
    }

    /// VN-tag: direction and destination, then two bits of version, which is 0, and the source.
    mutating func stepVirtualNetworkTag(_ bytes: RawSpan) {
        guard has(6), bytes.u8(offset + 2) & 0x30 == 0 else { return }
        stepTag(bytes, length: 4)
    }

    /// Network Service Header (RFC 8300 §2): version, flags and length in words, kind of metadata, what follows. Packets
    /// with the O bit are not the user's.
    mutating func stepServiceHeader(_ bytes: RawSpan) {
        guard has(8) else { return }
        let base = bytes.be16(offset)
        let length = Int(base & 0x3f) * 4
        guard base & 0xe000 == 0, has(length) else { return }
        switch bytes.u8(offset + 2) & 0x0f {
        case 1: guard length == 24 else { return }
        case 2: guard length >= 8 else { return }
        default: return
        }
        let following = bytes.u8(offset + 3)
        offset += length
        stepIntoService(following)
    }

    /// What NSH and VXLAN-GPE announce by the same small numbers (RFC 8300 §2.2).
    mutating func stepIntoService(_ number: UInt8) {
        switch number {
        case 1, 2: next = .internet
        case 3: next = .ethernet
        case 4: next = .serviceHeader
        case 5: next = .mpls
        default: break
        }
    }
}
