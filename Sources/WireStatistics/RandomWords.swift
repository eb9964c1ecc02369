/// The probability of a success, and what follows from it.
package struct Chance: Sendable {
    /// In units of 2^-64.
    package let bits: UInt64
    package let share: Double
    /// Of one trial.
    package let variance: Double
    /// How far the skew moves a number at two standard deviations, divided by three.
    let asymmetry: Double

    package init(bits: UInt64) {
        self.bits = bits
        share = Double(bits) * 0x1p-64
        variance = share * (1 - share)
        asymmetry = (1 - 2 * share) / 6
    }
}

/// Random 64-bit words that are the same on every platform for the same seed (the SplitMix64 generator), and draws made
/// of them with operations that IEEE 754 defines to the last bit.
package struct RandomWords {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    @inline(__always)
    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }

    /// A number from 0 up to, not including, `bound`.
    @inline(__always)
    package mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// Two numbers from 0 up to, not including, `bound`, which must be below 65,536.
    @inline(__always)
    mutating func twoBelow(_ bound: Int) -> (Int, Int) {
        let word = next()
        let bound = UInt64(truncatingIfNeeded: bound)
        return (
            Int(truncatingIfNeeded: ((word >> 32) &* bound) >> 32),
            Int(truncatingIfNeeded: ((word & 0xffff_ffff) &* bound) >> 32)
        )
    }

    /// Successes among `trials` trials.
    ///
    /// With a variance of 100 and more it is a normal number with the binomial distribution's mean, variance and skew.
    /// Otherwise each trial compares a random number with the probability, bit by bit from the highest: the first bit
    /// that differs decides. Bits of all undecided trials are drawn together.
    mutating func successes(among trials: Int, _ chance: Chance) -> Int {
        let count = Double(trials)
        let variance = count * chance.variance
        if variance >= 100 {
            let normal = standardNormal()
            let skew = (normal * normal - 1) * chance.asymmetry
            return rounded(count * chance.share + normal * variance.squareRoot() + skew, upTo: trials)
        }
        var undecided = trials
        var bits = chance.bits
        var successes = 0
        while undecided > 0, bits != 0 {
            let below = heads(among: undecided)
            if bits >> 63 == 1 {
                successes += below
                undecided -= below
            } else {
                undecided = below
            }
            bits <<= 1
        }
        return successes
    }

    /// Heads among fair coins; among many by the normal distribution.
    private mutating func heads(among coins: Int) -> Int {
        guard coins <= 256 else {
            return rounded((Double(coins) + standardNormal() * Double(coins).squareRoot()) / 2, upTo: coins)
        }
        var heads = 0
        var rest = coins
        while rest >= 64 {
            heads += next().nonzeroBitCount
            rest -= 64
        }
        return rest == 0 ? heads : heads + (next() >> UInt64(64 - rest)).nonzeroBitCount
    }

    private func rounded(_ value: Double, upTo limit: Int) -> Int {
        let value = value.rounded()
        if value <= 0 { return 0 }
        return value < Double(limit) ? Int(value) : limit
    }

    /// Close to a standard normal number: heads among 256 fair coins, made continuous by a uniform number.
    private mutating func standardNormal() -> Double {
        var heads = 0
        for _ in 0..<4 { heads += next().nonzeroBitCount }
        let uniform = Double(next() >> 11) * 0x1p-53 - 0.5
        return (Double(heads - 128) + uniform) * RandomWords.coinScale
    }

    /// The variance of the coins is 64, that of the uniform number 1/12.
    private static let coinScale = 1 / (64 + 1.0 / 12).squareRoot()
}
