import WireTesting

@testable import WireCore

/// An audit with a trace, and whether the two agree.
struct TracedAudit {
    private final class Sink: AuditSink {
        var exchanges: [ExchangeRecord] = []
        func receive(_ record: ExchangeRecord) { exchanges.append(record) }
        func receive(_ record: ConnectionRecord) {}
    }

    let trace: ClaimTrace
    let result: AuditResult
    let exchanges: [ExchangeRecord]

    /// With `keysBefore` the keys come only in front of the frame of that index.
    init(
        _ frames: [CapturedFrame], keys: String = "", keysBefore: Int? = nil, limit: Int = ClaimTrace.standardLimit
    ) {
        let log = KeyLog()
        log.mayGrow = keysBefore != nil
        log.wasGiven = true
        let lines = Array(keys.utf8)
        if keysBefore == nil { unsafe log.add(lines.span.bytes) }
        let sink = Sink()
        let trace = ClaimTrace(limit: limit)
        var options = AuditOptions()
        options.setup = .separate
        var auditor = Auditor(options: options, sink: sink, keys: log)
        auditor.begin(trace)
        let file = auditor.addFile(CaptureFileSummary(path: "test.pcap", format: "pcap"))
        for (index, frame) in frames.enumerated() {
            if index == keysBefore {
                unsafe log.add(lines.span.bytes)
                auditor.resumeAwaited(at: frame.time)
            }
            unsafe auditor.consume(frame.facts(number: index + 1), frame.bytes.span.bytes, file: file, noting: trace)
        }
        result = auditor.finish()
        self.trace = trace
        exchanges = sink.exchanges
    }

    /// Bytes by frame, direction, cause and call.
    var claims: [String: Int] {
        var sums: [String: Int] = [:]
        for claim in trace.claims where claim.bytes > 0 {
            let call = trace.owners[Int(claim.owner)].exchange.map { String($0) } ?? "-"
            sums["\(claim.frame) \(claim.direction) \(claim.cause.name) \(call)", default: 0] += claim.bytes
        }
        return sums
    }

    /// What the trace says otherwise than the audit.
    var contradictions: [String] {
        var problems: [String] = result.ledger.balanced ? [] : ["not balanced"]
        var frames = [Int](repeating: 0, count: trace.parts.count + 1)
        var causes = Directions<CostVector>()
        var calls: [String: Int] = [:]
        for claim in trace.claims {
            let owner = trace.owners[Int(claim.owner)]
            let connection = trace.connections[Int(owner.connection)]
            frames[Int(claim.frame)] += claim.bytes
            if Int(claim.direction) == connection.client {
                causes.up[claim.cause] += claim.bytes
            } else {
                causes.down[claim.cause] += claim.bytes
            }
            if let exchange = owner.exchange {
                calls["\(connection.number)/\(exchange)", default: 0] += claim.bytes
            }
        }
        for (index, parts) in trace.parts.enumerated() {
            let expected = parts.other == nil && parts.kind == nil ? Int(parts.internet) : 0
            let sum = frames[index + 1]
            if sum != expected { problems.append("frame \(index + 1): \(sum) of \(expected)") }
        }
        for cause in Cause.allCases {
            let (ledger, sums) = (result.ledger.causes, causes)
            if ledger.up[cause] != sums.up[cause] || ledger.down[cause] != sums.down[cause] {
                problems.append("\(cause): \(sums.up[cause]), \(sums.down[cause])")
            }
        }
        for record in exchanges {
            let wire = record.costs.up.internet + record.costs.down.internet
            let sum = calls.removeValue(forKey: "\(record.connection)/\(record.exchange)") ?? 0
            if sum != wire { problems.append("call \(record.connection)/\(record.exchange): \(sum) of \(wire)") }
        }
        problems += calls.filter { $0.value > 0 }.map { "no call \($0.key)" }
        return problems
    }
}
