/// Calls whose errors are the same, or lie in the same bucket.
struct ErrorGroup: Equatable {
    /// The error or, with buckets, the number of its bucket. Groups of opposite keys have the same |error|.
    var key: Int
    /// Sum of the errors.
    var sum: Int128
    var count: Int

    var mean: Double { Double(sum) / Double(count) }
}

extension ErrorAccumulator {
    /// The statistics of all calls so far.
    ///
    /// A quantile is the |error| of nearest rank: of n values in ascending order the p-th percentile is the one at
    /// place ⌈n·p/100⌉, always one that occurred. The median is the 50th percentile, so of an even number the smaller
    /// of the two in the middle. With buckets it is the mean |error| of the bucket in which that value lies.
    ///
    /// Quantiles of the signed error are found the same way.
    ///
    /// The interval of the bias is that of `BiasBootstrap`; equal seeds give equal intervals.
    public func statistics(seed: UInt64) -> ErrorStatistics {
        var statistics = ErrorStatistics()
        guard !isEmpty else { return statistics }
        let groups = groups
        let count = groups.reduce(0) { $0 &+ $1.count }
        statistics.count = count
        statistics.truthTotal = Int(clamping: truthTotal)
        statistics.estimateTotal = Int(clamping: estimateTotal)
        statistics.bias = Double(estimateTotal &- truthTotal) / Double(count)
        let absolute = groups.reduce(UInt128(0)) { $0 &+ $1.sum.magnitude }
        statistics.meanAbsolute = Double(absolute) / Double(count)
        statistics.rootMeanSquare = (squares.value / Double(count)).squareRoot()
        if let range {
            statistics.maximum = Int(clamping: max(range.lowerBound.magnitude, range.upperBound.magnitude))
            (statistics.signed.minimum, statistics.signed.maximum) = (range.lowerBound, range.upperBound)
        }
        statistics.isApproximate = buckets != nil
        statistics.quantileError = buckets.map { 1 / Double(1 << $0.bits) } ?? 0
        setQuantiles(of: &statistics, groups)
        setSignedQuantiles(of: &statistics, groups)
        (statistics.biasLow, statistics.biasHigh) =
            BiasBootstrap(groups, count: count, bias: statistics.bias).interval(seed: seed)
        return statistics
    }

    /// In ascending order of errors.
    private var groups: [ErrorGroup] {
        if let buckets {
            return buckets.buckets.map { ErrorGroup(key: Int($0.key), sum: $0.sum, count: $0.count) }
        }
        return entries.map { ErrorGroup(key: $0.key, sum: Int128($0.key) * Int128($0.count), count: $0.count) }
    }

    private var squares: SquareSum {
        if let buckets { return buckets.squares }
        var squares = SquareSum()
        for entry in entries { squares.add(entry.key, count: entry.count) }
        return squares
    }

    /// The smallest and the largest error; nil without calls.
    private var range: ClosedRange<Int>? {
        if let buckets { return buckets.range }
        guard let first = entries.first?.key, let last = entries.last?.key else { return nil }
        return first...last
    }
}

private func setQuantiles(of statistics: inout ErrorStatistics, _ groups: [ErrorGroup]) {
    let ranks = [500, 900, 990].map { nearestRank($0, of: statistics.count) }
    var values = [0.0, 0, 0]
    var next = 0
    var seen = 0
    forEachMagnitude(groups) { magnitude, count in
        seen &+= count
        while next < ranks.count, ranks[next] <= seen {
            values[next] = magnitude
            next += 1
        }
    }
    statistics.p50 = values[0]
    statistics.medianAbsolute = values[0]
    statistics.p90 = values[1]
    statistics.p99 = values[2]
}

/// The same of the errors with their signs; groups ascend.
private func setSignedQuantiles(of statistics: inout ErrorStatistics, _ groups: [ErrorGroup]) {
    let shares = SignedQuantiles.shares
    let ranks = shares.map { nearestRank($0.permille, of: statistics.count) }
    var next = 0
    var seen = 0
    for group in groups {
        seen &+= group.count
        while next < ranks.count, ranks[next] <= seen {
            statistics.signed[keyPath: shares[next].value] = group.mean
            next += 1
        }
    }
}

/// ⌈count·permille/1000⌉
private func nearestRank(_ permille: Int, of count: Int) -> Int {
    Int(clamping: (Int128(count) * Int128(permille) + 999) / 1000)
}

/// Gives each |error| in ascending order with its count.
private func forEachMagnitude(_ groups: [ErrorGroup], _ body: (Double, Int) -> Void) {
    var right = groups.firstIndex { $0.key >= 0 } ?? groups.count
    var left = right - 1
    while left >= 0 || right < groups.count {
        let leftKey = left >= 0 ? groups[left].key.magnitude : .max
        let rightKey = right < groups.count ? groups[right].key.magnitude : .max
        var sum: UInt128 = 0
        var count = 0
        if leftKey <= rightKey {
            sum &+= groups[left].sum.magnitude
            count &+= groups[left].count
            left -= 1
        }
        if rightKey <= leftKey {
            sum &+= groups[right].sum.magnitude
            count &+= groups[right].count
            right += 1
        }
        body(Double(sum) / Double(count), count)
    }
}
