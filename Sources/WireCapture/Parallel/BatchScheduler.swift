import Platform
import WireCore

/// Shares batches out to threads: each shard takes its batches in their order, in one thread at a time, and batches are
/// settled in order. Whoever has nothing better to do does what there is to do; nothing is bound to a thread.
final class BatchScheduler: @unchecked Sendable {
    private enum Task {
        case take(Batch, shard: Int)
        case settle(Batch)
        /// Nothing now.
        case none
        /// Nothing any more.
        case over
    }

    /// Rounds that may be on their way at one time, and that wake a sleeper: waking one for each would cost more than many
    /// batches do.
    private let roundLimit: Int
    private static let wakingCount = 3
    /// Buffers of rounds on their way take at most so much, and a round more.
    private static let bufferBytesLimit = 16 << 20
    private let shards: UnsafeShards
    private let gate = ThreadGate()
    private var threads: [WorkerThread] = []

    // Behind the gate.
    /// Batches that are not settled, the oldest first, and how many shards have not taken each.
    private var open: [(batch: Batch, remaining: Int)] = []
    private var openBytes = 0
    /// Number of the first of `open`.
    private var firstNumber = 0
    /// For each shard the numbers of batches that it has not taken.
    private var waiting: [[Int]]
    private var waitingHeads: [Int]
    private var isBusy: [Bool]
    /// A batch is being settled, or something else is done that must not happen meanwhile.
    private var isSettling = false
    private var isClosed = false
    private var free: [Batch] = []
    /// Parts that could be taken further now.
    private var readyCount = 0
    private var sleepingWorkers = 0
    private var readerSleeps = false

    /// - Parameter threads: those beside the caller's. There may be fewer, if the system gives no more.
    init(_ shards: UnsafeShards, threads count: Int) {
        self.shards = shards
        roundLimit = 6 + 2 * count
        waiting = [[Int]](repeating: [], count: shards.shardCount)
        waitingHeads = [Int](repeating: 0, count: shards.shardCount)
        isBusy = [Bool](repeating: false, count: shards.shardCount)
        for _ in 0..<count {
            guard let thread = WorkerThread({ [self] in work() }) else { break }
            threads.append(thread)
        }
    }

    // MARK: The caller's side

    /// An empty batch, and the buffers of those that are settled. Works on others as long as there are too many.
    func nextBatch() -> (batch: Batch, buffers: [CaptureBuffer]) {
        gate.lock()
        while open.count >= roundLimit || openBytes >= BatchScheduler.bufferBytesLimit { workOrWait(at: .reader) }
        let buffers = free.flatMap { $0.takeBuffers() }
        let batch = free.popLast()
        gate.unlock()
        return (batch ?? Batch(), buffers)
    }

    /// Gives out a batch.
    func publish(_ batch: Batch) {
        gate.lock()
        for shard in batch.shards {
            if !isBusy[shard], waiting[shard].isEmpty { readyCount += 1 }
            waiting[shard].append(firstNumber + open.count)
        }
        open.append((batch, batch.shards.count))
        openBytes += batch.bufferBytes
        if sleepingWorkers > 0, open.count >= BatchScheduler.wakingCount { gate.signal(.workers) }
        gate.unlock()
    }

    /// Returns when all batches are settled.
    func drain() {
        gate.lock()
        while !open.isEmpty { workOrWait(at: .reader) }
        gate.unlock()
    }

    /// Does something while nothing is settled, if that is possible at once.
    func betweenSettlements(_ body: () -> Void) {
        gate.lock()
        let isPossible = !isSettling
        if isPossible { isSettling = true }
        gate.unlock()
        guard isPossible else { return }
        body()
        gate.lock()
        isSettling = false
        if sleepingWorkers > 0 { gate.signal(.workers) }
        gate.unlock()
    }

    /// Ends the threads. Rounds that are not settled yet are lost.
    func close() {
        gate.lock()
        isClosed = true
        gate.signalAll(.workers)
        gate.unlock()
        for thread in threads { thread.join() }
        threads = []
    }

    // MARK: Work

    private func work() {
        gate.lock()
        while !isClosed { workOrWait(at: .workers) }
        gate.unlock()
    }

    /// Does one thing, or waits for news. The gate is locked before and after.
    private func workOrWait(at place: ThreadGate.Place) {
        switch nextTask() {
        case .take(let batch, let shard):
            wakeMore(place)
            gate.unlock()
            shards.take(batch, shard: shard)
            gate.lock()
            isBusy[shard] = false
            if !waiting[shard].isEmpty { readyCount += 1 }
            if let index = open.firstIndex(where: { $0.batch === batch }) { open[index].remaining -= 1 }
        case .settle(let batch):
            wakeMore(place)
            gate.unlock()
            shards.settle(batch)
            gate.lock()
            isSettling = false
            open.removeFirst()
            firstNumber += 1
            openBytes -= batch.bufferBytes
            free.append(batch)
            if readerSleeps { gate.signal(.reader) }
        case .none: wait(at: place)
        case .over: break
        }
    }

    private func wait(at place: ThreadGate.Place) {
        if place == .reader {
            readerSleeps = true
            gate.wait(at: .reader)
            readerSleeps = false
        } else {
            sleepingWorkers += 1
            gate.wait(at: .workers)
            sleepingWorkers -= 1
        }
    }

    /// There is more to do than this thread has taken.
    private func wakeMore(_ place: ThreadGate.Place) {
        guard readyCount > 0 else { return }
        if readerSleeps {
            gate.signal(.reader)
        } else if sleepingWorkers > 0, place == .workers || open.count >= BatchScheduler.wakingCount {
            gate.signal(.workers)
        }
    }

    private func nextTask() -> Task {
        if isClosed { return .over }
        if !isSettling, let first = open.first, first.remaining == 0 {
            isSettling = true
            return .settle(first.batch)
        }
        guard readyCount > 0 else { return .none }
        var oldest: (shard: Int, number: Int)?
        for shard in waiting.indices where !isBusy[shard] && waitingHeads[shard] < waiting[shard].count {
            let number = waiting[shard][waitingHeads[shard]]
            if oldest == nil || number < oldest!.number { oldest = (shard, number) }
        }
        guard let (shard, number) = oldest else { return .none }
        isBusy[shard] = true
        readyCount -= 1
        waitingHeads[shard] += 1
        if waitingHeads[shard] == waiting[shard].count {
            waiting[shard].removeAll(keepingCapacity: true)
            waitingHeads[shard] = 0
        }
        return .take(open[number - firstNumber].batch, shard: shard)
    }
}
