import Testing
import WireTesting

@testable import WireCore

@Suite("TLS record layer")
struct TLSRecordLayerTests {
    /// A trace, with what its records are by the connection's own account.
    private func expectation(_ trace: TLSTrace, _ keys: KeyLog) -> (content: [[(Int, [UInt8])]], costs: [CostVector]) {
        let outcomes = trace.replay(keys: keys).outcomes
        let isRejected = trace.replay(keys: keys).connection.handshake.known.earlyData == .rejected
        let answer = trace.records.firstIndex { $0.side == 1 } ?? 0
        var content: [[(Int, [UInt8])]] = [[], []]
        var costs = [CostVector(), CostVector()]
        var offset = [0, 0]
        for (index, outcome) in outcomes.enumerated() {
            let (side, length) = (outcome.side.index, trace.records[index].bytes.count)
            switch outcome.content {
            case .handshake: costs[side][.setupTLS] += length
            case .closeNotify: costs[side][.teardown] += length
            case .alert: costs[side][.tlsRecords] += length
            case .encrypted(let lead, let trail):
                costs[side][.tlsRecords] += min(lead + trail, length)
                costs[side][.opaque] += max(0, length - lead - trail)
            case .applicationData(let range, let lead, _):
                costs[side][.tlsRecords] += length - range.count
                let isDropped = isRejected && index < answer
                costs[side][isDropped ? .opaque : .body] += range.count
                if !range.isEmpty, !isDropped { content[side].append((offset[side] + lead, outcome.data)) }
            }
            offset[side] += length
        }
        return (content, costs)
    }

    @Test(
        "gives plaintext at its place, and each byte of records its cause, however the packets cut them",
        arguments: 0..<TLSTrace.all.count, [Int.max, 100, 7, 1])
    func readsTraces(trace index: Int, size: Int) {
        let trace = TLSTrace.all[index]
        for keys in [trace.keyLog(), KeyLog()] {
            let expected = expectation(trace, keys)
            let bench = RecordLayerBench(keys: keys)
            for record in trace.records { bench.deliver(record.bytes, record.side, each: size) }
            bench.finish()
            #expect(bench.isBalanced, "trace \(index), keys: \(keys.hasAny)")
            for direction in Direction.both {
                let content = bench.reader.content(direction)
                #expect(content.map(\.position) == expected.content[direction.index].map(\.0), "trace \(index)")
                #expect(content.map(\.bytes) == expected.content[direction.index].map(\.1), "trace \(index)")
                let costs = bench.costs(direction)
                for cause in [Cause.tlsRecords, .body, .opaque, .teardown] {
                    #expect(costs[cause] == expected.costs[direction.index][cause], "trace \(index), \(cause)")
                }
                // Headers of packets that hold nothing else are set-up too.
                let setUp = expected.costs[direction.index][.setupTLS] + costs.handshakeHeaders
                #expect(costs[.setupTLS] == setUp, "trace \(index)")
                #expect(costs[.tcpip] + costs.handshakeHeaders == 40 * bench.packets[direction.index], "trace \(index)")
            }
        }
    }

    @Test("a hello in the framing of SSL 2.0 is set-up, and so are the records behind it, however packets cut them")
    func readsVersionTwoHello() {
        typealias Build = HelloBuilder
        let hello = Build.version2Hello(challenge: Build.clientRandom)
        let answer = Build.record(22, 0x0301, Build.message(2, Build.serverHello(version: 0x0301, suite: 0x002F)))
        let exchange = Build.record(22, 0x0301, Build.message(16, [3, 1, 2, 3]))
        for size in [Int.max, 1, 2, 3, 7] {
            let bench = RecordLayerBench(keys: KeyLog())
            bench.deliver(hello, 0, each: size)
            bench.deliver(answer, 1, each: size)
            bench.deliver(exchange, 0, each: size)
            bench.finish()
            #expect(bench.isBalanced, "packets of \(size) bytes")
            #expect(Direction.both.allSatisfy { bench.reader.content($0).isEmpty })
            let setUp = Direction.both.map { bench.costs($0)[.setupTLS] - bench.costs($0).handshakeHeaders }
            #expect(setUp == [hello.count + exchange.count, answer.count], "packets of \(size) bytes")
            #expect(bench.layer.tls?.facts.version == .tls10)
        }
    }

    @Test("several records in one packet, and records cut anywhere, are read alike", arguments: TLSSuite.allCases)
    func cutsAnywhere(suite: TLSSuite) {
        var random = SeededRandom(seed: 5)
        var peers = TLSPeers(suite)
        var sent: [(Direction, [UInt8])] = []
        for flight in peers.handshake() { sent.append((Direction(flight.side.rawValue), flight.bytes)) }
        for round in 0..<8 {
            let side = Dialogue.Side(rawValue: round % 2) ?? .client
            let records = (0..<3).flatMap { _ in peers.seal(side, random.bytes(1 + random.below(60))) }
            sent.append((Direction(side.rawValue), records))
        }
        let whole = RecordLayerBench(peers)
        for (direction, bytes) in sent { whole.deliver(bytes, direction) }
        #expect(whole.isBalanced)
        #expect(whole.reader.events.count == 24)
        for seed in 0..<30 {
            let cut = RecordLayerBench(peers)
            for (direction, bytes) in sent {
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = min(rest.count, 1 + random.below([4, 40, 200][random.below(3)]))
                    cut.deliver(Array(rest.prefix(count)), direction)
                    rest = rest.dropFirst(count)
                }
            }
            #expect(cut.reader.events == whole.reader.events, "seed 5, round \(seed)")
            #expect(cut.isBalanced, "seed 5, round \(seed)")
            for direction in Direction.both {
                #expect(cut.costs(direction)[.body] == whole.costs(direction)[.body])
                #expect(cut.costs(direction)[.tlsRecords] == whole.costs(direction)[.tlsRecords])
            }
        }
    }

    @Test("a packet's headers go to the owners of its records, in proportion")
    func sharesHeaders() {
        var peers = TLSPeers(.aes128GCM13)
        let flights = peers.handshake()
        let bench = RecordLayerBench(peers)
        for flight in flights { bench.deliver(flight.bytes, Direction(flight.side.rawValue)) }
        let before = bench.costs(0)
        // A record of 100 bytes of content is the owner's, an alert of 2 the connection's.
        let content = peers.seal(.client, [UInt8](repeating: 1, count: 100))
        let notify = peers.closeNotify(.client)
        bench.deliver(content + notify, 0)
        let owner = bench.bench.shard.streams.attribution.accounts[Int(bench.reader.owner.index)].costs[0]
        #expect(owner.text == "body 100 tls_records 22 tcpip \((40 * 122 + 73) / 146)")
        #expect(bench.costs(0)[.tcpip] - before[.tcpip] == 40)
        #expect(bench.costs(0)[.teardown] == 24 && bench.costs(0).closingRecords == 24)
    }
}
