import WireEstimates

/// A message for tests, written as text so that any oddity of the wire can be in it.
struct SampleMessage {
    /// Without its line end.
    var startLine = ""
    var startLineEnd = "\r\n"
    /// Each with its line end (or ends, when it is folded).
    var lines: [String] = []
    var emptyLine = "\r\n"
    var body = ObservedBody()
    var isComplete = true
    /// Bytes of interim responses before it.
    var interim = 0

    init(_ startLine: String, _ fields: [String] = [], body: ObservedBody = ObservedBody()) {
        self.startLine = startLine
        lines = fields.map { $0 + "\r\n" }
        self.body = body
    }

    var head: [UInt8] { Array((startLine + startLineEnd + lines.joined() + emptyLine).utf8) }

    private var headerBytes: Int { lines.reduce(emptyLine.utf8.count) { $0 + $1.utf8.count } }

    private var fields: HeaderFields {
        var fields = HeaderFields(bytes: head)
        var start = (startLine + startLineEnd).utf8.count
        for line in lines {
            let bytes = Array(line.utf8)
            defer { start += bytes.count }
            guard let colon = bytes.firstIndex(of: 0x3A) else { continue }
            var nameEnd = colon
            while nameEnd > 0, bytes[nameEnd - 1] <= 0x20 { nameEnd -= 1 }
            var lower = colon + 1
            while lower < bytes.count, bytes[lower] <= 0x20 { lower += 1 }
            var upper = bytes.count
            while upper > lower, bytes[upper - 1] <= 0x20 { upper -= 1 }
            fields.append(name: start..<start + nameEnd, value: start + lower..<start + upper, wireLength: bytes.count)
        }
        return fields
    }

    /// Splits the start line at single spaces; target without scheme and authority.
    var request: ObservedRequest {
        let words = startLine.split(separator: " ")
        var target = words.count > 1 ? String(words[1]) : ""
        if target.hasPrefix("http://") {
            let rest = target.dropFirst(7)
            target = rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? ""
        }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return ObservedRequest(
            method: Array(words.first.map { String($0) }?.utf8 ?? "".utf8), path: Array((parts.first ?? "").utf8),
            query: parts.count > 1 ? Array(parts[1].utf8) : nil, fields: fields,
            startLine: (startLine + startLineEnd).utf8.count, headers: headerBytes, body: body, isComplete: isComplete,
            lineEnd: startLineEnd.utf8.count)
    }

    var response: ObservedResponse {
        ObservedResponse(
            status: Int(startLine.split(separator: " ").dropFirst().first ?? "") ?? 0,
            statusText: startLine.utf8.count, fields: fields, startLine: (startLine + startLineEnd).utf8.count,
            headers: headerBytes + interim, interim: interim, body: body, isComplete: isComplete)
    }

    /// The same request in frames of HTTP/2; its body has no chunk framing then.
    func request(_ costs: HTTP2Costs) -> ObservedRequest {
        let plain = request
        return ObservedRequest(
            method: plain.method, path: plain.path, query: plain.query, fields: fields, body: unframedBody,
            isComplete: isComplete, http2: costs)
    }

    /// The same response in frames of HTTP/2; `interim` are compressed bytes then.
    func response(_ costs: HTTP2Costs) -> ObservedResponse {
        ObservedResponse(
            status: response.status, fields: fields, interim: interim, body: unframedBody, isComplete: isComplete,
            http2: costs)
    }

    private var unframedBody: ObservedBody {
        var body = body
        body.framing = 0
        return body
    }
}

/// The exchange that most figures are given for: a POST of 28 bytes, answered by 2000 bytes of text as 66 bytes of
/// gzip in one chunk.
enum FixedExchange {
    static let request = SampleMessage(
        "POST /v1/orders/42?src=app HTTP/1.1",
        [
            "Host: api.example.com", "Content-Type: application/json", "Accept: */*", "Accept-Language: en-us",
            "Accept-Encoding: gzip, deflate", "User-Agent: Rider/5.2 CFNetwork/1390 Darwin/22.0.0",
            "Cookie: sid=abc123; theme=dark", "Connection: keep-alive", "Content-Length: 28",
        ], body: body(28))

    static let response = SampleMessage(
        "HTTP/1.1 200 OK",
        [
            "Content-Type: application/json; charset=utf-8", "Content-Encoding: gzip", "Transfer-Encoding: chunked",
            "Date: Fri, 20 Nov 2026 10:00:00 GMT", "Set-Cookie: sid=def456; Path=/", "Server: nginx",
        ], body: body(66, framing: 11, decoded: 2000, recompressed: 66))

    static let exchange = ObservedExchange(
        host: Array("api.example.com".utf8), request: request.request, response: response.response)
}

/// The fixed exchange in frames of HTTP/2: no Connection, no Transfer-Encoding. The sizes of its compressed fields are
/// those of a reference encoder, as the first exchange of a connection and as a repetition of it.
enum FixedHTTP2Exchange {
    static let first = exchange(request: 110, response: 76)
    static let repeated = exchange(request: 11, response: 6)

    private static func exchange(request: Int, response: Int) -> ObservedExchange {
        var requestText = FixedExchange.request
        requestText.lines.removeAll { $0.hasPrefix("Connection") }
        var responseText = FixedExchange.response
        responseText.lines.removeAll { $0.hasPrefix("Transfer-Encoding") }
        return ObservedExchange(
            scheme: .https, host: Array("api.example.com".utf8), request: requestText.request(costs(request)),
            response: responseText.response(costs(response)))
    }

    private static func costs(_ fieldBlocks: Int) -> HTTP2Costs {
        HTTP2Costs(fieldBlocks: fieldBlocks, framing: 18, headerFrames: 9, dataFrames: 9)
    }
}

/// A body whose facts are known: identity and text where nothing else is said.
func body(_ content: Int, framing: Int = 0, decoded: Int? = nil, recompressed: Int? = nil) -> ObservedBody {
    var body = ObservedBody(content: content, framing: framing, decoded: decoded ?? content)
    body.recompressed = recompressed
    body.isText = true
    body.string = StringUnits(plain: body.decoded ?? content, quoted: (body.decoded ?? content) + 2)
    return body
}

/// An exchange of plain HTTP.
func exchange(
    _ request: SampleMessage, _ response: SampleMessage?, scheme: ObservedExchange.Scheme = .http,
    redirectedFrom: SampleMessage? = nil
) -> ObservedExchange {
    ObservedExchange(
        scheme: scheme, host: Array("api.example.com".utf8), request: request.request, response: response?.response,
        redirectedFrom: redirectedFrom?.request)
}
