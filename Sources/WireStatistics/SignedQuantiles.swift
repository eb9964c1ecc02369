/// Quantiles of errors with their signs, bytes: how far calls are off to either side.
///
/// Each is the error of nearest rank, as the quantiles of `ErrorStatistics` without sign; with buckets the mean error of
/// its bucket. All are 0 without calls.
public struct SignedQuantiles: Sendable, Equatable {
    /// The smallest and the largest error, exact.
    public var minimum = 0
    public var maximum = 0
    /// 99 % of the calls lie between `low99` and `high99`, 90 % between `low90` and `high90`, half between `low50` and `high50`.
    public var low99 = 0.0
    public var low90 = 0.0
    public var low50 = 0.0
    public var median = 0.0
    public var high50 = 0.0
    public var high90 = 0.0
    public var high99 = 0.0

    public init() {}

    /// The quantiles in ascending order: their share in thousandths, and where they are kept.
    package static var shares: [(permille: Int, value: WritableKeyPath<SignedQuantiles, Double>)] {
        [
            (5, \.low99), (50, \.low90), (250, \.low50), (500, \.median), (750, \.high50), (950, \.high90),
            (995, \.high99),
        ]
    }
}
