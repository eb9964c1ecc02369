import Testing
import WireCore
import WireTesting

@Suite("Golden captures that lack a packet")
struct LostPacketTests {
    /// What an exchange says of itself, as far as it must not depend on packets that are gone.
    private struct Claim: Hashable {
        var client: UInt16
        var target: [UInt8]?
        var status: Int?
        var sizes: [Int]

        init(_ record: ExchangeRecord) {
            client = record.client.port
            target = record.target
            status = record.status
            sizes = [record.costs.up, record.costs.down].flatMap { [$0[.startLine], $0[.headers], $0[.body]] }
        }
    }

    @Test(
        "an exchange without a flag has right figures, whichever packet is missing",
        arguments: CaptureCase.all.filter { ["multipath", "one-exchange", "pipelined", "shop"].contains($0.name) })
    func oneMissing(capture: CaptureCase) throws {
        let whole = Set(try capture.audit().exchanges.map(Claim.init))
        let parsed = parseCapture(try decompressed(capture.read(capture.truth().capture.file)))
        #expect(parsed.frames.count >= 10)
        let folder = try TemporaryFolder()
        for lost in parsed.frames.indices {
            var file = PcapFileBuilder(magic: 0xa1b2_3c4d, network: parsed.frames[0].linkType)
            for (index, frame) in parsed.frames.enumerated() where index != lost {
                file.record(
                    seconds: UInt32(frame.time / 1_000_000_000), fraction: UInt32(frame.time % 1_000_000_000),
                    frame.bytes, second: UInt32(frame.original))
            }
            let audit = try RecordedAudit([folder.write("lost", file.bytes)])
            #expect(audit.result.ledger.balanced, "without packet \(lost + 1)")
            for record in audit.exchanges where record.flags.isEmpty {
                #expect(whole.contains(Claim(record)), "without packet \(lost + 1): exchange \(record.exchange)")
            }
        }
    }
}
