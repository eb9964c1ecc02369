import WireStatistics

/// Calls of both sides, each as its distance from the mean of its side, in standard deviations: what they would be if
/// nothing had changed.
struct Residuals {
    let count: Int
    /// Sums of squares by cell, in bytes; the last is that of the sums of all cells.
    private(set) var squares: [Double]
    private let sides: (Int, Int)
    /// Call by call, only the cells in which calls differ.
    private var values: [Double] = []
    private var width = 0

    /// - Parameter sides: of two sides the calls, by cell.
    init(_ sides: [[[Int32]]], cells: Int) {
        self.sides = (sides[0].count, sides[1].count)
        count = sides[0].count + sides[1].count
        var columns: [[Double]] = []
        squares = []
        for cell in 0...cells {
            var column: [Double] = []
            for side in sides {
                let own = side.map { call in
                    cell < cells ? Double(call[cell]) : call.reduce(0) { $0 + Double($1) }
                }
                let mean = own.reduce(0, +) / Double(max(own.count, 1))
                column += own.map { $0 - mean }
            }
            let square = column.reduce(0) { $0 + $1 * $1 }
            squares.append(square)
            // Less is rounding of the mean.
            guard square > 1e-6 else { continue }
            let deviation = (square / Double(count)).squareRoot()
            columns.append(column.map { $0 / deviation })
        }
        width = columns.count
        values.reserveCapacity(count * width)
        for call in 0..<count { for column in columns { values.append(column[call]) } }
    }

    /// As many calls as each side has are drawn with replacement from all of them, again and again. The difference of the
    /// drawn means, in standard errors and of the cell where it is largest, that only so many draws exceed.
    func largestDifference(resamples: Int, chance: Double) -> Double {
        guard width > 0 else { return 0 }
        var random = RandomWords(seed: UInt64(truncatingIfNeeded: count &* 1_000_003 &+ width))
        let error = (1 / Double(sides.0) + 1 / Double(sides.1)).squareRoot()
        var differences: [Double] = []
        var sums = [Double](repeating: 0, count: width)
        for _ in 0..<resamples {
            for index in sums.indices { sums[index] = 0 }
            draw(sides.0, 1 / Double(sides.0), &random, &sums)
            draw(sides.1, -1 / Double(sides.1), &random, &sums)
            differences.append(sums.reduce(0) { max($0, abs($1)) } / error)
        }
        differences.sort()
        let rank = Double(resamples) * (1 - chance)
        return differences[min(max(Int(rank.rounded(.up)) - 1, 0), resamples - 1)]
    }

    private func draw(_ draws: Int, _ weight: Double, _ random: inout RandomWords, _ sums: inout [Double]) {
        for _ in 0..<draws {
            let start = random.below(count) * width
            for index in 0..<width { sums[index] += weight * values[start + index] }
        }
    }
}
