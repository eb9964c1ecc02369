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

    @Test("numbers of connections that no client of the capture has as a port keep no row from its call")
    func foreignConnectionNumbers() throws {
        let folder = try TemporaryFolder()
        let capture = Self.captures.appending(path: "shop/capture.pcap").path
        let har = try WireAuditProcess.run(["exchanges", "--format", "har", capture]).output
        func matched(_ replacements: [(String, String)]) throws -> Int? {
            var text = har
            for (port, number) in replacements {
                #expect(text.contains("\"connection\":\"\(port)\""))
                text = text.replacing("\"connection\":\"\(port)\"", with: "\"connection\":\"\(number)\"")
            }
            let log = try folder.write("log.har", Array(text.utf8))
            let run = try WireAuditProcess.run(["accuracy", "--format", "ndjson", "--sdk-log", log, capture])
            return try Self.read(run.output).count { $0["state"] as? String == "matched" }
        }
        #expect(try matched([]) == 23)
        #expect(try matched([("29124", "51000"), ("29126", "51001")]) == 23)
        // One of them is a port: so are the others, and no client has that one.
        #expect(try matched([("29126", "51001")]) == 18)
    }

    @Test("a merged report has the secrets of all key logs, and claims no clock")
    func mergedKeysAndClocks() throws {
        let folder = try TemporaryFolder()
        let h2 = Self.captures.appending(path: "h2-tls")
        let keys = ["--keys", h2.appending(path: "keys.log").path]
        let capture = h2.appending(path: "capture.pcap").path
        func secrets(_ arguments: [String]) throws -> Int? {
            let json = try Self.read(try WireAuditProcess.run(arguments).output.replacing("\n", with: " "))
            let logs = try #require((json.first?["capture"] as? [String: Any])?["key_logs"] as? [[String: Any]])
            return logs.first?["secrets"] as? Int
        }
        let part = folder.path + "/keys.part"
        #expect(try WireAuditProcess.run(["--format", "partial", "-o", part] + keys + [capture]).status == 0)
        let single = try secrets(["--format", "json"] + keys + [capture])
        #expect(single ?? 0 > 0)
        #expect(try secrets(["merge", "--format", "json", part]) == single)

        let shop = Self.captures.appending(path: "shop")
        let log = ["--sdk-log", shop.appending(path: "traffic.ndjson").path]
        let logged = folder.path + "/log.part"
        let traffic = [shop.appending(path: "capture.pcap").path]
        let partial = ["accuracy", "--format", "partial", "-o", logged]
        #expect(try WireAuditProcess.run(partial + log + traffic).status == 0)
        #expect(try WireAuditProcess.run(["accuracy"] + log + traffic).output.contains("clock: "))
        let merged = try WireAuditProcess.run(["merge", logged])
        #expect(merged.status == 0 && !merged.output.contains("clock"))
    }
}
