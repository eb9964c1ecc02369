import Testing

@testable import WireJoin

@Suite("What a capture leaves open of redirections")
struct RedirectReadingsTests {
    /// Calls with times in milliseconds, each with the call whose redirection it follows and its rival; -1 for none.
    private struct Scene {
        var calls: [WireCall] = []

        @discardableResult
        mutating func call(_ path: Int32, _ start: Int64, _ end: Int64, from: Int = -1, rival: Int = -1) -> Int {
            var call = WireCall(
                number: calls.count, host: 0, path: path, method: 0, status: 200, clientPort: 1, serverPort: 2,
                start: start * 1_000_000, end: end * 1_000_000)
            (call.redirectedFrom, call.redirectRival) = (Int32(from), Int32(rival))
            calls.append(call)
            return calls.count - 1
        }

        /// Each set of chains by their starts, and where each may have begun and ended.
        var chainSets: [[Int: Set<RedirectReadings.Reading>]] {
            RedirectReadings(RedirectChains(calls), calls).chainSets.map { chains in
                Dictionary(uniqueKeysWithValues: chains.map { ($0.start, Set($0.readings)) })
            }
        }
    }

    private func reading(_ first: Int, _ end: Int) -> RedirectReadings.Reading { .init(first: first, end: end) }

    @Test("chains without rivals leave nothing open")
    func plain() {
        var scene = Scene()
        let first = scene.call(1, 1000, 1010)
        scene.call(2, 1020, 1030, from: first)
        #expect(scene.chainSets.isEmpty)
    }

    @Test("of a redirected call and a direct one for its target either may have followed")
    func oneRedirection() {
        var scene = Scene()
        let first = scene.call(1, 1000, 1010)
        let follower = scene.call(2, 1020, 1030, from: first)
        let direct = scene.call(2, 1040, 1060, rival: follower)
        let expected = [
            first: Set([reading(first, follower), reading(first, direct)]),
            direct: Set([reading(follower, follower), reading(direct, direct)]),
        ]
        #expect(scene.chainSets == [expected])
    }

    @Test("nobody follows a redirection before it came, or long after")
    func causality() {
        var scene = Scene()
        let early = scene.call(1, 1000, 1010)
        let follower = scene.call(3, 1020, 1030, from: early)
        let late = scene.call(2, 1025, 1100)
        let second = scene.call(3, 1110, 1130, from: late, rival: follower)
        let direct = scene.call(3, 9000, 9010, rival: second)
        let chains = scene.chainSets[0]
        #expect(chains[early] == [reading(early, follower), reading(early, second)])
        #expect(chains[late] == [reading(late, second)])
        #expect(chains[direct] == [reading(follower, follower), reading(second, second), reading(direct, direct)])
    }

    @Test("what is open at one hop and at the next is open together")
    func twoHops() {
        var scene = Scene()
        let go = scene.call(1, 1000, 1018)
        let old = scene.call(2, 1019, 1028, from: go)
        let other = scene.call(2, 1029, 1060, rival: old)
        let one = scene.call(3, 1034, 1058, from: old)
        let two = scene.call(3, 1061, 1075, from: other, rival: one)
        let expected = [
            go: Set([reading(go, one), reading(go, two)]),
            other: Set([reading(old, one), reading(old, two), reading(other, two)]),
        ]
        #expect(scene.chainSets == [expected])
    }

    @Test("chains of one name are left as they are: whichever row is whose, their rows are the same")
    func oneName() {
        var scene = Scene()
        let one = scene.call(1, 1000, 1010)
        let two = scene.call(1, 1001, 1010)
        let first = scene.call(2, 1020, 1030, from: one)
        scene.call(2, 1021, 1060, from: two, rival: first)
        #expect(scene.chainSets.isEmpty)
    }

    @Test("a target that is asked for without end makes sets of chains of a bounded size")
    func manyRivals() {
        var scene = Scene()
        var last = -1
        for index in 0..<500 as Range<Int64> {
            let first = scene.call(Int32(index % 7), 1000 + index * 10, 1005 + index * 10)
            last = scene.call(9, 1006 + index * 10, 1009 + index * 10, from: first, rival: last)
        }
        #expect(scene.chainSets.count >= 500 / 32)
        #expect(scene.chainSets.allSatisfy { $0.count <= 32 })
        #expect(scene.chainSets.joined().allSatisfy { $0.value.contains(reading($0.key, $0.key + 1)) })
    }
}
