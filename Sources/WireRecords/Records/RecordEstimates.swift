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
    package var reversed: EstimateOutcome {
        guard case .recorded(let up, let down) = self else { return self }
        return .recorded(up: down, down: up)
    }
}

extension JSONFields {
    /// `estimates`, the last field of an exchange: by estimator both directions; the reason where the exchange is
    /// unseen; null where nothing is known, and where no estimator was asked for.
    package mutating func estimates(_ names: [String], _ outcomes: [EstimateOutcome]) {
        guard begin("estimates", isKnown: !names.isEmpty) else { return }
        for (name, outcome) in zip(names, outcomes) {
            switch outcome {
            case .recorded(let up, let down):
                begin(name: name)
                direction("up", up)
                direction("down", down)
                text("unseen", nil as String?)
                end()
            case .unseen(let cause):
                begin(name: name)
                direction("up", nil)
                direction("down", nil)
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
        for figure in estimateFigures { integer(figure.name, figure.get(estimate)) }
        end()
    }
}

/// The figures of a direction.
private let estimateFigures: [(name: StaticString, meaning: String, get: @Sendable (DirectionEstimate) -> Int?)] = [
    ("start_line", "Estimate of the start line.", { $0.startLine }),
    ("headers", "Estimate of the header fields.", { $0.headers }),
    ("body", "Estimate of the body.", { $0.body }), ("total", "Estimate of the message.", { $0.total }),
]

/// `estimates` of an exchange in its schema.
let estimatesField: SchemaField = {
    let figures = estimateFigures.map { figure in
        SchemaField(
            name: "\(figure.name)", type: .integer(unit: "bytes", least: nil),
            meaning: figure.meaning + " Negative where an SDK records unknown lengths as -1.", isNullable: true)
    }
    let estimate = SchemaType.object([
        SchemaField(name: "up", type: .object(figures), meaning: "Of the request.", isNullable: true),
        SchemaField(name: "down", type: .object(figures), meaning: "Of the response.", isNullable: true),
        SchemaField(
            name: "unseen", type: .text,
            meaning: "Id of the cause for which the SDK does not see this exchange; null where it does.",
            isNullable: true),
    ])
    return SchemaField(
        name: "estimates",
        type: .map(SchemaElement(.nullable(SchemaElement(estimate))), keys: "the id of an estimator"),
        meaning: "What estimators make of it, null where nothing can be said. Null without --estimators.",
        isNullable: true)
}()

extension CSVFields {
    /// The columns that `estimateFieldNames` names.
    package mutating func estimates(_ names: [String], _ outcomes: [EstimateOutcome]) {
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
                for figure in estimateFigures { integer("", side.flatMap { figure.get($0) }) }
            }
            text("", unseen)
        }
    }
}

/// Column names of the estimates in CSV, in the manner of `FieldNames`. Names that become equal are numbered.
package func estimateFieldNames(_ names: [String]) -> [String] {
    let figures = estimateFigures.map { "\($0.name)" }
    let columns = figures.map { "up_" + $0 } + figures.map { "down_" + $0 } + ["unseen"]
    var uses: [String: Int] = [:]
    return names.flatMap { name in
        var prefix = "estimates_" + columnName(name)
        let use = uses[prefix, default: 0] + 1
        uses[prefix] = use
        if use > 1 { prefix += "_\(use)" }
        return columns.map { "\(prefix)_\($0)" }
    }
}
