import Testing
import WireTesting

@testable import WireCore

@Suite("HTTP/2: malformed and missing frames")
struct BrokenFrameTests {
    static let malformed: [(name: String, frame: SampleFrame)] = [
        ("DATA on the connection", SampleFrame(type: 0, payload: [1])),
        ("HEADERS on the connection", SampleFrame(type: 1, flags: 4)),
        ("PRIORITY on the connection", SampleFrame(type: 2, payload: [0, 0, 0, 1, 1])),
        ("RST_STREAM on the connection", SampleFrame(type: 3, payload: [0, 0, 0, 1])),
        ("PUSH_PROMISE on the connection", SampleFrame(type: 5, flags: 4, payload: [0, 0, 0, 2])),
        ("SETTINGS on a stream", SampleFrame(type: 4, stream: 1, payload: [0, 1, 0, 0, 0, 1])),
        ("PING on a stream", SampleFrame(type: 6, stream: 1, payload: [0, 0, 0, 0, 0, 0, 0, 0])),
        ("GOAWAY on a stream", SampleFrame(type: 7, stream: 1, payload: [0, 0, 0, 0, 0, 0, 0, 0])),
        ("PRIORITY_UPDATE on a stream", SampleFrame(type: 0x10, stream: 1, payload: [0, 0, 0, 1])),
        ("PRIORITY of 4 bytes", SampleFrame(type: 2, stream: 1, payload: [0, 0, 0, 1])),
        ("RST_STREAM of 5 bytes", SampleFrame(type: 3, stream: 1, payload: [0, 0, 0, 1, 1])),
        ("SETTINGS of 7 bytes", SampleFrame(type: 4, payload: [0, 1, 0, 0, 0, 1, 0])),
        ("an acknowledgement with settings", SampleFrame(type: 4, flags: 1, payload: [0, 1, 0, 0, 0, 1])),
        ("PUSH_PROMISE of 3 bytes", SampleFrame(type: 5, flags: 4, stream: 1, payload: [0, 0, 2])),
        ("PING of 7 bytes", SampleFrame(type: 6, payload: [0, 0, 0, 0, 0, 0, 0])),
        ("GOAWAY of 7 bytes", SampleFrame(type: 7, payload: [0, 0, 0, 0, 0, 0, 0])),
        ("WINDOW_UPDATE of 3 bytes", SampleFrame(type: 8, payload: [0, 0, 1])),
        ("WINDOW_UPDATE by nothing", SampleFrame(type: 8, payload: [0x80, 0, 0, 0])),
        ("ALTSVC of 1 byte", SampleFrame(type: 0xA, payload: [0])),
        ("PRIORITY_UPDATE of 3 bytes", SampleFrame(type: 0x10, payload: [0, 0, 1])),
        ("a promise of stream 0", SampleFrame(type: 5, flags: 4, stream: 1, payload: [0x80, 0, 0, 0])),
        ("a promise of a client's stream", SampleFrame(type: 5, flags: 4, stream: 1, payload: [0, 0, 0, 3])),
        ("CONTINUATION of nothing", SampleFrame(type: 9, flags: 4, stream: 1, payload: [0x82])),
        ("padded DATA without a length of padding", SampleFrame(type: 0, flags: 8, stream: 1)),
        ("padding longer than DATA", SampleFrame(type: 0, flags: 8, stream: 1, payload: [2, 0])),
        ("padding longer than HEADERS", SampleFrame(type: 1, flags: 12, stream: 1, payload: [1])),
        ("padding over priority", SampleFrame(type: 1, flags: 0x2C, stream: 1, payload: [1, 0, 0, 0, 1, 1])),
        ("HEADERS too short for priority", SampleFrame(type: 1, flags: 0x24, stream: 1, payload: [0, 0, 0, 1])),
        ("padding over a promised stream", SampleFrame(type: 5, flags: 12, stream: 1, payload: [1, 0, 0, 0, 2])),
        ("push enabled twice over", SampleFrame(type: 4, payload: [0, 2, 0, 0, 0, 2])),
        ("a window of 2³¹", SampleFrame(type: 4, payload: [0, 4, 0x80, 0, 0, 0])),
        ("frames below the least size", SampleFrame(type: 4, payload: [0, 5, 0, 0, 0x3F, 0xFF])),
        ("frames of 2²⁴ bytes", SampleFrame(type: 4, payload: [0, 5, 1, 0, 0, 0])),
        ("extended CONNECT enabled twice over", SampleFrame(type: 4, payload: [0, 8, 0, 0, 0, 2])),
    ]

    @Test("a malformed frame is told, and counted by its length", arguments: malformed.indices)
    func malformedFrame(index: Int) {
        let (name, frame) = Self.malformed[index]
        let good = SampleFrame(type: 6, payload: [1, 2, 3, 4, 5, 6, 7, 8])
        let bytes = frame.bytes + good.bytes
        let whole = FrameLog.read([bytes])
        #expect(whole.frames.map(\.isMalformed) == [true, false], "\(name)")
        #expect(whole.frames.map(\.isComplete) == [true, true], "\(name)")
        #expect(whole.frames[0].parts == frame.expected.parts, "\(name)")
        for split in Splits.all(bytes) { #expect(FrameLog.read(split).frames == whole.frames, "\(name)") }
    }

    @Test("a frame longer than allowed is malformed")
    func maximumFrameSize() {
        for (limit, isMalformed) in [(4, true), (5, false)] {
            var log = FrameLog()
            log.reader.maximumFrameSize = limit
            log.read(SampleFrame(type: 0, stream: 1, payload: Array("hello".utf8)).bytes)
            #expect(log.frames[0].isMalformed == isMalformed)
        }
    }

    private static func headers(_ flags: UInt8, _ stream: Int = 1) -> SampleFrame {
        SampleFrame(type: 1, flags: flags, stream: stream, payload: [0x82])
    }
    private static func continuation(_ flags: UInt8, _ stream: Int = 1) -> SampleFrame {
        SampleFrame(type: 9, flags: flags, stream: stream, payload: [0x82])
    }
    private static let data = SampleFrame(type: 0, stream: 1, payload: [1])
    private static let promise = SampleFrame(type: 5, stream: 1, payload: [0, 0, 0, 2])

    static let sequences: [(frames: [SampleFrame], joinsLate: Bool, malformed: [Int])] = [
        ([headers(0), continuation(0), continuation(4), data], false, []),
        ([promise, continuation(4), data], false, []),
        ([headers(0), continuation(4), continuation(4)], false, [2]),
        ([headers(0), data, continuation(4), data], false, [1]),
        ([headers(0), continuation(4, 3), continuation(4), data], false, [1]),
        ([headers(0), headers(4, 3), data], false, [1]),
        ([headers(0), headers(0, 3), continuation(4, 3), data], false, [1]),
        ([headers(0), SampleFrame(type: 0xFE), continuation(4)], false, [1]),
        ([continuation(0), continuation(4), data], false, [0, 1]),
        ([continuation(0), continuation(4), continuation(4)], true, [2]),
        ([data, continuation(4)], true, [1]),
    ]

    @Test("a field block stays together", arguments: sequences.indices)
    func fieldBlocks(index: Int) {
        let (frames, joinsLate, malformed) = Self.sequences[index]
        let log = FrameLog.read([frames.flatMap(\.bytes)], joinsLate: joinsLate)
        #expect(log.frames.indices.filter { log.frames[$0].isMalformed } == malformed)
        #expect(!log.reader.isInFieldBlock)
        let open = FrameLog.read([Self.headers(0).bytes])
        #expect(open.reader.isInFieldBlock)
    }

    @Test("missing payload is passed over, a missing header is the end", arguments: FrameReaderTests.frames.indices)
    func holes(index: Int) {
        let (frame, parts) = FrameReaderTests.frames[index]
        let next = SampleFrame(type: 6, payload: [8, 7, 6, 5, 4, 3, 2, 1])
        let bytes = frame.bytes
        for start in 0...bytes.count {
            for end in start + 1...bytes.count + 1 {
                var log = FrameLog()
                log.read(Array(bytes[..<start]))
                let isInside = start >= 9 && end <= bytes.count
                #expect(log.skip(end - start) == isInside, "\(start)..<\(end)")
                guard isInside else { continue }
                log.read(Array(bytes[end...]) + next.bytes)
                #expect(log.frames.count == 2 && log.frames[1].parts == [ReadPart(.payload, 8)])
                #expect(log.frames[0].isDamaged && !log.frames[1].isDamaged && log.contradictions == [])
                #expect(log.frames[0].parts.map(\.count).reduce(0, +) == frame.payload.count)
                // Where the length of the padding is there, the parts are the same as without a hole.
                if start > 9 || parts.first?.part != .padLength { #expect(log.frames[0].parts == parts) }
            }
        }
    }

    @Test("a value that has a hole is not known, one beside a hole is")
    func holesInValues() {
        func values(_ frame: SampleFrame, _ hole: Range<Int>) -> ReadFrame {
            var log = FrameLog()
            log.read(Array(frame.bytes[..<(9 + hole.lowerBound)]))
            _ = log.skip(hole.count)
            log.read(Array(frame.bytes[(9 + hole.upperBound)...]))
            return log.frames[0]
        }
        let promise = SampleFrame(type: 5, stream: 1, payload: [0, 0, 0, 6, 0x82, 0x84])
        #expect(values(promise, 4..<5).values == [6, nil])
        #expect(values(promise, 0..<1).values == [nil, nil])
        let window = SampleFrame(type: 8, payload: [0, 0, 1, 0])
        #expect(values(window, 3..<4).values == [nil, nil])
        // Each parameter in turn has a value that it cannot have: it is found where none of its bytes is missing.
        let whole: [(hole: Range<Int>, parameters: [Int])] = [
            (0..<6, [1, 2]), (7..<8, [0, 2]), (3..<15, []), (5..<13, []), (17..<18, [0, 1]),
        ]
        for (hole, parameters) in whole {
            for wrong in 0..<3 {
                var payload: [UInt8] = [0, 2, 0, 0, 0, 1, 0, 2, 0, 0, 0, 1, 0, 2, 0, 0, 0, 1]
                payload[6 * wrong + 5] = 2
                let read = values(SampleFrame(type: 4, payload: payload), hole)
                #expect(read.isMalformed == parameters.contains(wrong), "\(hole), \(wrong)")
            }
        }
    }
}
