import Testing
import WireReport

@testable import WireAccuracy
@testable import WireComparison
@testable import WireStatistics

@Suite("Checks against a baseline")
struct BaselineTests {
    /// What `wireaudit accuracy --format json` writes of a sample, with more than is needed.
    private func json(_ sample: SampleAccuracy) -> String {
        func row(_ row: AccuracyRow) -> String {
            func statistics(_ some: ErrorStatistics) -> String {
                let mean = some.count == 0 ? "null" : "\((some.meanAbsolute * 1000).rounded() / 1000)"
                return """
                    {"count":\(some.count),"truth_total":\(some.truthTotal),"estimate_total":\(some.estimateTotal),
                     "bias":-1.5e3,"mean_absolute":\(mean),"approximate":false}
                    """
            }
            let api = row.api.map { "\"api\":\"\(sample.result.apis[$0])\"," } ?? ""
            return """
                {"source":"\(sample.result.sources[row.source].id)",\(api)"direction":"\(row.direction.rawValue)",
                 "coverage":{"calls":\(row.coverage.calls),"recorded_calls":\(row.coverage.recordedCalls),
                 "message_bytes":1,"wire_bytes":\(row.coverage.wireBytes)},
                 "message":\(statistics(row.message)),"wire":\(statistics(row.wire)),"causes":{"T.line":-4,"Z.new":[]},"spread":null}
                """
        }
        let sources = sample.result.sources.map { source in
            let kind = source.kind == .log ? "log" : "simulated"
            return "{\"id\":\"\(source.id)\",\"title\":null,\"kind\":\"\(kind)\",\"unknown\":0}"
        }
        let apis = zip(sample.result.apis, sample.result.apiCalls).map { "{\"api\":\"\($0)\",\"calls\":\($1)}" }
        return """
            {"schema":"wireaudit.accuracy/1", "version":"1", "options":{"a":[1,{"b":[]}],"c":true}, "capture":{},
             "sources":[\(sources.joined(separator: ","))], "apis":[\(apis.joined(separator: ","))],
             "totals":[\(sample.result.totals.map(row).joined(separator: ","))],
             "rows":[\(sample.result.rows.map(row).joined(separator: ","))], "logs":[], "warnings":["\\u0041\\""]}
            """
    }

    private func baseline(_ sample: SampleAccuracy) throws -> AccuracyBaseline {
        try AccuracyBaseline(json: Array(json(sample).utf8))
    }

    private func check(_ now: SampleAccuracy, _ policy: String, _ then: SampleAccuracy) throws -> [String] {
        try now.check(policy, baselines: ["old.json": baseline(then)]).outcomes.map(brief)
    }

    @Test("rows that fit no exchange any more are told, though they are in no error")
    func openCalls() throws {
        /// A log whose rows are certain for so many of 40 calls.
        func sample(_ certain: Int) -> SampleAccuracy {
            var sample = SampleAccuracy()
            sample.result.apiCalls = [1, 40]
            sample.result.rows.removeAll { $0.source == 1 && $0.api == 1 }
            guard certain > 0 else { return sample }
            let calls = Array(repeating: (98, 100), count: certain)
            sample.add(source: 1, api: 1, .up, calls: certain, calls)
            return sample
        }
        func open(_ now: Int, _ then: Int) throws -> [String] {
            try sample(now).check("baseline old.json", baselines: ["old.json": baseline(sample(then))]).outcomes
                .filter {
                    if case .compared(let figure, _, _, _, _) = $0.finding { figure.calls == .open } else { false }
                }
                .map(brief)
        }
        #expect(try open(0, 40) == ["violated sdk.sqlite up GET a /x: coverage 100.0 after 0.0"])
        #expect(try open(10, 40) == ["violated sdk.sqlite up GET a /x: coverage 75.0 after 0.0"])
        #expect(try open(36, 40) == ["passed sdk.sqlite up GET a /x: coverage 10.0 after 0.0"])
        #expect(try open(40, 10) == ["passed sdk.sqlite up GET a /x: coverage 0.0 after 75.0"])
        #expect(try open(40, 40) == [])
        // Without a row in the baseline there is nothing to compare.
        #expect(try open(0, 0) == [])
    }

    @Test("pass where nothing changed, and compare every metric of every subject")
    func unchanged() throws {
        let sample = SampleAccuracy()
        let outcomes = try check(sample, "baseline old.json", sample)
        #expect(outcomes.allSatisfy { $0.hasPrefix("passed") || $0.hasPrefix("notApplicable") }, "\(outcomes)")
        #expect(
            outcomes == [
                "passed up: wire-per-call 600.0 after 600.0",
                "passed up GET a /x: wire-per-call 600.0 after 600.0",
                "passed up POST a /y: wire-per-call 600.0 after 600.0",
                "passed sdk.sqlite up: bias -2.0 after -2.0", "passed sdk.sqlite up: error 2.0 after 2.0",
                "passed sdk.sqlite up: coverage 40.0 after 40.0",
                "passed sdk.sqlite up GET a /x: bias -2.0 after -2.0",
                "passed sdk.sqlite up GET a /x: error 2.0 after 2.0",
                "passed sdk.sqlite up GET a /x: coverage 50.0 after 50.0",
                "passed sdk.sqlite up POST a /y: coverage 0.0 after 0.0",
            ])
        let all = try check(sample, "baseline old.json source *", sample)
        #expect(all.count == 6 + 2 * 3 * 3 + 7)
        #expect(all.allSatisfy { $0.hasPrefix("passed") }, "\(all)")
    }

    /// A baseline in which the log's bias was `before` percent of its 200 bytes.
    private func sample(estimates: Int, calls: Int = 5, wire: Int = 600) -> SampleAccuracy {
        var sample = SampleAccuracy()
        sample.result.totals.removeAll { $0.source == 1 }
        sample.add(source: 1, api: nil, .up, calls: calls, Array(repeating: (estimates, 100), count: 2))
        if let last = sample.result.totals.indices.last {
            sample.result.totals[last].coverage.wireBytes = calls * wire
        }
        return sample
    }

    @Test(
        "are violated by what became worse by more than the tolerance",
        arguments: [
            (98, 5, 600, "", 0), (99, 5, 600, "", 1), (97, 5, 600, "", 0), (102, 5, 600, "", 0), (101, 5, 600, "", 1),
            (99, 5, 600, "within 1%", 0), (99, 5, 600, "within 0.99%", 1), (98, 5, 599, "", 1),
            (98, 5, 599, "within 0.2%", 0),
            (98, 5, 601, "", 0), (99, 5, 500, "", 2), (99, 5, 500, "within 20%", 0),
            // That 2 of 4 calls were recorded and now 2 of 5 is chance.
            (98, 4, 600, "", 0),
        ])
    func worse(estimates: Int, calls: Int, wire: Int, tolerance: String, violations: Int) throws {
        let policy = "baseline old.json up \(tolerance) source sdk.sqlite"
        let then = sample(estimates: estimates, calls: calls, wire: wire)
        let outcomes = try check(SampleAccuracy(), policy, then)
        #expect(outcomes.count { $0.hasPrefix("violated") } == violations, "\(outcomes)")
    }

    @Test("list what is new, and do not judge it")
    func newAPIs() throws {
        var then = SampleAccuracy()
        then.result.apis[0] = "POST a /old"
        let outcomes = try check(SampleAccuracy(), "baseline old.json", then)
        #expect(outcomes.first == "notApplicable POST a /y: new")
        #expect(outcomes.contains("notApplicable sdk.sqlite up POST a /y: not in the baseline \"old.json\""))
        #expect(outcomes.allSatisfy { !$0.hasPrefix("violated") }, "\(outcomes)")
        #expect(
            try check(SampleAccuracy(), "baseline old.json api /y", then).last
                == "violated: nothing in the baseline \"old.json\" could be compared")
    }

    @Test("are violated by a log that the baseline lacks")
    func newLog() throws {
        let outcomes = try check(SampleAccuracy(), "baseline old.json", SampleAccuracy(logs: false))
        let why =
            "violated: no log of this run has the name of one in the baseline \"old.json\": here \"sdk.sqlite\", there no "
            + "log; give each log file the name that it has there, or compare one log with one"
        #expect(outcomes == [why])
        let simulated = try check(SampleAccuracy(), "baseline old.json source *", SampleAccuracy(logs: false))
        #expect(simulated.last == "violated sdk.sqlite: not in the baseline \"old.json\"")
        #expect(simulated.count { $0.hasPrefix("violated") } == 1)
    }

    @Test("hold one log against one, whatever their files are called")
    func otherName() throws {
        var then = sample(estimates: 99)
        for index in then.result.sources.indices where then.result.sources[index].kind == .log {
            then.result.sources[index].id = "monday.sqlite"
        }
        let outcomes = try check(SampleAccuracy(), "baseline old.json up", then)
        #expect(outcomes.count { $0.hasPrefix("violated sdk.sqlite up") } == 1, "\(outcomes)")
        then.result.sources.append(AccuracySource(id: "tuesday.sqlite", title: "", kind: .log, note: ""))
        let several = try check(SampleAccuracy(), "baseline old.json up", then)
        #expect(several.count == 1)
        #expect(
            several.first?.contains("here \"sdk.sqlite\", there \"monday.sqlite\", \"tuesday.sqlite\"; give") == true,
            "\(several)")
    }

    @Test(
        "refuse what is no result",
        arguments: [
            ("", "the JSON ends too early at byte 0"), ("[]", "expected an object at byte 1"),
            ("{}", "it has no schema"), ("{\"schema\":\"wireaudit.audit/1\"}", "its schema is \"wireaudit.audit/1\""),
            ("{\"rows\":[{}]}", "a row has no source or no direction at byte 11"),
            ("{\"rows\":{}}", "expected an array at byte 9"),
            ("{\"rows\":[{\"source\":7}]}", "expected a string at byte 20"),
            ("{\"rows\":[{\"coverage\":{\"calls\":1.5}}]}", "expected a whole number at byte 33"),
            (
                "{\"rows\":[{\"wire\":{\"count\":99999999999999999999}}]}",
                "expected a whole number at byte 46"
            ),
            ("{\"rows\":[{\"wire\":{\"mean_absolute\":1e999}}]}", "expected a number at byte 39"),
            ("{\"a\":nul}", "the JSON has a word other than true, false and null at byte 5"),
        ])
    func refuses(json: String, what: String) {
        let found = #expect(throws: PolicyError.self) { try AccuracyBaseline(json: Array(json.utf8)) }
        #expect(found?.message == "not an output of wireaudit accuracy --format json (wireaudit.accuracy/1): \(what)")
    }

    @Test("refuse a result that was cut, at any byte")
    func cut() throws {
        let bytes = Array(json(SampleAccuracy()).utf8)
        #expect(try AccuracyBaseline(json: bytes).sources == ["dm", "sdk.sqlite"])
        for length in bytes.indices {
            #expect(throws: PolicyError.self, "\(length)") { try AccuracyBaseline(json: Array(bytes[..<length])) }
        }
    }

    @Test("read escaped text as it was")
    func escapes() throws {
        let json =
            #"{"schema":"wireaudit.accuracy/1","apis":[{"api":"\"\\\/\b\f\n\r\té\u00e9\ud83d\ude00\ud800x\udc00"}]}"#
        let baseline = try AccuracyBaseline(json: Array(json.utf8))
        #expect(baseline.apis == ["\"\\/\u{8}\u{C}\n\r\téé😀\u{FFFD}x\u{FFFD}"])
    }
}
