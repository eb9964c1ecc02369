import Testing
import WireTesting

@testable import WireAccuracy
@testable import WireComparison
@testable import WireCore
@testable import WireRecords
@testable import WireReport
@testable import WireStatistics

@Suite("Verdict of a fleet")
struct FleetVerdictTests {
    private static let apis = ["GET shop.example /list", "POST shop.example /orders"]

    /// Two builds; requests of the second have more bytes in the second API, and its log counts more in both.
    private func report(message: Int = 0, error: Int = 0, sessions: Int = 80, encrypted: Int = 0) throws -> FleetReport
    {
        var random = SeededRandom(seed: 11)
        var fleet = FleetResult(labels: ["build"])
        for number in 0..<sessions {
            var session = FleetSession(name: "s\(number)")
            let isNew = number % 2 == 1
            session.labels = [("build", isNew ? "2.1" : "2.0")]
            var part = PartialResult(.accuracy, choices: [:])
            var all = (packets: CallSums(), log: CallSums())
            for (place, api) in Self.apis.enumerated() {
                var own = (packets: CallSums(), log: CallSums())
                for _ in 0..<8 {
                    let truth = 400 + random.below(20) + (isNew && place == 1 ? message : 0)
                    for path in [\(packets: CallSums, log: CallSums).packets, \.log] {
                        own[keyPath: path].coverage.calls += 1
                        own[keyPath: path].coverage.messageBytes += truth
                        own[keyPath: path].coverage.wireBytes += truth + 40
                        all[keyPath: path].coverage.calls += 1
                        all[keyPath: path].coverage.messageBytes += truth
                        all[keyPath: path].coverage.wireBytes += truth + 40
                    }
                    let estimate = truth - 30 + (isNew ? error : 0)
                    own.log.message.add(estimate: estimate, truth: truth)
                    all.log.message.add(estimate: estimate, truth: truth)
                }
                part.calls[CallKey(source: CallKey.packets, api: api, direction: .up)] = own.packets
                part.calls[CallKey(source: "log:har", api: api, direction: .up)] = own.log
            }
            part.calls[CallKey(source: CallKey.packets, api: nil, direction: .up)] = all.packets
            part.calls[CallKey(source: "log:har", api: nil, direction: .up)] = all.log
            var audit = AuditResult()
            audit.ledger.bytes = 1000
            if encrypted > 0 {
                var api = APISummary(api: "https://shop.example (encrypted)")
                api.isEncrypted = true
                api.costs.up[.opaque] = encrypted
                audit.apis = [api]
            }
            part.take(audit)
            part.setSession(session.name, content: SessionContent())
            try fleet.take(FleetRow(session), part)
        }
        return FleetReport(fleet, options: ReportOptions())
    }

    @Test("says first what a build costs more, and in which API")
    func cost() throws {
        let verdict = try report(message: 60).verdict
        #expect(verdict.hasPrefix("Build 2.1 sends "))
        #expect(verdict.contains(" %) more per call than 2.0, mostly in POST shop.example /orders."), "\(verdict)")
        #expect(verdict.hasSuffix("80 sessions audited."), "\(verdict)")
    }

    @Test("says what a log counts more, with both errors")
    func error() throws {
        let verdict = try report(error: 25).verdict
        let expected =
            "Build 2.1 counts 25 B more per call of requests than 2.0 in log:har, mostly in GET shop.example /list: "
        #expect(verdict.hasPrefix(expected), "\(verdict)")
    }

    @Test("names the share of the bytes whose calls are in no figure")
    func base() throws {
        let verdict = try report(message: 60, encrypted: 250).verdict
        let base = "80 sessions audited, without the calls in 25.0 % of the bytes, which could not be decrypted."
        #expect(verdict.hasSuffix(base), "\(verdict)")
    }

    @Test("says that nothing differs, or that too few sessions can tell")
    func nothing() throws {
        #expect(
            try report().verdict
                == "80 sessions audited; no group differs from the first one of its label beyond chance.")
        #expect(
            try report(message: 60, sessions: 12).verdict
                == "12 sessions audited; no two groups have the 20 sessions each that a comparison needs.")
    }
}
