/// Recognises a frame that was captured a second time: at another interface, on a bridge, at a mirror port.
///
/// Proof is demanded (ByteLedger.md §2.4): equal from the IP header on, but for the hop limit and the checksum of IP,
/// within 5 ms, and either the same non-zero IPv4 identification or another capture interface. Of other packets that are
/// equal, their connection decides: no single one proves anything. The content is compared by a digest of the header fields
/// and of up to eight words spread over the payload, and by the checksum of TCP, which depends on all of it.
struct DuplicateDetector: ~Copyable {
    /// Where and when a packet was captured.
    struct Sighting {
        var time: Int64 = .min
        var interface: UInt64 = 0
        var identification: UInt32 = 0
    }

    /// A packet, and the one before it in its bucket.
    struct Entry {
        /// The lowest 16 bits are the checksum of TCP, low byte first; 0 where there is none.
        var digest: UInt64 = 0
        /// Place of the first packet in the order of the audit.
        var ordinal = 0
        /// The latest equal packet that was not proved a copy.
        var latest = Sighting()
        /// Equal packets behind the first.
        var repeats: UInt32 = 0
        /// Number of the packet before it in the bucket.
        var previous = 0
    }

    private static let window: UInt64 = 5_000_000
    /// An equal TCP segment that comes later than this is another one: senders repeat a SYN after a second at the earliest
    /// (RFC 6298 §2.1). Of UDP only what a sender never repeats counts, whenever it comes.
    private static let patience: UInt64 = 900_000_000
    /// Packets remembered. Each stays until so many others came.
    private static let memory = 4096
    private static let bucketCount = 16_384
    /// The packet of number n stands at n modulo `memory`.
    private var entries = UnsafeSlab<Entry>(capacity: memory)
    /// By bucket the number of the latest packet in it; numbers that are too old mean none.
    private var latest = UnsafeSlab<Int>(capacity: bucketCount)
    /// What the latest packet that equals an earlier one has in common with it.
    private(set) var resemblance = Resemblance()
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
        /// A segment or datagram that is equal but for what is proof.
        case equal
    }

    /// Whether a packet may equal an earlier one. It is asked for each frame, and takes no packet: one that is handed on beside
    /// a change is copied.
    @inline(__always)
    func mayKnow(_ digest: UInt64) -> Bool {
        var candidate = latest[bucket(of: digest)]
        while number &- candidate <= DuplicateDetector.memory {
            let entry = candidate & (DuplicateDetector.memory - 1)
            if entries[entry].digest ^ digest <= 0xFFFF { return true }
            candidate = entries[entry].previous
        }
        return false
    }

    /// Remembers a packet that equals none.
    @inline(__always)
    mutating func insert(_ digest: UInt64, _ sighting: Sighting, at ordinal: Int) {
        let bucket = bucket(of: digest)
        entries[number & (DuplicateDetector.memory - 1)] = Entry(
            digest: digest, ordinal: ordinal, latest: sighting, previous: latest[bucket])
        latest[bucket] = number
        number &+= 1
    }

    /// Judges a packet of which `mayKnow` is true; remembers it if it equals none.
    mutating func judge(
        _ digest: UInt64, _ sighting: Sighting, _ packet: DecodedPacket, _ bytes: RawSpan, at ordinal: Int
    ) -> Judgment {
        var candidate = latest[bucket(of: digest)]
        while number &- candidate <= DuplicateDetector.memory {
            let place = candidate & (DuplicateDetector.memory - 1)
            let earlier = entries[place].digest
            if earlier ^ digest <= 0xFFFF, earlier == digest || !isContradicted(earlier, by: packet, bytes) {
                let judgment = compare(sighting, place, packet.kind, isVersion6: packet.source.isVersion6)
                if judgment != .first { return judgment }
            }
            candidate = entries[place].previous
        }
        insert(digest, sighting, at: ordinal)
        return .first
    }

    @inline(__always)
    private func bucket(of digest: UInt64) -> Int { Int(truncatingIfNeeded: digest >> 50) }

    /// Judges a packet by an earlier one that has the same digest.
    private mutating func compare(
        _ sighting: Sighting, _ place: Int, _ kind: DecodedPacket.Kind, isVersion6: Bool
    ) -> Judgment {
        let earlier = entries[place].latest
        // Unsigned: times of a damaged file may lie further apart than a signed number holds.
        let delay = sighting.time >= earlier.time ? UInt64(bitPattern: sighting.time &- earlier.time) : .max
        let isNear = delay <= DuplicateDetector.window
        let isSame = sighting.identification == earlier.identification
        if isNear, isSame, sighting.interface != earlier.interface { return .otherInterface }
        let hasNumber = isSame && sighting.identification != 0 && !isVersion6
        let isNumbered = isNear && hasNumber
        let isConnected = kind == .udp || kind == .tcp && delay <= DuplicateDetector.patience
        guard isNumbered || isConnected else { return .first }
        entries[place].repeats &+= 1
        resemblance = Resemblance(
            isNumbered: isNumbered, evidence: isNear || hasNumber ? .copy : isSame ? .none : .sentAgain,
            repeats: Int(entries[place].repeats), ordinal: entries[place].ordinal,
            delay: Int64(truncatingIfNeeded: delay))
        guard !isNumbered else { return .sameIdentification }
        entries[place].latest = sighting
        return .equal
    }

    /// Whether a packet has other content than an earlier one where the digest does not look: another checksum, and neither
    /// was captured before its sender's hardware filled it in.
    private func isContradicted(_ digest: UInt64, by packet: DecodedPacket, _ bytes: RawSpan) -> Bool {
        guard packet.kind == .tcp, packet.payloadOffset <= bytes.byteCount else { return false }
        let one = UInt16(truncatingIfNeeded: digest)
        let other = bytes.le16(packet.transportOffset + 16)
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
    func digest(of packet: DecodedPacket, _ bytes: RawSpan) -> UInt64 {
        let ports = UInt64(packet.sourcePort) << 16 | UInt64(packet.destinationPort)
        let length = UInt64(truncatingIfNeeded: packet.internetBytes)
        // Window and flags are 0 where it is not TCP.
        let control = UInt64(packet.window) << 16 | UInt64(packet.flags.rawValue) << 8 | UInt64(packet.protocolNumber)
        var hash = DuplicateDetector.mix(packet.source.low, packet.destination.low, secret)
        hash = hash << 7 &+ UInt64.fold(ports ^ secret.one, length << 32 | control)
        if packet.source.isVersion6 {
            hash = hash << 7 &+ DuplicateDetector.mix(packet.source.high, packet.destination.high, secret)
        }
        var checksum: UInt64 = 0
        if packet.kind == .tcp {
            var options: UInt64 = 0
            if packet.payloadOffset <= bytes.byteCount {
                checksum = UInt64(bytes.le16(packet.transportOffset &+ 16))
                // Options behind the fixed header: timestamps tell a retransmission from a copy.
                if packet.transport >= 32 { options = bytes.le64(packet.payloadOffset &- 8) }
            }
            hash =
                hash << 7
                &+ DuplicateDetector.mix(UInt64(packet.sequence) << 32 | UInt64(packet.acknowledgment), options, secret)
        } else if packet.kind != .udp {
            let fragment = UInt64(truncatingIfNeeded: packet.fragmentOffset)
            hash = hash << 7 &+ (UInt64(packet.identification) << 32 | fragment)
        }
        return UInt64.fold(hash, DuplicateDetector.digestPayload(packet, bytes, secret) ^ secret.other) << 16 | checksum
    }

    /// Of a payload alone, whatever its headers are.
    func digest(ofPayload payload: RawSpan) -> UInt64 { DuplicateDetector.digestPayload(payload, secret) }

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
        guard count >= 64 else {
            var hash = payload.le64(count - 8)
            for offset in stride(from: 0, to: count - 8, by: 8) { hash = mix(hash, payload.le64(offset), secret) }
            return hash
        }
        let words = payload.spreadWords()
        var hash = mix(words[0], words[1], secret)
        hash = hash << 7 &+ mix(words[2], words[3], secret)
        hash = hash << 7 &+ mix(words[4], words[5], secret)
        return hash << 7 &+ mix(words[6], words[7], secret)
    }
}
