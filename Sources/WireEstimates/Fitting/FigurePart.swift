/// The message of an exchange that a figure speaks of.
package enum MessageSide: Sendable, CaseIterable {
    case request, response
}

/// Parts of the figure for one message.
package enum FigurePart: Int, CaseIterable, Sendable {
    case startLine, headers, body, total

    package var name: String {
        switch self {
        case .startLine: "start line"
        case .headers: "headers"
        case .body: "body"
        case .total: "total"
        }
    }
}

/// What a log has for one message, bytes. Nil where it has no such figure.
package struct RecordedFigures: Sendable, Equatable {
    package var startLine: Int?
    package var headers: Int?
    package var body: Int?
    package var total: Int?

    package init(startLine: Int? = nil, headers: Int? = nil, body: Int? = nil, total: Int? = nil) {
        self.startLine = startLine
        self.headers = headers
        self.body = body
        self.total = total
    }

    package init(_ estimate: DirectionEstimate) {
        self.init(
            startLine: estimate.startLine, headers: estimate.headers, body: estimate.body, total: estimate.total)
    }

    package subscript(part: FigurePart) -> Int? {
        switch part {
        case .startLine: startLine
        case .headers: headers
        case .body: body
        case .total: total
        }
    }
}

/// A row of a log with the exchange that it was matched to.
package struct RecordedRow: Sendable {
    package var exchange: ObservedExchange
    package var figures: RecordedFigures

    package init(_ exchange: ObservedExchange, _ figures: RecordedFigures) {
        self.exchange = exchange
        self.figures = figures
    }
}

extension ChosenEstimator {
    /// The figures for one message. Nil where the estimator has none, or cannot tell them.
    package func estimate(_ exchange: ObservedExchange, _ side: MessageSide) -> DirectionEstimate? {
        guard case .recorded(let up, let down) = estimator.estimate(exchange),
            let estimate = side == .request ? up : down, !estimate.isUnknown
        else { return nil }
        return estimate
    }
}

/// How many figures a formula gives to the byte, by part.
package struct FormulaScore: Sendable, Equatable {
    private var exactByPart = [Int](repeating: 0, count: FigurePart.allCases.count)
    private var comparedByPart = [Int](repeating: 0, count: FigurePart.allCases.count)

    package init() {}

    /// The score of a formula for rows.
    package init(
        _ formula: ChosenEstimator, _ side: MessageSide, _ parts: [FigurePart], _ rows: some Sequence<RecordedRow>
    ) {
        for row in rows {
            let given = formula.estimate(row.exchange, side).map { RecordedFigures($0) }
            for part in parts {
                guard let value = row.figures[part] else { continue }
                add(part, isExact: given?[part] == value)
            }
        }
    }

    package mutating func add(_ part: FigurePart, isExact: Bool) {
        comparedByPart[part.rawValue] += 1
        if isExact { exactByPart[part.rawValue] += 1 }
    }

    /// Figures of the part that are given to the byte.
    package func exact(_ part: FigurePart) -> Int { exactByPart[part.rawValue] }
    /// Figures of the part that the log has.
    package func compared(_ part: FigurePart) -> Int { comparedByPart[part.rawValue] }

    package var exact: Int { exactByPart.reduce(0, +) }
    package var compared: Int { comparedByPart.reduce(0, +) }

    package static func + (left: FormulaScore, right: FormulaScore) -> FormulaScore {
        var sum = left
        for index in sum.exactByPart.indices {
            sum.exactByPart[index] += right.exactByPart[index]
            sum.comparedByPart[index] += right.comparedByPart[index]
        }
        return sum
    }
}
