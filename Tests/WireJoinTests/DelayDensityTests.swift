import Foundation
import Testing
import WireTesting

@testable import WireJoin

@Suite("How often rows are how late")
struct DelayDensityTests {
    private static func density(scale: Int64 = 50_000, after: Double = 2) -> DelayDensity {
        DelayDensity(center: 1_000_000, spread: 800_000, scale: scale, rareBefore: 0.3, rareAfter: after)
    }

    /// Probability that the costs give to all delays together: bins are as documented, each wider than the one before
    /// by the root of two.
    private static func integral(_ density: DelayDensity) -> Double {
        func edge(_ bin: Int) -> Double { density.scale * (pow(2, Double(bin) / 2) - 1) }
        var sum = 0.0
        for bin in 0..<56 {
            let middle = Int64((edge(bin) + edge(bin + 1)) / 2)
            for delay in [density.center + middle, density.center - middle - 1] {
                sum += exp(-Double(density.cost(delay)) / 1000) * (edge(bin + 1) - edge(bin))
            }
        }
        return sum
    }

    @Test("all delays together have the probability 1", arguments: [1, 50_000, 4_000_000] as [Int64], [0, 5, 300])
    func probability(scale: Int64, pairs: Int) {
        var random = SeededRandom(seed: UInt64(pairs))
        var density = Self.density(scale: scale)
        if pairs > 0 { density.fit((0..<pairs).map { _ in Int64(random.below(9_000_000)) }) }
        #expect(abs(Self.integral(density) - 1) < 0.01)
    }

    @Test("delays near the usual one cost less than far ones, and the farthest cost a finite amount")
    func order() {
        var density = Self.density()
        var random = SeededRandom(seed: 3)
        density.fit((0..<400).map { _ in 900_000 + Int64(random.below(200_000)) })
        let delays: [Int64] = [0, 2_000_000, 40_000_000, 400_000_000, 3_000_000_000, 80_000_000_000]
        let late = delays.map { density.cost(density.center + $0) }
        #expect(late == late.sorted() && Set(late).count == late.count)
        let early = delays.map { density.cost(density.center - $0) }
        #expect(early == early.sorted())
        // Rows of responses are late rather than early.
        for (early, late) in zip(early, late).dropFirst(2) { #expect(early > late) }
        for delay in [Int64.min, .min + 1, -1, 0, .max] { #expect(density.cost(delay) <= 60_000, "\(delay)") }
    }

    @Test("eight pairs move the usual delay to their median, fewer do not")
    func center() {
        var density = Self.density()
        density.fit([Int64](repeating: 70_000_000, count: 7))
        #expect(density.center == 1_000_000)
        density.fit((0..<9).map { 60_000_000 + $0 * 1_000_000 })
        #expect(density.center == 64_000_000)
        #expect(density.cost(64_000_000) < density.cost(1_000_000))
    }

    @Test("nearly all pairs lie within the core")
    func core() {
        var random = SeededRandom(seed: 9)
        for width in [100_000, 5_000_000, 200_000_000] {
            var density = Self.density()
            let delays = (0..<1000).map { _ in Int64(random.below(width)) }
            density.fit(delays)
            #expect(delays.count { ($0 - density.center).magnitude <= density.core } >= 950, "\(width)")
            #expect(density.core < 4 * Int64(width), "\(width)")
        }
    }

    static let logarithms: [(Double, Double)] = [
        (1, 0), (2, 0.693_147_180_559_945_3), (10, 2.302_585_092_994_046), (0.5, -0.693_147_180_559_945_3),
        (1.414_213_562_373_095, 0.346_573_590_279_972_6), (1.414_213_562_373_096, 0.346_573_590_279_973_4),
        (1e-300, -690.775_527_898_213_7), (1e300, 690.775_527_898_213_7), (0, -745), (-3, -745), (.nan, -745),
        (.infinity, 710),
    ]

    @Test("natural logarithms are exact to twelve places", arguments: logarithms)
    func logarithm(value: Double, expected: Double) {
        #expect(abs(value.naturalLogarithm - expected) <= 1e-12 * max(1, abs(expected)))
    }

    @Test("natural logarithms of random numbers are those of the C library")
    func randomLogarithms() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<5000 {
            let value = Double(random.below(1 << 52) + 1) * pow(2, Double(random.below(900) - 450))
            #expect(abs(value.naturalLogarithm - log(value)) <= 1e-12 * max(1, abs(log(value))), "\(value)")
        }
    }

    @Test(
        "costs are thousandths within two millions",
        arguments: [(1.5, 1500), (-0.0004, 0), (1e9, 2_000_000), (-1e9, -2_000_000)])
    func costs(value: Double, expected: Int32) { #expect(thousandths(value) == expected) }
}
