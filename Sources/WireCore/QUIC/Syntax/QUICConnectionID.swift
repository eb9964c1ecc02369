/// A connection ID: up to 20 bytes (RFC 9000 §17.2).
struct QUICConnectionID: Hashable, Sendable {
    static let longest = 20

    private var words: (UInt64, UInt64, UInt32) = (0, 0, 0)
    let count: Int

    /// - Parameter range: at most 20 bytes.
    init(_ bytes: RawSpan, _ range: Range<Int>) {
        count = min(range.count, QUICConnectionID.longest)
        let start = range.lowerBound
        words.0 = QUICConnectionID.word(bytes, at: start, min(count, 8))
        guard count > 8 else { return }
        words.1 = QUICConnectionID.word(bytes, at: start + 8, min(count - 8, 8))
        guard count > 16 else { return }
        words.2 = UInt32(truncatingIfNeeded: QUICConnectionID.word(bytes, at: start + 16, count - 16) >> 32)
    }

    /// Up to eight bytes, the first one highest.
    private static func word(_ bytes: RawSpan, at start: Int, _ count: Int) -> UInt64 {
        if count == 8 { return bytes.be64(start) }
        var word: UInt64 = 0
        for index in 0..<count { word |= UInt64(bytes.u8(start + index)) << UInt64(56 - 8 * index) }
        return word
    }

    var bytes: [UInt8] {
        (0..<count).map { index in
            switch index {
            case 0..<8: UInt8(truncatingIfNeeded: words.0 >> UInt64(56 - 8 * index))
            case 8..<16: UInt8(truncatingIfNeeded: words.1 >> UInt64(56 - 8 * (index - 8)))
            default: UInt8(truncatingIfNeeded: words.2 >> UInt32(24 - 8 * (index - 16)))
            }
        }
    }

    static func == (one: Self, other: Self) -> Bool {
        one.count == other.count && one.words.0 == other.words.0 && one.words.1 == other.words.1
            && one.words.2 == other.words.2
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        // Most IDs have eight bytes; what is equal has one length.
        guard count > 8 else { return }
        hasher.combine(words.1)
        if count > 16 { hasher.combine(words.2) }
    }
}

extension QUICConnectionID: SeededKey {
    /// The seed is part of both factors of each product: nobody can choose IDs whose products meet, or are nothing.
    @inline(__always)
    func hash(seed: UInt64) -> UInt64 {
        let other = seed &* 0x9E37_79B9_7F4A_7C15 ^ 0xD6E8_FEB8_6659_FD93
        let hash = UInt64.fold(words.0 ^ seed, words.1 ^ other)
        return UInt64.fold(hash ^ UInt64(words.2), other ^ 0xA076_1D64_78BD_642F)
    }
}

/// A connection ID by which a connection is found.
struct QUICKnownID: Sendable {
    var id: QUICConnectionID
    /// The direction of packets to it.
    var to: Direction
    /// Its number among those that its endpoint gave out (RFC 9000 §5.1.1); nil where it is none of them.
    var sequence: UInt64?
    /// The other endpoint uses it no more; late packets still may.
    var isRetired = false
}

extension [QUICKnownID] {
    /// An endpoint sends to an ID no more. `direction`: that of packets to it.
    mutating func retire(_ sequence: UInt64, _ direction: Direction) {
        for index in indices where self[index].to == direction && self[index].sequence == sequence {
            self[index].isRetired = true
        }
    }
}
