import Testing

@testable import WireJoin
@testable import WireLogs

/// Logs whose rows have fine beginnings, and ends as dates without fractions.
@Suite("Ends in whole seconds beside finer beginnings")
struct CoarseEndTests {
    /// - Parameter phase: where in its second the session begins, milliseconds.
    private static func scene(phase: Double) -> SmallLog {
        var scene = SmallLog(resolution: 10_000_000)
        for (index, start) in [0.0, 640, 1730, 2410, 3890].enumerated() {
            let (start, end) = (start + phase, start + phase + 60 + Double(index) * 25)
            scene.call("/calls/\(index)", start, end)
            scene.row(.exchange, "/calls/\(index)", ((start - 4) / 10).rounded(.down) * 10, status: 200) {
                $0.end = SmallLog.time((end / 1000).rounded(.down) * 1000)
            }
        }
        return scene
    }

    @Test("a few calls find their rows, wherever in a second the session begins", arguments: 0..<20)
    func phases(twentieth: Int) {
        let matching = Self.scene(phase: Double(twentieth) * 50 + 7).matching
        #expect(matching.fates.map { $0 } == Array(repeating: .matched, count: 5))
        #expect(matching.exchanges.map { $0 } == [0, 1, 2, 3, 4])
    }

    @Test("the times that are coarse are told by all rows of whole exchanges")
    func channels() {
        var scene = Self.scene(phase: 7)
        #expect(TimeChannel.coarse(in: scene.log.rows) == .exchangeEnd)
        scene.log.rows[2].end += 1
        #expect(TimeChannel.coarse(in: scene.log.rows) == nil)
        #expect(TimeChannel.coarse(in: []) == nil)
    }
}
