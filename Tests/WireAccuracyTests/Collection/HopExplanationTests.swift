import Testing
import WireEstimates

@testable import WireAccuracy
@testable import WireLogs

/// Hops of a redirection, of which a log may have a row each: the causes of their errors.
@Suite("What explains the figures of a redirection's hops")
struct HopExplanationTests {
    private static func section(_ fields: HeaderFields) -> Int { fields.fields.reduce(2) { $0 + $1.wireLength } }

    private func request(_ path: String, query: String? = nil) -> ObservedRequest {
        let fields = HeaderFields([("Host", "h"), ("User-Agent", "Test/1.0"), ("Accept", "*/*")])
        let target = path + (query.map { "?" + $0 } ?? "")
        return ObservedRequest(
            method: Array("GET".utf8), path: Array(path.utf8), query: query.map { Array($0.utf8) }, fields: fields,
            startLine: "GET  HTTP/1.1\r\n".utf8.count + target.utf8.count, headers: Self.section(fields),
            body: ObservedBody())
    }

    private func exchange(
        _ number: Int, path: String = "/a", query: String? = nil, redirects: Bool = false
    ) -> ObservedExchange {
        let size = 100 + number
        let location = redirects ? [("Location", "/b")] : []
        let fields = HeaderFields([("Content-Length", "\(size)"), ("Server", "s\(number)")] + location)
        let status = redirects ? "302 Found" : "200 OK"
        let line = "HTTP/1.1 \(status)".utf8.count
        return ObservedExchange(
            host: Array("h".utf8), request: request(path, query: query),
            response: ObservedResponse(
                status: redirects ? 302 : 200, statusText: line, fields: fields, startLine: line + 2,
                headers: Self.section(fields), body: ObservedBody(content: size, decoded: size)))
    }

    private func logged(_ formula: String, _ exchange: ObservedExchange, _ direction: Direction) throws -> LoggedBytes {
        let chosen = try #require(EstimatorCatalog.choose(formula).first)
        var logged = LoggedBytes()
        guard case .recorded(let up, let down) = chosen.estimator.estimate(exchange) else { return logged }
        let estimate = try #require(direction == .up ? up : down)
        (logged.startLine, logged.headers, logged.body) = (estimate.startLine, estimate.headers, estimate.body)
        logged.total = estimate.total
        return logged
    }

    private func model(_ format: SDKLogFormat, _ formula: String) throws -> LogModel {
        var model = LogModel(format)
        for number in 0..<40 {
            for direction in Direction.allCases {
                model.learn(try logged(formula, exchange(number), direction), exchange(number), direction)
            }
        }
        model.settle()
        return model
    }

    private func explain(
        _ model: LogModel, _ logged: LoggedBytes, _ exchange: ObservedExchange, _ direction: Direction
    ) -> (causes: CauseLedger, isWhole: Bool) {
        var counts = (explained: 0, compared: 0)
        let message = (direction == .up ? exchange.request?.message : exchange.response?.message) ?? 0
        let causes = model.explain(logged, exchange, direction, message, tellsFailure: false, &counts)
        return (causes, counts.compared > 0 && counts.explained == counts.compared)
    }

    private static let dm = "dmurlprotocol:gate=both:headers=min"

    @Test("a second hop that is measured by itself has its own causes, the dropped query among them")
    func secondHop() throws {
        let model = try model(.dmNDJSON, Self.dm)
        let alone = exchange(3, path: "/config/v3", query: "from=config")
        var hop = alone
        hop.redirectedFrom = request("/config")
        let own = try logged(Self.dm, alone, .up)
        let found = explain(model, own, hop, .up)
        #expect(found.isWhole && found.causes[.unexplained] == 0)
        #expect(found.causes.posts.map(\.cause) == explain(model, own, alone, .up).causes.posts.map(\.cause))
        #expect(found.causes[.startLineEnd] == -1 && found.causes[.fieldsMissing] < 0)
        // The lengths of the request before are the published formula's.
        let task = explain(model, try logged(Self.dm, hop, .up), hop, .up)
        #expect(task.isWhole && task.causes[.redirect] != 0)
        // A figure that neither reading gives stays unexplained.
        var wrong = own
        (wrong.startLine, wrong.total) = (99, own.total.map { $0 - (own.startLine ?? 0) + 99 })
        let open = explain(model, wrong, hop, .up)
        #expect(!open.isWhole && open.causes[.unexplained] != 0)
    }

    @Test("the body of a redirection that a browser follows is read by nobody")
    func redirectBody() throws {
        let model = try model(.har, "har-chrome:writer=devtools")
        let redirect = exchange(7, redirects: true)
        var row = try logged("har-chrome:writer=devtools", redirect, .down)
        row.total = row.total.map { $0 - 107 }
        row.body = 0
        let found = explain(model, row, redirect, .down)
        #expect(found.isWhole)
        #expect(found.causes.posts.map(\.cause) == [.redirect] && found.causes[.redirect] == -107)
    }

    @Test("a row of a hop that the formula leaves out is explained as the call that it is")
    func firstHop() throws {
        let model = try model(.datadog, "datadog:figure=content")
        let redirect = exchange(7, redirects: true)
        var row = LoggedBytes()
        row.total = 107
        let found = explain(model, row, redirect, .down)
        #expect(found.isWhole && found.causes[.unexplained] == 0)
    }
}
