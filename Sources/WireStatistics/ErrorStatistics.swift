/// What a bootstrap draws. Raw values stand in outputs.
public enum Resampling: String, Sendable, CaseIterable {
    case calls
    /// Whole capture sessions: the calls of one session are not independent.
    case sessions
}

/// Error statistics of some exchanges against one truth. Errors are signed: estimate − truth, bytes.
public struct ErrorStatistics: Sendable, Equatable {
    public var count = 0
    /// Sums over the counted exchanges, exact.
    public var truthTotal = 0
    public var estimateTotal = 0
    /// Mean signed error, bytes: (estimateTotal − truthTotal) / count.
    public var bias = 0.0
    /// 95 % bootstrap interval of the bias.
    public var biasLow = 0.0
    public var biasHigh = 0.0
    public var meanAbsolute = 0.0
    public var medianAbsolute = 0.0
    public var rootMeanSquare = 0.0
    /// Quantiles of |error|.
    public var p50 = 0.0
    public var p90 = 0.0
    public var p99 = 0.0
    public var maximum = 0
    /// Quantiles of the error with its sign.
    public var signed = SignedQuantiles()
    /// Quantiles come from buckets, not from every value: at most `quantileError` off.
    public var isApproximate = false
    /// Largest relative error of the quantiles: 0 or 1/64, and more only where millions of different errors had to
    /// share the memory.
    public var quantileError = 0.0
    /// What the interval of the bias resamples.
    public var resampling = Resampling.calls

    public init() {}

    /// Signed error in total, bytes.
    public var errorTotal: Int { Int(clamping: Int128(estimateTotal) - Int128(truthTotal)) }
    /// errorTotal / truthTotal; nil where there is no truth to divide by.
    public var relativeBias: Double? { truthTotal == 0 ? nil : Double(errorTotal) / Double(truthTotal) }
    /// estimateTotal / truthTotal.
    public var ratio: Double? { truthTotal == 0 ? nil : Double(estimateTotal) / Double(truthTotal) }
}
