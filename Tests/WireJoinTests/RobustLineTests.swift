import Testing

@testable import WireJoin

@Suite("Medians of clock differences")
struct RobustLineTests {
    /// What sorting tells.
    private func sortedMedian(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    @Test("the median is the middle value, or the mean of the two in the middle, in any order and with equal values")
    func medians() {
        let cases: [[Double]] = [
            [], [7], [2, 1], [1, 2], [3, 1, 2], [4, 1, 3, 2], [5, 5, 5, 5], [1, 1, 2, 2], [2, 2, 1, 1, 1],
            [-3, 0, 9e18, -9e18], (0..<100).map(Double.init), (0..<101).reversed().map(Double.init),
        ]
        for values in cases { #expect(RobustLine.median(values) == sortedMedian(values), "\(values.prefix(6))…") }
    }

    @Test("values of any number and spread have the median that sorting tells", arguments: [1, 3, 1000, Int.max])
    func random(distinct: Int) {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        for count in 1...200 {
            let values = (0..<count).map { _ -> Double in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Double(Int(state >> 33) % distinct) - 500
            }
            #expect(RobustLine.median(values) == sortedMedian(values), "\(count) values")
        }
    }
}
