import Foundation
import Synchronization

/// Counts what is allocated while a target runs, by all of its threads, by the hooks of AddressSanitizer's allocator: a
/// measure of memory and of work that is the same whenever the input is and one thread runs.
enum AllocationWatch {
    struct Amounts {
        /// Most bytes held at one time beyond those held before.
        var mostHeld = 0
        /// Bytes of all allocations.
        var total = 0
    }

    private static let isRunning = Atomic(false)
    private static let hasThreads = Atomic(false)
    private static let held = Atomic(0)
    private static let mostHeld = Atomic(0)
    private static let total = Atomic(0)

    /// No thread of the target may run when it is called, nor when `end` is.
    static func begin() {
        held.store(0, ordering: .relaxed)
        mostHeld.store(0, ordering: .relaxed)
        total.store(0, ordering: .relaxed)
        isRunning.store(true, ordering: .releasing)
    }

    static func end() -> Amounts {
        isRunning.store(false, ordering: .releasing)
        return Amounts(mostHeld: mostHeld.load(ordering: .relaxed), total: total.load(ordering: .relaxed))
    }

    /// Does something that may allocate in several threads. They must have ended when it returns.
    static func withThreads<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        hasThreads.store(true, ordering: .releasing)
        defer { hasThreads.store(false, ordering: .releasing) }
        return try body()
    }

    static func noteAllocation(_ size: Int) {
        guard isRunning.load(ordering: .acquiring) else { return }
        add(size, to: total)
        let now = add(size, to: held)
        if now > mostHeld.load(ordering: .relaxed) { mostHeld.max(now, ordering: .relaxed) }
    }

    static func noteFree(_ size: Int) {
        guard isRunning.load(ordering: .acquiring) else { return }
        add(-size, to: held)
    }

    /// The bus need not be locked for one thread: that took a tenth of all time.
    @discardableResult
    private static func add(_ number: Int, to sum: borrowing Atomic<Int>) -> Int {
        if hasThreads.load(ordering: .acquiring) { return sum.wrappingAdd(number, ordering: .relaxed).newValue }
        let new = sum.load(ordering: .relaxed) &+ number
        sum.store(new, ordering: .relaxed)
        return new
    }
}
