/// Parts of the connections, and the totals, for use by other threads than that which has the auditor.
@safe
package struct UnsafeShards: @unchecked Sendable {
    private let shards: [UnsafeMutablePointer<Shard>]
    private let totals: Totals
    private let names: NameDirectory

    init(shards: [UnsafeMutablePointer<Shard>], totals: Totals, names: NameDirectory) {
        unsafe self.shards = shards
        self.totals = totals
        self.names = names
    }

    package var shardCount: Int { unsafe shards.count }

    /// Lets a part take what is in the batch for it. No other thread may use the part meanwhile; other parts may take
    /// theirs: the queue is reached by its address, because to change it through `queues` would be to change them all.
    package func take(_ batch: Batch, shard: Int) {
        let queue = unsafe batch.content.queues.address(of: shard)
        unsafe shards[shard].pointee.take(&queue.pointee, batch.content.buffers)
    }

    /// Hands over what left the shard in the batch. To be called for one batch after another.
    package func settle(_ batch: Batch) {
        var completed = [CompletedFlows](repeating: CompletedFlows(), count: batch.content.queues.count)
        for shard in batch.shards { swap(&completed[shard], &batch.content.queues[shard].completed) }
        totals.settle(&completed)
        for shard in batch.shards { swap(&completed[shard], &batch.content.queues[shard].completed) }
        names.settle(batch.content.lastOrdinal)
    }
}

extension Auditor {
    /// What threads need of this audit. They must not outlive it.
    package var unsafeShards: UnsafeShards {
        var pointers = unsafe [UnsafeMutablePointer<Shard>]()
        for shard in 0..<shards.count {
            let pointer = unsafe shards.address(of: shard)
            unsafe pointers.append(pointer)
        }
        return unsafe UnsafeShards(shards: pointers, totals: totals, names: router.names)
    }
}
