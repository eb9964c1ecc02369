import Testing
import WireTesting

@testable import WireCore

extension AuditOptions {
    /// The defaults but for what is changed.
    static func with(_ change: (inout AuditOptions) -> Void) -> AuditOptions {
        var options = AuditOptions()
        change(&options)
        return options
    }
}

/// A limit that some packets reach, and what must then be found.
struct LimitCase: Sendable, CustomTestStringConvertible {
    var name: String
    var finding: FindingCode
    var count: Int
    var options: AuditOptions
    var frames: [CapturedFrame]

    var testDescription: String { name }

    init(
        _ name: String, _ finding: FindingCode, _ count: Int, _ options: AuditOptions,
        write: (inout Dialogue) -> Void
    ) {
        self.name = name
        self.finding = finding
        self.count = count
        self.options = options
        var talk = Dialogue()
        write(&talk)
        frames = talk.frames
    }

    /// With the limit the finding comes, without it does not; the ledger balances in either case.
    func check() -> AuditedCapture {
        let capture = audit(frames, options)
        #expect(capture.contradictions == [])
        #expect(capture.findings(finding) == count)
        var unlimited = AuditOptions()
        unlimited.setup = options.setup
        let whole = audit(frames, unlimited)
        #expect(whole.contradictions == [])
        #expect(whole.findings(finding) == 0)
        #expect(whole.result.ledger.bytes == capture.result.ledger.bytes)
        return capture
    }
}

@Suite("Audit: limits of segments and messages")
struct LimitTests {
    /// A response of which the second segment is missing; `count` more of 100 bytes follow, none acknowledged.
    static func withHole(_ talk: inout Dialogue, _ count: Int) {
        talk.handshake()
        talk.data(.client, Sample.request)
        talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: \(10 + 100 * count)\r\n\r\n")
        talk.lose(.server, 10)
        for _ in 0..<count {
            talk.data(.server, [UInt8](repeating: 0x78, count: 100))
        }
    }

    @Test("what waits for a missing segment is bounded in bytes and in segments")
    func heldBytes() throws {
        let cases = [
            LimitCase("held-bytes", .heldBytesLimit, 1, .with { $0.heldBytesLimit = 700 }) { Self.withHole(&$0, 12) },
            LimitCase("held-segments", .heldBytesLimit, 1, .with { $0.heldSegmentLimit = 7 }) {
                Self.withHole(&$0, 12)
            },
            LimitCase("held-bytes-total", .heldBytesLimit, 1, .with { $0.totalHeldBytesLimit = 16 * 2300 }) {
                Self.withHole(&$0, 12)
            },
        ]
        for test in cases {
            let options = test.options
            let capture = audit(test.frames, options)
            #expect(capture.contradictions == [], "\(test.name)")
            // Given up when the limit is reached, not at the end, which is 12 segments after the hole.
            let found = try #require(capture.result.findings.first { $0.code == .heldBytesLimit }, "\(test.name)")
            #expect(found.count == 1 && found.packet >= 12 && found.packet < test.frames.count, "\(test.name)")
            #expect(capture.exchanges.map(\.unseenBytes) == [10], "\(test.name)")
            #expect(capture.exchanges[0].flags.contains(.gap), "\(test.name)")
            // Without the limit the end of the capture gives the hole up.
            let late = try #require(audit(test.frames).result.findings.first { $0.code == .streamGap })
            #expect(late.packet == test.frames.count, "\(test.name)")
        }
    }

    @Test("a hole that was acknowledged is waited for so long and no longer", arguments: [Int64(50), 150])
    func gapTime(milliseconds: Int64) throws {
        var talk = Dialogue()
        talk.interval = 10_000_000
        Self.withHole(&talk, 1)
        talk.ack(.client)
        for _ in 0..<30 { talk.ack(.server) }
        var options = AuditOptions()
        options.reorderingWindow = milliseconds * 1_000_000
        let capture = talk.audit(options)
        #expect(capture.contradictions == [])
        let found = try #require(capture.result.findings.first { $0.code == .streamGap })
        // Frame 6 is behind the hole.
        #expect(found.packet == 6 + Int(milliseconds / 10) + 1)
    }

    @Test("costs that wait for their message are bounded")
    func charges() {
        let test = LimitCase("charges", .pendingLimit, 5, .with { $0.chargeLimit = 4 }) { talk in
            Self.withHole(&talk, 1)
            for _ in 0..<10 { talk.ack(.client, upTo: 40) }
        }
        let capture = test.check()
        #expect(capture.exchanges.count == 1)
    }

    @Test("a header section is read up to its limit, in however many packets it comes", arguments: [1, 2, 7, 100])
    func headerSection(pieces: Int) {
        let head = Array(Sample.request(length: 300).utf8)
        let test = LimitCase("header-section", .headerSectionLimit, 1, .with { $0.headerSectionLimit = 299 }) { talk in
            talk.handshake()
            let size = (head.count + pieces - 1) / pieces
            for start in stride(from: 0, to: head.count, by: size) {
                talk.data(.client, Array(head[start..<min(start + size, head.count)]))
            }
            talk.data(.server, Sample.response)
            talk.exchange()
        }
        let capture = test.check()
        #expect(capture.exchanges.count == 2)
        #expect(capture.exchanges[0].flags.contains(.malformed) && capture.exchanges[0].status == 200)
        #expect(capture.exchanges[1].flags == [])
        var just = test.options
        just.headerSectionLimit = 300
        #expect(audit(test.frames, just).findings(.headerSectionLimit) == 0)
    }

    @Test("unfinished header sections are bounded all together, whole ones are read all the same")
    func headerSections() {
        let test = LimitCase(
            "header-sections-total", .headerSectionLimit, 1, .with { $0.totalHeadBytesLimit = 16 * 1000 }
        ) { talk in
            talk.handshake()
            let head = Sample.request(length: 2000)
            talk.data(.client, String(head.prefix(1500)))
            talk.data(.client, String(head.dropFirst(1500)))
            talk.data(.server, Sample.response)
            talk.exchange()
        }
        let capture = test.check()
        #expect(capture.exchanges.map(\.status) == [200, 200])
        #expect(capture.exchanges.map { $0.flags.contains(.malformed) } == [true, false])
    }

    @Test("APIs beyond the limit share a row, and no cost is lost")
    func apis() throws {
        let test = LimitCase("apis", .apiLimit, 7, .with { $0.apiLimit = 3 }) { talk in
            talk.handshake()
            for index in 0..<10 {
                talk.data(.client, "GET /path\(index)x HTTP/1.1\r\nHost: a\r\n\r\n")
                talk.data(.server, Sample.response)
            }
        }
        let capture = test.check()
        #expect(capture.result.apis.map(\.exchanges) == [1, 1, 1, 7])
        #expect(capture.result.apis.last?.api == "(other APIs)")
    }

    @Test("connections beyond the limit are ended, and what comes of them begins anew")
    func connections() {
        var talks = (0..<200).map { Dialogue(clientPort: UInt16(40_000 + $0)) }
        for index in talks.indices {
            talks[index].time += Int64(index) * 1000
            talks[index].handshake()
            talks[index].exchange()
        }
        // All at one time: the packets of all take turns.
        let frames = talks.flatMap(\.frames).sorted { $0.time < $1.time }
        var options = AuditOptions()
        options.connectionLimit = 16
        let capture = audit(frames, options)
        #expect(capture.contradictions == [])
        #expect(capture.findings(.connectionLimit) >= 184)
        #expect(capture.connections.count > 200)
        #expect(capture.connections.contains { $0.flags.contains(.noStart) })
        #expect(capture.connections.count { $0.close == .idle } >= 184)
        #expect(audit(frames).connections.count == 200)
    }

    @Test("connections without packets end after their time, closed ones are let go", arguments: [false, true])
    func times(isClosed: Bool) {
        var talk = Dialogue()
        talk.handshake()
        talk.exchange()
        if isClosed { talk.close() }
        talk.time += 10_000_000_000
        // A time is believed when a second packet confirms it.
        var other = Dialogue(clientPort: 50_000)
        other.time = talk.time - 1_000_000
        other.handshake()
        let frames = talk.frames + other.frames
        talk.frames = []
        talk.time += 10_000_000
        talk.data(.server, "late")
        var options = AuditOptions()
        if isClosed { options.lingerLimit = 9_000_000_000 } else { options.idleLimit = 9_000_000_000 }
        let capture = audit(frames + talk.frames, options)
        #expect(capture.contradictions == [])
        #expect(capture.connections.count == 3)
        #expect(capture.connections[0].close == (isClosed ? .fin : .idle))
        #expect(capture.connections.last?.flags.contains(.noStart) == true)
        #expect(audit(frames + talk.frames).connections.count == 2)
    }
}

/// Counts exchanges, also those before the end.
final class CountingSink: AuditSink {
    var count = 0
    var early = 0

    func receive(_ record: ExchangeRecord) { count += 1 }
    func receive(_ record: ConnectionRecord) {}
}
