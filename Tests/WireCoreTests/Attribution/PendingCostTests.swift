import Testing
import WireTesting

@testable import WireCore

@Suite("Overhead and costs that wait")
struct PendingCostTests {
    @Test(
        "a handle names its overhead until the last piece has an owner, and then another's",
        arguments: [1, 2] as [UInt64])
    func reusesHandles(seed: UInt64) {
        struct Slow {
            var cost: Int
            var outstanding: Int
            var shares: [Int]
        }
        var random = SeededRandom(seed: seed)
        var pending = PendingOverheads()
        var slow: [PendingOverheads.Handle: Slow] = [:]
        var mostAtOnce = 0
        for step in 0..<5000 {
            let handle = slow.keys.sorted().randomElement(using: &random)
            switch (random.below(5), handle) {
            case (0, _), (_, nil):
                let entry = Slow(cost: step, outstanding: 1 + random.below(3), shares: [])
                let new = pending.insert(HeaderCost(internet: step), outstanding: entry.outstanding)
                #expect(slow[new] == nil, "seed \(seed), step \(step): the handle is in use")
                slow[new] = entry
            case (1, let handle?):
                pending.retain(handle)
                slow[handle]?.outstanding += 1
            case (2, let handle?):
                pending.share(handle, Owner(index: Int32(step), serial: 0), step)
                slow[handle]?.shares.append(step)
            default:
                guard let handle, var entry = slow[handle] else { continue }
                entry.outstanding -= 1
                let isLast = pending.release(handle)
                slow[handle] = isLast ? nil : entry
                #expect(isLast == (entry.outstanding == 0), "seed \(seed), step \(step)")
                if isLast {
                    var shares = ShareList()
                    pending.takeShares(handle, into: &shares)
                    #expect((0..<shares.count).map { shares[$0].bytes } == entry.shares, "seed \(seed), step \(step)")
                    #expect(pending.slots[Int(handle)].cost.internet == entry.cost, "seed \(seed), step \(step)")
                }
            }
            mostAtOnce = max(mostAtOnce, slow.count)
            #expect(pending.count == slow.count)
        }
        #expect(pending.slots.count == mostAtOnce, "Memory is used again.")
    }

    @Test("shares go to a carrier that is resumed and back, in their order")
    func takesShares() {
        var pending = PendingOverheads()
        let handle = pending.insert(HeaderCost(internet: 40), outstanding: 2)
        pending.share(handle, Owner(index: 0, serial: 1), 1)
        var shares = ShareList()
        pending.takeShares(handle, into: &shares)
        shares.add(Owner(index: 1, serial: 1), 2)
        pending.addShares(handle, &shares)
        shares.removeAll()
        shares.add(Owner(index: 2, serial: 1), 3)
        pending.addShares(handle, &shares)
        let isLast = [pending.release(handle), pending.release(handle)]
        #expect(isLast == [false, true])
        pending.takeShares(handle, into: &shares)
        #expect((0..<shares.count).map { shares[$0].bytes } == [1, 2, 3])
    }

    @Test(
        "deferred costs of several chains come out by their own ends, in order of arrival",
        arguments: [1, 2] as [UInt64])
    func keepsChainsApart(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var costs = DeferredCosts()
        var chains = [DeferredCosts.Chain](repeating: DeferredCosts.Chain(), count: 4)
        var slow = [[(end: Int, id: Int)]](repeating: [], count: 4)
        for step in 0..<5000 {
            let place = random.below(4)
            if random.oneIn(3) {
                let position = random.below(120)
                let taken = costs.takeAll(endingBy: StreamPosition(position), from: &chains[place])
                let expected = slow[place].filter { $0.end <= position }
                slow[place].removeAll { $0.end <= position }
                #expect(taken.map(\.cost.internet) == expected.map(\.id), "seed \(seed), step \(step)")
            } else {
                let end = random.below(120)
                costs.append(
                    DeferredCost(end: StreamPosition(end), cost: HeaderCost(internet: step)), to: &chains[place])
                slow[place].append((end, step))
            }
            #expect(chains[place].count == slow[place].count, "seed \(seed), step \(step)")
            #expect(chains[place].isEmpty == slow[place].isEmpty, "seed \(seed), step \(step)")
        }
    }
}
