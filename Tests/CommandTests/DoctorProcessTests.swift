import Foundation
import Testing
import WireTesting

@Suite("The program: doctor")
struct DoctorProcessTests {
    private static let captures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Captures").path

    private struct Checkup {
        var status: Int32
        var kinds: [String: String] = [:]
        var grades: [String: String] = [:]
        var words: [String: String] = [:]
    }

    private func checkup(_ arguments: [String]) throws -> Checkup {
        let run = try WireAuditProcess.run(["doctor", "--format", "json"] + arguments)
        var checkup = Checkup(status: run.status)
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any], "\(run.errors)")
        #expect(report["schema"] as? String == "wireaudit.doctor/1")
        for file in try #require(report["files"] as? [[String: Any]]) {
            checkup.kinds[URL(filePath: file["path"] as? String ?? "").lastPathComponent] = file["kind"] as? String
        }
        for name in ["parts", "reports"] {
            for line in try #require(report[name] as? [[String: Any]]) {
                checkup.grades[line["name"] as? String ?? ""] = line["grade"] as? String
                checkup.words[line["name"] as? String ?? ""] = line["words"] as? String
            }
        }
        return checkup
    }

    /// A HAR of the capture's own calls, as the program writes it.
    private func har(of capture: String, in folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/calls.har"
        let run = try WireAuditProcess.run(["exchanges", "--format", "har", "-o", path, capture])
        #expect(run.status == 0, "\(run.errors)")
        return path
    }

    @Test("a whole session in a folder is ready")
    func whole() throws {
        let folder = try TemporaryFolder()
        let capture = folder.path + "/app.pcapng"
        try FileManager.default.copyItem(atPath: Self.captures + "/apps/capture.pcapng", toPath: capture)
        _ = try har(of: capture, in: folder)
        _ = try folder.write("notes.txt", Array("call the lab at nine\n".utf8))
        let found = try checkup([folder.path])
        #expect(found.status == 0)
        #expect(found.kinds == ["app.pcapng": "capture", "calls.har": "log", "notes.txt": "other"])
        #expect(Set(found.grades.values) == ["ready"], "\(found.grades)")
        #expect(found.words["apps"]?.contains("Shop") == true)
    }

    @Test("keys are told apart: none, those of another capture, and the right ones")
    func keys() throws {
        let capture = Self.captures + "/tls13/capture.pcap"
        let without = try checkup([capture])
        #expect(without.status == 0 && without.grades["keys"] == "missing")
        #expect(without.grades["exchanges, --opportunities, --headers"] == "partly")
        #expect(without.grades["wireaudit"] == "partly")
        let others = try checkup([capture, Self.captures + "/h2-tls/keys.log"])
        #expect(others.kinds["keys.log"] == "keys" && others.grades["keys"] == "missing")
        let right = try checkup([capture, Self.captures + "/tls13/keys.log"])
        #expect(right.grades["keys"] != "missing", "\(right.words)")
        #expect(right.grades["exchanges, --opportunities, --headers"] != "missing")
    }

    @Test("a log of another session fits nothing")
    func foreignLog() throws {
        let folder = try TemporaryFolder()
        let log = try har(of: Self.captures + "/shop/capture.pcap", in: folder)
        let found = try checkup([Self.captures + "/one-exchange/capture.pcap", log])
        #expect(found.grades["log"] == "missing" && found.grades["accuracy, check (--sdk-log)"] == "missing")
        #expect(found.grades["accuracy, check (simulated SDKs)"] == "ready")
    }

    /// The calls of the shop in a log with its bodies' sizes.
    private func log(rows: Range<Int>, later seconds: Int = 0, in folder: TemporaryFolder) throws -> String {
        let run = try WireAuditProcess.run(["exchanges", "--format", "har", Self.captures + "/shop/capture.pcap"])
        var har = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        var log = try #require(har["log"] as? [String: Any])
        let entries = try #require(log["entries"] as? [[String: Any]])
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        log["entries"] = try entries[rows].map { entry in
            var entry = entry
            let begin = try style.parse(try #require(entry["startedDateTime"] as? String))
            entry["startedDateTime"] = begin.addingTimeInterval(Double(seconds)).formatted(style)
            return entry
        }
        har["log"] = log
        return try folder.write("part.har", Array(try JSONSerialization.data(withJSONObject: har)))
    }

    @Test("a log with a small part of the calls is not ready, and rows are counted as accuracy counts them")
    func fewRows() throws {
        let folder = try TemporaryFolder()
        let capture = Self.captures + "/shop/capture.pcap"
        for (rows, grade) in [(0..<23, "ready"), (0..<4, "partly")] {
            let log = try log(rows: rows, in: folder)
            let found = try checkup([capture, log])
            #expect(found.grades["log"] == grade && found.grades["accuracy, check (--sdk-log)"] == grade)
            let run = try WireAuditProcess.run(["accuracy", "--format", "json", "--sdk-log", log, capture])
            let report = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
            let counts = (report?["logs"] as? [[String: Any]])?.first?["rows"] as? [String: Any]
            let matched = try #require(counts?["matched"] as? Int)
            #expect(found.words["log"]?.contains("\(matched) joined with calls") == true, "\(found.words)")
            let isPart = found.words["log"]?.contains("no row for 19 of 23 calls") == true
            #expect(isPart == (grade == "partly"))
            let text = try WireAuditProcess.run(["accuracy", "--sdk-log", log, capture])
            #expect(text.output.contains("\(matched) of 23 exchanges compared"), "\(text.output)")
        }
    }

    @Test("clocks that differ as those of two sessions do are told of")
    func otherSession() throws {
        let folder = try TemporaryFolder()
        let log = try log(rows: 0..<23, later: 20, in: folder)
        let found = try checkup([Self.captures + "/shop/capture.pcap", log])
        #expect(found.grades["log"] != "ready", "\(found.words)")
        let run = try WireAuditProcess.run(["doctor", Self.captures + "/shop/capture.pcap", log])
        #expect(run.output.contains("session"), "\(run.output)")
    }

    @Test("without a capture nothing else can be said; what cannot be opened ends it")
    func nothing() throws {
        let found = try checkup([Self.captures + "/tls13/keys.log"])
        #expect(found.status == 65 && found.grades == ["capture": "missing"])
        #expect(try WireAuditProcess.run(["doctor", "/nowhere/a.pcap"]).status == 66)
        #expect(try WireAuditProcess.run(["doctor"]).status == 64)
    }

    @Test("the table says the same in words")
    func table() throws {
        let run = try WireAuditProcess.run(["doctor", Self.captures + "/tls13/capture.pcap"])
        #expect(run.status == 0)
        for text in ["FILES", "SESSION", "REPORTS", "keys: 7 of 8 TLS connections not decrypted"] {
            #expect(run.output.contains(text), "\(text)")
        }
    }
}
