import WireNative

/// Bodies that were examined, by their coded bytes. An equal body needs no work; equality is of every byte, not of a
/// hash. Oldest bodies leave first when room is needed.
struct ContentMemory {
    /// Coded bytes kept.
    private static let limit = 32 << 20

    private struct Entry {
        var hash: Int
        var bytes: [UInt8]
        var content: ExaminedContent
    }

    private var entries: [Entry?] = []
    private var oldest = 0
    private var byHash: [Int: [Int]] = [:]
    private var keptBytes = 0

    private func hash(_ content: ExaminedContent, _ bytes: [UInt8]) -> Int {
        runHash(bytes) ^ content.task.hashValue
    }

    /// An equal body with an equal task.
    func recall(_ content: ExaminedContent) -> ExaminedContent? {
        guard let places = byHash[hash(content, content.buffer)] else { return nil }
        for place in places {
            guard let entry = entries[place - removed] else { continue }
            if entry.content.task == content.task, entry.bytes == content.buffer { return entry.content }
        }
        return nil
    }

    /// Places count from the first body ever; so many have been taken from the front of `entries`.
    private var removed = 0

    mutating func remember(_ content: ExaminedContent, _ bytes: [UInt8]) {
        guard bytes.count <= ContentMemory.limit / 8 else { return }
        let hash = hash(content, bytes)
        byHash[hash, default: []].append(removed + entries.count)
        entries.append(Entry(hash: hash, bytes: bytes, content: content))
        keptBytes += bytes.count + 128
        while keptBytes > ContentMemory.limit { forgetOldest() }
    }

    private mutating func forgetOldest() {
        guard oldest < entries.count, let entry = entries[oldest] else { return }
        let place = removed + oldest
        entries[oldest] = nil
        oldest += 1
        keptBytes -= entry.bytes.count + 128
        byHash[entry.hash]?.removeAll { $0 == place }
        if byHash[entry.hash]?.isEmpty == true { byHash[entry.hash] = nil }
        if oldest > 1024, oldest * 2 > entries.count {
            entries.removeFirst(oldest)
            removed += oldest
            oldest = 0
        }
    }
}
