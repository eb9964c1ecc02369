import Foundation
import Testing
import WireTesting

@Suite("The program")
struct ProcessTests {
    private let folder: TemporaryFolder
    private let capture: String

    init() throws {
        folder = try TemporaryFolder()
        capture = try folder.write("shop.pcap", SampleConversation().pcap())
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("audits a capture: the table on standard output, nothing on standard error, status 0")
    func table() throws {
        let run = try WireAuditProcess.run([capture])
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(run.output.contains("10 packets"))
        #expect(run.output.contains("GET api.example.com /v1/items/{id}"))
        #expect(run.output.contains("balanced to the byte; nothing is known to be missing or was left unread ✓"))
    }

    @Test("each command gives its machine-readable form when standard output is no terminal")
    func formats() throws {
        let audit = try object(try WireAuditProcess.run(["--format", "json", capture]).output)
        #expect(audit["schema"] as? String == "wireaudit.audit/1")
        #expect((audit["ledger"] as? [String: Any])?["balanced"] as? Bool == true)
        let exchange = try object(try WireAuditProcess.run(["exchanges", capture]).output)
        #expect(exchange["target"] as? String == "/v1/items/42?src=app")
        #expect((exchange["down"] as? [String: Any])?["body_decoded"] as? Int == 5)
        let connection = try object(try WireAuditProcess.run(["connections", capture]).output)
        #expect(connection["close"] as? String == "fin")
        #expect(connection["first_packet"] as? Int == 1)
        let csv = try WireAuditProcess.run(["exchanges", "--format", "csv", capture]).output
        #expect(csv.hasPrefix("schema,file,connection,exchange,"))
    }

    @Test("records of a host that is not there are none, and that is told", arguments: ["exchanges", "connections"])
    func emptySelection(command: String) throws {
        let run = try WireAuditProcess.run([command, "--host", "nosuch", capture])
        #expect(run.status == 0 && run.output == "")
        #expect(run.errors.contains("warning: no \(command) match --host 'nosuch'; 'wireaudit "))
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(try WireAuditProcess.run([command, "--host", "nosuch", "--quiet", capture]).errors == "")
        #expect(try WireAuditProcess.run([command, "--host", "api.example.com", capture]).errors == "")
    }

    @Test("bodies are decoded for exchanges unless that is declined")
    func decoding() throws {
        var conversation = SampleConversation()
        conversation.responseFields = "Content-Encoding: gzip\r\n"
        conversation.body = CompressedFileBuilder.gzip([UInt8](repeating: 0x61, count: 1000))
        let coded = try folder.write("gzip.pcap", conversation.pcap())
        func decoded(_ arguments: [String]) throws -> Int? {
            let exchange = try object(try WireAuditProcess.run(["exchanges"] + arguments + [coded]).output)
            return (exchange["down"] as? [String: Any])?["body_decoded"] as? Int
        }
        #expect(try decoded([]) == 1000)
        #expect(try decoded(["--no-body-decoding"]) == nil)
    }

    @Test("standard input is -")
    func standardInput() throws {
        let run = try WireAuditProcess.run(["--format", "json", "-"], input: capture)
        #expect(run.status == 0)
        let direct = try WireAuditProcess.run(["--format", "json", capture])
        #expect(run.output.replacing("\"-\"", with: "X") == direct.output.replacing("\"\(capture)\"", with: "X"))
    }

    @Test("the output is the same whatever --jobs is")
    func jobs() throws {
        for command in ["audit", "exchanges", "connections"] {
            let one = try WireAuditProcess.run([command, "--jobs", "1", capture])
            #expect(one.status == 0)
            #expect(one.output == (try WireAuditProcess.run([command, "--jobs", "7", capture])).output)
        }
    }

    @Test("-o writes a file in place of standard output and replaces all of it")
    func outputFile() throws {
        let path = try folder.write("report.json", [UInt8](repeating: 0x78, count: 100_000))
        let run = try WireAuditProcess.run(["--format", "json", "-o", path, capture])
        #expect(run.status == 0)
        #expect(run.output == "")
        let direct = try WireAuditProcess.run(["--format", "json", capture])
        #expect(try String(contentsOfFile: path, encoding: .utf8) == direct.output)
    }

    @Test("an output that cannot be written is 74 with the reason")
    func outputErrors() throws {
        let missing = try WireAuditProcess.run(["-o", folder.path + "/no/such/folder", capture])
        #expect(missing.status == 74)
        #expect(missing.errors == "wireaudit: cannot write \(folder.path)/no/such/folder: No such file or directory\n")
        let directory = try WireAuditProcess.run(["-o", folder.path, capture])
        #expect(directory.status == 74)
        #if !canImport(Darwin)
            let full = try WireAuditProcess.run(["exchanges", "-o", "/dev/full", capture])
            #expect(full.status == 74)
            #expect(full.errors.contains("No space left on device"))
        #endif
    }

    @Test("a capture is never overwritten by its own report")
    func overwriting() throws {
        let run = try WireAuditProcess.run(["-o", capture, capture])
        #expect(run.status == 64)
        #expect(try Data(contentsOf: URL(fileURLWithPath: capture)) == Data(SampleConversation().pcap()))
    }

    @Test("a closed pipe ends the program quietly with status 0")
    func closedPipe() throws {
        let errors = try folder.write("errors", [])
        let pipe = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try WireAuditProcess.path())
        process.arguments = ["exchanges", capture]
        process.standardOutput = pipe.fileHandleForWriting
        let errorHandle: FileHandle = try #require(FileHandle(forWritingAtPath: errors))
        process.standardError = errorHandle
        try pipe.fileHandleForReading.close()
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
        #expect(try String(contentsOfFile: errors, encoding: .utf8) == "")
    }

    @Test("inputs that are missing are 66, no captures 65, wrong use and wrong filters 64: one line, nothing printed")
    func inputErrors() throws {
        let text = try folder.write("notes.txt", Array("Dear diary, today nothing was captured.\n".utf8))
        let empty = try folder.write("empty.pcap", [])
        for (arguments, status) in [
            ([folder.path + "/missing.pcap"], 66), ([folder.path], 66), ([text], 65), ([empty], 65),
            (["--filter", "tcp prot 80", capture], 64), (["--fromat", "json", capture], 64), ([], 64),
        ] as [([String], Int32)] {
            let run = try WireAuditProcess.run(arguments)
            #expect(run.status == status, "\(arguments): \(run.errors)")
            #expect(run.output == "", "\(arguments)")
            #expect(run.errors.hasPrefix("wireaudit: "), "\(arguments)")
            #expect(run.errors.filter { $0 == "\n" }.count == 1, "\(arguments): \(run.errors)")
        }
    }

    @Test("a capture cut inside a packet: the report says it once; where records have no place for it, a warning does")
    func cut() throws {
        let cut = try folder.write("cut.pcap", SampleConversation().pcap().dropLast(3).map(\.self))
        for command in ["audit", "accuracy"] {
            let run = try WireAuditProcess.run([command, cut])
            #expect(run.status == 0 && run.errors == "", "\(command): \(run.errors)")
            #expect(run.output.contains("9 packets"))
            #expect(run.output.components(separatedBy: "truncated or damaged").count == 2)
            #expect(run.output.contains(", after packet 9;"))
            #expect(!run.output.contains("WARNINGS"), "\(command)")
        }
        for arguments in [["exchanges"], ["audit", "--format", "json"]] {
            let run = try WireAuditProcess.run(arguments + [cut])
            #expect(run.status == 0 && run.errors.hasPrefix("wireaudit: warning: "), "\(arguments)")
            #expect(run.errors.contains("after packet 9"), "\(arguments)")
            #expect(try WireAuditProcess.run(arguments + ["--quiet", cut]).errors == "", "\(arguments)")
        }
    }

    @Test("a capture damaged before its first packet is reported, and 65")
    func damaged() throws {
        let damaged = try folder.write("damaged.pcap", SampleConversation().pcap().prefix(30).map(\.self))
        let run = try WireAuditProcess.run(["--format", "json", damaged])
        #expect(run.status == 65)
        #expect(try object(run.output)["schema"] as? String == "wireaudit.audit/1")
        #expect(run.errors.contains("before its first packet"))
    }

    @Test("colour is an option, and NO_COLOR is respected where it is chosen automatically")
    func color() throws {
        #expect(!(try WireAuditProcess.run([capture]).output.contains("\u{1B}")))
        #expect(try WireAuditProcess.run(["--color", "always", capture]).output.contains("\u{1B}[1m"))
        let never = try WireAuditProcess.run(["--color=never", capture], environment: ["CLICOLOR_FORCE": "1"])
        #expect(!never.output.contains("\u{1B}"))
    }

    @Test("COLUMNS and the locale decide width and characters of a table")
    func style() throws {
        for (columns, widest) in [("40", 80), ("90", 90), ("nonsense", 100)] {
            let run = try WireAuditProcess.run([capture], environment: ["COLUMNS": columns])
            #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= widest })
        }
        let ascii = try WireAuditProcess.run([capture], environment: ["LC_ALL": "C"])
        #expect(ascii.output.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("help and version are results: standard output, status 0")
    func help() throws {
        let version = try WireAuditProcess.run(["--version"])
        #expect(version.status == 0)
        #expect(version.output.hasPrefix("wireaudit "))
        for arguments in [["--help"], ["help", "exchanges"], ["connections", "-h"]] {
            let run = try WireAuditProcess.run(arguments)
            #expect(run.status == 0)
            #expect(run.output.hasPrefix("usage: wireaudit"))
            #expect(run.errors == "")
        }
    }

    @Test("--verbose tells on standard error what the work took, and leaves the result alone")
    func verbose() throws {
        let run = try WireAuditProcess.run(["--verbose", capture])
        #expect(run.errors.hasPrefix("wireaudit: 10 packets of "))
        #expect(run.output == (try WireAuditProcess.run([capture])).output)
    }

    @Test("a choice of hosts leaves the ledger whole")
    func selection() throws {
        let all = try object(try WireAuditProcess.run(["--format", "json", capture]).output)
        let none = try object(try WireAuditProcess.run(["--format", "json", "--host", "other", capture]).output)
        #expect((none["apis"] as? [Any])?.isEmpty == true)
        #expect(none["ledger"] as? NSDictionary == all["ledger"] as? NSDictionary)
        #expect(try WireAuditProcess.run(["exchanges", "--host", "other", capture]).output == "")
    }
}
