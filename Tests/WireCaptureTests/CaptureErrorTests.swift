import Foundation
import Testing
import WireCapture
import WireTesting

@Suite("What is no capture")
struct CaptureErrorTests {
    @Test(
        "the message says what the file looks like",
        arguments: [
            ([], "it is empty"), (Array("Dear Sir,\n".utf8), "looks like text"),
            (Array(" {\"log\":{}}".utf8), "accuracy --sdk-log"), ([0x50, 0x4b, 3, 4, 20], "zip archive"),
            (Array("SQLite format 3\0".utf8), "accuracy --sdk-log"), ([0x7f, 0x45, 0x4c, 0x46, 2], "ELF"),
            ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], "xz -dc"),
            (Array("snoop\0\0\0".utf8), "editcap"), ([0, 0, 0, 0, 0], "zeros"), ([1, 0xff, 2, 3, 4], "01 ff 02 03"),
            ([0xd4, 0xc3], "d4 c3"), ([0x0a, 0x0d, 0x0d, 0x0a] + [UInt8](repeating: 7, count: 30), "first block"),
            (CompressedFileBuilder.gzip(Array("text".utf8)), "looks like text"),
            (CompressedFileBuilder.gzip(CompressedFileBuilder.gzip([1])), "gzip inside"),
            ([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff], "damaged at byte"),
            ([0x1f, 0x8b, 8, 0, 0], "ends too early"),
            ([0, 0, 1, 0, 0x10, 7, 0, 0, 0x10, 7, 0, 0] + [UInt8](repeating: 0, count: 200), "etl2pcapng"),
            ([0, 0x20, 0, 0, 0x48, 0, 0, 0, 0, 0x20, 0, 0, 1, 0, 0, 0], "etl2pcapng"),
            ([0, 0x88, 0x41, 0, 0, 0xf1, 0x53, 0x65, 2, 4, 0, 0x4c, 0, 0, 0, 0x3a, 0, 0], "ERF"),
            ([1, 2, 3, 4, 5, 6, 7, 0x60, 0x8b, 4, 0, 0x58, 0, 0, 0, 0x40] + [UInt8](repeating: 9, count: 72), "ERF"),
            ([0x1c, 0, 1, 0xac, 0, 2, 0, 4, 0, 0], "Ixia"), ([0xab, 1, 0, 0x1c, 2, 0, 4, 0, 0, 0], "Ixia"),
            ([0, 0, 1, 0, 1, 0, 0x20, 0x20, 0, 0, 1, 0, 4, 0x28, 1, 0], "neither pcap"),
        ] as [([UInt8], String)])
    func notACapture(bytes: [UInt8], clue: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("file", bytes)
        let error = #expect(throws: CaptureError.self) { try CaptureAudit(paths: [path]).run() }
        guard case .notACapture(path, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains(clue), "\(reason)")
        #expect(error?.message.hasPrefix(path) == true)
    }

    @Test("what cannot be opened is an error before anything is read")
    func cannotOpen() throws {
        let folder = try TemporaryFolder()
        let sound = try folder.write("sound", pcap(times: [1]))
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: sound)
        for (paths, clue) in [
            ([sound, folder.path + "/missing"], "No such file"), ([sound, folder.path], "directory"),
            ([sound, sound], "named twice"), ([sound, link], "named twice"),
        ] {
            let error = #expect(throws: CaptureError.self) { try CaptureAudit(paths: paths).run() }
            guard case .cannotOpen(paths[1], let reason) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.contains(clue), "\(reason)")
        }
    }
}
