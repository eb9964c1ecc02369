import Testing
import WireCore
import WireEstimates
import WireLogs
import WireRecords
import WireReport

private let words = [
    EstimatorDescription(
        id: "one", aliases: ["uno"], title: "The first", evidence: .source, source: "owner/one, One.m",
        sees: "Everything.", cannotSee: "Nothing.", counts: "Request: a. Response: b.",
        parameters: [
            EstimatorDescription.Parameter("body", ["stream", "data"], "Where the body is."),
            EstimatorDescription.Parameter("gate", ["http"], "The scheme."),
        ]),
    EstimatorDescription(
        id: "two", title: "The \u{1B}[31msecond|", evidence: .model, source: "a thought", sees: "A.", cannotSee: "B.",
        counts: "C.", isSimulated: false),
]

@Suite("Estimators and their figures in other reports")
struct AccuracyEstimatesTests {
    private func estimate(_ total: Int?, line: Int? = nil) -> DirectionEstimate {
        var estimate = DirectionEstimate()
        estimate.startLine = line
        estimate.total = total
        return estimate
    }

    private func render(
        _ format: RecordFormat, _ estimates: RecordEstimates?, _ change: (inout ExchangeRecord) -> Void = { _ in },
        options: ReportOptions = ReportOptions()
    ) throws -> String {
        var bytes: [UInt8] = []
        var record = try #require(sampleRecords().exchanges.first)
        change(&record)
        let report = RecordReport(
            .exchanges, format: format, options: options, style: TerminalStyle(width: 120), isForTerminal: false,
            estimates: estimates
        ) { span in
            for index in span.indices { bytes.append(span[index]) }
        }
        report.receive(record)
        report.finish()
        return String(decoding: bytes, as: UTF8.self)
    }

    private var all: RecordEstimates {
        RecordEstimates(names: ["dm:headers=a,b", "far", "dark", "half"]) { _ in
            [
                .recorded(up: estimate(41, line: 30), down: estimate(nil)), .unseen(.scope), .unknown,
                .recorded(up: nil, down: estimate(-1)),
            ]
        }
    }

    @Test("an exchange ends with its estimates; what is unknown is null")
    func json() throws {
        let plain = try render(.ndjson, nil)
        let text = try render(.ndjson, all)
        let ending = """
            ,"estimates":{\
            "dm:headers=a,b":{"up":{"start_line":30,"headers":null,"body":null,"total":41},\
            "down":{"start_line":null,"headers":null,"body":null,"total":null},"unseen":null},\
            "far":{"up":null,"down":null,"unseen":"S.scope"},"dark":null,\
            "half":{"up":null,"down":{"start_line":null,"headers":null,"body":null,"total":-1},"unseen":null}}}

            """
        #expect(plain.hasSuffix(",\"estimates\":null}\n"))
        #expect(text == plain.dropLast(19) + ending)
        _ = try StrictJSON.parse(text)
    }

    @Test("CSV has nine columns more for each estimator")
    func csv() throws {
        let plain = try #require(strictCSV(try render(.csv, nil)))
        let rows = try #require(strictCSV(try render(.csv, all)))
        #expect(rows.map(\.count) == plain.map { $0.count + 36 })
        #expect(zip(rows, plain).allSatisfy { Array($0.prefix($1.count)) == $1 })
        let columns = Dictionary(uniqueKeysWithValues: zip(rows[0], rows[1]))
        #expect(columns["estimates_dm_headers_a_b_up_start_line"] == "30")
        #expect(columns["estimates_dm_headers_a_b_up_total"] == "41")
        #expect(columns["estimates_dm_headers_a_b_down_total"] == "")
        #expect(columns["estimates_far_unseen"] == "S.scope")
        #expect(columns["estimates_dark_unseen"] == "" && columns["estimates_dark_up_total"] == "")
        #expect(columns["estimates_half_down_total"] == "-1")
    }

    @Test("a table says where the estimates are")
    func table() throws {
        #expect(try render(.table, all).contains("ndjson or csv shows the estimates"))
        #expect(try !render(.table, nil).contains("estimates"))
    }

    @Test("up is the client's direction in a record, also where the server asked")
    func reversed() throws {
        let text = try render(.ndjson, all) { $0.isReversed = true }
        let value = try StrictJSON.parse(text)
        #expect(value["estimates"]?["dm:headers=a,b"]?["down"]?["total"]?.integer == 41)
        #expect(value["estimates"]?["half"]?["up"]?["total"]?.integer == -1)
    }

    @Test("estimators see every exchange once in the order of time, also those that are not shown")
    func order() throws {
        var seen: [Int] = []
        var options = ReportOptions()
        options.selection = Selection(apis: ["/v1/items"])
        let report = RecordReport(
            .exchanges, format: .ndjson, options: options, style: TerminalStyle(), isForTerminal: false,
            estimates: RecordEstimates(names: ["x"]) { record in
                seen.append(record.exchange)
                return [.unknown]
            }, write: { _ in })
        for number in [2, 0, 1] {
            var record = try #require(sampleRecords().exchanges.first)
            record.exchange = number
            record.time += Int64(number)
            if number == 1 { record.api = Array("GET other /".utf8) }
            report.receive(record)
        }
        report.finish()
        #expect(seen == [0, 1, 2])
        #expect(report.count == 2)
    }

    @Test("an audit's APIs get sums of each estimator; without estimators there are none")
    func audit() throws {
        let plain = auditJSON(sampleAudit(), options: ReportOptions()).text
        var sums = AuditEstimates([
            AuditEstimates.Estimator(id: "one", title: "The first", parameters: "body=stream"),
            AuditEstimates.Estimator(id: "two", title: "The second", parameters: ""),
        ])
        let name = "POST api.example.com /v1/orders"
        sums.add([.recorded(up: estimate(100), down: nil), .unseen(.scope)], api: name)
        sums.add([.recorded(up: estimate(nil), down: estimate(7)), .unknown], api: name)
        let text = auditJSON(sampleAudit(), options: ReportOptions(), AuditAdditions(estimates: sums)).text
        let value = try StrictJSON.parse(text)
        let api = try #require(value["apis"]?.array.first { $0["api"]?.string == name })
        #expect(api["estimates"]?["one"]?["up"]?["total"]?.integer == 100)
        #expect(api["estimates"]?["one"]?["up"]?["calls"]?.integer == 2)
        #expect(api["estimates"]?["one"]?["down"]?["total"]?.integer == 7)
        #expect(api["estimates"]?["two"]?["up"]?["total"] == .null)
        #expect(value["estimators"]?["one"]?["parameters"]?.string == "body=stream")
        let stripped = text.replacing(/"estimat(es|ors)":\{("[a-z]+":\{[^{}]*(\{[^{}]*\}[^{}]*)*\},?)*\}/) {
            "\"estimat\($0.output.1)\":null"
        }
        #expect(stripped == plain)
    }

    @Test("the list of estimators is compact first, then in full")
    func list() {
        let text = estimatorsText(words, style: TerminalStyle(width: 60), id: nil).text
        #expect(
            text == """
                SIMULATED ESTIMATORS
                  one  The first  from its source

                ONLY DESCRIBED: COUNT DEVICES OR APPS, NOT EXCHANGES
                  two  The \\x1b[31msecond|  our model

                one · The first
                  also        uno
                  sees        Everything.
                  cannot see  Nothing.
                  counts      Request: a. Response: b.
                  parameters  body=stream (or data): Where the body is.
                              gate=http: The scheme.
                  from        owner/one, One.m (read in the project's
                              source)

                two · The \\x1b[31msecond| · not simulated
                  sees        A.
                  cannot see  B.
                  counts      C.
                  from        a thought (our model: the source gives no byte
                              figures)

                """)
    }

    @Test("one estimator is found by its id or an alias")
    func single() {
        let one = estimatorsText(words, style: TerminalStyle(), id: "uno").text
        #expect(one.hasPrefix("one · The first\n") && !one.contains("two"))
        #expect(
            estimatorsText(words, style: TerminalStyle(), id: "x\u{7}").text == "There is no estimator 'x\\x07'.\n")
    }

    @Test("the real catalogue fits any terminal and is valid JSON", arguments: [40, 80, 133])
    func catalogue(width: Int) throws {
        let ascii = estimatorsText(style: TerminalStyle(width: width, unicode: false)).text
        #expect(ascii.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        for line in estimatorsText(style: TerminalStyle(width: max(width, 60))).text.split(separator: "\n") {
            #expect(displayWidth(String(line)) <= max(width, 60), "\(line)")
        }
        let value = try StrictJSON.parse(estimatorsJSON().text)
        #expect(value["schema"]?.string == "wireaudit.estimators/1")
        let estimators = try #require(value["estimators"]).array
        #expect(estimators.map { $0["id"]?.string } == EstimatorCatalog.descriptions.map { $0.id })
        for estimator in estimators {
            #expect(estimator["parameters"]?.array.allSatisfy { $0["default"] == $0["values"]?.array.first } == true)
        }
    }
}
