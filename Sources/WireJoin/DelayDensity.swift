/// How often the time of a row lies so much after (or before) an event of its exchange: a histogram over the logarithm
/// of the delay, learned from pairs that are certain.
///
/// No delay is impossible: an app whose queue is busy writes a row seconds late. What was never seen has little weight,
/// spread evenly over the logarithm, so that a lone row far from its exchange still finds it, and a near one is
/// preferred.
struct DelayDensity {
    /// Bins on each side; each is wider than the one before by the root of two.
    private static let sideBins = 56
    private static let rootOfTwo = 2.0.squareRoot()
    /// Delays below this are not told apart, nanoseconds.
    let scale: Double
    /// The usual delay: bins are finest there. Nanoseconds.
    private(set) var center: Int64
    /// Nearly all pairs lie within so much of the center, nanoseconds.
    private(set) var core: Int64 = 0
    /// Hardly any pair has a smaller delay, nanoseconds.
    private(set) var least: Int64 = 0
    /// −ln(density per nanosecond) in thousandths, by bin.
    private var costs: [Int32] = []
    private var counts: [Double]
    /// Weight of what was never seen, on the side where rows usually are and on the other.
    private let rareWeights: (before: Double, after: Double)

    /// - Parameters:
    ///   - spread: of half the rows, nanoseconds.
    ///   - rareBefore: weight, in pairs, of delays that were not seen, of rows before the event; `rareAfter` likewise.
    init(center: Int64, spread: Int64, scale: Int64, rareBefore: Double, rareAfter: Double) {
        self.center = center
        self.scale = Double(max(scale, 10_000))
        rareWeights = (rareBefore, rareAfter)
        counts = Array(repeating: 0, count: 2 * DelayDensity.sideBins)
        // As good as a dozen pairs that lie evenly within the spread.
        let width = Double(max(spread, 1)) * 1.5
        for side in [-1.0, 1.0] {
            for bin in 0..<DelayDensity.sideBins {
                let (low, high) = (edge(bin), edge(bin + 1))
                guard low < width else { break }
                counts[place(side, bin)] += 6 * (min(high, width) - low) / width
            }
        }
        finish()
    }

    /// Learns from delays of certain pairs.
    mutating func fit(_ delays: [Int64]) {
        if delays.count >= 8 {
            center = delays.sorted()[delays.count / 2]
        }
        // What was supposed before fades as pairs come in.
        let keep = 1 / Double(1 + delays.count / 8)
        for index in counts.indices { counts[index] *= keep }
        for delay in delays { counts[bin(delay.saturatingSubtract(center))] += 1 }
        finish()
    }

    /// −ln(density) of a delay: row later than event. Thousandths.
    @inline(__always)
    func cost(_ delay: Int64) -> Int32 { costs[bin(delay.saturatingSubtract(center))] }

    private func edge(_ bin: Int) -> Double {
        scale * (Double(sign: .plus, exponent: bin / 2, significand: bin % 2 == 0 ? 1 : DelayDensity.rootOfTwo) - 1)
    }

    private func place(_ side: Double, _ bin: Int) -> Int {
        side < 0 ? DelayDensity.sideBins - 1 - bin : DelayDensity.sideBins + bin
    }

    @inline(__always)
    private func bin(_ delay: Int64) -> Int {
        let ratio = 1 + Double(delay.magnitude) / scale
        // Twice the binary logarithm, rounded down: by its exponent, and whether the rest is above the root of two.
        let bin = 2 * Int(ratio.exponent) + (ratio.significand >= DelayDensity.rootOfTwo ? 1 : 0)
        let kept = min(bin, DelayDensity.sideBins - 1)
        return delay < 0 ? DelayDensity.sideBins - 1 - kept : DelayDensity.sideBins + kept
    }

    private mutating func finish() {
        let bins = counts.count
        let smooth = counts.indices.map { index in
            0.5 * counts[index] + 0.25 * (counts[max(0, index - 1)] + counts[min(bins - 1, index + 1)])
        }
        let rare = counts.indices.map { index in
            (index < DelayDensity.sideBins ? rareWeights.before : rareWeights.after) / Double(DelayDensity.sideBins)
        }
        let total = smooth.reduce(0, +) + rare.reduce(0, +)
        costs = counts.indices.map { index in
            let bin = index < DelayDensity.sideBins ? DelayDensity.sideBins - 1 - index : index - DelayDensity.sideBins
            let width = edge(bin + 1) - edge(bin)
            let density = (smooth[index] + rare[index]) / total / width
            return thousandths(-density.naturalLogarithm)
        }
        var (within, reach) = (0.0, 0)
        let enough = 0.99 * smooth.reduce(0, +)
        while reach < DelayDensity.sideBins, within < enough {
            within += smooth[DelayDensity.sideBins - 1 - reach] + smooth[DelayDensity.sideBins + reach]
            reach += 1
        }
        core = Int64(nearest: edge(reach))
        var (before, bin) = (0.0, 0)
        let few = 0.005 * smooth.reduce(0, +)
        while bin < DelayDensity.sideBins, before + smooth[bin] <= few {
            before += smooth[bin]
            bin += 1
        }
        least = center.saturatingSubtract(Int64(nearest: edge(DelayDensity.sideBins - bin)))
    }
}

/// Costs in thousandths, as assignments add them.
package func thousandths(_ cost: Double) -> Int32 { Int32(max(-2e6, min(2e6, (1000 * cost).rounded()))) }

extension Double {
    /// Of a positive number, to 1e-12: the same on every platform.
    package var naturalLogarithm: Double {
        guard self > 0, isFinite else { return self > 0 ? 710 : -745 }
        // Between 1/√2 and √2 the series of the inverse hyperbolic tangent needs few terms.
        let isLarge = significand > 1.414_213_562_373_095_1
        let rest = isLarge ? significand / 2 : significand
        let ratio = (rest - 1) / (rest + 1)
        let square = ratio * ratio
        var (term, sum, divisor) = (ratio, 0.0, 1.0)
        while abs(term) > 1e-17, divisor < 60 {
            sum += term / divisor
            term *= square
            divisor += 2
        }
        return 2 * sum + Double(Int(exponent) + (isLarge ? 1 : 0)) * 0.693_147_180_559_945_3
    }
}
