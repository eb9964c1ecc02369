import WireEstimates
import WireLogs
import WireStatistics

/// Which calls are summed: those of one API, or of all, as one source has them in one direction.
public struct CallKey: Hashable, Comparable, Sendable {
    /// Id of the source.
    public var source: String
    /// Nil: all APIs together.
    public var api: String?
    public var direction: Direction

    public init(source: String, api: String?, direction: Direction) {
        self.source = source
        self.api = api
        self.direction = direction
    }

    /// The source of what the packets show, which no estimator and no log has: all calls, none of them recorded.
    public static let packets = "packets"

    public static func < (left: CallKey, right: CallKey) -> Bool {
        (ExactName(left.source), ExactName(left.api ?? ""), left.api == nil ? 0 : 1, left.direction.rawValue)
            < (ExactName(right.source), ExactName(right.api ?? ""), right.api == nil ? 0 : 1, right.direction.rawValue)
    }

    public static func == (left: CallKey, right: CallKey) -> Bool {
        left.direction == right.direction && ExactName(left.source) == ExactName(right.source)
            && left.api.map { ExactName($0) } == right.api.map { ExactName($0) }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactName(source))
        hasher.combine(api.map { ExactName($0) })
        hasher.combine(direction)
    }
}

/// Everything that an accuracy row is computed from, as exact sums: those of several sessions add up to those of all
/// calls, in any order.
public struct CallSums: Sendable {
    package var coverage = Coverage()
    package var messageCauses = CauseLedger()
    package var transport = CauseLedger()
    package var unseen = CauseLedger()
    /// Errors against the messages, and against the wire.
    package var message = ErrorAccumulator()
    package var wire = ErrorAccumulator()
    package var messageErrors = RelativeErrorSums()
    package var wireErrors = RelativeErrorSums()
    package var sizes = SizeSums()
    package var completed = ErrorSums()
    package var withoutBodies = ErrorSums()
    package var failed = ErrorSums()
    package var sessions = SessionSums()
    /// Of each session the error in total against its messages, in millionths of them: how sessions differ.
    package var sessionErrors = ErrorAccumulator()

    package init() {}
}

extension CallSums {
    private var sessionTotal: SessionSums.Sums {
        var total = SessionSums.Sums()
        total.calls = Int128(message.count)
        (total.estimate, total.message, total.wire) = (message.estimateTotal, message.truthTotal, wire.truthTotal)
        total.allCalls = Int128(coverage.calls)
        (total.allMessage, total.allWire) = (Int128(coverage.messageBytes), Int128(coverage.wireBytes))
        return total
    }

    /// The sums of one session, which can be merged with those of others.
    package func asSession(_ id: SessionID) -> CallSums {
        var sums = self
        sums.message.useBuckets()
        sums.wire.useBuckets()
        sums.sessions = SessionSums(id, sessionTotal)
        if message.count > 0, message.truthTotal > 0 {
            let error = message.estimateTotal &- message.truthTotal
            sums.sessionErrors.add(estimate: Int(clamping: error &* 1_000_000 / message.truthTotal), truth: 0)
            sums.sessionErrors.useBuckets()
        }
        return sums
    }

    /// Takes all calls of the other. The two must have no session in common.
    package mutating func merge(_ other: CallSums) {
        coverage += other.coverage
        messageCauses += other.messageCauses
        transport += other.transport
        unseen += other.unseen
        message.merge(other.message)
        wire.merge(other.wire)
        messageErrors.merge(other.messageErrors)
        wireErrors.merge(other.wireErrors)
        sizes.merge(other.sizes)
        completed.merge(other.completed)
        withoutBodies.merge(other.withoutBodies)
        failed.merge(other.failed)
        sessions.merge(other.sessions)
        sessionErrors.merge(other.sessionErrors)
    }

    /// The row of a report. Its intervals resample sessions where there are enough of them, else calls.
    package func row(_ source: Int, _ api: Int?, _ direction: Direction, seed: UInt64) -> AccuracyRow {
        var row = AccuracyRow(source: source, api: api, direction: direction)
        row.coverage = coverage
        row.message = statistics(message, \.message, seed)
        row.wire = statistics(wire, \.wire, seed)
        row.messageCauses = messageCauses
        row.causes = messageCauses
        row.causes += transport
        row.unseen = unseen
        row.sessions = SessionQuantiles(sessionErrors)
        row.spread = RowSpread(
            message: messageErrors.spread, wire: wireErrors.spread, size: sizes.spread,
            calls: api == nil
                ? nil
                : CallErrors(completed: completed.series, withoutBodies: withoutBodies.series, failed: failed.series),
            sessions: sessionSpread(row.message, row.wire))
        return row
    }

    private func statistics(
        _ errors: ErrorAccumulator, _ truth: KeyPath<SessionSums.Sums, Int128>, _ seed: UInt64
    ) -> ErrorStatistics {
        var statistics = errors.statistics(seed: seed)
        if let interval = sessions.interval(against: truth) {
            (statistics.biasLow, statistics.biasHigh) = interval
            statistics.resampling = .sessions
        }
        return statistics
    }
}
