import WireTesting

/// One HTTP message as bytes.
struct Message {
    var head: [UInt8] = []
    /// What follows the head: the first `bodyCount` bytes of it.
    var body: [UInt8] = []
    var bodyCount = 0

    var count: Int { head.count + bodyCount }
}

/// Writes requests with their responses.
struct MessageWriter {
    private let bodies: BodyPool
    /// Each kind as often as its weight says.
    private let choice: [MessageKind]

    init(_ shape: TrafficShape, _ random: inout SeededRandom) {
        bodies = BodyPool(kinds: shape.kinds.map(\.kind), random: &random)
        choice = shape.kinds.flatMap { Array(repeating: $0.kind, count: $0.weight) }
    }

    /// An exchange, noted in the truth.
    func exchange(_ truth: inout TrafficTruth, _ random: inout SeededRandom) -> (request: Message, response: Message) {
        let kind = choice[random.below(choice.count)]
        let method = kind == .upload ? "POST" : kind == .head ? "HEAD" : "GET"
        var requestFields = ""
        var request = Message()
        if kind == .upload {
            let body = bodies.body(of: .upload, &random)
            request.body = body.wire
            request.bodyCount = body.wire.count
            truth.requestBody += body.entity
            requestFields = "Content-Type: \(body.type)\r\nContent-Length: \(body.wire.count)\r\n"
        }
        request.head = Array(
            """
            \(method) \(path(of: kind, &random)) HTTP/1.1\r
            Host: \(Self.hosts[random.below(Self.hosts.count)])\r
            User-Agent: shop-app/5.2 (Linux; Android 14) okhttp/4.12.0\r
            Accept: application/json, image/*, */*\r
            Accept-Encoding: gzip\r
            Authorization: Bearer \(String(random.next(), radix: 16))\(String(random.next(), radix: 16))\r
            X-Request-Id: \(String(random.next(), radix: 16))\r
            \(requestFields)\r\n
            """.utf8)
        let response = response(kind, &truth, &random)
        truth.exchanges += 1
        truth.heads += request.head.count + response.head.count
        return (request, response)
    }

    private static let hosts = ["api", "img", "www", "static", "accounts", "search"].map { "\($0).example.com" }

    private func path(of kind: MessageKind, _ random: inout SeededRandom) -> String {
        let number = random.below(1_000_000)
        return switch kind {
        case .json, .jsonInChunks: "/v1/items/\(number)"
        case .jsonAsGzip: "/v1/lists/\(number % 40)/items?page=\(number % 7)"
        case .document, .longDocument: "/pages/\(number).html"
        case .picture, .largePicture: "/pictures/\(number)/large.jpg"
        case .upload: "/v1/orders"
        case .noContent: "/v1/ping"
        case .notModified, .head: "/v1/settings/\(number)"
        case .beacon: "/beacon/\(number)"
        case .download: "/films/\(number)"
        }
    }

    private func response(
        _ kind: MessageKind, _ truth: inout TrafficTruth, _ random: inout SeededRandom
    ) -> Message {
        var response = Message()
        var status = "200 OK"
        var fields = ""
        switch kind {
        case .noContent: status = "204 No Content"
        case .notModified:
            status = "304 Not Modified"
            fields = "ETag: \"\(String(random.next(), radix: 16))\"\r\n"
        case .download:
            response.body = bodies.block
            response.bodyCount = Int(random.logarithmic(Double(1 << 20)...Double(64 << 20)))
            truth.responseBody += response.bodyCount
            fields = "Content-Type: video/mp4\r\nContent-Length: \(response.bodyCount)\r\n"
        default:
            let body = bodies.body(of: kind, &random)
            let length = body.isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(body.wire.count)"
            fields = "Content-Type: \(body.type)\r\n\(length)\r\n" + (body.isGzip ? "Content-Encoding: gzip\r\n" : "")
            // The response to HEAD has the fields of a body, and none (RFC 9110 §9.3.2).
            guard kind != .head else { break }
            if kind == .upload { status = "201 Created" }
            response.body = body.wire
            response.bodyCount = body.wire.count
            truth.responseBody += body.entity
            truth.framing += body.wire.count - body.entity
        }
        response.head = Array(
            """
            HTTP/1.1 \(status)\r
            Server: nginx\r
            Date: Sat, 21 Nov 2026 10:12:08 GMT\r
            \(fields)Connection: keep-alive\r
            Cache-Control: max-age=\(random.below(86_400))\r
            X-Trace: \(String(random.next(), radix: 16))\r
            \r\n
            """.utf8)
        return response
    }
}
