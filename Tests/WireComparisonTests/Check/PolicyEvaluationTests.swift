import Testing
import WireCore

@testable import WireAccuracy
@testable import WireComparison

private let boundsAndOutcomes: [(policy: String, outcomes: [String])] = [
    // At the bound is within it.
    ("source dm bias <= 35%", ["passed dm up: bias -23.333333333333332", "passed dm down: bias -5.0"]),
    ("source dm bias <= 5%", ["violated dm up: bias -23.333333333333332", "passed dm down: bias -5.0"]),
    ("source dm bias <= 4.999%  down", ["violated dm down: bias -5.0"]),
    ("source dm bias <= 28B", ["passed dm up: bias -28.0", "violated dm down: bias -40.0"]),
    ("source dm error <= 52 B up", ["passed dm up: error 52.0"]),
    ("source dm error <= 51.9 B up", ["violated dm up: error 52.0"]),
    ("source dm error <= 43% up", ["violated dm up: error 43.333333333333336"]),
    ("source dm p50-error <= 50 B up", ["passed dm up: p50-error 50.0"]),
    ("source dm p99-error <= 59 B up", ["violated dm up: p99-error 60.0"]),
    ("source dm max-error <= 59 B up", ["violated dm up: max-error 60.0"]),
    ("source dm bias <= 60% up against wire", ["violated dm up: bias -71.25"]),
    // Of all calls; and of bytes against one truth or the other.
    ("source dm coverage >= 100% up", ["passed dm up: coverage 100.0"]),
    ("coverage >= 40% up", ["passed sdk.sqlite up: coverage 40.0"]),
    ("coverage >= 40.001% up", ["violated sdk.sqlite up: coverage 40.0"]),
    ("coverage >= 11% of bytes up", ["violated sdk.sqlite up: coverage 10.0"]),
    ("coverage >= 20% of bytes up against wire", ["passed sdk.sqlite up: coverage 20.0"]),
    // A log alone is judged unless a source is named.
    (
        "bias <= 5%",
        [
            "passed sdk.sqlite up: bias -2.0",
            "notApplicable sdk.sqlite down: has no figures for this direction",
        ]
    ),
    (
        "bias <= 5% down",
        [
            "notApplicable sdk.sqlite down: has no figures for this direction",
            "violated sdk.sqlite down: the rule matched nothing",
        ]
    ),
    ("source logs/SDK* bias <= 1% up", ["violated sdk.sqlite up: bias -2.0"]),
    ("source * bias <= 1% up", ["violated dm up: bias -23.333333333333332", "violated sdk.sqlite up: bias -2.0"]),
    // Each API by itself, in the order of names.
    (
        "source dm api * bias <= 30% up",
        ["violated dm up GET a /x: bias -50.0", "passed dm up POST a /y: bias 30.0"]
    ),
    ("source dm api post bias <= 30% down", ["passed dm down POST a /y: bias 0.0"]),
    (
        "api * coverage >= 50% up min-calls 2",
        [
            "passed sdk.sqlite up GET a /x: coverage 50.0",
            "notApplicable sdk.sqlite up POST a /y: 1 of the 2 calls that the rule needs",
        ]
    ),
    (
        "api * bias <= 5% up",
        [
            "passed sdk.sqlite up GET a /x: bias -2.0",
            "notApplicable sdk.sqlite up POST a /y: none of its 1 calls was recorded",
        ]
    ),
    (
        "api /y bias <= 5% up",
        [
            "notApplicable sdk.sqlite up POST a /y: none of its 1 calls was recorded",
            "violated sdk.sqlite up: none of the 1 APIs that \"/y\" matches could be checked",
        ]
    ),
    (
        "source dm api * bias <= 99% up min-calls 9",
        [
            "notApplicable dm up GET a /x: 4 of the 9 calls that the rule needs",
            "notApplicable dm up POST a /y: 1 of the 9 calls that the rule needs",
            "violated dm up: none of the 2 APIs that \"*\" matches could be checked",
        ]
    ),
    // What does not exist.
    ("source dn bias <= 5%", ["violated: no source is \"dn\"; did you mean \"dm\"?"]),
    ("source sdk bias <= 5%", ["violated: no source is \"sdk\"; did you mean \"sdk.sqlite\"?"]),
    ("api /z* bias <= 5%", ["violated: no API of the capture matches \"/z*\"; APIs are \"GET a /x\", \"POST a /y\""]),
    (
        "api \"GET a /xx\" bias <= 5%",
        ["violated: no API of the capture matches \"GET a /xx\"; did you mean \"GET a /x\"?"]
    ),
    ("baseline old.json", ["violated: the baseline \"old.json\" was not read"]),
    // Wire bytes, with those of connections in the total.
    ("wire <= 7750", ["passed: wire 7750.0"]),
    ("wire <= 7749", ["violated: wire 7750.0"]),
    ("wire <= 1.6kB up", ["violated up: wire 1650.0"]),
    ("wire-per-call <= 1550", ["passed: wire-per-call 1550.0"]),
    (
        "api * wire-per-call <= 1kB",
        ["violated GET a /x: wire-per-call 1750.0", "passed POST a /y: wire-per-call 700.0"]
    ),
    (
        "api * wire <= 6kB down min-calls 2",
        ["passed down GET a /x: wire 6000.0", "notApplicable down POST a /y: 1 of the 2 calls that the rule needs"]
    ),
    ("api /z wire <= 5", ["violated: no API of the capture matches \"/z\"; APIs are \"GET a /x\", \"POST a /y\""]),
    (
        "api y wire <= 5 min-calls 2",
        [
            "notApplicable POST a /y: 1 of the 2 calls that the rule needs",
            "violated: none of the 1 APIs that \"y\" matches could be checked",
        ]
    ),
]

@Suite("Checks")
struct PolicyEvaluationTests {
    @Test("ask each rule of each subject", arguments: boundsAndOutcomes)
    func judges(policy: String, outcomes: [String]) throws {
        #expect(try SampleAccuracy().check(policy).outcomes.map(brief) == outcomes)
    }

    @Test("judge all simulated estimators where there is no log")
    func withoutLogs() throws {
        let sample = SampleAccuracy(logs: false)
        #expect(try sample.check("bias <= 30%").outcomes.map(\.source) == ["dm", "dm"])
    }

    @Test("are violated, not passed, where a capture has nothing")
    func nothing() throws {
        var sample = SampleAccuracy(logs: false)
        sample.audit = AuditResult()
        sample.result = AccuracyResult()
        #expect(
            try sample.check("bias <= 5%").outcomes.map(brief) == [
                "violated: there is no log and no simulated estimator to check"
            ])
        #expect(
            try sample.check("wire <= 5").outcomes.map(brief) == [
                "violated: the capture has no TCP or QUIC connections"
            ])
        #expect(try sample.check("api * wire <= 5").outcomes.map(brief) == ["violated: the capture has no calls"])
        sample.audit.connections = 1
        #expect(try sample.check("wire-per-call <= 5").outcomes.map(brief) == ["violated: the capture has no calls"])
        sample.result.sources = [AccuracySource(id: "dm", title: "", kind: .simulated, note: "")]
        #expect(try sample.check("api * bias <= 5%").outcomes.map(brief) == ["violated: the capture has no calls"])
        #expect(try sample.check("bias <= 5% up").violations == 1)
    }

    @Test("are violated where a source has calls but recorded none")
    func recordedNothing() throws {
        var sample = SampleAccuracy()
        sample.result.totals.removeAll { $0.source == 1 }
        sample.add(source: 1, api: nil, .up, calls: 5, [])
        #expect(
            try sample.check("bias <= 5% up").outcomes.map(brief) == [
                "violated sdk.sqlite up: none of its 5 calls was recorded"
            ])
        #expect(try sample.check("coverage >= 1% up").outcomes.map(brief) == ["violated sdk.sqlite up: coverage 0.0"])
    }

    @Test("are violated by an error that has no truth to be a share of")
    func withoutTruth() throws {
        var sample = SampleAccuracy(logs: false)
        sample.result.totals = []
        sample.add(source: 0, api: nil, .up, calls: 1, [(120, 0)])
        let report = try sample.check("bias <= 1000% up\nerror <= 1000% up\nbias <= 120 B up")
        #expect(
            report.outcomes.map(brief) == [
                "violated dm up: bias inf", "violated dm up: error inf", "passed dm up: bias 120.0",
            ])
    }
}
