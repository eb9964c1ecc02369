/// The shards, and the totals, for use by other threads than that which has the auditor.
@safe
package struct UnsafeShards: @unchecked Sendable {
    private let shards: [UnsafeMutablePointer<Shard>]
    private let totals: Totals
    private let names: NameDirectory
    private let sessions: SessionDirectory

    init(
        shards: [UnsafeMutablePointer<Shard>], totals: Totals, names: NameDirectory, sessions: SessionDirectory
    ) {
        unsafe self.shards = shards
        self.totals = totals
        self.names = names
        self.sessions = sessions
    }

    package var shardCount: Int { unsafe shards.count }

    /// Lets a shard take what is in the batch for it. No other thread may use the shard meanwhile; other shards may take
    /// theirs: the queue is reached by its address, because to change it through `queues` would be to change them all.
    package func take(_ batch: Batch, shard: Int) {
        let queue = unsafe batch.content.queues.address(of: shard)
        unsafe shards[shard].pointee.take(&queue.pointee, batch.content.buffers)
    }

    /// Adds what the shards completed in the batch to the totals. To be called for one batch after another.
    package func settle(_ batch: Batch) {
        var completed = [CompletedFlows](repeating: CompletedFlows(), count: batch.content.queues.count)
        for shard in batch.shards { swap(&completed[shard], &batch.content.queues[shard].completed) }
        totals.settle(&completed)
        for shard in batch.shards { swap(&completed[shard], &batch.content.queues[shard].completed) }
        names.settle(batch.content.lastOrdinal)
        sessions.settle(batch.content.lastOrdinal)
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
        return unsafe UnsafeShards(
            shards: pointers, totals: totals, names: router.names, sessions: router.keys.sessions)
    }
}
