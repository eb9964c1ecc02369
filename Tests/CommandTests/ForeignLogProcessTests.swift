import Foundation
import Testing
import WireTesting

@Suite("Logs that other programs wrote, against the captures of their traffic")
struct ForeignLogProcessTests {
    private static let captures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Captures")

    private static func read(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test(
        "every row is matched, and every size is what its published definition gives, to the byte",
        arguments: [
            ("chromium", "netlog.json.gz", "capture.pcap.gz", "netlog", 26),
            ("h3-qlog", "client.qlog.gz", "capture.pcap", "qlog", 16),
            ("h3-qlog", "server.qlog.gz", "capture.pcap", "qlog", 16),
        ])
    func definition(name: String, log: String, capture: String, estimator: String, rows: Int) throws {
        let folder = Self.captures.appending(path: name)
        let run = try WireAuditProcess.run([
            "accuracy", "--format", "ndjson", "--estimators", estimator, "--keys",
            folder.appending(path: "keys.log").path, "--sdk-log", folder.appending(path: log).path,
            folder.appending(path: capture).path,
        ])
        #expect(run.status == 0)
        let lines = try Self.read(run.output)
        let states = lines.filter { $0["schema"] as? String == "wireaudit.row/1" }.map { $0["state"] as? String }
        #expect(states == Array(repeating: "matched", count: rows))
        func key(_ call: [String: Any]) -> String {
            ["connection", "exchange", "direction"].map { "\(call[$0] ?? "")" }.joined(separator: " ")
        }
        var simulated: [String: Int] = [:]
        for call in lines where call["source"] as? String == estimator {
            simulated[key(call)] = call["estimate"] as? Int
        }
        #expect(simulated.count == 2 * rows)
        let matched = lines.filter { $0["row"] is Int && $0["schema"] as? String == "wireaudit.call/1" }
        #expect(matched.count == 2 * rows)
        for call in matched { #expect(call["estimate"] as? Int == simulated[key(call)], "\(key(call))") }
    }
}
