import WireStatistics

/// Sessions that a change was measured between.
public struct ComparedSessions: Equatable, Sendable {
    public var now: Int
    public var before: Int
}

/// Of runs that are many sessions: the calls of one are alike, so chance is measured by how sessions differ.
extension RunChange {
    /// What sessions of both runs leave open. A run that is one session has no spread of its own: it may lie as far away
    /// as one of the other run's.
    struct Sessions {
        var now: SessionSpread?
        var before: SessionSpread?

        fileprivate var counts: ComparedSessions? {
            now == nil && before == nil
                ? nil : ComparedSessions(now: now?.sessions ?? 1, before: before?.sessions ?? 1)
        }

        fileprivate var freedom: Double {
            Double(max(0, (now?.sessions ?? 1) - 1)) + Double(max(0, (before?.sessions ?? 1) - 1))
        }

        /// Standard error of the difference of both runs' sizes, as a share of them.
        fileprivate var sizeError: Double {
            let one = now?.sizeError ?? (before?.sizeError ?? 0) * Double(before?.sessions ?? 1).squareRoot()
            let other = before?.sizeError ?? (now?.sizeError ?? 0) * Double(now?.sessions ?? 1).squareRoot()
            return (one * one + other * other).squareRoot()
        }
    }

    /// A change of errors.
    func between(_ runs: Sessions, _ effect: KeyPath<SessionSpread, Double>) -> RunChange {
        guard let counts = runs.counts else { return self }
        var change = self
        change.sessions = counts
        change.blocks = Blocks()
        change.variance *= max(runs.now?[keyPath: effect] ?? 1, runs.before?[keyPath: effect] ?? 1)
        change.freedom = min(freedom, runs.freedom)
        return change
    }

    /// A change of sizes, on the scale of `SizeSums`: twice a share is at least so much on it.
    func betweenSizes(_ runs: Sessions) -> RunChange {
        guard let counts = runs.counts else { return self }
        var change = self
        change.sessions = counts
        change.blocks = Blocks()
        let deviation = 2 * runs.sizeError
        change.variance = max(variance, deviation * deviation)
        change.freedom = min(freedom, runs.freedom)
        return change
    }
}
