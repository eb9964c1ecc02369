/// Recognises a frame that was captured a second time: at another interface, on a bridge, at a mirror port.
///
/// Proof is demanded (ByteLedger.md §2.4): equal from the IP header on, but for the hop limit and the checksum of IP,
/// within 5 ms, and either the same non-zero IPv4 identification or another capture interface. Equal content alone proves
/// nothing, except of a datagram of QUIC, of which its connection decides. The content is compared by a digest of the header
/// fields and of up to eight words spread over the payload, and by the checksum of TCP, which depends on all of it.
struct DuplicateDetector: ~Copyable {
    /// A packet, and the one before it in its bucket.
    struct Entry {
        /// The lowest 16 bits are the checksum of TCP, low byte first, or the identification of UDP; else 0.
        var digest: UInt64 = 0
        var time: Int64 = .min
        var interface: UInt64 = 0
        /// Number of the packet before it in the bucket.
        var previous = 0
    }

    private static let window: UInt64 = 5_000_000
    /// Packets remembered. Each stays until so many others came.
    private static let memory = 4096
    /// Equal datagrams that are looked at: senders may repeat one without end.
    private static let mostEquals = 4
    private static let bucketCount = 16_384
    /// The packet of number n stands at n modulo `memory`.
    private var entries = UnsafeSlab<Entry>(capacity: memory)
    /// By bucket the number of the latest packet in it; numbers that are too old mean none.
    private var latest = UnsafeSlab<Int>(capacity: bucketCount)
    /// Place of the packet that the latest copy is one of.
    private var match = 0
    /// Number of the next packet. The first has one so high that 0 is too old.
    private var number = memory + 1
    /// What words are mixed with, so that nobody can choose packets that share a bucket or a digest: with a constant in their
    /// place a payload that equals it makes the product 0, and the headers do not count.
    private let secret = Secret()

    private struct Secret {
        let one = UInt64.random(in: .min ... .max)
        let other = UInt64.random(in: .min ... .max)
    }

    init() {
        for _ in 0..<DuplicateDetector.memory { entries.append(Entry()) }
        for _ in 0..<DuplicateDetector.bucketCount { latest.append(0) }
    }

    /// What speaks for a packet being the copy of an earlier one.
    enum Judgment {
        /// Nothing: it is not equal to a recent one, or there is no proof.
        case first
        /// Equal, and seen at another interface.
        case otherInterface
        /// Equal, with the same non-zero identification: proof if its sender numbers its packets.
        case sameIdentification
        /// A datagram of UDP that is equal but for what is proof.
        case equal
    }

    /// Judges a packet; remembers it if it is no copy.
    @inline(__always)
    mutating func judge(_ packet: DecodedPacket, _ bytes: RawSpan, _ frame: CaptureFrame) -> Judgment {
        let digest = DuplicateDetector.digest(packet, bytes, secret)
        let interface = UInt64(truncatingIfNeeded: frame.interface) << 32 | UInt64(packet.interfaceIndex)
        let bucket = Int(truncatingIfNeeded: digest >> 50)
        let head = latest[bucket]
        var candidate = head
        var equals = 0
        while number &- candidate <= DuplicateDetector.memory {
            let place = candidate & (DuplicateDetector.memory - 1)
            if entries[place].digest ^ digest <= 0xFFFF {
                match = place
                let time = entries[place].time
                // Unsigned: times of a damaged file may lie further apart than a signed number holds.
                if frame.time >= time, UInt64(bitPattern: frame.time &- time) <= DuplicateDetector.window {
                    let isSame = packet.kind != .udp || entries[place].digest == digest
                    if isSame, entries[place].interface != interface { return .otherInterface }
                    if isSame, packet.identification != 0, !packet.source.isVersion6 { return .sameIdentification }
                }
                equals += 1
                guard packet.kind == .udp, equals < DuplicateDetector.mostEquals else { break }
            }
            candidate = entries[place].previous
        }
        entries[number & (DuplicateDetector.memory - 1)] = Entry(
            digest: digest, time: frame.time, interface: interface, previous: head)
        latest[bucket] = number
        number &+= 1
        return equals > 0 && packet.kind == .udp ? .equal : .first
    }

    /// Whether a packet that was judged to be a copy has other content where the digest does not look: another checksum
    /// than the first, and neither was captured before its sender's hardware filled it in. Such a packet is not remembered.
    @inline(never)
    func isContradicted(by packet: DecodedPacket, _ bytes: RawSpan) -> Bool {
        guard packet.kind == .tcp, packet.payloadOffset <= bytes.byteCount else { return false }
        let one = UInt16(truncatingIfNeeded: entries[match].digest)
        let other = bytes.le16(packet.transportOffset + 16)
        guard one != other else { return false }
        let pseudoHeader = PseudoHeader(
            high: [packet.source.high, packet.destination.high], low: [packet.source.low, packet.destination.low],
            protocolNumber: packet.protocolNumber, length: packet.transport + packet.payload)
        return !pseudoHeader.isUnfilled(one) && !pseudoHeader.isUnfilled(other)
    }

    /// Two words into one, so that each bit of both matters.
    @inline(__always)
    private static func mix(_ one: UInt64, _ other: UInt64, _ secret: Secret) -> UInt64 {
        UInt64.fold(one ^ secret.one, other ^ secret.other)
    }

    /// The products do not wait for each other; a shift tells their places apart.
    @inline(__always)
    private static func digest(_ packet: DecodedPacket, _ bytes: RawSpan, _ secret: Secret) -> UInt64 {
        let ports = UInt64(packet.sourcePort) << 16 | UInt64(packet.destinationPort)
        let length = UInt64(truncatingIfNeeded: packet.internetBytes)
        // Window and flags are 0 where it is not TCP.
        let control = UInt64(packet.window) << 16 | UInt64(packet.flags.rawValue) << 8 | UInt64(packet.protocolNumber)
        var hash = mix(packet.source.low, packet.destination.low, secret)
        let datagram = UInt64(packet.kind == .udp ? 0 : packet.identification) << 32 | ports
        hash = hash << 7 &+ UInt64.fold(datagram ^ secret.one, length << 32 | control)
        if packet.source.isVersion6 { hash = hash << 7 &+ mix(packet.source.high, packet.destination.high, secret) }
        var checksum: UInt64 = 0
        if packet.kind == .tcp {
            var options: UInt64 = 0
            if packet.payloadOffset <= bytes.byteCount {
                checksum = UInt64(bytes.le16(packet.transportOffset &+ 16))
                // Options behind the fixed header: timestamps tell a retransmission from a copy.
                if packet.transport >= 32 { options = bytes.le64(packet.payloadOffset &- 8) }
            }
            hash = hash << 7 &+ mix(UInt64(packet.sequence) << 32 | UInt64(packet.acknowledgment), options, secret)
        } else if packet.kind == .udp {
            checksum = UInt64(truncatingIfNeeded: packet.identification & 0xFFFF)
        } else if packet.kind == .fragment {
            hash = hash << 7 &+ UInt64(truncatingIfNeeded: packet.fragmentOffset)
        }
        return UInt64.fold(hash, digestPayload(packet, bytes, secret) ^ secret.other) << 16 | checksum
    }

    @inline(__always)
    private static func digestPayload(_ packet: DecodedPacket, _ bytes: RawSpan, _ secret: Secret) -> UInt64 {
        let count = min(packet.payloadCaptured, bytes.byteCount - packet.payloadOffset)
        guard count > 0 else { return 0 }
        return digestPayload(bytes.extracting(packet.payloadOffset..<packet.payloadOffset + count), secret)
    }

    private static func digestPayload(_ payload: RawSpan, _ secret: Secret) -> UInt64 {
        let count = payload.byteCount
        guard count >= 8 else {
            return (0..<count).reduce(1) { $0 << 8 | UInt64(payload.u8($1)) }
        }
        let last = payload.le64(count - 8)
        guard count >= 64 else {
            var hash = last
            for offset in stride(from: 0, to: count - 8, by: 8) { hash = mix(hash, payload.le64(offset), secret) }
            return hash
        }
        let step = count >> 3
        var hash = mix(payload.le64(0), payload.le64(step), secret)
        hash = hash << 7 &+ mix(payload.le64(2 * step), payload.le64(3 * step), secret)
        hash = hash << 7 &+ mix(payload.le64(4 * step), payload.le64(5 * step), secret)
        return hash << 7 &+ mix(payload.le64(6 * step), last, secret)
    }
}
