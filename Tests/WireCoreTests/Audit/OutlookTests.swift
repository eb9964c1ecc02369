import Testing
import WireTesting

@testable import WireCore

@Suite("Outlook")
struct OutlookTests {
    @Test("what an audit is told of frames to come changes nothing", arguments: 0..<8 as Range<UInt64>)
    func changesNothing(block: UInt64) {
        for seed in 7000 + block * 5..<7000 + block * 5 + 5 {
            let audit = RandomCapture(seed: seed).audit
            let alone = audit.run()
            var random = SeededRandom(seed: seed)
            let told = audit.run { auditor, index in
                for _ in 0..<random.below(4) {
                    var bytes = audit.frames.isEmpty ? [] : random.element(audit.frames).bytes
                    if random.oneIn(2), index + 8 < audit.frames.count { bytes = audit.frames[index + 8].bytes }
                    switch random.below(6) {
                    case 0: bytes = random.bytes(random.below(120))
                    case 1: bytes.removeLast(min(bytes.count, random.below(60)))
                    case 2 where !bytes.isEmpty: bytes[random.below(bytes.count)] = UInt8(random.below(256))
                    default: break
                    }
                    unsafe auditor.expect(bytes.span.bytes)
                }
            }
            let differences = told.transcript.differences(alone.transcript)
            #expect(differences == [], "seed \(seed)")
        }
    }

    @Test("the place told of the next frame is where it is, or none", arguments: [false, true])
    func looksAhead(littleEndian: Bool) {
        for (magic, network) in [(0xa1b2_c3d4, 1), (0xa1b2_3c4d, 1), (0xa1b2_cd34, 113)] as [(UInt32, UInt32)] {
            var file = PcapFileBuilder(littleEndian: littleEndian, magic: magic, network: network)
            for length in [60, 0, 1514, 3] {
                file.record(seconds: 1, [UInt8](repeating: 7, count: length))
            }
            #expect(checkedPlaces(file.bytes) == 4)
        }
        var blocks = PcapngFileBuilder()
        blocks.section(littleEndian: littleEndian)
        blocks.interface()
        for length in [60, 0, 1514, 3] {
            blocks.enhancedPacket([UInt8](repeating: 7, count: length))
        }
        #expect(checkedPlaces(blocks.bytes) == 4)
    }

    /// Goes through a file, and through all its beginnings. Returns how many frames were where they were told to be.
    private func checkedPlaces(_ bytes: [UInt8]) -> Int {
        var right = 0
        var parser = CaptureParser()
        var offset = 0
        while true {
            let told = unsafe parser.lookAhead(bytes.span.bytes, at: offset)
            for end in offset...min(offset + 40, bytes.count) {
                _ = unsafe parser.lookAhead(bytes.span.bytes.extracting(0..<end), at: offset)
            }
            switch unsafe parser.next(bytes.span.bytes, at: offset, endOfInput: true) {
            case .frame(let dataOffset, let nextOffset):
                if let told, told == (dataOffset, nextOffset) { right += 1 }
                offset = nextOffset
            case .skipped(let nextOffset): offset = nextOffset
            default: return right
            }
        }
    }
}
