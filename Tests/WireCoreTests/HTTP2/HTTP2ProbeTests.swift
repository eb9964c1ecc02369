import Testing
import WireTesting

@testable import WireCore

@Suite("HTTP/2: recognition")
struct HTTP2ProbeTests {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private static func probePreface(_ bytes: [UInt8], at offset: Int = 0) -> HTTP2Probe {
        unsafe HTTP2Probe.probePreface(bytes.span.bytes, at: offset)
    }

    private static func probeFrames(_ bytes: [UInt8], isFirst: Bool, at offset: Int = 0) -> HTTP2Probe {
        unsafe HTTP2Probe.probeFrames(bytes.span.bytes, at: offset, isFirst: isFirst)
    }

    @Test("the preface is known whole, its prefixes may be one, a changed byte is none")
    func preface() {
        #expect(Self.preface.count == HTTP2Probe.prefaceLength)
        for length in 0...24 {
            let expected: HTTP2Probe = length == 24 ? .yes : .maybe
            #expect(Self.probePreface(Array(Self.preface[..<length])) == expected)
            #expect(Self.probePreface([1, 2, 3] + Self.preface[..<length], at: 3) == expected)
        }
        #expect(Self.probePreface(Self.preface + [0, 0, 18]) == .yes)
        for index in 0..<24 {
            var bytes = Self.preface
            bytes[index] ^= 0x20
            #expect(Self.probePreface(bytes) == .no)
            #expect(Self.probePreface(Array(bytes[...index])) == .no)
        }
        #expect(Self.probePreface(Array("PRI /x HTTP/1.1\r\n".utf8)) == .no)
    }

    static let firstFrames: [(frame: SampleFrame, isHTTP2: Bool)] = [
        (SampleFrame(type: 4), true),
        (SampleFrame(type: 4, payload: [0, 3, 0, 0, 0, 100, 0, 4, 0, 1, 0, 0]), true),
        (SampleFrame(type: 4, flags: 1), false),
        (SampleFrame(type: 4, payload: [0, 3, 0, 0, 0]), false),
        (SampleFrame(type: 4, stream: 1, payload: [0, 3, 0, 0, 0, 100]), false),
        (SampleFrame(type: 4, payload: Array(repeating: 0, count: 6 * 65)), false),
        (SampleFrame(type: 8, payload: [0, 0, 1, 0]), false),
        (SampleFrame(type: 0, stream: 1, payload: [1]), false),
    ]

    @Test("a server begins with its settings", arguments: firstFrames.indices)
    func firstFrame(index: Int) {
        let (frame, isHTTP2) = Self.firstFrames[index]
        #expect(Self.probeFrames(frame.bytes, isFirst: true) == (isHTTP2 ? .yes : .no))
        #expect(Self.probeFrames([0x20] + frame.bytes, isFirst: true, at: 1) == (isHTTP2 ? .yes : .no))
        guard isHTTP2 else { return }
        for length in 0..<9 { #expect(Self.probeFrames(Array(frame.bytes[..<length]), isFirst: true) == .maybe) }
        for index in [0, 3, 4, 5, 6, 7, 8] {
            var bytes = Array(frame.bytes[..<9])
            bytes[index] ^= 0x80
            #expect(Self.probeFrames(bytes, isFirst: true) == .no)
            #expect(Self.probeFrames(Array(bytes[...index]), isFirst: true) == .no)
        }
    }

    private static let data = SampleFrame(type: 0, stream: 1, payload: Array(repeating: 7, count: 40)).bytes
    private static let end = SampleFrame(type: 0, flags: 1, stream: 1).bytes
    private static let ping = SampleFrame(type: 6, payload: Array(repeating: 7, count: 8)).bytes

    static let chains: [(bytes: [UInt8], verdict: HTTP2Probe)] = [
        ([], .maybe), (Array(data[..<8]), .maybe), (Array(data[..<30]), .maybe),
        (data, .yes), (data + ping, .yes), (data + ping[..<9], .yes), (data + ping[..<8], .maybe),
        (end, .yes), (ping + end + data[..<20], .yes), (data + [0x47, 0x45, 0x54], .maybe),
        (data + Array("GET / HTTP/1.1\r\n".utf8), .no),
        (Array(repeating: 0, count: 18), .no),  // empty DATA of the connection
        (SampleFrame(type: 0, stream: 1).bytes, .no),  // DATA that says nothing
        (SampleFrame(type: 0xB, stream: 1, payload: [1]).bytes, .no),  // an unknown type
        (SampleFrame(type: 6, flags: 2, payload: Array(repeating: 7, count: 8)).bytes, .no),
        (SampleFrame(type: 6, payload: Array(repeating: 7, count: 9)).bytes, .no),
        (SampleFrame(type: 8, stream: 0x8000_0001, payload: [0, 0, 0, 1]).bytes, .no),
        ([0x20, 0, 0, 0, 0, 0, 0, 0, 1], .no),  // 2 MiB of DATA
        (Array("HTTP/1.1 200 OK\r\n\r\n".utf8), .no), ([0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3], .no),
    ]

    @Test("a connection joined late shows itself by a chain of frames", arguments: chains.indices)
    func chain(index: Int) {
        let (bytes, verdict) = Self.chains[index]
        #expect(Self.probeFrames(bytes, isFirst: false) == verdict)
        #expect(Self.probeFrames([1, 2] + bytes, isFirst: false, at: 2) == verdict)
    }

    @Test("random bytes are seldom taken for frames, and never trap")
    func randomBytes() {
        var random = SeededRandom(seed: 7)
        var taken = 0
        for _ in 0..<20_000 {
            var bytes = random.bytes(random.below(60))
            for index in bytes.indices where random.oneIn(2) { bytes[index] = UInt8(random.below(3)) }
            if Self.probeFrames(bytes, isFirst: false) == .yes { taken += 1 }
            _ = Self.probeFrames(bytes, isFirst: true)
            _ = Self.probePreface(bytes)
        }
        #expect(taken < 20)
    }
}
