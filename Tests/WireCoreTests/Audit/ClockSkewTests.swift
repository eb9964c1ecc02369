import Testing
import WireCore
import WireTesting

/// Captures whose two directions were recorded by different clocks.
@Suite("Audit: clocks of the two directions")
struct ClockSkewTests {
    /// Packets 1 ms apart, the frames of the server's direction `milliseconds` late, sorted by time.
    private static func skewed(_ milliseconds: Int64, sorts: Bool = true) -> [CapturedFrame] {
        var talk = Dialogue()
        talk.handshake()
        for number in 0..<6 {
            talk.data(.client, "GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
            talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")
        }
        talk.close()
        let server = talk.frames[1].bytes[26..<30]
        let frames = talk.frames.enumerated().map { index, frame in
            var frame = frame
            if frame.bytes[26..<30] == server { frame.time += milliseconds * 1_000_000 }
            return (index: index, frame: frame)
        }
        guard sorts else { return frames.map(\.frame) }
        return frames.sorted { ($0.frame.time, $0.index) < ($1.frame.time, $1.index) }.map(\.frame)
    }

    @Test(
        "where answers precede their causes, times across directions are intervals with the truth in them",
        arguments: [-50, -5, -2, 2, 5, 50] as [Int64], [true, false])
    func intervals(milliseconds: Int64, sorts: Bool) throws {
        let capture = audit(Self.skewed(milliseconds, sorts: sorts))
        #expect(capture.findings(.clockSkew) == 1)
        let lead = try #require(capture.connections[0].clockLead)
        #expect(lead.contains(milliseconds * 1_000_000) && !lead.contains(0))
        #expect(lead.upperBound - lead.lowerBound == 2_000_000, "The shortest way there and back.")
        #expect(capture.connections[0].knownDuration == nil)
        #expect(capture.exchanges.count == 6)
        for record in capture.exchanges {
            #expect(record.timeToFirstByte == nil && record.knownDuration == nil)
            #expect(record.timeToFirstByteRange == 0...2_000_000)
            #expect(record.durationRange == 0...2_000_000)
            #expect(record.flags == [] && record.status == 200)
        }
    }

    @Test("where zero explains all, nothing changes", arguments: [0] as [Int64])
    func agreement(milliseconds: Int64) {
        let capture = audit(Self.skewed(milliseconds))
        #expect(capture.findings(.clockSkew) == 0)
        #expect(capture.connections[0].clockLead == nil && capture.connections[0].knownDuration != nil)
        #expect(
            capture.exchanges.allSatisfy {
                $0.timeToFirstByte == 1_000_000 && $0.knownDuration == 1_000_000
            })
        #expect(
            capture.exchanges.allSatisfy { $0.timeToFirstByteRange == nil && $0.durationRange == nil })
    }

    @Test("a request that was sent again, and whose first copy is missing, is no proof")
    func lostFirstCopy() {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", acknowledging: 18)
        talk.time += 200_000_000
        talk.data(.client, "GET / HTTP/1.1\r\n\r\n", acknowledging: 38)
        talk.close()
        let capture = talk.audit()
        #expect(capture.findings(.clockSkew) == 0 && capture.connections[0].clockLead == nil)
        #expect(capture.exchanges.allSatisfy { $0.timeToFirstByte ?? 0 >= 0 })
    }
}
