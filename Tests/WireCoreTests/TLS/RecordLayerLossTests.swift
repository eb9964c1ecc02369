import Testing
import WireTesting

@testable import WireCore

@Suite("TLS record layer: missing bytes and early data")
struct RecordLayerLossTests {
    private typealias Event = RecordingReader.Event

    /// Records of the client behind a handshake, with the places where they begin and end in its stream.
    private struct Script {
        var peers: TLSPeers
        var flights: [TLSPeers.Flight]
        var contents: [[UInt8]] = []
        var ranges: [Range<Int>] = []
        var bytes: [UInt8] = []

        init(_ suite: TLSSuite, _ random: inout SeededRandom) {
            peers = TLSPeers(suite)
            flights = peers.handshake()
            var place = flights.filter { $0.side == .client }.reduce(0) { $0 + $1.bytes.count }
            for index in 0..<7 {
                contents.append([UInt8](repeating: UInt8(index), count: 1 + random.below(40)))
                let record = peers.seal(.client, contents[index])
                ranges.append(place..<place + record.count)
                bytes += record
                place += record.count
            }
        }

        /// Begins a bench with the handshake.
        func bench() -> RecordLayerBench {
            let bench = RecordLayerBench(peers)
            for flight in flights { bench.deliver(flight.bytes, Direction(flight.side.rawValue)) }
            return bench
        }

        /// What a reader is told where a gap takes these bytes.
        func events(_ gap: Range<Int>) -> [Event] {
            let suite = peers.suite
            let isExact = !suite.isTLS13 && ![.aes128CBC12, .aes256CBC12].contains(suite)
            var events: [Event] = []
            for (range, content) in zip(ranges, contents) where range.upperBound <= gap.lowerBound {
                events.append(Event(kind: .bytes(content), direction: 0, position: range.lowerBound + suite.lead))
            }
            if let hit = ranges.indices.first(where: { ranges[$0].contains(gap.lowerBound) }) {
                let isHeaderSeen = gap.lowerBound - ranges[hit].lowerBound >= 5
                if isHeaderSeen, isExact {
                    let count = contents[hit].count
                    events.append(
                        Event(kind: .skip(count), direction: 0, position: gap.lowerBound, flag: .gap))
                } else {
                    events.append(Event(kind: .lose, direction: 0, flag: .gap))
                }
                if isHeaderSeen, gap.upperBound > ranges[hit].upperBound {
                    events.append(Event(kind: .lose, direction: 0, flag: .gap))
                }
            }
            for (range, content) in zip(ranges, contents) where range.lowerBound >= gap.upperBound {
                events.append(Event(kind: .bytes(content), direction: 0, position: range.lowerBound + suite.lead))
            }
            return events
        }
    }

    @Test(
        "a gap anywhere is told to the reader, and what comes behind it is read again",
        arguments: [TLSSuite.aes128GCM12, .chaCha12, .aes128CBC12, .aes256CBC12, .aes128GCM13, .chaCha13])
    func survivesGaps(suite: TLSSuite) {
        var random = SeededRandom(seed: 77)
        let script = Script(suite, &random)
        let origin = script.ranges[0].lowerBound
        let end = script.ranges[6].upperBound
        for round in 0..<150 {
            let start = script.ranges[0].upperBound + random.below(end - script.ranges[0].upperBound - 1)
            // Often to a place where a record begins.
            let place = random.below(script.ranges.count)
            let isBoundary = random.oneIn(2) && script.ranges[place].lowerBound > start
            let gap = start..<(isBoundary ? script.ranges[place].lowerBound : start + 1 + random.below(end - start))
            let bench = script.bench()
            bench.deliver(Array(script.bytes[..<(gap.lowerBound - origin)]), 0)
            bench.skip(gap.count, 0)
            bench.deliver(Array(script.bytes[(gap.upperBound - origin)...]), 0)
            bench.finish()
            #expect(bench.reader.events == script.events(gap), "\(suite), seed 77, round \(round): \(gap)")
            #expect(bench.isBalanced, "\(suite), seed 77, round \(round): \(gap)")
        }
    }

    @Test("a gap in a handshake, without keys, or before any content stops at what can still be known")
    func losesHandshake() {
        var peers = TLSPeers(.aes128GCM13)
        let flights = peers.handshake()
        let record = peers.seal(.client, "GET / HTTP/1.1\r\n\r\n")
        let bench = RecordLayerBench(peers)
        bench.deliver(Array(flights[0].bytes.prefix(20)), 0)
        bench.skip(flights[0].bytes.count - 20, 0)
        bench.deliver(flights[1].bytes, 1)
        bench.deliver(flights[2].bytes + record, 0)
        bench.finish()
        let content = bench.reader.content(0).flatMap(\.bytes)
        #expect(content == Array("GET / HTTP/1.1\r\n\r\n".utf8), "Its keys are found without the hello, by trial.")
        #expect(bench.isBalanced)
    }

    // MARK: Early data

    @Test(
        "early data waits for the server's word, and is read at its own time and place", arguments: [1, 3],
        [Int.max, 1])
    func acceptsEarlyData(records: Int, size: Int) {
        let early = Array("GET /early HTTP/1.1\r\n\r\n".utf8)
        var peers = TLSPeers(.aes128GCM13)
        let flights = peers.earlyHandshake(early, records: records)
        let bench = RecordLayerBench(peers)
        bench.deliver(flights[0].bytes, 0, each: size)
        let time = bench.bench.shard.streams.attribution.packet.time
        #expect(bench.reader.events.isEmpty)
        #expect(bench.layer[0]?.early.count == records)
        bench.deliver(flights[1].bytes, 1, each: size)
        #expect(bench.reader.content(0).flatMap(\.bytes) == early)
        #expect(bench.reader.times.allSatisfy { $0 <= time })
        #expect(bench.reader.content(0).first?.position == flights[0].records[0].count + 5)
        #expect(bench.bench.shard.streams.attribution.packet.time > time, "The packet in hand is another again.")
        bench.deliver(flights[2].bytes, 0, each: size)
        bench.deliver(peers.seal(.client, "late"), 0, each: size)
        bench.finish()
        #expect(bench.reader.content(0).last?.bytes == Array("late".utf8))
        #expect(bench.isBalanced)
        #expect(bench.costs(0)[.body] == early.count + 4)
    }

    @Test("early data that the server rejects, or never speaks of, is nobody's", arguments: [true, false])
    func dropsEarlyData(isAnswered: Bool) {
        let trace = TLSTrace.earlyRejected
        let bench = RecordLayerBench(keys: trace.keyLog())
        let count = isAnswered ? trace.records.count : 3
        for record in trace.records.prefix(count) { bench.deliver(record.bytes, record.side) }
        bench.finish()
        #expect(bench.costs(0)[.opaque] == "EARLYDATA-REQUEST\n".utf8.count)
        #expect(bench.reader.content(0).flatMap(\.bytes) == (isAnswered ? Array("one\n".utf8) : []))
        #expect(bench.isBalanced)
    }

    @Test("early data beyond the limit is taken for rejected, and the reader told that messages may be missing")
    func limitsEarlyData() {
        var options = AuditOptions()
        options.totalEarlyDataLimit = 700 * AuditOptions.shardCount
        var peers = TLSPeers(.aes128GCM13)
        let flights = peers.earlyHandshake([UInt8](repeating: 7, count: 400), records: 4)
        let bench = RecordLayerBench(peers, options)
        for flight in flights { bench.deliver(flight.bytes, Direction(flight.side.rawValue)) }
        bench.deliver(peers.seal(.client, "late"), 0)
        bench.finish()
        #expect(bench.reader.events.contains { $0.kind == .miss && $0.direction == 0 })
        #expect(bench.reader.content(0).last?.bytes == Array("late".utf8))
        #expect((bench.bench.findings[.recordLimit] ?? 0) > 0)
        #expect(bench.isBalanced)
    }
}
