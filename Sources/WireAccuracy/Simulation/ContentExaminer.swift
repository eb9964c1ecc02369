import WireCore
import WireEstimates
import WireNative

/// How much of bodies is examined. What is beyond it has no decoded size, and no size after compression.
public struct ContentLimits: Sendable {
    /// Largest decoded size of one body, bytes.
    public var decodedBody = 1 << 30
    /// What all bodies may decode to for a start, bytes. A hundred more are allowed for each byte captured: that stops
    /// decompression bombs.
    public var decodedTotal = 1 << 30
    /// Coded bytes of bodies not yet ended that may be held, all together.
    public var held = 256 << 20

    public init() {}
}

/// Learns from bodies what estimators need: decoded sizes, the size after the SDK's own gzip, whether they are text.
///
/// The engine's thread only collects coded bytes; workers decode and compress. Equal bodies are examined once. What is
/// examined does not depend on the number of workers: the budget is settled at fixed amounts of input.
public final class ContentExaminer: BodyExaminer {
    /// Coded bytes that go to a worker in one piece; longer bodies go in several.
    private static let pieceSize = 1 << 20
    /// What all bodies may decode to for each captured byte.
    private static let decodedPerCaptured = 100
    /// Coded bytes after which the budget is settled.
    private static let epochSize = 8 << 20

    private let limits: ContentLimits
    private let needs: ContentNeeds
    private let pool: WorkerPool
    private let workers: [ContentWorker]
    private var memory = ContentMemory()
    private var pending: [Int]
    private var heldBytes = 0
    private var epochBytes = 0
    private var captured = 0
    private var isExhausted = false
    private let work = WorkCount()

    /// - Parameter jobs: threads that may be used, the engine's included.
    public init(needs: ContentNeeds, jobs: Int, limits: ContentLimits = ContentLimits()) {
        self.limits = limits
        self.needs = needs
        pool = WorkerPool(count: jobs > 1 ? min(jobs, 64) : 0)
        let work = work
        workers = (0..<pool.count).map { _ in ContentWorker(work, outputLimit: limits.decodedBody) }
        pending = Array(repeating: 0, count: pool.count)
    }

    public var isImmediate: Bool { false }

    /// What was done so far. Complete when every body's facts were asked for.
    public var contentWork: ContentWork { work.sum.withLock { $0 } }

    public func begin(_ outline: BodyOutline, limitReached: inout Bool) -> (any ExaminedBody)? {
        let task = task(for: outline)
        guard !task.isEmpty else { return nil }
        guard !isExhausted, heldBytes < limits.held else {
            limitReached = true
            return nil
        }
        return ExaminedContent(task, worker: leastLoaded, pool: pool)
    }

    private func task(for outline: BodyOutline) -> ExaminedContent.Task {
        var task = ExaminedContent.Task()
        if !outline.codings.isEmpty, needs.contains(.decodedSizes) { task.decodes = true }
        if needs.contains(.recompression) {
            task.compressesContent = outline.isRequest && outline.hasContentEncoding
            task.compressesDecoded = !outline.isRequest && outline.isLiterallyGzip
        }
        task.measuresString = needs.contains(.strings)
        task.checksText = task.measuresString || needs.contains(.text) && !outline.isRequest
        task.gzips = needs.contains(.compressibility) && outline.codings.isEmpty
        task.digests = needs.contains(.digests)
        if task.compressesDecoded || (task.checksText && !outline.codings.isEmpty) { task.decodes = true }
        if task.decodes { task.codings = outline.codings }
        return task
    }

    private var leastLoaded: Int {
        var best = 0
        for worker in pending.indices where pending[worker] < pending[best] { best = worker }
        return best
    }

    public func take(_ body: any ExaminedBody, _ bytes: RawSpan, captured: Int) -> Bool {
        guard let content = body as? ExaminedContent else { return false }
        self.captured = captured
        append(bytes, to: &content.buffer)
        heldBytes += bytes.byteCount
        if content.buffer.count >= ContentExaminer.pieceSize { handOver(content, isLast: false, isWhole: false) }
        return heldBytes <= limits.held
    }

    public func end(_ body: any ExaminedBody, isWhole: Bool) {
        guard let content = body as? ExaminedContent else { return }
        guard content.handedOver == 0, isWhole else { return handOver(content, isLast: true, isWhole: isWhole) }
        if let same = memory.recall(content) {
            heldBytes -= content.buffer.count
            content.buffer = []
            content.settle(.same(same))
            work.sum.withLock { $0.remembered += 1 }
        } else {
            memory.remember(content, content.buffer)
            handOver(content, isLast: true, isWhole: true)
        }
    }

    public func abandon(_ body: any ExaminedBody) {
        guard let content = body as? ExaminedContent else { return }
        heldBytes -= content.buffer.count
        content.buffer = []
        content.settle(.known(BodyFacts()))
        guard content.handedOver > 0 else { return }
        let worker = workers[content.worker]
        pool.run(on: content.worker) { worker.forget(content) }
    }

    private func handOver(_ content: ExaminedContent, isLast: Bool, isWhole: Bool) {
        let bytes = content.buffer
        content.buffer = []
        heldBytes -= bytes.count
        let isFirst = content.handedOver == 0
        content.handedOver += max(bytes.count, 1)
        pending[content.worker] += bytes.count + 256
        let worker = workers[content.worker]
        pool.run(on: content.worker) {
            worker.examine(content, bytes, isFirst: isFirst, isLast: isLast, isWhole: isWhole)
        }
        epochBytes += bytes.count
        if epochBytes >= ContentExaminer.epochSize { settleBudget() }
    }

    /// Waits for the workers, so that the budget is held against the same sum whatever their number is.
    private func settleBudget() {
        epochBytes = 0
        for worker in pending.indices {
            pool.wait(worker)
            pending[worker] = 0
        }
        let decoded = work.sum.withLock { $0.decodedBytes }
        isExhausted =
            decoded > limits.decodedTotal + captured * ContentExaminer.decodedPerCaptured
    }
}
