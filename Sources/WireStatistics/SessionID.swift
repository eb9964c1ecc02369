import WireNative

/// Tells one capture session from all others, on every machine.
public struct SessionID: Hashable, Comparable, Sendable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Of everything that makes the session what it is: its name, or its content.
    public init(_ bytes: [UInt8]) {
        let digest = StableDigest.sha256(bytes) ?? bytes
        func word(_ index: Int) -> UInt64 {
            digest.dropFirst(index * 8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        self.init(high: word(0), low: word(1))
    }

    /// 32 hexadecimal digits, as `text` has them.
    public init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 32, let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    public var text: String { SessionID.digits(high) + SessionID.digits(low) }

    private static func digits(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    public static func < (left: SessionID, right: SessionID) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }
}

extension SessionID {
    /// How often each replicate of the bootstrap draws the session: independent Poisson numbers of mean 1.
    ///
    /// They follow from the seed, the session and the number of the replicate alone. So parts that were counted on
    /// different machines have the same replicates. All calls of a session have one weight: calls of one device on one
    /// network are not independent.
    package func weights(seed: UInt64, replicates: Int) -> [UInt8] {
        var key = RandomWords(seed: seed ^ high)
        var random = RandomWords(seed: key.next() ^ low)
        return (0..<replicates).map { _ in SessionID.poisson(random.next()) }
    }

    /// e⁻¹ · Σ 1/k! in units of 2^-64: the largest word for which the number is k. Beyond the last it is one more.
    private static let bounds: [UInt64] = {
        var term = 0x1p64 * 0.36787944117144233
        var sum = 0.0
        return (0..<14).map { count in
            if count > 0 { term /= Double(count) }
            sum += term
            return UInt64(min(sum, 0x1.fffffffffffffp63))
        }
    }()

    private static func poisson(_ word: UInt64) -> UInt8 {
        UInt8(bounds.firstIndex { word <= $0 } ?? bounds.count)
    }
}
