/// A piece of a capture file, in which frames lie. It is not changed as long as a batch refers to it.
package final class CaptureBuffer: @unchecked Sendable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// What the router made of some frames in a row, before the shards take it: for each shard the segments in their order,
/// with the buffers they lie in; and afterwards what the shard completed.
package struct BatchContent: ~Copyable {
    struct Queue: ~Copyable {
        /// Arrivals that fit.
        var segments = UnsafeSlab<CompactSegment>(capacity: 64)
        /// The others, each with the number of those that come before it.
        var others: [(before: Int, routed: RoutedSegment)] = []
        var completed = CompletedFlows()

        var isEmpty: Bool { segments.count == 0 && others.isEmpty }

        mutating func removeAll() {
            segments.removeAll()
            others.removeAll(keepingCapacity: true)
        }
    }

    var queues = UnsafeSlab<Queue>(capacity: AuditOptions.allShardCount)
    var buffers: [CaptureBuffer] = []
    var lastOrdinal = 0
    /// Parts that have something to take.
    var shards: [Int] = []
    /// Captured bytes of the frames in it.
    var byteCount = 0
    /// Sizes of the buffers of files.
    var bufferBytes = 0

    init() {
        for _ in 0..<AuditOptions.allShardCount { queues.append(Queue()) }
    }

    @inline(__always)
    mutating func add(_ routed: inout RoutedSegment, to shard: Int) {
        if queues[shard].isEmpty { shards.append(shard) }
        if let packed = CompactSegment(&routed) {
            queues[shard].segments.append(packed)
        } else {
            queues[shard].others.append((queues[shard].segments.count, routed))
        }
    }
}

/// A batch on its way between threads.
///
/// One thread at a time uses a queue. Whoever hands batches around sees to that.
package final class Batch: @unchecked Sendable {
    var content = BatchContent()

    package init() {}

    package var shards: [Int] { content.shards }
    package var bufferCount: Int { content.buffers.count }
    package var byteCount: Int { content.byteCount }
    package var bufferBytes: Int { content.bufferBytes }

    /// Takes a buffer for the frames to come.
    package func addBuffer(_ buffer: CaptureBuffer) {
        guard content.buffers.last !== buffer else { return }
        if !content.buffers.contains(where: { $0 === buffer }) { content.bufferBytes += buffer.bytes.count }
        content.buffers.append(buffer)
    }

    /// Lets many frames be put in. That takes one access to this object; one for each frame would take a good part of
    /// a packet's time.
    @inline(__always)
    package func fill<Value, Failure: Error>(
        _ body: (inout BatchContent) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(&content)
    }

    /// Empties it, for use again. Returns its buffers.
    package func takeBuffers() -> [CaptureBuffer] {
        defer { content.buffers.removeAll(keepingCapacity: true) }
        content.shards.removeAll(keepingCapacity: true)
        content.byteCount = 0
        content.bufferBytes = 0
        return content.buffers
    }
}
