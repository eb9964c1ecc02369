import WireAccuracy
import WireRecords

extension AccuracyResult {
    /// Why a source is held against fewer calls than are compared, such as `left out: 4 ambiguous`. Nil where it is held
    /// against all of them.
    ///
    /// - Parameter row: of the source, over all APIs or for one.
    func leftOutInWords(_ row: AccuracyRow) -> String? {
        guard sources.indices.contains(row.source) else { return nil }
        let all = row.api.map { apiCalls.indices.contains($0) ? apiCalls[$0] : 0 } ?? counted
        let left = clampedDifference(all, row.coverage.calls)
        guard left > 0 else { return nil }
        let own = logs.filter { $0.source == row.source }
        let known = [
            (own.contains { $0.ambiguous > 0 }, "ambiguous"), (sources[row.source].lacksFigures, "without a figure"),
            (own.contains { $0.exchangesForeign > 0 }, "of hosts that the log never names"),
        ]
        let reasons = known.filter(\.0).map(\.1)
        return "left out: \(grouped(left)) \(reasons.isEmpty ? "without a figure" : reasons.joined(separator: " or "))"
    }

    /// The calls that a source is held against, and what is left out: `470 calls (left out: 4 ambiguous)`.
    func callsInWords(_ row: AccuracyRow) -> String {
        WireRecords.counted(row.coverage.calls, "call") + (leftOutInWords(row).map { " (\($0))" } ?? "")
    }
}
