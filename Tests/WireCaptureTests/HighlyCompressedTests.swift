import Testing
import WireTesting

@testable import WireCapture
@testable import WireCore

/// Files that become far more than they are: what they cost must follow from a limit, not from what they become.
@Suite("Captures that are far larger than their compressed form")
struct HighlyCompressedTests {
    /// A pcap whose first frame has so many zeros; all zeros behind it are records without a byte.
    private static func start(frame length: Int) -> [UInt8] {
        func bytes(_ words: [UInt32]) -> [UInt8] {
            words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
        }
        let size = UInt32(length)
        return bytes([0xa1b2_c3d4, 4 << 16 | 2, 0, 0, 1 << 24, 1, 0, 0, size, size])
    }

    @Test("are read to their end, and it is said", arguments: [1, 2])
    func ratio(jobs: Int) throws {
        let folder = try TemporaryFolder()
        let start = Self.start(frame: 0)
        let zeros = CompressedFileBuilder.gzipZeros
        let plain = start + [UInt8](repeating: 0, count: 1 << 20)
        let cases: [(name: String, bytes: [UInt8], size: Int, isSaid: Bool)] = [
            ("zstd", CompressedFileBuilder.zstd(start, zeros: 1 << 20), 1 << 20, true),
            ("gzip", CompressedFileBuilder.gzip(start) + zeros.bytes + zeros.bytes, 2 * zeros.count, true),
            ("plain", plain, 1 << 20, false),
            ("zstd as large as what is in it", CompressedFileBuilder.zstd(plain), 1 << 20, false),
            ("gzip as large as what is in it", CompressedFileBuilder.gzip(plain), 1 << 20, false),
        ]
        for (name, bytes, size, isSaid) in cases {
            let path = try folder.write("capture", bytes)
            let result = try CaptureAudit(paths: [path], jobs: jobs).run()
            #expect(result.files.map(\.packets) == [1 + size / 16], "\(name)")
            let findings = result.findings.filter { $0.code == .compressionRatio }
            #expect(findings.map(\.count) == (isSaid ? [1] : []), "\(name)")
            #expect(result.ledger.balanced, "\(name)")
        }
    }

    @Test("take no more memory than their largest frame and a fixed amount")
    func memory() throws {
        let (frame, rest) = (8 << 20, 40 << 20)
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "capture", CompressedFileBuilder.zstd(Self.start(frame: frame), zeros: frame + rest))
        var inputs = try CaptureInputs(paths: [path])
        var auditor = Auditor()
        _ = auditor.addFile(inputs.summaries[0])
        let feeder = BatchFeeder(&auditor, jobs: 2)
        defer { feeder.close() }
        var buffers: [Weak] = []
        var most = 0
        while let turn = inputs.nextTurn() {
            let pause = try feeder.take(turn, &auditor, nil)
            if pause == .needsBytes { turn.reader.refill() }
            buffers.append(Weak(turn.reader.lendBuffer()))
            var sizes: [ObjectIdentifier: Int] = [:]
            for case let buffer? in buffers.map(\.buffer) { sizes[ObjectIdentifier(buffer)] = buffer.bytes.count }
            most = max(most, sizes.values.reduce(0, +))
            buffers.removeAll { $0.buffer == nil }
        }
        feeder.drain()
        let packets = auditor.finish().files.map(\.packets)
        #expect(packets == [1 + rest / 16])
        #expect(most > 0 && most <= frame + 28 << 20, "\(most >> 20) MiB")
    }

    private struct Weak {
        weak var buffer: CaptureBuffer?

        init(_ buffer: CaptureBuffer) { self.buffer = buffer }
    }
}
