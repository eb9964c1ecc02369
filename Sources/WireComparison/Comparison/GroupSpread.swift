/// How the means of groups of calls spread around the means of their sides: calls of one connection, or of one client, may
/// have in common what others do not, such as a cookie. Then many calls tell no more than few groups do.
struct GroupSpread {
    /// Sums of squared distances by column, bytes².
    private(set) var squares: [Double]
    /// Groups without one for each side.
    private(set) var freedom: Double
    /// By this the variance of group means makes the variance of the difference of the sides' means.
    let share: Double

    init<Group: Hashable>(_ sides: [[SampledCall]], columns: Int, by group: (SampledCall) -> Group) {
        squares = Array(repeating: 0, count: columns)
        freedom = 0
        var share = 0.0
        for side in sides where !side.isEmpty {
            let groups = Dictionary(grouping: side, by: group)
            let means = columnMeans(side, columns)
            for calls in groups.values {
                let own = columnMeans(calls, columns)
                for column in 0..<columns {
                    let distance = own[column] - means[column]
                    squares[column] += distance * distance
                }
                let part = Double(calls.count) / Double(side.count)
                share += part * part
            }
            freedom += Double(groups.count - 1)
        }
        self.share = share
    }

    /// Squared standard error of the difference of the sides' means; nil with too few groups.
    func variance(_ column: Int) -> Double? { freedom >= 2 ? squares[column] / freedom * share : nil }

    /// Takes the spread of another API's groups in.
    mutating func pool(_ other: GroupSpread) {
        for column in squares.indices { squares[column] += other.squares[column] }
        freedom += other.freedom
    }
}

/// Means of the calls by cell; behind them that of their sums.
private func columnMeans(_ calls: [SampledCall], _ columns: Int) -> [Double] {
    var sums = [Double](repeating: 0, count: columns)
    for call in calls {
        for (column, value) in call.values.enumerated() {
            sums[column] += Double(value)
            sums[columns - 1] += Double(value)
        }
    }
    return sums.map { $0 / Double(max(calls.count, 1)) }
}
