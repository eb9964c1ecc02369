/// Connections of frames that come soon. What their packets look at is brought into the processor's cache one step for
/// each frame, because each step has to look at what the one before brought: the place in the table, the connection,
/// its sides, their exchange. With many connections open that is most of the time that a packet takes.
///
/// All of it is guessed: nothing that is found depends on it.
struct Outlook {
    /// Frames between the first step and the frame's turn.
    static let distance = 4

    private struct Expected {
        var part = -1
        var hash: UInt64 = 0
        /// In the store; below 0 where none is known.
        var index = -1
        var side = 0
    }

    private var latestKey = ConnectionKey()
    private var latest = Expected()
    private var second = Expected()
    private var third = Expected()

    /// Takes what is known of one more frame; nil where it seems to belong to no connection.
    @inline(__always)
    mutating func expect(_ key: ConnectionKey?, _ parts: borrowing UnsafeSlab<ConnectionPart>) {
        let last = third
        third = second
        second = latest
        latest = Expected()
        if let key, key != latestKey {
            latestKey = key
            latest.part = key.part
            latest.side = key.sender
            latest.hash = parts[latest.part].connections.prefetchPlace(key)
        }
        if second.part >= 0 { second.index = parts[second.part].connections.prefetchConnection(second.hash) }
        if third.index >= 0 { parts[third.part].connections.prefetchSides(third.index) }
        if last.index >= 0 { parts[last.part].prefetchExchange(last.index, last.side) }
    }
}

extension ConnectionStore {
    /// Returns the hash by which the connection is found.
    @inline(__always)
    func prefetchPlace(_ key: ConnectionKey) -> UInt64 {
        let hash = key.hash(seed: table.seed)
        table.prefetch(hash)
        return hash
    }

    /// Returns the place of the connection, or of that which a new one will have.
    @inline(__always)
    func prefetchConnection(_ hash: UInt64) -> Int {
        let index = table.find(hash) { _ in true }
        guard index >= 0 else { return nextPlace }
        if index != last { slots.prefetch(index, byteCount: 352) }
        return index
    }

    @inline(__always)
    func prefetchSides(_ index: Int) {
        guard index < slots.count, index != last else { return }
        slots[index].sides.prefetch()
    }
}

extension ConnectionPart {
    @inline(__always)
    func prefetchExchange(_ index: Int, _ side: Int) {
        guard index < connections.slots.count, index != connections.last else { return }
        let current = Int(connections.slots[index].sides[side].current)
        books.exchanges.slots.prefetch(current, byteCount: 256)
    }
}
