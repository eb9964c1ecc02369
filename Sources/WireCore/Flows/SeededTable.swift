/// Finds values by keys that others choose: a `ConnectionTable` with the keys beside it. A look-up costs a third of a
/// dictionary's, whose hash is made for more than numbers.
struct SeededTable<Key: SeededKey, Value>: ~Copyable {
    struct Entry {
        var key: Key
        var value: Value
    }

    private var table = ConnectionTable(capacity: 16)
    private var entries = UnsafeSlab<Entry>(capacity: 16)
    private var free: [Int] = []

    var count: Int { entries.count - free.count }

    @inline(__always)
    subscript(key: Key) -> Value? {
        let index = find(key, key.hash(seed: table.seed))
        return index < 0 ? nil : entries[index].value
    }

    mutating func set(_ key: Key, _ value: Value) {
        let hash = key.hash(seed: table.seed)
        let known = find(key, hash)
        guard known < 0 else {
            entries[known].value = value
            return
        }
        let entry = Entry(key: key, value: value)
        let index = free.popLast() ?? entries.count
        if index == entries.count { entries.append(entry) } else { entries[index] = entry }
        table.insert(hash, index)
    }

    mutating func remove(_ key: Key) {
        let hash = key.hash(seed: table.seed)
        let index = find(key, hash)
        guard index >= 0 else { return }
        table.remove(hash, index)
        free.append(index)
    }

    @inline(__always)
    private func find(_ key: Key, _ hash: UInt64) -> Int { table.find(hash) { entries[$0].key == key } }
}
