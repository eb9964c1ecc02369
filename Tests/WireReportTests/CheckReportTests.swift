import Foundation
import Testing
import WireAccuracy
import WireComparison
import WireLogs
import WireRecords
import WireReport

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("Reports of checks")
struct CheckReportTests {
    private func report(_ rule: String, _ outcomes: [CheckOutcome]) throws -> CheckReport {
        var report = CheckReport(rules: try AccuracyPolicy(parsing: Array(rule.utf8)).rules)
        report.outcomes = outcomes
        return report
    }

    private func outcome(
        _ verdict: CheckOutcome.Verdict, _ finding: CheckOutcome.Finding, source: String? = "dmurlprotocol",
        api: String? = nil, direction: Direction? = .up, rule: Int = 0
    ) -> CheckOutcome {
        CheckOutcome(
            rule: rule, source: source, api: api, direction: direction, verdict: verdict, finding: finding)
    }

    private func measured(
        _ metric: PolicyRule.Metric, _ value: Double, _ unit: PolicyRule.Unit, bound: Double,
        _ change: (inout CheckFigure) -> Void = { _ in }
    ) -> CheckOutcome.Finding {
        var figure = CheckFigure(metric, value, unit)
        change(&figure)
        return .measured(figure, bound: PolicyRule.Bound(bound, unit))
    }

    private func line(_ outcome: CheckOutcome) throws -> String? { try report("bias <= 5%", [outcome]).lines().first }

    @Test("tell each violation in plain words")
    func violations() throws {
        func text(_ finding: CheckOutcome.Finding) throws -> String? { try line(outcome(.violated, finding)) }
        #expect(
            try text(measured(.bias, -32.9, .percent, bound: 5))
                == "all APIs (dmurlprotocol): request error -32.9 % exceeds 5 %")
        #expect(
            try text(measured(.bias, 12_345.67, .bytes, bound: 1000) { $0.truth = .wire })
                == "all APIs (dmurlprotocol): request error against wire bytes 12,345.7 B exceeds 1,000 B")
        #expect(
            try text(measured(.error, 250.04, .bytes, bound: 200))
                == "all APIs (dmurlprotocol): request mean |error| 250 B exceeds 200 B")
        #expect(
            try text(measured(.p90Error, 1016, .bytes, bound: 200) { $0.isApproximate = true })
                == "all APIs (dmurlprotocol): request p90 of |error| of about 1,016 B exceeds 200 B")
        #expect(
            try text(measured(.maximumError, 12.5, .percent, bound: 0.25))
                == "all APIs (dmurlprotocol): request largest |error| 12.5 % exceeds 0.25 %")
        #expect(
            try text(measured(.coverage, 93.11, .percent, bound: 98))
                == "all APIs (dmurlprotocol): request coverage 93.1 % of calls is below 98 %")
        #expect(
            try text(measured(.coverage, 93.11, .percentOfBytes, bound: 98))
                == "all APIs (dmurlprotocol): request coverage 93.1 % of bytes is below 98 %")
        #expect(
            try text(measured(.error, .infinity, .percent, bound: 10))
                == "all APIs (dmurlprotocol): request mean |error| cannot be a share of 0 bytes, so it exceeds 10 %")
    }

    @Test("show as many decimals as it takes to see that a bound is exceeded")
    func decimals() throws {
        func text(_ value: Double, _ bound: Double) throws -> String? {
            try line(outcome(.violated, measured(.bias, value, .percent, bound: bound)))
        }
        #expect(try text(5.01, 5) == "all APIs (dmurlprotocol): request error 5.01 % exceeds 5 %")
        #expect(try text(5.00004, 5) == "all APIs (dmurlprotocol): request error 5.00004 % exceeds 5 %")
        #expect(try text(-0.04, 0) == "all APIs (dmurlprotocol): request error -0.04 % exceeds 0 %")
        #expect(try text(-1234.5, 0.5) == "all APIs (dmurlprotocol): request error -1,234.5 % exceeds 0.5 %")
        #expect(try text(1e300, 5)?.hasPrefix("all APIs (dmurlprotocol): request error 1") == true)
    }

    @Test("name the subject")
    func subjects() throws {
        let wire = measured(.wirePerCall, 2612, .bytes, bound: 2500)
        let api = "POST api.example.com /v1/orders/{id}"
        #expect(
            try line(outcome(.violated, wire, source: nil, api: api, direction: nil))
                == "POST api.example.com /v1/orders/{id}: wire bytes per call 2,612 B exceeds 2,500 B")
        #expect(
            try line(outcome(.violated, wire, source: nil, direction: .down))
                == "all APIs: response wire bytes per call 2,612 B exceeds 2,500 B")
        #expect(
            try line(outcome(.violated, .nothing("no calls"), source: nil, direction: nil)) == "bias <= 5%: no calls")
        #expect(
            try line(outcome(.violated, .nothing("no calls"), direction: nil))
                == "all APIs (dmurlprotocol): no calls (bias <= 5%)")
    }

    @Test("compare with a baseline")
    func baseline() throws {
        func text(_ metric: PolicyRule.Metric, _ now: Double, _ before: Double, _ tolerance: Double) throws -> String? {
            let figure = CheckFigure(metric, now, metric == .wirePerCall ? .bytes : .percent)
            let finding = CheckOutcome.Finding.compared(
                figure, before: before, baseline: "old.json", tolerance: tolerance, nil)
            return try line(outcome(.violated, finding, source: metric == .wirePerCall ? nil : "dm"))
        }
        #expect(
            try text(.bias, -7.2, -5, 1)
                == "all APIs (dm): request error -7.2 %, was -5 % in old.json; 1 % worse is allowed: the baseline does not contain the spread of the calls"
        )
        #expect(
            try text(.coverage, 97.96, 98, 0)
                == "all APIs (dm): request coverage 97.96 %, was 98 % in old.json; nothing worse is allowed: the baseline does not contain the spread of the calls"
        )
        #expect(
            try text(.wirePerCall, 2612, 2400, 0.5)
                == "all APIs: request wire bytes per call 2,612 B, was 2,400 B in old.json; 0.5 % more is allowed: the baseline does not contain the spread of the calls"
        )
    }

    @Test("sum up, and list what is new")
    func summary() throws {
        let good = outcome(.passed, measured(.bias, 1, .percent, bound: 5))
        let bad = outcome(.violated, measured(.bias, 9, .percent, bound: 5))
        let skipped = outcome(.notApplicable, .nothing("no calls"), api: "GET a /x")
        let new = outcome(.notApplicable, .newAPI(baseline: "old.json"), source: nil, api: "GET a /y", direction: nil)
        #expect(try report("bias <= 5%", [good]).lines() == ["1 check passed"])
        #expect(try report("bias <= 5%", [good, good, skipped]).lines() == ["2 checks passed, 1 not applicable"])
        #expect(
            try report("bias <= 5%", [good, bad, skipped, new]).lines() == [
                "all APIs (dmurlprotocol): request error 9 % exceeds 5 %", "new since old.json: GET a /y",
                "1 of 2 checks violated, 2 not applicable",
            ])
        #expect(
            try report("bias <= 5%", [good, bad, skipped]).lines(verbose: true) == [
                "ok        all APIs (dmurlprotocol): request error 1 % is within 5 %",
                "violated  all APIs (dmurlprotocol): request error 9 % exceeds 5 %",
                "skipped   GET a /x (dmurlprotocol), requests: no calls (bias <= 5%)",
                "1 of 2 checks violated, 1 not applicable",
            ])
    }

    private let hostileNames = [
        "]]>", "<script>alert(1)</script>", "a\u{0}b", "\u{1B}[31m", "\"'&amp;", "\u{FFFE}\u{FFFF}", "a\nb\tc\r",
        "\u{202E}gnp", "\u{FFFD}", "😀", "--><!--", "\u{85}\u{2028}",
    ]

    @Test("write JUnit XML that any name leaves well-formed")
    func hostileXML() throws {
        for name in hostileNames {
            var check = try report(
                "bias <= 5%\nwire <= 5",
                [
                    outcome(.violated, .nothing(name), source: name, api: name),
                    outcome(.passed, measured(.bias, 1, .percent, bound: 5), source: name, api: name),
                    outcome(.notApplicable, .newAPI(baseline: name), api: name, rule: 1),
                ])
            check.rules[0].text = name
            let text = checkJUnit(check).text
            let keeper = ElementKeeper()
            let parser = XMLParser(data: Data(text.utf8))
            parser.delegate = keeper
            #expect(parser.parse(), "\(name.debugDescription): \(text)")
            #expect(
                keeper.names == [
                    "testsuites", "testsuite", "testcase", "failure", "testcase", "testsuite", "testcase", "skipped",
                ])
            #expect(unsafeCharacters(text).isEmpty)
            for line in check.lines(verbose: true) {
                #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" }, "\(line)")
            }
        }
    }

    @Test("replace in XML what it cannot hold")
    func xmlText() {
        var buffer = OutputBuffer()
        buffer.xmlText("<a b=\"c\" d='&'>]]>\u{0}\n\u{7F}é\u{FFFE}")
        let text = buffer.text
        #expect(text == "&lt;a b=&quot;c&quot; d=&#39;&amp;&#39;&gt;]]&gt;\\x00\\x0a\\x7fé\\u{fffe}")
    }

    @Test("write JUnit XML as CI systems read it")
    func goldenXML() throws {
        let check = try report(
            "bias <= 5%\napi * wire <= 5",
            [
                outcome(.violated, measured(.bias, -32.9, .percent, bound: 5)),
                outcome(.passed, measured(.bias, 1.25, .percent, bound: 5), direction: .down),
                outcome(.notApplicable, .nothing("no calls"), source: nil, api: "GET a /x", direction: nil, rule: 1),
            ])
        #expect(
            checkJUnit(check).text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="wireaudit check" tests="3" failures="1" errors="0" skipped="1">
                  <testsuite name="bias &lt;= 5%" tests="2" failures="1" errors="0" skipped="0">
                    <testcase classname="wireaudit.check" name="bias &lt;= 5%: all APIs (dmurlprotocol), requests" time="0">
                      <failure type="violation" message="request error -32.9 % exceeds 5 %">\
                all APIs (dmurlprotocol): request error -32.9 % exceeds 5 %</failure>
                    </testcase>
                    <testcase classname="wireaudit.check" name="bias &lt;= 5%: all APIs (dmurlprotocol), responses" time="0"/>
                  </testsuite>
                  <testsuite name="api * wire &lt;= 5" tests="1" failures="0" errors="0" skipped="1">
                    <testcase classname="wireaudit.check" name="api * wire &lt;= 5: GET a /x" time="0">
                      <skipped message="no calls"/>
                    </testcase>
                  </testsuite>
                </testsuites>

                """)
    }
}

@Suite("Results as baselines")
struct WrittenBaselineTests {
    private func check(_ result: AccuracyResult, against then: AccuracyResult, _ rule: String) throws -> CheckReport {
        let json = Array(accuracyJSON(then, audit: sampleAudit(), options: ReportOptions()).text.utf8)
        let policy = try AccuracyPolicy(parsing: Array(rule.utf8))
        var pieces = stride(from: 0, to: json.count, by: 1000).map { Array(json[$0..<min($0 + 1000, json.count)]) }
        let baseline = try AccuracyBaseline(pieces: { pieces.isEmpty ? nil : pieces.removeFirst() })
        return CheckReport.evaluate(policy, result, sampleAudit(), baselines: ["old.json": baseline])
    }

    @Test("are never worse than themselves")
    func same() throws {
        let result = sampleAccuracy()
        let report = try check(result, against: result, "baseline old.json source *")
        #expect(report.lines().last?.contains("violated") == false, "\(report.lines())")
        let subjects = Set(report.outcomes.map { [$0.source, $0.api, $0.direction?.rawValue] })
        for row in result.totals + result.rows {
            let api = row.api.map { result.apis[$0] }
            #expect(subjects.contains([result.sources[row.source].id, api, row.direction.rawValue]))
        }
    }

    @Test("show what became worse")
    func worse() throws {
        let then = sampleAccuracy()
        var result = then
        let index = try #require(result.rows.firstIndex { $0.message.count > 0 && $0.message.truthTotal > 0 })
        let row = result.rows[index]
        result.rows[index].message.estimateTotal += (row.message.errorTotal < 0 ? -1 : 1) * row.message.truthTotal / 10
        let report = try check(result, against: then, "baseline old.json source * within 9%")
        let violations = report.outcomes.filter { $0.verdict == .violated }
        #expect(violations.map(\.api) == [result.apis[row.api ?? 0]])
        #expect(violations.map(\.source) == [result.sources[row.source].id])
        #expect(try check(result, against: then, "baseline old.json source * within 11%").violations == 0)
    }
}

private final class ElementKeeper: NSObject, XMLParserDelegate {
    var names: [String] = []

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) { names.append(name) }
}
