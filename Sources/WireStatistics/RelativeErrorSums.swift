/// Sums over single calls from which it follows how their errors spread: what two runs are compared by.
///
/// Of each call its relative error r = (estimate − truth) / truth and the inverse of its size x = 1 / truth are summed,
/// because the error of a formula is nearly always a constant number of bytes plus a share of the message: r = slope·x
/// + share. So the spread around that line is small however much the sizes of calls differ.
///
/// r is held in units of 2^-24, x in units of 2^-36; all sums are integers, so no order of calls and no merging
/// matters. Calls without a byte of truth are not counted. Sums wrap instead of trapping: sizes come from files.
package struct RelativeErrorSums: Sendable, Equatable {
    private(set) var calls = 0
    private var errors: Int128 = 0
    private var magnitudes: Int128 = 0
    private var inverses: Int128 = 0
    private var errorSquares: Int128 = 0
    private var inverseSquares: Int128 = 0
    private var products: Int128 = 0
    private var magnitudeProducts: Int128 = 0

    package init() {}

    private static let errorUnit = 0x1p-24
    private static let inverseUnit = 0x1p-36
    /// A relative error beyond ±16,384 counts as that.
    private static let largestError = 0x1p38

    @inline(__always)
    package mutating func add(estimate: Int, truth: Int) {
        guard truth > 0 else { return }
        let error = RelativeErrorSums.scaled(Double(estimate) - Double(truth), of: truth)
        let inverse = (1 << 36) / truth
        calls &+= 1
        errors &+= Int128(error)
        magnitudes &+= Int128(abs(error))
        inverses &+= Int128(inverse)
        errorSquares &+= Int128(error) &* Int128(error)
        inverseSquares &+= Int128(inverse) &* Int128(inverse)
        products &+= Int128(error) &* Int128(inverse)
        magnitudeProducts &+= Int128(abs(error)) &* Int128(inverse)
    }

    /// An error as a share of its truth, in units of 2^-24.
    @inline(__always)
    package static func scaled(_ error: Double, of truth: Int) -> Int {
        Int(max(-largestError, min(largestError, error / Double(truth) * 0x1p24)).rounded())
    }

    /// Nil without calls.
    package var spread: ErrorSpread? {
        guard calls > 0 else { return nil }
        let inverse = central(inverses, inverses, inverseSquares)
        return ErrorSpread(
            calls: calls, inverseMean: mean(inverses, RelativeErrorSums.inverseUnit),
            inverseVariance: max(inverse, 0) * RelativeErrorSums.inverseUnit * RelativeErrorSums.inverseUnit,
            signed: line(errors, products, inverse), absolute: line(magnitudes, magnitudeProducts, inverse))
    }

    private func line(_ sum: Int128, _ products: Int128, _ inverse: Double) -> ErrorSpread.Line {
        let unit = RelativeErrorSums.errorUnit
        let variance = max(central(sum, sum, errorSquares), 0)
        let covariance = central(sum, inverses, products)
        let slope = inverse > 0 ? covariance / inverse : 0
        let residual = max(variance - slope * covariance, 0)
        return ErrorSpread.Line(
            mean: mean(sum, unit), slope: slope * unit / RelativeErrorSums.inverseUnit,
            deviation: residual.squareRoot() * unit)
    }

    private func mean(_ sum: Int128, _ unit: Double) -> Double { Double(sum) / Double(calls) * unit }

    /// Mean of the products of deviations, in the sums' units: n·Σab − Σa·Σb is exact, so that equal calls have no
    /// spread at all.
    private func central(_ left: Int128, _ right: Int128, _ products: Int128) -> Double {
        let count = Int128(calls)
        let exact = count &* products &- left &* right
        return Double(exact) / (Double(calls) * Double(calls))
    }
}

extension RelativeErrorSums {
    /// Takes all calls of the other.
    package mutating func merge(_ other: RelativeErrorSums) {
        calls &+= other.calls
        errors &+= other.errors
        magnitudes &+= other.magnitudes
        inverses &+= other.inverses
        errorSquares &+= other.errorSquares
        inverseSquares &+= other.inverseSquares
        products &+= other.products
        magnitudeProducts &+= other.magnitudeProducts
    }

    package var integers: [Int128] {
        [
            Int128(calls), errors, magnitudes, inverses, errorSquares, inverseSquares, products, magnitudeProducts,
        ]
    }

    /// Nil where the integers are of no sums.
    package init?(integers: [Int128]) {
        guard integers.count == 8, let calls = Int(exactly: integers[0]), calls >= 0 else { return nil }
        self.calls = calls
        (errors, magnitudes, inverses) = (integers[1], integers[2], integers[3])
        (errorSquares, inverseSquares) = (integers[4], integers[5])
        (products, magnitudeProducts) = (integers[6], integers[7])
    }
}

/// How the relative errors of single calls spread around a straight line over 1 / message size.
public struct ErrorSpread: Sendable, Equatable {
    /// The line r = mean + slope · (x − mean of x).
    public struct Line: Sendable, Equatable {
        /// Mean relative error of a call: 0.02 is 2 % of its truth.
        public var mean: Double
        /// The part of the error that does not grow with the truth, bytes.
        public var slope: Double
        /// Standard deviation of relative errors around the line, of the calls themselves (divided by n).
        public var deviation: Double

        public init(mean: Double = 0, slope: Double = 0, deviation: Double = 0) {
            self.mean = mean
            self.slope = slope
            self.deviation = deviation
        }
    }

    /// Calls with a truth above 0.
    public var calls: Int
    /// Mean and variance of 1 / truth, 1 / byte.
    public var inverseMean: Double
    public var inverseVariance: Double
    public var signed: Line
    /// The same of |r|.
    public var absolute: Line

    public init(calls: Int, inverseMean: Double, inverseVariance: Double, signed: Line, absolute: Line) {
        self.calls = calls
        self.inverseMean = inverseMean
        self.inverseVariance = inverseVariance
        self.signed = signed
        self.absolute = absolute
    }

    /// Each estimate is 0: every call misses all of its truth.
    package var isWithoutEstimate: Bool { signed == Line(mean: -1) }
}
