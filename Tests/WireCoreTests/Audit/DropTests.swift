import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: packets that the capturing program lost")
struct DropTests {
    private static let second: Int64 = 1_000_000_000

    /// Three connections with an exchange each: at 100 s, at 110 s, and from 105 s to 130 s.
    private func frames() -> [CapturedFrame] {
        var frames: [CapturedFrame] = []
        for (port, start, pause) in [(50_001, 100, 0), (50_002, 110, 0), (50_003, 105, 25)] {
            var talk = Dialogue(clientPort: UInt16(port))
            talk.time = Int64(start) * Self.second
            talk.handshake()
            talk.data(.client, Sample.request)
            talk.time += Int64(pause) * Self.second
            talk.data(.server, Sample.response)
            talk.close()
            frames += talk.frames
        }
        return frames
    }

    /// Ports of the connections whose exchange has the flag, when a loss is told of at a time in milliseconds.
    private func flagged(_ times: [Int], _ setup: SetupPolicy) -> Set<UInt16> {
        var frames = frames()
        var other = PacketBuilder()
        other.transport = .udp
        let marks = times.map { Int64($0) * 1_000_000 }
        frames += marks.map { CapturedFrame(time: $0, other) }
        frames.sort { $0.time < $1.time }
        var audit = WatchedAudit(frames: frames)
        audit.options.setup = setup
        for index in frames.indices where marks.contains(frames[index].time) && frames[index].bytes == other.frame() {
            audit.dropped[index] = 1
        }
        let capture = audit.run().capture
        #expect(capture.contradictions == [])
        let exchanges = Set(capture.exchanges.filter { $0.flags.contains(.drops) }.map(\.client.port))
        let connections = Set(capture.connections.filter { $0.flags.contains(.drops) }.map(\.client.port))
        #expect(exchanges.isSubset(of: connections))
        return exchanges
    }

    @Test("what went on since the frame before a loss was told of, or two seconds before, is flagged")
    func whoIsFlagged() {
        let cases: [(times: [Int], ports: Set<UInt16>)] = [
            ([], []), ([99_999], []), ([100_003], [50_001]), ([100_004], [50_001]), ([102_000], [50_001]),
            ([102_004], [50_001]), ([102_005], [50_001]), ([103_000], []), ([104_999], []), ([105_003], [50_003]),
            ([109_000], [50_003]), ([111_000], [50_002, 50_003]), ([112_004], [50_002, 50_003]),
            ([112_005], [50_002, 50_003]), ([132_004], [50_003]), ([132_010], [50_003]), ([140_000], []),
            ([101_000, 131_000], [50_001, 50_003]), ([90_000, 95_000, 99_000, 104_000], []),
        ]
        for setup in SetupPolicy.allCases {
            for (times, ports) in cases { #expect(flagged(times, setup) == ports, "\(times), \(setup)") }
        }
    }

    @Test("a frame that tells of losses gives the flag no matter which connection it is of")
    func ownFrame() {
        let audit = WatchedAudit(frames: frames(), dropped: [4: 1])
        let capture = audit.run().capture
        #expect(capture.exchanges.map { $0.flags.contains(.drops) } == [true, false, false])
        #expect(WatchedAudit(frames: frames()).run().capture.exchanges.allSatisfy { !$0.flags.contains(.drops) })
    }

    // MARK: The times

    @Test("no loss is forgotten, and no others are made up", arguments: 0..<20 as Range<UInt64>)
    func againstList(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var times = DropTimes()
        var told: [Int64] = []
        var time: Int64 = 0
        for _ in 0..<1 + random.below(300) {
            time += Int64(random.below(random.element([100_000_000, 3_000_000_000, 9_000_000_000])))
            times.note(time)
            told.append(time)
        }
        for _ in 0..<400 {
            let start = Int64(random.below(Int(time) + 4_000_000_000)) - 2_000_000_000
            let end = start + Int64(random.below(2_000_000_000))
            func touches(_ margin: Int64) -> Bool {
                told.contains { $0 - 2 * Self.second - margin <= end && start <= $0 + margin }
            }
            let found = times.contains(start, through: end)
            if touches(0) { #expect(found, "seed \(seed), \(start)...\(end)") }
            if !touches(100_000_000) { #expect(!found, "seed \(seed), \(start)...\(end)") }
        }
    }

    @Test("times that go back, and very many of them, are not forgotten", arguments: 0..<10 as Range<UInt64>)
    func manyAndBack(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var times = DropTimes()
        var told: [Int64] = []
        var time: Int64 = 0
        for _ in 0..<20_000 {
            time += Int64(random.below(8_000_000_000))
            if seed >= 5, random.oneIn(50) { time -= Int64(random.below(60_000_000_000)) }
            times.note(time)
            told.append(time)
        }
        for time in told {
            #expect(times.contains(time, through: time) && times.contains(time - 2 * Self.second, through: time))
        }
        let last = told.max() ?? 0
        #expect(!times.contains(last + 1, through: .max))
        #expect(!times.contains(.min, through: (told.min() ?? 0) - 2 * Self.second - 1))
    }
}
