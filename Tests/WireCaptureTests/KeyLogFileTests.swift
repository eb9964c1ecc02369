import Foundation
import Testing
import WireCapture
import WireCore
import WireTesting

@Suite("Key log files")
struct KeyLogFileTests {
    private static func line(_ number: Int) -> String {
        let random = (0..<32).map { _ in (number < 16 ? "0" : "") + String(number, radix: 16) }.joined()
        return "CLIENT_RANDOM \(random) \(String(repeating: "5a", count: 48))\n"
    }

    private static func bytes(_ numbers: [Int]) -> [UInt8] { numbers.flatMap { Array(line($0).utf8) } }

    private static func append(_ bytes: [UInt8], to path: String) throws {
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: bytes)
        try file.close()
    }

    @Test("what is in the files is read at once, and what they come to hold later when asked")
    func growing() throws {
        let folder = try TemporaryFolder()
        let first = try folder.write("first", Self.bytes([1, 2]))
        let second = try folder.write("second", [])
        let (log, follower) = try KeyLogFile.open(paths: [first, second])
        #expect(log.lineCount == 2)
        #expect(log.follower === follower)
        #expect(!follower.readMore(into: log))
        try Self.append(Self.bytes([3]), to: second)
        try Self.append(Self.bytes([4, 5]), to: first)
        #expect(follower.readMore(into: log))
        #expect(log.lineCount == 5)
        #expect(!follower.readMore(into: log))
    }

    @Test("a line that its writer has not finished is counted once")
    func unfinishedLine() throws {
        let folder = try TemporaryFolder()
        let whole = Self.bytes([1, 2])
        for cut in [1, 5, 14, 40, 79, 100, 170, whole.count / 2, whole.count / 2 + 9, whole.count - 1] {
            let path = try folder.write("log", Array(whole[..<cut]))
            let other = try folder.write("other", Array(Self.line(3).utf8.dropLast()))
            let (log, follower) = try KeyLogFile.open(paths: [path, other])
            #expect(log.lineCount + log.malformedLines == (cut <= whole.count / 2 ? 2 : 3))
            try Self.append(Array(whole[cut...]), to: path)
            #expect(follower.readMore(into: log))
            #expect(log.lineCount == 3 && log.malformedLines == 0, "cut at \(cut)")
        }
    }

    @Test("a file that got shorter, and one that another took the place of, is read from its start")
    func replacedFiles() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("log", Self.bytes([1, 2, 3]) + Array("CLIENT_RAN".utf8))
        let (log, follower) = try KeyLogFile.open(paths: [path])
        #expect(log.lineCount == 3 && log.malformedLines == 1)
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Self.bytes([4]))
        try file.close()
        #expect(follower.readMore(into: log))
        #expect(log.lineCount == 4 && log.malformedLines == 1)
        let new = try folder.write("new", Self.bytes([5, 6, 7, 8]))
        try Self.append(Self.bytes([9]), to: path)
        try FileManager.default.removeItem(atPath: path)
        #expect(follower.readMore(into: log))
        #expect(log.lineCount == 5)
        #expect(!follower.readMore(into: log))
        try FileManager.default.moveItem(atPath: new, toPath: path)
        #expect(follower.readMore(into: log))
        #expect(log.lineCount == 9)
        #expect(!follower.readMore(into: log))
    }

    @Test("a pipe is read to its end, once")
    func pipe() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/pipe"
        let made = unsafe mkfifo(path, 0o600)
        try #require(made == 0)
        let writer = Thread {
            FileHandle(forWritingAtPath: path)?.write(Data(Self.bytes([1, 2, 3]).dropLast()))
        }
        writer.start()
        let (log, follower) = try KeyLogFile.open(paths: [path])
        #expect(log.lineCount == 3)
        #expect(!follower.readMore(into: log))
    }

    @Test("long files are read whole")
    func longFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("log", Self.bytes((0..<3000).map { $0 % 256 }))
        let (log, _) = try KeyLogFile.open(paths: [path])
        #expect(log.lineCount == 3000 && log.malformedLines == 0)
    }

    @Test("what cannot be opened says why")
    func opening() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("log", [])
        for (paths, culprit, reason) in [
            ([folder.path], folder.path, "it is a directory; name a file"),
            ([path, folder.path + "/none"], folder.path + "/none", "No such file or directory"),
            ([path, path], path, "it is named twice"),
        ] {
            #expect(throws: CaptureError.cannotOpen(path: culprit, reason: reason)) {
                _ = try KeyLogFile.open(paths: paths)
            }
        }
    }
}
