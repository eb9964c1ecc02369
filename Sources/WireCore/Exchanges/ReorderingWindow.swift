/// The place of a record in the output.
public struct RecordOrder: Comparable {
    @usableFromInline var time: Int64
    @usableFromInline var connection: Int
    @usableFromInline var exchange: Int

    @inlinable
    public init(time: Int64, connection: Int, exchange: Int) {
        self.time = time
        self.connection = connection
        self.exchange = exchange
    }

    @inlinable @inline(__always)
    public static func < (left: RecordOrder, right: RecordOrder) -> Bool {
        (left.time, left.connection, left.exchange) < (right.time, right.connection, right.exchange)
    }
}

/// Sorts records that arrive almost in order, in bounded memory: when it is full, by number or by the bytes of their
/// texts, the smallest leave. Records that arrive later than the window is wide come out late.
public struct ReorderingWindow<Record> {
    /// Most bytes of text held.
    @usableFromInline static var textLimit: Int { 16 << 20 }
    @usableFromInline let capacity: Int
    @usableFromInline var textBytes = 0
    @usableFromInline var heap: [(order: RecordOrder, slot: Int, textBytes: Int)] = []
    @usableFromInline var records: [Record?] = []
    @usableFromInline var freeSlots: [Int] = []

    @inlinable
    public init(capacity: Int = 16_384) {
        self.capacity = max(capacity, 1)
    }

    /// One must leave; `removeSmallest` gives it.
    @inlinable
    public var isOverfull: Bool { heap.count > capacity || (textBytes > Self.textLimit && heap.count > 1) }

    /// Takes a record in, whose texts have so many bytes.
    @inlinable
    public mutating func insert(_ record: Record, order: RecordOrder, textBytes: Int) {
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
            records[slot] = record
        } else {
            slot = records.count
            records.append(record)
        }
        heap.append((order, slot, textBytes))
        self.textBytes += textBytes
        siftUp(heap.count - 1)
    }

    @inlinable
    public mutating func removeSmallest() -> Record? {
        guard let top = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            siftDown(0)
        }
        freeSlots.append(top.slot)
        textBytes -= top.textBytes
        let record = records[top.slot]
        records[top.slot] = nil
        return record
    }

    @inlinable
    mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].order < heap[parent].order else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    @inlinable
    mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var smallest = 2 * parent + 1
            guard smallest < heap.count else { return }
            if smallest + 1 < heap.count, heap[smallest + 1].order < heap[smallest].order { smallest += 1 }
            guard heap[smallest].order < heap[parent].order else { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
