import Foundation
import Testing
import WireCapture
import WireCore
import WireTesting

@Suite("Audit of files")
struct CaptureAuditTests {
    static let samples: [(name: String, bytes: [UInt8], format: String, compression: String?)] = [
        ("pcap", pcap(times: [1, 2, 3]), "pcap", nil),
        ("pcapng", pcapng(times: [1, 2, 3]), "pcapng", nil),
        ("gzip", CompressedFileBuilder.gzip(pcap(times: [1, 2, 3])), "pcap", "gzip"),
        ("zstd", CompressedFileBuilder.zstd(pcapng(times: [1, 2, 3])), "pcapng", "zstd"),
        (
            "two members",
            CompressedFileBuilder.gzip(Array(pcap(times: [1, 2, 3]).prefix(77)))
                + CompressedFileBuilder.gzip(Array(pcap(times: [1, 2, 3]).dropFirst(77))), "pcap", "gzip"
        ),
    ]

    @Test("every format is recognised by its content", arguments: samples.indices)
    func formats(index: Int) throws {
        let (name, bytes, format, compression) = Self.samples[index]
        let folder = try TemporaryFolder()
        let result = try CaptureAudit(paths: [folder.write(name, bytes)]).run()
        let file = try #require(result.files.first)
        #expect(file.format == format)
        #expect(file.compression == compression)
        #expect(file.packets == 3)
        #expect(file.bytes == 180)
        #expect(file.capturedBytes == 180)
        #expect(file.first == 1_000_000_000)
        #expect(file.last == 3_000_000_000)
        #expect(file.linkTypes == [.ethernet])
        #expect(file.damagedAt == nil)
    }

    @Test("a pipe is read like a file, as one of several too")
    func pipe() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path + "/pipe"
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let bytes = pcap(times: [2, 4], size: 100_000)
        let writer = Thread { try? Data(bytes).write(to: URL(fileURLWithPath: pipe)) }
        writer.start()
        let result = try CaptureAudit(paths: [folder.write("a", pcap(times: [1, 3, 5])), pipe]).run()
        #expect(result.files.map(\.packets) == [3, 2])
        #expect(result.files.map(\.bytes) == [180, 200_000])
    }

    @Test("a frame larger than the buffer makes it grow")
    func largeFrame() throws {
        let folder = try TemporaryFolder()
        var file = PcapFileBuilder()
        for size in [60, 3_000_000, 60, 700_000, 60] {
            file.record(seconds: 1, [UInt8](repeating: 1, count: size))
        }
        let result = try CaptureAudit(paths: [folder.write("large", file.bytes)]).run()
        #expect(result.files.map(\.packets) == [5])
        #expect(result.files.map(\.capturedBytes) == [3_700_180])
    }

    @Test("a length that a record only claims costs no memory")
    func claimedLength() throws {
        let folder = try TemporaryFolder()
        var file = PcapFileBuilder(snapshotLength: 1 << 27)
        file.record(seconds: 1, [UInt8](repeating: 1, count: 60))
        file.record(seconds: 1, [UInt8](repeating: 1, count: 60), first: 100_000_000, second: 100_000_000)
        var inputs = try CaptureInputs(paths: [folder.write("claim", file.bytes)])
        var longest = 0
        var count = 0
        while let turn = inputs.nextTurn() {
            let pause = try turn.reader.drain(through: turn.limit) { _, _, _, _ in count += 1 }
            if pause == .needsBytes { turn.reader.refill() }
            longest = max(longest, turn.reader.lendBuffer().bytes.count)
        }
        #expect(count == 1)
        #expect(longest <= 1 << 20)
    }

    struct Damage: Sendable {
        var bytes: [UInt8]
        var packets: Int
        var damagedAt: Int
        var finding: FindingCode
    }

    static let record = 76
    static let sound = pcap(times: [1, 2, 3])
    static let damages = [
        Damage(bytes: Array(sound.dropLast()), packets: 2, damagedAt: 24 + 2 * record, finding: .captureCut),
        Damage(bytes: Array(sound.prefix(24 + 5)), packets: 0, damagedAt: 24, finding: .captureCut),
        Damage(bytes: Array(sound.prefix(10)), packets: 0, damagedAt: 0, finding: .captureCut),
        Damage(
            bytes: sound + [UInt8](repeating: 0xff, count: 16), packets: 3, damagedAt: sound.count,
            finding: .captureDamaged),
        // Compressed: the cut falls behind the second frame, in the middle of the third, and into the checksum.
        Damage(
            bytes: Array(CompressedFileBuilder.gzip(sound).prefix(15 + 24 + 2 * record)), packets: 2,
            damagedAt: 24 + 2 * record, finding: .captureCut),
        Damage(
            bytes: Array(CompressedFileBuilder.gzip(sound).prefix(15 + 24 + 2 * record + 30)), packets: 2,
            damagedAt: 24 + 2 * record, finding: .captureCut),
        Damage(
            bytes: Array(CompressedFileBuilder.gzip(sound).dropLast(3)), packets: 3, damagedAt: sound.count,
            finding: .captureCut),
        Damage(
            bytes: CompressedFileBuilder.gzip(sound) + [1, 2, 3], packets: 3, damagedAt: sound.count,
            finding: .captureDamaged),
        Damage(
            bytes: CompressedFileBuilder.zstd(sound) + [1, 2, 3, 4, 5, 6, 7, 8], packets: 3, damagedAt: sound.count,
            finding: .captureDamaged),
    ]

    @Test("damage leaves everything before it, says where it is, and the next file is read", arguments: damages.indices)
    func damage(index: Int) throws {
        let test = Self.damages[index]
        let folder = try TemporaryFolder()
        let damaged = try folder.write("damaged", test.bytes)
        let alone = try CaptureAudit(paths: [damaged]).run()
        #expect(alone.files.map(\.packets) == [test.packets])
        #expect(alone.files.map(\.damagedAt) == [test.damagedAt])
        let finding = try #require(alone.findings.first { $0.code == test.finding })
        #expect(finding.count == 1)
        #expect(finding.packet == test.packets + 1)
        #expect(finding.file == damaged)
        let next = try folder.write("next", pcap(times: [2, 9]))
        let both = try CaptureAudit(paths: [damaged, next]).run()
        #expect(both.files.first { $0.path == next }?.packets == 2)
        #expect(both.files.first { $0.path == damaged }?.packets == test.packets)
        #expect(both.findings.contains { $0.code == test.finding })
    }

    @Test("progress goes up to the size of all files")
    func progress() throws {
        let folder = try TemporaryFolder()
        let first = pcap(times: Array(1...200), size: 10_000)
        let second = CompressedFileBuilder.gzip(pcap(times: Array(100...300), size: 5_000))
        var seen: [AuditProgress] = []
        _ = try CaptureAudit(paths: [folder.write("a", first), folder.write("b", second)]).run { seen.append($0) }
        #expect(seen.count > 3)
        #expect(seen.map(\.bytesRead) == seen.map(\.bytesRead).sorted())
        #expect(seen.map(\.packets) == seen.map(\.packets).sorted())
        #expect(seen.last?.bytesRead == first.count + second.count)
        #expect(seen.allSatisfy { $0.totalBytes == first.count + second.count })
        #expect(seen.last?.packets == 401)
    }
}
