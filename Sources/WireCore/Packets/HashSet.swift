/// A set of hashes that nobody can choose, such as `ConnectionKey.hash(seed:)` gives: they are not hashed again. Open
/// addressing, linear probing, at most half full.
struct HashSet {
    /// 0 where nothing is.
    private var slots = [UInt64](repeating: 0, count: 64)
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    func contains(_ hash: UInt64) -> Bool { slots[place(of: hash)] != 0 }

    mutating func insert(_ hash: UInt64) {
        let place = place(of: hash)
        guard slots[place] == 0 else { return }
        slots[place] = HashSet.stored(hash)
        count += 1
        if count * 2 > slots.count { grow() }
    }

    /// Keeps the memory.
    mutating func removeAll() {
        for place in slots.indices { slots[place] = 0 }
        count = 0
    }

    /// A hash of 0 is stored as another, which it is not told from: any two hashes meet as seldom.
    @inline(__always)
    private static func stored(_ hash: UInt64) -> UInt64 { max(hash, 1) }

    /// Where the hash is, or where it would be put.
    @inline(__always)
    private func place(of hash: UInt64) -> Int {
        let (stored, mask) = (HashSet.stored(hash), slots.count - 1)
        var place = Int(truncatingIfNeeded: stored) & mask
        while slots[place] != 0, slots[place] != stored { place = (place + 1) & mask }
        return place
    }

    private mutating func grow() {
        let old = slots
        slots = [UInt64](repeating: 0, count: 2 * old.count)
        for hash in old where hash != 0 { slots[place(of: hash)] = hash }
    }
}
