import WireAccuracy
import WireLogs
import WireRecords

/// The APIs that a source is farthest off at to either side, where its error in total hides that.
struct APIRange {
    struct End {
        /// Index in `AccuracyResult.apis`.
        var api: Int
        var error: Int
        var truth: Int
        fileprivate var share: Double

        var percent: String { signedPercent(error, of: truth) ?? "" }
    }

    let low: End
    let high: End
    /// An API counts with a hundredth of all bytes that APIs have wrong: percentages of small ones say little.
    private static let leastShare = 0.01

    /// Nil where no API is much farther off than the total: by less than twice its percentage and one percent more.
    init?(_ index: AccuracyIndex, _ source: Int, _ direction: Direction) {
        guard let total = index.total(source, direction)?.message.relativeBias else { return nil }
        let ends = index.apis.compactMap { api -> End? in
            guard let message = index.row(source, api, direction)?.message, let share = message.relativeBias,
                message.truthTotal > 0
            else { return nil }
            return End(api: api, error: message.errorTotal, truth: message.truthTotal, share: share)
        }
        let wrong = ends.reduce(0.0) { $0 + Double($1.error.magnitude) }
        let heavy = sorted(ends.filter { Double($0.error.magnitude) >= wrong * APIRange.leastShare }) {
            (Int(clamping: $0.error.magnitude), index.result.apis[$0.api])
        }
        guard heavy.count > 1, let low = heavy.min(by: { $0.share < $1.share }),
            let high = heavy.max(by: { $0.share < $1.share }), low.share < high.share,
            max(abs(low.share), abs(high.share)) >= 2 * abs(total) + 0.01
        else { return nil }
        (self.low, self.high) = (low, high)
    }

    /// - Parameter subject: what the error is of; nil where that was said.
    func sentence(of subject: String? = nil, _ result: AccuracyResult) -> ReportText {
        """
        By API the error \(subject.map { "of \($0) " } ?? "")lies between \(low.percent) (\(name: result.apis[low.api])) and \
        \(high.percent) (\(name: result.apis[high.api])).
        """
    }
}
