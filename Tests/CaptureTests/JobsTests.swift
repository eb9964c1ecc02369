import Testing
import WireCore
import WireTesting

@testable import WireCapture

@Suite("Any number of threads finds the same")
struct JobsTests {
    private static let numbers = [2, 3, 8]

    private func expectSame(_ paths: [String], keys: [String] = [], _ what: String) throws {
        let one = try RecordedAudit(paths, keys: keys)
        #expect(one.result.ledger.balanced)
        for jobs in Self.numbers {
            let several = try RecordedAudit(paths, keys: keys, jobs: jobs)
            #expect(several.result.ledger.balanced, "\(what), \(jobs) threads")
            #expect(LedgerText(several).text == LedgerText(one).text, "\(what), \(jobs) threads")
            #expect(several.transcript.count == one.transcript.count)
            let difference = zip(several.transcript, one.transcript).first { $0 != $1 }
            #expect(difference == nil, "\(what), \(jobs) threads")
            #expect("\(several.result.findings)" == "\(one.result.findings)", "\(what), \(jobs) threads")
            #expect(several.result.apis.map(\.api) == one.result.apis.map(\.api))
            #expect(
                several.result.hosts.map { "\($0.host) \($0.setup)" }
                    == one.result.hosts.map { "\($0.host) \($0.setup)" })
        }
    }

    @Test("with every capture", arguments: CaptureCase.all)
    func goldenCaptures(capture: CaptureCase) throws {
        try expectSame([capture.path + "/" + capture.truth().capture.file], keys: capture.keys, capture.name)
    }

    @Test(
        "with many connections at once, losses, garbage, names and clocks that jump",
        arguments: 1...UInt64(Effort.rounds(6)))
    func manyConnections(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let crowd = Crowd(seed: seed)
        let frames = crowd.frames
        try expectSame([folder.write("one", file(frames[...]))], "seed \(seed)")
        // In several files that overlap in time, so that readers take turns.
        let files = try (0..<3).map { part in
            let own = frames.indices.filter { $0 * 5 / frames.count % 3 == part || $0 % 50 == part }
            return try folder.write("part\(part)", file(own.map { frames[$0] }[...]))
        }
        try expectSame(files, "seed \(seed), files")
    }

    private func file(_ frames: ArraySlice<CapturedFrame>) -> [UInt8] {
        var file = PcapFileBuilder(magic: 0xa1b2_3c4d)
        for frame in frames {
            file.record(
                seconds: UInt32(frame.time / 1_000_000_000), fraction: UInt32(frame.time % 1_000_000_000), frame.bytes,
                second: UInt32(frame.originalLength ?? frame.bytes.count))
        }
        return file.bytes
    }
}

/// Connections that go on at the same time, some of them not whole.
private struct Crowd {
    private(set) var frames: [CapturedFrame] = []

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for number in 0..<160 {
            var talk = Dialogue(clientPort: UInt16(20_000 + number % 120))
            talk.time = 1_000_000_000_000 + Int64(random.below(8_000_000_000))
            talk.interval = Int64(1 + random.below(40)) * 1_000_000
            talk.template.destination = IPAddress(version4: 0x0A00_0002 + UInt32(number % 5))
            if !random.oneIn(10) { talk.handshake() }
            for exchange in 0..<random.below(12) {
                talk.data(
                    .client, "GET /\(number)/\(exchange) HTTP/1.1\r\nHost: h\(number % 7).example\r\n\r\n")
                let body = String(repeating: "x", count: random.below(1400))
                talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n\(body)")
                if random.oneIn(8) { talk.ack(.client) }
            }
            if !random.oneIn(4) { talk.close() }
            frames += Self.damaged(talk.frames, &random)
        }
        frames.sort { $0.time < $1.time }
        // Frames that jump out of time.
        for index in frames.indices where random.oneIn(500) { frames[index].time += 30_000_000_000 }
        // Large frames that nobody reads, so that there is more than one buffer.
        for index in stride(from: 0, to: frames.count, by: 4) {
            var filler = CapturedFrame(time: frames[index].time, bytes: random.bytes(64))
            filler.bytes += [UInt8](repeating: UInt8(index & 0xFF), count: 1400)
            frames.append(filler)
        }
        frames.sort { $0.time < $1.time }
    }

    private static func damaged(_ frames: [CapturedFrame], _ random: inout SeededRandom) -> [CapturedFrame] {
        var result: [CapturedFrame] = []
        for frame in frames where !random.oneIn(40) {
            var frame = frame
            if random.oneIn(60) { frame.bytes[random.below(frame.bytes.count)] ^= UInt8(1 + random.below(255)) }
            if random.oneIn(60) {
                frame.originalLength = frame.bytes.count
                frame.bytes.removeLast(random.below(frame.bytes.count / 2))
            }
            result.append(frame)
            if random.oneIn(50) { result.append(frame) }
        }
        return result
    }
}
