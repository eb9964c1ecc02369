import WireNative

/// The two sides of a connection, reached in place by number. They stand in an `UnsafeSideStore`.
@safe
struct UnsafeSides {
    fileprivate let base: UnsafeMutablePointer<Side>
    fileprivate let histories: UnsafeMutablePointer<UnsafeReadHistory>

    fileprivate init(_ base: UnsafeMutablePointer<Side>, _ histories: UnsafeMutablePointer<UnsafeReadHistory>) {
        unsafe self.base = base
        unsafe self.histories = histories
    }

    /// Makes both sides new.
    func reset() {
        for side in 0..<2 { unsafe base[side].renew() }
        unsafe histories[0].forget()
        unsafe histories[1].forget()
    }

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

/// The memory of the sides of all connections of a store, found by the connection's place. What serves one connection
/// serves the next one in its place.
///
/// It grows by chunks that stay where they are. See `UnsafeSlab` for why not in an array.
@safe
struct UnsafeSideStore: ~Copyable {
    @safe
    private struct Chunk {
        let sides: UnsafeMutablePointer<Side>
        let histories: UnsafeMutablePointer<UnsafeReadHistory>
    }

    /// Connections in a chunk.
    private static let chunkSize = 16
    private var chunks = UnsafeSlab<Chunk>(capacity: 64)

    deinit {
        for index in 0..<chunks.count {
            unsafe chunks[index].sides.deinitialize(count: 2 * UnsafeSideStore.chunkSize)
            unsafe chunks[index].sides.deallocate()
            unsafe chunks[index].histories.deallocate()
        }
    }

    /// The sides of the connection in this place; new ones if there was none before. Places come in order.
    subscript(place: Int) -> UnsafeSides {
        mutating get {
            if place / UnsafeSideStore.chunkSize == chunks.count { grow() }
            guard let sides = sides(place) else { preconditionFailure("places of connections come in order") }
            return sides
        }
    }

    /// Nil where there are none.
    @inline(__always)
    private func sides(_ place: Int) -> UnsafeSides? {
        let chunk = place / UnsafeSideStore.chunkSize
        guard place >= 0, chunk < chunks.count else { return nil }
        let offset = 2 * (place % UnsafeSideStore.chunkSize)
        return unsafe UnsafeSides(chunks[chunk].sides + offset, chunks[chunk].histories + offset)
    }

    private mutating func grow() {
        let count = 2 * UnsafeSideStore.chunkSize
        let chunk = unsafe Chunk(sides: .allocate(capacity: count), histories: .allocate(capacity: count))
        for index in 0..<count { unsafe (chunk.sides + index).initialize(to: Side()) }
        unsafe chunk.histories.initialize(repeating: UnsafeReadHistory(), count: count)
        chunks.append(chunk)
    }

    /// Brings both sides of a connection into the processor's cache.
    @inline(__always)
    func prefetch(_ place: Int) {
        guard let sides = sides(place) else { return }
        unsafe Prefetch.lines(sides.base, byteCount: 2 * MemoryLayout<Side>.stride)
    }

    /// Brings what a packet of this sender looks at: of its own side all but the sums that stand last, of the other the
    /// first fields, and where bytes that are read are kept.
    @inline(__always)
    func prefetch(_ place: Int, sender: Int) {
        guard let sides = sides(place) else { return }
        unsafe Prefetch.lines(sides.base + (sender & 1), byteCount: 640)
        unsafe Prefetch.lines(sides.base + (1 - sender & 1), byteCount: 256)
        unsafe Prefetch.lines(sides.histories + (sender & 1), byteCount: 64)
    }
}
