/// Student's t distribution for even degrees of freedom, whose tail is a finite sum of products (Abramowitz and Stegun,
/// Handbook of Mathematical Functions, 26.7.4). It needs no operation that differs from platform to platform.
package enum StudentT {
    /// More degrees of freedom count as these: the limit is then too high by less than 2 %.
    static let mostFreedom = 200

    /// The value that |t| exceeds with the probability. Odd and broken degrees of freedom count as the next lower even
    /// number, which gives a higher limit; infinite below 2.
    package static func limit(bothTails probability: Double, freedom: Double) -> Double {
        let even = evenFreedom(freedom)
        guard even >= 2, probability > 0 else { return .infinity }
        guard probability < 1 else { return 0 }
        var (low, high) = (0.0, 1.0)
        while bothTails(high, even) > probability, high < 1e9 { high *= 2 }
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if bothTails(middle, even) > probability { low = middle } else { high = middle }
        }
        return high
    }

    static func evenFreedom(_ freedom: Double) -> Int {
        freedom >= Double(mostFreedom) ? mostFreedom : freedom >= 2 ? Int(freedom) / 2 * 2 : 0
    }

    /// The probability of a |t| above the value.
    package static func bothTails(_ value: Double, _ freedom: Int) -> Double {
        let count = Double(freedom)
        let cosine2 = count / (count + value * value)
        var (term, sum) = (1.0, 1.0)
        var index = 2.0
        while index <= count - 2 {
            term *= (index - 1) / index * cosine2
            sum += term
            index += 2
        }
        return 1 - (1 - cosine2).squareRoot() * sum
    }
}
