import WireNative

/// Multipath TCP (RFC 8684) of one subflow: whether its bytes are the connection's from the first on, without one missing
/// that went over another subflow.
///
/// Data of the connection are numbered for themselves. A mapping (DSS) says which numbers the bytes of a segment have; the
/// first one has the number that the sender's key gives.
final class MultipathTCP {
    private struct Sender {
        /// Number of the byte at position 0, its lower half; nil while it is not known.
        var base: UInt32?
        /// Up to here bytes have numbers that continue those before.
        var mapped = StreamPosition.zero
    }

    private enum Subtype {
        static let capable: UInt8 = 0
        static let join: UInt8 = 1
        static let data: UInt8 = 2
    }

    static let optionKind: UInt8 = 30

    /// The subflow joined a connection that another one opened: no message begins here but by chance.
    let isJoined: Bool
    private var senders = DirectionPair(repeating: Sender())
    /// Bytes were missing, or nothing told that none is.
    private(set) var isIncomplete = false
    /// Its endpoints went back to plain TCP (§3.7).
    private var isPlain = false

    /// Its SYN was captured: the keys that give the first numbers should be there, too.
    private let hasStart: Bool

    /// By the options of a SYN, or of the first segment of a connection whose SYN was not captured; nil where it is plain TCP.
    init?(_ options: RawSpan, hasStart: Bool) {
        self.hasStart = hasStart
        guard let option = MultipathTCP.find(options).first else { return nil }
        isJoined = options.u8(option.lowerBound + 2) >> 4 == Subtype.join
    }

    /// Takes the options of a SYN. One without options of this kind is of an endpoint that does not know it.
    func consumeSynchronize(_ options: RawSpan, _ direction: Direction) {
        guard let range = MultipathTCP.find(options).first else {
            isPlain = true
            return
        }
        let option = options.extracting(range)
        if option.u8(2) >> 4 == Subtype.capable { readKeys(option, at: .zero, direction) }
    }

    /// Takes a segment behind the SYNs. Returns whether the connection is torn from here on.
    func consume(
        _ options: RawSpan, isWhole: Bool, at start: StreamPosition, payload: Int, _ direction: Direction
    ) -> Bool {
        guard !isPlain, !isIncomplete else { return false }
        let found = MultipathTCP.find(options)
        for range in found {
            let option = options.extracting(range)
            switch option.u8(2) >> 4 {
            case Subtype.capable: readKeys(option, at: start, direction)
            case Subtype.data: readMapping(option, direction)
            default: break
            }
        }
        guard payload > 0, !isIncomplete else { return isIncomplete }
        // Who sends the first data without any of it falls back.
        if isWhole, found.isEmpty, start == .zero, senders[direction].mapped == .zero {
            isPlain = true
        } else if start + payload > senders[direction].mapped {
            isIncomplete = true
        }
        return isIncomplete
    }

    /// Keys of both, and with the first data their length (§3.1).
    private func readKeys(_ option: RawSpan, at start: StreamPosition, _ direction: Direction) {
        guard option.byteCount >= 12 else { return }
        setBase(option, 4, direction)
        if option.byteCount >= 20 { setBase(option, 12, direction.opposite) }
        if option.byteCount >= 22, start == .zero { extend(direction, to: start + Int(option.be16(20))) }
    }

    /// The first number is the end of the key's digest, and one more (§3.2, §3.3.1; RFC 6824 §3.2 for version 0).
    private func setBase(_ option: RawSpan, _ offset: Int, _ direction: Direction) {
        let key = option.array(offset..<offset + 8)
        let digest = option.u8(2) & 0x0F == 0 ? ShortDigest.sha1(key) : ShortDigest.sha256(key)
        let lower = digest.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        if senders[direction].base == nil { senders[direction].base = lower &+ 1 }
    }

    /// A mapping: acknowledgment of 4 or 8 bytes, number of 4 or 8, place in the subflow from 1, length (§3.3).
    private func readMapping(_ option: RawSpan, _ direction: Direction) {
        guard option.byteCount >= 4 else { return }
        let flags = option.u8(3)
        guard flags & 0x04 != 0 else { return }
        var offset = 4 + (flags & 0x01 == 0 ? 0 : flags & 0x02 == 0 ? 4 : 8)
        let numberLength = flags & 0x08 == 0 ? 4 : 8
        guard option.byteCount >= offset + numberLength + 6 else { return }
        let number = option.be32(offset + numberLength - 4)
        offset += numberLength
        let (place, length) = (Int(option.be32(offset)), Int(option.be16(offset + 4)))
        // What has no place is the end of the data alone.
        guard place > 0 else { return }
        let base = number &- UInt32(truncatingIfNeeded: place - 1)
        if senders[direction].base == nil, !hasStart { senders[direction].base = base }
        guard senders[direction].base == base else {
            isIncomplete = true
            return
        }
        // Without a length the endpoints go back to plain TCP from there on (§3.7).
        if length == 0 { isPlain = true } else { extend(direction, to: StreamPosition(place - 1 + length)) }
    }

    private func extend(_ direction: Direction, to end: StreamPosition) {
        senders[direction].mapped = max(senders[direction].mapped, end)
    }

    /// Where options of Multipath TCP are that have a subtype.
    private static func find(_ options: RawSpan) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var offset = 0
        while offset + 1 < options.byteCount, options.u8(offset) != 0 {
            guard options.u8(offset) != 1 else {
                offset += 1
                continue
            }
            let length = Int(options.u8(offset + 1))
            guard length >= 2, offset + length <= options.byteCount else { break }
            if options.u8(offset) == optionKind, length >= 3 { found.append(offset..<offset + length) }
            offset += length
        }
        return found
    }
}
