import WireAccuracy
import WireLogs

/// What became of each rule of a policy.
public struct CheckReport: Sendable {
    public var rules: [PolicyRule]
    /// By rule, those on what must be read first; within a rule by source, API and direction. Each rule has at least one.
    public var outcomes: [CheckOutcome] = []
    /// TLS connections that were not decrypted, and the estimators that are judged: they have figures of calls that were read alone.
    public var unreadConnections = 0
    public var simulated: [String] = []

    public init(rules: [PolicyRule]) { self.rules = rules }

    public var violations: Int { outcomes.count { $0.verdict == .violated } }
    /// What could not be judged: no pass, and no violation.
    public var unjudged: Int { outcomes.count { $0.verdict == .unjudged } }
    /// No rule had anything to judge: nothing is shown.
    public var judgesNothing: Bool { outcomes.allSatisfy { $0.verdict == .notApplicable } }
}

/// One rule, asked of one subject.
public struct CheckOutcome: Sendable, Equatable {
    public enum Verdict: Sendable {
        case passed
        /// A bound was exceeded, or a rule found nothing to judge: a gate that judges nothing must not open.
        case violated
        /// Not judged, because what it speaks of was not read, or because the log or the calibration is of something else:
        /// a gate that judged a part only must not open.
        case unjudged
        /// Not judged, for a reason that is no fault, such as too few calls of an API.
        case notApplicable
    }

    public enum Finding: Sendable, Equatable {
        /// A figure and its bound.
        case measured(CheckFigure, bound: PolicyRule.Bound)
        /// A figure and what it was in the baseline, with the tolerance in percentage points; of wire bytes in percent.
        /// Without an allowance the baseline holds nothing to make one of: the tolerance alone is allowed.
        case compared(CheckFigure, before: Double, baseline: String, tolerance: Double, RunAllowance?)
        /// The API is not in the baseline.
        case newAPI(baseline: String)
        /// There was nothing to judge: why, in words.
        case nothing(String)
        /// How much was read, of the traffic or of a log, and how much of it must be.
        case reading(ReadShare, bound: PolicyRule.Bound)
        /// A figure would be misleading.
        case obstructed(CheckObstacle)
    }

    /// Index in the report's rules.
    public var rule: Int
    /// Id of the source; nil where the rule speaks of the traffic, or found none.
    public var source: String?
    /// Nil: all APIs together.
    public var api: String?
    /// Nil: both together.
    public var direction: Direction?
    public var verdict: Verdict
    public var finding: Finding
    /// Of a violation: what it is made of, where that is known.
    public var explanation: CheckExplanation?
    /// Of an error that a calibration corrected.
    public var calibration: CalibrationFinding?
    /// There is nothing to judge because one of the runs has too few calls.
    public var isOfTooFewCalls = false
    /// There is nothing to judge because the calibration has no constant of the API's own.
    public var isUncalibrated = false

    public init(
        rule: Int, source: String?, api: String?, direction: Direction?, verdict: Verdict, finding: Finding
    ) {
        self.rule = rule
        self.source = source
        self.api = api
        self.direction = direction
        self.verdict = verdict
        self.finding = finding
    }
}

/// By how much a figure changed since the baseline, and by how much it may, given how the calls of both runs spread.
public struct RunAllowance: Sendable, Equatable {
    /// What the allowance was made of.
    public enum Basis: Sendable, Equatable {
        /// The errors of single calls: a change in either direction is judged.
        case signedErrors
        /// The same without what bodies contribute (`ErrorCause.dependsOnBody`).
        case signedErrorsWithoutBodies
        /// Their sizes without signs: only more is judged.
        case absoluteErrors
        /// The wire bytes of single calls, on a logarithmic scale: only more is judged.
        case sizes
        /// The numbers of calls that were not recorded: only more is judged.
        case lostCalls
        /// The numbers of recorded calls that failed, or that were recorded as failed: a change in either direction is
        /// judged.
        case failedCalls
        /// The numbers of calls that no certain row speaks of: only more is judged.
        case openCalls

        /// A change in either direction is judged.
        public var isTwoSided: Bool {
            switch self {
            case .signedErrors, .signedErrorsWithoutBodies, .failedCalls: true
            case .absoluteErrors, .sizes, .lostCalls, .openCalls: false
            }
        }
    }

    public var basis: Basis
    /// Percentage points; of wire bytes percent. Of messages of the same sizes, so not the difference of the two
    /// figures.
    public var change: Double
    /// In the same unit; without the tolerance.
    public var allowance: Double
    /// A real change of this size would have been seen in 19 of 20 runs; nil where that is not known.
    public var visible: Double?
    public var callsNow: Int
    public var callsBefore: Int
    /// Of runs that are many sessions: how many; the allowance follows from how these differ.
    public var sessions: ComparedSessions?

    public init(
        _ basis: Basis, change: Double, allowance: Double, callsNow: Int, callsBefore: Int,
        sessions: ComparedSessions? = nil
    ) {
        self.sessions = sessions
        self.basis = basis
        self.change = change
        self.allowance = allowance
        self.callsNow = callsNow
        self.callsBefore = callsBefore
    }
}

/// A figure that was judged.
public struct CheckFigure: Sendable, Equatable {
    /// Which calls it is about.
    public enum Calls: Sendable, Equatable {
        case all
        /// Those that came whole and were recorded as such.
        case completed
        case failed
        /// Those that ambiguous rows, or rows without a size, speak of: they are in no other figure.
        case open
    }

    public var metric: PolicyRule.Metric
    /// In the unit; a bias has its sign. Infinite where an error has no truth to be a share of.
    public var value: Double
    public var unit: PolicyRule.Unit
    public var truth = Truth.message
    public var calls = Calls.all
    /// A quantile from buckets.
    public var isApproximate = false
    /// Of a quantile over sessions its 95 % interval: a bound is exceeded only where all of it is beyond the bound.
    public var interval: ClosedRange<Double>?
    /// Of calls of which some were not read: all that the figure can be, in the unit and with its sign. The upper end is
    /// infinite where the messages may have had no bytes.
    public var range: ClosedRange<Double>?

    public init(_ metric: PolicyRule.Metric, _ value: Double, _ unit: PolicyRule.Unit) {
        self.metric = metric
        self.value = value
        self.unit = unit
    }
}
