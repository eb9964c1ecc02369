import Testing
import WireTesting

@testable import WireStatistics

@Suite("Weights of sessions")
struct SessionSumsTests {
    @Test("are Poisson numbers of mean 1 that the seed, the session and the replicate give alone")
    func weights() {
        var counts = [Int](repeating: 0, count: 20)
        for number in 0..<500 {
            let id = SessionID(Array("session \(number)".utf8))
            let weights = id.weights(seed: SessionSums.seed, replicates: 400)
            #expect(weights == id.weights(seed: SessionSums.seed, replicates: 400))
            #expect(Array(weights.prefix(100)) == id.weights(seed: SessionSums.seed, replicates: 100))
            for weight in weights { counts[Int(weight)] += 1 }
        }
        // 200,000 draws: five standard deviations.
        let draws = 200_000.0
        var probability = 0.36787944117144233
        for weight in 0..<6 {
            let deviation = (probability * (1 - probability) / draws).squareRoot()
            #expect(abs(Double(counts[weight]) / draws - probability) < 5 * deviation, "weight \(weight)")
            probability /= Double(weight + 1)
        }
    }

    @Test("give an interval that holds the mean of the fleet in about 95 of 100 fleets")
    func coverage() {
        var random = SeededRandom(seed: 17)
        var held = 0
        for fleet in 0..<300 {
            var sums = SessionSums()
            for number in 0..<80 {
                // Calls of a session share most of their error.
                let shared = random.below(41) - 20
                let calls = 5 + random.below(20)
                let error = (0..<calls).reduce(0) { sum, _ in sum + shared + random.below(3) - 1 }
                var total = SessionSums.Sums()
                (total.calls, total.estimate, total.allCalls) = (Int128(calls), Int128(error), Int128(calls))
                sums.merge(SessionSums(SessionID(high: UInt64(fleet), low: UInt64(number)), total))
            }
            if let (low, high) = sums.interval(against: \.message), low <= 0, high >= 0 { held += 1 }
        }
        // The truth is 0. A bootstrap over 80 sessions is a little too narrow.
        #expect((266...298).contains(held), "\(held) of 300")
    }
}
