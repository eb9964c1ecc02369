/// How far the sessions of a row lie apart.
///
/// Calls of one session are alike: one device, one build, one user. So the mean of many sessions is less certain than that
/// of as many independent calls, and what a figure may change by chance follows from the sessions.
public struct SessionSpread: Sendable, Equatable {
    /// Sessions in which the API was called; at least two.
    public var sessions: Int
    /// By how many times the variance of the mean error, against messages and against wire bytes, is larger than calls that
    /// are independent would have it; at least 1.
    public var messageEffect: Double
    public var wireEffect: Double
    /// Standard error of the wire bytes per call, as a share of them.
    public var sizeError: Double

    /// Sizes are whole bytes: at least so much calls of the same size spread, bytes.
    package static let roundingDeviation = 0.35

    public init(sessions: Int, messageEffect: Double, wireEffect: Double, sizeError: Double) {
        self.sessions = sessions
        self.messageEffect = messageEffect
        self.wireEffect = wireEffect
        self.sizeError = sizeError
    }
}

extension SessionSums.Sums {
    package func mean(_ sum: KeyPath<Self, Int128>, per count: KeyPath<Self, Int128>) -> Double? {
        self[keyPath: count] > 0 ? Double(self[keyPath: sum]) / Double(self[keyPath: count]) : nil
    }
}

extension SessionSums {
    /// Standard error of a mean per call when sessions are drawn anew: of many sessions that of the replicates; of few by
    /// what each contributes to the mean. Nil of one session.
    package func standardError(
        of sum: KeyPath<Sums, Int128>, less truth: KeyPath<Sums, Int128>? = nil, per calls: KeyPath<Sums, Int128>
    ) -> Double? {
        func amount(_ sums: Sums) -> Double {
            Double(sums[keyPath: sum] &- (truth.map { sums[keyPath: $0] } ?? 0))
        }
        let weight = Double(total[keyPath: calls])
        guard weight > 0 else { return nil }
        if !resampled.isEmpty {
            let means = resampled.compactMap { sums -> Double? in
                sums[keyPath: calls] > 0 ? amount(sums) / Double(sums[keyPath: calls]) : nil
            }
            guard means.count > 1 else { return nil }
            let mean = means.reduce(0, +) / Double(means.count)
            let squares = means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            return (squares / Double(means.count - 1)).squareRoot()
        }
        let called = sessions.filter { $0.sums[keyPath: calls] > 0 }
        guard called.count > 1 else { return nil }
        let mean = amount(total) / weight
        let squares = called.reduce(0) { squares, session in
            let residual = amount(session.sums) - mean * Double(session.sums[keyPath: calls])
            return squares + residual * residual
        }
        let count = Double(called.count)
        return (squares * count / (count - 1)).squareRoot() / weight
    }
}
