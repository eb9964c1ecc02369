/// What sessions add to one row, for the interval of its mean error.
///
/// Of fewer than `fewest` sessions the sums of each are kept; of more only the bootstrap's replicates, which take the
/// same memory for any number of sessions. Which of the two is kept, and every number in it, follows from the set of
/// sessions alone.
package struct SessionSums: Sendable, Equatable {
    /// Sums over the calls of a session, or of a replicate: bytes, exact.
    package struct Sums: Sendable, Equatable {
        /// Of recorded calls.
        package var calls: Int128 = 0
        package var estimate: Int128 = 0
        package var message: Int128 = 0
        package var wire: Int128 = 0
        /// Of all calls, recorded or not.
        package var allCalls: Int128 = 0
        package var allMessage: Int128 = 0
        package var allWire: Int128 = 0

        package init() {}

        package static let paths: [WritableKeyPath<Sums, Int128> & Sendable] = [
            \.calls, \.estimate, \.message, \.wire, \.allCalls, \.allMessage, \.allWire,
        ]

        package mutating func add(_ other: Sums, times weight: Int128 = 1) {
            calls &+= other.calls &* weight
            estimate &+= other.estimate &* weight
            message &+= other.message &* weight
            wire &+= other.wire &* weight
            allCalls &+= other.allCalls &* weight
            allMessage &+= other.allMessage &* weight
            allWire &+= other.allWire &* weight
        }

        package func mean(_ truth: KeyPath<Sums, Int128>) -> Double? {
            calls > 0 ? Double(estimate &- self[keyPath: truth]) / Double(calls) : nil
        }

        /// Error as a share of the truth.
        package func share(_ truth: KeyPath<Sums, Int128>) -> Double? {
            self[keyPath: truth] > 0
                ? Double(estimate &- self[keyPath: truth]) / Double(self[keyPath: truth]) : nil
        }
    }

    /// Sessions of a row from which on the interval resamples sessions. Below, it resamples calls.
    package static let fewest = 20
    package static let replicates = 400
    package static let seed: UInt64 = 0x7769_7265_6175_6469

    /// In ascending order of sessions; empty where there are replicates.
    package private(set) var sessions: [(id: SessionID, sums: Sums)] = []
    /// None, or `replicates`.
    package private(set) var resampled: [Sums] = []
    /// Sums of all sessions.
    package private(set) var total = Sums()
    /// Sessions in which the API was called.
    package private(set) var count = 0

    package init() {}

    package init(_ id: SessionID, _ sums: Sums) {
        total = sums
        count = sums.allCalls == 0 ? 0 : 1
        sessions = sums.allCalls == 0 ? [] : [(id, sums)]
    }

    /// Nil where the parts contradict the rules above.
    package init?(total: Sums, count: Int, sessions: [(id: SessionID, sums: Sums)], resampled: [Sums]) {
        let isOrdered = zip(sessions, sessions.dropFirst()).allSatisfy { $0.id < $1.id }
        self.total = total
        self.count = count
        guard isOrdered, sessions.count < SessionSums.fewest, sessions.isEmpty || sessions.count == count,
            resampled.isEmpty || (sessions.isEmpty && resampled.count == SessionSums.replicates)
        else { return nil }
        self.sessions = sessions
        self.resampled = resampled
    }

    /// Takes all sessions of the other. The two must have no session in common.
    package mutating func merge(_ other: SessionSums) {
        total.add(other.total)
        count &+= other.count
        if resampled.isEmpty, other.resampled.isEmpty, sessions.count + other.sessions.count < SessionSums.fewest {
            sessions = (sessions + other.sessions).sorted { $0.id < $1.id }
            return
        }
        resample()
        for index in other.resampled.indices { resampled[index].add(other.resampled[index]) }
        for session in other.sessions { add(session.id, session.sums) }
    }

    private mutating func resample() {
        guard resampled.isEmpty else { return }
        resampled = Array(repeating: Sums(), count: SessionSums.replicates)
        for session in sessions { add(session.id, session.sums) }
        sessions = []
    }

    private mutating func add(_ id: SessionID, _ sums: Sums) {
        let weights = id.weights(seed: SessionSums.seed, replicates: SessionSums.replicates)
        for (index, weight) in weights.enumerated() where weight > 0 {
            resampled[index].add(sums, times: Int128(weight))
        }
    }

    /// The 95 % interval of the mean error by resampling sessions (percentile method, nearest rank); nil of too few.
    package func interval(against truth: KeyPath<Sums, Int128>) -> (low: Double, high: Double)? {
        SessionSums.percentiles(resampled.compactMap { $0.mean(truth) })
    }

    /// The same of the error in total as a share of the truth.
    package func relativeInterval(against truth: KeyPath<Sums, Int128>) -> (low: Double, high: Double)? {
        SessionSums.percentiles(resampled.compactMap { $0.share(truth) })
    }

    private static func percentiles(_ values: [Double]) -> (low: Double, high: Double)? {
        let rank = values.count / 40
        guard rank > 0 else { return nil }
        let sorted = values.sorted()
        return (sorted[rank - 1], sorted[sorted.count - rank])
    }

    package static func == (left: SessionSums, right: SessionSums) -> Bool {
        left.total == right.total && left.count == right.count && left.resampled == right.resampled
            && left.sessions.count == right.sessions.count
            && zip(left.sessions, right.sessions).allSatisfy { $0.id == $1.id && $0.sums == $1.sums }
    }
}
