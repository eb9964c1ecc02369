/// The two sides of a connection, reached in place by number.
///
/// They stand in memory of their own, which a connection's slot keeps for all connections that use it one after
/// another. See `UnsafeSlab` for why not in an array. Whoever makes one releases it.
@safe
struct UnsafeSides {
    private let base: UnsafeMutablePointer<Side>

    init() {
        unsafe base = UnsafeMutablePointer<Side>.allocate(capacity: 2)
        for side in 0..<2 { unsafe (base + side).initialize(to: Side()) }
    }

    /// Makes both sides new.
    func reset() {
        for side in 0..<2 { unsafe base[side].renew() }
    }

    func release() {
        unsafe base.deinitialize(count: 2)
        unsafe base.deallocate()
    }

    /// Side 0 or 1: of other numbers the lowest bit counts, which is cheaper than to check for them, and as safe.
    @inline(__always)
    subscript(side: Int) -> Side {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(base + (side & 1)) }
        @inline(__always) nonmutating unsafeMutableAddress { unsafe base + (side & 1) }
    }
}
