import WireCore
import WireEstimates

/// What estimators make of the exchanges of a record report.
public struct RecordEstimates {
    /// Keys of the estimators in the output.
    public var names: [String]
    /// The outcomes for an exchange, in the order of the names; up is the direction of the request. It is asked once
    /// for every exchange of the capture, in the order of the report and before any selection, since a redirection may
    /// come from an exchange that is not shown; it may complete the record.
    public var outcomes: (inout ExchangeRecord) -> [EstimateOutcome]

    public init(names: [String], outcomes: @escaping (inout ExchangeRecord) -> [EstimateOutcome]) {
        self.names = names
        self.outcomes = outcomes
    }
}

extension EstimateOutcome {
    /// With its directions exchanged.
    var reversed: EstimateOutcome {
        guard case .recorded(let up, let down) = self else { return self }
        return .recorded(up: down, down: up)
    }
}

extension JSONFields {
    /// `estimates`, the last field of an exchange: by estimator both directions; the reason where the exchange is
    /// unseen; null where nothing is known.
    mutating func estimates(_ names: [String], _ outcomes: [EstimateOutcome]) {
        begin("estimates")
        for (name, outcome) in zip(names, outcomes) {
            switch outcome {
            case .recorded(let up, let down):
                begin(name: name)
                direction("up", up)
                direction("down", down)
                end()
            case .unseen(let cause):
                begin(name: name)
                text("unseen", cause.name)
                end()
            case .unknown: begin(name: name, isKnown: false)
            }
        }
        end()
    }

    private mutating func direction(_ name: StaticString, _ estimate: DirectionEstimate?) {
        let known = estimate?.isUnknown == true ? nil : estimate
        guard begin(name, isKnown: known != nil), let estimate = known else { return }
        integer("start_line", estimate.startLine)
        integer("headers", estimate.headers)
        integer("body", estimate.body)
        integer("total", estimate.total)
        end()
    }
}

/// The figures of a direction, as columns of CSV.
private let directionColumns: [(name: String, figure: @Sendable (DirectionEstimate) -> Int?)] = [
    ("start_line", { $0.startLine }), ("headers", { $0.headers }), ("body", { $0.body }), ("total", { $0.total }),
]

extension CSVFields {
    /// The columns that `estimateFieldNames` names.
    mutating func estimates(_ names: [String], _ outcomes: [EstimateOutcome]) {
        for index in names.indices {
            var unseen: String?
            var sides: (up: DirectionEstimate?, down: DirectionEstimate?) = (nil, nil)
            if outcomes.indices.contains(index) {
                switch outcomes[index] {
                case .recorded(let up, let down): sides = (up, down)
                case .unseen(let cause): unseen = cause.name
                case .unknown: break
                }
            }
            for side in [sides.up, sides.down] {
                for column in directionColumns { integer("", side.flatMap { column.figure($0) }) }
            }
            text("", unseen)
        }
    }
}

/// Column names of the estimates in CSV.
func estimateFieldNames(_ names: [String]) -> [String] {
    let columns = directionColumns.map(\.name)
    return names.flatMap { name in
        (columns.map { "up." + $0 } + columns.map { "down." + $0 } + ["unseen"]).map { "estimates.\(name).\($0)" }
    }
}
