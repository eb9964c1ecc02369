import Testing
import WireTesting
import wireaudit

@Suite("Log files as bytes")
struct LogFileTests {
    private static let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }

    private static func read(_ file: LogFile) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = file.next() { bytes += piece }
        return bytes
    }

    @Test("plain and compressed files give their content")
    func contents() throws {
        let folder = try TemporaryFolder()
        for (name, bytes) in [
            ("plain", Self.content), ("gz", CompressedFileBuilder.gzip(Self.content)),
            ("zst", CompressedFileBuilder.zstd(Self.content)),
        ] {
            let file = LogFile(path: try folder.write(name, bytes))
            #expect(Self.read(file) == Self.content, "\(name)")
            #expect(file.openingFault == nil && file.fault == nil)
            #expect(file.next() == nil)
        }
        #expect(Self.read(LogFile(path: try folder.write("empty", []))) == [])
    }

    @Test("a compressed file that is cut gives what there is, and says so")
    func cut() throws {
        let folder = try TemporaryFolder()
        let whole = CompressedFileBuilder.gzip(Self.content)
        let file = LogFile(path: try folder.write("cut.gz", Array(whole.dropLast(100_000))))
        let bytes = Self.read(file)
        #expect(bytes.count > 100_000 && Self.content.starts(with: bytes))
        #expect(file.fault?.hasPrefix("its compressed data ends too early") == true)
    }

    @Test("what cannot be opened says why")
    func opening() throws {
        let folder = try TemporaryFolder()
        for (path, reason) in [
            (folder.path, "it is a directory; name a file"), (folder.path + "/none", "No such file or directory"),
        ] {
            let file = LogFile(path: path)
            #expect(file.next() == nil)
            #expect(file.openingFault == reason)
        }
    }
}
