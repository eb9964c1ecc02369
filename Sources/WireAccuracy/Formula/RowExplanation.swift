import WireEstimates

/// One row's figures held against a formula: which parts it gives, and why the others differ where that is known.
struct RowExplanation {
    /// Parts of the row that are given or whose difference is known.
    var explained: Int { compared - unexplained.count }
    /// The others.
    private(set) var unexplained: [FigurePart]
    /// Parts that the row has.
    private let compared: Int
    /// The formula gives figures for the exchange.
    private(set) var isEstimated = false
    /// By how much the size of the body differs from the formula's; nil where one of the two has no body.
    private(set) var bodyDifference: Int?
    /// Why the explained parts differ from the message.
    private(set) var causes = CauseLedger()

    /// Every part of the row is explained.
    var isWhole: Bool { compared > 0 && unexplained.isEmpty }

    /// The explanation of a row. Some versions of an SDK measure each hop of a redirection by itself, where the formula has a task
    /// and its redirections in one: the reading that explains more is right.
    static func best(
        _ figures: RecordedFigures, _ exchange: ObservedExchange, _ fit: FormulaFit, established: Bool
    ) -> RowExplanation {
        let row = RowExplanation(figures, exchange, fit, established: established)
        guard !row.isWhole, let hop = exchange.hopAlone else { return row }
        let alone = RowExplanation(figures, hop, fit, established: established)
        return alone.explained > row.explained ? alone : row
    }

    /// - Parameter established: the formula gives nearly all figures of the log, so that a body that lacks bytes was not
    ///   delivered whole.
    init(_ figures: RecordedFigures, _ exchange: ObservedExchange, _ fit: FormulaFit, established: Bool) {
        let parts = fit.parts.filter { figures[$0] != nil }
        (compared, unexplained) = (parts.count, parts)
        guard let estimate = RowExplanation.estimate(exchange, fit) else { return }
        isEstimated = true
        let given = RecordedFigures(estimate)
        var found: [FigurePart] = []
        for part in parts where part != .body && part != .total {
            guard let value = figures[part] else { continue }
            if given[part] == value {
                found.append(part)
            } else if part == .startLine, let expected = given[part], fit.reasons.startLine(exchange) == value {
                causes[.reasonGuessed] = value &- expected
                found.append(part)
            }
        }
        let headIsGiven = found.count == parts.count { $0 != .body && $0 != .total }
        for part in parts where part == .body || part == .total {
            guard let value = figures[part] else { continue }
            if given[part] == value {
                found.append(part)
            } else if headIsGiven,
                let (cause, missing) = RowExplanation.uncounted(value, part, given[part], exchange, fit)
            {
                causes[cause] = missing
                found.append(part)
            } else if fit.side == .response, headIsGiven,
                let missing = RowExplanation.undelivered(value, part, given[part], exchange, fit, established)
            {
                causes[.failure] = missing
                found.append(part)
            }
        }
        unexplained.removeAll { found.contains($0) }
        if let body = figures.body, let given = given.body, body > 0, given > 0 { bodyDifference = body &- given }
        add(estimate.causes, found, fit.side, isWhole: found.count == parts.count, figures, given)
    }

    /// The causes of the whole estimate where all parts are explained and make up the total, else of its parts.
    private mutating func add(
        _ posts: CauseLedger, _ found: [FigurePart], _ side: MessageSide, isWhole: Bool, _ figures: RecordedFigures,
        _ given: RecordedFigures
    ) {
        let own = causes.sum
        let addsUp = figures.total.map { $0 &- own == given.total } ?? false
        for (cause, bytes) in posts.posts where (isWhole && addsUp) || found.contains(where: { $0.holds(cause, side) })
        {
            causes[cause] &+= bytes
        }
    }

    /// The formula's figures. Where the size of the content is not known, those of a message without body.
    private static func estimate(_ exchange: ObservedExchange, _ fit: FormulaFit) -> DirectionEstimate? {
        if let estimate = fit.fitted.formula.estimate(exchange, fit.side) { return estimate }
        guard fit.side == .response, exchange.response?.isComplete == false else { return nil }
        var head = exchange
        head.response?.body = ObservedBody()
        return fit.fitted.formula.estimate(head, fit.side).map { estimate in
            // The body's own bytes are charged by `undelivered`.
            var estimate = estimate
            estimate.body = nil
            estimate.total = nil
            return estimate
        }
    }

    /// The bytes of the body, negative, where the figure is what the formula gives for the message without it: an SDK sees
    /// nothing of bodies that are sent as streams, and the body of a redirection that is followed is read by nobody. Nil
    /// elsewhere.
    private static func uncounted(
        _ value: Int, _ part: FigurePart, _ given: Int?, _ exchange: ObservedExchange, _ fit: FormulaFit
    ) -> (cause: ErrorCause, bytes: Int)? {
        guard let given, value < given, fit.side == .request || exchange.response?.isRedirect == true else {
            return nil
        }
        var bare = exchange
        if fit.side == .request { bare.request?.body = ObservedBody() } else { bare.response?.body = ObservedBody() }
        guard let least = fit.fitted.formula.estimate(bare, fit.side).map({ RecordedFigures($0)[part] }), least == value
        else { return nil }
        return (fit.side == .request ? .bodyMissing : .redirect, value &- given)
    }

    /// Bytes that came but did not reach the SDK, negative. Nil where the figure is no smaller than what the formula
    /// gives, or may differ for another reason.
    private static func undelivered(
        _ value: Int, _ part: FigurePart, _ given: Int?, _ exchange: ObservedExchange, _ fit: FormulaFit,
        _ established: Bool
    ) -> Int? {
        guard let response = exchange.response, value >= 0 else { return nil }
        if response.isComplete, !established || response.fields.contains(.contentEncoding) || part == .total {
            return nil
        }
        guard let given else {
            guard part == .body, value <= response.body.transferred else { return nil }
            return value &- response.body.transferred
        }
        if part == .total {
            var head = exchange
            head.response?.body = ObservedBody()
            guard let least = fit.fitted.formula.estimate(head, fit.side)?.total, value >= least else { return nil }
        }
        return value < given ? value &- given : nil
    }
}

extension FormulaFit {
    /// Learned figures of the part that the fitted formula gives, own reason phrases included.
    package func explained(_ part: FigurePart) -> Int {
        fitted.score.exact(part) + (part == .startLine ? guessedRows : 0)
    }
}

extension FigurePart {
    /// Whether a cause concerns the part.
    package func holds(_ cause: ErrorCause, _ side: MessageSide) -> Bool {
        switch cause {
        case .startLineEnd, .startLineNotCounted, .startLineRewritten, .reasonGuessed, .queryDropped, .pathRewritten:
            self == .startLine || self == .total
        case .fieldLineEnd, .emptyLine, .fieldsMissing, .fieldsFormat, .fieldsRewritten, .fieldsNotCounted, .cookie,
            .retry, .headerCompression:
            self == .headers || self == .total
        case .bodyMissing, .bodyRecompressed, .bodyDecoded, .encodingTest, .expectedLength, .chunkFraming,
            .lastBlockOnly:
            self == .body || self == .total
        // Of a response it is the body that nobody reads; of a request all that another one was counted for.
        case .redirect: self == .total || (self == .body && side == .response)
        default: self == .total
        }
    }
}
