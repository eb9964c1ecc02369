import Spelling
import WireAccuracy
import WireLogs

/// Bounds that a capture and its estimates must keep: a gate for CI.
public struct AccuracyPolicy: Sendable {
    public var rules: [PolicyRule]

    public init(rules: [PolicyRule]) { self.rules = rules }

    /// Puts the rule on what must be read before the others, unless there is one.
    public mutating func completeReading() {
        guard !rules.contains(where: { $0.reading != nil }) else { return }
        let bound = PolicyRule.Bound(ReadShare.least, .percentOfBytes)
        rules.insert(PolicyRule(.bound(.read, bound), text: "read >= 95% of bytes"), at: 0)
    }

    /// Files that rules compare with, each once, as written in the policy.
    public var baselines: [String] {
        var paths: [String] = []
        for case .baseline(let path, _) in rules.map(\.demand) where !paths.contains(path) { paths.append(path) }
        return paths
    }
}

/// One demand, and what it is asked of.
public struct PolicyRule: Sendable, Equatable {
    /// What is measured. Raw values are the words of policies.
    public enum Metric: String, Sendable, CaseIterable {
        /// |estimates − truths| in total: in percent of the truths, or in bytes per call.
        case bias
        /// Mean |error| of a call: bytes, or percent of the mean truth. So are the quantiles and the maximum.
        case error
        case p50Error = "p50-error"
        case p90Error = "p90-error"
        case p99Error = "p99-error"
        case maximumError = "max-error"
        /// Of partial results: the |error| in total, in percent of its messages, that half, 90 % or 99 % of the sessions
        /// do not exceed.
        case p50SessionError = "p50-session-error"
        case p90SessionError = "p90-session-error"
        case p99SessionError = "p99-session-error"
        /// Of partial results of a fleet: percent of its sessions that could not be audited.
        case failedSessions = "failed-sessions"
        /// Percent of calls, or of their bytes, that the source recorded: a minimum.
        case coverage
        /// Percent of the bytes of the traffic, and of the rows of each log, that were read: a minimum. Where it is not
        /// kept, nothing is said of all calls together.
        case read
        /// IP bytes that an API cost; of all APIs: of all connections, also those without a call.
        case wire
        /// The same divided by the calls.
        case wirePerCall = "wire-per-call"

        /// It speaks of the traffic alone, not of a source's figures.
        public var isWire: Bool { self == .wire || self == .wirePerCall }
        public var isMinimum: Bool { self == .coverage || self == .read }

        /// It speaks of the fleet, not of calls.
        public var isOfFleet: Bool { self == .failedSessions }

        /// It speaks of everything that was captured and logged.
        public var isOfWhole: Bool { self == .failedSessions || self == .read }

        /// It speaks of whole sessions, each of which counts once.
        public var isOfSessions: Bool {
            self == .p50SessionError || self == .p90SessionError || self == .p99SessionError
        }
    }

    public enum Unit: Sendable, Equatable {
        case percent
        case bytes
        /// Of coverage: percent of the bytes instead of the calls; the unit of what was read.
        case percentOfBytes
    }

    public struct Bound: Sendable, Equatable {
        public var value: Double
        public var unit: Unit

        public init(_ value: Double, _ unit: Unit) {
            self.value = value
            self.unit = unit
        }
    }

    public enum Demand: Sendable, Equatable {
        /// No more than the bound or, for a minimum, no less.
        case bound(Metric, Bound)
        /// Nothing worse than in an earlier result by more than the tolerance, percentage points. See `BaselineMetric`.
        case baseline(path: String, tolerance: Double)
    }

    public var demand: Demand
    /// Nil: each direction on its own; wire bytes: both together.
    public var direction: Direction?
    public var truth = Truth.message
    /// Pattern of sources. Nil: all logs; without logs all simulated estimators.
    public var source: TextPattern?
    /// Pattern of APIs, each judged on its own. Nil: all APIs together (a baseline: together and each).
    public var api: TextPattern?
    /// An API with fewer calls is not judged.
    public var minimumCalls = 0
    /// Patterns of hosts that need not be read.
    public var exceptions: [TextPattern] = []
    /// The rule as it was written.
    public var text: String

    public init(_ demand: Demand, text: String) {
        self.demand = demand
        self.text = text
    }

    /// The bound of a rule on what must be read; nil of others.
    package var reading: Bound? {
        guard case .bound(.read, let bound) = demand else { return nil }
        return bound
    }
}

/// What is wrong with a policy, and what would be right.
public struct PolicyError: Error, Sendable, Equatable {
    /// In one line.
    public var message: String
    /// From 1; nil where it concerns an option or the policy as a whole.
    public var line: Int?
    /// Character in the line, from 1.
    public var column: Int?

    public init(_ message: String, line: Int? = nil, column: Int? = nil) {
        self.message = message
        self.line = line
        self.column = column
    }

    /// `accuracy.policy:3:9: …`
    public func text(path: String) -> String {
        guard let line else { return "\(path): \(message)" }
        return column.map { "\(path):\(line):\($0): \(message)" } ?? "\(path):\(line): \(message)"
    }
}
