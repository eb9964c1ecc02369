/// Overhead of packets and records whose bytes do not all have an owner yet: an arena.
struct PendingOverheads: Sendable {
    /// Names an entry; below 0 none.
    typealias Handle = Int32

    struct Entry: Sendable {
        var cost = HeaderCost()
        /// Number of the packet's frame.
        var frame: UInt32 = 0
        var shares = ShareList()
        /// Out-of-order segments of the packet, and pieces of units that begin or end in it, that are still to come.
        var outstanding = 0
        /// The record whose overhead it is; nil for a packet.
        var record: RecordUnit?
    }

    private(set) var slots: [Entry] = []
    private var free: [Handle] = []
    /// Entries in use.
    var count: Int { slots.count - free.count }

    mutating func insert(
        _ cost: HeaderCost, frame: Int = 0, record: RecordUnit? = nil, outstanding: Int
    ) -> Handle {
        let frame = UInt32(truncatingIfNeeded: frame)
        if let handle = free.popLast() {
            slots[Int(handle)].cost = cost
            slots[Int(handle)].frame = frame
            slots[Int(handle)].outstanding = outstanding
            slots[Int(handle)].shares.removeAll()
            if let record { slots[Int(handle)].record = record }
            return handle
        }
        slots.append(Entry(cost: cost, frame: frame, outstanding: outstanding, record: record))
        return Handle(slots.count - 1)
    }

    /// One piece more waits for its owner.
    mutating func retain(_ handle: Handle) { slots[Int(handle)].outstanding += 1 }

    /// One piece less does. Returns whether it was the last. The entry is free then: its shares and record must be taken
    /// before the next one is inserted, which counts on a free entry to have no record.
    mutating func release(_ handle: Handle) -> Bool {
        slots[Int(handle)].outstanding -= 1
        guard slots[Int(handle)].outstanding == 0 else { return false }
        free.append(handle)
        return true
    }

    /// Takes the record of an entry; nil for a packet.
    mutating func takeRecord(_ handle: Handle) -> RecordUnit? {
        guard slots[Int(handle)].record != nil else { return nil }
        var record: RecordUnit?
        swap(&record, &slots[Int(handle)].record)
        return record
    }

    mutating func share(_ handle: Handle, _ owner: Owner, _ count: Int) {
        slots[Int(handle)].shares.add(owner, count)
    }

    /// Takes the shares of an entry whose carrier is delivered again.
    mutating func takeShares(_ handle: Handle, into shares: inout ShareList) {
        swap(&shares, &slots[Int(handle)].shares)
    }

    /// Adds the shares of a carrier that was delivered.
    mutating func addShares(_ handle: Handle, _ shares: inout ShareList) {
        guard !slots[Int(handle)].shares.isEmpty else { return swap(&shares, &slots[Int(handle)].shares) }
        for index in 0..<shares.count { slots[Int(handle)].shares.add(shares[index].owner, shares[index].bytes) }
    }
}
