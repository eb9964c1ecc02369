import Testing
import WireEstimates

@Suite("All estimators on the fixed exchange")
struct FixedExchangeTests {
    @Test("the exchange is the one that figures are given for")
    func sizes() throws {
        let request = try #require(FixedExchange.exchange.request)
        let response = try #require(FixedExchange.exchange.response)
        #expect([request.startLine, request.headers, request.message] == [37, 254, 319])
        #expect([response.startLine, response.headers, response.message] == [17, 185, 279])
    }

    /// Figures up and down; nil: no figure or no statement.
    @Test(
        "totals",
        arguments: [
            ("dm", 214, 259), ("dm:headers=min:te=chunked", 90, 258), ("dm:recompression=no", 214, 2193),
            ("networkeye", nil, -1), ("godeye", nil, -1),
            ("networkeye:ecl=decoded", nil, 2000), ("hertz", 0, 2000), ("hertz:body=data", 28, 2000),
            ("wedjat", 109, 2230), ("wedjat:te=chunked", 109, 2229), ("wedjat:body=none", 81, 2230),
            ("wedjat:body=stream", 81, 2230), ("wedjat:headers=article", 268, 2230),
            ("wedjat:headers=full", 350, 2230), ("dokit", 109, 2230), ("dokit:headers=article", 268, 2230),
            ("dokit:headers=full:te=chunked", 350, 2229), ("dokit:body=none", 81, 2230), ("mtnm", 319, 279),
            ("mtnm:os=pre13", 28, 2000), ("mtnm:metricsChunkedBug=on", 319, 202), ("dada", 28, 2000),
            ("pps", 0, 2000), ("pps:count=naive", 32, 2000), ("drd", 319, 268), ("drd:responseBody=decoded", 319, 2202),
            ("interceptor-sample", nil, nil), ("netfox", 28, 2000), ("netfox:body=data", 0, 2000),
            ("flex", 28, 2000), ("flex:body=none", 0, 2000), ("wormholy", 319, 279), ("wormholy:figure=stats", 28, 77),
            ("pulse", 319, 279), ("pulse:figure=bodies", 28, 2000), ("firebase", 28, 2000),
            ("firebase:path=delegate:lastBlock=512", 28, 512), ("firebase:path=delegate:lastBlock=4096", 28, 2000),
            ("sentry", 28, 2000), ("datadog", nil, 2000), ("datadog:figure=encoded", 28, 77),
            ("datadog:figure=content", 28, 66), ("sentry:figure=encoded", 28, 66),
            ("sentry:figure=transfer", nil, 279), ("newrelic", 28, 2000), ("newrelic:figure=encoded", 28, 66),
            ("newrelic:figure=definition", 319, 279),
            ("har", 319, 268), ("har:harChunk=included", 319, 279), ("har-chrome", 319, 279),
            ("har-chrome:writer=playwright", 309, 279), ("okhttp", 28, 66), ("okhttp:total=all", 280, 249),
            ("cfnetwork", 319, 279), ("cfnetwork:metricsChunkedBug=on", 319, 202),
            ("matrix", 319, 279), ("android-uid", 319, 279), ("otel", 319, 279), ("otel:figure=body", 28, 66),
            ("netlog", 319, 268), ("resource-timing", nil, 366), ("resource-timing:era=heads", nil, 279),
            ("resource-timing:tao=no", nil, nil), ("cronet", 319, 279), ("firebase-android", 28, nil),
            ("firebase-android:gunzip=app", 28, nil), ("datadog-android", nil, 2000),
            ("datadog-android:gunzip=app", nil, 66), ("embrace-ios", 28, 2000), ("embrace-ios:body=stream", 0, 2000),
            ("embrace-android", 28, 0), ("embrace-android:capture=on", 28, 2000),
            ("embrace-android:capture=on:gunzip=app", 28, 66), ("bugsnag", 28, 2000), ("posthog", nil, 2000),
            // Fields that the interceptor sees: Accept 13, Accept-Language 24; all but Content-Encoding 183 - 24.
            ("chucker", 37 + 28, 159 + 2000), ("chucker:headers=full:gunzip=app", 252 + 28, 183 + 66),
            ("chucker:total=body", 28, 2000), ("argusapm", 28, 2000), ("argusapm:gunzip=app", 28, 66),
            ("flutter", 28, 2000), ("dokit-android", 28, 2000), ("datadog-react-native", nil, 2000),
            ("datadog-react-native:platform=ios", nil, 2000), ("instabug-react-native", 28, 2000),
            ("instabug-react-native:type=text", 28, 2002), ("okhttp-log", 28, nil), ("okhttp-log:level=body", 28, 2000),
        ] as [(String, Int?, Int?)])
    func totals(text: String, up: Int?, down: Int?) throws {
        let (request, response) = try recorded(text, FixedExchange.exchange)
        #expect(request?.total == up)
        #expect(response?.total == down)
        #expect((request?.causes.sum ?? -319) == (up ?? 0) - 319)
        if response != nil { #expect(response?.causes.sum == (down ?? 0) - 279) }
    }

    @Test(
        "parts",
        arguments: [
            ("mtnm", [nil, 291, 28, 319], [nil, 202, 77, 279]),
            ("mtnm:os=pre13", [nil, nil, 28, 28], [nil, nil, 2000, 2000]),
            ("wormholy", [nil, 291, 28, 319], [nil, 202, 77, 279]),
            ("pulse", [nil, 291, 28, 319], [nil, 202, 77, 279]),
            ("cfnetwork", [nil, nil, nil, 319], [nil, nil, nil, 279]),
            ("otel", [nil, nil, nil, 319], [nil, nil, nil, 279]),
            ("wedjat", [nil, 81, 28, 109], [nil, 230, 2000, 2230]),
            ("har", [nil, 291, 28, 319], [nil, 202, 66, 268]), ("netlog", [nil, 291, 28, 319], [nil, 202, 66, 268]),
            ("har-chrome", [nil, 291, 28, 319], [nil, 202, 77, 279]),
            ("okhttp", [nil, 252, 28, 28], [nil, 183, 66, 66]),
            ("okhttp:total=all", [nil, 252, 28, 280], [nil, 183, 66, 249]),
            ("drd", [37, 254, 28, 319], [17, 185, 66, 268]), ("hertz", [nil, nil, 0, 0], [nil, nil, 2000, 2000]),
            ("pps:count=naive", [nil, 32, 0, 32], [nil, nil, 2000, 2000]),
        ] as [(String, [Int?], [Int?])])
    func parts(text: String, up: [Int?], down: [Int?]) throws {
        let (request, response) = try recorded(text, FixedExchange.exchange)
        #expect(request?.figures == up)
        #expect(response?.figures == down)
    }

    @Test(
        "causes",
        arguments: [
            (
                "wedjat",
                [
                    "L.none": -29, "U.query": -8, "H.missing": -188, "H.format": 17, "T.blank": -2,
                ], ["L.none": -17, "H.format": 46, "H.rewrite": 1, "T.blank": -2, "B.decoded": 1934, "B.chunk": -11]
            ),
            (
                "hertz", ["L.none": -29, "U.query": -8, "C.cookie": -32, "H.none": -222, "B.missing": -28],
                ["L.none": -17, "H.none": -185, "B.decoded": 1934, "B.chunk": -11]
            ),
            (
                "networkeye", ["L.none": -29, "U.query": -8, "C.cookie": -32, "H.none": -222, "B.missing": -28],
                ["L.none": -17, "H.none": -185, "B.expected": -67, "B.chunk": -11]
            ),
            (
                "okhttp", ["L.none": -29, "U.query": -8, "H.none": -254],
                ["L.none": -17, "H.none": -185, "B.chunk": -11]
            ),
            (
                "okhttp:total=all", ["L.none": -29, "U.query": -8, "T.blank": -2],
                ["L.none": -17, "T.blank": -2, "B.chunk": -11]
            ),
            ("har", [:], ["B.chunk": -11]), ("pulse", [:], [:]), ("har-chrome", [:], [:]),
            ("mtnm:metricsChunkedBug=on", [:], ["B.missing": -66, "B.chunk": -11]),
            (
                "firebase:path=delegate:lastBlock=512",
                ["L.none": -29, "U.query": -8, "C.cookie": -32, "H.none": -222],
                ["L.none": -17, "H.none": -185, "B.lastChunkOnly": 446, "B.chunk": -11]
            ),
        ] as [(String, [String: Int], [String: Int])])
    func causes(text: String, up: [String: Int], down: [String: Int]) throws {
        let (request, response) = try recorded(text, FixedExchange.exchange)
        #expect(request?.causes.byName == up)
        #expect(response?.causes.byName == down)
    }

    @Test("the last block of the delegate path is not on the wire")
    func unknownLastBlock() throws {
        #expect(try outcome("firebase:path=delegate", FixedExchange.exchange) == "unknown")
        var empty = FixedExchange.response
        empty.body = body(0, framing: 5)
        let down = try recorded("firebase:path=delegate", exchange(FixedExchange.request, empty)).down
        #expect(down?.total == 0)
    }

    @Test("NetworkEye stores MB, GodEye shows whole KB")
    func storedUnits() throws {
        let total = try #require(try recorded("networkeye", FixedExchange.exchange).down?.total)
        #expect(NetworkEyeEstimator.megabytes(total) == -9.5367431640625e-07)
        #expect(String(total) == "-1")
        #expect(GodEyeEstimator.display(total) == "0KB")
        #expect(GodEyeEstimator.display(2047) == "1KB")
    }

    @Test("counters below HTTP have the transport of the exchange")
    func transport() throws {
        // One TCP connection of its own without TLS: SYN 64 and 60 bytes, all other segments with 52 bytes of headers.
        var sample = FixedExchange.exchange
        sample.upTransport.handshake = 64 + 52 + 52
        sample.upTransport.tcpip = 52
        sample.upTransport.acknowledgments = 104
        sample.downTransport.handshake = 60 + 52 + 52
        sample.downTransport.tcpip = 52
        sample.downTransport.acknowledgments = 52
        let (up, down) = try recorded("android-uid", sample)
        #expect([up?.total, down?.total] == [643, 547])
        #expect(up?.causes.byName == ["X.handshake": 168, "X.tcpip": 52, "X.ack": 104])
        #expect(try recorded("matrix", sample).up?.total == 319)
        // On an open connection only the segments of data and their acknowledgments.
        sample.upTransport.handshake = 0
        sample.upTransport.acknowledgments = 52
        sample.downTransport.handshake = 0
        sample.downTransport.acknowledgments = 52
        #expect(try recorded("android-uid", sample).up?.total == 423)
        #expect(try recorded("android-uid", sample).down?.total == 383)
    }

    @Test("each kind of transport bytes has its cause, and its place in the two counters")
    func transportKinds() throws {
        var transport = TransportBytes()
        transport.tlsRecords = 1
        transport.tcpip = 2
        transport.tlsSetup = 4
        transport.handshake = 8
        transport.acknowledgments = 16
        transport.retransmission = 32
        transport.dns = 64
        transport.opaque = 128
        transport.offloadHidden = 256
        var sample = FixedExchange.exchange
        sample.downTransport = transport
        let android = try #require(try recorded("android-uid", sample).down)
        #expect(android.total == 279 + 511)
        #expect(
            android.causes.byName == [
                "X.tls": 1, "X.tcpip": 2, "X.handshake": 12, "X.ack": 16, "X.retrans": 32, "X.dns": 64,
                "X.tunnel": 128, "X.offload": 256,
            ])
        let matrix = try #require(try recorded("matrix", sample).down)
        #expect(matrix.total == 279 + 1 + 4 + 128)
        #expect(matrix.causes.byName == ["X.tls": 1, "X.handshake": 4, "X.tunnel": 128])
    }
}
