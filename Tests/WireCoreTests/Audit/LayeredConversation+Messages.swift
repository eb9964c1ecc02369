import Testing
import WireTesting

@testable import WireCore

extension Auditor {
    /// Nothing waits any more: no bytes of units, no debts, no charges.
    var isEmptyHanded: Bool {
        sum { $0.streams.buffered.records + $0.streams.buffered.heads + $0.streams.attribution.pending.count } == 0
    }
}

extension LayeredConversation {
    /// The runs of a request: start line, headers, body.
    static func request(_ exchange: Int, body: Int = 0) -> [KnownRun] {
        let fields = "Host: a\r\n" + (body > 0 ? "Content-Length: \(body)\r\n" : "") + "\r\n"
        return [
            KnownRun(Array("\(body > 0 ? "POST" : "GET") /\(exchange) HTTP/1.1\r\n".utf8), exchange, .startLine),
            KnownRun(Array(fields.utf8), exchange, .headers),
            KnownRun([UInt8](repeating: 0x61, count: body), exchange, .body),
        ]
    }

    static func response(_ exchange: Int, body: Int = 5) -> [KnownRun] {
        [
            KnownRun(Array("HTTP/1.1 200 OK\r\n".utf8), exchange, .startLine),
            KnownRun(Array("Content-Length: \(body)\r\n\r\n".utf8), exchange, .headers),
            KnownRun([UInt8](repeating: 0x62, count: body), exchange, .body),
        ]
    }

    /// A request and its response, a record and a segment each, and the acknowledgment.
    mutating func exchange(_ exchange: Int, body: Int = 0, answer: Int = 5) {
        seal(.client, Self.request(exchange, body: body))
        sendRest(.client)
        seal(.server, Self.response(exchange, body: answer))
        sendRest(.server)
        acknowledge(.client)
    }
}

extension LayeredConversation {
    /// Audits it, and compares all costs with the account.
    @discardableResult
    func check(
        _ comment: String = "", keys: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) -> AuditedCapture {
        var isEmptyHanded = false
        let capture = audit(keys: keys) { isEmptyHanded = $0.isEmptyHanded }
        #expect(isEmptyHanded, "\(comment): something waits still", sourceLocation: sourceLocation)
        #expect(disagreements(capture) == [], "\(comment)", sourceLocation: sourceLocation)
        return capture
    }
}
