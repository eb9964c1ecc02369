import WireCore
import WireStatistics

@testable import WireAccuracy
@testable import WireComparison
@testable import WireLogs

/// An accuracy made by hand: two APIs; an estimator that counts half, and a log that saw one call in two of the first
/// API, and none of the second.
///
/// | source, API | up: truth, estimate | down: truth, estimate |
/// |---|---|---|
/// | dm, GET a /x (4 calls) | 4 × 100, 50 | 4 × 1000, 950 |
/// | dm, POST a /y (1 call) | 200, 260 | 0, 0 |
/// | sdk.sqlite, GET a /x | 2 × 100, 98 | no statement |
struct SampleAccuracy {
    var result = AccuracyResult()
    var audit = AuditResult()

    init(logs: Bool = true) {
        result.apis = ["POST a /y", "GET a /x"]
        result.apiCalls = [1, 4]
        result.sources = [AccuracySource(id: "dm", title: "DM", kind: .simulated, note: "")]
        add(source: 0, api: 1, .up, calls: 4, Array(repeating: (50, 100), count: 4))
        add(source: 0, api: 1, .down, calls: 4, Array(repeating: (950, 1000), count: 4))
        add(source: 0, api: 0, .up, calls: 1, [(260, 200)])
        add(source: 0, api: 0, .down, calls: 1, [(0, 0)])
        let half = Array(repeating: (50, 100), count: 4)
        add(source: 0, api: nil, .up, calls: 5, half + [(260, 200)])
        let most = Array(repeating: (950, 1000), count: 4)
        add(source: 0, api: nil, .down, calls: 5, most + [(0, 0)])
        if logs {
            result.sources.append(AccuracySource(id: "sdk.sqlite", title: "sdk.sqlite", kind: .log, note: ""))
            result.logs = [LogSummary(source: 1, path: "logs/sdk.sqlite", format: .dmSQLite)]
            add(source: 1, api: 1, .up, calls: 4, Array(repeating: (98, 100), count: 2))
            add(source: 1, api: 0, .up, calls: 1, [])
            add(source: 1, api: nil, .up, calls: 5, Array(repeating: (98, 100), count: 2))
        }
        audit.connections = 2
        audit.exchanges = 5
        addWire("GET a /x", calls: 4, up: 1000, down: 6000)
        addWire("POST a /y", calls: 1, up: 600, down: 100)
        audit.ledger.causes.up[.keepalive] += 50
    }

    /// A row with `calls` calls, of which these were recorded, each with its estimate and truth. A call costs 200 bytes more on the wire.
    mutating func add(source: Int, api: Int?, _ direction: Direction, calls: Int, _ recorded: [(Int, Int)]) {
        var row = AccuracyRow(source: source, api: api, direction: direction)
        var (message, wire) = (ErrorAccumulator(), ErrorAccumulator())
        for (estimate, truth) in recorded {
            message.add(estimate: estimate, truth: truth)
            wire.add(estimate: estimate, truth: truth + 200)
        }
        (row.message, row.wire) = (message.statistics(seed: 1), wire.statistics(seed: 1))
        row.coverage.calls = calls
        row.coverage.recordedCalls = recorded.count
        row.coverage.messageBytes = calls * 400
        row.coverage.recordedMessageBytes = recorded.count * 100
        row.coverage.wireBytes = calls * 600
        row.coverage.recordedWireBytes = recorded.count * 300
        if api == nil { result.totals.append(row) } else { result.rows.append(row) }
    }

    private mutating func addWire(_ name: String, calls: Int, up: Int, down: Int) {
        var summary = APISummary(api: name)
        summary.exchanges = calls
        summary.costs.up[.headers] = up
        summary.costs.down[.body] = down
        audit.apis.append(summary)
        audit.ledger.causes += summary.costs
    }

    func check(
        _ policy: String, baselines: [String: AccuracyBaseline] = [:], context: CheckContext = CheckContext()
    ) throws -> CheckReport {
        try CheckReport.evaluate(
            AccuracyPolicy(parsing: Array(policy.utf8)), result, audit, baselines: baselines, context: context)
    }
}

/// An outcome in one line: `violated dm up GET a /x: bias -50.0`.
func brief(_ outcome: CheckOutcome) -> String {
    let place = [outcome.source, outcome.direction?.rawValue, outcome.api].compactMap { $0 }.joined(separator: " ")
    let finding =
        switch outcome.finding {
        case .measured(let figure, _): "\(figure.metric.rawValue) \(figure.value)"
        case .compared(let figure, let before, _, _, _): "\(figure.metric.rawValue) \(figure.value) after \(before)"
        case .newAPI: "new"
        case .nothing(let why): why
        case .reading(let share, _): "read \(share.read) of \(share.whole) \(share.unit)"
        case .obstructed(let obstacle): "\(obstacle)".prefix { $0 != "(" }.description
        }
    return "\(outcome.verdict)\(place.isEmpty ? "" : " " + place): \(finding)"
}
