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
        let hasAmbiguous = logs.contains { $0.source == row.source && $0.ambiguous > 0 }
        let reason =
            switch (hasAmbiguous, sources[row.source].lacksFigures) {
            case (true, false): "ambiguous"
            case (true, true): "ambiguous or without a figure"
            case (false, _): "without a figure"
            }
        return "left out: \(grouped(left)) \(reason)"
    }

    /// The calls that a source is held against, and what is left out: `470 calls (left out: 4 ambiguous)`.
    func callsInWords(_ row: AccuracyRow) -> String {
        WireRecords.counted(row.coverage.calls, "call") + (leftOutInWords(row).map { " (\($0))" } ?? "")
    }
}
