import Testing
import WireTesting

@testable import WireCore

@Suite("Out-of-order segments and stream assembler")
struct StreamAssemblerTests {
    @Test("hold each byte once, in order", arguments: [1, 2, 3, 4] as [UInt64])
    func agreesWithBitmap(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<50 {
            var assembler = StreamAssembler()
            var segments = OutOfOrderSegments()
            var pieces = SegmentPieces()
            assembler.start(synchronize: SequenceNumber(UInt32(truncatingIfNeeded: random.next())))
            var seen = [Bool](repeating: false, count: 120)
            var next = 0
            for _ in 0..<30 {
                let start = random.below(100)
                let range = start..<start + 1 + random.below(20)
                assembler.divide(
                    StreamPosition(range.lowerBound)..<StreamPosition(range.upperBound), segments, into: &pieces)
                let new = Set((pieces.new + pieces.late.map(\.range)).joined())
                let repeated = Set(pieces.repeated.joined())
                #expect(new == Set(range.filter { !seen[$0] }), "seed \(seed), round \(round)")
                #expect(repeated == Set(range.filter { seen[$0] }), "seed \(seed), round \(round)")
                #expect(pieces.newByteCount + pieces.repeatedByteCount == range.count)
                for position in range { seen[position] = true }
                for piece in pieces.new {
                    let segment = OutOfOrderSegment(
                        start: StreamPosition(piece.lowerBound), end: StreamPosition(piece.upperBound),
                        bytes: piece.map { UInt8($0) })
                    segments.insert(segment, into: &assembler.waiting)
                }
                if random.oneIn(6), let gap = assembler.openGap(segments) { assembler.giveUp(StreamGap(range: gap)) }
                while let segment = assembler.takeReady(&segments) {
                    #expect(segment.bytes.first == UInt8(segment.start.value))
                    #expect(segment.bytes.count == segment.end - segment.start)
                }
                #expect(assembler.next.value >= next)
                next = assembler.next.value
                let highest = (seen.lastIndex(of: true) ?? -1) + 1
                #expect(assembler.highest.value == highest, "seed \(seed), round \(round)")
                let missing = (0..<next).filter { !seen[$0] }.count
                #expect(assembler.unseenByteCount == missing, "seed \(seed), round \(round)")
                let held = (next..<highest).filter { seen[$0] }.count
                // Memory: the content, and something for each segment.
                #expect(segments.byteCount >= held, "seed \(seed), round \(round)")
                #expect(assembler.waiting.isEmpty == (segments.byteCount == 0), "seed \(seed), round \(round)")
                #expect(assembler.waiting.byteCount == held)
                #expect(assembler.openGap(segments) == nil || !seen[next])
            }
        }
    }

    @Test("at most 256 gaps are remembered, also where late bytes divide one", arguments: [true, false])
    func boundsGaps(isAscending: Bool) {
        var assembler = StreamAssembler()
        var pieces = SegmentPieces()
        assembler.start(midstream: SequenceNumber(1_000_000))
        for index in 0..<1000 {
            let start = StreamPosition(-20 * (isAscending ? 1000 - index : index + 1))
            assembler.divide(start..<start + 10, OutOfOrderSegments(), into: &pieces)
            #expect(pieces.newByteCount == 10 && pieces.repeatedByteCount == 0)
        }
        #expect(assembler.gaps.count == 256)
        #expect(assembler.unseenByteCount == 1000 * 10)
    }

    @Test("turns sequence numbers into places near the highest byte seen")
    func unwraps() {
        var assembler = StreamAssembler()
        assembler.start(synchronize: SequenceNumber(0xffff_fff0))
        #expect(assembler.position(of: SequenceNumber(0xffff_fff1)) == .zero)
        #expect(assembler.position(of: SequenceNumber(0xffff_fff0)).value == -1)
        #expect(assembler.position(of: SequenceNumber(0)).value == 15)
        for turn in 1...5 {
            for _ in 0..<4 { assembler.acceptNext(1 << 30) }
            #expect(assembler.position(of: SequenceNumber(0xffff_fff1)).value == turn << 32)
            #expect(assembler.position(of: SequenceNumber(0xffff_fff0)).value == turn << 32 - 1)
        }
    }

    @Test("takes what was sent before a capture began for new")
    func takesEarlierBytes() {
        var assembler = StreamAssembler()
        let segments = OutOfOrderSegments()
        var pieces = SegmentPieces()
        assembler.start(midstream: SequenceNumber(500))
        assembler.acceptNext(10)
        assembler.divide(StreamPosition(-30)..<StreamPosition(-10), segments, into: &pieces)
        #expect(pieces.late.map(\.range) == [-30 ..< -10])
        assembler.divide(StreamPosition(-20)..<StreamPosition(5), segments, into: &pieces)
        #expect(pieces.late.map(\.range) == [-10..<0])
        #expect(pieces.repeated == [-20 ..< -10, 0..<5])
    }

    @Test("distance on the circle of sequence numbers is signed")
    func measuresDistance() {
        let pairs: [(UInt32, UInt32, Int)] = [
            (5, 3, 2), (3, 5, -2), (1, 0xffff_ffff, 2), (0xffff_ffff, 1, -2), (0x8000_0000, 0, -0x8000_0000),
            (0x7fff_ffff, 0, 0x7fff_ffff), (0, 0x8000_0001, 0x7fff_ffff),
        ]
        for (to, from, distance) in pairs {
            #expect(SequenceNumber(to).distance(from: SequenceNumber(from)) == distance)
        }
        #expect(SequenceNumber(0xffff_ffff).advanced(by: 2) == SequenceNumber(1))
        #expect(SequenceNumber(0).advanced(by: -1) == SequenceNumber(0xffff_ffff))
    }
}
