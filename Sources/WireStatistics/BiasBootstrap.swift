/// The 95 % bootstrap interval of the mean signed error.
///
/// 1,000 times as many errors as there are calls are drawn with replacement; of the 1,000 means in ascending order the
/// 25th and the 975th are the interval (percentile method, nearest rank). With equal errors only, such as those of one
/// call, it is that error.
///
/// Few calls are drawn one by one. Of many calls it is drawn how often each error occurs: the counts follow a
/// multinomial distribution, and a tree of binomial draws makes them, so the cost does not grow with the calls. More
/// than 32 different errors of many calls are first joined to 32 groups, each with its mean; deviations are stretched
/// so that the variance stays what it was.
struct BiasBootstrap {
    static let resamples = 1000
    private static let groupLimit = 32
    /// Up to so many draws cost less than the tree.
    private static let drawsPerGroup = 32

    /// In ascending order: how far the group's mean is from the bias.
    private let groups: [(deviation: Double, count: Int)]
    private let count: Int
    private let bias: Double

    init(_ groups: [ErrorGroup], count: Int, bias: Double) {
        self.groups = groups.map { (deviation: $0.mean - bias, count: $0.count) }
        self.count = count
        self.bias = bias
    }

    func interval(seed: UInt64) -> (low: Double, high: Double) {
        guard groups.count > 1 else { return (bias, bias) }
        let rank = BiasBootstrap.resamples / 40
        var lowest = SmallestValues(count: rank)
        var highest = SmallestValues(count: rank + 1)
        resample(seed: seed) { sum in
            lowest.add(sum)
            highest.add(-sum)
        }
        let calls = Double(count)
        return (bias + lowest.largest / calls, bias - highest.largest / calls)
    }

    /// Gives the sum of deviations of each resample.
    private func resample(seed: UInt64, _ body: (Double) -> Void) {
        var random = RandomWords(seed: seed)
        if count <= BiasBootstrap.drawsPerGroup * min(groups.count, BiasBootstrap.groupLimit) {
            let calls = groups.flatMap { Array(repeating: $0.deviation, count: $0.count) }
            for _ in 0..<BiasBootstrap.resamples { body(sum(of: calls, &random)) }
        } else {
            let tree = MultinomialTree(joined(groups, to: BiasBootstrap.groupLimit))
            for _ in 0..<BiasBootstrap.resamples { body(tree.sum(draws: count, &random)) }
        }
    }

    /// As many draws as there are calls. Two sums, so that additions need not wait for one another.
    private func sum(of calls: [Double], _ random: inout RandomWords) -> Double {
        var (first, second) = (0.0, 0.0)
        for _ in 0..<calls.count / 2 {
            let (left, right) = random.twoBelow(calls.count)
            first += calls[left]
            second += calls[right]
        }
        return calls.count % 2 == 0 ? first + second : first + second + calls[random.below(calls.count)]
    }
}

/// The smallest of many values, in ascending order.
private struct SmallestValues {
    private var values: [Double]
    private let limit: Int

    init(count: Int) {
        limit = count
        values = []
        values.reserveCapacity(count + 1)
    }

    var largest: Double { values.last ?? 0 }

    mutating func add(_ value: Double) {
        if values.count == limit, value >= largest { return }
        var index = values.count
        while index > 0, values[index - 1] > value { index -= 1 }
        values.insert(value, at: index)
        if values.count > limit { values.removeLast() }
    }
}

/// Joins neighbours until there are `limit` groups: again and again the one with the largest inner sum of squares is
/// split at its mean.
private func joined(_ groups: [(deviation: Double, count: Int)], to limit: Int) -> [(deviation: Double, count: Int)] {
    guard groups.count > limit else { return groups }
    let sums = RunningSums(groups)
    var parts = [0..<groups.count]
    var squares = [sums.innerSquares(parts[0])]
    let allSquares = squares[0]
    while parts.count < limit {
        guard let widest = squares.indices.max(by: { squares[$0] < squares[$1] }), squares[widest] > 0 else { break }
        let part = parts[widest]
        let mean = sums.mean(part)
        var middle = part.lowerBound + 1
        while middle < part.upperBound - 1, groups[middle].deviation < mean { middle += 1 }
        parts[widest] = part.lowerBound..<middle
        squares[widest] = sums.innerSquares(parts[widest])
        parts.append(middle..<part.upperBound)
        squares.append(sums.innerSquares(middle..<part.upperBound))
    }
    let kept = allSquares - squares.reduce(0) { $0 + max($1, 0) }
    let stretch = kept > 0 ? (allSquares / kept).squareRoot() : 1
    return parts.sorted { $0.lowerBound < $1.lowerBound }.map { part in
        (deviation: sums.mean(part) * stretch, count: part.reduce(0) { $0 &+ groups[$1].count })
    }
}

/// Sums over runs of neighbouring groups.
private struct RunningSums {
    private var counts = [0.0]
    private var sums = [0.0]
    private var squares = [0.0]

    init(_ groups: [(deviation: Double, count: Int)]) {
        for (index, group) in groups.enumerated() {
            let count = Double(group.count)
            counts.append(counts[index] + count)
            sums.append(sums[index] + group.deviation * count)
            squares.append(squares[index] + group.deviation * group.deviation * count)
        }
    }

    func mean(_ part: Range<Int>) -> Double {
        (sums[part.upperBound] - sums[part.lowerBound]) / (counts[part.upperBound] - counts[part.lowerBound])
    }

    /// Sum of squared distances from the mean; 0 for one group.
    func innerSquares(_ part: Range<Int>) -> Double {
        guard part.count > 1 else { return 0 }
        let sum = sums[part.upperBound] - sums[part.lowerBound]
        let square = squares[part.upperBound] - squares[part.lowerBound]
        return square - sum * sum / (counts[part.upperBound] - counts[part.lowerBound])
    }
}
