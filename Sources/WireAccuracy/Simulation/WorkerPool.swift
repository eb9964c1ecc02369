import Dispatch

/// A fixed number of workers, each doing its work in the order it was given. Without workers, work is done at once by
/// the caller.
final class WorkerPool: Sendable {
    private let queues: [DispatchQueue]

    /// - Parameter count: threads beside the caller's; 0 for none.
    init(count: Int) {
        queues = (0..<max(count, 0)).map { DispatchQueue(label: "wireaudit.content.\($0)", qos: .userInitiated) }
    }

    /// Numbers of workers are below this; there is one at least, the caller itself.
    var count: Int { max(queues.count, 1) }

    func run(on worker: Int, _ work: @escaping @Sendable () -> Void) {
        guard !queues.isEmpty else { return work() }
        queues[worker].async(execute: work)
    }

    /// Returns when all that was given to the worker so far is done.
    func wait(_ worker: Int) {
        guard !queues.isEmpty else { return }
        queues[worker].sync {}
    }
}
