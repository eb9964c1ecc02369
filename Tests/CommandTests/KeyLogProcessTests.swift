import Foundation
import Testing
import WireTesting

@Suite("The program: key logs")
struct KeyLogProcessTests {
    private let folder: TemporaryFolder
    private let capture: String
    /// A key log for a connection that is in no capture, and words that must never come out again.
    private let keys: String
    private let notes: String
    private static let random = String(repeating: "c0ffee01", count: 8)
    private static let secret = String(repeating: "5ec2e7aa", count: 8)
    private static let diary = "my dear diary"

    init() throws {
        folder = try TemporaryFolder()
        capture = try folder.write("shop.pcap", SampleConversation().pcap())
        let line = "CLIENT_TRAFFIC_SECRET_0 \(Self.random) \(Self.secret)\n"
        keys = try folder.write("keys.log", Array(("# keys\n" + line + "CLIENT_RANDOM \(Self.diary)\n").utf8))
        notes = try folder.write("notes.txt", Array((Self.diary + "\n").utf8))
    }

    private func keyLogs(_ output: String) throws -> [[String: Any]] {
        let report = try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        return try #require((report["capture"] as? [String: Any])?["key_logs"] as? [[String: Any]])
    }

    private static let commands: [[String]] = [
        ["audit"], ["audit", "--format", "json"], ["exchanges"], ["exchanges", "--format", "csv"], ["connections"],
        ["connections", "--format", "table"], ["accuracy"], ["accuracy", "--format", "json"],
        ["check", "--max-bias", "99%"],
    ]

    @Test("every command that reads captures takes key logs, and never prints what is in them", arguments: commands)
    func secrecy(command: [String]) throws {
        for arguments in [["--keys", keys], ["--keys", keys, "--keys", notes], ["--keys", keys, "--verbose"]] {
            let run = try WireAuditProcess.run(command + arguments + [capture])
            #expect(run.status == 0, "\(run.errors)")
            for text in [run.output, run.errors] {
                for word in ["c0ffee01", "5ec2e7aa", "diary"] {
                    #expect(!text.lowercased().contains(word), "\(command)")
                }
            }
        }
    }

    @Test("a capture without TLS has the same records with keys and without", arguments: ["exchanges", "connections"])
    func withoutTLS(command: String) throws {
        let plain = try WireAuditProcess.run([command, capture])
        #expect(try WireAuditProcess.run([command, "--keys", keys, capture]).output == plain.output)
    }

    @Test("the audit tells of each key log how many secrets it holds")
    func summary() throws {
        let run = try WireAuditProcess.run(["--format", "json", "--keys", keys, capture])
        let log = try #require(try keyLogs(run.output).first)
        #expect(log["path"] as? String == keys)
        #expect(log["secrets"] as? Int == 1)
        #expect(log["malformed"] as? Int == 1)
        #expect(try keyLogs(WireAuditProcess.run(["--format", "json", capture]).output).isEmpty)
    }

    @Test("a key log that cannot be opened is 66, standard input as one 64: one line, nothing printed")
    func errors() throws {
        for (path, status) in [(folder.path + "/missing.log", 66), (folder.path, 66), ("-", 64), ("", 64)] {
            let run = try WireAuditProcess.run(["--keys", path, capture])
            #expect(run.status == status, "\(path): \(run.errors)")
            #expect(run.output == "")
            #expect(run.errors.hasPrefix("wireaudit: ") && run.errors.filter { $0 == "\n" }.count == 1, "\(run.errors)")
        }
    }

    @Test("a file without a single secret is warned of by name, unless --quiet")
    func useless() throws {
        let empty = try folder.write("empty.log", [])
        for path in [notes, empty] {
            let run = try WireAuditProcess.run(["--keys", path, "--keys", keys, capture])
            #expect(run.status == 0)
            #expect(run.errors == "wireaudit: warning: \(path) contains no readable TLS secret\n")
        }
        #expect(try WireAuditProcess.run(["--quiet", "--keys", notes, capture]).errors == "")
        #expect(try WireAuditProcess.run(["--keys", keys, capture]).errors == "")
    }

    @Test("SSLKEYLOGFILE stands in for --keys; --keys goes before it")
    func environment() throws {
        func paths(_ arguments: [String], _ variable: String) throws -> [String?] {
            let run = try WireAuditProcess.run(
                ["--format", "json"] + arguments + [capture], environment: ["SSLKEYLOGFILE": variable])
            #expect(run.status == 0)
            #expect(run.errors == "", "\(run.errors)")
            return try keyLogs(run.output).map { $0["path"] as? String }
        }
        #expect(try paths([], keys) == [keys])
        #expect(try paths(["--keys", keys], folder.path + "/missing.log") == [keys])
        #expect(try paths([], "") == [])
        // Such a file may have been made by another program a moment ago: no warning.
        #expect(try paths([], notes) == [notes])
    }

    @Test("a file of SSLKEYLOGFILE that cannot be opened is a warning, and the audit is made")
    func environmentErrors() throws {
        let direct = try WireAuditProcess.run([capture])
        for (path, reason) in [
            (folder.path + "/missing.log", "No such file or directory"), (folder.path, "Is a directory"),
            ("/dev/null", "it is not a regular file"),
        ] {
            let environment = ["SSLKEYLOGFILE": path]
            let run = try WireAuditProcess.run([capture], environment: environment)
            #expect(run.status == 0)
            #expect(run.output == direct.output)
            #expect(run.errors == "wireaudit: warning: cannot open \(path), named by SSLKEYLOGFILE: \(reason)\n")
            #expect(try WireAuditProcess.run(["--quiet", capture], environment: environment).errors == "")
            #expect(try WireAuditProcess.run(["estimators"], environment: environment).errors == "")
        }
    }

    @Test("a key log is never overwritten by a report, whoever named it")
    func overwriting() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: keys))
        for (arguments, environment) in [(["--keys", keys], [:]), ([], ["SSLKEYLOGFILE": keys])] {
            let run = try WireAuditProcess.run(arguments + ["-o", keys, capture], environment: environment)
            #expect(run.status == 64)
            #expect(run.errors.contains("overwrite"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: keys)) == before)
        }
    }
}
