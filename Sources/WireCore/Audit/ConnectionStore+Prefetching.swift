/// What is let go of was not looked at for some time: it is brought into the processor's cache while others of its kind
/// are seen to. Nothing that is found depends on it.
extension ConnectionStore {
    /// A connection, and the sides of another, which are to be ended soon.
    @inline(__always)
    func prefetchEnd(_ later: Int, _ next: Int, _ books: borrowing Books) {
        slots.prefetch(later, byteCount: MemoryLayout<Connection>.size)
        guard next >= 0, next < slots.count else { return }
        slots[next].sides.prefetch()
        books.exchanges.slots.prefetch(Int(slots[next].firstExchange), byteCount: MemoryLayout<Exchange>.size)
    }

    /// What is looked at soon because its time has come.
    @inline(__always)
    func prefetchDue(_ later: DueWheel.Entry, _ books: borrowing Books) {
        slots.prefetch(Int(later.place), byteCount: MemoryLayout<Connection>.size)
        books.exchanges.slots.prefetch(Int(later.owner.index), byteCount: MemoryLayout<Exchange>.size)
    }
}
