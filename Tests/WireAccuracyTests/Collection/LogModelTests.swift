import Testing
import WireEstimates

@testable import WireAccuracy
@testable import WireJoin
@testable import WireLogs

@Suite("What explains the figures of a log")
struct LogModelTests {
    private static let formula = "dmurlprotocol:gate=both:headers=min:te=chunked"

    /// A call whose sizes differ from those of others; `arrived` of the body's bytes came.
    private func exchange(_ number: Int, status: Int = 200, arrived: Int? = nil) -> ObservedExchange {
        let request = HeaderFields([("Host", "h"), ("X-Id", "\(number * number)"), ("User-Agent", "Test/1.0")])
        let size = 100 + number
        let response = HeaderFields([("Content-Length", "\(size)"), ("Server", "s\(number)")])
        func section(_ fields: HeaderFields) -> Int { fields.fields.reduce(2) { $0 + $1.wireLength } }
        let body = arrived ?? size
        return ObservedExchange(
            host: Array("h".utf8),
            request: ObservedRequest(
                method: Array("GET".utf8), path: Array("/a".utf8), query: nil, fields: request, startLine: 17,
                headers: section(request), body: ObservedBody()),
            response: ObservedResponse(
                status: status, statusText: 15, fields: response, startLine: 17, headers: section(response),
                body: ObservedBody(content: body, decoded: body), isComplete: arrived == nil))
    }

    private func logged(_ exchange: ObservedExchange, _ direction: Direction) throws -> LoggedBytes {
        let chosen = try #require(EstimatorCatalog.choose(Self.formula).first)
        guard case .recorded(let up, let down) = chosen.estimator.estimate(exchange) else { return LoggedBytes() }
        let estimate = try #require(direction == .up ? up : down)
        var logged = LoggedBytes()
        logged.startLine = estimate.startLine
        logged.headers = estimate.headers
        logged.body = estimate.body
        logged.total = estimate.total
        return logged
    }

    /// A model that has learned from so many calls.
    private func model(_ count: Int, change: (Int, inout LoggedBytes) -> Void = { _, _ in }) throws -> LogModel {
        var model = LogModel(.dmNDJSON)
        for number in 0..<count {
            let exchange = exchange(number)
            for direction in Direction.allCases {
                var bytes = try logged(exchange, direction)
                if direction == .down { change(number, &bytes) }
                model.learn(bytes, exchange, direction)
            }
        }
        model.settle()
        return model
    }

    private func explain(
        _ model: LogModel, _ logged: LoggedBytes, _ exchange: ObservedExchange, _ direction: Direction = .down,
        tellsFailure: Bool = false
    ) -> CauseLedger {
        var counts = (explained: 0, compared: 0)
        let message = (direction == .up ? exchange.request?.message : exchange.response?.message) ?? 0
        return model.explain(logged, exchange, direction, message, tellsFailure: tellsFailure, &counts)
    }

    private func row(_ startLine: Int, _ headers: Int, _ body: Int) -> LoggedBytes {
        var row = LoggedBytes()
        (row.startLine, row.headers, row.body, row.total) = (startLine, headers, body, startLine + headers + body)
        return row
    }

    @Test("a row is judged once 20 figures are learned, half of them exact")
    func judged() throws {
        let call = exchange(7)
        let right = try logged(call, .down)
        var wrong = right
        wrong.headers = (right.headers ?? 0) + 3
        #expect(try model(19).misfit(right, call, .down) == nil)
        #expect(try model(20).misfit(right, call, .down)?.cost == 0)
        #expect(try model(20).misfit(wrong, call, .down)?.cost == FigureMisfit.rare)
        let half = try model(40) { if $0 < 20 { $1.headers = $0 } }
        #expect(half.misfit(right, call, .down)?.cost == 0)
        #expect(try model(40) { if $0 < 21 { $1.headers = $0 } }.misfit(right, call, .down) == nil)
    }

    @Test("a log of totals is judged only where nine of ten are exact", arguments: [(4, true), (5, false)])
    func totals(wrong: Int, isJudged: Bool) throws {
        let estimator = try #require(EstimatorCatalog.choose("dokit").first).estimator
        var model = LogModel(.dokit)
        var last = LoggedBytes()
        for number in 0..<40 {
            guard case .recorded(_, let down) = estimator.estimate(exchange(number)) else {
                Issue.record("exchange \(number) is not recorded")
                return
            }
            last.total = try #require(down?.total)
            var bytes = last
            if number % 8 < 1, number / 8 < wrong { bytes.total = 7 }
            model.learn(bytes, exchange(number), .down)
        }
        model.settle()
        let misfit = model.misfit(last, exchange(39), .down)
        #expect(misfit?.cost == (isJudged ? 0 : nil))
        last.total = 1
        #expect(model.misfit(last, exchange(39), .down)?.cost == (isJudged ? FigureMisfit.rare : nil))
    }

    @Test(
        "a figure whose name is defined is held against that definition",
        arguments: [
            (.otlp, .responseBody, "otel:figure=body"), (.otlp, .responseSize, "otel"),
            (.sentry, .responseBody, "sentry:figure=encoded"), (.sentry, .responseSize, "sentry:figure=transfer"),
            (.datadog, .resourceBody, "datadog:figure=content"),
        ] as [(SDKLogFormat, FigureDefinition, String)])
    func definitions(format: SDKLogFormat, definition: FigureDefinition, id: String) throws {
        var model = LogModel(format, figures: LogFigures(down: definition))
        for number in 0..<5 {
            let exchange = exchange(number)
            var bytes = LoggedBytes()
            bytes.total =
                definition == .responseSize ? exchange.response?.message : exchange.response?.body.content
            model.learn(bytes, exchange, .down)
        }
        model.settle()
        let published = try #require(model.formulas.first { $0.kind == .published && $0.direction == .down })
        #expect(published.id == id)
        #expect(published.exact == 5 && published.compared == 5)
    }

    @Test("figures of zero that the formula gives are no failed call")
    func zerosOfTheFormula() throws {
        var redirect = exchange(3, status: 302)
        redirect.response?.fields = HeaderFields([("Location", "/b"), ("Content-Length", "0")])
        redirect.response?.body = ObservedBody()
        redirect.response?.http2 = HTTP2Costs(fieldBlocks: 60, framing: 18, headerFrames: 9, dataFrames: 9)
        var model = LogModel(.har, writer: .playwright)
        for number in 0..<5 {
            var bytes = LoggedBytes()
            bytes.total = exchange(number).response?.message
            model.learn(bytes, exchange(number), .down)
        }
        model.settle()
        let causes = explain(model, row(0, 0, 0), redirect)
        #expect(causes[.redirect] == -78 && causes.sum == -78)
    }

    @Test("figures of a part count the more the more of that part the formula gives; of several the rarest counts")
    func rarity() throws {
        let call = exchange(7)
        let right = try logged(call, .down)
        let model = try model(40) { if $0 < 8 { $1.headers = $0 } }
        func cost(_ change: (inout LoggedBytes) -> Void) -> Int32? {
            var row = right
            change(&row)
            return model.misfit(row, call, .down)?.cost
        }
        // ln(41 / 8.5) and ln(41 / 0.5).
        #expect(cost { $0.headers = 1 } == 1574)
        #expect(cost { $0.body = 1 } == 4407)
        #expect(cost { ($0.headers, $0.body) = (1, 1) } == 4407)
    }

    @Test(
        "the size of another body is the less likely by chance the farther it is; none is no size",
        arguments: [
            (body: 107, cost: 0), (body: 108, cost: 693), (body: 106, cost: 693), (body: 1107, cost: 6909),
            (body: 0, cost: 0),
        ] as [(body: Int, cost: Int32)])
    func coincidence(_ body: Int, _ cost: Int32) throws {
        let call = exchange(7)
        var row = try logged(call, .down)
        row.body = body
        let misfit = try #require(try model(20).misfit(row, call, .down))
        #expect(misfit.coincidence == cost)
        #expect(misfit.hasBody == (body == 107))
    }

    @Test("a row of zeros is given by a call that was cut, not by a whole one")
    func zeros() throws {
        let model = try model(30)
        #expect(model.misfit(row(0, 0, 0), exchange(3, arrived: 20), .down)?.cost == 0)
        #expect(model.misfit(row(0, 0, 0), exchange(3), .down)?.cost == FigureMisfit.rare)
    }

    @Test("parameters that give no more figures than the published ones are not called fitted")
    func noFit() throws {
        var model = LogModel(.dokit)
        for number in 0..<30 {
            var bytes = LoggedBytes()
            bytes.total = 1_000_003 &* (number + 1)
            for direction in Direction.allCases { model.learn(bytes, exchange(number), direction) }
        }
        model.settle()
        #expect(model.formulas.map(\.kind) == [.published, .published])
        #expect(model.formulas.map(\.direction) == [.up, .down])
        #expect(model.formulas.allSatisfy { $0.exact == 0 && $0.compared == 30 })
        let kinds = try self.model(40).formulas.map(\.kind)
        #expect(kinds == [.published, .fitted, .published])
    }

    @Test("rows of zeros and bytes that were not delivered are R.fail to the byte")
    func failures() throws {
        let model = try model(30)
        for call in [exchange(5), exchange(5, arrived: 60)] {
            let causes = explain(model, row(0, 0, 0), call)
            #expect(causes.posts.map(\.cause) == [.failure])
            #expect(causes[.failure] == -(call.response?.message ?? 0))
        }
        let cut = exchange(5, arrived: 60)
        let given = try logged(cut, .down)
        let causes = explain(model, row(given.startLine ?? 0, given.headers ?? 0, 45), cut)
        #expect(causes[.failure] == -15)
        #expect(causes[.unexplained] == 0)
    }

    @Test("a row that tells a failure by its status is R.fail, whatever columns the log has")
    func failuresByStatus() throws {
        var model = LogModel(.networkeye)
        for number in 0..<30 {
            var bytes = LoggedBytes()
            bytes.total = 100 + number
            model.learn(bytes, exchange(number), .down)
        }
        model.settle()
        var zero = LoggedBytes()
        zero.total = 0
        let call = exchange(5)
        #expect(explain(model, zero, call, tellsFailure: true).posts.map(\.cause) == [.failure])
        #expect(explain(model, zero, call, tellsFailure: true).sum == -(call.response?.message ?? 0))
        #expect(explain(model, zero, call)[.failure] == 0)
    }

    @Test("a request that is counted as if it had no body is B.missing to the byte: it was sent as a stream")
    func streams() throws {
        let model = try model(30)
        var call = exchange(3)
        call.request?.body = ObservedBody(content: 5000, decoded: 5000)
        let given = try logged(exchange(3), .up)
        let causes = explain(model, row(given.startLine ?? 0, given.headers ?? 0, 0), call, .up)
        #expect(causes[.bodyMissing] == -5000)
        #expect(causes[.unexplained] == 0)
        // Any other size stays unexplained.
        let other = explain(model, row(given.startLine ?? 0, given.headers ?? 0, 1), call, .up)
        #expect(other[.bodyMissing] == 0 && other[.unexplained] == -4999)
    }

    @Test("a guessed reason phrase is a cause of its own, and the other parts stay explained")
    func reasons() throws {
        let model = try model(30) { _, bytes in
            bytes.startLine = 21
            bytes.total = (bytes.total ?? 0) + 6
        }
        let call = exchange(4)
        let given = try logged(call, .down)
        let causes = explain(model, row(21, given.headers ?? 0, given.body ?? 0), call)
        #expect(causes[.reasonGuessed] == 6)
        #expect(causes[.unexplained] == 0)
        #expect(causes.sum == (given.total ?? 0) + 6 - (call.response?.message ?? 0))
        #expect(model.formulas.last?.guessedReasons == 30)
        #expect(model.text.contains("own reason phrases for 200"))
    }

    @Test("the published and the fitted formula stand side by side, by half")
    func formulas() throws {
        let formulas = try model(30).formulas
        // Of responses the published parameters give all.
        #expect(formulas.map(\.kind) == [.published, .fitted, .published])
        #expect(formulas[2].exact == formulas[2].compared)
        #expect(formulas[0].id == "dmurlprotocol" && formulas[0].fittingExact < formulas[0].fittingCompared)
        #expect(formulas[1].fittingExact == 45 && formulas[1].confirmingExact == 45)
        #expect(formulas[1].id.contains("headers="))
    }
}

@Suite("What to change in an SDK")
struct AdviceTests {
    @Test("each cause leaves the error that remains without it; unrecorded calls count")
    func remaining() {
        var row = AccuracyRow(source: 0, api: nil, direction: .up)
        row.message.truthTotal = 1000
        row.message.estimateTotal = 900
        row.messageCauses[.fieldsMissing] = -150
        row.messageCauses[.bodyDecoded] = 50
        row.unseen[.failure] = -200
        let advice = row.advice
        #expect(advice.map(\.cause) == [.failure, .fieldsMissing, .bodyDecoded])
        #expect(advice.map(\.remaining) == [-100, -150, -350])
        #expect(advice.map(\.remainingWithAbove) == [-100, 50, 0])
        #expect(advice.allSatisfy { $0.truth == 1200 })
        #expect(advice[0].relativeRemaining == -100.0 / 1200)
    }

    @Test("what no hook can see is apart, and what is not explained has no advice")
    func allowances() {
        var row = AccuracyRow(source: 0, api: nil, direction: .down)
        row.wire.truthTotal = 500
        row.wire.estimateTotal = 400
        row.causes[.tcpip] = -80
        row.causes[.unexplained] = -20
        row.messageCauses[.unexplained] = -20
        #expect(row.advice.isEmpty)
        #expect(row.allowances.map(\.cause) == [.tcpip])
        #expect(row.allowances.first?.remaining == -20)
    }

    @Test("every cause that a change can remove has a sentence of advice")
    func sentences() {
        for cause in ErrorCause.allCases where cause.isMendable {
            #expect(cause.advice?.hasSuffix(".") == true, "\(cause.name)")
        }
        let without = ErrorCause.allCases.filter { $0.advice == nil }
        #expect(without == [.notJoined, .notSampled, .foreignHost, .offload, .link, .unexplained])
    }
}
