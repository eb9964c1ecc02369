import Foundation
import Testing
import WireTesting

/// Logs of monitoring services, made from a capture's exchanges as the SDKs would write them, held against the capture.
@Suite("The program: logs of monitoring services")
struct ServiceLogProcessTests {
    private struct Call {
        var method: String
        var url: String
        var status: Int
        /// Nanoseconds since the epoch.
        var start: Int
        var duration: Int
        var sent: Int
        var encoded: Int
        var decoded: Int
    }

    private static let shop = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Captures/shop/capture.pcap").path

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func objects(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private static func calls() throws -> [Call] {
        let run = try WireAuditProcess.run(["exchanges", "--format", "ndjson", shop])
        return try objects(run.output).map { exchange in
            func size(_ direction: String, _ name: String) -> Int {
                (exchange[direction] as? [String: Any])?[name] as? Int ?? 0
            }
            return Call(
                method: try #require(exchange["method"] as? String),
                url: "http://\(exchange["host"] ?? "")\(exchange["target"] ?? "")",
                status: try #require(exchange["status"] as? Int), start: try #require(exchange["time_ns"] as? Int),
                duration: try #require(exchange["duration_ns"] as? Int), sent: size("up", "body"),
                encoded: size("down", "body"), decoded: size("down", "body_decoded"))
        }
    }

    private static func sentry(_ call: Call) -> String {
        func seconds(_ time: Int) -> String {
            "\(time / 1_000_000_000)." + String("\(1_000_000 + time % 1_000_000_000 / 1000)".dropFirst())
        }
        return """
            {"event_id":"9d01fe6335f24472ba6a1f0bc494e559","platform":"cocoa","breadcrumbs":[{"type":"http",\
            "category":"http","timestamp":\(seconds(call.start + call.duration)),"data":{"url":"\(call.url)",\
            "method":"\(call.method)","status_code":\(call.status),"request_start":\(seconds(call.start)),\
            "request_body_size":\(call.sent),"response_body_size":\(call.decoded)}}]}
            """
    }

    private static func datadog(_ call: Call) -> String {
        """
        {"type":"resource","date":\(call.start / 1_000_000),"session":{},"view":{},"resource":{"url":"\(call.url)",\
        "method":"\(call.method)","status_code":\(call.status),"duration":\(call.duration),"size":\(call.decoded),\
        "encoded_body_size":\(call.encoded),"request":{"encoded_body_size":\(call.sent)}}}
        """
    }

    /// As the Android agent writes it; the query is left out.
    private static func newRelic(_ call: Call) -> String {
        """
        {"eventType":"MobileRequest","timestamp":\((call.start + call.duration) / 1_000_000),\
        "requestUrl":"\(call.url.split(separator: "?")[0])","requestMethod":"\(call.method)",\
        "statusCode":\(call.status),"responseTime":\(Double(call.duration) / 1e9),"bytesSent":\(call.sent),\
        "bytesReceived":\(call.encoded)}
        """
    }

    @Test(
        "a log made from a capture has a row for each call, and the SDK's formula gives every size",
        arguments: [
            ("sentry", "sentry"),
            (
                "datadog",
                "requests by datadog:figure=content; responses by datadog"
            ),
            ("newrelic", "newrelic:figure=encoded"),
        ])
    func formulas(format: String, formula: String) throws {
        let line = ["sentry": Self.sentry, "datadog": Self.datadog, "newrelic": Self.newRelic][format]
        let lines = try Self.calls().map(try #require(line))
        try #require(lines.count == 23)
        let log = try folder.write("app.json", Array((lines.joined(separator: "\n") + "\n").utf8))
        let run = try WireAuditProcess.run([
            "accuracy", "--format", "json", "--estimators", "none", "--sdk-log", log, Self.shop,
        ])
        #expect(run.status == 0, "\(run.errors)")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let found = try #require((report["logs"] as? [[String: Any]])?.first)
        #expect(found["format"] as? String == format)
        let rows = found["rows"] as? [String: Any]
        #expect(rows?["total"] as? Int == 23 && rows?["matched"] as? Int == 23)
        let figures = found["figures"] as? [String: Any]
        #expect(figures?["compared"] as? Int == 46 && figures?["explained"] as? Int == 46)
        #expect((found["problems"] as? [Any])?.isEmpty == true)
        let text = try WireAuditProcess.run(["accuracy", "--estimators", "none", "--sdk-log", log, Self.shop]).output
        #expect(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(formula), "\(text)")
    }
}
