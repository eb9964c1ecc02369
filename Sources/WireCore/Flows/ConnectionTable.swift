/// Finds a connection's index by its key: open addressing, linear probing, at most half full.
///
/// A slot holds a tag from the hash and an index; the keys themselves live with the connections. The tag also says
/// where an entry belongs.
struct ConnectionTable: ~Copyable {
    struct Slot: Sendable {
        var tag: UInt32 = 0
        var index: Int32 = -1
    }

    private var slots: UnsafeSlab<Slot>
    private var mask: Int
    private var count = 0
    let seed: UInt64

    /// - Parameter capacity: slots at the beginning, a power of two.
    init(capacity: Int = 1024) {
        slots = ConnectionTable.emptySlots(capacity)
        mask = capacity - 1
        seed = UInt64.random(in: .min ... .max)
    }

    private static func emptySlots(_ count: Int) -> UnsafeSlab<Slot> {
        var slots = UnsafeSlab<Slot>(capacity: count)
        for _ in 0..<count { slots.append(Slot()) }
        return slots
    }

    @inline(__always)
    private static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }

    @inline(__always)
    private func home(_ tag: UInt32) -> Int { Int(tag) & mask }

    /// Index of the connection with this key, or -1.
    @inline(__always)
    func find(_ hash: UInt64, isMatch: (Int) -> Bool) -> Int {
        let tag = ConnectionTable.tag(hash)
        var place = home(tag)
        while true {
            let slot = slots[place]
            if slot.index < 0 { return -1 }
            if slot.tag == tag, isMatch(Int(slot.index)) { return Int(slot.index) }
            place = (place + 1) & mask
        }
    }

    /// Brings the slot where the search for a hash begins into the processor's cache.
    @inline(__always)
    func prefetch(_ hash: UInt64) { slots.prefetch(home(ConnectionTable.tag(hash))) }

    /// What `find` would most likely give, without a look at the connection; -1 where it is none for sure.
    @inline(__always)
    func likely(_ hash: UInt64) -> Int { find(hash) { _ in true } }

    mutating func insert(_ hash: UInt64, _ index: Int) {
        if (count + 1) * 2 > slots.count { grow() }
        place(Slot(tag: ConnectionTable.tag(hash), index: Int32(index)))
        count += 1
    }

    private mutating func place(_ slot: Slot) {
        var place = home(slot.tag)
        while slots[place].index >= 0 { place = (place + 1) & mask }
        slots[place] = slot
    }

    private mutating func grow() {
        var old = ConnectionTable.emptySlots(slots.count * 2)
        swap(&old, &slots)
        mask = slots.count - 1
        for index in 0..<old.count where old[index].index >= 0 { place(old[index]) }
    }

    /// Takes an entry out and closes the gap behind it, so that no marker of deleted slots is needed.
    mutating func remove(_ hash: UInt64, _ index: Int) {
        var hole = home(ConnectionTable.tag(hash))
        while slots[hole].index != Int32(index) {
            guard slots[hole].index >= 0 else { return }
            hole = (hole + 1) & mask
        }
        var cursor = (hole + 1) & mask
        while slots[cursor].index >= 0 {
            // The entry may move back if its home does not lie behind the gap (on the circle of slots).
            if (cursor - home(slots[cursor].tag)) & mask >= (cursor - hole) & mask {
                slots[hole] = slots[cursor]
                hole = cursor
            }
            cursor = (cursor + 1) & mask
        }
        slots[hole] = Slot()
        count -= 1
    }
}
