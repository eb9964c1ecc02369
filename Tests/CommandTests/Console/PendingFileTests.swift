import Foundation
import Testing
import WireTesting
import wireaudit

/// Results that take their name when they are whole. One at a time, as in the program.
@Suite("Pending files", .serialized)
struct PendingFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func fill(_ file: PendingFile, _ text: String) throws {
        try FileHandle(fileDescriptor: file.descriptor, closeOnDealloc: false).write(contentsOf: Data(text.utf8))
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("nothing is under the name before the result is whole, and nothing else afterwards")
    func new() throws {
        let path = folder.path + "/report.json"
        let file = try PendingFile(path: path)
        try fill(file, "whole")
        let temporary = PendingFile.temporaryName(of: "report.json", process: getpid())
        #expect(try names() == [temporary])
        #expect(file.temporaryPath == folder.path + "/" + temporary)
        #expect(file.commit() == (0, false))
        #expect(try names() == ["report.json"])
        #expect(try text(path) == "whole")
        let mask = umask(0)
        umask(mask)
        #expect(try permissions(path) == 0o666 & ~Int(mask))
    }

    @Test(
        "the old file stays as it is until then, and gives its permissions on",
        arguments: [0o600, 0o640, 0o444 | 0o200])
    func replaces(mode: Int) throws {
        let path = try folder.write("report.json", Array("old".utf8))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let file = try PendingFile(path: path)
        try fill(file, "new")
        #expect(try text(path) == "old")
        #expect(try permissions(file.temporaryPath) == mode)
        #expect(file.commit() == (0, false))
        #expect(try text(path) == "new")
        #expect(try permissions(path) == mode)
        #expect(try names() == ["report.json"])
    }

    @Test("what is given up leaves no trace: by word, or by being dropped")
    func discarded() throws {
        let path = try folder.write("report.json", Array("old".utf8))
        let file = try PendingFile(path: path)
        try fill(file, "half")
        file.discard()
        #expect(file.commit() == (0, false), "too late")
        _ = try PendingFile(path: folder.path + "/other")
        #expect(try names() == ["report.json"])
        #expect(try text(path) == "old")
    }

    @Test("a file of a killed run with the same number is left alone, and in nobody's way")
    func leftover() throws {
        let first = PendingFile.temporaryName(of: "a", process: getpid())
        _ = try folder.write(first, Array("killed".utf8))
        let file = try PendingFile(path: folder.path + "/a")
        #expect(file.temporaryPath.hasSuffix("/" + PendingFile.temporaryName(of: "a", attempt: 2, process: getpid())))
        #expect(file.commit() == (0, false))
        #expect(try names() == [first, "a"].sorted())
    }

    @Test("where only the last step fails the result is kept under its temporary name")
    func kept() throws {
        let path = folder.path + "/report"
        let file = try PendingFile(path: path)
        try fill(file, "whole")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let (code, isKept) = file.commit()
        #expect(code == EISDIR && isKept)
        #expect(try text(file.temporaryPath) == "whole")
    }

    @Test("names that would get too long are cut between characters")
    func longNames() {
        #expect(PendingFile.temporaryName(of: "a.json", process: 4711) == ".a.json.partial-4711")
        #expect(PendingFile.temporaryName(of: "a.json", attempt: 3, process: 4711) == ".a.json.partial-4711-3")
        for letter in ["x", "ä", "語", "👩‍👩‍👧"] {
            let name = PendingFile.temporaryName(of: String(repeating: letter, count: 255), process: 4_194_304)
            #expect(name.utf8.count <= 255 && name.utf8.count > 200)
            #expect(name.dropFirst().prefix { $0 != "." }.allSatisfy { String($0) == letter })
        }
    }

    @Test("what cannot be replaced is told before anything is made")
    func refused() throws {
        do throws(PendingFile.Failure) {
            _ = try PendingFile(path: folder.path + "/none/a")
            Issue.record("there is no such folder")
        } catch {
            #expect(error.code == ENOENT && error.isFolder)
        }
        #expect(try names() == [])
    }
}

@Suite("Places of output")
struct OutputPlaceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func link(_ name: String, _ target: String) throws -> String {
        let path = folder.path + "/" + name
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        return path
    }

    @Test("descriptors, devices, pipes and folders are told apart from files")
    func kinds() throws {
        let pipe = folder.path + "/pipe"
        let made = unsafe mkfifo(pipe, 0o600)
        try #require(made == 0)
        for (path, place) in [
            ("-", .descriptor(1)), ("/dev/stdout", .descriptor(1)), ("/dev/stderr", .descriptor(2)),
            ("/dev/fd/7", .descriptor(7)), ("/proc/self/fd/63", .descriptor(63)), ("/dev/null", .special),
            (pipe, .special), (folder.path, .failed(EISDIR)), (folder.path + "/a/", .failed(EISDIR)),
            ("", .failed(ENOENT)), (folder.path + "/a", .file(folder.path + "/a")), ("a", .file("a")),
        ] as [(String, OutputPlace)] {
            #expect(OutputPlace(path: path) == place, "\(path)")
        }
        let long = folder.path + "/" + String(repeating: "x", count: 300)
        #expect(OutputPlace(path: long) == .failed(ENAMETOOLONG))
        let file = try folder.write("file", [])
        #expect(OutputPlace(path: file + "/a") == .failed(ENOTDIR))
    }

    @Test("links are followed to what they lead to, be it there or not; circles end")
    func links() throws {
        let file = try folder.write("file", [])
        #expect(OutputPlace(path: try link("absolute", file)) == .file(file))
        #expect(OutputPlace(path: try link("relative", "file")) == .file(folder.path + "/file"))
        #expect(OutputPlace(path: try link("two", "relative")) == .file(folder.path + "/file"))
        #expect(OutputPlace(path: try link("open", "missing")) == .file(folder.path + "/missing"))
        #expect(OutputPlace(path: try link("out", "/dev/stdout")) == .descriptor(1))
        #expect(OutputPlace(path: try link("circle", "circle")) == .failed(ELOOP))
    }

    @Test("two paths of one file are the same also before it is there")
    func same() throws {
        let (one, other) = (
            folder.path + "/a", folder.path + "/../" + (folder.path as NSString).lastPathComponent + "/a"
        )
        #expect(OutputPlace.isSame(one, other))
        #expect(OutputPlace.isSame(try link("b", "a"), one))
        #expect(!OutputPlace.isSame(one, folder.path + "/c"))
        #expect(!OutputPlace.isSame("/dev/null", "/dev/null"), "a device may be written to twice")
    }
}
