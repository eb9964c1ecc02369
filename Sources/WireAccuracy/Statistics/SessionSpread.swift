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

    public init(sessions: Int, messageEffect: Double, wireEffect: Double, sizeError: Double) {
        self.sessions = sessions
        self.messageEffect = messageEffect
        self.wireEffect = wireEffect
        self.sizeError = sizeError
    }
}

extension CallSums {
    /// Nil of a single session, and without calls.
    func sessionSpread(_ message: ErrorStatistics, _ wire: ErrorStatistics) -> SessionSpread? {
        let size = \SessionSums.Sums.allWire
        guard sessions.count > 1, let mean = sessions.total.mean(size, per: \.allCalls), mean > 0,
            let error = sessions.standardError(of: size, per: \.allCalls)
        else { return nil }
        return SessionSpread(
            sessions: sessions.count, messageEffect: effect(message, less: \.message),
            wireEffect: effect(wire, less: \.wire), sizeError: error / mean)
    }

    private func effect(
        _ statistics: ErrorStatistics, less truth: KeyPath<SessionSums.Sums, Int128> & Sendable
    ) -> Double {
        let squares = statistics.rootMeanSquare * statistics.rootMeanSquare - statistics.bias * statistics.bias
        guard statistics.count > 1, let error = sessions.standardError(of: \.estimate, less: truth, per: \.calls)
        else { return 1 }
        // Errors are whole bytes: calls whose errors are all equal are told apart by rounding at most.
        let independent = max(squares, RunChange.roundingDeviation * RunChange.roundingDeviation)
        return max(1, error * error * Double(statistics.count) / independent)
    }
}

extension SessionSums.Sums {
    fileprivate func mean(_ sum: KeyPath<Self, Int128>, per count: KeyPath<Self, Int128>) -> Double? {
        self[keyPath: count] > 0 ? Double(self[keyPath: sum]) / Double(self[keyPath: count]) : nil
    }
}

extension SessionSums {
    /// Standard error of a mean per call when sessions are drawn anew: of many sessions that of the replicates; of few by
    /// what each contributes to the mean. Nil of one session.
    fileprivate func standardError(
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
