import WireNative

/// DNS lookups that connections are about to pay for. What is routed names them by a number: it has to be small.
final class LookupPayments: Sendable {
    private struct State {
        var costs: [Int32: LookupCost] = [:]
        var next: Int32 = 0
    }

    private let state = Guarded(State())

    func add(_ cost: LookupCost) -> Int32 {
        state.withLock { state in
            state.next &+= 1
            state.costs[state.next] = cost
            return state.next
        }
    }

    /// Leaves it there.
    func cost(_ number: Int32) -> LookupCost? { number == 0 ? nil : state.withLock { $0.costs[number] } }

    /// Gives a lookup out, once. 0 is none.
    func take(_ number: Int32) -> LookupCost? {
        number == 0 ? nil : state.withLock { $0.costs.removeValue(forKey: number) }
    }
}
