/// Recognises a frame that was captured a second time: at another interface, on a bridge, at a mirror port.
///
/// Proof is demanded (ledger §2): equal from the IP header on, but for hop limit and checksums, within 5 ms, and either
/// the same non-zero IPv4 identification or another capture interface. Equal content alone proves nothing. The content
/// is compared by a digest of the header fields and of up to nine words spread over the payload.
struct DuplicateDetector: Sendable {
    private struct Entry: Sendable {
        var digest: UInt64 = 0
        var time: Int64 = .min
        var interface: UInt64 = 0
    }

    private static let window: Int64 = 5_000_000
    private static let slotCount = 4096
    private var entries = [Entry](repeating: Entry(), count: slotCount)

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

    @inline(__always)
    private static func mix(_ hash: UInt64, _ value: UInt64) -> UInt64 {
        let product = (hash ^ value).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.low ^ product.high
    }

    @inline(__always)
    private static func digest(_ packet: DecodedPacket, _ bytes: RawSpan) -> UInt64 {
        var hash = mix(packet.source.low, packet.destination.low &+ 0x51)
        hash = mix(hash, packet.source.high ^ packet.destination.high &* 3)
        hash = mix(
            hash,
            UInt64(packet.identification) << 32 | UInt64(packet.sourcePort) << 16 | UInt64(packet.destinationPort))
        hash = mix(
            hash, UInt64(truncatingIfNeeded: packet.internetBytes) << 8 | UInt64(packet.protocolNumber))
        if packet.kind == .tcp {
            hash = mix(hash, UInt64(packet.sequence) << 32 | UInt64(packet.acknowledgment))
            hash = mix(hash, UInt64(packet.window) << 8 | UInt64(packet.flags.rawValue))
            // Options behind the fixed header: timestamps tell a retransmission from a copy.
            if packet.payloadOffset <= bytes.byteCount, packet.transport >= 32 {
                hash = mix(hash, bytes.be64(packet.payloadOffset - 8))
            }
        } else if packet.kind == .fragment {
            hash = mix(hash, UInt64(truncatingIfNeeded: packet.fragmentOffset))
        }
        return digestPayload(hash, packet, bytes)
    }

    @inline(__always)
    private static func digestPayload(_ start: UInt64, _ packet: DecodedPacket, _ bytes: RawSpan) -> UInt64 {
        var hash = start
        let count = min(packet.payloadCaptured, bytes.byteCount - packet.payloadOffset)
        guard count >= 8 else {
            for index in 0..<max(count, 0) { hash = mix(hash, UInt64(bytes.u8(packet.payloadOffset + index))) }
            return hash
        }
        let last = packet.payloadOffset + count - 8
        let stride = max(8, count / 8)
        var offset = packet.payloadOffset
        while offset < last {
            hash = mix(hash, bytes.be64(offset))
            offset += stride
        }
        return mix(hash, bytes.be64(last))
    }
}
