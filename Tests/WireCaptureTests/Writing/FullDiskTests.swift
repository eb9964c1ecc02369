#if !canImport(Darwin)
    import Foundation
    import Testing
    import WireCore
    import WireTesting

    @testable import WireCapture

    /// A file system of a few pages, for tests that may mount one.
    final class SmallDisk {
        let path: String

        init?(size: String) throws {
            let name = NSTemporaryDirectory() + "/wireaudit-disk-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true)
            guard try Self.run("/bin/mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", name) else {
                try FileManager.default.removeItem(atPath: name)
                return nil
            }
            path = name
        }

        deinit {
            _ = try? Self.run("/bin/umount", path)
            try? FileManager.default.removeItem(atPath: path)
        }

        private static func run(_ program: String, _ arguments: String...) throws -> Bool {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = arguments
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus == 0
        }

        static let mayMount = geteuid() == 0 && ((try? SmallDisk(size: "16k")) ?? nil) != nil
    }

    @Suite("A full disk", .enabled(if: SmallDisk.mayMount, "needs the right to mount a file system"))
    struct FullDiskTests {
        private static func write(_ count: Int, to writer: CaptureWriter) {
            let data = [UInt8](repeating: 0x5a, count: 777)
            for number in 1...count {
                let length = number % 777
                let frame = CaptureFrame.sample(number, nanoseconds: Int64(number), length: length)
                writer.write(frame, unsafe data.span.bytes.extracting(first: length))
            }
        }

        @Test("the file ends with its last whole block, and what it holds is told", arguments: [4096, 10_000, 262_144])
        func fills(bufferSize: Int) throws {
            let disk = try #require(try SmallDisk(size: "256k"))
            let path = disk.path + "/c"
            let writer = try CaptureWriter(
                CapturePlan(path: path, interfaces: [.sample()], tool: "t", bufferSize: bufferSize))
            Self.write(3000, to: writer)
            writer.finish([.sample()])
            let fault = try #require(writer.fault)
            #expect(fault.reason == "No space left on device" && fault.path == path)
            let parsed = try parseCapture(fileBytes(path))
            #expect(parsed.ending == .end)
            #expect(parsed.position == fault.bytesWritten && parsed.position > 200_000)
            #expect(parsed.frames.count == fault.packetsWritten)
            #expect(parsed.frames.map(\.number) == Array(1...fault.packetsWritten))
            #expect(writer.packetsWritten == fault.packetsWritten && writer.bytesWritten == fault.bytesWritten)
        }

        @Test("a full disk leaves the earlier files of a rotation, and no empty one")
        func rotation() throws {
            let disk = try #require(try SmallDisk(size: "256k"))
            let writer = try CaptureWriter(
                path: disk.path + "/c", rotation: CaptureRotation(maximumBytes: 16_384), interfaces: [.sample()],
                tool: "t")
            Self.write(3000, to: writer)
            writer.finish([.sample()])
            let fault = try #require(writer.fault)
            let files = try fileNames(disk.path).map { parseCapture(try fileBytes(disk.path + "/" + $0)) }
            #expect(files.count == writer.filesWritten && files.count > 10)
            #expect(files.allSatisfy { $0.ending == .end && $0.position > 0 })
            #expect(files.reduce(0) { $0 + $1.frames.count } == fault.packetsWritten)
            #expect(files.reduce(0) { $0 + $1.position } == fault.bytesWritten)
        }

        @Test("a ring that fits goes on where single files would not")
        func ring() throws {
            let disk = try #require(try SmallDisk(size: "256k"))
            let writer = try CaptureWriter(
                path: disk.path + "/c", rotation: CaptureRotation(maximumBytes: 65_536, fileCount: 3),
                interfaces: [.sample()], tool: "t")
            Self.write(20_000, to: writer)
            writer.finish([.sample()])
            #expect(writer.fault == nil)
            #expect(try fileNames(disk.path).count == 3 && writer.deletedFiles > 50)
        }
    }
#endif
