import Testing
import WireTesting

@testable import WireStatistics

/// One call's figures.
struct EstimatedCall: Sendable {
    var estimate: Int
    var truth: Int

    init(_ estimate: Int, _ truth: Int) {
        self.estimate = estimate
        self.truth = truth
    }
}

/// Statistics the slow way: keep every value, sort, add up.
struct ErrorReference {
    let errors: [Int128]
    let magnitudes: [Int128]
    let truthTotal: Int128
    let estimateTotal: Int128

    init(_ calls: [EstimatedCall]) {
        let limit = Int128(Int.max)
        errors = calls.map { min(max(Int128($0.estimate) - Int128($0.truth), -limit), limit) }
        magnitudes = errors.map { Int128($0.magnitude) }.sorted()
        truthTotal = calls.reduce(0) { $0 + Int128($1.truth) }
        estimateTotal = calls.reduce(0) { $0 + Int128($1.estimate) }
    }

    /// The smallest value that at least so many percent of all values do not exceed.
    func quantile(_ percent: Int) -> Double {
        let value = magnitudes.indices.first { ($0 + 1) * 100 >= percent * magnitudes.count }
        return value.map { Double(magnitudes[$0]) } ?? 0
    }

    /// The same of the errors with their signs, in thousandths.
    func signedQuantile(_ permille: Int) -> Double {
        let sorted = errors.sorted()
        let place = sorted.indices.first { ($0 + 1) * 1000 >= permille * sorted.count }
        return place.map { Double(sorted[$0]) } ?? 0
    }

    /// Everything but the quantiles and the interval.
    func expectSums(_ found: ErrorStatistics, _ comment: Comment) {
        let count = Double(errors.count)
        #expect(found.count == errors.count, comment)
        #expect(found.truthTotal == Int(clamping: truthTotal), comment)
        #expect(found.estimateTotal == Int(clamping: estimateTotal), comment)
        #expect(found.bias == Double(estimateTotal - truthTotal) / count, comment)
        #expect(found.meanAbsolute == Double(magnitudes.reduce(0, +)) / count, comment)
        let squares = magnitudes.reduce(0.0) { $0 + Double($1) * Double($1) }
        #expect(isClose(found.rootMeanSquare, (squares / count).squareRoot(), 1e-12), comment)
        #expect(Int128(found.maximum) == magnitudes.last, comment)
        #expect(Int128(found.signed.minimum) == errors.min(), comment)
        #expect(Int128(found.signed.maximum) == errors.max(), comment)
    }

    func expectQuantiles(_ found: ErrorStatistics, tolerance: Double, _ comment: Comment) {
        #expect(isClose(found.p50, quantile(50), tolerance), comment)
        #expect(isClose(found.p90, quantile(90), tolerance), comment)
        #expect(isClose(found.p99, quantile(99), tolerance), comment)
        #expect(found.medianAbsolute == found.p50, comment)
        let signed = found.signed
        let quantiles = [
            (5, signed.low99), (50, signed.low90), (250, signed.low50), (500, signed.median), (750, signed.high50),
            (950, signed.high90), (995, signed.high99),
        ]
        for (permille, value) in quantiles {
            #expect(isClose(value, signedQuantile(permille), tolerance), "\(permille) of 1000, \(comment)")
        }
    }
}

func isClose(_ found: Double, _ expected: Double, _ tolerance: Double) -> Bool {
    abs(found - expected) <= tolerance * abs(expected)
}

/// Kinds of logs that occur, and some that should not.
enum ErrorShape: String, CaseIterable, Sendable {
    case constant, twoValues, small, heavyTail, negative, zeroTruth, negativeSizes, manyValues, wide, extreme

    /// A shape with more different errors than are kept one by one, given enough calls.
    var isApproximate: Bool { [.negative, .manyValues, .wide, .extreme].contains(self) }

    func call(_ random: inout SeededRandom) -> EstimatedCall {
        let truth = 300 + random.below(5000)
        switch self {
        case .constant: return EstimatedCall(truth - 37, truth)
        case .twoValues: return EstimatedCall(truth + (random.oneIn(20) ? 2000 : -12), truth)
        case .small: return EstimatedCall(truth + random.below(40) - 20, truth)
        case .heavyTail: return EstimatedCall(truth + (random.oneIn(50) ? 1 << random.below(40) : 3), truth)
        case .negative: return EstimatedCall(random.below(300), truth - truth % 10 + 300)
        case .zeroTruth: return EstimatedCall(random.below(3), 0)
        case .negativeSizes: return EstimatedCall(-1 - random.below(2), random.below(5))
        case .manyValues: return EstimatedCall(random.below(1_000_000), truth)
        case .wide: return EstimatedCall((1 << random.below(50)) + random.below(5000), truth << random.below(20))
        case .extreme:
            let ends = [Int.max, Int.min, Int.max - 1, Int.min + 1, 0, -1, Int.max / 2]
            let some = Int(truncatingIfNeeded: random.next())
            return EstimatedCall(random.oneIn(2) ? some : random.element(ends), random.element(ends))
        }
    }

    func calls(_ count: Int, _ random: inout SeededRandom) -> [EstimatedCall] {
        (0..<count).map { _ in call(&random) }
    }
}

func accumulate(_ calls: some Sequence<EstimatedCall>) -> ErrorAccumulator {
    var accumulator = ErrorAccumulator()
    for call in calls { accumulator.add(estimate: call.estimate, truth: call.truth) }
    return accumulator
}
