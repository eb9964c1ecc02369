/// A digest of content, by which equal contents are known in one run of the program. How the content is split does not
/// change it. It begins with a random seed, so that nobody can make contents that are taken for each other.
public struct ContentDigest {
    private var hasher = Hasher()
    private var count = 0

    public init() {}

    /// Takes the next bytes of the content.
    public mutating func consume(_ bytes: RawSpan) {
        count += bytes.byteCount
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }

    /// Of all that was taken.
    public var value: UInt64 {
        var hasher = hasher
        hasher.combine(count)
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }
}
