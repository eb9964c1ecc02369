/// How badly figures of a row fit an exchange.
package struct FigureMisfit {
    /// Odds against figures that the formula does not give, where it gives nearly all others: e^6, about 400 to 1.
    package static let rare: Int32 = 6000
    /// A body that is farther off than 16 MB is no less likely for it.
    private static let greatestDifference = 1 << 24

    /// −ln(likelihood) against figures that fit, thousandths; 0 where they fit.
    package var cost: Int32 = 0
    /// By how much the size of the body differs from what the formula gives; nil where one of the two has no body.
    package var bodyDifference: Int?

    /// Added where all figures are those of another exchange: −ln of the chance that a difference of unknown cause ends at just
    /// the size of its body, thousandths. Differences are as likely in each octave. Bodies of zero bytes count for nothing, since
    /// SDKs leave out whole bodies; nor do header fields, which differ by the same constants in many rows.
    package var coincidence: Int32 {
        guard let bodyDifference, bodyDifference != 0 else { return 0 }
        let size = min(Int(bodyDifference.magnitude), FigureMisfit.greatestDifference)
        return thousandths(Double(size + 1).naturalLogarithm)
    }

    /// Figures differ, but such figures are frequent.
    package var isWeak: Bool { cost > 0 && cost < FigureMisfit.rare }

    /// The size of the body is the exchange's.
    package var hasBody: Bool { bodyDifference == 0 }

    package init(cost: Int32 = 0, bodyDifference: Int? = nil) {
        self.cost = cost
        self.bodyDifference = bodyDifference
    }
}
