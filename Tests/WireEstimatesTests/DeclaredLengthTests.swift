import Testing
import WireEstimates

/// Estimators that count lengths that are told beforehand, worked out by hand.
@Suite("Lengths that are told beforehand")
struct DeclaredLengthTests {
    private static let get = SampleMessage("GET /a?b=c HTTP/1.1", ["Host: api.example.com"])
    private static let upload = SampleMessage(
        "PUT /a HTTP/1.1", ["Host: api.example.com", "Transfer-Encoding: chunked"], body: body(40, framing: 12))
    private static let plain = SampleMessage("HTTP/1.1 200 OK", ["Content-Length: 5"], body: body(5))
    private static let empty = SampleMessage("HTTP/1.1 304 Not Modified")
    private static let missing = SampleMessage("HTTP/1.1 404 Not Found", ["Content-Length: 5"], body: body(5))
    private static let chunked = SampleMessage(
        "HTTP/1.1 200 OK", ["Transfer-Encoding: chunked"], body: body(5, framing: 10))
    private static let gzip = coded("gzip")
    private static let brotli = coded("br")
    private static let brotliChunked = SampleMessage(
        "HTTP/1.1 200 OK", ["Content-Encoding: br", "Transfer-Encoding: chunked"],
        body: body(50, framing: 10, decoded: 90))
    private static let json = typed("application/json; charset=utf-8")
    private static let style = typed("text/css")
    private static var text: SampleMessage {
        var message = SampleMessage("PUT /a HTTP/1.1", ["Host: h", "Content-Length: 10"], body: body(10))
        message.body.string = StringUnits(plain: 4, quoted: 6)
        return message
    }

    private static func typed(_ type: String) -> SampleMessage {
        SampleMessage(
            "HTTP/1.1 200 OK", ["Content-Type: \(type)", "Content-Encoding: gzip"], body: body(50, decoded: 90))
    }

    private static func coded(_ coding: String) -> SampleMessage {
        SampleMessage(
            "HTTP/1.1 200 OK", ["Content-Encoding: \(coding)", "Content-Length: 50"], body: body(50, decoded: 90))
    }

    /// `http://api.example.com/a?b=c`, and `/a`.
    private static let url = 28
    private static let shortURL = 24

    @Test(
        "figures up and down; nil: none",
        arguments: [
            ("firebase-android", get, plain, nil, 5), ("firebase-android", upload, chunked, nil, nil),
            ("firebase-android", get, gzip, nil, nil), ("firebase-android:gunzip=app", get, gzip, nil, 50),
            ("firebase-android", get, brotli, nil, 50), ("firebase-android", get, empty, nil, nil),
            ("datadog-android", get, plain, nil, 5), ("datadog-android", get, chunked, nil, 5),
            ("datadog-android", get, gzip, nil, 90), ("datadog-android:gunzip=app", get, gzip, nil, 50),
            ("datadog-android", get, brotli, nil, 50),
            ("embrace-android", get, plain, 0, 5), ("embrace-android", upload, chunked, -1, 0),
            ("embrace-android", get, gzip, 0, 0), ("embrace-android:gunzip=app", get, gzip, 0, 50),
            ("embrace-android:capture=on", upload, chunked, -1, 5),
            ("argusapm", get, plain, url, 5), ("argusapm", upload, chunked, shortURL, 5),
            ("argusapm", get, gzip, url, 90), ("argusapm", get, missing, url, 0), ("argusapm", get, empty, url, 0),
            // Content-Length: 5 takes 19 bytes; of the request no field is seen.
            ("chucker", get, plain, 0, 19 + 5), ("chucker", upload, chunked, -1, 28 + 5),
            ("chucker", get, gzip, 0, 90), ("chucker", get, brotli, 0, 22 + 20 + 50),
            ("resource-timing", get, plain, nil, 305), ("resource-timing", get, empty, nil, 300),
            ("resource-timing", get, gzip, nil, 350), ("resource-timing", get, chunked, nil, 305),
            // Of other types than text DoKit has no body.
            ("dokit-android", get, plain, 0, 0), ("dokit-android", upload, json, 40, 90),
            ("dokit-android:gunzip=app", upload, json, 40, 50), ("dokit-android", get, style, 0, 0),
            ("datadog-react-native", get, plain, nil, 5), ("datadog-react-native", get, chunked, nil, 5),
            ("datadog-react-native", get, gzip, nil, 90), ("datadog-react-native:platform=ios", get, gzip, nil, 50),
            // Ten bytes are four characters; as a JSON string they have quotes.
            ("instabug-react-native", text, chunked, 4, 5), ("instabug-react-native:type=text", get, chunked, 0, 7),
            ("instabug-react-native", get, gzip, 0, 90), ("instabug-react-native:platform=ios", get, gzip, 0, 50),
            ("instabug-react-native:type=text", get, empty, 0, 0),
            ("instabug-react-native:platform=ios:type=text", get, brotliChunked, 0, 92),
            ("okhttp-log", get, plain, 0, 5), ("okhttp-log", upload, chunked, nil, nil),
            ("okhttp-log", get, gzip, 0, nil), ("okhttp-log:at=network", get, gzip, 0, 50),
            ("okhttp-log:level=body", get, chunked, 0, 5), ("okhttp-log:level=body", get, gzip, 0, 90),
            ("okhttp-log:level=body:at=network", get, gzip, 0, 90), ("okhttp-log:level=body", get, brotli, 0, nil),
            ("flutter", get, gzip, 0, 90), ("flutter", upload, brotli, 40, 50), ("posthog", get, brotli, nil, 90),
        ] as [(String, SampleMessage, SampleMessage, Int?, Int?)])
    func figures(text: String, request: SampleMessage, response: SampleMessage, up: Int?, down: Int?) throws {
        let (one, other) = try recorded(text, exchange(request, response))
        #expect(one?.total == up)
        #expect(other?.total == down)
        let error = (down ?? 0) - response.response.message
        #expect(other?.causes.sum == error)
    }

    @Test(
        "Resource Timing is what Chromium 156 said of these responses on a capture",
        arguments: [
            (200, body(1000), 1300), (200, body(48, decoded: 3000), 348), (200, body(300, framing: 20), 600),
            (404, body(12), 312), (200, body(77), 377), (304, body(0), 300), (204, body(0), 300),
            (200, body(200_000), 200_300),
        ])
    func chromium(status: Int, body: ObservedBody, transferSize: Int) throws {
        let response = SampleMessage("HTTP/1.1 \(status) Text", ["Server: BaseHTTP/0.6"], body: body)
        #expect(try recorded("resource-timing", exchange(Self.get, response)).down?.total == transferSize)
    }

    @Test("Resource Timing counts no response that was cut")
    func cut() throws {
        var response = Self.plain
        response.isComplete = false
        #expect(try recorded("resource-timing", exchange(Self.get, response)).down?.total == nil)
    }

    @Test("images, forms and failures have no figure of DoKit or Instabug")
    func withoutFigure() throws {
        #expect(try outcome("dokit-android", exchange(Self.get, Self.typed("image/webp"))) == "S.scope")
        let form = SampleMessage(
            "POST /a HTTP/1.1", ["Host: h", "Content-Type: multipart/form-data; boundary=b"], body: body(40))
        let answers = [(form, Self.plain), (Self.get, Self.brotliChunked)]
        for (request, response) in answers {
            #expect(try outcome("instabug-react-native", exchange(request, response)) == "unknown")
        }
        var cut = Self.json
        cut.isComplete = false
        #expect(try recorded("dokit-android", exchange(Self.get, cut)).down?.total == 0)
    }

    @Test("Cronet counts frames of heads and bodies, and no others")
    func frames() throws {
        let whole = try recorded("cronet", FixedHTTP2Exchange.first)
        // Compressed fields, headers of two frames, body.
        #expect(whole.up?.total == 110 + 18 + 28)
        #expect(whole.down?.total == 76 + 18 + 66)
        let costs = HTTP2Costs(fieldBlocks: 40, headerFrames: 9, dataFrames: 9, otherFraming: 13)
        let padded = ObservedExchange(
            host: Array("api.example.com".utf8), request: Self.get.request(costs), response: Self.plain.response(costs))
        let counted = try recorded("cronet", padded)
        #expect(counted.up?.total == 58)
        #expect(counted.down?.total == 63)
        #expect(counted.down?.causes.byName == ["P.h2": -13])
    }
}
