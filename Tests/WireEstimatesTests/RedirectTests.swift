import Testing
import WireEstimates

@Suite("Redirections, hop by hop")
struct RedirectTests {
    private static let first = SampleMessage("GET /r HTTP/1.1", ["Host: api.example.com", "Accept: */*"])
    private static let second = SampleMessage("GET /s HTTP/1.1", ["Host: api.example.com", "Accept: */*"])
    static let hop = exchange(first, SampleMessage("HTTP/1.1 302 Found", ["Location: /s", "Content-Length: 0"]))
    static let final = exchange(
        second, SampleMessage("HTTP/1.1 200 OK", ["Content-Length: 5", "Content-Type: text/plain"], body: body(5)),
        redirectedFrom: first)

    /// What the SDK has for both hops together; nil where it has no figure for either.
    private func sum(_ text: String, _ exchanges: [ObservedExchange]) throws -> (up: Int?, down: Int?) {
        var up: Int?
        var down: Int?
        for exchange in exchanges {
            guard case .recorded(let request, let response) = try estimator(text).estimate(exchange) else { continue }
            if let total = request?.total { up = (up ?? 0) + total }
            if let total = response?.total { down = (down ?? 0) + total }
        }
        return (up, down)
    }

    @Test(
        "sums over the hops are what the SDK has for the task",
        arguments: [
            ("pulse", 110, 124), ("pulse:figure=bodies", 0, 5), ("mtnm", 55, 55), ("mtnm:redirects=allHops", 110, 124),
            ("mtnm:os=pre13", 0, 5), ("datadog", nil, 5), ("firebase", 0, 5), ("networkeye", nil, 5),
            ("godeye", nil, 5), ("hertz", 0, 5), ("sentry", 0, 5), ("newrelic", 0, 5),
            ("newrelic:figure=definition", 55, 69), ("sentry:figure=encoded", 0, 5), ("flex", 0, 5),
            ("netfox", 0, 5), ("wormholy", 110, 124), ("har", 110, 124), ("har-chrome", 110, 124),
            ("okhttp", 0, 5), ("cfnetwork", 110, 124), ("matrix", 110, 124), ("otel", 110, 124), ("netlog", 110, 124),
            // Rows of the first request twice; headers of Location and Content-Length, then the final response's.
            ("dm", 32, 112), ("dm:redirectRow=none", 32, 63),
        ] as [(String, Int?, Int?)])
    func sums(text: String, up: Int?, down: Int?) throws {
        let total = try sum(text, [Self.hop, Self.final])
        #expect(total.up == up)
        #expect(total.down == down)
    }

    @Test(
        "a hop that is lost is lost to the redirection",
        arguments: ["networkeye", "godeye", "hertz", "wedjat", "dokit", "datadog", "firebase", "sentry", "newrelic"])
    func lostHop(text: String) throws {
        #expect(try outcome(text, Self.hop) == "R.redirect")
        #expect(try outcome(text, Self.final) == "recorded")
    }

    @Test("MTNM keeps the first hop, or all")
    func hopsOfMTNM() throws {
        #expect(try outcome("mtnm", Self.hop) == "recorded")
        #expect(try outcome("mtnm", Self.final) == "R.redirect")
        #expect(try outcome("mtnm:redirects=allHops", Self.final) == "recorded")
    }

    @Test("DM's row of the new request has the lengths of the request before")
    func requestRow() throws {
        var post = FixedExchange.request
        post.lines.removeAll { $0.hasPrefix("Cookie") }
        let final = exchange(Self.second, FixedExchange.response, redirectedFrom: post)
        let up = try #require(try recorded("dm:body=data", final).up)
        #expect(up.figures == [28, 155, 28, 211])
        #expect(up.causes.sum == 211 - 55)
        #expect(up.causes[.redirect] == 287 - 55)
    }

    @Test("the body of a 3xx response is not counted by DM, FLEX and OkHttp")
    func redirectBody() throws {
        let response = SampleMessage(
            "HTTP/1.1 301 Moved", ["Location: /s", "Transfer-Encoding: chunked"], body: body(90, framing: 12))
        let hop = exchange(Self.first, response)
        for text in ["dm", "flex", "okhttp", "okhttp:total=all"] {
            let down = try #require(try recorded(text, hop).down)
            #expect(down.body == 0)
            #expect(down.causes[.redirect] == -90, "\(text)")
        }
    }

    @Test("a 3xx response without Location is no redirection")
    func withoutLocation() throws {
        let sample = exchange(Self.first, SampleMessage("HTTP/1.1 302 Found", ["Content-Length: 0"]))
        #expect(try outcome("hertz", sample) == "recorded")
    }
}
