/// IEEE 802.11 frames and the headers that capture tools put before them.
extension HeaderWalk {
    /// A data frame (IEEE 802.11 §9.3.2) with LLC inside. Protected, fragmented and aggregated frames are opaque.
    mutating func stepWireless(_ bytes: RawSpan) {
        guard has(2) else { return }
        var (kind, flags) = (bytes.u8(offset), bytes.u8(offset + 1))
        if mayBeSwapped, kind & 0x4f != 0x08 { swap(&kind, &flags) }
        isLinkControl = LinkControl.has(wireless: kind)
        // Type 2, subtype without the "no data" bit; neither protected nor one of several fragments.
        guard has(24), kind & 0x4f == 0x08, flags & 0x44 == 0, bytes.u8(offset + 22) & 0x0f == 0 else { return }
        var length = 24
        if flags & 0x03 == 0x03 { length += 6 }
        if kind & 0x80 != 0 {
            guard has(length + 2), bytes.u8(offset + length) & 0x80 == 0 else { return }
            length += 2
            if flags & 0x80 != 0 { length += 4 }
        }
        if isWirelessHeaderPadded { length = (length + 3) & ~3 }
        guard has(length) else { return }
        offset += length
        next = .logicalLink
    }

    /// Radiotap: version, padding, length, presence words, fields. The flags field says whether a frame check
    /// sequence follows the frame and whether its header is padded to a multiple of four.
    mutating func stepRadiotap(_ bytes: RawSpan) {
        guard has(8), bytes.u8(offset) == 0 else { return }
        let start = offset
        let length = Int(bytes.le16(start + 2))
        guard length >= 8, skipPseudo(length) else { return }
        next = .wireless
        let present = bytes.le32(start + 4)
        var field = 8
        var word = present
        while word & 0x8000_0000 != 0 {
            guard field + 4 <= length else { return }
            word = bytes.le32(start + field)
            field += 4
        }
        if present & 0x01 != 0 { field = (field + 7) & ~7 + 8 }
        if present & 0x02 != 0, field < length { setWirelessFlags(bytes.u8(start + field)) }
    }

    private mutating func setWirelessFlags(_ flags: UInt8) {
        if flags & 0x10 != 0 { claimWirelessTrailer() }
        isWirelessHeaderPadded = flags & 0x20 != 0
    }

    /// A capture header says that the frame check sequence is there; the capture file may have said so already.
    mutating func claimWirelessTrailer() {
        trailer = max(trailer, min(4, end - offset))
    }

    /// Prism: message code and message length in the capturing host's byte order. Some drivers put AVS in its place.
    mutating func stepPrism(_ bytes: RawSpan) {
        guard has(8) else { return }
        if bytes.be32(offset) >> 12 == 0x80211 {
            stepAVS(bytes)
            return
        }
        let length = Int(min(bytes.le32(offset + 4), bytes.be32(offset + 4)))
        guard (8...4096).contains(length), skipPseudo(length) else { return }
        next = .wireless
    }

    /// AVS: version and length, most significant byte first.
    mutating func stepAVS(_ bytes: RawSpan) {
        guard has(8) else { return }
        let length = Int(bytes.be32(offset + 4))
        guard (8...4096).contains(length), skipPseudo(length) else { return }
        next = .wireless
    }
}
