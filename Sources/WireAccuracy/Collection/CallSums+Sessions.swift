import WireStatistics

extension CallSums {
    /// Nil of a single session, and without calls.
    package func sessionSpread(_ message: ErrorStatistics, _ wire: ErrorStatistics) -> SessionSpread? {
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
        let independent = max(squares, SessionSpread.roundingDeviation * SessionSpread.roundingDeviation)
        return max(1, error * error * Double(statistics.count) / independent)
    }
}
