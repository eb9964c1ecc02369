import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: apps")
struct AppTests {
    /// Numbers of processes: 1 and 2 are of Shop, 3 of Mail, 4 looks names up.
    private static let processes: ProcessDirectory = {
        let directory = ProcessDirectory()
        for (name, app) in [("Shop", nil), ("nsurlsessiond", "Shop"), ("Mail", nil), ("mDNSResponder", nil)] {
            var identity = ProcessIdentity(name: Self.name(name, directory))
            if let app { identity.effectiveName = Self.name(app, directory) }
            _ = directory.number(identity)
        }
        return directory
    }()

    private static func name(_ text: String, _ directory: ProcessDirectory) -> Int32 {
        let bytes = Array(text.utf8)
        return unsafe directory.name(0..<bytes.count, in: bytes.span.bytes)
    }

    private static func audited(_ frames: [CapturedFrame], _ options: AuditOptions = AuditOptions()) -> AuditedCapture {
        let capture = audit(frames.sorted { $0.time < $1.time }, options, processes: processes)
        #expect(capture.result.ledger.balanced)
        // Of a choice not all rows are there.
        if options.includesApp == nil { #expect(capture.contradictions == []) }
        return capture
    }

    /// A connection with calls whose packets are of these processes in turn.
    private static func talk(_ port: UInt16, _ processes: [UInt16], calls: Int = 1) -> [CapturedFrame] {
        var talk = Dialogue(clientPort: port)
        talk.time += Int64(port) * 1000
        talk.handshake()
        for _ in 0..<calls { talk.exchange() }
        talk.close()
        return talk.frames.enumerated().map { place, frame in
            var frame = frame
            frame.process = processes[place % processes.count]
            return frame
        }
    }

    private static func datagram(_ process: UInt16, time: Int64, port: UInt16, isDown: Bool = false) -> CapturedFrame {
        var packet = PacketBuilder()
        packet.transport = .udp
        (packet.sourcePort, packet.destinationPort) = (40_000, port)
        if isDown {
            swap(&packet.source, &packet.destination)
            swap(&packet.sourcePort, &packet.destinationPort)
        }
        packet.payload = [UInt8](repeating: 7, count: 20 + Int(process))
        packet.identification = UInt16(time)
        var frame = CapturedFrame(time: time, packet)
        frame.process = process
        return frame
    }

    /// Connections of two apps and of none, UDP of a third and of none, and ICMP.
    private static func everything() -> [CapturedFrame] {
        var frames = talk(50_001, [1], calls: 3) + talk(50_002, [2]) + talk(50_003, [3], calls: 2) + talk(50_004, [0])
        frames += [datagram(4, time: 5, port: 7000), datagram(0, time: 6, port: 7000, isDown: true)]
        frames += [datagram(0, time: 7, port: 7001), datagram(4, time: 8, port: 53)]
        var echo = PacketBuilder()
        echo.transport = .other(1)
        echo.payload = [UInt8](repeating: 1, count: 30)
        return frames + [CapturedFrame(time: 9, echo)]
    }

    private static func wire(_ costs: Directions<CostVector>) -> Int { costs.up.internet + costs.down.internet }

    @Test("sums by app, with that of what names none, are those of all connections and UDP, to the byte")
    func sums() throws {
        let capture = Self.audited(Self.everything())
        let result = capture.result
        var all = Directions<CostVector>()
        for row in result.apps { all += row.costs }
        var hosts = Directions<CostVector>()
        for row in result.hostRows { hosts += row.costs }
        #expect(all.up == hosts.up && all.down == hosts.down)
        let other = result.ledger.other
        #expect(Self.wire(all) + other.icmp + other.otherIP == result.ledger.layers.internet)
        #expect(other.icmp == 50)
        #expect(result.apps.reduce(0) { $0 + $1.connections } == 4 && result.apps.reduce(0) { $0 + $1.exchanges } == 7)
        for app in ["Shop", "Mail", nil] {
            let row = try #require(result.apps.first { $0.app == app })
            let own = capture.connections.filter { $0.process?.app == app }
            #expect(row.connections == own.count && row.exchanges == own.reduce(0) { $0 + $1.exchanges })
            let datagrams = app == nil ? 48 : 0
            #expect(Self.wire(row.costs) == own.reduce(datagrams) { $0 + Self.wire($1.costs) })
        }
        // A datagram that names none is of the app that the one before it named.
        let lookups = try #require(result.apps.first { $0.app == "mDNSResponder" })
        #expect(lookups.connections == 0 && lookups.costs.up.internet == 2 * 52 && lookups.costs.down.internet == 48)
        #expect(result.datagrams.reduce(0) { $0 + $1.counts.internet } == other.datagrams)
        #expect(capture.exchanges.compactMap(\.process?.app).count == 6)
    }

    @Test("a capture that names no app has no rows of apps")
    func none() {
        #expect(Self.audited(Self.talk(50_001, [0])).result.apps == [])
    }

    @Test(
        "a connection is of the app that most of its packets name, and it is said where they differ",
        arguments: [
            ([3, 1, 1], "Shop", "Shop", 1), ([1, 3], "Shop", "Shop", 1), ([3, 1], "Mail", "Mail", 1),
            ([1, 2, 2], "Shop", "Shop", 0), ([1, 2, 3, 3], "Shop", "Shop", 1),
            ([0, 0, 0, 2, 0], "Shop", "nsurlsessiond", 0),
            ([0, 0], nil, nil, 0),
        ] as [([UInt16], String?, String?, Int)])
    func majority(processes: [UInt16], app: String?, name: String?, disputed: Int) {
        var frames = Self.talk(50_001, processes)
        frames.removeLast(frames.count % processes.count)
        let capture = Self.audited(frames)
        #expect(capture.connections[0].process?.app == app && capture.connections[0].process?.name == name)
        #expect(capture.findings(.appsDiffer) == disputed)
        #expect(capture.result.apps.count == (app == nil ? 0 : 1))
    }

    @Test("with a choice of apps, records and rows are of those; ledger and rows of apps of the whole capture")
    func choice() {
        let whole = Self.audited(Self.everything())
        let chosen = Self.audited(Self.everything(), .with { $0.includesApp = { $0 == "Shop" } })
        #expect(chosen.connections.map(\.client.port) == [50_001, 50_002] && chosen.exchanges.count == 4)
        #expect(chosen.result.apis.reduce(0) { $0 + $1.exchanges } == 4)
        #expect(chosen.result.hosts.reduce(0) { $0 + $1.connections } == 2 && chosen.result.datagrams.isEmpty)
        let wire = chosen.result.hosts.reduce(0) { $0 + Self.wire($1.costs) }
        #expect(wire == chosen.connections.reduce(0) { $0 + Self.wire($1.costs) })
        #expect(chosen.result.apps.map(\.app) == whole.result.apps.map(\.app))
        #expect(chosen.result.apps == whole.result.apps && chosen.result.ledger.bytes == whole.result.ledger.bytes)
        let unnamed = Self.audited(Self.everything(), .with { $0.includesApp = { $0 == nil } })
        #expect(unnamed.connections.map(\.client.port) == [50_004] && unnamed.result.datagrams.count == 1)
    }
}
