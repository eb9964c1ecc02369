import Testing
import WireEstimates

@Suite("Loads that fail, and facts that lack")
struct FailureTests {
    private static var cutResponse: SampleMessage {
        var response = FixedExchange.response
        response.isComplete = false
        response.body = body(30, framing: 4, decoded: 700, recompressed: 40)
        return response
    }

    /// Total down without response, and of one that was cut after 30 bytes of gzip, 700 decoded; "R.fail": no record.
    @Test(
        "no response, and a cut one",
        arguments: [
            ("hertz", "R.fail", "R.fail"), ("newrelic", "R.fail", "R.fail"), ("networkeye", "0", "-1"),
            ("godeye", "0", "-1"), ("wedjat", "0", "930"), ("dokit", "0", "930"), ("mtnm", "0", "236"),
            ("mtnm:os=pre13", "0", "700"), ("dada", "0", "700"), ("pps", "0", "700"), ("drd", "0", "232"),
            ("netfox", "nil", "nil"), ("flex", "0", "700"), ("wormholy", "0", "236"), ("pulse", "0", "236"),
            ("firebase", "nil", "nil"), ("sentry", "0", "700"), ("datadog", "0", "700"),
            ("sentry:figure=encoded", "nil", "30"),
            ("sentry:figure=transfer", "nil", "236"), ("datadog:figure=content", "nil", "30"), ("har", "nil", "232"),
            ("har-chrome", "nil", "236"), ("okhttp", "nil", "nil"), ("cfnetwork", "0", "236"), ("dm", "0", "233"),
            ("otel", "nil", "236"), ("otel:figure=body", "nil", "30"),
        ])
    func failed(text: String, without: String, cut: String) throws {
        func figure(_ exchange: ObservedExchange) throws -> String {
            guard case .recorded(_, let down) = try estimator(text).estimate(exchange) else {
                return try outcome(text, exchange)
            }
            return down?.total.map { "\($0)" } ?? "nil"
        }
        #expect(try figure(exchange(FixedExchange.request, nil)) == without)
        #expect(try figure(exchange(FixedExchange.request, Self.cutResponse)) == cut)
    }

    @Test("a body given to the loader counts whole, however little was sent")
    func cutRequest() throws {
        var request = FixedExchange.request
        request.isComplete = false
        request.body = body(10)
        let sample = exchange(request, nil)
        for text in ["dada", "wedjat", "dm:body=data", "dokit"] {
            let up = try #require(try recorded(text, sample).up)
            #expect(up.body == 28, "\(text)")
            #expect(up.causes[.failure] == 18)
        }
        for text in ["pulse", "sentry", "har"] { #expect(try recorded(text, sample).up?.body == 10, "\(text)") }
        // Without a length the size is not known.
        request.lines[8] = "Transfer-Encoding: chunked\r\n"
        #expect(try outcome("dada", exchange(request, nil)) == "unknown")
        // More was sent than the length says: at least that was there.
        request.lines[8] = "Content-Length: 5\r\n"
        #expect(try recorded("dada", exchange(request, nil)).up?.body == 10)
        // What the SDK's gzip makes of the whole is not known from a part.
        request.lines[8] = "Content-Length: 28\r\n"
        request.lines.append("Content-Encoding: gzip\r\n")
        request.body.recompressed = 7
        #expect(try outcome("dm", exchange(request, nil)) == "unknown")
        request.lines.removeLast()
        // An absurd length is none.
        request.lines[8] = "Content-Length: 999999999999999999\r\n"
        #expect(try outcome("dada", exchange(request, nil)) == "unknown")
    }

    @Test("a response that could not be decoded gives no figure where one needs it")
    func undecoded() throws {
        var response = FixedExchange.response
        response.body.decoded = nil
        let sample = exchange(FixedExchange.request, response)
        for text in ["dm", "hertz", "wedjat", "dada", "sentry", "networkeye:ecl=decoded"] {
            #expect(try outcome(text, sample) == "unknown", "\(text)")
        }
        for text in ["networkeye", "har", "okhttp", "pulse", "drd"] {
            #expect(try outcome(text, sample) == "recorded", "\(text)")
        }
        // A transfer coding is undone by the platform too.
        response.lines[2] = "Transfer-Encoding: gzip, chunked\r\n"
        response.lines[1] = "Via: x\r\n"
        #expect(try outcome("hertz", exchange(FixedExchange.request, response)) == "unknown")
        // A coding that no platform knows is delivered as it came.
        response.lines[2] = "Transfer-Encoding: chunked\r\n"
        response.lines[1] = "Content-Encoding: aws-chunked\r\n"
        #expect(try recorded("hertz", exchange(FixedExchange.request, response)).down?.total == 66)
    }

    @Test("without request there is no record, but for counters of bytes")
    func withoutRequest() throws {
        var sample = FixedExchange.exchange
        sample.request = nil
        for description in EstimatorCatalog.descriptions where description.isSimulated {
            let isCounter = ["interceptor-sample", "android-uid", "matrix"].contains(description.id)
            #expect(try outcome(description.id, sample) == (isCounter ? "recorded" : "unknown"))
        }
    }

    @Test("interim responses are not recorded, but for Chrome's body size")
    func interim() throws {
        var response = FixedExchange.response
        response.interim = 25
        let sample = exchange(FixedExchange.request, response)
        for text in ["dm", "wedjat", "hertz", "pulse", "har", "okhttp"] {
            #expect(try recorded(text, sample).down?.causes[.retry] == -25, "\(text)")
        }
        let chrome = try recorded("har-chrome", sample).down
        #expect(chrome?.figures == [nil, 202, 102, 304])
        // Of a 304 its body size is 0 all the same.
        response.startLine = "HTTP/1.1 304 OK"
        response.body = body(0)
        let unchanged = try recorded("har-chrome", exchange(FixedExchange.request, response)).down
        #expect(unchanged?.figures == [nil, 202, 0, 202])
        #expect(unchanged?.causes.byName == ["R.retry": -25])
    }

    @Test(
        "expected lengths",
        arguments: [
            ("Content-Length: 12", "unknown", 12), ("Content-Length: x", "unknown", -1),
            ("Content-Length: -5", "unknown", -1), ("Content-Length: 99999999999999999999", "unknown", -1),
            ("Content-Length: 2000000000000", "unknown", -1), ("Server: x", "unknown", -1),
            ("Content-Encoding: gzip", "unknown", -1), ("Content-Encoding: gzip", "decoded", 40),
            ("Content-Encoding: gzip\r\nContent-Length: 12", "unknown", -1),
            ("Content-Encoding: gzip\r\nContent-Length: 12", "contentLength", 12),
            ("Content-Encoding: identity\r\nContent-Length: 12", "unknown", 12),
            ("Content-Encoding: aws\r\nContent-Length: 12", "unknown", 12),
            ("Transfer-Encoding: chunked\r\nContent-Length: 12", "unknown", -1),
            ("Content-Length: 12\r\nContent-Length: 12", "unknown", 12),
            ("Content-Length: 12\r\nContent-Length: 13", "unknown", -1),
        ])
    func expectedLength(fields: String, rule: String, length: Int) throws {
        let lines = fields.split(separator: "\r\n").map(String.init)
        let response = SampleMessage("HTTP/1.1 200 OK", lines, body: body(12, decoded: 40))
        let down = try recorded("networkeye:ecl=\(rule)", exchange(FixedExchange.request, response)).down
        #expect(down?.total == length)
    }

    @Test("DoKit and the answer to HEAD: the expected length counts, though no body comes")
    func head() throws {
        let response = SampleMessage("HTTP/1.1 200 OK", ["Content-Length: 5000"])
        let down = try #require(
            try recorded("dokit", exchange(SampleMessage("HEAD / HTTP/1.1", ["Host: h"]), response)).down)
        #expect(down.body == 5000)
        #expect(down.causes[.expectedLength] == 5000)
    }

    @Test("DoKit leaves multipart requests alone, and can lose empty ones")
    func dokitScope() throws {
        var request = FixedExchange.request
        request.lines[1] = "Content-Type: multipart/form-data; boundary=b\r\n"
        #expect(try outcome("dokit", exchange(request, FixedExchange.response)) == "S.scope")
        var empty = FixedExchange.request
        empty.body = body(0)
        #expect(try outcome("dokit", exchange(empty, FixedExchange.response)) == "recorded")
        #expect(try outcome("dokit:emptyPost=lost", exchange(empty, FixedExchange.response)) == "S.scope")
        #expect(try outcome("dokit:emptyPost=lost", FixedExchange.exchange) == "recorded")
    }

    @Test(
        "netfox counts text and images",
        arguments: [
            ("text/plain", true, 66), ("application/octet-stream", false, nil), ("image/png", false, 66),
        ] as [(String, Bool, Int?)])
    func netfox(type: String, isText: Bool, total: Int?) throws {
        var response = SampleMessage("HTTP/1.1 200 OK", ["Content-Type: \(type)"], body: body(66))
        response.body.isText = isText
        #expect(try recorded("netfox", exchange(FixedExchange.request, response)).down?.total == total)
        response.body.isText = nil
        let unclear = try outcome("netfox", exchange(FixedExchange.request, response))
        #expect(unclear == (type == "image/png" ? "recorded" : "unknown"))
    }

    @Test("fields that an SDK adds are known by their names")
    func addedFields() throws {
        var request = FixedExchange.request
        request.lines += ["Interceptor Version: 1.0.1\r\n", "sentry-trace: abc\r\n", "x-datadog-trace-id: 1\r\n"]
        request.lines += ["newrelic: abc\r\n", "x-datadog-\r\n"]
        let observed = request.request
        let expected = ["interceptor-sample": 28, "sentry": 19, "datadog": 23, "newrelic": 15]
        for description in EstimatorCatalog.descriptions where description.isSimulated {
            #expect(try estimator(description.id).addedBytes(observed) == expected[description.id] ?? 0)
        }
    }
}
