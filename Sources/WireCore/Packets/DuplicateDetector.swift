/// Recognises a frame that was captured a second time: at another interface, on a bridge, at a mirror port.
///
/// Proof is demanded (ByteLedger.md §2.4): equal from the IP header on, but for hop limit and checksums, within 5 ms,
/// and either the same non-zero IPv4 identification or another capture interface. Equal content alone proves nothing. The
/// content is compared by a digest of the header fields and of up to nine words spread over the payload.
struct DuplicateDetector: ~Copyable {
    struct Entry {
        var digest: UInt64 = 0
        var time: Int64 = .min
        var interface: UInt64 = 0
    }

    private static let window: Int64 = 5_000_000
    private static let slotCount = 4096
    private var entries = UnsafeSlab<Entry>(capacity: slotCount)

    init() {
        for _ in 0..<DuplicateDetector.slotCount { entries.append(Entry()) }
    }

    /// What speaks for a packet being the copy of an earlier one.
    enum Judgment {
        /// Nothing: it is not equal to a recent one, or there is no proof.
        case first
        /// Equal, and seen at another interface.
        case otherInterface
        /// Equal, with the same non-zero identification: proof if its sender numbers its packets.
        case sameIdentification
    }

    /// Judges a packet; remembers it if it is no copy.
    @inline(__always)
    mutating func judge(_ packet: DecodedPacket, _ bytes: RawSpan, _ frame: CaptureFrame) -> Judgment {
        let digest = DuplicateDetector.digest(packet, bytes)
        let interface = UInt64(truncatingIfNeeded: frame.interface) << 32 | UInt64(packet.interfaceIndex)
        let slot = Int(truncatingIfNeeded: digest >> 40) & (DuplicateDetector.slotCount - 1)
        let entry = entries[slot]
        if entry.digest == digest, frame.time >= entry.time, frame.time &- entry.time <= DuplicateDetector.window {
            if entry.interface != interface { return .otherInterface }
            if packet.identification != 0, !packet.source.isVersion6 { return .sameIdentification }
        }
        entries[slot] = Entry(digest: digest, time: frame.time, interface: interface)
        return .first
    }

    /// Two words into one, so that each bit of both matters.
    @inline(__always)
    private static func mix(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = (one ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: other ^ 0xD6E8_FEB8_6659_FD93)
        return product.low ^ product.high
    }

    /// The products do not wait for each other; a shift tells their places apart.
    @inline(__always)
    private static func digest(_ packet: DecodedPacket, _ bytes: RawSpan) -> UInt64 {
        let ports = UInt64(packet.sourcePort) << 16 | UInt64(packet.destinationPort)
        let length = UInt64(truncatingIfNeeded: packet.internetBytes)
        // Window and flags are 0 where it is not TCP.
        let control = UInt64(packet.window) << 16 | UInt64(packet.flags.rawValue) << 8 | UInt64(packet.protocolNumber)
        var hash = mix(packet.source.low, packet.destination.low &+ 0x51)
        hash = hash << 7 &+ mix(UInt64(packet.identification) << 32 | ports, length << 32 | control)
        if packet.source.isVersion6 { hash = hash << 7 &+ mix(packet.source.high, packet.destination.high) }
        if packet.kind == .tcp {
            var options: UInt64 = 0
            // Options behind the fixed header: timestamps tell a retransmission from a copy.
            if packet.payloadOffset <= bytes.byteCount, packet.transport >= 32 {
                options = bytes.be64(packet.payloadOffset - 8)
            }
            hash = hash << 7 &+ mix(UInt64(packet.sequence) << 32 | UInt64(packet.acknowledgment), options)
        } else if packet.kind == .fragment {
            hash = hash << 7 &+ UInt64(truncatingIfNeeded: packet.fragmentOffset)
        }
        return mix(hash, digestPayload(packet, bytes))
    }

    @inline(__always)
    private static func digestPayload(_ packet: DecodedPacket, _ bytes: RawSpan) -> UInt64 {
        let count = min(packet.payloadCaptured, bytes.byteCount - packet.payloadOffset)
        guard count > 0 else { return 0 }
        return digestPayload(bytes.extracting(packet.payloadOffset..<packet.payloadOffset + count))
    }

    private static func digestPayload(_ payload: RawSpan) -> UInt64 {
        let count = payload.byteCount
        guard count >= 8 else {
            return (0..<count).reduce(1) { $0 << 8 | UInt64(payload.u8($1)) }
        }
        let last = payload.be64(count - 8)
        guard count >= 64 else {
            var hash = last
            for offset in stride(from: 0, to: count - 8, by: 8) { hash = mix(hash, payload.be64(offset)) }
            return hash
        }
        let step = count / 8
        var hash = mix(payload.be64(0), payload.be64(step))
        hash = hash << 7 &+ mix(payload.be64(2 * step), payload.be64(3 * step))
        hash = hash << 7 &+ mix(payload.be64(4 * step), payload.be64(5 * step))
        hash = hash << 7 &+ mix(payload.be64(6 * step), payload.be64(7 * step))
        return mix(hash, last)
    }
}
