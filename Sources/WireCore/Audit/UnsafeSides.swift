import WireNative

/// The two sides of a connection, reached in place by number.
///
/// They stand in memory of their own, which a connection's slot keeps for all connections that use it one after
/// another. See `UnsafeSlab` for why not in an array. Whoever makes one releases it.
@safe
struct UnsafeSides {
    private let base: UnsafeMutablePointer<Side>
    private let histories: UnsafeMutablePointer<UnsafeReadHistory>

    init() {
        unsafe base = UnsafeMutablePointer<Side>.allocate(capacity: 2)
        for side in 0..<2 { unsafe (base + side).initialize(to: Side()) }
        unsafe histories = UnsafeMutablePointer<UnsafeReadHistory>.allocate(capacity: 2)
        unsafe histories.initialize(repeating: UnsafeReadHistory(), count: 2)
    }

    /// Makes both sides new.
    func reset() {
        for side in 0..<2 { unsafe base[side].renew() }
        unsafe histories[0].forget()
        unsafe histories[1].forget()
    }

    func release() {
        unsafe base.deinitialize(count: 2)
        unsafe base.deallocate()
        unsafe histories.deinitialize(count: 2)
        unsafe histories.deallocate()
    }

    /// Brings them into the processor's cache.
    @inline(__always)
    func prefetch() { unsafe Prefetch.lines(base, byteCount: 2 * MemoryLayout<Side>.stride) }

    /// Keeps bytes of a direction that are read.
    @inline(__always)
    func remember(_ content: RawSpan, total: Int, at position: StreamPosition, _ side: Int) {
        precondition(side == 0 || side == 1)
        unsafe histories[side].add(content, total: total, at: position)
    }

    /// Whether a copy has other bytes than those read last.
    func differ(from content: RawSpan, at position: StreamPosition, _ side: Int) -> Bool {
        precondition(side == 0 || side == 1)
        return unsafe histories[side].differs(from: content, at: position)
    }

    /// Side 0 or 1: of other numbers the lowest bit counts, which is cheaper than to check for them, and as safe.
    @inline(__always)
    subscript(side: Int) -> Side {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(base + (side & 1)) }
        @inline(__always) nonmutating unsafeMutableAddress { unsafe base + (side & 1) }
    }
}
