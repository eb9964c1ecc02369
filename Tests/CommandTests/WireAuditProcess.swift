import Foundation
import Testing
import WireTesting

/// What a run of the program left behind.
struct RunResult {
    var status: Int32
    var output: String
    var errors: String
}

/// Runs the built program as its users do.
enum WireAuditProcess {
    /// The program lies beside the bundle of the tests, where the build put both. A test without it fails.
    static func path() throws -> String {
        #if canImport(Darwin)
            let bundle = try #require(Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") })
            let folder = bundle.bundleURL.deletingLastPathComponent()
        #else
            let runner = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            let folder = runner.deletingLastPathComponent()
        #endif
        let program = folder.appendingPathComponent("wireaudit").path
        try #require(FileManager.default.isExecutableFile(atPath: program), "no program at \(program)")
        return program
    }

    /// Runs it to its end. `input` is the path of a file for standard input.
    static func run(
        _ arguments: [String], input: String = "/dev/null", environment: [String: String] = [:]
    ) throws -> RunResult {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try path())
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"].merging(environment) { $1 }
        let (output, errors) = (try folder.write("output", []), try folder.write("errors", []))
        let handles: [FileHandle] = [
            try #require(FileHandle(forReadingAtPath: input)), try #require(FileHandle(forWritingAtPath: output)),
            try #require(FileHandle(forWritingAtPath: errors)),
        ]
        process.standardInput = handles[0]
        process.standardOutput = handles[1]
        process.standardError = handles[2]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationReason == .exit, "the program was ended by a signal")
        return RunResult(
            status: process.terminationStatus, output: try String(contentsOfFile: output, encoding: .utf8),
            errors: try String(contentsOfFile: errors, encoding: .utf8))
    }
}
