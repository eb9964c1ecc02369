import Testing
import WireEstimates
import WireTesting

@Suite("All estimators on the fixed exchange over HTTP/2")
struct HTTP2ExchangeTests {
    @Test("the exchange costs what frames of compressed fields cost, while its text is that of HTTP/1.1")
    func sizes() throws {
        let request = try #require(FixedHTTP2Exchange.first.request)
        let response = try #require(FixedHTTP2Exchange.first.response)
        #expect([request.startLine, request.startLine + request.headers, request.message] == [37, 267, 156])
        #expect([response.startLine, response.startLine + response.headers, response.message] == [17, 174, 160])
        #expect(FixedHTTP2Exchange.repeated.request?.message == 57)
        #expect(FixedHTTP2Exchange.repeated.response?.message == 90)
    }

    /// Figures up and down, which do not depend on the exchanges before.
    @Test(
        "figures that text gives are those of HTTP/1.1",
        arguments: [
            ("dm:gate=both", 214, 231), ("networkeye", nil, -1), ("hertz", 0, 2000), ("wedjat", 109, 2194),
            ("dokit", 109, 2194), ("mtnm:os=pre13", 28, 2000), ("dada", 28, 2000), ("pps", 0, 2000),
            ("pps:count=naive", 32, 2000), ("drd", 295, 240), ("drd:responseBody=decoded", 295, 2174),
            ("netfox", 28, 2000), ("flex", 28, 2000), ("pulse:figure=bodies", 28, 2000), ("firebase", 28, 2000),
            ("sentry", 28, 2000), ("datadog", nil, 2000), ("newrelic", 28, 2000), ("newrelic:figure=encoded", 28, 66),
            ("sentry:figure=encoded", 28, 66), ("datadog:figure=content", 28, 66), ("har", 295, 240),
            ("okhttp", 28, 66), ("okhttp:total=all", 256, 221), ("otel:figure=body", 28, 66),
        ] as [(String, Int?, Int?)])
    func text(text: String, up: Int?, down: Int?) throws {
        for (exchange, sent) in [(FixedHTTP2Exchange.first, (156, 160)), (FixedHTTP2Exchange.repeated, (57, 90))] {
            let (request, response) = try recorded(text, exchange)
            #expect(request?.total == up)
            #expect(response?.total == down)
            if let request { #expect(request.causes.sum == (up ?? 0) - sent.0) }
            #expect(response?.causes.sum == (down ?? 0) - sent.1)
        }
    }

    @Test(
        "figures that the system gives are those of the frames",
        arguments: [
            ("mtnm", [nil, 119, 37, 156], [nil, 85, 75, 160]), ("pulse", [nil, 119, 37, 156], [nil, 85, 75, 160]),
            ("wormholy", [nil, 119, 37, 156], [nil, 85, 75, 160]),
            ("mtnm:h2HeaderFraming=excluded", [nil, 110, 37, 147], [nil, 76, 75, 151]),
            ("pulse:h2HeaderFraming=excluded", [nil, 110, 37, 147], [nil, 76, 75, 151]),
            ("wormholy:h2HeaderFraming=excluded", [nil, 110, 37, 147], [nil, 76, 75, 151]),
            ("cfnetwork", [nil, nil, nil, 156], [nil, nil, nil, 160]),
            ("cfnetwork:h2HeaderFraming=excluded", [nil, nil, nil, 147], [nil, nil, nil, 151]),
            ("wormholy:figure=stats", [nil, nil, 37, 37], [nil, nil, 75, 75]),
            ("datadog:figure=encoded", [nil, nil, 37, 37], [nil, nil, 75, 75]),
            ("har-chrome", [nil, nil, 28, 28], [nil, nil, nil, 160]),
            // The text of 267 bytes without query (8) and empty line, and 67 of pseudo-header fields beyond Host.
            ("har-chrome:writer=playwright", [29, 295, 28, 352], [nil, nil, nil, 160]),
            ("otel", [nil, nil, nil, 156], [nil, nil, nil, 160]),
            ("netlog", [nil, nil, 28, 28], [nil, nil, 66, 66]),
            ("qlog", [nil, 110, 28, 138], [nil, 76, 66, 142]),
            ("newrelic:figure=definition", [nil, nil, nil, 156], [nil, nil, nil, 160]),
        ] as [(String, [Int?], [Int?])])
    func frames(text: String, up: [Int?], down: [Int?]) throws {
        let (request, response) = try recorded(text, FixedHTTP2Exchange.first)
        #expect(request?.figures == up)
        #expect(response?.figures == down)
        #expect(request?.causes.sum == (up[3] ?? 0) - 156)
        #expect(response?.causes.sum == (down[3] ?? 0) - 160)
    }

    @Test(
        "sizes by a published definition of whole messages have padding and control frames, those of the system have not",
        arguments: [("otel", true), ("newrelic:figure=definition", true), ("mtnm", false), ("cfnetwork", false)])
    func otherFraming(text: String, isCounted: Bool) throws {
        var exchange = FixedHTTP2Exchange.first
        exchange.request?.http2?.otherFraming = 13
        exchange.response?.http2?.otherFraming = 1877
        let (request, response) = try recorded(text, exchange)
        #expect([request?.total, response?.total] == (isCounted ? [169, 2037] : [156, 160]))
        #expect(request?.causes.byName == (isCounted ? [:] : ["P.h2": -13]))
        #expect(response?.causes.byName == (isCounted ? [:] : ["P.h2": -1877]))
    }

    @Test("OpenTelemetry's response is the final one: interim responses are the retries of the ledger")
    func interim() throws {
        var exchange = FixedHTTP2Exchange.first
        exchange.response?.interim = 27
        let (_, response) = try recorded("otel", exchange)
        #expect(response?.total == 160 - 27 && response?.causes.byName == ["R.retry": -27])
    }

    @Test("the second exchange of a connection costs less, and text counters are the more wrong")
    func position() throws {
        let first = try recorded("drd", FixedHTTP2Exchange.first)
        let repeated = try recorded("drd", FixedHTTP2Exchange.repeated)
        // Fields are 157 bytes off at first and 256 later; 18 bytes of frames are not counted.
        #expect(first.up?.causes.byName == ["P.h2": 157 - 18])
        #expect(repeated.up?.causes.byName == ["P.h2": 256 - 18])
        #expect(first.down?.causes.byName == ["P.h2": 98 - 18])
        #expect(repeated.down?.causes.byName == ["P.h2": 168 - 18])
        #expect(try recorded("mtnm", FixedHTTP2Exchange.repeated).up?.headers == 20)
    }

    @Test(
        "causes",
        arguments: [
            (
                "dm:gate=both",
                [
                    "T.line": -1, "T.hdr": -6, "T.blank": -2, "U.query": -8, "H.missing": -36, "B.missing": -28,
                    "P.h2": 139,
                ], ["T.line": -2, "T.hdr": -5, "T.blank": -2, "P.h2": 80]
            ),
            (
                "wedjat",
                ["L.none": -29, "U.query": -8, "H.missing": -164, "H.format": 17, "T.blank": -2, "P.h2": 139],
                ["L.none": -17, "H.format": 39, "T.blank": -2, "B.decoded": 1934, "P.h2": 80]
            ),
            (
                "hertz", ["H.none": -110, "P.h2": -18, "B.missing": -28],
                ["H.none": -76, "P.h2": -18, "B.decoded": 1934]
            ),
            (
                "networkeye", ["H.none": -110, "P.h2": -18, "B.missing": -28],
                ["H.none": -76, "P.h2": -18, "B.expected": -67]
            ),
            ("okhttp", ["H.none": -110, "P.h2": -18], ["H.none": -76, "P.h2": -18]),
            (
                "okhttp:total=all", ["L.none": -29, "U.query": -8, "T.blank": -2, "P.h2": 139],
                ["L.none": -17, "T.blank": -2, "P.h2": 80]
            ),
            ("mtnm", [:], [:]), ("mtnm:h2HeaderFraming=excluded", ["P.h2": -9], ["P.h2": -9]),
            ("mtnm:metricsChunkedBug=on", [:], [:]), ("har", ["P.h2": 139], ["P.h2": 80]),
            ("har-chrome", ["H.none": -110, "P.h2": -18], [:]),
            ("datadog:figure=encoded", ["H.none": -110, "P.h2": -9], ["H.none": -76, "P.h2": -9]),
        ] as [(String, [String: Int], [String: Int])])
    func causes(text: String, up: [String: Int], down: [String: Int]) throws {
        let (request, response) = try recorded(text, FixedHTTP2Exchange.first)
        #expect(request?.causes.byName == up)
        #expect(response?.causes.byName == down)
    }

    @Test("an SDK that sees plain HTTP only does not see HTTP/2 over TLS")
    func scope() throws {
        #expect(try outcome("dm", FixedHTTP2Exchange.first) == "S.scope")
    }

    @Test("padding and control frames of the stream are in no count; interim responses are not counted")
    func otherFrames() throws {
        var response = SampleMessage("HTTP/2 200", ["Server: nginx"], body: body(1000))
        response.interim = 7
        let costs = HTTP2Costs(fieldBlocks: 40, framing: 9 * 5 + 13, headerFrames: 18, dataFrames: 27)
        var sample = FixedHTTP2Exchange.first
        sample.response = response.response(costs)
        let down = try #require(try recorded("mtnm", sample).down)
        #expect(down.figures == [nil, 40 - 7 + 18, 1027, 1078])
        #expect(down.causes.byName == ["R.retry": -7, "P.h2": -13])
        let text = try #require(try recorded("drd", sample).down)
        #expect(text.total == 17 + 17 + 1000)
        #expect(text.causes.byName == ["R.retry": -7, "P.h2": 34 - 33 - 58])
        let bodies = try #require(try recorded("sentry", sample).down)
        #expect(bodies.causes.byName == ["R.retry": -7, "H.none": -33, "P.h2": -58])
        #expect(try recorded("har-chrome", sample).down?.total == 40 + 45 + 1000)
        #expect(try recorded("har-chrome", sample).down?.causes.byName == ["P.h2": -13])
    }

    @Test("headers of frames that contradict the bytes of framing do not change the sum", arguments: 0...40)
    func contradiction(framing: Int) {
        for headers in [-1, 0, 9, 18, .max] {
            for data in [-1, 0, 9, 27, .max] {
                let costs = HTTP2Costs(fieldBlocks: 5, framing: framing, headerFrames: headers, dataFrames: data)
                #expect(costs.framing == framing)
                #expect(costs.headerFrames >= 0 && costs.dataFrames >= 0 && costs.otherFraming >= 0)
            }
        }
    }

    @Test(
        "status lines that are made up have the usual phrase",
        arguments: [
            (200, "HTTP/1.1 200 OK"), (204, "HTTP/1.1 204 No Content"), (304, "HTTP/1.1 304 Not Modified"),
            (404, "HTTP/1.1 404 Not Found"), (503, "HTTP/1.1 503 Service Unavailable"), (299, "HTTP/1.1 299 "),
            (103, "HTTP/1.1 103 Early Hints"), (999, "HTTP/1.1 999 "),
        ])
    func statusLines(status: Int, line: String) {
        let response = SampleMessage("HTTP/2 \(status)").response(
            HTTP2Costs(fieldBlocks: 1, framing: 9, headerFrames: 9, dataFrames: 0))
        #expect(response.statusText == line.utf8.count)
        #expect(response.startLine == line.utf8.count + 2)
    }

    @Test("what an SDK adds to requests is not told by size: a compressed field has none of its own")
    func addedBytes() throws {
        let message = SampleMessage("GET / HTTP/2", ["sentry-trace: 0123456789"])
        let costs = HTTP2Costs(fieldBlocks: 30, framing: 9, headerFrames: 9, dataFrames: 0)
        #expect(try estimator("sentry").addedBytes(message.request) == 26)
        #expect(try estimator("sentry").addedBytes(message.request(costs)) == 0)
    }
}

@Suite("Counters below HTTP, with TLS")
struct SocketCounterTests {
    /// A connection of TLS 1.3: one record of application data each way, 22 bytes around its content.
    private var sample: ObservedExchange {
        var sample = FixedHTTP2Exchange.first
        sample.upTransport.tlsRecords = 22
        sample.upTransport.tcpip = 52
        sample.upTransport.tlsSetup = 517 + 52 + 80 + 52
        sample.upTransport.setupHeaders = 104
        sample.upTransport.handshake = 64 + 52 + 24 + 52
        sample.upTransport.closingPayload = 24
        return sample
    }

    @Test("sockets carry records and handshakes, not the headers of packets")
    func matrix() throws {
        let up = try #require(try recorded("matrix", sample).up)
        #expect(up.total == 156 + 22 + 517 + 80 + 24)
        #expect(up.causes.byName == ["X.tls": 22, "X.handshake": 517 + 80 + 24])
    }

    @Test("the counter of IP packets has everything")
    func android() throws {
        let up = try #require(try recorded("android-uid", sample).up)
        #expect(up.total == 156 + 22 + 52 + 701 + 192)
        #expect(up.causes.byName == ["X.tls": 22, "X.tcpip": 52, "X.handshake": 701 + 192])
    }

    @Test("a bundle of 14532 bytes counts as ten packets of 15000 bytes")
    func bundle() throws {
        // 14480 bytes of payload behind 52 bytes of headers; offload hid nine headers.
        let body = ObservedBody(content: 14_480 - 40)
        var sample = FixedHTTP2Exchange.first
        sample.response = ObservedResponse(
            status: 200, statusText: 15, fields: HeaderFields([]), startLine: 17, headers: 23, body: body)
        sample.downTransport.tcpip = 52
        sample.downTransport.offloadHidden = 9 * 52
        let down = try #require(try recorded("android-uid", sample).down)
        #expect(down.total == 15_000)
        #expect(down.causes.byName == ["X.tcpip": 52, "X.offload": 468])
    }
}
