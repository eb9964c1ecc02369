import WireAccuracy
import WireCore
import WireEstimates
import WireLogs
import WireTesting

/// Connections with many kinds of exchanges.
struct SampleCalls {
    private var random: SeededRandom
    var frames: [CapturedFrame] = []

    init(seed: UInt64, connections: Int = 6, calls: Int = 8) {
        random = SeededRandom(seed: seed)
        for connection in 0..<connections {
            var talk = Dialogue(clientPort: UInt16(40_000 + connection))
            talk.time = 1_795_168_800_000_000_000 + Int64(connection) * 700_000_000
            talk.handshake()
            for _ in 0..<calls { call(&talk) }
            talk.close()
            frames += talk.frames
        }
        frames.sort { $0.time < $1.time }
    }

    private mutating func call(_ talk: inout Dialogue) {
        talk.time += Int64(20_000_000 + random.below(50_000_000))
        let path = random.element(["/v1/orders/\(random.below(90))", "/v1/a%20b/", "/img/\(random.below(5)).png", "/r"])
        let query = random.oneIn(3) ? "?src=app&n=\(random.below(1000))" : ""
        let body = random.oneIn(3) ? String(repeating: "x", count: random.below(400)) : ""
        var head = "\(body.isEmpty ? "GET" : "POST") \(path)\(query) HTTP/1.1\r\nHost: api.example.com\r\n"
        for field in [
            "Accept: */*\r\n", "User-Agent: Rider/5.2\r\n", "Cookie: sid=abc; theme=dark\r\n", "X-App:1\r\n",
            "Content-Encoding: gzip\r\n",
        ] where random.oneIn(2) { head += field }
        if !body.isEmpty { head += "Content-Length: \(body.utf8.count)\r\n" }
        talk.data(.client, head + "\r\n" + body)
        if random.oneIn(9) { talk.data(.server, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") }
        talk.data(.server, response(to: path))
        talk.ack(.client)
    }

    private mutating func response(to path: String) -> [UInt8] {
        if path == "/r" {
            return Array("HTTP/1.1 302 Found\r\nLocation: /v1/orders/7\r\nContent-Length: 0\r\n\r\n".utf8)
        }
        if random.oneIn(8) { return Array("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n".utf8) }
        let content = (0..<random.below(3000)).map { _ in UInt8(0x61 + random.below(9)) }
        let isGzip = random.oneIn(2)
        let body = isGzip ? CompressedFileBuilder.gzip(content) : content
        var head = "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n"
        if isGzip { head += "Content-Encoding: gzip\r\n" }
        guard random.oneIn(2) else {
            return Array((head + "Content-Length: \(body.count)\r\n\r\n").utf8) + body
        }
        let chunk = String(body.count, radix: 16)
        return Array((head + "Transfer-Encoding: chunked\r\n\r\n").utf8)
            + (body.isEmpty ? [] : Array("\(chunk)\r\n".utf8) + body + Array("\r\n".utf8)) + Array("0\r\n\r\n".utf8)
    }

    /// Accuracy of these calls.
    func collect(
        _ estimators: String, logs: [SDKLog] = [], options: AccuracyOptions = AccuracyOptions(),
        onCall: ((AccuracyCall) -> Void)? = nil
    ) throws -> (AccuracyResult, AuditResult) {
        let collector = AccuracyCollector(
            try EstimatorCatalog.choose(estimators), logs: logs, options: options, onCall: onCall)
        var auditOptions = AuditOptions()
        auditOptions.keepsHeads = true
        let result = audit(frames, auditOptions, sink: collector, examiner: collector.examiner)
        return (collector.finish(), result)
    }
}
