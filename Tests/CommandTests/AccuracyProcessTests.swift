import Foundation
import Testing
import WireRecords
import WireTesting

@Suite("The program: accuracy, check, estimators")
struct AccuracyProcessTests {
    private let folder: TemporaryFolder
    private static let shop = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Captures/shop")
    private let capture = Self.shop.appending(path: "capture.pcap").path
    private let log = Self.shop.appending(path: "traffic.ndjson").path

    init() throws { folder = try TemporaryFolder() }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func lines(_ arguments: [String]) throws -> [[String: Any]] {
        let run = try WireAuditProcess.run(arguments)
        #expect(run.status == 0)
        return try run.output.split(separator: "\n").map { try object(String($0)) }
    }

    @Test("a report on a log simulates only what was asked for, and says the main points in 50 lines")
    func mainPoints() throws {
        let words = ["accuracy", "--sdk-log", log, capture]
        let brief = try WireAuditProcess.run(words)
        #expect(brief.status == 0 && brief.output.split(separator: "\n", omittingEmptySubsequences: false).count <= 51)
        var last = brief.output.startIndex
        let order = [
            "traffic.ndjson (measured by the app) ", "WORST APIs: REQUESTS", "ERRORS BY CAUSE",
            "WHAT TO CHANGE IN THE SDK", "HOW IT WAS FOUND", "--full: all",
        ]
        for part in order {
            let place = brief.output.range(of: part)?.lowerBound
            #expect(place.map { $0 >= last } == true, "\(part): \(brief.output)")
            last = place ?? last
        }
        for words in [words, words + ["--full"], words + ["--format", "html"], words + ["--format", "md"]] {
            #expect(try !WireAuditProcess.run(words).output.contains("networkeye"), "\(words)")
        }
        #expect(try WireAuditProcess.run(words + ["--full"]).output.contains("HEAD AND BODY SIZES: traffic.ndjson"))
        // Who asks for an SDK gets it; programs get what they always got.
        for choice in [["--estimators", "networkeye"], ["--format", "json"], ["--format", "csv"]] {
            #expect(try WireAuditProcess.run(words + choice).output.contains("networkeye"), "\(choice)")
        }
    }

    @Test("the simulated estimator gives every row of a log that tshark and zlib made, to the byte")
    func logEqualsSimulation() throws {
        let calls = try lines([
            "accuracy", "--format", "ndjson", "--estimators", "dmurlprotocol", "--sdk-log", log, capture,
        ])
        func key(_ call: [String: Any]) -> String {
            "\(call["connection"] ?? "") \(call["exchange"] ?? "") \(call["direction"] ?? "")"
        }
        var simulated: [String: Int] = [:]
        for call in calls where call["source"] as? String == "dmurlprotocol" {
            simulated[key(call)] = call["estimate"] as? Int
        }
        #expect(simulated.count == 46)
        let rows = calls.filter { $0["schema"] as? String == "wireaudit.row/1" }
        #expect(rows.count == 46 && rows.count { $0["state"] as? String == "matched" } == 45)
        let matched = calls.filter { $0["row"] is Int && $0["schema"] as? String == "wireaudit.call/1" }
        #expect(matched.count == 45)
        for call in matched { #expect(call["estimate"] as? Int == simulated[key(call)], "\(call)") }
        for call in calls where call["error"] is Int {
            let causes = call["causes"] as? [String: Int] ?? [:]
            #expect(causes.values.reduce(0, +) == call["error"] as? Int)
        }
    }

    @Test(
        "what is reported does not change which exchange a row has",
        arguments: [["--host", "img*"], ["--api", "POST *"]])
    func selection(options: [String]) throws {
        func places(_ options: [String]) throws -> [String] {
            try lines(
                ["accuracy", "--format", "ndjson", "--estimators", "none", "--sdk-log", log] + options + [capture]
            )
            .filter { $0["schema"] as? String == "wireaudit.row/1" }
            .map { row in ["row", "state", "connection", "exchange"].map { "\(row[$0] ?? "")" }.joined(separator: " ") }
        }
        let all = try places([])
        #expect(all.count == 46)
        #expect(try places(options) == all)
    }

    @Test("TLS without keys: what was not read and what failed in the handshake is named, no figure stands for it")
    func withoutKeys() throws {
        let hidden = Self.shop.deletingLastPathComponent().appending(path: "tls-nokey/capture.pcap").path
        let report = try object(try WireAuditProcess.run(["accuracy", "--format", "json", hidden]).output)
        let failed = try #require((report["failed_handshakes"] as? [[String: Any]])?.first)
        #expect(failed["host"] as? String == "api.example.com")
        #expect(failed["connections"] as? Int == 2 && failed["alerts"] as? Int == 2)
        let text = try WireAuditProcess.run(["accuracy", hidden]).output
        #expect(text.contains("4 not decrypted (decrypt them with --keys FILE), 2 failed in the handshake"))
        #expect(text.contains("2 TLS handshakes with api.example.com failed (by an alert): 4,464 bytes on the wire"))
        #expect(text.contains("No call of this capture can be compared."))
        #expect(!text.contains("REQUESTS"))
    }

    @Test("without a choice the verdict is a range over the estimators; a choice gives its own")
    func withoutChoice() throws {
        let open = try WireAuditProcess.run(["accuracy", capture]).output
        #expect(open.contains("9 simulated estimators are off by -100.0 %"))
        #expect(open.contains("--sdk-log FILE"))
        for choice in [["--estimators", "hertz"], ["--sdk-log", log]] {
            let chosen = try WireAuditProcess.run(["accuracy"] + choice + [capture]).output
            #expect(!chosen.contains("No SDK was chosen"))
        }
    }

    @Test("a log's clock, lost row and repeated row are found")
    func logSummary() throws {
        let run = try WireAuditProcess.run(["accuracy", "--format", "json", "--sdk-log", log, capture])
        #expect(run.status == 0)
        let report = try object(run.output)
        #expect(report["schema"] as? String == "wireaudit.accuracy/1")
        let summary = try #require((report["logs"] as? [[String: Any]])?.first)
        let rows = try #require(summary["rows"] as? [String: Int])
        #expect(rows["total"] == 46)
        #expect(rows["duplicates"] == 1)
        #expect((rows["matched"] ?? 0) + (rows["ambiguous"] ?? 0) == 45)
        let offset = try #require((summary["clock"] as? [String: Any])?["offset"] as? Double)
        #expect(abs(offset - 1.25) < 0.005)
        let figures = try #require(summary["figures"] as? [String: Int])
        #expect(figures["explained"] == figures["compared"])
    }

    @Test(
        "every form of the report is written, and the same run gives the same bytes",
        arguments: [
            "table", "html", "md", "json", "csv", "ndjson",
        ])
    func formats(format: String) throws {
        let arguments = ["accuracy", "--estimators", "all", "--sdk-log", log, "--format", format, capture]
        let first = try WireAuditProcess.run(arguments + ["--jobs", "1"])
        #expect(first.status == 0)
        #expect(first.output.count > 1000)
        guard format != "table" else { return }
        #expect(try WireAuditProcess.run(arguments + ["--jobs", "3"]).output == first.output)
    }

    @Test("check ends with 0 where bounds hold and with 1 where one is exceeded; the policy of the articles holds")
    func check() throws {
        let policy = Self.shop.appending(path: "accuracy.policy").path
        #expect(try WireAuditProcess.run(["check", policy, "--sdk-log", log, capture]).status == 0)
        let exceeded = try WireAuditProcess.run(["check", "--max-bias", "20%", capture])
        #expect(exceeded.status == 1)
        #expect(exceeded.output.contains("all APIs (dmurlprotocol): request error -34.9 % exceeds 20 %; "))
        let xml = try WireAuditProcess.run(["check", "--max-bias", "20%", "--format", "junit", capture])
        #expect(xml.status == 1)
        #expect(xml.output.contains("<testsuite"))
    }

    @Test("an earlier result is a bound that the same capture keeps")
    func baseline() throws {
        let json = try WireAuditProcess.run(["accuracy", "--format", "json", "--sdk-log", log, capture]).output
        let baseline = try folder.write("baseline.json", Array(json.utf8))
        #expect(try WireAuditProcess.run(["check", "--baseline", baseline, "--sdk-log", log, capture]).status == 0)
    }

    @Test("what cannot be read is told in one line with its status")
    func errors() throws {
        let text = try folder.write("notes.txt", Array("just notes\n".utf8))
        let cases: [(arguments: [String], status: Int32, words: String)] = [
            (["accuracy", "--sdk-log", folder.path + "/gone.sqlite", capture], 66, "cannot open"),
            (["accuracy", "--sdk-log", text, capture], 65, "notes.txt"),
            (["accuracy", "--estimators", "dokti", capture], 64, "dokit"),
            (["accuracy", "--estimators", "dm:headers=mni", capture], 64, "min"),
            (["check", folder.path + "/gone.policy", capture], 66, "policy"),
            (["check", "--max-bias", "much", capture], 64, "--max-bias"),
            (["check", text, capture], 64, "notes.txt:1"),
            (["accuracy", "--sdk-log", log, "-o", log, capture], 64, "overwrite"),
        ]
        for (arguments, status, words) in cases {
            let run = try WireAuditProcess.run(arguments)
            #expect(run.status == status, "\(arguments)")
            #expect(run.errors.contains(words), "\(arguments): \(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        }
    }

    @Test("exchanges and the audit carry estimates when estimators are named, and else do not")
    func estimates() throws {
        let exchanges = try lines(["exchanges", "--format", "ndjson", "--estimators", "mtnm,dm", capture])
        #expect(exchanges.count == 23)
        for exchange in exchanges {
            let estimates = try #require(exchange["estimates"] as? [String: [String: Any]])
            #expect(Set(estimates.keys) == ["mtnm", "dmurlprotocol"])
            for side in ["up", "down"] {
                let message = (exchange[side] as? [String: Any])?["message"] as? Int
                #expect((estimates["mtnm"]?[side] as? [String: Any])?["total"] as? Int == message)
            }
        }
        #expect(try lines(["exchanges", "--format", "ndjson", capture]).allSatisfy { $0["estimates"] is NSNull })
        let audit = try object(
            try WireAuditProcess.run(["--format", "json", "--estimators", "standard", capture]).output)
        #expect((audit["estimators"] as? [String: Any])?.count == 9)
        let table = try WireAuditProcess.run(["--estimators", "mtnm,dm", capture]).output
        #expect(table.contains("ESTIMATES, SIMULATED  requests  responses\n"))
        #expect(table.contains(/\nmtnm +0.0 % +0.0 %\n/) && table.contains(/\ndmurlprotocol +-34.9 % +-0.7 %\n/))
    }

    @Test("estimators are listed with what they count, one of them in full by any of its names")
    func estimators() throws {
        let all = try WireAuditProcess.run(["estimators"])
        #expect(all.status == 0)
        for name in ["dmurlprotocol", "networkeye", "mtnm", "okhttp", "ifaddrs"] {
            #expect(all.output.contains(name))
        }
        let one = try WireAuditProcess.run(["estimators", "dm"])
        #expect(one.output.contains("dmurlprotocol"))
        #expect(!one.output.contains("okhttp"))
        #expect(try WireAuditProcess.run(["estimators", "nobody"]).status == 64)
    }
}
