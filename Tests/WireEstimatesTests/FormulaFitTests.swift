import Testing
import WireEstimates
import WireTesting

/// A log as an SDK of given parameters would have written it, with some rows that something else changed.
private struct PlantedLog {
    let planted: ChosenEstimator
    let side: MessageSide
    let parts: [FigurePart]
    var rows: [RecordedRow] = []
    /// What the SDK counted, before rows were changed.
    var clean: [RecordedFigures] = []

    init(
        _ text: String, _ side: MessageSide, _ parts: [FigurePart], rows count: Int, seed: UInt64, corrupting: Int = 33
    ) throws {
        planted = try #require(try EstimatorCatalog.choose(text).first)
        self.side = side
        self.parts = parts
        var source = RandomExchange(seed: seed)
        var random = SeededRandom(seed: seed &+ 77)
        // An SDK that makes no statement about a message has no rows.
        for _ in 0..<count * 4 where rows.count < count {
            let exchange = source.next()
            guard let estimate = planted.estimate(exchange, side), estimate.total != nil else { continue }
            var figures = RecordedFigures(estimate)
            clean.append(figures)
            if random.oneIn(corrupting) {
                let error = 1 + random.below(90)
                figures.headers = figures.headers.map { $0 + error }
                figures.total = figures.total.map { $0 + error }
            }
            rows.append(RecordedRow(exchange, figures))
        }
    }

    /// Figures of the second half that are as the SDK counted them.
    var intactLater: Int {
        rows.indices.filter { $0 >= (rows.count + 1) / 2 }.reduce(0) { sum, index in
            sum + parts.filter { clean[index][$0] != nil && clean[index][$0] == rows[index].figures[$0] }.count
        }
    }

    /// Rows for which a formula gives anything else than the SDK counted.
    func differences(_ formula: ChosenEstimator) -> Int {
        zip(rows, clean).count { row, clean in
            let given = formula.estimate(row.exchange, side).map { RecordedFigures($0) }
            return !parts.allSatisfy { clean[$0] == nil || given?[$0] == clean[$0] }
        }
    }
}

private let inParts: [FigurePart] = [.startLine, .headers, .body]

@Suite("Fitting a formula to a log")
struct FormulaFitTests {
    static let families: [(family: String, parts: [FigurePart])] = [
        ("dmurlprotocol:gate=both", inParts), ("dokit", [.total]), ("networkeye", [.total]),
        ("mtnm", [.headers, .body]),
    ]

    @Test(
        "finds any parameters again, or ones with the same figures in every row",
        arguments: 1...3 as ClosedRange<UInt64>)
    func plantedParameters(seed: UInt64) throws {
        for (text, parts) in Self.families {
            let family = try #require(FormulaFamily(text))
            let name = try #require(text.split(separator: ":").first)
            let description = try #require(EstimatorCatalog.descriptions.first { $0.id == name })
            var source = RandomExchange(seed: seed &* 31)
            var choice = source.choice(description)
            if text.contains("gate"), let given = choice.firstRange(of: /:gate=[a-z]+/) { choice.removeSubrange(given) }
            if text.contains("gate") { choice += ":gate=both" }
            for side in MessageSide.allCases {
                let log = try PlantedLog(choice, side, parts, rows: 300, seed: seed)
                if log.rows.isEmpty, name == "networkeye", side == .request { continue }
                let fit = try #require(FormulaFit([family], side, parts, log.rows))
                #expect(
                    log.differences(fit.fitted.formula) == 0,
                    "seed \(seed), planted \(choice), \(side): found \(fit.fitted.formula.id)")
                #expect(fit.fitted.confirming.exact == log.intactLater, "seed \(seed), \(choice), \(side)")
                #expect(fit.published.formula.id.split(separator: ":").first == name)
                #expect(fit.published.score.exact <= fit.fitted.score.exact)
            }
        }
    }

    @Test("finds any set of hidden fields", arguments: 1...4 as ClosedRange<UInt64>)
    func hiddenFields(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let names = [
            "host", "accept", "content-type", "content-encoding", "transfer-encoding", "content-length", "set-cookie",
            "x-trace", "location", "accept-encoding", "user-agent", "connection", "accept-language", "cookie", "x-fold",
        ]
        for family in ["dmurlprotocol:gate=both", "dokit"] {
            let hidden = names.filter { _ in random.oneIn(2) } + ["empty"]
            let parts: [FigurePart] = family == "dokit" ? [.total] : inParts
            let extra = family == "dokit" ? "" : ":emptyLine=\(random.oneIn(2) ? "yes" : "no")"
            let log = try PlantedLog(
                "\(family):headers=\(hidden.joined(separator: "+") + "+" + hidden[0])\(extra)", .request, parts,
                rows: 400, seed: seed)
            let known = try #require(FormulaFamily(family))
            let fit = try #require(FormulaFit([known], .request, parts, log.rows))
            #expect(log.differences(fit.fitted.formula) == 0, "seed \(seed): \(hidden), found \(fit.fitted.formula.id)")
        }
    }

    /// Requests as loaders send them: few shapes, many fields at once, most of them constant.
    @Test("finds hidden fields among requests of few shapes", arguments: 1...4 as ClosedRange<UInt64>)
    func realisticRequests(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let names = ["host", "authorization", "x-request-id", "accept-language", "user-agent", "content-length"]
        let hidden = names.filter { _ in random.oneIn(2) } + ["connection", "accept-encoding"]
        let planted = try #require(
            EstimatorCatalog.choose("dmurlprotocol:gate=both:headers=\(hidden.joined(separator: "+"))").first)
        let rows = (0..<200).map { number -> RecordedRow in
            let exchange = request(number, &random)
            var figures = planted.estimate(exchange, .request).map { RecordedFigures($0) } ?? RecordedFigures()
            if number % 40 == 7 { figures.headers = 40 + random.below(200) }
            return RecordedRow(exchange, figures)
        }
        let family = try #require(FormulaFamily("dmurlprotocol:gate=both"))
        let fit = try #require(FormulaFit([family], .request, inParts, rows))
        #expect(fit.fitted.score.exact == 3 * 200 - 5, "seed \(seed), \(hidden): \(fit.fitted.formula.id)")
    }

    private func request(_ number: Int, _ random: inout SeededRandom) -> ObservedExchange {
        var lines = [
            "Host: api\(number % 3 == 0 ? "" : "-\(number % 3)").example.com", "Accept: */*",
            "Accept-Language: en-GB,en;q=0.9", "Accept-Encoding: gzip, deflate",
            "User-Agent: Shop/3.1 CFNetwork Darwin",
            "Connection: keep-alive", "X-Request-ID: \(random.below(1_000_000))",
            "Cookie: sid=\(random.below(100_000))",
        ]
        if number % 2 == 0 { lines.append("Authorization: Bearer \(String(repeating: "x", count: 20 + number % 7))") }
        if number % 5 == 0 { lines += ["Content-Type: application/json", "Content-Length: \(random.below(2000))"] }
        return ObservedExchange(
            host: Array("h".utf8), request: SampleMessage("GET /v1/items/\(number) HTTP/1.1", lines).request,
            response: nil)
    }

    @Test("one set of parameters stands for both messages where one gives all figures")
    func bothMessages() throws {
        let family = try #require(FormulaFamily("dmurlprotocol:gate=both"))
        let text = "dmurlprotocol:gate=both:headers=min:te=chunked:statusLineEnd=lf"
        let fits = try MessageSide.allCases.map { side in
            let log = try PlantedLog(text, side, inParts, rows: 300, seed: 3)
            return try #require(FormulaFit([family], side, inParts, log.rows))
        }
        let (request, response) = try #require(FormulaFit.joined(fits[0], fits[1]))
        #expect(request.fitted.formula.id == response.fitted.formula.id)
        #expect(Set(request.fitted.formula.id.split(separator: ":")) == Set(text.split(separator: ":")))
    }

    @Test("keeps the published formula for a log that it gives, and names no change")
    func published() throws {
        let family = try #require(FormulaFamily("dmurlprotocol:gate=both"))
        for side in MessageSide.allCases {
            let log = try PlantedLog("dmurlprotocol:gate=both", side, inParts, rows: 250, seed: 9)
            let fit = try #require(FormulaFit([family], side, inParts, log.rows))
            #expect(fit.fitted.formula.id == fit.published.formula.id)
        }
    }
}

@Suite("Reason phrases that an SDK writes itself")
struct GuessedReasonTests {
    /// Responses of a status with the phrase of the server, and the start line that the SDK logged.
    private func rows(_ status: Int, _ phrase: String, logged: Int?, count: Int) throws -> [RecordedRow] {
        let formula = try #require(EstimatorCatalog.choose("dmurlprotocol:gate=both").first)
        return try (0..<count).map { _ in
            let response = SampleMessage("HTTP/1.1 \(status) \(phrase)", ["Server: t"], body: body(5)).response
            let exchange = ObservedExchange(
                host: Array("h".utf8), request: SampleMessage("GET / HTTP/1.1").request, response: response)
            var figures = RecordedFigures(try #require(formula.estimate(exchange, .response)))
            figures.startLine = logged ?? figures.startLine
            return RecordedRow(exchange, figures)
        }
    }

    static let cases: [(name: String, logged: [Int?], found: Bool)] = [
        ("three and more agree in both halves", Array(repeating: 21, count: 8), true),
        ("one row of many differs", Array(repeating: 21, count: 9) + [17], true),
        ("two rows are too few", [21, 21, 21, 21], false),
        (
            "the second half has the server's phrase", Array(repeating: 21, count: 5) + Array(repeating: nil, count: 5),
            false
        ),
        ("rows do not agree", [21, 30, 40, 22, 23, 24, 25, 26, 27, 28], false),
        ("the server's phrase", Array(repeating: nil, count: 10), false),
    ]

    @Test("are found where the rows of a status agree, and confirmed", arguments: cases)
    func found(name: String, logged: [Int?], found: Bool) throws {
        let formula = try #require(EstimatorCatalog.choose("dmurlprotocol:gate=both").first)
        let rows = try logged.flatMap { try self.rows(200, "OK", logged: $0, count: 1) }
        let half = (rows.count + 1) / 2
        let reasons = GuessedReasons(formula, fitting: rows[..<half], confirming: rows[half...])
        #expect(reasons.statuses == (found ? [200] : []))
        #expect(reasons.startLine(rows[0].exchange) == (found ? 21 : nil))
    }

    @Test("stand beside formulas that give the other statuses")
    func beside() throws {
        var rows: [RecordedRow] = []
        for number in 0..<60 {
            // The SDK writes "no error" for 200, and what the server may have sent for others.
            rows +=
                number % 3 == 0
                ? try self.rows(404, "Not Found", logged: nil, count: 1)
                : try self.rows(200, number % 2 == 0 ? "OK" : "Fine", logged: 21, count: 1)
        }
        let family = try #require(FormulaFamily("dmurlprotocol:gate=both"))
        let fit = try #require(FormulaFit([family], .response, inParts, rows))
        #expect(fit.fitted.formula.id == fit.published.formula.id)
        #expect(fit.reasons.statuses == [200])
    }
}
