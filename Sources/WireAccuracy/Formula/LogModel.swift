import WireEstimates
import WireJoin
import WireLogs

/// The formula that a log's figures come from: fitted to matched rows, then held against every row. What it does not
/// give stays unexplained.
struct LogModel {
    /// Estimators that may have made the figures of a side, the published one first.
    private let families: [MessageSide: [FormulaFamily]]
    let parts: [FigurePart]
    /// Something is published of how the figures are counted.
    let isPublished: Bool
    private var rows: [MessageSide: [RecordedRow]] = [:]
    private var fits: [MessageSide: FormulaFit] = [:]
    /// Sides of which the formula gives nearly all figures.
    private var established: Set<MessageSide> = []
    /// Of sides of which it gives most figures: how rare other figures are.
    private var rarities: [MessageSide: [FigurePart: Int32]] = [:]

    init(_ log: SDKLog) { self.init(log.format, writer: log.writer, figures: log.figures) }

    /// - Parameter figures: what the log's figures are, where its names for them tell.
    init(_ format: SDKLogFormat, writer: HARWriter = .other, figures: LogFigures = LogFigures()) {
        families = Dictionary(
            uniqueKeysWithValues: Direction.allCases.map { direction in
                let published = figures[direction]?.formula(format)
                let names = [published].compactMap { $0 } + LogModel.families(format, writer)
                return (direction.side, names.compactMap { FormulaFamily($0) })
            })
        isPublished = format != .columns && format != .charles
        switch format {
        case .dmSQLite, .dmNDJSON, .dmCSV: parts = [.startLine, .headers, .body]
        default: parts = [.total]
        }
    }

    /// The log has figures for parts of a message.
    var hasParts: Bool { parts != [.total] }

    /// What the formulas want to know of bodies.
    var needs: ContentNeeds { families.values.joined().reduce([]) { $0.union($1.needs) } }

    /// Estimators that may have written a log of the format, the published one first. What is fixed no figure of a row
    /// can tell: a row is there or not.
    private static func families(_ format: SDKLogFormat, _ writer: HARWriter) -> [String] {
        switch format {
        case .dmSQLite, .dmNDJSON, .dmCSV: ["dmurlprotocol:gate=both", "hertz"]
        case .har:
            switch writer {
            case .other, .firefox: ["har", "har-chrome:writer=devtools", "cfnetwork"]
            case .chrome: ["har-chrome:writer=devtools", "har"]
            case .playwright: ["har-chrome:writer=playwright", "har"]
            case .webKit: ["cfnetwork", "har"]
            case .chucker: ["chucker"]
            case .devTools: ["flutter"]
            }
        case .metrics: ["mtnm"]
        case .pulse: ["pulse"]
        case .otlp: ["otel"]
        case .netlog: ["netlog"]
        case .qlog: ["qlog"]
        case .sentry: ["sentry"]
        case .datadog: ["datadog"]
        case .newrelic: ["newrelic"]
        case .cfnetwork: ["cfnetwork"]
        case .networkeye: ["networkeye"]
        case .godeye: ["godeye"]
        case .dokit: ["dokit"]
        case .okhttpLog: ["okhttp-log"]
        case .chucker: ["chucker"]
        case .flutter: ["flutter"]
        // Nothing is published of these: the usual ways to count messages, bodies and what the system tells.
        case .columns, .charles:
            [
                "otel", "sentry", "har", "mtnm", "okhttp:total=all", "dmurlprotocol:gate=both", "hertz", "wedjat",
                "chucker",
            ]
        }
    }

    // MARK: Learning

    /// Takes a matched row. Rows must come in the order of time: the first half is fitted, the second confirms.
    mutating func learn(_ logged: LoggedBytes, _ exchange: ObservedExchange, _ direction: Direction) {
        let figures = RecordedFigures(logged)
        guard parts.contains(where: { figures[$0] != nil }), exchange.request != nil else { return }
        // A call that failed for the SDK says nothing of how it counts.
        if direction == .down, exchange.response != nil, figures.areOfNoResponse(parts) { return }
        rows[direction.side, default: []].append(RecordedRow(exchange, figures))
    }

    /// Ends the learning: fits the formulas. Rows that are learned later count only after the next call.
    mutating func settle() {
        for side in MessageSide.allCases {
            fits[side] = FormulaFit(families[side] ?? [], side, parts, rows[side] ?? [])
        }
        if let request = fits[.request], let response = fits[.response],
            let (up, down) = FormulaFit.joined(request, response)
        {
            fits = [.request: up, .response: down]
        }
        // Of formulas that nobody published, one that gives few of the figures gives those by chance.
        if !isPublished { fits = fits.filter { $1.fitted.score.exact * 2 > $1.fitted.score.compared } }
        established = Set(
            fits.filter { _, fit in parts.allSatisfy { LogModel.isGiven($0, fit, atLeast: 90) } }.keys)
        rarities = fits.compactMapValues { rarities($0) }
    }

    /// The published formula and the fitted one, by direction.
    func fit(_ direction: Direction) -> FormulaFit? { fits[direction.side] }

    // MARK: Judging

    /// How well the formula gives the figures of the direction for an exchange. A row of zeros is given by an exchange whose
    /// response is missing or cut. Nil where fewer than 20 figures of a part were learned, or the formula gives fewer than half
    /// of them (of totals fewer than nine in ten: those may have several constants, see `FigureSets`), and where the row has no
    /// figure. Call `settle` after learning.
    func misfit(_ logged: LoggedBytes, _ exchange: ObservedExchange, _ direction: Direction) -> FigureMisfit? {
        guard let fit = fits[direction.side], let rarities = rarities[direction.side] else { return nil }
        let figures = RecordedFigures(logged)
        guard parts.contains(where: { figures[$0] != nil }) else { return nil }
        if direction == .down, figures.areOfNoResponse(parts), exchange.response?.isComplete != true {
            return FigureMisfit()
        }
        let row = RowExplanation(figures, exchange, fit, established: false)
        guard row.isEstimated || established.contains(direction.side) else { return nil }
        var misfit = FigureMisfit(bodyDifference: row.bodyDifference)
        if established.contains(direction.side) {
            misfit.cost = row.isWhole ? 0 : FigureMisfit.rare
        } else {
            // Parts are not independent: a request with another header field may have another body, too. So only the rarest
            // difference counts.
            misfit.cost = row.unexplained.map { rarities[$0] ?? FigureMisfit.rare }.max() ?? 0
        }
        return misfit
    }

    /// Whether the formula gives all figures of a row.
    private func isGiven(_ figures: RecordedFigures, _ exchange: ObservedExchange, _ direction: Direction) -> Bool {
        guard let given = fits[direction.side]?.fitted.formula.estimate(exchange, direction.side) else { return false }
        return parts.allSatisfy { RecordedFigures(given)[$0] == figures[$0] }
    }

    /// Whether the formula gives so many of the part's learned figures, per cent, of at least 20.
    private static func isGiven(_ part: FigurePart, _ fit: FormulaFit, atLeast share: Int) -> Bool {
        let (exact, compared) = (fit.explained(part), fit.fitted.score.compared(part))
        return compared == 0 ? fit.fitted.score.compared > 0 : compared >= 20 && exact * 100 >= compared * share
    }

    /// By part, −ln of the share of learned figures that the formula does not give, thousandths; nil where it gives too few of
    /// some part.
    private func rarities(_ fit: FormulaFit) -> [FigurePart: Int32]? {
        guard parts.allSatisfy({ LogModel.isGiven($0, fit, atLeast: hasParts ? 50 : 90) }) else { return nil }
        return Dictionary(
            uniqueKeysWithValues: parts.map { part in
                let compared = Double(fit.fitted.score.compared(part))
                let share = (compared - Double(fit.explained(part)) + 0.5) / (compared + 1)
                return (part, min(FigureMisfit.rare, thousandths(-share.naturalLogarithm)))
            })
    }

    // MARK: Explaining

    /// Why a logged figure differs from the message: sums to total − message. Adds to the counts how many figures were
    /// compared with a formula, and how many are explained to the byte.
    ///
    /// - Parameter tellsFailure: by the row, the app saw no response.
    func explain(
        _ logged: LoggedBytes, _ exchange: ObservedExchange, _ direction: Direction, _ message: Int, tellsFailure: Bool,
        _ counts: inout (explained: Int, compared: Int)
    ) -> CauseLedger {
        let figures = RecordedFigures(logged)
        let error = (logged.total ?? 0) &- message
        let compared = parts.count { figures[$0] != nil }
        var causes = CauseLedger()
        counts.compared += compared
        let hasNoResponse = tellsFailure || (figures.areOfNoResponse(parts) && !isGiven(figures, exchange, direction))
        if direction == .down, exchange.response != nil, compared > 0, hasNoResponse {
            counts.explained += compared
            causes[.failure] = error
            return causes
        }
        guard let fit = fits[direction.side] else {
            causes[.unexplained] = error
            return causes
        }
        let row = RowExplanation.best(figures, exchange, fit, established: established.contains(direction.side))
        counts.explained += row.explained
        causes = row.causes
        causes[.unexplained] = error &- causes.sum
        return causes
    }

    /// The formulas for a reader: `dmurlprotocol (135 of 135 figures)`, or by direction where they differ.
    var text: String {
        let known = MessageSide.allCases.compactMap { fits[$0] }.filter { $0.fitted.score.exact > 0 }
        guard let first = known.first else { return "" }
        let isOne = known.count > 1 && known.allSatisfy { $0.fitted.formula.id == first.fitted.formula.id }
        let clauses = (isOne ? [known] : known.map { [$0] }).map { fits in
            let score = fits.reduce(FormulaScore()) { $0 + $1.fitted.score }
            let whose = isOne ? "" : fits[0].side == .request ? "requests by " : "responses by "
            return whose + "\(fits[0].fitted.formula.shortID) (\(score.exact) of \(score.compared) figures)"
        }
        let guessed = fits[.response]?.reasons.statuses ?? []
        let note = guessed.isEmpty ? [] : ["own reason phrases for \(guessed.map(String.init).joined(separator: ", "))"]
        return (clauses + note).joined(separator: "; ")
    }
}

extension Direction {
    package var side: MessageSide { self == .up ? .request : .response }
}

extension ChosenEstimator {
    /// The identifier without what every log has by its nature.
    package var shortID: String { id.replacing(":gate=both", with: "") }
}

extension RecordedFigures {
    init(_ logged: LoggedBytes) {
        self.init(startLine: logged.startLine, headers: logged.headers, body: logged.body, total: logged.total)
    }

    /// The row of a call for which the SDK got no response: a response always has a head.
    fileprivate func areOfNoResponse(_ parts: [FigurePart]) -> Bool {
        guard total ?? 0 == 0, parts.allSatisfy({ self[$0] ?? 0 == 0 }) else { return false }
        return startLine == 0 || (startLine == nil && headers == 0)
    }
}
