import Foundation
import Testing
import WireCore
import WireTesting

@testable import WireCapture

@Suite("Captures that cannot be written")
struct CaptureWriteFaultTests {
    private static let data = [UInt8](repeating: 0x5a, count: 1000)

    private static func write(_ number: Int, length: Int = 100, to writer: CaptureWriter) {
        writer.write(.sample(number, length: length), unsafe data.span.bytes.extracting(first: length))
    }

    private static func fault(_ path: String, _ rotation: CaptureRotation? = nil) -> CaptureWriteFault? {
        do throws(CaptureWriteFault) {
            _ = try CaptureWriter(path: path, rotation: rotation, interfaces: [.sample()], tool: "t")
            return nil
        } catch {
            return error
        }
    }

    @Test("what cannot be written at all is told before the first packet")
    func notWritable() throws {
        let folder = try TemporaryFolder()
        #expect(Self.fault(folder.path)?.reason == "Is a directory")
        #expect(Self.fault(folder.path + "/none/c")?.reason == "No such file or directory")
        #expect(
            Self.fault(folder.path + "/none/c")?.message
                == "cannot write \(folder.path)/none/c: No such file or directory")
        let rotation = CaptureRotation(maximumBytes: 5000)
        #expect(Self.fault(folder.path + "/none/c", rotation)?.reason == "No such file or directory")
        #expect(Self.fault("-", rotation)?.message == "cannot write standard output: it cannot be rotated; name a file")
        let long = folder.path + "/" + String(repeating: "x", count: 300)
        #expect(Self.fault(long)?.reason == "File name too long")
        #if !canImport(Darwin)
            #expect(Self.fault("/dev/full")?.message == "cannot write /dev/full: No space left on device")
        #endif
    }

    @Test("a file that another run writes is left alone, until that one has ended")
    func locked() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c"
        let first = try CaptureWriter(path: path, interfaces: [.sample()], tool: "t")
        Self.write(1, to: first)
        first.flush()
        let before = try fileBytes(path)
        #expect(Self.fault(path)?.reason == "another program is writing it")
        #expect(try fileBytes(path) == before)
        first.finish([])
        #expect(try parseCapture(fileBytes(path)).frames.count == 1)
        let second = try CaptureWriter(path: path, interfaces: [.sample()], tool: "t")
        second.finish([])
        #expect(try parseCapture(fileBytes(path)).frames.isEmpty)
    }

    @Test("a new file is its owner's only; a file that was there keeps its permissions")
    func permissions() throws {
        let folder = try TemporaryFolder()
        let old = try folder.write("old", Self.data)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: old)
        for (path, expected) in [(folder.path + "/new", 0o600), (old, 0o644)] {
            try CaptureWriter(path: path, interfaces: [.sample()], tool: "t").finish([])
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == expected)
        }
    }

    @Test("a file that is deleted while it is written is no evidence any more")
    func deleted() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c"
        let writer = try CaptureWriter(path: path, interfaces: [.sample()], tool: "t")
        Self.write(1, to: writer)
        writer.flush()
        try FileManager.default.removeItem(atPath: path)
        #expect(writer.fault == nil)
        writer.flush()
        #expect(writer.fault?.reason == "it was deleted while it was written")
        Self.write(2, to: writer)
        writer.finish([])
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(
        "a packet of an interface that was not named ends the writing with the packets before it", arguments: [1, -1])
    func unknownInterface(interface: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c"
        let writer = try CaptureWriter(path: path, interfaces: [.sample()], tool: "t")
        Self.write(1, to: writer)
        writer.flush()
        Self.write(2, to: writer)
        writer.write(.sample(3, length: 0, interface: interface), unsafe [UInt8]().span.bytes)
        let fault = try #require(writer.fault)
        let parsed = try parseCapture(fileBytes(path))
        #expect(parsed.ending == .end)
        #expect(parsed.frames.count == fault.packetsWritten && parsed.position == fault.bytesWritten)
        #expect(fault.packetsWritten == 2)
    }

    @Test("what is left of blocks that were written in part ends with a whole one, wherever they were cut")
    func everyCut() {
        var buffer = UnsafeBlockBuffer(capacity: 4096)
        var ends = [0]
        var packets = [0]
        for length in [0, 1, 5, 100, 3] {
            var block = BlockBytes(type: 10)
            block.append(ArraySlice(repeating: 6, count: length))
            unsafe buffer.append(block.finished().span.bytes)
            ends.append(buffer.count)
            packets.append(packets.last!)
            let frame = CaptureFrame.sample(1, length: length, dropped: length == 5 ? 1 : 0)
            buffer.append(
                PacketBlock(frame, captured: length), unsafe Self.data.span.bytes.extracting(first: length))
            ends.append(buffer.count)
            packets.append(packets.last! + 1)
        }
        for limit in 0...buffer.count {
            let (end, behind) = buffer.wholeBlocks(within: limit)
            let index = ends.lastIndex { $0 <= limit }!
            #expect(end == ends[index] && behind == 5 - packets[index], "\(limit)")
        }
    }

    @Test("whatever a killed program leaves of a file is read up to its last whole block")
    func everyPrefix() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c"
        let writer = try CaptureWriter(path: path, interfaces: [.sample(), .sample("b")], filter: "ip", tool: "t")
        writer.addSecrets(Array("CLIENT_RANDOM 00 00\n".utf8))
        for number in 0..<6 { Self.write(number, length: number, to: writer) }
        writer.finish([.sample(), .sample()])
        let bytes = try fileBytes(path)
        let whole = parseCapture(bytes)
        #expect(whole.frames.count == 6)
        var (end, ends) = (0, Set<Int>())
        for block in try #require(WrittenBlock.blocks(of: bytes)) {
            end += block.body.count + 12
            ends.insert(end)
        }
        for count in 4..<bytes.count {
            let parsed = parseCapture(Array(bytes[..<count]))
            #expect(parsed.frames == Array(whole.frames.prefix(parsed.frames.count)))
            #expect(parsed.ending == (ends.contains(count) ? .end : .cut))
            #expect(parsed.position == ends.filter { $0 <= count }.max() ?? 0)
        }
    }

    @Test("a pipe is written as long as somebody reads it")
    func pipe() throws {
        _ = signal(SIGPIPE, SIG_IGN)
        let folder = try TemporaryFolder()
        let path = folder.path + "/pipe"
        #expect(unsafe mkfifo(path, 0o600) == 0)
        let received = Received()
        let reader = Thread {
            let file = FileHandle(forReadingAtPath: path)!
            while let piece = try? file.read(upToCount: 10_000), !piece.isEmpty, received.add(piece) < 400_000 {}
            try? file.close()
            received.done.signal()
        }
        reader.start()
        let writer = try CaptureWriter(path: path, interfaces: [.sample()], tool: "t")
        var number = 0
        while writer.fault == nil, number < 20_000 {
            number += 1
            Self.write(number, length: 900, to: writer)
        }
        received.done.wait()
        let fault = try #require(writer.fault)
        #expect(fault.reason == "Broken pipe")
        #expect(fault.packetsWritten < number && fault.packetsWritten > 300)
        #expect(fault.message.hasSuffix("\(fault.packetsWritten) packets were written, later packets were not"))
        #expect(writer.packetsWritten == fault.packetsWritten && writer.bytesWritten == fault.bytesWritten)
        let parsed = parseCapture(received.bytes)
        #expect(parsed.frames.count > 300 && parsed.frames.count <= fault.packetsWritten)
    }

    private final class Received: @unchecked Sendable {
        var bytes: [UInt8] = []
        let done = DispatchSemaphore(value: 0)

        func add(_ piece: Data) -> Int {
            bytes += piece
            return bytes.count
        }
    }
}
