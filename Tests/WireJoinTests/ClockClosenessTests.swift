import Testing
import WireTesting

@testable import WireJoin

@Suite("Equal clocks against others")
struct ClockClosenessTests {
    /// A test plan that was run twice: the capture has the second run, the log the first one whole and some of the second.
    ///
    /// - Parameters:
    ///   - earlier: milliseconds between the runs.
    ///   - kept: of ten rows of the second run.
    private func scene(seed: UInt64, earlier: Double, kept: Int) -> (small: SmallLog, own: [(row: Int, call: Int32)]) {
        var random = SeededRandom(seed: seed)
        var small = SmallLog()
        var own: [(row: Int, call: Int32)] = []
        var time = 0.0
        for index in 0..<120 {
            time += Double(20 + random.below(300))
            let path = "/api/\(random.below(8))"
            let end = time + Double(5 + random.below(60))
            let call = small.call(path, time, end)
            // The first run went a little differently.
            small.row(.request, path, time - earlier + Double(random.below(25)))
            small.row(.response, path, end - earlier + Double(random.below(25)), status: 200)
            guard index % 10 < kept else { continue }
            own.append((small.row(.request, path, time - 1), call))
            own.append((small.row(.response, path, end + 1, status: 200), call))
        }
        return (small, own)
    }

    @Test("rows of an earlier run of the same test do not move the clock", arguments: [64_000, 90_000_000], [3, 5, 9])
    func earlierRun(earlier: Int, kept: Int) {
        for seed in 1...4 as ClosedRange<UInt64> {
            let (small, own) = scene(seed: seed, earlier: Double(earlier), kept: kept)
            let matching = small.matching
            #expect(matching.clock.offset.magnitude < 20_000_000, "seed \(seed)")
            let right = own.count { matching.exchanges[$0.row] == $0.call && matching.fates[$0.row] == .matched }
            #expect(right * 10 >= own.count * 9, "seed \(seed): \(right) of \(own.count)")
            #expect(matching.fates.count { $0 == .matched } <= own.count + 2, "seed \(seed)")
        }
    }

    @Test("a log of another clock alone is still found", arguments: [64_000.0, 90_000_000])
    func otherClock(earlier: Double) {
        let (small, _) = scene(seed: 1, earlier: earlier, kept: 0)
        let matching = small.matching
        #expect(matching.clock.offset.distance(from: -Int64(earlier) * 1_000_000) < 40_000_000)
        #expect(matching.fates.count { $0 == .matched } >= 200)
    }
}
