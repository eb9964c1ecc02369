import Foundation
import Testing
import WireTesting

@Suite("The program: partial results and logs that are not what they should be")
struct PartInputProcessTests {
    private let folder: TemporaryFolder
    private let part: String

    private static let capture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Captures/shop/capture.pcap").standardizedFileURL.path

    init() throws {
        folder = try TemporaryFolder()
        let run = try WireAuditProcess.run(["accuracy", "--format", "partial", "--session", "a", Self.capture])
        part = run.output
    }

    /// The part with the first match of a pattern replaced.
    private func changed(_ pattern: String, _ replacement: String) throws -> String {
        let range = try #require(part.range(of: pattern, options: .regularExpression), "\(pattern)")
        let text = part.replacingCharacters(in: range, with: replacement)
        return try folder.write("changed.part", Array(text.utf8))
    }

    @Test(
        "of other versions and other names are refused",
        arguments: [
            (#""version":"[^"]*""#, #""version":"9.9.9""#, "version 9.9.9 of wireaudit wrote it"),
            (#"wireaudit\.partial/1"#, "wireaudit.partial/2", "its schema is"),
            (#""name":"a""#, #""name":"b""#, "the id of its session 'b' is of another name"),
        ])
    func other(pattern: String, replacement: String, message: String) throws {
        try expectRefusal(of: changed(pattern, replacement), message)
    }

    @Test(
        "with negative counts, or a ledger that does not balance, are refused",
        arguments: [(3, "-7", "is negative"), (4, "1", "its ledger does not balance")])
    func impossible(place: Int, value: String, message: String) throws {
        try expectRefusal(of: changedCapture { $0[place] = value }, message)
    }

    /// With the name of the file and status 65, and never as a fault of the program.
    private func expectRefusal(of path: String, _ message: String) throws {
        let policy = try folder.write("a.policy", Array("bias <= 5%\n".utf8))
        for arguments in [["merge", path], ["check", policy, path]] {
            let run = try WireAuditProcess.run(arguments)
            #expect(run.status == 65, "\(run.errors)")
            #expect(run.errors.contains(path) && run.errors.contains(message), "\(run.errors)")
        }
    }

    /// The part with other values of its capture: first, last, files, packets, bytes, …
    private func changedCapture(_ change: (inout [String]) -> Void) throws -> String {
        let head = try #require(part.range(of: #""kind":"capture","key":[],"values":["#))
        let end = try #require(part[head.upperBound...].firstIndex(of: "]"))
        var values = part[head.upperBound..<end].split(separator: ",").map(String.init)
        change(&values)
        let text = part[..<head.upperBound] + values.joined(separator: ",") + part[end...]
        return try folder.write("changed.part", Array(text.utf8))
    }

    @Test("check takes a part from standard input, and a capture as well")
    func standardInput() throws {
        let policy = try folder.write("a.policy", Array("p50-session-error <= 100%\n".utf8))
        let run = try WireAuditProcess.run(["check", policy, "-"], input: folder.write("a.part", Array(part.utf8)))
        #expect(run.status == 0, "\(run.errors)")
        let audited = try WireAuditProcess.run(["check", "--max-wire", "1GB", "-"], input: Self.capture)
        #expect(audited.status == 0, "\(audited.errors)")
    }

    @Test("merge lists the session of each part as a fleet does")
    func lines() throws {
        let path = try folder.write("a.part", Array(part.utf8))
        let run = try WireAuditProcess.run(["merge", "--format", "ndjson", path])
        #expect(run.status == 0)
        let line = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(line["session"] as? String == "a" && line["day"] as? String == "2026-11-21")
        let damage = try #require(line["damage"] as? [String: Any])
        #expect(damage["trust"] as? String == "whole" && damage["missing_bytes"] as? Int == 0)
    }

    @Test("of sessions with key logs are checked without a word on what the key logs hold")
    func keyLogs() throws {
        let keys = try folder.write("a.keys", Array("nothing\n".utf8))
        let parts = try ["a", "b"].map { name in
            let run = try WireAuditProcess.run(
                ["accuracy", "--quiet", "--format", "partial", "--session", name, "--keys", keys, Self.capture])
            return try folder.write("\(name).part", Array(run.output.utf8))
        }
        let run = try WireAuditProcess.run(["check", "--max-wire", "1GB"] + parts)
        #expect(run.status == 0 && !run.errors.contains("key log"), "\(run.errors)")
    }

    @Test("a folder without logs.sqlite is no log, and the message says so")
    func emptyStore() throws {
        let store = folder.path + "/empty.pulse"
        try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
        let run = try WireAuditProcess.run(["accuracy", "--sdk-log", store, Self.capture])
        #expect(run.status == 66 && run.errors.contains("empty.pulse is a folder without logs.sqlite"), "\(run.errors)")
    }
}
