import Dispatch
import Testing

@testable import WireNative

@Suite("A value behind a lock")
struct GuardedTests {
    private final class Shared: Sendable {
        let values = Guarded([Int]())
    }

    private struct Refusal: Error {}

    @Test("what several threads do to it at once is all there, and none of them sees it half done")
    func threads() {
        let shared = Shared()
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<2000 {
                let isWhole = shared.values.withLock { values in
                    values += [thread, number]
                    return values.count.isMultiple(of: 2) && values.suffix(2) == [thread, number]
                }
                #expect(isWhole)
            }
        }
        let values = shared.values.withLock { $0 }
        #expect(values.count == 16_000)
        for thread in 0..<4 {
            let own = stride(from: 0, to: values.count, by: 2).filter { values[$0] == thread }.map { values[$0 + 1] }
            #expect(own == Array(0..<2000))
        }
    }

    @Test("an error leaves it usable")
    func errors() {
        let shared = Shared()
        #expect(throws: Refusal.self) {
            try shared.values.withLock { values throws(Refusal) in
                values = [1]
                throw Refusal()
            }
        }
        #expect(shared.values.withLock { $0 } == [1])
    }
}
