import WireEstimates
import WireTesting

/// Exchanges with all that a wire may hold: other spacing, bare line feeds, folds, equal fields, cookies in several
/// lines, lines that are no fields, other forms of the target, old versions, interim responses, cut messages.
struct RandomExchange {
    var random: SeededRandom
    /// Facts of bodies are all known, and messages are whole.
    var isPlain = false

    init(seed: UInt64, isPlain: Bool = false) {
        random = SeededRandom(seed: seed)
        self.isPlain = isPlain
    }

    mutating func next() -> ObservedExchange {
        let isHTTP2 = random.oneIn(3)
        var exchange = ObservedExchange(
            scheme: random.oneIn(3) ? .https : .http, host: Array("h".utf8),
            request: random.oneIn(20) && !isPlain ? nil : observedRequest(isHTTP2),
            response: random.oneIn(12) && !isPlain ? nil : observedResponse(isHTTP2),
            redirectedFrom: random.oneIn(6) ? observedRequest(random.oneIn(2)) : nil)
        exchange.upTransport = transport()
        exchange.downTransport = transport()
        return exchange
    }

    private mutating func observedRequest(_ isHTTP2: Bool) -> ObservedRequest {
        let message = request()
        return isHTTP2 ? message.request(frames(interim: 0)) : message.request
    }

    private mutating func observedResponse(_ isHTTP2: Bool) -> ObservedResponse {
        let message = response()
        return isHTTP2 ? message.response(frames(interim: message.interim)) : message.response
    }

    /// Any number of frames; sometimes numbers that contradict the bytes.
    private mutating func frames(interim: Int) -> HTTP2Costs {
        let (headers, data) = (1 + random.below(4), random.below(6))
        let framing = random.oneIn(10) ? random.below(12) : 9 * (headers + data) + (random.oneIn(2) ? 13 : 0)
        return HTTP2Costs(
            fieldBlocks: interim + 1 + random.below(400), framing: framing, headerFrames: 9 * headers,
            dataFrames: 9 * data)
    }

    mutating func request() -> SampleMessage {
        let method = random.element(["GET", "POST", "PUT", "HEAD", "OPTIONS"])
        let target = random.element([
            "/", "/a%20b/c%2", "/x/y/", "/p;v=1?", "/q?a=1&b=%20", "*", "http://h:8080/abs/%41?z", "", "/f#frag", "//",
            "/%2F%zz/?",
        ])
        var message = SampleMessage(
            random.oneIn(15) ? "GET /old" : "\(method)\(random.oneIn(8) ? "  " : " ")\(target) HTTP/1.1")
        vary(&message, cookies: true)
        return message
    }

    mutating func response() -> SampleMessage {
        var message = SampleMessage(
            random.element([
                "HTTP/1.1 200 OK", "HTTP/1.0 404", "HTTP/1.1 304 Not Modified", "HTTP/1.1 302 Found", "HTTP/1.1 500 ",
                "HTTP/1.1 204 No Content", "",
            ]))
        vary(&message, cookies: false)
        if random.oneIn(6) { message.interim = 25 + random.below(90) }
        return message
    }

    private mutating func vary(_ message: inout SampleMessage, cookies: Bool) {
        message.startLineEnd = message.startLine.isEmpty ? "" : random.oneIn(8) ? "\n" : "\r\n"
        for _ in 0..<random.below(9) { message.lines.append(line(cookies: cookies)) }
        message.emptyLine = random.oneIn(8) ? "\n" : random.oneIn(30) ? "" : "\r\n"
        message.body = randomBody()
        if !isPlain { message.isComplete = !random.oneIn(8) }
    }

    mutating func line(cookies: Bool) -> String {
        var fields = [
            "Host: api.example.com", "Accept: */*", "accept: text/html", "Content-Type: application/json",
            "Content-Type: image/png", "Content-Type: multipart/form-data; boundary=x", "Content-Encoding: gzip",
            "Content-Encoding: GZIP", "content-encoding: br", "Content-Encoding: identity", "Content-Encoding: aws",
            "Transfer-Encoding: chunked", "Transfer-Encoding: gzip, Chunked", "Content-Length: 28",
            "Content-Length: 999999999999999999", "Content-Length: x", "Set-Cookie: a=1", "Set-Cookie: b=\"2\"; Path=/",
            "X-Trace: a\\b/c", "x-trace: \u{1}\u{9}z", "Location: /next", "Accept-Encoding: gzip, deflate",
            "User-Agent: Test/1.0", "Connection: keep-alive", "Accept-Language: en", "Interceptor Version: 1.0.1",
            "Empty:", "X-Fold: one\r\n two\r\n\t three", "x-fold: a \n b",
        ]
        if cookies { fields += ["Cookie: sid=1", "cookie: theme=dark; x=\"y\""] }
        var line = random.element(fields)
        if random.oneIn(10) { line = line.replacing(": ", with: ":") }
        if random.oneIn(10) { line = line.replacing(": ", with: " :   ") }
        if random.oneIn(20) { line = "no field here" }
        return line + (random.oneIn(10) ? " " : "") + (random.oneIn(8) ? "\n" : "\r\n")
    }

    private mutating func randomBody() -> ObservedBody {
        guard !random.oneIn(4) else { return body(0) }
        var body = ObservedBody(content: random.below(5000), framing: random.oneIn(2) ? random.below(60) : 0)
        if isPlain || !random.oneIn(4) { body.decoded = random.below(20_000) }
        if isPlain || !random.oneIn(4) { body.recompressed = random.below(5000) }
        if isPlain || !random.oneIn(4) { body.isText = random.oneIn(2) }
        if body.isText == true, let decoded = body.decoded {
            body.string = StringUnits(plain: decoded, quoted: decoded + 2)
        }
        return body
    }

    private mutating func transport() -> TransportBytes {
        var transport = TransportBytes()
        transport.tlsRecords = random.below(100)
        transport.tcpip = random.below(1000)
        transport.tlsSetup = 60 + random.below(3000)
        transport.setupHeaders = random.below(60)
        transport.handshake = 40 + random.below(300)
        transport.closingPayload = random.below(40)
        transport.opaque = random.oneIn(5) ? random.below(5000) : 0
        transport.offloadHidden = random.below(500)
        return transport
    }

    /// An estimator with any of its parameters set to any of its values, as text.
    mutating func choice(_ description: EstimatorDescription) -> String {
        var text = description.id
        for parameter in description.parameters where random.oneIn(2) {
            var values = parameter.values
            switch parameter.open {
            case .fieldNames: values += ["host+accept", "cookie", "+x-trace", "content-encoding+x-fold+cookie"]
            case .bytes: values += ["0", "512"]
            case nil: break
            }
            text += ":\(parameter.name)=\(random.element(values))"
        }
        return text
    }
}
