import WireCore
import WireEstimates
import WireRecords

/// For the audit at a terminal: how far each simulated estimator's sums are from the messages. Where it has no figure for
/// some calls, their number is told instead of an error.
func estimateLines(_ result: AuditResult, _ estimates: AuditEstimates?, _ style: TerminalStyle) -> [String] {
    guard let estimates, !estimates.estimators.isEmpty else { return [] }
    let width = estimates.estimators.map { style.safe($0.id).count }.max() ?? 0
    var lines = [style.paint("ESTIMATES, SIMULATED", .heading)]
    for (index, estimator) in estimates.estimators.enumerated() {
        var up = AuditEstimates.Sum()
        var down = AuditEstimates.Sum()
        var messages = Directions(up: 0, down: 0)
        for row in result.apis {
            let sums = estimates.apis[row.api]?[index] ?? AuditEstimates.Sums()
            up.calls += sums.up.calls
            up.total &+= sums.up.total
            down.calls += sums.down.calls
            down.total &+= sums.down.total
            messages.up += row.costs.up.message
            messages.down += row.costs.down.message
        }
        let id = style.safe(estimator.id)
        lines.append(
            "  " + id + String(repeating: " ", count: width - id.count)
                + "  requests \(errorOfSum(up, messages.up, result.exchanges))"
                + "  responses \(errorOfSum(down, messages.down, result.exchanges))")
    }
    return lines + ["  in % of all messages; by API, against the wire and by cause: wireaudit accuracy"]
}

private func errorOfSum(_ sum: AuditEstimates.Sum, _ message: Int, _ calls: Int) -> String {
    guard sum.calls == calls, message > 0 else { return "\(grouped(sum.calls)) of \(counted(calls, "call"))" }
    let error = Double(sum.total &- message) / Double(message) * 100
    let tenths = Int(min(abs(error) * 10, 1e15).rounded())
    let shown = (sum.total < message ? "-" : sum.total > message ? "+" : "") + "\(tenths / 10).\(tenths % 10) %"
    return String(repeating: " ", count: max(0, 10 - shown.count)) + shown
}
