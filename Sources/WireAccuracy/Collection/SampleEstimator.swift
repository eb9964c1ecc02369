import WireJoin

/// The error of all calls, estimated from a log that has a random part of them. Calls are weighted by API, and failed ones apart, with
/// the capture's own counts.
struct SampleEstimator {
    private struct Stratum {
        /// All calls: number and message bytes.
        var calls = 0.0
        var bytes = 0.0
        /// Those of the sample: number, and sums of their errors and of the squares.
        var count = 0.0
        var error = 0.0
        var squares = 0.0

        var mean: Double { error / count }
        /// Sum of squares about the mean.
        var residual: Double { max(0, squares - error * error / count) }
    }

    private struct Key: Hashable, Comparable {
        var api: Int
        var isFailed: Bool

        static func < (left: Key, right: Key) -> Bool {
            (left.api, left.isFailed ? 1 : 0) < (right.api, right.isFailed ? 1 : 0)
        }
    }

    /// Half the width of a 95 % interval, in standard errors: few calls tell the variance.
    private static let width = 2.3
    /// A stratum with fewer calls does not tell its own variance.
    private static let ownLimit = 5.0

    private var strata: [Key: Stratum] = [:]

    /// A call of the capture; the error is that of its figure, nil where the log has none.
    mutating func add(api: Int, isFailed: Bool, size: Int, error: Int?) {
        let key = Key(api: api, isFailed: isFailed)
        var stratum = strata[key] ?? Stratum()
        stratum.calls += 1
        stratum.bytes += Double(size)
        if let error {
            stratum.count += 1
            stratum.error += Double(error)
            stratum.squares += Double(error) * Double(error)
        }
        strata[key] = stratum
    }

    /// Nil where too few calls are in the sample.
    var estimate: SampledError? {
        let all = strata.sorted { $0.key < $1.key }
        let known = all.map(\.value).filter { $0.count > 0 }
        let count = known.reduce(0) { $0 + $1.count }
        guard count >= Double(known.count) + 3 else { return nil }
        let pooled = known.reduce(0) { $0 + $1.residual } / (count - Double(known.count))
        let level = known.reduce(0) { $0 + $1.error } / count
        let total = max(0, known.reduce(0) { $0 + $1.squares } - count * level * level) / (count - 1)
        var (error, variance) = (0.0, 0.0)
        for (key, stratum) in all {
            if stratum.count > 0 {
                let own = stratum.residual / max(1, stratum.count - 1)
                let single = stratum.count >= SampleEstimator.ownLimit ? own : max(own, pooled)
                error += stratum.calls * stratum.mean
                variance +=
                    stratum.calls * stratum.calls * (1 - stratum.count / stratum.calls) * single / stratum.count
            } else if key.isFailed {
                // An SDK may record all that came of a failed call, or nothing.
                error -= stratum.bytes / 2
                variance += stratum.bytes * stratum.bytes / 4
            } else {
                error += stratum.calls * level
                variance += stratum.calls * stratum.calls * total
            }
        }
        let margin = SampleEstimator.width * variance.squareRoot()
        func whole(_ value: Double) -> Int { Int(clamping: Int64(nearest: value)) }
        return SampledError(
            calls: whole(all.reduce(0) { $0 + $1.value.calls }), bytes: whole(all.reduce(0) { $0 + $1.value.bytes }),
            sampled: whole(count), error: whole(error), low: whole((error - margin).rounded(.down)),
            high: whole((error + margin).rounded(.up)))
    }
}
