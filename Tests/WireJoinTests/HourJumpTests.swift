import Testing

@testable import WireJoin
@testable import WireLogs

@Suite("Logs whose clock jumps by an hour")
struct HourJumpTests {
    private static let hour: Int64 = 3_600_000_000_000

    /// Rows from `place` on, or before it, are an hour off.
    private func scene(_ place: Int, isBefore: Bool, by shift: Int64) -> SmallLog {
        var scene = SmallLog()
        scene.addUsual(60)
        for row in scene.log.rows.indices where (row < place) == isBefore { scene.log.rows[row].time += shift }
        return scene
    }

    @Test("the rows on one side are joined all the same, and said to be off")
    func joined() {
        for place in [20, 61, 100] {
            for (isBefore, shift) in [(false, Self.hour), (false, -Self.hour), (true, Self.hour), (true, -Self.hour)] {
                let matching = scene(place, isBefore: isBefore, by: shift).matching
                #expect(matching.fates.allSatisfy { $0 == .matched }, "\(place) \(isBefore) \(shift)")
                #expect(
                    matching.exchanges.enumerated().allSatisfy { Int($1) == $0 / 2 }, "\(place) \(isBefore) \(shift)")
                #expect(matching.jump != nil)
            }
        }
    }

    @Test("a log that goes on for longer than the capture has no jump")
    func longLog() {
        var scene = scene(0, isBefore: true, by: 0)
        for index in 0..<120 {
            scene.row(.request, "/usual/\(index % 4)", 100_000 + Double(index) * 60_000)
        }
        let matching = scene.matching
        #expect(matching.jump == nil)
        #expect(matching.fates.count { $0 == .matched } == 120)
    }

    @Test("rows that are off by another time than an hour are not moved")
    func other() {
        let matching = scene(60, isBefore: false, by: Self.hour / 2).matching
        #expect(matching.jump == nil)
    }

    @Test("some rows without exchange among others are no jump: it would move no row")
    func scattered() {
        var scene = scene(0, isBefore: true, by: 0)
        for index in 0..<10 { scene.row(.request, "/gone", 5_500 + Double(index) * 5_000) }
        scene.log.rows.sort { $0.time < $1.time }
        #expect(scene.matching.jump == nil)
        #expect(scene.matching.fates.count { $0 == .matched } == 120)
    }
}
