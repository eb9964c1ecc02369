import Foundation
import Testing
import WireTesting

@Suite("The program: what a fleet does with folders and files")
struct FleetFolderProcessTests {
    private let folder: TemporaryFolder
    private let capture: String

    init() throws {
        folder = try TemporaryFolder()
        capture = try folder.write("one.pcap", SampleConversation().pcap())
    }

    private func manifest(_ lines: String...) throws -> String {
        try folder.write("fleet.csv", Array((["session,capture"] + lines).joined(separator: "\n").utf8))
    }

    private func run(_ arguments: [String]) throws -> (status: Int32, errors: String) {
        let run = try WireAuditProcess.run(["fleet", "--quiet"] + arguments)
        return (run.status, run.errors)
    }

    private func files(_ path: String) -> [String] { (FileManager.default.subpaths(atPath: path) ?? []).sorted() }

    @Test("a folder with files that no fleet wrote is refused and left as it is")
    func othersFiles() throws {
        let own = folder.path + "/own"
        try FileManager.default.createDirectory(atPath: own + "/parts", withIntermediateDirectories: true)
        for name in ["parts/mine.part", "fleet.html"] { _ = try folder.write("own/" + name, Array("precious".utf8)) }
        let before = files(own)
        let refused = try run([manifest("a,\(capture)"), "-o", own])
        #expect(refused.status == 64 && refused.errors.contains("no results of a fleet"), "\(refused.errors)")
        #expect(files(own) == before)
        #expect(try String(contentsOfFile: own + "/fleet.html", encoding: .utf8) == "precious")
    }

    @Test("other files in the folder stay, such as the table of a job that audited the sessions")
    func otherFiles() throws {
        let table = folder.path + "/out/sessions"
        try FileManager.default.createDirectory(atPath: table, withIntermediateDirectories: true)
        _ = try folder.write("out/sessions/part-0.parquet", Array("table".utf8))
        #expect(try run([manifest("a,\(capture)"), "-o", folder.path + "/out"]).status == 0)
        #expect(files(folder.path + "/out").contains("sessions/part-0.parquet"))
    }

    @Test("results of a folder are read before its reports are replaced, and not with other options")
    func fromItself() throws {
        let (list, out) = (try manifest("a,\(capture)", "lost,missing.pcap"), folder.path + "/out")
        #expect(try run([list, "-o", out]).status == 0)
        let before = try String(contentsOfFile: out + "/fleet.json", encoding: .utf8)
        #expect(try run([list, "--from", out, "-o", out]).status == 0)
        // The failed session is counted once.
        #expect(try String(contentsOfFile: out + "/fleet.json", encoding: .utf8) == before)
        let other = try run(["--layer", "link", list, "--from", out, "-o", folder.path + "/new"])
        #expect(other.status == 64 && other.errors.contains("another --layer"), "\(other.errors)")
    }

    @Test("the result of another session under the name of one is none: the session is audited again")
    func swappedParts() throws {
        let (list, out) = (try manifest("a,\(capture)", "b,\(capture)"), folder.path + "/out")
        #expect(try run([list, "-o", out]).status == 0)
        let parts = files(out + "/parts").map { "\(out)/parts/\($0)" }
        #expect(parts.count == 2)
        let before = try parts.map { try String(contentsOfFile: $0, encoding: .utf8) }
        try before[1].write(toFile: parts[0], atomically: false, encoding: .utf8)
        #expect(try run([list, "-o", out]).status == 0)
        #expect(try parts.map { try String(contentsOfFile: $0, encoding: .utf8) } == before)
    }

    @Test("a pipe is a failed session, not the end of the fleet")
    func pipe() throws {
        let pipe = folder.path + "/pipe"
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let out = folder.path + "/out"
        let result = try run([manifest("good,\(capture)", "piped,\(pipe)"), "-o", out])
        #expect(result.status == 0 && result.errors.contains("session piped: "), "\(result.errors)")
        #expect(result.errors.contains("is a pipe or a device"), "\(result.errors)")
    }

    @Test("check refuses options that partial results have decided, and bounds that they do not tell")
    func checkOfParts() throws {
        let run = try WireAuditProcess.run(["accuracy", "--format", "partial", "--session", "a", capture])
        let part = try folder.write("a.part", Array(run.output.utf8))
        let policy = try folder.write("p", Array("failed-sessions <= 1%\n".utf8))
        for option in [["--setup", "separate"], ["--undo-offload"], ["--redact-query"], ["--limit", "log-rows=10"]] {
            let check = try WireAuditProcess.run(["check"] + option + [policy, part])
            #expect(check.status == 64 && check.errors.contains("belongs to the command"), "\(check.errors)")
        }
        let check = try WireAuditProcess.run(["check", policy, part])
        #expect(check.status == 1 && check.output.contains("needs the partial results of a fleet"), "\(check.output)")
    }
}
