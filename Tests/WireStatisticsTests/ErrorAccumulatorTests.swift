import Testing
import WireTesting

@testable import WireStatistics

@Suite("Error statistics")
struct ErrorAccumulatorTests {
    @Test("equal a slow exact reference", arguments: ErrorShape.allCases)
    func agreesWithReference(shape: ErrorShape) {
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let calls = shape.calls(1 + random.below(seed > 15 ? 900 : 40), &random)
            let found = accumulate(calls).statistics(seed: 1)
            let reference = ErrorReference(calls)
            reference.expectSums(found, "\(shape), seed \(seed)")
            reference.expectQuantiles(found, tolerance: 0, "\(shape), seed \(seed)")
            #expect(!found.isApproximate, "\(shape), seed \(seed)")
            #expect(found.quantileError == 0)
        }
    }

    @Test(
        "keep exact sums, and quantiles within 1/64, where errors are too many to keep",
        arguments: ErrorShape.allCases)
    func agreesWithReferenceInBuckets(shape: ErrorShape) {
        for seed in 1...4 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let calls = shape.calls(4000 + random.below(4000), &random)
            let found = accumulate(calls).statistics(seed: 1)
            let reference = ErrorReference(calls)
            reference.expectSums(found, "\(shape), seed \(seed)")
            reference.expectQuantiles(found, tolerance: found.quantileError, "\(shape), seed \(seed)")
            #expect(found.isApproximate == (Set(reference.errors).count > 1024), "\(shape), seed \(seed)")
            #expect(found.isApproximate == shape.isApproximate || shape == .heavyTail)
            #expect(found.quantileError == (found.isApproximate ? 1.0 / 64 : 0))
        }
    }

    @Test("of no calls are all zero")
    func empty() {
        #expect(ErrorAccumulator().statistics(seed: 1) == ErrorStatistics())
    }

    @Test("of one call are its error")
    func single() {
        let found = accumulate([EstimatedCall(90, 100)]).statistics(seed: 1)
        #expect(found.count == 1)
        #expect((found.bias, found.biasLow, found.biasHigh) == (-10, -10, -10))
        #expect((found.meanAbsolute, found.medianAbsolute, found.rootMeanSquare) == (10, 10, 10))
        #expect((found.p50, found.p90, found.p99) == (10, 10, 10))
        #expect(found.maximum == 10)
        #expect((found.relativeBias, found.ratio) == (-0.1, 0.9))
    }

    @Test("use nearest ranks: the median of an even number is the smaller middle value")
    func ranks() {
        let ten = accumulate((1...10).map { EstimatedCall($0, 0) }).statistics(seed: 1)
        #expect((ten.p50, ten.p90, ten.p99) == (5, 9, 10))
        let hundred = accumulate((1...100).map { EstimatedCall(0, $0) }).statistics(seed: 1)
        #expect((hundred.p50, hundred.p90, hundred.p99, hundred.maximum) == (50, 90, 99, 100))
        let mixed = accumulate([-3, 3, -1, 2].map { EstimatedCall($0, 0) }).statistics(seed: 1)
        #expect((mixed.p50, mixed.p90, mixed.bias) == (2, 3, 0.25))
    }

    @Test("keep both sides of zero apart: quantiles of the signed error")
    func signedRanks() {
        // 90 calls are 2 too few, 10 are 100 to 1000 too many: |error| says nothing of the sides.
        let calls = Array(repeating: EstimatedCall(8, 10), count: 90) + (1...10).map { EstimatedCall($0 * 100, 0) }
        let signed = accumulate(calls).statistics(seed: 1).signed
        #expect((signed.minimum, signed.maximum) == (-2, 1000))
        #expect((signed.low99, signed.low50, signed.median, signed.high50) == (-2, -2, -2, -2))
        #expect((signed.high90, signed.high99) == (500, 1000))
    }

    @Test("go to buckets with the 1,025th different error, not before")
    func exactLimit() {
        let calls = (0..<1025).map { EstimatedCall($0, 0) }
        #expect(!accumulate(calls.prefix(1024) + calls.prefix(1024)).statistics(seed: 1).isApproximate)
        #expect(accumulate(calls).statistics(seed: 1).isApproximate)
    }

    @Test("survive the largest sizes, and their sums stay exact")
    func extremes() {
        let largest = Array(repeating: EstimatedCall(Int.max, Int.min), count: 3)
        let found = accumulate(largest).statistics(seed: 1)
        #expect(found.estimateTotal == Int.max)
        #expect(found.truthTotal == Int.min)
        #expect(found.errorTotal == Int.max)
        #expect(found.maximum == Int.max)
        #expect(found.bias == 0x1p64)
        #expect(found.rootMeanSquare == 0x1p63)
        let back = accumulate(largest + [EstimatedCall(Int.min, Int.max)]).statistics(seed: 1)
        #expect(back.bias == 0x1p63)
        let cancelled = accumulate([
            EstimatedCall(Int.max, 0), EstimatedCall(Int.max, 0), EstimatedCall(Int.min, 0), EstimatedCall(Int.min, 0),
        ])
        #expect(cancelled.statistics(seed: 1).estimateTotal == -2)
    }

    @Test("take 48 bytes before the first call")
    func size() {
        #expect(MemoryLayout<ErrorAccumulator>.stride == 48)
        #expect(MemoryLayout<ErrorAccumulator.Entry>.stride == 16)
    }
}

@Suite("Buckets of errors")
struct ErrorBucketsTests {
    @Test("hold all magnitudes in order, each at most 1/2^bits as wide as its smallest", arguments: [0, 2, 4, 6])
    func widths(bits: Int) {
        var magnitudes = Array(0...5000 as ClosedRange<UInt64>)
        for shift in 10..<63 as Range<UInt64> {
            magnitudes += [(1 << shift) - 1, 1 << shift, (1 << shift) + 1, 3 << (shift - 1)]
        }
        magnitudes.append(UInt64(Int.max))
        magnitudes.sort()
        var last: Int32 = 0
        for magnitude in magnitudes {
            let number = ErrorBuckets.number(magnitude, bits: bits)
            #expect(number >= last)
            last = number
            let lowest = ErrorBuckets.lowest(Int(number), bits: bits)
            let next = ErrorBuckets.lowest(Int(number) + 1, bits: bits)
            #expect(lowest <= magnitude && magnitude < next, "\(magnitude)")
            #expect(next - lowest == 1 || (next - lowest) << UInt64(bits) <= lowest, "\(magnitude)")
            #expect(ErrorBuckets.number(lowest, bits: bits) == number)
        }
        #expect(last < 64 << Int32(bits))
    }

    @Test("of fewer bits are the same whether errors or buckets are put into them", arguments: [1, 2] as [UInt64])
    func nests(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var fine = ErrorBuckets(bits: 6)
        var coarse = ErrorBuckets(bits: 2)
        for _ in 0..<3000 {
            let error = Int(truncatingIfNeeded: random.next()) >> random.below(64)
            let count = 1 + random.below(3)
            fine.add(max(error, -Int.max), count: count)
            coarse.add(max(error, -Int.max), count: count)
        }
        #expect(fine != coarse)
        fine.coarsen(bits: 2)
        #expect(fine == coarse, "seed \(seed)")
    }
}
