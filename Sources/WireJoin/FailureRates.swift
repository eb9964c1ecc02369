/// How often a log's row tells of a failure, by what became of the exchange on the wire.
///
/// Apps and SDKs differ: one writes zeros for a download that was aborted, another what had arrived; one gives up a call whose
/// answer is on its way, and writes zeros for a whole response. Learned from pairs that are certain, and
/// from all of the latter.
package struct FailureRates {
    package enum Outcome: Int, CaseIterable {
        case whole
        /// A response began and did not end.
        case cut
        case unanswered
        /// The app had closed before a response came: it cannot tell of one.
        case unheard
    }

    /// By outcome: −ln(share) in thousandths, of rows that tell a failure and of others.
    private var costs: [(failure: Int32, other: Int32)]

    /// Before anything is learned: as good as so many pairs of each outcome, of which so many told a failure.
    static func prior(_ outcome: Outcome) -> (pairs: Double, failures: Double) {
        switch outcome {
        case .whole: (10, 0.2)
        case .cut: (2, 1)
        case .unanswered: (2, 1.8)
        case .unheard: (1000, 999.7)
        }
    }

    init() { self.init(EmptyCollection<(outcome: Outcome, tellsFailure: Bool)>()) }

    /// - Parameter unexplained: rows of zeros without an exchange that may have whole responses or none. Half of them count:
    ///   otherwise what was supposed of them first would confirm itself.
    init(_ pairs: some Sequence<(outcome: Outcome, tellsFailure: Bool)>, unexplained: Int = 0) {
        var counts = Outcome.allCases.map { FailureRates.prior($0) }
        counts[Outcome.whole.rawValue].pairs += Double(unexplained) / 2
        counts[Outcome.whole.rawValue].failures += Double(unexplained) / 2
        for pair in pairs {
            counts[pair.outcome.rawValue].pairs += 1
            if pair.tellsFailure { counts[pair.outcome.rawValue].failures += 1 }
        }
        costs = counts.map { count in
            let share = count.failures / count.pairs
            return (thousandths(-share.naturalLogarithm), thousandths(-(1 - share).naturalLogarithm))
        }
    }

    package func cost(_ outcome: Outcome, tellsFailure: Bool) -> Int32 {
        let own = costs[outcome.rawValue]
        return tellsFailure ? own.failure : own.other
    }
}

extension WireCall {
    /// What became of it on the wire.
    var outcome: FailureRates.Outcome {
        if isUnheard { return .unheard }
        return isFailed ? (status == 0 ? .unanswered : .cut) : .whole
    }
}

/// How often rows have no exchange, those that tell of a failure apart from others: a call that was given up while it waited
/// for a connection has a row and was never sent, while an answer that a row tells of came over the wire.
package struct OrphanRates {
    private struct Count {
        var rows = 50.0
        var orphans = 1.0
    }

    private var failed = Count()
    private var others = Count()
    private static let most = 0.9

    package mutating func add(hasExchange: Bool, tellsFailure: Bool) {
        let count: WritableKeyPath<OrphanRates, Count> = tellsFailure ? \.failed : \.others
        self[keyPath: count].rows += 1
        if !hasExchange { self[keyPath: count].orphans += 1 }
    }

    /// Of rows that tell of a failure, or of the others.
    package func share(tellsFailure: Bool) -> Double { OrphanRates.share(tellsFailure ? failed : others) }

    /// Of all rows.
    package var share: Double {
        OrphanRates.share(Count(rows: failed.rows + others.rows - 50, orphans: failed.orphans + others.orphans - 1))
    }

    private static func share(_ count: Count) -> Double { min(most, count.orphans / count.rows) }
}
