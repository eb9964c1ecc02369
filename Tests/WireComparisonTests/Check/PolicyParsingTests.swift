import Spelling
import Testing

@testable import WireComparison

private let policyFaults: [(text: String, error: String)] = [
    ("", "p: the policy has no rules; write one such as bias <= 5%"),
    ("# nothing\n\n", "p: the policy has no rules; write one such as bias <= 5%"),
    ("up", "p:1:1: this rule has no metric; write one such as bias <= 5%"),
    ("# x\n  bais <= 5%", "p:2:3: \"bais\" is not part of a rule; did you mean \"bias\"?"),
    ("p95-error <= 5%", "p:1:1: \"p95-error\" is not part of a rule; did you mean \"p90-error\"?"),
    (
        "latency <= 5%",
        "p:1:1: \"latency\" is not part of a rule; metrics are bias, error, p50-error, p90-error, p99-error, "
            + "max-error, p50-session-error, p90-session-error, p99-session-error, failed-sessions, coverage, read, wire, "
            + "wire-per-call; other words are api, source, up, down, against, min-calls, baseline, within, except"
    ),
    ("read >= 95% of calls", "p:1:9: read is a share of bytes; write read >= 95%"),
    ("read >= 101%", "p:1:9: read cannot exceed 100%"),
    ("read <= 95%", "p:1:6: read is a minimum: write >=, as in read >= 95%"),
    ("read >= 95% up", "p:1:13: read is of all traffic; leave \"up\" out"),
    (
        "read >= 95% except",
        "p:1:13: after \"except\" comes a host that need not be read, such as except img.example.com"
    ),
    (
        "bias <= 5% except a.example.com",
        "p:1:12: \"except\" names hosts that need not be read, as in read >= 95% except img.example.com"
    ),
    ("bias <= 5% uup", "p:1:12: \"uup\" is not part of a rule; did you mean \"up\"?"),
    ("\"bias\" <= 5%", "p:1:1: text in quotation marks belongs after api, source or baseline"),
    ("bias", "p:1:1: \"bias\" needs a bound, as in bias <= 5%"),
    ("bias 5%", "p:1:6: \"bias\" needs a bound, as in bias <= 5%"),
    ("bias=5%", "p:1:1: a bound is written with <=, as in bias <= 5%"),
    ("bias >= 5%", "p:1:6: bias is a maximum: write <=, as in bias <= 5%"),
    ("bias < 5%", "p:1:6: bias is a maximum: write <=, as in bias <= 5%"),
    ("coverage <= 98%", "p:1:10: coverage is a minimum: write >=, as in coverage >= 98%"),
    ("bias <=", "p:1:6: <= needs a bound; write a percentage such as 5%, or bytes such as 200, 200B or 1.5kB"),
    (
        "bias <= five",
        "p:1:9: \"five\" is not a bound; write a percentage such as 5%, or bytes such as 200, 200B or 1.5kB"
    ),
    ("wire <= -5", "p:1:9: \"-5\" is not a bound; write bytes such as 2500, 2.5kB or 2.5KiB"),
    ("wire <= 5%", "p:1:9: a bound on wire is in bytes, such as 2500, 2.5kB or 2.5KiB"),
    ("coverage >= 98", "p:1:13: a bound on coverage is a percentage such as 98%"),
    ("coverage >= 101%", "p:1:13: coverage cannot exceed 100%"),
    (
        "coverage >= 98% calls against wire",
        "p:1:23: \"against\" needs bytes; write coverage >= 98% of bytes against wire"
    ),
    ("bias <= 5% error <= 5%", "p:1:12: a rule has one bound: \"error\" after \"bias\" needs a line of its own"),
    ("bias <= 5% api", "p:1:12: after \"api\" comes a pattern, such as api \"POST api.example.com /v1/*\""),
    ("bias <= 5% api \"\"", "p:1:12: after \"api\" comes a pattern, such as api \"POST api.example.com /v1/*\""),
    ("source", "p:1:1: after \"source\" comes an estimator or log, such as source sdk.sqlite"),
    ("bias <= 5% source a source b", "p:1:21: \"source\" appears twice in this rule"),
    ("bias <= 5% up down", "p:1:15: this rule already says \"up\"; leave both out to check each direction"),
    ("bias <= 5% against", "p:1:12: \"against\" needs message (HTTP messages) or wire (all IP bytes)"),
    ("bias <= 5% against tls", "p:1:20: \"against\" needs message (HTTP messages) or wire (all IP bytes)"),
    ("bias <= 5% api * min-calls x", "p:1:28: \"min-calls\" needs a whole number, such as min-calls 20"),
    ("bias <= 5% min-calls 9", "p:1:12: \"min-calls\" is for single APIs; add a pattern such as api *"),
    ("wire <= 5 source a", "p:1:11: wire does not depend on a source; leave it out"),
    ("wire <= 5 against wire", "p:1:11: wire has only its bound to compare with; leave \"against\" out"),
    ("bias <= 5% within 1%", "p:1:12: \"within\" needs a baseline, as in baseline accuracy.json within 1%"),
    ("baseline a within 1", "p:1:12: \"within\" needs a percentage, such as within 1%"),
    ("baseline", "p:1:1: after \"baseline\" comes the JSON file of an earlier result, such as baseline accuracy.json"),
    ("bias <= 5% api \"GET", "p:1:16: the quotation mark is not closed in this line"),
    ("bias <= 5%\nbia\u{0}s", "p:2:1: \"bia\u{FFFD}s\" is not part of a rule; did you mean \"bias\"?"),
]

@Suite("Policies")
struct PolicyParsingTests {
    private func parse(_ text: String) throws -> [PolicyRule] {
        try AccuracyPolicy(parsing: Array(text.utf8)).rules
    }

    private func rule(
        _ metric: PolicyRule.Metric, _ value: Double, _ unit: PolicyRule.Unit, _ text: String,
        _ change: (inout PolicyRule) -> Void = { _ in }
    ) -> PolicyRule {
        var rule = PolicyRule(.bound(metric, PolicyRule.Bound(value, unit)), text: text)
        change(&rule)
        return rule
    }

    @Test("hold one rule in each line, with comments and blanks")
    func wholePolicy() throws {
        let rules = try parse(
            """
            # accuracy gate
            bias <= 5%                          # every source, total, each direction

            p90-error <= 200 B  down
            coverage >= 98% of calls
            coverage >= 95 % of bytes against wire\r
            api "POST api.example.com /v1/orders/*"  wire-per-call <= 2500 B
            \tsource sdk.sqlite  bias <= 2%  up
            error <= 1.5kB against wire api * min-calls 20
            wire<=2MiB
            """)
        #expect(
            rules == [
                rule(.bias, 5, .percent, "bias <= 5%"),
                rule(.p90Error, 200, .bytes, "p90-error <= 200 B down") { $0.direction = .down },
                rule(.coverage, 98, .percent, "coverage >= 98% of calls"),
                rule(.coverage, 95, .percentOfBytes, "coverage >= 95 % of bytes against wire") { $0.truth = .wire },
                rule(
                    .wirePerCall, 2500, .bytes,
                    "api \"POST api.example.com /v1/orders/*\" wire-per-call <= 2500 B"
                ) { $0.api = TextPattern("POST api.example.com /v1/orders/*", anywhere: true) },
                rule(.bias, 2, .percent, "source sdk.sqlite bias <= 2% up") {
                    $0.source = TextPattern("sdk.sqlite", anywhere: false)
                    $0.direction = .up
                },
                rule(.error, 1500, .bytes, "error <= 1.5kB against wire api * min-calls 20") {
                    $0.truth = .wire
                    $0.api = TextPattern("*", anywhere: true)
                    $0.minimumCalls = 20
                },
                rule(.wire, 2_097_152, .bytes, "wire <= 2MiB"),
            ])
    }

    @Test("take quoted words, other cases and other names as they are meant")
    func spellings() throws {
        #expect(try parse("\u{FEFF}BIAS <= 5 Percent UP").first?.direction == .up)
        #expect(try parse("api \"a \\\"b\\\" \\\\ #c\" error <= 1").first?.api?.text == "a \"b\" \\ #c")
        #expect(try parse("source \"up\" bias <= 1%").first?.source?.text == "up")
        #expect(try parse("mean-error <= 1").first?.demand == .bound(.error, .init(1, .bytes)))
        #expect(try parse("median-error <= 1").first?.demand == .bound(.p50Error, .init(1, .bytes)))
        #expect(try parse("max-error <= 0.1%").first?.demand == .bound(.maximumError, .init(0.1, .percent)))
        #expect(try parse("baseline old.json").first?.demand == .baseline(path: "old.json", tolerance: 0))
        let baseline = try parse("within 0.5% baseline \"my old.json\" api *orders* min-calls 3 against wire down")[0]
        #expect(baseline.demand == .baseline(path: "my old.json", tolerance: 0.5))
        #expect((baseline.minimumCalls, baseline.truth, baseline.direction) == (3, .wire, .down))
        let policy = try AccuracyPolicy(parsing: Array("baseline a\nbaseline b up\nbaseline a down".utf8))
        #expect(policy.baselines == ["a", "b"])
    }

    @Test("say where and what is wrong, and what would be right", arguments: policyFaults)
    func faults(text: String, error: String) {
        let found = #expect(throws: PolicyError.self) { try parse(text) }
        #expect(found?.text(path: "p") == error)
    }

    @Test("must be UTF-8")
    func encoding() {
        let found = #expect(throws: PolicyError.self) { try AccuracyPolicy(parsing: [0x23, 0x0A, 0xFF, 0x0A]) }
        #expect(found?.text(path: "p") == "p:2: this line is not UTF-8 text")
    }

    @Test("are never read as something else", arguments: 1...300 as ClosedRange<UInt64>)
    func hostile(seed: UInt64) throws {
        var random = SeededPolicyText(seed: seed)
        let text = random.text()
        do {
            for rule in try parse(text) {
                let again = try parse(rule.text)
                #expect(again == [rule], "seed \(seed): \(text)")
            }
        } catch let error as PolicyError {
            #expect(!error.message.isEmpty && !error.message.contains("\n"), "seed \(seed): \(text)")
        }
    }
}

@Suite("Policy options")
struct PolicyOptionTests {
    @Test(
        "make the rules of policies",
        arguments: [
            ("--max-bias", "5%", .bias, 5, .percent), ("--max-bias", "200", .bias, 200, .bytes),
            ("--max-error", "200B", .error, 200, .bytes), ("--max-error", "2kB", .error, 2000, .bytes),
            ("--max-p90-error", "1.5KiB", .p90Error, 1536, .bytes),
            ("--min-coverage", "98.5 %", .coverage, 98.5, .percent),
            ("--max-wire-per-call", "2500", .wirePerCall, 2500, .bytes), ("--max-wire", "3 mb", .wire, 3e6, .bytes),
            ("--max-bias", "0.1%", .bias, 0.1, .percent), ("--max-bias", "0%", .bias, 0, .percent),
        ] as [(String, String, PolicyRule.Metric, Double, PolicyRule.Unit)])
    func options(option: String, value: String, metric: PolicyRule.Metric, bound: Double, unit: PolicyRule.Unit) throws
    {
        let rule = try PolicyRule.rule(option: option, value: value)
        #expect(rule.demand == .bound(metric, PolicyRule.Bound(bound, unit)))
        #expect(rule.text == "\(option) \(value)")
        #expect((rule.source, rule.api, rule.direction, rule.truth) == (nil, nil, nil, .message))
    }

    @Test(
        "say what values they take",
        arguments: [
            (
                "--max-bias", "x",
                "--max-bias \"x\" is not a bound; write a percentage such as 5%, or bytes such as 200, 200B or 1.5kB"
            ),
            (
                "--max-bias", "5 5",
                "--max-bias \"5 5\" is not a bound; write a percentage such as 5%, or bytes such as 200, 200B or 1.5kB"
            ),
            ("--min-coverage", "98", "--min-coverage \"98\": a bound on coverage is a percentage such as 98%"),
            ("--max-wire", "5%", "--max-wire \"5%\": a bound on wire is in bytes, such as 2500, 2.5kB or 2.5KiB"),
            ("--max-wire", "1e9", "--max-wire \"1e9\" is not a bound; write bytes such as 2500, 2.5kB or 2.5KiB"),
            ("--max-wire", "", "--max-wire \"\" is not a bound; write bytes such as 2500, 2.5kB or 2.5KiB"),
            ("--max-wire", ".5", "--max-wire \".5\" is not a bound; write bytes such as 2500, 2.5kB or 2.5KiB"),
            ("--max-wire", "5.", "--max-wire \"5.\" is not a bound; write bytes such as 2500, 2.5kB or 2.5KiB"),
            ("--max-wire", "1.2.3", "--max-wire \"1.2.3\" is not a bound; write bytes such as 2500, 2.5kB or 2.5KiB"),
            (
                "--max-wire", "99999999999999999999",
                "--max-wire \"99999999999999999999\" is not a bound; write bytes such as 2500, 2.5kB or 2.5KiB"
            ),
            (
                "--max-x", "5",
                "\"--max-x\" is not a bound option; use --max-bias, --max-error, --max-p90-error, --min-coverage, "
                    + "--min-read, --max-wire-per-call, --max-wire"
            ),
        ])
    func faults(option: String, value: String, error: String) {
        let found = #expect(throws: PolicyError.self) { try PolicyRule.rule(option: option, value: value) }
        #expect(found?.message == error)
        #expect(found?.text(path: "p") == "p: \(error)")
    }

    @Test("take a baseline and its tolerance")
    func baseline() throws {
        #expect(
            try PolicyRule.rule(baseline: "a.json", tolerance: nil).demand == .baseline(path: "a.json", tolerance: 0))
        let rule = try PolicyRule.rule(baseline: "a.json", tolerance: "2.5 %")
        #expect(rule.demand == .baseline(path: "a.json", tolerance: 2.5))
        #expect(rule.text == "--baseline a.json --tolerance 2.5 %")
        let found = #expect(throws: PolicyError.self) { try PolicyRule.rule(baseline: "a", tolerance: "2") }
        #expect(found?.message == "--tolerance \"2\" is not a percentage such as 1%")
    }
}

@Suite("Text patterns")
struct TextPatternTests {
    @Test(
        "fit",
        arguments: [
            ("orders", true, "POST api.example.com /v1/orders/{id}", true),
            ("ORDERS", true, "POST api.example.com /v1/orders/{id}", true),
            ("orders", false, "POST api.example.com /v1/orders/{id}", false),
            ("post *", true, "POST api.example.com /", true), ("post *", true, "GET a post b", false),
            ("*/orders*", true, "POST a /v1/orders", true), ("*a*b*c", true, "xxaxxbxxbcxc", true),
            ("*a*b*c", true, "xxaxxbxxbcxd", false), ("*", false, "", true), ("", false, "", true),
            ("", false, "a", false),
            ("dm*", false, "dmurlprotocol", true), ("**", false, "anything", true), ("a*", false, "", false),
        ])
    func fit(pattern: String, anywhere: Bool, text: String, fits: Bool) {
        #expect(TextPattern(pattern, anywhere: anywhere).matches(text) == fits)
    }
}
