import Testing
import WireCapture
import WireTesting

@Suite("Golden captures cut short")
struct CutCaptureTests {
    @Test("a capture cut at any length balances and keeps all packets before the cut", arguments: CaptureCase.all)
    func cut(capture: CaptureCase) throws {
        let truth = try capture.truth()
        let file = try capture.read(truth.capture.file)
        let plain = try decompressed(file)
        try cut(plain, keys: capture.keys, packets: truth.capture.packets)
        if plain != file { try cut(file, keys: capture.keys, packets: truth.capture.packets) }
    }

    private func cut(_ bytes: [UInt8], keys: [String], packets whole: Int) throws {
        let folder = try TemporaryFolder()
        // Every length of the smallest; an odd step elsewhere, to meet every field of a record.
        let step = bytes.count < 2000 ? 1 : max(97, bytes.count / Effort.rounds(100) | 1)
        var packets = 0
        for length in Array(stride(from: 0, to: bytes.count, by: step)) + [bytes.count] {
            let path = try folder.write("cut", Array(bytes[..<length]))
            do throws(CaptureError) {
                let result = try CaptureAudit(paths: [path], keys: keys).run()
                #expect(result.ledger.balanced, "\(length) bytes")
                let count = result.files.reduce(0) { $0 + $1.packets }
                #expect(count >= packets, "\(length) bytes")
                packets = count
            } catch {
                guard case .notACapture = error else {
                    Issue.record("\(length) bytes: \(error.message)")
                    continue
                }
                #expect(packets == 0, "\(length) bytes: \(error.message)")
            }
        }
        #expect(packets == whole)
    }
}
