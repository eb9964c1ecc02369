import WireNative

/// A growing store of values that are reached in place by index.
///
/// An array gives the same, but reading one field of a large element through nested subscripts copies the whole element
/// where the optimizer cannot prove that nothing changes meanwhile: measured, half of the time of a small packet. Here
/// both accessors are addressors. Indices are checked like an array's. The memory belongs to this value, which must
/// therefore not be copied; it lives in one place, inside the auditor.
@safe
struct UnsafeSlab<Element: ~Copyable>: ~Copyable {
    private var base: UnsafeMutablePointer<Element>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        #if FUZZING
            // There growth is what is to be tried, and making much memory ready is most of the work.
            self.capacity = 16
        #else
            self.capacity = max(capacity, 16)
        #endif
        unsafe base = UnsafeMutablePointer<Element>.allocate(capacity: self.capacity)
    }

    deinit {
        unsafe base.deinitialize(count: count)
        unsafe base.deallocate()
    }

    @inline(__always)
    subscript(index: Int) -> Element {
        @inline(__always) unsafeAddress {
            precondition(index >= 0 && index < count)
            return unsafe UnsafePointer(base + index)
        }
        @inline(__always) unsafeMutableAddress {
            precondition(index >= 0 && index < count)
            return unsafe base + index
        }
    }

    /// Brings the first bytes of an element into the processor's cache, if there is such an element.
    @inline(__always)
    func prefetch(_ index: Int, byteCount: Int = 1) {
        guard index >= 0 && index < count else { return }
        unsafe Prefetch.lines(base + index, byteCount: byteCount)
    }

    mutating func append(_ element: consuming Element) {
        if count == capacity { grow() }
        unsafe (base + count).initialize(to: element)
        count += 1
    }

    /// Lets go of all elements and keeps the memory.
    mutating func removeAll() {
        unsafe base.deinitialize(count: count)
        count = 0
    }

    /// Where an element stands, as long as none is added.
    func address(of index: Int) -> UnsafeMutablePointer<Element> {
        precondition(index >= 0 && index < count)
        return unsafe base + index
    }

    /// From this size on, bytes, a store grows by half: old and new stand in memory side by side while it does.
    private static var large: Int { 1 << 18 }

    private mutating func grow() {
        let isLarge = capacity * MemoryLayout<Element>.stride >= UnsafeSlab.large
        let next = isLarge ? capacity + capacity / 2 : capacity * 2
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: next)
        unsafe larger.moveInitialize(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = larger
        capacity = next
    }
}
