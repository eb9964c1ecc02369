/// What became of each rule of a policy.
public struct CheckReport: Sendable {
    public var rules: [PolicyRule]
    /// By rule; within a rule by source, API and direction. Each rule has at least one.
    public var outcomes: [CheckOutcome] = []

    public init(rules: [PolicyRule]) { self.rules = rules }

    public var violations: Int { outcomes.count { $0.verdict == .violated } }
}

/// One rule, asked of one subject.
public struct CheckOutcome: Sendable, Equatable {
    public enum Verdict: Sendable {
        case passed
        /// A bound was exceeded, or a rule found nothing to judge: a gate that judges nothing must not open.
        case violated
        /// Not judged, for a reason that is no fault, such as too few calls of an API.
        case notApplicable
    }

    public enum Finding: Sendable, Equatable {
        /// A figure and its bound.
        case measured(CheckFigure, bound: PolicyRule.Bound)
        /// A figure and what it was in the baseline, with the tolerance in percentage points; of wire bytes in percent.
        case compared(CheckFigure, before: Double, baseline: String, tolerance: Double)
        /// The API is not in the baseline.
        case newAPI(baseline: String)
        /// There was nothing to judge: why, in words.
        case nothing(String)
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

/// A figure that was judged.
public struct CheckFigure: Sendable, Equatable {
    public var metric: PolicyRule.Metric
    /// In the unit; a bias has its sign. Infinite where an error has no truth to be a share of.
    public var value: Double
    public var unit: PolicyRule.Unit
    public var truth = Truth.message
    /// A quantile from buckets.
    public var isApproximate = false

    public init(_ metric: PolicyRule.Metric, _ value: Double, _ unit: PolicyRule.Unit) {
        self.metric = metric
        self.value = value
        self.unit = unit
    }
}
