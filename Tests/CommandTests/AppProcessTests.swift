import Foundation
import Testing
import WireTesting

/// Reports of a capture that names two apps and a service.
@Suite("The program: apps")
struct AppProcessTests {
    private static let capture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Captures/apps/capture.pcapng").path

    /// One more, which names no app.
    private static let unnamed = URL(filePath: capture).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "one-exchange/capture.pcap").path

    private func run(_ arguments: [String]) throws -> String {
        let run = try WireAuditProcess.run(arguments + [Self.capture])
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    private func object(_ text: some StringProtocol) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func audit(_ more: [String] = []) throws -> [String: Any] {
        try object(run(["--format", "json"] + more))
    }

    private func records(_ command: String, _ more: [String] = []) throws -> [[String: Any]] {
        try run([command, "--format", "ndjson"] + more).split(separator: "\n").map { try object($0) }
    }

    private func rows(_ report: [String: Any], _ name: String) throws -> [[String: Any]] {
        try #require(report[name] as? [[String: Any]])
    }

    private func sum(_ rows: [[String: Any]], _ name: String) -> Int {
        rows.reduce(0) { $0 + ($1[name] as? Int ?? 0) }
    }

    @Test("the rows of apps add up to all bytes of the layer", arguments: ["ip", "link"])
    func whole(layer: String) throws {
        let report = try audit(["--layer", layer, Self.unnamed])
        let apps = try rows(report, "apps")
        #expect(apps.map { $0["app"] as? String }.last == .some(nil))
        #expect(Set(apps.compactMap { $0["app"] as? String }) == ["Shop", "Mail", "mDNSResponder"])
        let ledger = try #require(report["ledger"] as? [String: Any])
        let layers = try #require(ledger["layers"] as? [String: Int])
        let internet = (layers["network"] ?? 0) + (layers["transport"] ?? 0) + (layers["payload"] ?? 0)
        #expect(sum(apps, "wire") == (layer == "link" ? ledger["bytes"] as? Int : internet))
        let connections = try records("connections", ["--layer", layer, Self.unnamed])
        for app in ["Shop", "Mail", nil] {
            let row = try #require(apps.first { $0["app"] as? String == app })
            let own = connections.filter { $0["app"] as? String == app }
            #expect(row["connections"] as? Int == own.count)
            let wire = try own.reduce(0) { sum, record in
                let (up, down) = (record["up"] as? [String: Any], record["down"] as? [String: Any])
                return sum + (try #require(up?["wire"] as? Int)) + (try #require(down?["wire"] as? Int))
            }
            #expect(row["wire"] as? Int == wire, "\(app ?? "none")")
        }
    }

    @Test("records name app, process and number, with any number of threads", arguments: ["1", "3"])
    func names(jobs: String) throws {
        for command in ["connections", "exchanges"] {
            for record in try records(command, ["--jobs", jobs]) {
                let app = try #require(record["app"] as? String)
                #expect(record["process"] as? String == (app == "Shop" ? "nsurlsessiond" : "Mail"))
                #expect(record["pid"] as? Int == (app == "Shop" ? 88 : 502))
            }
        }
        #expect(try run(["--jobs", jobs]).contains("APPS BY WIRE BYTES"))
    }

    @Test("--app leaves out all others: a part of the name in any case, or a pattern")
    func choice() throws {
        let all = try records("exchanges")
        for (words, apps) in [
            (["shop"], ["Shop"]), (["S*"], ["Shop"]), (["*op"], ["Shop"]), (["Mail", "shop"], ["Mail", "Shop"]),
            (["hop*"], []),
        ] {
            let choice = words.flatMap { ["--app", $0] }
            let own = all.filter { apps.contains($0["app"] as? String ?? "") }
            #expect(try records("exchanges", choice).count == own.count, "\(words)")
            let report = try audit(choice)
            #expect(sum(try rows(report, "apis"), "exchanges") == own.count, "\(words)")
            #expect(Set(try rows(report, "apps").compactMap { $0["app"] as? String }) == Set(apps))
            let options = try #require(report["options"] as? [String: Any])
            #expect(options["apps"] as? [String] == words)
            let ledger = try #require(report["ledger"] as? [String: Any])
            #expect(ledger["balanced"] as? Bool == true)
        }
    }

    @Test("a log is joined with the calls of the chosen app only")
    func join() throws {
        let folder = try TemporaryFolder()
        let log = try folder.write("log.har", Array(try run(["exchanges", "--format", "har"]).utf8))
        func counts(_ more: [String]) throws -> (rows: [String: Int], calls: Int?) {
            let report = try object(run(["accuracy", "--format", "json", "--sdk-log", log] + more))
            let log = try #require(try rows(report, "logs").first)
            return (try #require(log["rows"] as? [String: Int]), (log["exchanges"] as? [String: Any])?["total"] as? Int)
        }
        let all = try records("exchanges")
        let own = all.filter { $0["app"] as? String == "Shop" }.count
        let (whole, shop) = (try counts([]), try counts(["--app", "Shop"]))
        #expect(own > 0 && own < all.count)
        #expect(whole.calls == all.count && whole.rows["matched"] == all.count, "\(whole)")
        #expect(shop.calls == own && shop.rows["matched"] == own && shop.rows["total"] == all.count, "\(shop)")
    }

    @Test("a partial result, which must add up to a whole capture, cannot be of one app")
    func partial() throws {
        let run = try WireAuditProcess.run(["--format", "partial", "--app", "Shop", Self.capture])
        #expect(run.status == 64 && run.errors.contains("leave out --app"), "\(run.errors)")
    }

    /// Apps as JSON has them, but for sides that are not told where nothing was added up.
    private func figures(_ rows: [[String: Any]]) -> [String: [Int]] {
        Dictionary(
            uniqueKeysWithValues: rows.map { row in
                (row["app"] as? String ?? "", ["connections", "exchanges", "wire"].map { row[$0] as? Int ?? -1 })
            })
    }

    @Test("sums by app of merged parts and of a fleet are those of one audit: a session without names is in the rest")
    func merged() throws {
        let whole = try figures(rows(audit([Self.unnamed]), "apps"))
        #expect(whole.count == 4)
        let folder = try TemporaryFolder()
        let parts = try [Self.capture, Self.unnamed].map { path in
            let run = try WireAuditProcess.run(["--format", "partial", path])
            return try folder.write("\(path.hashValue).part", Array(run.output.utf8))
        }
        let merged = try object(WireAuditProcess.run(["merge", "--format", "json"] + parts).output)
        #expect(try figures(rows(merged, "apps")) == whole)
        let list = "session,capture\na,\(Self.capture)\nb,\(Self.unnamed)\n"
        let fleet = folder.path + "/fleet"
        let run = try WireAuditProcess.run(["fleet", try folder.write("list.csv", Array(list.utf8)), "-o", fleet])
        #expect(run.status == 0 && run.output.contains("APPS"), "\(run.errors)")
        let report = try object(String(contentsOfFile: fleet + "/fleet.json", encoding: .utf8))
        #expect(try figures(rows(report, "apps")) == whole)
        #expect(try String(contentsOfFile: fleet + "/fleet.html", encoding: .utf8).contains("Shop"))
    }

    @Test("an app that the capture does not name is told")
    func unknown() throws {
        let run = try WireAuditProcess.run(["exchanges", "--format", "ndjson", "--app", "Nobody", Self.capture])
        #expect(run.output.isEmpty && run.errors.contains("no exchanges match --app 'Nobody'"))
    }
}
