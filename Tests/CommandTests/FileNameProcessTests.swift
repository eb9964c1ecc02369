import Foundation
import Testing
import WireTesting

@Suite("The program: names of files")
struct FileNameProcessTests {
    /// Runs a shell, whose words can be any bytes: `$1` is a folder with `plain.pcap` and `plain.keys`, `$2` the program.
    private func shell(_ script: String) throws -> (status: Int32, output: String) {
        let folder = try TemporaryFolder()
        _ = try folder.write("plain.pcap", SampleConversation().pcap())
        let random = String(repeating: "c0ffee01", count: 8)
        _ = try folder.write("plain.keys", Array("CLIENT_TRAFFIC_SECRET_0 \(random) \(random)\n".utf8))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", "cd \"$1\" || exit 9; exec 2>&1; " + script, "sh", folder.path, try WireAuditProcess.path(),
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, try #require(String(data: bytes, encoding: .utf8)))
    }

    @Test("captures, key logs and outputs may have names that are not UTF-8")
    func bytes() throws {
        let run = try shell(
            #"""
            name=$(printf 'a\377\303(\354\203'); cp plain.pcap "$name"; cp plain.keys "$name.keys"
            "$2" exchanges --keys "$name.keys" -r "$name" -o "$name.csv" && grep -c 'GET api.example.com' "$name.csv"
            """#)
        #expect(run.status == 0 && run.output.hasSuffix("\n1\n"), "\(run.output)")
        #expect(run.output.contains("has 1 secret; it is not of this capture"), "\(run.output)")
    }

    @Test("what is missing is named with escapes")
    func missing() throws {
        let run = try shell(#""$2" "$(printf 'no\377')""#)
        #expect(run.status == 66 && run.output.contains("cannot open no\\u{10ffff}: No such file"), "\(run.output)")
    }
}
