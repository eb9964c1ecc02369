import Testing

@testable import WireAccuracy
@testable import WireComparison

@Suite("Outliers of a fleet")
struct FleetOutlierTests {
    /// Sessions with an error each and the values of two labels.
    private func fleet(_ sessions: [(error: Double, build: String, device: String)], source: String = "log:har")
        -> FleetResult
    {
        var fleet = FleetResult(labels: ["build", "device"])
        for (number, own) in sessions.enumerated() {
            var session = FleetSession(name: "s\(number)")
            session.labels = [("build", own.build), ("device", own.device)]
            var row = FleetRow(session)
            row.errors[CallKey(source: source, api: nil, direction: .up)] = own.error
            fleet.take(failed: row)
        }
        return fleet
    }

    /// Errors that scatter by a thousandth.
    private func calm(_ count: Int, around error: Double, _ build: String, _ device: String = "a")
        -> [(error: Double, build: String, device: String)]
    {
        (0..<count).map { (error + Double($0 % 5 - 2) / 2000, build, device) }
    }

    @Test("are sessions far from those with the same labels, not builds with another error")
    func withinGroups() {
        #expect(fleet(calm(150, around: -0.3, "1") + calm(150, around: 0.1, "2")).outliers.isEmpty)
        let one = fleet(calm(150, around: -0.3, "1") + [(-0.3, "2", "a")] + calm(30, around: 0.1, "2")).outliers
        #expect(one.map(\.session) == ["s150"])
        #expect(one.first?.group == ["2", "a"] && abs((one.first?.median ?? 0) - 0.1) < 0.001)
    }

    @Test("of labels that few sessions share are compared with those that share the first one")
    func fewAlike() {
        let devices = (0..<30).flatMap { calm(1, around: 0.1, "1", "device \($0)") }
        let outliers = fleet(devices + [(0.4, "1", "mine")]).outliers
        #expect(outliers.map(\.session) == ["s30"] && outliers.first?.group == ["1"])
        // Nothing is known of a build with a few sessions.
        #expect(fleet(calm(30, around: 0.1, "1") + [(0.4, "2", "a")]).outliers.isEmpty)
    }

    @Test("are few: where more than one session in ten is far away, there are several kinds of sessions")
    func mixture() {
        func mixed(_ others: Int) -> Int {
            fleet(calm(100 - others, around: 0, "1") + calm(others, around: 0.5, "1")).outliers.count
        }
        #expect(mixed(10) == 10)
        #expect(mixed(11) == 0)
    }

    @Test("are none of what estimators make of the traffic")
    func measured() {
        let sessions = calm(30, around: 0.1, "1") + [(0.9, "1", "a")]
        #expect(fleet(sessions).outliers.count == 1)
        #expect(fleet(sessions, source: "okhttp").outliers.isEmpty)
    }
}
