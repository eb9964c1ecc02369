import Testing
import WireTesting

@Suite("One capture in other files")
struct SameCaptureTests {
    @Test("compressed or not, the books are the same", arguments: CaptureCase.all)
    func compression(capture: CaptureCase) throws {
        let file = try capture.truth().capture.file
        let original = try LedgerText(capture.audit()).text
        let plain = try decompressed(capture.read(file))
        let folder = try TemporaryFolder()
        for (name, bytes) in [
            ("plain", plain), ("gzip", CompressedFileBuilder.gzip(plain)), ("zstd", CompressedFileBuilder.zstd(plain)),
        ] {
            let text = try LedgerText(RecordedAudit([folder.write(name, bytes)], keys: capture.keys)).text
            #expect(text == original, "\(name)")
        }
    }

    @Test("cut in two files at a packet, given in either order, the books are the same", arguments: CaptureCase.all)
    func rotation(capture: CaptureCase) throws {
        let file = try capture.truth().capture.file
        let original = try LedgerText(capture.audit()).text
        let parsed = parseCapture(try decompressed(capture.read(file)))
        let folder = try TemporaryFolder()
        // These files hold no keys; those of the original go beside them.
        let keys = try capture.keys + (parsed.secrets.isEmpty ? [] : [folder.write("keys.log", parsed.secrets)])
        for cut in [1, parsed.frames.count / 3, parsed.frames.count - 1] {
            let paths = [
                try folder.write("a\(cut)", pcap(parsed.frames[..<cut])),
                try folder.write("b\(cut)", pcap(parsed.frames[cut...])),
            ]
            #expect(try LedgerText(RecordedAudit(paths, keys: keys)).text == original, "cut before packet \(cut + 1)")
            #expect(
                try LedgerText(RecordedAudit(paths.reversed(), keys: keys)).text == original, "reversed, \(cut + 1)")
        }
    }

    private func pcap(_ frames: ArraySlice<ParsedCapture.Frame>) -> [UInt8] {
        // Nanosecond resolution keeps every time as it is.
        var file = PcapFileBuilder(magic: 0xa1b2_3c4d, network: frames.first?.linkType ?? 1)
        for frame in frames {
            file.record(
                seconds: UInt32(frame.time / 1_000_000_000), fraction: UInt32(frame.time % 1_000_000_000), frame.bytes,
                second: UInt32(frame.original))
        }
        return file.bytes
    }
}
