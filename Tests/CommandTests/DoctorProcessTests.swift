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
