/// A line through points of which some are wrong.
struct RobustLine {
    /// At 0.
    var height: Double
    var slope: Double
    /// Median distance of the points from the line.
    var spread: Double
    /// By how much the slope may be off, twice its standard error.
    var slopeError: Double

    /// How much clocks usually drift; a few points that say more are not believed.
    private static let usualSlope = 1e-4

    /// Medians of the outer thirds first, then least squares over the points that are near.
    init(_ points: [(x: Double, y: Double)]) {
        let sorted = points.sorted { $0.x < $1.x }
        (height, slope, spread, slopeError) = (0, 0, 0, 1)
        guard let first = sorted.first, let last = sorted.last else { return }
        let third = max(1, sorted.count / 3)
        if sorted.count >= 6, last.x > first.x {
            let (left, right) = (sorted.prefix(third), sorted.suffix(third))
            let width = RobustLine.median(right.map(\.x)) - RobustLine.median(left.map(\.x))
            if width > 0 {
                slope = (RobustLine.median(right.map(\.y)) - RobustLine.median(left.map(\.y))) / width
            }
        }
        level(sorted)
        for _ in 0..<3 {
            let limit = max(4 * spread, 1000)
            leastSquares(sorted.filter { abs($0.y - height - slope * $0.x) <= limit })
            level(sorted)
        }
    }

    private mutating func level(_ points: [(x: Double, y: Double)]) {
        let heights = points.map { $0.y - slope * $0.x }
        height = RobustLine.median(heights)
        spread = RobustLine.median(heights.map { abs($0 - height) })
    }

    private mutating func leastSquares(_ points: [(x: Double, y: Double)]) {
        guard points.count >= 3 else {
            slope = 0
            return
        }
        let count = Double(points.count)
        let (middleX, middleY) = (points.reduce(0) { $0 + $1.x } / count, points.reduce(0) { $0 + $1.y } / count)
        var (squares, products) = (0.0, 0.0)
        for point in points {
            squares += (point.x - middleX) * (point.x - middleX)
            products += (point.x - middleX) * (point.y - middleY)
        }
        guard squares > 0 else { return }
        let found = products / squares
        let scatter = max(spread * 1.5, 1000)
        let variance = scatter * scatter / squares
        let usual = RobustLine.usualSlope * RobustLine.usualSlope
        // With few points the drift is taken as small; with many this changes nothing.
        slope = found * usual / (usual + variance)
        slopeError = 2 * variance.squareRoot()
        height = middleY - slope * middleX
    }

    static func median(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        var values = values
        let middle = values.count / 2
        let upper = RobustLine.moveSmallest(middle, to: &values)
        guard values.count % 2 == 0, let lower = values[..<middle].max() else { return upper }
        return (lower + upper) / 2
    }

    /// Reorders values so that the given number of them, none larger than the rest, comes first; returns the least of
    /// the rest. Hoare's selection: sorting all of them took a twentieth of a join.
    private static func moveSmallest(_ count: Int, to values: inout [Double]) -> Double {
        var (low, high) = (0, values.count - 1)
        while low < high {
            let (first, middle, last) = (values[low], values[low + (high - low) / 2], values[high])
            let pivot = max(min(first, middle), min(max(first, middle), last))
            var (left, right) = (low, high)
            while left <= right {
                while values[left] < pivot { left += 1 }
                while pivot < values[right] { right -= 1 }
                guard left <= right else { break }
                values.swapAt(left, right)
                left += 1
                right -= 1
            }
            if count <= right {
                high = right
            } else if count >= left {
                low = left
            } else {
                break
            }
        }
        return values[count]
    }
}
