import Testing
import WireTesting

@testable import WireAccuracy

@Suite("The error of all calls, estimated from a sample")
struct SampleEstimatorTests {
    /// Calls of several APIs whose error is a level of the API, a part of the size, and chance. Returns the true error, and the
    /// estimate from a part of them.
    private func run(_ seed: UInt64, share: Int) throws -> (truth: Int, estimate: SampledError) {
        var random = SeededRandom(seed: seed)
        var (estimator, truth) = (SampleEstimator(), 0)
        for api in 0..<12 {
            for _ in 0..<(10 + api * 10) {
                let size = 200 + random.below(2000) * (api % 3 + 1)
                let error = -20 - api * 30 - size / 10 + random.below(60)
                truth += error
                let isSampled = random.below(100) < share
                estimator.add(api: api, isFailed: false, size: size, error: isSampled ? error : nil)
            }
        }
        return (truth, try #require(estimator.estimate))
    }

    @Test("its interval holds the true error in nine of ten samples, and is not wide", arguments: [10, 30])
    func holds(share: Int) throws {
        var held = 0
        for seed in 1...40 {
            let (truth, estimate) = try run(UInt64(seed), share: share)
            if estimate.low <= truth, truth <= estimate.high { held += 1 }
            #expect(estimate.high - estimate.low < abs(truth) / 3, "seed \(seed)")
        }
        #expect(held >= 36, "\(held) of 40")
    }

    @Test("a sample of all calls is exact")
    func whole() throws {
        let (truth, estimate) = try run(7, share: 100)
        #expect(estimate.error == truth)
        #expect(estimate.high - estimate.low <= 1)
    }

    @Test("calls of APIs that the sample lacks are estimated by the others, and widen the interval")
    func missing() throws {
        func estimate(_ extra: Int) throws -> SampledError {
            var estimator = SampleEstimator()
            for api in 0..<6 {
                for index in 0..<20 {
                    estimator.add(api: api, isFailed: false, size: 500, error: index < 5 ? -10 * api - index : nil)
                }
            }
            for _ in 0..<extra { estimator.add(api: 9, isFailed: false, size: 500, error: nil) }
            return try #require(estimator.estimate)
        }
        let (without, with) = (try estimate(0), try estimate(20))
        #expect(with.high - with.low > without.high - without.low)
        #expect(with.error < without.error)
    }

    @Test("a few calls tell nothing")
    func few() {
        var estimator = SampleEstimator()
        for index in 0..<100 { estimator.add(api: 0, isFailed: false, size: 100, error: index < 2 ? -5 : nil) }
        #expect(estimator.estimate == nil)
    }
}
