import Foundation
import Testing
import WireCore
import WireLogs
import WireRecords
import WireReport

@Suite("Exchanges as HAR 1.2 and as OTLP spans keep to those formats")
struct ExchangeFormatTests {
    private static func render(_ format: RecordFormat, _ records: [ExchangeRecord]) -> String {
        renderedRecords(.exchanges, format) { report in for record in records { report.receive(record) } }
    }

    private static func record(_ change: (inout ExchangeRecord) -> Void = { _ in }) throws -> ExchangeRecord {
        var record = try #require(sampleRecords().exchanges.first)
        change(&record)
        return record
    }

    private static func log(_ records: [ExchangeRecord]) throws -> [String: Any] {
        let text = Data(render(.har, records).utf8)
        let file = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
        return try #require(file["log"] as? [String: Any])
    }

    private static func entry(_ record: ExchangeRecord) throws -> [String: Any] {
        try #require((try log([record])["entries"] as? [[String: Any]])?.first)
    }

    // MARK: HAR

    struct Phases: Sendable {
        var requestEnd: Int64?
        var firstByte: Int64?
        var duration: Int64 = 9
        var hasResponse = true
        var clocksDiffer = false
        /// Send, wait, receive.
        var expected: [Double]
        var isKnown = true
    }

    @Test(
        "phases are not negative and sum to the time; where the capture does not show one, a comment says so",
        arguments: [
            Phases(requestEnd: 2, firstByte: 3, expected: [2, 3, 4]),
            // The response ended before its request; the request ended behind all that is counted.
            Phases(requestEnd: 8, firstByte: nil, expected: [8, 0, 1]),
            Phases(requestEnd: 12, firstByte: nil, expected: [9, 0, 0]),
            Phases(requestEnd: 2, firstByte: 30, expected: [2, 7, 0]),
            Phases(requestEnd: 2, firstByte: nil, hasResponse: false, expected: [2, 7, 0]),
            Phases(requestEnd: nil, firstByte: nil, hasResponse: false, expected: [9, 0, 0]),
            Phases(requestEnd: nil, firstByte: nil, expected: [0, 0, 9], isKnown: false),
            Phases(requestEnd: 2, firstByte: nil, clocksDiffer: true, expected: [2, 0, 0], isKnown: false),
            Phases(requestEnd: -1, firstByte: nil, duration: -5, expected: [0, 0, 0], isKnown: false),
        ])
    func phases(_ phases: Phases) throws {
        let entry = try Self.entry(
            try Self.record {
                $0.requestEnd = phases.requestEnd.map { [time = $0.time] in time + $0 * 1_000_000 }
                $0.timeToFirstByte = phases.firstByte.map { $0 * 1_000_000 }
                $0.duration = phases.duration * 1_000_000
                $0.clocksDiffer = phases.clocksDiffer
                if !phases.hasResponse { ($0.response, $0.status, $0.responseEnd) = (nil, nil, nil) }
            })
        let timings = try #require(entry["timings"] as? [String: Any])
        #expect(["send", "wait", "receive"].map { timings[$0] as? Double } == phases.expected)
        #expect(entry["time"] as? Double == phases.expected.reduce(0, +))
        #expect((timings["comment"] == nil) == phases.isKnown)
    }

    @Test("an exchange without a request in the capture is no entry, and the log says how many there are")
    func withoutRequest() throws {
        let late = try Self.record { ($0.method, $0.path, $0.target, $0.request) = (nil, nil, nil, nil) }
        let log = try Self.log([late, try Self.record(), late])
        #expect((log["entries"] as? [Any])?.count == 1)
        #expect(log["comment"] as? String == "2 exchanges of which no request was captured are left out")
        #expect(try Self.log([try Self.record()])["comment"] == nil)
    }

    @Test("a URL is absolute and has no fragment, and the query string is the URL's")
    func urls() throws {
        let request =
            try Self.entry(
                try Self.record {
                    $0.target = Array("/a?b=\u{E9}#c".utf8)
                    ($0.path, $0.query) = (Array("/a".utf8), Array("b=\u{E9}#c".utf8))
                })["request"] as? [String: Any]
        #expect(request?["url"] as? String == "http://api.example.com/a?b=%C3%A9")
        #expect(request?["queryString"] as? [[String: String]] == [["name": "b", "value": "%C3%A9"]])
    }

    // MARK: OTLP

    private static func span(_ record: ExchangeRecord) throws -> (span: [String: Any], values: [String: String]) {
        let value = try #require(
            try JSONSerialization.jsonObject(with: Data(render(.otlp, [record]).utf8)) as? [String: Any])
        let resource = try #require((value["resourceSpans"] as? [[String: Any]])?.first)
        let scope = try #require((resource["scopeSpans"] as? [[String: Any]])?.first)
        let span = try #require((scope["spans"] as? [[String: Any]])?.first)
        var values: [String: String] = [:]
        for attribute in try #require(span["attributes"] as? [[String: Any]]) {
            let value = try #require(attribute["value"] as? [String: String])
            values[try #require(attribute["key"] as? String)] = value["stringValue"] ?? value["intValue"]
        }
        return (span, values)
    }

    @Test(
        "methods that the convention does not know are _OTHER, with what was sent beside it",
        arguments: [("GET", nil), ("PATCH", nil), ("QUERY", nil), ("get", "get"), ("PURGE", "PURGE")]
            as [(String, String?)])
    func methods(method: String, original: String?) throws {
        let (span, values) = try Self.span(try Self.record { $0.method = Array(method.utf8) })
        #expect(values["http.request.method"] == (original == nil ? method : "_OTHER"))
        #expect(values["http.request.method_original"] == original)
        #expect(span["name"] as? String == (original == nil ? method : "HTTP"))
    }

    @Test("the server is that of the URL, and the peer that of the connection")
    func endpoints() throws {
        let (_, values) = try Self.span(
            try Self.record {
                $0.host = Array("user@Api.example.com:8080".utf8)
                $0.target = Array("/a#b".utf8)
                ($0.path, $0.query) = (Array("/a#b".utf8), nil)
            })
        #expect(values["url.full"] == "http://api.example.com:8080/a#b")
        #expect(values["server.address"] == "api.example.com" && values["server.port"] == "8080")
        #expect(values["network.peer.address"] == "10.0.0.2" && values["network.peer.port"] == "80")
    }

    @Test("an error has a type", arguments: [(200, nil), (404, "404"), (nil, "_OTHER")] as [(Int?, String?)])
    func errors(status: Int?, type: String?) throws {
        let (span, values) = try Self.span(try Self.record { $0.status = status })
        #expect(values["error.type"] == type)
        #expect((span["status"] as? [String: Int])?["code"] == (type == nil ? nil : 2))
    }

    @Test("without spans there is a value without spans; exchanges without a request are counted in the last value")
    func withoutSpans() throws {
        let empty = Self.render(.otlp, [])
        let service = #"{"key":"service.name","value":{"stringValue":"wireaudit"}}"#
        #expect(
            empty == #"{"resourceSpans":[{"resource":{"attributes":[\#(service)]},"scopeSpans":[]}]}"# + "\n")
        let late = try Self.record { ($0.method, $0.path, $0.target, $0.request) = (nil, nil, nil, nil) }
        let lines = Self.render(.otlp, [late, try Self.record()]).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.last?.contains(#""wireaudit.exchanges_without_request","value":{"intValue":"1"}"#) == true)
        #expect(lines.last?.hasSuffix(#""scopeSpans":[]}]}"#) == true)
    }
}
