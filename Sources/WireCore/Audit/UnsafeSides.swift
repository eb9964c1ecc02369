/// The two sides of a connection, reached in place by number.
///
/// They stand in memory of their own, which a connection's slot keeps for all connections that use it one after
/// another. See `UnsafeSlab` for why not in an array. Whoever makes one releases it.
@safe
struct UnsafeSides {
    private let base: UnsafeMutablePointer<Side>

    init() {
        unsafe base = UnsafeMutablePointer<Side>.allocate(capacity: 2)
        unsafe base.initialize(repeating: Side(), count: 2)
    }

    /// Makes both sides new.
    func reset() {
        unsafe base[0] = Side()
        unsafe base[1] = Side()
    }

    func release() {
        unsafe base.deinitialize(count: 2)
        unsafe base.deallocate()
    }

    @inline(__always)
    subscript(side: Int) -> Side {
        @inline(__always) unsafeAddress {
            precondition(side == 0 || side == 1)
            return unsafe UnsafePointer(base + side)
        }
        @inline(__always) nonmutating unsafeMutableAddress {
            precondition(side == 0 || side == 1)
            return unsafe base + side
        }
    }
}
