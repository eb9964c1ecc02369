import Testing
import WireTesting

@testable import WireCore

@Suite("TCP connections: segments that wait for the keys of their records")
struct WaitingForKeysTests {
    /// What both sides send, a segment each, and where the first record lies that only keys open.
    private struct Talk {
        var segments: [(direction: Direction, bytes: [UInt8])] = []
        var keyLog: String

        init(_ suite: TLSSuite) {
            var peers = TLSPeers(suite)
            for flight in peers.handshake() { segments.append((Direction(flight.side.rawValue), flight.bytes)) }
            for index in 0..<3 {
                segments.append((0, peers.seal(.client, "GET /\(index) HTTP/1.1\r\nHost: a\r\n\r\n")))
                segments.append((1, peers.seal(.server, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")))
            }
            keyLog = peers.keyLog
        }
    }

    /// What a connection has come to: requests, and costs of both directions.
    private struct Outcome: Equatable {
        var lines: [String]
        var costs: [String]
        var isBalanced: Bool

        init(_ bench: SegmentBench) {
            let sums = bench.end()
            lines = bench.records.map { EvasionCase.line($0) }
            costs = sums.map(\.text)
            isBalanced = sums.map(\.internet) == bench.internet
        }
    }

    private static func log(_ text: String = "", mayGrow: Bool = true) -> KeyLog {
        let log = KeyLog()
        unsafe log.add(Array(text.utf8).span.bytes)
        log.mayGrow = mayGrow
        return log
    }

    /// Sends all segments, and adds the keys before that one (nil: never). Returns how many segments waited at most.
    private func play(_ talk: Talk, _ bench: SegmentBench, _ log: KeyLog, keysBefore segment: Int?) -> Int {
        var (places, waited) = ([0, 0], 0)
        for (index, item) in talk.segments.enumerated() {
            if index == segment { unsafe log.add(Array(talk.keyLog.utf8).span.bytes) }
            let other = places[item.direction.opposite.index]
            bench.send(item.direction, at: places[item.direction.index], item.bytes, acknowledging: other)
            places[item.direction.index] += item.bytes.count
            waited += bench.bench.connection.streams.isWaiting ? 1 : 0
        }
        return waited
    }

    @Test(
        "keys that come late change nothing, whichever segment they come before",
        arguments: [TLSSuite.aes128GCM12, .aes128GCM13])
    func waits(suite: TLSSuite) {
        let talk = Talk(suite)
        let early = SegmentBench(keys: Self.log(talk.keyLog, mayGrow: false))
        #expect(play(talk, early, early.bench.context.keys, keysBefore: nil) == 0)
        let expected = Outcome(early)
        #expect(expected.lines.count == 3 && expected.isBalanced)
        for segment in talk.segments.indices {
            let log = Self.log()
            let bench = SegmentBench(keys: log)
            let waited = play(talk, bench, log, keysBefore: segment)
            #expect(segment < 3 || waited > 0, "keys before segment \(segment)")
            #expect(Outcome(bench) == expected, "keys before segment \(segment)")
        }
    }

    @Test(
        "keys that never come are waited for until the limit; then records stay closed, and all is counted",
        arguments: [TLSSuite.aes128GCM12, .aes128GCM13])
    func givesUp(suite: TLSSuite) {
        let talk = Talk(suite)
        let closed = SegmentBench(keys: Self.log(mayGrow: false))
        _ = play(talk, closed, closed.bench.context.keys, keysBefore: nil)
        let expected = Outcome(closed)
        #expect(expected.lines == [] && expected.isBalanced)
        var options = AuditOptions()
        options.keyPatience = 2_500_000
        for options in [AuditOptions(), options] {
            let log = Self.log()
            let bench = SegmentBench(options, keys: log)
            let waited = play(talk, bench, log, keysBefore: nil)
            #expect(waited > 0 && bench.bench.connection.streams.isWaiting == (options.keyPatience > 2_500_000))
            #expect(Outcome(bench) == expected)
        }
    }
}
