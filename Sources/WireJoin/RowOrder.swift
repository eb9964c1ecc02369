/// When the rows of a log without times were written, as far as their order tells: between the events of the rows
/// around them whose exchanges are known.
struct RowOrder {
    struct Point {
        /// Index of a row in the log.
        var row: Int32
        /// Of its exchange, nanoseconds.
        var time: Int64
    }

    /// Ascending in both.
    let anchors: [Point]
    /// Of so many of the points given, rows and times ascend together.
    let share: Double
    /// Half of the anchors lie within so much of where their neighbours put them.
    let spread: Int64

    /// - Parameter points: at most one for each row.
    init(_ points: [Point]) {
        let sorted = points.sorted { $0.row < $1.row }
        anchors = RowOrder.longestAscending(sorted)
        share = sorted.isEmpty ? 0 : Double(anchors.count) / Double(sorted.count)
        var misses: [Int64] = []
        for place in anchors.indices.dropFirst().dropLast() {
            let between = RowOrder.between(anchors[place - 1], anchors[place + 1], anchors[place].row)
            misses.append(anchors[place].time.distance(from: between))
        }
        spread = misses.isEmpty ? 0 : misses.sorted()[misses.count / 2]
    }

    /// So few points, or points in such disorder, are no order.
    var isOrder: Bool { anchors.count >= 4 && share >= 0.6 }

    /// When a row was written, told by other rows alone.
    func time(of row: Int32) -> Int64 {
        var (low, high) = (0, anchors.count)
        while low < high {
            let middle = (low + high) / 2
            if anchors[middle].row < row { low = middle + 1 } else { high = middle }
        }
        let isAnchor = low < anchors.count && anchors[low].row == row
        let (before, after) = (low - 1, isAnchor ? low + 1 : low)
        guard before >= 0 else { return anchors[min(after, anchors.count - 1)].time }
        guard after < anchors.count else { return anchors[before].time }
        return RowOrder.between(anchors[before], anchors[after], row)
    }

    private static func between(_ left: Point, _ right: Point, _ row: Int32) -> Int64 {
        let part = Double(row - left.row) / Double(max(1, right.row - left.row))
        return left.time.saturatingAdd(Int64(nearest: part * Double(right.time.saturatingSubtract(left.time))))
    }

    /// The longest part, in order, in which times do not go back.
    private static func longestAscending(_ points: [Point]) -> [Point] {
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: points.count)
        for (index, point) in points.enumerated() {
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if points[tails[middle]].time <= point.time { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? tails[low - 1] : -1
            if low < tails.count { tails[low] = index } else { tails.append(index) }
        }
        var found: [Point] = []
        var next = tails.last ?? -1
        while next >= 0 {
            found.append(points[next])
            next = previous[next]
        }
        return found.reversed()
    }
}
