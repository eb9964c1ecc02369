/// A piece of a capture file, in which frames lie. It is not changed as long as a round refers to it.
package final class CaptureBuffer: @unchecked Sendable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// What the router made of some frames in a row, before the parts of the connections take it: for each part the segments
/// in their order, with the buffers they lie in; and afterwards what left the books.
///
/// One thread at a time uses a lane. Whoever hands rounds around sees to that.
package final class Round: @unchecked Sendable {
    struct Lane: ~Copyable {
        /// Arrivals that fit.
        var arrivals = UnsafeSlab<PackedArrival>(capacity: 64)
        /// The others, each with the number of those that come before it.
        var others: [(before: Int, arrival: Arrival)] = []
        var outbox = Outbox()

        var isEmpty: Bool { arrivals.count == 0 && others.isEmpty }

        mutating func removeAll() {
            arrivals.removeAll()
            others.removeAll(keepingCapacity: true)
        }
    }

    var lanes = UnsafeSlab<Lane>(capacity: AuditOptions.partCount)
    package internal(set) var buffers: [CaptureBuffer] = []
    var lastOrdinal = 0
    /// Parts that have something to take.
    package internal(set) var parts: [Int] = []
    /// Captured bytes of the frames in it.
    package internal(set) var byteCount = 0

    package init() {
        for _ in 0..<AuditOptions.partCount { lanes.append(Lane()) }
    }

    /// Takes a buffer for the frames to come.
    package func addBuffer(_ buffer: CaptureBuffer) {
        if buffers.last !== buffer { buffers.append(buffer) }
    }

    /// Empties it, for use again. Returns its buffers.
    package func takeBuffers() -> [CaptureBuffer] {
        defer { buffers.removeAll(keepingCapacity: true) }
        parts.removeAll(keepingCapacity: true)
        byteCount = 0
        return buffers
    }

    @inline(__always)
    func add(_ arrival: inout Arrival, to part: Int) {
        if lanes[part].isEmpty { parts.append(part) }
        if let packed = PackedArrival(&arrival) {
            lanes[part].arrivals.append(packed)
        } else {
            lanes[part].others.append((lanes[part].arrivals.count, arrival))
        }
    }
}
