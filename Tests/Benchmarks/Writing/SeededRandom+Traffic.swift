import Foundation
import WireTesting

extension SeededRandom {
    /// From 0 up to, not including, 1.
    mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Each size in the range as likely as each other on a logarithmic scale.
    mutating func logarithmic(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound * exp(fraction() * log(range.upperBound / range.lowerBound))
    }

    /// 1 or more, `mean` on average; each further one is as likely as the one before.
    mutating func geometric(mean: Double) -> Int {
        mean <= 1 ? 1 : 1 + Int(log(1 - fraction()) / log(1 - 1 / mean))
    }
}
