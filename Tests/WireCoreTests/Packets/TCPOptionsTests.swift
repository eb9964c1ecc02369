import Testing
import WireCore
import WireTesting

@Suite("TCP options")
struct TCPOptionsTests {
    private func parse(_ options: [PacketBuilder.Option]) -> TCPOptions {
        var builder = PacketBuilder()
        builder.options = options
        let bytes = Array(builder.transportBytes()[20...])
        return unsafe TCPOptions.parse(bytes.span.bytes)
    }

    @Test("reads the options of a SYN")
    func readsSYN() {
        let options = parse([
            .maximumSegmentSize(1460), .selectiveAcknowledgmentPermitted, .timestamps(value: 1, echo: 0), .noOperation,
            .windowScale(7), .fastOpenCookie([1, 2, 3, 4]),
        ])
        #expect(options.maximumSegmentSize == 1460)
        #expect(options.windowScale == 7)
        #expect(options.permitsSelectiveAcknowledgment)
        #expect(options.hasTimestamps)
        #expect(options.hasFastOpenCookie)
    }

    @Test("takes a shift above 14 for 14")
    func limitsShift() {
        #expect(parse([.windowScale(200)]).windowScale == 14)
    }

    @Test(
        "keeps what stands before an ill-formed option",
        arguments: [[2, 0], [2, 1], [3, 9, 1], [8], [0, 3, 3, 1], [254, 255, 0, 0]] as [[UInt8]])
    func stopsAtIllFormed(rest: [UInt8]) {
        let bytes: [UInt8] = [2, 4, 5, 180] + rest
        let options = unsafe TCPOptions.parse(bytes.span.bytes)
        #expect(options.maximumSegmentSize == 1460)
        #expect(options.windowScale == nil)
        #expect(!options.hasTimestamps)
    }

    @Test("steps over options of another length or kind")
    func stepsOverUnknown() {
        let options = parse([.bytes([2, 3, 9]), .bytes([253, 5, 1, 2, 3]), .windowScale(3)])
        #expect(options.maximumSegmentSize == nil)
        #expect(options.windowScale == 3)
    }
}
