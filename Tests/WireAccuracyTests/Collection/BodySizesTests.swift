import Testing
import WireEstimates

@testable import WireAccuracy
@testable import WireJoin
@testable import WireLogs

@Suite("Sizes of bodies that tell exchanges apart")
struct BodySizesTests {
    /// Costs of pairs, each of a row and a difference of sizes; figures that differ cost 2,000 already.
    private func costs(_ pairs: [(row: Int32, difference: Int?)], _ direction: Direction = .up) -> [Int32?] {
        var bodies = BodySizes()
        var costs: [Int32?] = []
        for (place, pair) in pairs.enumerated() {
            let misfit = FigureMisfit(cost: pair.difference == 0 ? 0 : 2000, bodyDifference: pair.difference)
            bodies.add(place, pair.row, direction, misfit)
            costs.append(misfit.cost)
        }
        bodies.add(to: &costs)
        return costs
    }

    @Test("a size that one exchange has is not another's by chance")
    func given() {
        // ln 2 and ln 1,953.
        #expect(costs([(7, 0), (7, 1), (7, -1952)]) == [0, 2693, 9577])
    }

    @Test("a size that no exchange has tells nothing, nor does one that another row has")
    func unknown() {
        #expect(costs([(7, 5), (7, 1952)]) == [2000, 2000])
        #expect(costs([(7, 5), (8, 0)]) == [2000, 0])
    }

    @Test("a row or an exchange without a body tells nothing")
    func bodiless() {
        #expect(costs([(7, nil), (7, 0)]) == [2000, 0])
        #expect(costs([(7, nil), (7, 1)]) == [2000, 2000])
    }

    @Test("requests tell nothing of responses")
    func directions() {
        var bodies = BodySizes()
        bodies.add(0, 7, .up, FigureMisfit(bodyDifference: 0))
        bodies.add(1, 7, .down, FigureMisfit(cost: 6000, bodyDifference: 40))
        var costs: [Int32?] = [0, 6000]
        bodies.add(to: &costs)
        #expect(costs == [0, 6000])
    }
}
