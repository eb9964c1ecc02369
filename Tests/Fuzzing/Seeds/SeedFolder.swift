import Foundation

/// The inputs that fuzzing begins with, written as files, a folder for each target.
///
/// They come from the repository's captures and from the vectors of the tests; a fuzzer makes the rest.
struct SeedFolder {
    private let folder: URL

    init(_ path: String) { folder = URL(fileURLWithPath: path) }

    func fill(captures: String) throws {
        let captures = try SeedCaptures(captures)
        try write(CaptureTarget.self, captures.files + CaptureSeeds.made)
        try write(FramesTarget.self, FrameSeeds.all)
        try write(TCPTarget.self, ScriptSeeds.tcp)
        try write(HTTP1Target.self, StreamSeeds.http1)
        try write(TLSTarget.self, StreamSeeds.tls + ScriptSeeds.tls)
        try write(HTTP2Target.self, StreamSeeds.http2 + ScriptSeeds.http2)
        try write(QUICTarget.self, ScriptSeeds.quic)
        try write(DNSTarget.self, captures.lookups)
        try write(ContentTarget.self, ContentSeeds.all)
        try write(LogsTarget.self, try LogSeeds.all(captures))
        try write(KeyLogTarget.self, captures.keyLogs + StreamSeeds.keyLogs)
        try write(OperationsTarget.self, OperationSeeds.all)
    }

    private func write(_ target: any FuzzTarget.Type, _ inputs: [[UInt8]]) throws {
        let own = folder.appendingPathComponent(target.name)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        for (index, input) in inputs.enumerated() {
            let file = own.appendingPathComponent("seed-\(index)")
            try Data(input.prefix(target.longestInput)).write(to: file)
        }
    }
}
