/// A piece of a capture file, in which frames lie. It is not changed as long as a round refers to it.
package final class CaptureBuffer: @unchecked Sendable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// What the router made of some frames in a row, before the parts of the connections take it: for each part the segments
/// in their order, with the buffers they lie in; and afterwards what left the books.
package struct RoundContent: ~Copyable {
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
    var buffers: [CaptureBuffer] = []
    var lastOrdinal = 0
    /// Parts that have something to take.
    var parts: [Int] = []
    /// Captured bytes of the frames in it.
    var byteCount = 0

    init() {
        for _ in 0..<AuditOptions.partCount { lanes.append(Lane()) }
    }

    @inline(__always)
    mutating func add(_ arrival: inout Arrival, to part: Int) {
        if lanes[part].isEmpty { parts.append(part) }
        if let packed = PackedArrival(&arrival) {
            lanes[part].arrivals.append(packed)
        } else {
            lanes[part].others.append((lanes[part].arrivals.count, arrival))
        }
    }
}

/// A round on its way between threads.
///
/// One thread at a time uses a lane. Whoever hands rounds around sees to that.
package final class Round: @unchecked Sendable {
    var content = RoundContent()

    package init() {}

    package var parts: [Int] { content.parts }
    package var bufferCount: Int { content.buffers.count }
    package var byteCount: Int { content.byteCount }

    /// Takes a buffer for the frames to come.
    package func addBuffer(_ buffer: CaptureBuffer) {
        if content.buffers.last !== buffer { content.buffers.append(buffer) }
    }

    /// Lets many frames be put in. That takes one access to this object; one for each frame would take a good part of
    /// a packet's time.
    @inline(__always)
    package func fill<Value, Failure: Error>(
        _ body: (inout RoundContent) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(&content)
    }

    /// Empties it, for use again. Returns its buffers.
    package func takeBuffers() -> [CaptureBuffer] {
        defer { content.buffers.removeAll(keepingCapacity: true) }
        content.parts.removeAll(keepingCapacity: true)
        content.byteCount = 0
        return content.buffers
    }
}
