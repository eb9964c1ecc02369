/// The bytes of a direction that were read last: later copies of them are compared with these.
///
/// Kept are the first `limit` bytes of a segment, and what follows it at once while there is room. Bytes that nobody
/// reads, as those of bodies that are only followed by length, are not kept: it costs nothing where most bytes go.
///
/// It stands in memory that a connection's slot keeps for all connections that use it one after another, and is unsafe
/// only in how it copies: both ends of the copy are checked here.
@safe
struct UnsafeReadHistory {
    /// Most bytes kept.
    static let limit = 256

    private var count = 0
    private var start = StreamPosition.zero
    private var bytes = InlineArray<256, UInt8>(repeating: 0)

    /// Another connection begins.
    mutating func forget() { count = 0 }

    /// Keeps a segment of `total` bytes, of which `content` was captured.
    mutating func add(_ content: RawSpan, total: Int, at position: StreamPosition) {
        let added = min(content.byteCount, total, Self.limit)
        if position != start + count || count + added > Self.limit || content.byteCount > Self.limit {
            count = 0
            start = position
        }
        guard added > 0 else { return }
        let offset = count
        unsafe content.withUnsafeBytes { source in
            var span = bytes.mutableSpan
            unsafe span.withUnsafeMutableBytes { target in
                unsafe target.baseAddress!.advanced(by: offset).copyMemory(
                    from: source.baseAddress!, byteCount: added)
            }
        }
        count += added
    }

    /// Whether a copy, which begins at `position`, has other bytes where both are known.
    func differs(from content: RawSpan, at position: StreamPosition) -> Bool {
        let known = unsafe bytes.span.bytes.extracting(first: count)
        return known.differs(from: content, at: position - start)
    }
}
