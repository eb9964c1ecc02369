import Spelling
import WireAccuracy
import WireCore
import WireEstimates
import WireLogs

/// Sessions of partial results, and those of the same fleet that could not be audited.
public struct FleetSize: Sendable {
    public var audited: Int
    public var failed: Int

    public init(audited: Int, failed: Int) {
        self.audited = audited
        self.failed = failed
    }
}

extension CheckReport {
    /// Asks each rule of all its subjects.
    ///
    /// - Parameters:
    ///   - baselines: by their paths in the policy.
    ///   - context: what else is known of the results.
    public static func evaluate(
        _ policy: AccuracyPolicy, _ result: AccuracyResult, _ audit: AuditResult,
        baselines: [String: AccuracyBaseline] = [:], context: CheckContext = CheckContext()
    ) -> CheckReport {
        var evaluation = PolicyEvaluation(policy, result, audit, baselines)
        evaluation.context = context
        evaluation.findObstacles()
        // What was not read decides of the others.
        let reading = policy.rules.indices.filter { policy.rules[$0].reading != nil }
        for index in reading + policy.rules.indices.filter({ policy.rules[$0].reading == nil }) {
            evaluation.judge(rule: index)
        }
        return evaluation.report
    }
}

/// What a check must know beside the results.
public struct CheckContext {
    /// Nil where a capture is judged.
    public var sessions: FleetSize?
    /// How the calibration's conditions differ from those of the log: "to dm-sqlite, not to har". Then it does not apply.
    public var calibrationMisfits: [String] = []
    /// The hosts that the report is about, by their names in the table of hosts.
    public var includesHost: (String) -> Bool = { _ in true }

    public init() {}
}

/// The evaluation of a policy while it goes on.
struct PolicyEvaluation {
    let result: AccuracyResult
    let audit: AuditResult
    let baselines: [String: AccuracyBaseline]
    fileprivate(set) var context = CheckContext()
    /// Why figures of all calls, and by source why those of a log, must not be judged.
    var trafficObstacle: CheckObstacle?
    var obstacles: [Int: CheckObstacle] = [:]
    /// Less of the traffic was read than figures of all calls need, whatever the policy asks for.
    var hasReadLittle = false
    /// Logs of which too few rows were read for that, by source.
    var partlyRead: Set<Int> = []
    private(set) var report: CheckReport
    private var rows: [AccuracyRowKey: AccuracyRow] = [:]

    init(
        _ policy: AccuracyPolicy, _ result: AccuracyResult, _ audit: AuditResult,
        _ baselines: [String: AccuracyBaseline]
    ) {
        self.result = result
        self.audit = audit
        self.baselines = baselines
        report = CheckReport(rules: policy.rules)
        report.unreadConnections = audit.hosts.reduce(0) { $0 + $1.setup.unreadConnections }
        report.simulated = result.sources.filter { $0.kind == .simulated }.map(\.id)
        for row in result.rows + result.totals {
            rows[AccuracyRowKey(source: row.source, api: row.api, direction: row.direction)] = row
        }
    }

    mutating func judge(rule index: Int) {
        let rule = report.rules[index]
        switch rule.demand {
        case .baseline(let path, let tolerance): compare(index, rule, path, tolerance)
        case .bound(.read, let bound): judgeReading(index, rule, bound)
        case .bound(let metric, let bound) where metric.isOfFleet: judgeFleet(index, metric, bound)
        case .bound(let metric, let bound):
            metric.isWire ? judgeWire(index, rule, metric, bound) : judgeSources(index, rule, metric, bound)
        }
    }

    func row(_ source: Int, _ api: Int?, _ direction: Direction) -> AccuracyRow? {
        rows[AccuracyRowKey(source: source, api: api, direction: direction)]
    }

    mutating func add(_ outcome: CheckOutcome) { report.outcomes.append(obstructed(outcome)) }

    mutating func add(
        _ place: CheckPlace, _ figure: CheckFigure, _ bound: PolicyRule.Bound,
        _ explanation: CheckExplanation?
    ) {
        let verdict = figure.verdict(bound.value)
        var outcome = place.outcome(verdict, .measured(figure, bound: bound))
        if verdict == .violated { outcome.explanation = explanation }
        add(outcome)
    }

    /// Of what was found nowhere nobody can say that it is not there, where little was read.
    var lacking: CheckOutcome.Verdict { trafficObstacle == nil && !hasReadLittle ? .violated : .unjudged }

    /// Why there is no figure of any call.
    var noCalls: String { lacking == .violated ? "the capture has no calls" : "no call of the capture was read" }

    mutating func addNothing(_ why: String, _ place: CheckPlace, _ verdict: CheckOutcome.Verdict) {
        add(place.outcome(verdict, .nothing(why)))
    }
}

struct AccuracyRowKey: Hashable {
    var source: Int
    var api: Int?
    var direction: Direction
}

/// What a rule is asked of.
struct CheckPlace {
    var rule: Int
    var source: String?
    var api: String?
    var direction: Direction?

    func outcome(_ verdict: CheckOutcome.Verdict, _ finding: CheckOutcome.Finding) -> CheckOutcome {
        CheckOutcome(
            rule: rule, source: source, api: api, direction: direction, verdict: verdict, finding: finding)
    }
}

// MARK: Bounds of sources

extension PolicyEvaluation {
    private mutating func judgeSources(
        _ index: Int, _ rule: PolicyRule, _ metric: PolicyRule.Metric, _ bound: PolicyRule.Bound
    ) {
        let place = CheckPlace(rule: index, direction: rule.direction)
        let sources = selectedSources(rule)
        guard !sources.isEmpty else { return addNothing(noSource(rule), place, .violated) }
        var apis: [Int?] = [nil]
        if let pattern = rule.api {
            apis = matching(pattern, result.apis)
            guard !apis.isEmpty || sources.contains(where: { !unreadAPIs($0, pattern).isEmpty }) else {
                return addNothing(noAPI(pattern, result.apis), place, lacking)
            }
        }
        for source in sources {
            var place = place
            place.source = result.sources[source].id
            var isJudged = false
            for api in apis {
                place.api = api.map { result.apis[$0] }
                for direction in rule.direction.map({ [$0] }) ?? Direction.allCases {
                    place.direction = direction
                    let row = row(source, api, direction)
                    if judgeUnread(row, source, metric, bound, place) || judge(row, rule, metric, bound, place) {
                        isJudged = true
                    }
                }
            }
            for api in rule.api.map({ unreadAPIs(source, $0) }) ?? [] {
                place.api = api
                for direction in rule.direction.map({ [$0] }) ?? Direction.allCases {
                    place.direction = direction
                    if judgeUnread(nil, source, metric, bound, place) { isJudged = true }
                }
            }
            if !isJudged { addUnjudged(index, rule, source, count: apis.count) }
        }
    }

    /// Returns whether there was something to judge.
    private mutating func judge(
        _ row: AccuracyRow?, _ rule: PolicyRule, _ metric: PolicyRule.Metric, _ bound: PolicyRule.Bound,
        _ place: CheckPlace
    ) -> Bool {
        let isTotal = place.api == nil
        guard let row, row.coverage.calls > 0 || row.message.count > 0 else {
            addNothing(isTotal ? "has no figures for this direction" : "no calls", place, .notApplicable)
            return false
        }
        let calls = row.coverage.calls
        guard isTotal || calls >= rule.minimumCalls else {
            addNothing(tooFewCalls(calls, rule), place, .notApplicable)
            return false
        }
        if metric.isOfSessions, row.sessions == nil, row.message.count > 0 {
            addNothing("\(metric.rawValue) needs partial results (--format partial)", place, .violated)
            return true
        }
        guard let figure = CheckFigure.measured(metric, bound.unit, rule.truth, in: row) else {
            addNothing("none of its \(calls) calls was recorded", place, isTotal ? .violated : .notApplicable)
            return isTotal
        }
        guard metric == .bias, rule.truth == .message, row.source == result.calibratedSource else {
            add(place, figure, bound, explanation(figure, row))
            return true
        }
        guard let outcome = calibrated(metric, bound, row, place) else {
            addUncalibrated(place)
            return isTotal
        }
        add(outcome)
        return true
    }

    /// All calls together must be judged, a single API only where the calibration knows it.
    private mutating func addUncalibrated(_ place: CheckPlace) {
        var outcome = place.outcome(
            place.api == nil ? .unjudged : .notApplicable,
            .nothing(
                place.api == nil
                    ? "the calibration does not apply: less than half of the calls are of APIs that it has a constant of"
                    : "the calibration has no constant of its own for it"))
        outcome.isUncalibrated = place.api != nil
        add(outcome)
    }

    private mutating func addUnjudged(_ index: Int, _ rule: PolicyRule, _ source: Int, count: Int) {
        let place = CheckPlace(rule: index, source: result.sources[source].id, direction: rule.direction)
        guard let pattern = rule.api else {
            let hasCalls = audit.exchanges > 0 || lacking == .violated
            return addNothing(hasCalls ? "the rule matched nothing" : noCalls, place, hasCalls ? .violated : lacking)
        }
        addNothing(
            "none of the \(count) APIs that \(quoted(pattern.text)) matches could be checked", place, .violated)
    }
}

// MARK: Bounds of fleets

extension PolicyEvaluation {
    private mutating func judgeFleet(_ index: Int, _ metric: PolicyRule.Metric, _ bound: PolicyRule.Bound) {
        let place = CheckPlace(rule: index)
        guard let sessions = context.sessions else {
            return addNothing("\(metric.rawValue) needs the partial results of a fleet", place, .violated)
        }
        let failed = Double(sessions.failed)
        let share = CheckFigure.percent(failed, of: failed + Double(sessions.audited))
        add(place, CheckFigure(metric, share, .percent), bound, nil)
    }
}

// MARK: Bounds of wire bytes

extension PolicyEvaluation {
    private mutating func judgeWire(
        _ index: Int, _ rule: PolicyRule, _ metric: PolicyRule.Metric, _ bound: PolicyRule.Bound
    ) {
        var place = CheckPlace(rule: index, direction: rule.direction)
        guard let pattern = rule.api else {
            let figure = CheckFigure.wire(metric, audit.ledger.causes, rule.direction, calls: audit.exchanges)
            guard audit.connections > 0 else {
                return addNothing("the capture has no TCP or QUIC connections", place, .violated)
            }
            guard let figure else { return addNothing(noCalls, place, lacking) }
            let explanation = CheckExplanation(audit.ledger.causes, rule.direction)
            return add(place, figure, bound, explanation)
        }
        let names = audit.apis.map(\.api)
        let apis = matching(pattern, names)
        guard !apis.isEmpty else { return addNothing(noAPI(pattern, names), place, lacking) }
        var isJudged = false
        for case let api? in apis {
            let summary = audit.apis[api]
            place.api = summary.api
            guard summary.exchanges >= rule.minimumCalls,
                let figure = CheckFigure.wire(metric, summary.costs, rule.direction, calls: summary.exchanges)
            else {
                addNothing(tooFewCalls(summary.exchanges, rule), place, .notApplicable)
                continue
            }
            isJudged = true
            add(place, figure, bound, CheckExplanation(summary.costs, rule.direction))
        }
        guard !isJudged else { return }
        place.api = nil
        addNothing(
            "none of the \(apis.count) APIs that \(quoted(pattern.text)) matches could be checked", place, .violated)
    }
}

// MARK: Selection

extension PolicyEvaluation {
    /// Indices of sources: those that the pattern fits; without one all logs, and without logs all.
    func selectedSources(_ rule: PolicyRule) -> [Int] {
        let indices = result.sources.indices
        guard let pattern = rule.source else {
            let logs = indices.filter { result.sources[$0].kind == .log }
            return logs.isEmpty ? Array(indices) : logs
        }
        return indices.filter { index in
            let paths = result.logs.filter { $0.source == index }.map(\.path)
            return ([result.sources[index].id] + paths + paths.map(lastComponent)).contains { pattern.matches($0) }
        }
    }

    /// Indices of the names that fit, in the order of the names.
    func matching(_ pattern: TextPattern, _ names: [String]) -> [Int?] {
        names.indices.filter { NameSpellings.all(Array(names[$0].utf8)).contains { pattern.matches($0) } }.sorted {
            names[$0] < names[$1]
        }
    }

    func tooFewCalls(_ calls: Int, _ rule: PolicyRule) -> String {
        calls == 0 ? "no calls" : "\(calls) of the \(rule.minimumCalls) calls that the rule needs"
    }

    func noSource(_ rule: PolicyRule) -> String {
        let known = result.sources.map(\.id)
        guard let pattern = rule.source, !known.isEmpty else {
            return "there is no log and no simulated estimator to check"
        }
        return "no source is \(quoted(pattern.text)); " + advice(pattern.text, known, "sources are")
    }

    func noAPI(_ pattern: TextPattern, _ names: [String]) -> String {
        guard !names.isEmpty else { return noCalls }
        return "no API of the capture matches \(quoted(pattern.text)); " + advice(pattern.text, names, "APIs are")
    }

    private func advice(_ word: String, _ known: [String], _ introduction: String) -> String {
        if let near = nearestWord(to: word, among: known) { return "did you mean \(quoted(near))?" }
        let few = known.sorted().prefix(8).map { quoted($0) }.joined(separator: ", ")
        return "\(introduction) \(few)" + (known.count > 8 ? " and \(known.count - 8) more" : "")
    }
}

private func lastComponent(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
}
