import Testing
import WireTesting

@testable import WireCore

@Suite("HTTP/2: frames")
struct FrameReaderTests {
    typealias Case = (frame: SampleFrame, parts: [ReadPart])

    private static func part(_ part: FramePart, _ count: Int) -> ReadPart { ReadPart(part, count) }

    /// Well-formed frames of every type.
    static let frames: [Case] = [
        (SampleFrame(type: 0, stream: 1), []),
        (SampleFrame(type: 0, flags: 1, stream: 1, payload: Array("hello".utf8)), [part(.data, 5)]),
        (SampleFrame(type: 0, flags: 8, stream: 1, payload: [0, 7]), [part(.padLength, 1), part(.data, 1)]),
        (SampleFrame(type: 0, flags: 8, stream: 1, payload: [0]), [part(.padLength, 1)]),
        (
            SampleFrame(type: 0, flags: 9, stream: 1, payload: [2, 7, 7, 7, 0, 0]),
            [part(.padLength, 1), part(.data, 3), part(.padding, 2)]
        ),
        (
            SampleFrame(type: 0, flags: 8, stream: 1, payload: [3, 0, 0, 0]),
            [part(.padLength, 1), part(.padding, 3)]
        ),
        (SampleFrame(type: 1, flags: 5, stream: 3, payload: [0x82, 0x86]), [part(.fragment, 2)]),
        (SampleFrame(type: 1, flags: 4, stream: 3), []),
        (
            SampleFrame(type: 1, flags: 0x24, stream: 3, payload: [0, 0, 0, 1, 15, 0x82]),
            [part(.priority, 5), part(.fragment, 1)]
        ),
        (
            SampleFrame(type: 1, flags: 0x2C, stream: 3, payload: [1, 0, 0, 0, 1, 15, 0x82, 0]),
            [part(.padLength, 1), part(.priority, 5), part(.fragment, 1), part(.padding, 1)]
        ),
        (
            SampleFrame(type: 1, flags: 0x2C, stream: 3, payload: [1, 0, 0, 0, 1, 15, 0]),
            [part(.padLength, 1), part(.priority, 5), part(.padding, 1)]
        ),
        (SampleFrame(type: 2, stream: 5, payload: [0x80, 0, 0, 3, 16]), [part(.priority, 5)]),
        (SampleFrame(type: 3, stream: 5, payload: [0, 0, 0, 8]), [part(.payload, 4)]),
        (SampleFrame(type: 4), []),
        (SampleFrame(type: 4, flags: 1), []),
        (SampleFrame(type: 4, payload: [0, 1, 0, 1, 0, 0, 0, 4, 0, 0, 0xFF, 0xFF]), [part(.payload, 12)]),
        (
            SampleFrame(type: 5, flags: 4, stream: 1, payload: [0, 0, 0, 2, 0x82]),
            [part(.promisedStream, 4), part(.fragment, 1)]
        ),
        (
            SampleFrame(type: 5, flags: 12, stream: 1, payload: [2, 0, 0, 0, 2, 0x82, 0, 0]),
            [part(.padLength, 1), part(.promisedStream, 4), part(.fragment, 1), part(.padding, 2)]
        ),
        (SampleFrame(type: 6, payload: [1, 2, 3, 4, 5, 6, 7, 8]), [part(.payload, 8)]),
        (SampleFrame(type: 7, payload: [0, 0, 0, 9, 0, 0, 0, 11] + Array("calm".utf8)), [part(.payload, 12)]),
        (SampleFrame(type: 8, payload: [0, 0, 0xFF, 1]), [part(.payload, 4)]),
        (SampleFrame(type: 8, stream: 7, payload: [0x7F, 0xFF, 0xFF, 0xFF]), [part(.payload, 4)]),
        (SampleFrame(type: 0xA, payload: [0, 1, 0x61, 0x62]), [part(.payload, 4)]),
        (SampleFrame(type: 0xC, payload: [0, 1, 0x61]), [part(.payload, 3)]),
        (SampleFrame(type: 0x10, payload: [0, 0, 0, 7] + Array("u=1".utf8)), [part(.payload, 7)]),
        (SampleFrame(type: 0xFE, flags: 0xFF, stream: 0x7FFF_FFFF, payload: [1, 2, 3]), [part(.payload, 3)]),
    ]

    @Test("frames of every type are told apart, however they are split", arguments: frames.indices)
    func everyFrame(index: Int) {
        let (frame, parts) = Self.frames[index]
        #expect(frame.expected.parts == parts && !frame.expected.isMalformed)
        // Another frame behind it shows that the end was found.
        let next = SampleFrame(type: 6, payload: [8, 7, 6, 5, 4, 3, 2, 1])
        let isBlockOpen = [1, 5].contains(frame.type) && frame.flags & 4 == 0
        let bytes = frame.bytes + next.bytes
        let whole = FrameLog.read([bytes])
        #expect(whole.frames.map(\.parts) == [parts, [ReadPart(.payload, 8)]])
        #expect(whole.frames.map(\.isMalformed) == [false, isBlockOpen])
        #expect(whole.frames.map(\.isComplete) == [true, true])
        #expect(whole.frames[0].header.stream == frame.stream && whole.frames[0].header.type == frame.type)
        #expect(whole.reader.isAtFrameStart)
        for split in Splits.all(bytes) {
            let log = FrameLog.read(split)
            #expect(log.frames == whole.frames, "\(split.map(\.count))")
            #expect(log.contradictions == [] && log.claimed == bytes.count)
        }
    }

    @Test("control frames say what they are about")
    func controlValues() {
        func values(_ frame: SampleFrame) -> [Int?] { FrameLog.read([frame.bytes]).frames[0].values }
        #expect(values(SampleFrame(type: 8, payload: [0x80, 0, 1, 0])) == [nil, 256])
        #expect(values(SampleFrame(type: 5, stream: 1, payload: [0x80, 0, 0, 6])) == [6, nil])
        #expect(values(SampleFrame(type: 5, flags: 8, stream: 1, payload: [1, 0, 0, 0, 6, 0x82, 0])) == [6, nil])
        #expect(values(SampleFrame(type: 0, stream: 1, payload: [0, 0, 0, 3])) == [nil, nil])
        #expect(values(SampleFrame(type: 8, payload: [0, 0, 8])) == [nil, nil])
    }

    @Test("the reserved bit is no part of the stream")
    func reservedBit() {
        let frame = SampleFrame(type: 0, stream: 0x8000_0005, payload: [1])
        let header = FrameLog.read([frame.bytes]).frames[0].header
        #expect(header.stream == 5 && header.isReservedBitSet)
        let longest = [9, 0xFF, 0xFF, 0xFF] + SampleFrame(type: 0, flags: 1, stream: 0x7FFF_FFFF).bytes[3...]
        let read = unsafe FrameHeader(longest.span.bytes, at: 1)
        #expect(read.payloadLength == 0xFF_FFFF && read.stream == 0x7FFF_FFFF && !read.isReservedBitSet)
        #expect(read.endsStream && !read.endsFieldBlock && !read.isAcknowledgement)
    }

    @Test("a wrong value at the end of a flood of settings is found")
    func settingsFlood() {
        let known = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 / 6 % 250 + 9) }
        for (last, isMalformed) in [([0, 2, 0, 0, 0, 1], false), ([0, 2, 0, 0, 0, 2], true)] as [([UInt8], Bool)] {
            let frame = SampleFrame(type: 4, payload: known + last)
            let log = FrameLog.read([Array(frame.bytes[..<10_000]), Array(frame.bytes[10_000...])])
            #expect(log.frames[0].isMalformed == isMalformed && log.frames[0].isComplete)
        }
    }

    @Test("frames in random order come apart as they were put together", arguments: 1...12 as ClosedRange<UInt64>)
    func randomSequences(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<40 {
            let frames = (0..<random.below(30)).map { _ in SampleFrame.random(&random, isOrderly: round % 2 == 0) }
            let bytes = frames.flatMap(\.bytes)
            let whole = FrameLog.read([bytes])
            #expect(whole.frames.map(\.parts) == frames.map(\.expected.parts), "seed \(seed)")
            for (read, sent) in zip(whole.frames, frames) where sent.expected.isMalformed {
                #expect(read.isMalformed, "seed \(seed), \(sent)")
            }
            let split = FrameLog.read(Splits.random(bytes, &random))
            #expect(split.frames == whole.frames, "seed \(seed)")
            #expect(split.contradictions == [] && split.claimed == bytes.count, "seed \(seed)")
            let sum = split.frames.reduce(0) { $0 + 9 + $1.parts.map(\.count).reduce(0, +) }
            #expect(sum == bytes.count, "seed \(seed)")
        }
    }

    @Test("every byte of garbage is claimed once", arguments: 1...12 as ClosedRange<UInt64>)
    func garbage(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<40 {
            var bytes = random.bytes(random.below(3000))
            // Short frames more often than lengths of random bytes make them.
            for index in bytes.indices where index % 16 < 2 && random.oneIn(2) { bytes[index] = 0 }
            let whole = FrameLog.read([bytes], joinsLate: true)
            let split = FrameLog.read(Splits.random(bytes, &random), joinsLate: true)
            #expect(whole.frames == split.frames, "seed \(seed)")
            #expect(split.contradictions == [] && split.claimed == bytes.count, "seed \(seed)")
        }
    }
}

/// Ways to cut bytes into runs.
enum Splits {
    /// Byte by byte, and every cut in two.
    static func all(_ bytes: [UInt8]) -> [[[UInt8]]] {
        [bytes.map { [$0] }] + (0...bytes.count).map { [Array(bytes[..<$0]), Array(bytes[$0...])] }
    }

    static func random(_ bytes: [UInt8], _ random: inout SeededRandom) -> [[UInt8]] {
        var runs: [[UInt8]] = []
        var offset = 0
        let most = random.element([2, 10, 200])
        while offset < bytes.count {
            let count = min(bytes.count - offset, 1 + random.below(most))
            runs.append(Array(bytes[offset..<offset + count]))
            offset += count
        }
        return runs
    }
}
