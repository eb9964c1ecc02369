import WireNative

/// What was not looked at for some time is brought into the processor's cache while others of its kind are seen to.
/// Nothing that is found depends on it.
extension ConnectionStore {
    /// Where the connection of a packet to come is looked for.
    struct Expectation {
        fileprivate var hash: UInt64 = 0
        fileprivate var sender = Direction(0)

        /// Of nothing in particular.
        init() {}

        fileprivate init(hash: UInt64, sender: Direction) {
            self.hash = hash
            self.sender = sender
        }
    }

    /// There are, or were, enough connections to look ahead for: fewer stay in the cache by themselves.
    @inline(__always)
    var rewardsPrefetching: Bool {
        #if FUZZING
            // There few connections are enough to try it.
            true
        #else
            slots.count >= 32
        #endif
    }

    /// Begins the look for the connection of a packet that may come soon. `prefetch` goes on with it, a little later.
    @inline(__always)
    func expect(_ key: ConnectionKey) -> Expectation {
        let hash = key.hash(seed: table.seed)
        table.prefetch(hash)
        return Expectation(hash: hash, sender: key.sender)
    }

    /// What the packet looks at first.
    @inline(__always)
    mutating func prefetch(_ expected: Expectation) {
        let place = table.likely(expected.hash)
        likely = place
        guard place >= 0, place != last else { return }
        // All up to what only ends and beginnings look at.
        slots.prefetch(place, byteCount: MemoryLayout<Connection>.size)
        memory.prefetch(place, expected.sender)
    }

    /// A connection, and the memory of another one, which are to be ended soon.
    @inline(__always)
    func prefetchEnd(_ later: Int, _ next: Int, _ shard: borrowing ShardContext) {
        slots.prefetch(later, byteCount: MemoryLayout<Connection>.size)
        guard next >= 0, next < slots.count else { return }
        memory.prefetch(next)
        shard.streams.prefetchExchange(Int(slots[next].tracker.first))
    }

    /// What is looked at soon because its time has come, after some others: the names of an exchange are found through it.
    @inline(__always)
    func prefetchDue(_ entries: [TimerWheel.Entry], behind place: Int, _ shard: borrowing ShardContext) {
        if place + 2 < entries.count {
            let owner = entries[place + 2].owner
            // The text alone: a method of an exchange in the store would copy it.
            if shard.streams.attribution.isOpen(owner) {
                Prefetch.lines(of: shard.streams.exchanges[Int(owner.index)].text, limit: 128)
            }
        }
        guard place + 5 < entries.count else { return }
        let later = entries[place + 5]
        slots.prefetch(Int(later.place), byteCount: MemoryLayout<Connection>.size)
        memory.prefetch(Int(later.place))
        shard.streams.prefetchExchange(Int(later.owner.index))
    }

    /// What most packets of a connection add their bytes to.
    @inline(__always)
    func prefetchExchange(of index: Int, _ shard: borrowing ShardContext) {
        shard.streams.attribution.accounts.prefetch(
            Int(slots[index].tracker.last), byteCount: MemoryLayout<OwnerAccount>.size)
    }
}
