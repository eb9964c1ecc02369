import Foundation
import Testing
import WireCore
import WireTesting

@testable import WireCapture

@Suite("Keys in written captures")
struct CaptureSecretsWritingTests {
    private static func line(_ number: Int) -> [UInt8] {
        Array("CLIENT_RANDOM \(String(repeating: "0", count: 60))\(number) 00\n".utf8)
    }

    private static func secrets(_ blocks: [WrittenBlock]) -> [[UInt8]] {
        blocks.filter { $0.type == WrittenBlock.secrets }.map { block in
            #expect(block.u32(0) == 0x544c_534b)
            #expect(block.body.count == 8 + (block.u32(4) + 3) / 4 * 4)
            return Array(block.body[8..<8 + block.u32(4)])
        }
    }

    @Test("lines come before the next packet, whole and with an end")
    func order() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c"
        let writer = try CaptureWriter(path: path, interfaces: [.sample()], tool: "t")
        let byte: [UInt8] = [1]
        writer.addSecrets([])
        writer.addSecrets(Self.line(1))
        writer.write(.sample(1, length: 1), unsafe byte.span.bytes)
        writer.addSecrets(Self.line(2).dropLast())
        writer.addSecrets(Self.line(3) + Self.line(4))
        writer.write(.sample(2, length: 1), unsafe byte.span.bytes)
        writer.finish([])
        let blocks = try #require(WrittenBlock.blocks(of: fileBytes(path)))
        #expect(blocks.map(\.type) == [WrittenBlock.sectionHeader, 1, 10, 6, 10, 10, 6, 5])
        #expect(Self.secrets(blocks) == [Self.line(1), Self.line(2), Self.line(3) + Self.line(4)])
    }

    @Test("many lines are divided between lines only, however long one is")
    func division() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c"
        let writer = try CaptureWriter(path: path, interfaces: [.sample()], tool: "t")
        var lines: [UInt8] = []
        for length in [10, 100_000, 65_535, 65_536, 400_000] {
            lines += [UInt8](repeating: 0x61, count: length) + [0x0a]
        }
        for number in 0..<4000 { lines += Self.line(number) }
        writer.addSecrets(lines)
        writer.finish([])
        let bytes = try fileBytes(path)
        let secrets = try Self.secrets(#require(WrittenBlock.blocks(of: bytes)))
        #expect(Array(secrets.joined()) == lines)
        #expect(secrets.allSatisfy { $0.last == 0x0a })
        #expect(secrets.count >= 8)
        #expect(parseCapture(bytes).secrets == lines)
    }

    @Test("every file of a rotated capture begins with the keys known by then; too many are forgotten, oldest first")
    func repetition() throws {
        let folder = try TemporaryFolder()
        let rotation = CaptureRotation(maximumDuration: 1_000_000_000)
        let writer = try CaptureWriter(
            path: folder.path + "/c", rotation: rotation, interfaces: [.sample()], tool: "t")
        let byte: [UInt8] = [1]
        for number in 1...4 {
            writer.write(.sample(number, seconds: 1_800_000_000 + Int64(number), length: 1), unsafe byte.span.bytes)
            writer.addSecrets(Self.line(number))
        }
        writer.finish([])
        let files = try fileNames(folder.path)
        #expect(files.count == 4)
        for (index, file) in files.enumerated() {
            let blocks = try #require(WrittenBlock.blocks(of: fileBytes(folder.path + "/" + file)))
            #expect(Array(Self.secrets(blocks).joined()) == (1...index + 1).flatMap(Self.line))
        }
        #expect(writer.forgottenSecretBytes == 0)
    }

    @Test("kept keys are whole lines, the newest, and never more than the limit")
    func limit() {
        var random = SeededRandom(seed: 5)
        var kept = KeptSecrets(limit: 1000)
        var all: [UInt8] = []
        for _ in 0..<500 {
            var lines: [UInt8] = []
            for _ in 0..<random.below(4) {
                lines += [UInt8](repeating: UInt8(0x61 + random.below(26)), count: random.below(300)) + [0x0a]
            }
            kept.add(lines)
            all += lines
            #expect(kept.lines.count <= 1000)
            #expect(kept.lines.count + kept.forgotten == all.count)
            #expect(Array(all.suffix(kept.lines.count)) == kept.lines)
            #expect(kept.forgotten == 0 || all[kept.forgotten - 1] == 0x0a)
        }
        #expect(kept.forgotten > 50_000 && kept.lines.count > 300)
        kept.add([UInt8](repeating: 0x61, count: 5000) + [0x0a])
        #expect(kept.lines.isEmpty)
    }

    @Test("a capture written with its keys is audited like the capture beside its key log")
    func sameAudit() throws {
        let capture = storedCapture("h2-tls/capture.pcap")
        let keys = storedCapture("h2-tls/keys.log")
        let folder = try TemporaryFolder()
        let path = folder.path + "/c.pcapng"
        for keysFirst in [true, false] {
            let writer = try CaptureWriter(path: path, interfaces: [.sample()], tool: "t")
            if keysFirst { writer.addSecrets(try fileBytes(keys)) }
            try copy(capture, to: writer)
            if !keysFirst { writer.addSecrets(try fileBytes(keys)) }
            writer.finish([.sample()])
            let written = try CaptureAudit(paths: [path]).run()
            let original = try CaptureAudit(paths: [capture], keys: [keys]).run()
            #expect(booked(written) == booked(original))
            #expect(written.exchanges > 5)
            #expect(written.files.map(\.dropped) == [0])
        }
    }
}
