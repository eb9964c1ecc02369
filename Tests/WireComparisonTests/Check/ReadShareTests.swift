import Testing
import WireCore

@testable import WireAccuracy
@testable import WireComparison

@Suite("Checks of what was read in part")
struct ReadShareTests {
    /// The sample's log, with `unread` bytes and `rows` rows of a host that was not read: 1,000 IP bytes and 10 rows in all.
    private func sample(unread: Int, rows: Int = 0, reason: ReadShare.Reason = .undecrypted) -> SampleAccuracy {
        var sample = SampleAccuracy()
        var host = HostSummary(host: "img.example.com")
        host.costs.down[.opaque] = unread
        host.protocols = [.hidden]
        sample.audit.hosts = [host]
        sample.audit.ledger.causes.down[.opaque] = unread
        sample.audit.ledger.layers.payload = 1000
        sample.result.logs[0].matched = 10 - rows
        sample.result.logs[0].unreadRows = [
            ReadShare.Part(host: "img.example.com", amount: rows, reason: reason)
        ]
        return sample
    }

    private func check(_ sample: SampleAccuracy, _ text: String) throws -> CheckReport {
        var policy = try AccuracyPolicy(parsing: Array(text.utf8))
        policy.completeReading()
        return CheckReport.evaluate(policy, sample.result, sample.audit)
    }

    @Test(
        "no total passes or fails where less than the rule asks for was read",
        arguments: [
            (
                50, 0, "bias <= 5% up", ["passed: read 950 of 1000 bytes", "passed sdk.sqlite: read 10 of 10 rows"],
                "passed"
            ),
            (
                51, 0, "bias <= 5% up", ["unjudged: read 949 of 1000 bytes", "passed sdk.sqlite: read 10 of 10 rows"],
                "unjudged"
            ),
            (
                0, 1, "bias <= 5% up", ["passed: read 1000 of 1000 bytes", "unjudged sdk.sqlite: read 9 of 10 rows"],
                "unjudged"
            ),
            // What would be a violation is none of all calls.
            (
                900, 9, "bias <= 1% up",
                ["unjudged: read 100 of 1000 bytes", "unjudged sdk.sqlite: read 1 of 10 rows"], "unjudged"
            ),
            (
                900, 9, "coverage >= 10% up",
                ["unjudged: read 100 of 1000 bytes", "unjudged sdk.sqlite: read 1 of 10 rows"], "unjudged"
            ),
            // A bound of the policy takes the place of 95 %.
            (
                400, 4, "bias <= 5% up\nread >= 60%",
                ["passed: read 600 of 1000 bytes", "passed sdk.sqlite: read 6 of 10 rows"], "passed"
            ),
            // What may stay unread is no part of the whole.
            (
                900, 9, "bias <= 5% up\nread >= 95% except img*",
                ["passed: read 100 of 100 bytes", "passed sdk.sqlite: read 1 of 1 rows"], "passed"
            ),
            (
                900, 9, "bias <= 5% up\nread >= 95% except api*",
                ["unjudged: read 100 of 1000 bytes", "unjudged sdk.sqlite: read 1 of 10 rows"], "unjudged"
            ),
        ] as [(Int, Int, String, [String], String)])
    func totals(unread: Int, rows: Int, policy: String, reading: [String], verdict: String) throws {
        let outcomes = try check(sample(unread: unread, rows: rows), policy).outcomes
        #expect(outcomes.prefix(2).map(brief) == reading)
        #expect(outcomes.dropFirst(2).map { "\($0.verdict)" } == [verdict])
    }

    @Test("an API that was read is judged, whatever else was not")
    func singleAPIs() throws {
        let report = try check(
            sample(unread: 900, rows: 9),
            "api GET* bias <= 1% up\napi GET* wire <= 1kB\nwire <= 1kB\nwire-per-call <= 1kB")
        #expect(
            report.outcomes.dropFirst(2).map { "\($0.verdict)" } == ["violated", "violated", "violated", "unjudged"])
    }

    @Test("a rule that matches nothing is no pass, and no violation where its API may be in what was not read")
    func nothing() throws {
        #expect(try check(sample(unread: 0), "api PUT* bias <= 1%").outcomes.last?.verdict == .violated)
        #expect(try check(sample(unread: 900), "api PUT* bias <= 1%").outcomes.last?.verdict == .unjudged)
        #expect(try check(sample(unread: 900), "source x bias <= 1%").outcomes.last?.verdict == .violated)
    }

    @Test(
        "a log of another session or of other hosts is not judged at all, nor is one whose calibration does not apply")
    func otherSessions() throws {
        var sample = sample(unread: 0)
        sample.result.logs[0].sessionDoubt = SessionDoubt(clockOffset: 1_398_000_000_000, agreeingSizes: 9)
        let policy = "api GET* bias <= 1% up\nbias <= 5% up"
        #expect(
            try sample.check(policy).outcomes.map(brief) == [
                "unjudged sdk.sqlite up GET a /x: otherSession", "unjudged sdk.sqlite up: otherSession",
            ])
        sample.result.logs[0].sessionDoubt = nil
        sample.result.logs[0].matched = 0
        sample.result.logs[0].foreignHost = 3
        #expect(try sample.check(policy).outcomes.map(brief).last == "unjudged sdk.sqlite up: mismatch")
        sample.result.logs[0].matched = 3
        sample.result.calibratedSource = 1
        var context = CheckContext()
        context.calibrationMisfits = ["to har, not to dm-sqlite"]
        #expect(
            try sample.check(policy, context: context).outcomes.map(brief).last
                == "unjudged sdk.sqlite up: otherConditions")
    }

    @Test("keys that decrypt nothing are told from keys that are missing")
    func keys() {
        var audit = AuditResult()
        var host = HostSummary(host: "a")
        (host.setup.tlsConnections, host.setup.unreadConnections) = (3, 3)
        audit.hosts = [host]
        #expect(ReadShare(audit).keys == .none)
        audit.keyLogs = [KeyLogSummary(path: "keys.log")]
        #expect(ReadShare(audit).keys == .foreign)
        audit.hosts[0].setup.unreadConnections = 2
        #expect(ReadShare(audit).keys == .incomplete)
        audit.hosts[0].setup.failedHandshakes = 1
        #expect(ReadShare(audit).keys == .foreign)
    }

    @Test("DNS was read; other UDP, other IP and frames without IP were not, and are allowed by name")
    func otherTraffic() {
        var audit = AuditResult()
        var counts = Directions<DatagramCounts>()
        (counts.up.packets, counts.up.internet, counts.up.payload) = (1, 100, 72)
        audit.datagrams = [
            DatagramSummary(endpoint: "192.0.2.1:53", protocols: .dns, counts: counts),
            DatagramSummary(endpoint: "192.0.2.1:9", counts: counts),
        ]
        (audit.ledger.other.dns, audit.ledger.other.udp, audit.ledger.other.otherIP) = (100, 100, 50)
        audit.ledger.unreadFrames = 30
        audit.ledger.layers.payload = 250
        audit.ledger.bytes = 300
        let share = ReadShare(audit)
        #expect(share.whole == 300 && share.unread == 180 && share.unread == CaptureLoss(audit).unreadBytes)
        #expect(share.parts.map(\.host) == ["udp://192.0.2.1:9", "(other IP)", "(frames without IP)"])
        let allowed = ReadShare(audit) { !$0.hasPrefix("(") && !$0.hasPrefix("udp:") }
        #expect(allowed.unread == 0 && allowed.whole == 120)
    }
}
