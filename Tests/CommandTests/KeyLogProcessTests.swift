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

    @Test("keys of another capture are told as such, keys of this one are not")
    func foreignKeys() throws {
        let captures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Captures").standardizedFileURL.path
        for name in ["h2-tls", "tls12-gcm", "h3-loss"] {
            let own = "\(captures)/\(name)/keys.log"
            let path = "\(captures)/\(name)/capture.pcap"
            let wrong = try WireAuditProcess.run(["--keys", keys, path])
            #expect(
                wrong.errors.contains("warning: \(keys) has 1 secret; it is not of this capture"), "\(wrong.errors)")
            for arguments in [["--keys", own, path], ["--keys", own, keys, path]] {
                let right = try WireAuditProcess.run(arguments)
                #expect(right.status == 0 && !right.errors.contains("of this capture"), "\(right.errors)")
            }
        }
    }

    @Test("a pattern for paths that none of the capture has is told")
    func idleTemplates() throws {
        let arguments = ["--template", "/v1/items/{item}", "--template", "/v2/{thing}", "--template", "/v1/{x}/{y}"]
        for command in ["audit", "exchanges", "accuracy"] {
            let run = try WireAuditProcess.run([command] + arguments + [capture])
            let warnings = run.errors.split(separator: "\n").filter { $0.contains("--template") }
            // The first pattern that fits names a path, so that the third has none left.
            #expect(
                warnings
                    == ["/v2/{thing}", "/v1/{x}/{y}"].map {
                        "wireaudit: warning: --template '\($0)' matches no path of the capture"
                    }, "\(run.errors)")
        }
    }

    @Test("an output whose name tells a format that the command lacks is told")
    func formatOfName() throws {
        let page = folder.path + "/x.html"
        #expect(try WireAuditProcess.run(["-o", page, capture]).errors == "")
        #expect(try String(contentsOfFile: page, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
        let table = try WireAuditProcess.run(["-o", folder.path + "/x.har", capture])
        #expect(table.status == 0 && table.errors.contains("x.har gets the format table, not har"), "\(table.errors)")
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
        let foreign = "wireaudit: warning: \(keys) has 1 secret; it is not of this capture\n"
        let empty = try folder.write("empty.log", [])
        for path in [notes, empty] {
            let run = try WireAuditProcess.run(["--keys", path, "--keys", keys, capture])
            #expect(run.status == 0)
            #expect(run.errors == "wireaudit: warning: \(path) contains no readable TLS secret\n" + foreign)
        }
        #expect(try WireAuditProcess.run(["--quiet", "--keys", notes, capture]).errors == "")
        #expect(try WireAuditProcess.run(["--keys", keys, capture]).errors == foreign)
    }

    @Test("SSLKEYLOGFILE stands in for --keys; --keys goes before it")
    func environment() throws {
        func paths(_ arguments: [String], _ variable: String) throws -> [String?] {
            let run = try WireAuditProcess.run(
                ["--format", "json"] + arguments + [capture], environment: ["SSLKEYLOGFILE": variable])
            #expect(run.status == 0)
            // Only what --keys names is said to be of another capture.
            #expect(run.errors.isEmpty == arguments.isEmpty, "\(run.errors)")
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
