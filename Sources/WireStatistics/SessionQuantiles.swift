/// Quantiles of a figure over sessions: each session counts once, however many calls it has.
public struct SessionQuantiles: Sendable, Equatable {
    /// With 95 % intervals, which need no assumption about the distribution: order statistics. Where there are too few
    /// sessions for an end, it is 0 or infinite.
    public struct Quantile: Sendable, Equatable {
        public var value: Double
        public var low: Double
        public var high: Double
    }

    public var sessions: Int
    /// Of the absolute error.
    public var p50: Quantile
    public var p90: Quantile
    public var p99: Quantile

    /// Nil without sessions.
    package init?(_ errors: ErrorAccumulator) {
        var values: [(magnitude: Double, count: Int)] = []
        for bucket in errors.buckets?.buckets ?? [] {
            values.append((abs(Double(bucket.sum) / Double(bucket.count)) / 1_000_000, bucket.count))
        }
        values.sort { $0.magnitude < $1.magnitude }
        let count = values.reduce(0) { $0 &+ $1.count }
        guard count > 0 else { return nil }
        sessions = count
        p50 = SessionQuantiles.quantile(0.5, values, count)
        p90 = SessionQuantiles.quantile(0.9, values, count)
        p99 = SessionQuantiles.quantile(0.99, values, count)
    }

    /// The value of nearest rank; the interval has the values of the ranks that a binomial number of sessions below the
    /// quantile leaves open.
    private static func quantile(
        _ share: Double, _ values: [(magnitude: Double, count: Int)], _ count: Int
    ) -> Quantile {
        let expected = Double(count) * share
        let half = 1.96 * (expected * (1 - share)).squareRoot()
        func value(_ rank: Double) -> Double {
            let wanted = Int(min(max(rank, 1), Double(count)))
            var seen = 0
            for value in values {
                seen &+= value.count
                if seen >= wanted { return value.magnitude }
            }
            return values[values.count - 1].magnitude
        }
        return Quantile(
            value: value(expected.rounded(.up)),
            low: expected - half < 1 ? 0 : value((expected - half).rounded(.down)),
            high: expected + half + 1 > Double(count) ? .infinity : value((expected + half).rounded(.up) + 1))
    }
}
