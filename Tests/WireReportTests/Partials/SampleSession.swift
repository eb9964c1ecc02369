import WireCore
import WireEstimates
import WireTesting

@testable import WireAccuracy
@testable import WireComparison
@testable import WireLogs

/// A capture session with random traffic and random errors.
struct SampleSession {
    let name: String
    let audit: AuditResult
    let result: AccuracyResult
    let sums: [CallKey: CallSums]

    static let apis = ["GET a.example /", "POST a.example /v1/orders/{id}", "GET b.example /ö"]

    /// - Parameter calls: the most calls of an API; errors of thousands of calls are beyond any exact list.
    init(_ number: Int, calls: Int = 40, _ random: inout SeededRandom) {
        name = "session \(number)"
        var audit = AuditResult()
        var result = AccuracyResult()
        result.sources = [
            AccuracySource(id: "one", title: "One", kind: .simulated, note: "a=1"),
            AccuracySource(id: "\(name).sqlite", title: name, kind: .log, note: ""),
        ]
        var table = AccuracyTable(sources: 2)
        for (place, api) in SampleSession.apis.enumerated() where random.below(4) > 0 {
            var summary = APISummary(api: api)
            result.apis.append(api)
            result.apiCalls.append(1 + random.below(calls))
            for _ in 0..<result.apiCalls[result.apis.count - 1] {
                SampleSession.addCall(&table, result.apis.count - 1, &summary, &random)
            }
            summary.exchanges = result.apiCalls[result.apis.count - 1]
            audit.apis.append(summary)
            var host = HostSummary(host: place == 2 ? "b.example" : "a.example")
            host.costs = summary.costs
            host.connections = random.below(5)
            host.protocols = ProtocolSet(rawValue: UInt8(1 << random.below(6)))
            if !audit.hosts.contains(where: { $0.host == host.host }) { audit.hosts.append(host) }
        }
        result.exchanges = result.apiCalls.reduce(2, +)
        result.counted = result.exchanges - 2
        result.leftOut = [(reason: "gap", count: 2)]
        var log = LogSummary(source: 1, path: "\(name).sqlite", format: .dmSQLite)
        log.rows = random.below(100)
        log.ambiguous = random.below(2)
        if log.ambiguous > 0 { log.ambiguousBounds = [.up: -random.below(50)...random.below(50)] }
        log.problems = [LogProblem(what: "a problem", count: 1 + random.below(3), firstRow: 4)]
        result.logs = [log]
        (result.rows, result.totals) = table.rows(seed: 1, jobs: 1)
        SampleSession.fillCapture(&audit, name, &random)
        self.audit = audit
        self.result = result
        sums = table.sums(result.sources, result.apis)
    }

    private static func addCall(
        _ table: inout AccuracyTable, _ api: Int, _ summary: inout APISummary, _ random: inout SeededRandom
    ) {
        var costs = CostVector()
        costs[.headers] = 50 + random.below(400)
        costs[.tcpip] = 40 * (1 + random.below(3))
        summary.costs.up += costs
        let truth = DirectionTruth(costs, withLink: false, withOffload: false)
        for direction in Direction.allCases { table.count(api: api, direction, truth) }
        for source in 0..<2 {
            if random.below(9) == 0 {
                table.addUnseen(.scope, source: source, api: api, .up, truth)
                continue
            }
            var causes = CauseLedger()
            causes[.fieldsMissing] = -random.below(1 << random.below(20))
            causes[.rounding] = random.below(3)
            table.add(truth.message + causes.sum, causes, source: source, api: api, .up, truth)
        }
    }

    private static func fillCapture(_ audit: inout AuditResult, _ name: String, _ random: inout SeededRandom) {
        var file = CaptureFileSummary(path: "\(name).pcap", format: "pcap")
        file.packets = random.below(1000)
        file.first = Int64(random.below(1 << 40))
        file.last = file.first.map { $0 + Int64(random.below(1 << 30)) }
        file.dropped = random.below(6) == 0 ? nil : random.below(3)
        file.linkTypes = [LinkType(rawValue: UInt32(random.below(2) * 112 + 1))]
        file.damagedAt = random.below(5) == 0 ? 100 : nil
        audit.files = [file]
        for api in audit.apis { audit.ledger.causes += api.costs }
        audit.ledger.owned = audit.ledger.causes
        audit.ledger.layers.payload = audit.ledger.causes.up.internet
        audit.ledger.bytes = audit.ledger.layers.total
        audit.connections = random.below(9)
        audit.findings = [FindingCount(code: .streamGap, count: random.below(3), file: "x", packet: 1)]
    }

    /// The session as exact sums.
    var part: PartialResult {
        var part = PartialResult(.accuracy, choices: ["layer": ["ip"], "host": []])
        part.take(audit)
        part.take(result, sums: sums)
        part.setSession(name, content: SessionContent())
        return part
    }
}
