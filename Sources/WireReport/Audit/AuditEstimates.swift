import WireEstimates
import WireRecords

/// What estimators make of the APIs of an audit, for its JSON.
public struct AuditEstimates: Sendable {
    public struct Estimator: Sendable {
        /// Key in the output.
        public var id: String
        public var title: String
        /// All of them, for the reader.
        public var parameters: String

        public init(id: String, title: String, parameters: String) {
            self.id = id
            self.title = title
            self.parameters = parameters
        }
    }

    /// The calls that an estimator has a figure for, and the figures' sum in bytes.
    public struct Sum: Sendable, Equatable {
        public var calls = 0
        public var total = 0

        public init() {}
    }

    public struct Sums: Sendable, Equatable {
        public var up = Sum()
        public var down = Sum()

        public init() {}
    }

    public let estimators: [Estimator]
    /// By name of the API the sums of each estimator, in their order.
    public private(set) var apis: [String: [Sums]] = [:]

    public init(_ estimators: [Estimator]) { self.estimators = estimators }

    /// Takes the outcomes for one exchange, in the order of the estimators.
    public mutating func add(_ outcomes: [EstimateOutcome], api: String) {
        var sums = apis[api] ?? Array(repeating: Sums(), count: estimators.count)
        for (index, outcome) in outcomes.prefix(sums.count).enumerated() {
            guard case .recorded(let up, let down) = outcome else { continue }
            if let up { AuditEstimates.add(up, to: &sums[index].up) }
            if let down { AuditEstimates.add(down, to: &sums[index].down) }
        }
        apis[api] = sums
    }

    private static func add(_ estimate: DirectionEstimate, to sum: inout Sum) {
        guard !estimate.isUnknown else { return }
        sum.calls &+= 1
        sum.total &+= estimate.total ?? 0
    }
}
