import Testing
import WireAccuracy
import WireTesting

@testable import WireCore
@testable import WireOpportunities

@Suite("Savings of connections")
struct ConnectionSavingsTests {
    private func connection(_ number: Int, time: Double, setUp: Int = 0, tls: TLSFacts? = nil) -> ConnectionRecord {
        var record = ConnectionRecord.blank
        record.connection = number
        record.time = Int64(time * 1_000_000_000)
        record.client = Endpoint(address: IPAddress(version4: 0x0A00_0001), port: UInt16(50_000 + number))
        record.server = Endpoint(address: IPAddress(version4: 0x0A00_0002), port: 80)
        record.exchanges = 1
        record.costs.up[.setupTCP] = setUp
        record.tls = tls
        return record
    }

    private func facts(resumed: Bool, version: TLSVersion = .tls13, lifetime: Int? = 7200) -> TLSFacts {
        var facts = TLSFacts()
        facts.handshakeWasRead = true
        facts.version = version
        (facts.tickets, facts.ticketLifetime) = (1, lifetime)
        facts.resumption = resumed ? .ticket : nil
        facts.certificateBytes = resumed ? nil : 1800
        return facts
    }

    private func bytes(_ report: OpportunityReport, _ kind: Opportunity.Kind) -> Int {
        report.opportunities.first { $0.kind == kind }?.bytes ?? 0
    }

    /// Handshakes at these seconds, each with a call at once: full ones of 3000 bytes, resumed ones of 1000.
    private struct Handshakes {
        var full: [Double]
        var resumed: [Double]
        var version = TLSVersion.tls13
        /// Of those that were resumed; nil: the same.
        var resumedVersion: TLSVersion?
        var lifetime: Int? = 7200
        /// Resumed connections get tickets, too.
        var isRenewed = true
        /// Tickets of each full one.
        var tickets = 1
        /// Places in time of those that the audit found needless.
        var needless: [Int] = []
    }

    private func report(_ example: Handshakes) -> OpportunityReport {
        let finder = OpportunityFinder(window: 16)
        let all = example.full.map { ($0, false) } + example.resumed.map { ($0, true) }
        var saving = 0
        for (number, (time, isResumed)) in all.sorted(by: { $0.0 < $1.0 }).enumerated() {
            var call = SampleCall(target: "/\(number)", time: time + 0.01, connection: number).record
            (call.requestEnd, call.timeToFirstByte) = (call.time, 10_000_000)
            finder.receive(call)
            let lifetime = isResumed && !example.isRenewed ? nil : example.lifetime
            let version = isResumed ? example.resumedVersion ?? example.version : example.version
            let tls = facts(resumed: isResumed, version: version, lifetime: lifetime)
            var one = connection(number, time: time, tls: tls)
            if !isResumed { one.tls?.tickets = example.tickets }
            one.costs.up[.setupTLS] = isResumed ? 1000 : 3000
            finder.receive(one)
            if example.needless.contains(number) {
                finder.receive(needless: number, cost: 3100)
                saving += 3100
            }
        }
        var result = AuditResult()
        var host = HostSummary(host: "10.0.0.2")
        (host.setup.usedConnections, host.setup.reuseSaving) = (all.count, saving)
        host.setup.neededConnections = all.count - example.needless.count
        result.hosts = [host]
        return finder.finish(result)
    }

    private static let lifetimes: [(name: String, handshakes: Handshakes, bytes: Int)] = [
        ("within the lifetime", Handshakes(full: [0, 500], resumed: [100]), 2000),
        ("at its end", Handshakes(full: [0, 7300], resumed: [100]), 2000),
        ("behind it", Handshakes(full: [0, 7301], resumed: [100]), 0),
        ("behind it, but of a later one", Handshakes(full: [0, 9000, 9100], resumed: [100]), 2000),
        ("for far apart ones", Handshakes(full: [0, 20_000, 40_000, 60_000], resumed: [100]), 0),
        ("of which the server does not tell", Handshakes(full: [0, 500], resumed: [100], lifetime: nil), 0),
        ("of another version", Handshakes(full: [0, 500], resumed: [100], resumedVersion: .tls12), 0),
        ("that is no time at all", Handshakes(full: [0, 500], resumed: [100], lifetime: 0), 0),
        (
            "tickets in the place of tickets",
            Handshakes(full: [0, 6000, 12_000], resumed: [100], version: .tls12), 4000
        ),
        (
            "where resumed handshakes bring none",
            Handshakes(full: [0, 6000, 12_000], resumed: [100], version: .tls12, isRenewed: false), 2000
        ),
        // The resumed one uses the first ticket and brings another.
        ("one ticket for several at one time", Handshakes(full: [0, 200, 200.001, 200.002], resumed: [100]), 2000),
        (
            "two tickets for several at one time",
            Handshakes(full: [0, 200, 200.001, 200.002, 200.003], resumed: [100], tickets: 2), 4000
        ),
        (
            "one ticket of TLS 1.2 for several at one time",
            Handshakes(full: [0, 200, 200.001, 200.002], resumed: [100], version: .tls12), 6000
        ),
        (
            "the ticket that the resumed one used",
            Handshakes(full: [0, 200], resumed: [100], isRenewed: false), 0
        ),
    ]

    @Test(
        "clients that never use their tickets could have spared certificates; that is an estimate",
        arguments: [([0, 10, 20], [], 2), ([0, 10, 20], [5], 0), ([0, 10, 9000], [], 1), ([0], [], 0)]
            as [([Double], [Double], Int)])
    func unused(full: [Double], resumed: [Double], spared: Int) {
        let found = report(Handshakes(full: full, resumed: resumed))
        let item = found.opportunities.first { $0.kind == .sessionResumption }
        #expect(item?.bytes ?? 0 == spared * 1800 && item?.count ?? 0 == spared && item?.isComputed != true)
        #expect(resumed.isEmpty == (bytes(found, .fullHandshake) == 0))
    }

    @Test("tickets that have expired resume nothing", arguments: lifetimes.indices)
    func lifetime(index: Int) {
        let example = Self.lifetimes[index]
        let found = report(example.handshakes)
        #expect(bytes(found, .fullHandshake) == example.bytes, "\(example.name)")
        #expect(found.computedTotal == example.bytes, "\(example.name)")
    }

    @Test("needless connections and handshakes of others add up; one that is not opened is not resumed")
    func together() {
        // The fourth and the last are needless: of the rest two could have been resumed.
        let found = report(Handshakes(full: [0, 10, 500, 510, 1000, 1010], resumed: [100], needless: [1, 4, 6]))
        #expect(bytes(found, .fullHandshake) == 5 * 2000 && bytes(found, .connectionReuse) == 3 * 3100)
        #expect(found.computedTotal == 3 * 3100 + 2 * 2000)
    }

    @Test(
        "a full handshake of a client that had a ticket costs more than a resumed one; with reuse it does not count twice"
    )
    func resumption() {
        let found = report(Handshakes(full: [0, 2], resumed: [1]))
        #expect(bytes(found, .fullHandshake) == 2000 && found.computedTotal == 2000)
        let both = report(Handshakes(full: [0, 2], resumed: [1], needless: [2]))
        #expect(bytes(both, .fullHandshake) == 2000 && bytes(both, .connectionReuse) == 3100)
        #expect(both.computedTotal == 3100)
    }

    @Test(
        "a ticket must have come before a connection begins: up to TLS 1.2 with the handshake, in TLS 1.3 with the answer",
        arguments: [
            (TLSVersion.tls12, 0.05, 2000), (.tls12, 0.15, 0), (.tls13, 0.05, 0), (.tls13, -0.2, 2000),
        ])
    func ticketTime(version: TLSVersion, callTime: Double, bytes: Int) {
        let finder = OpportunityFinder(window: 16)
        for (number, time, size) in [(0, 0.0, 3000), (1, 0.1, 3000), (2, 50.0, 1000)] {
            // Its answer begins 0.1 s later.
            var call = SampleCall(target: "/\(number)", time: time + callTime, connection: number).record
            (call.requestEnd, call.timeToFirstByte) = (call.time, 100_000_000)
            finder.receive(call)
            var one = connection(number, time: time, tls: facts(resumed: size == 1000, version: version))
            one.costs.up[.setupTLS] = size
            finder.receive(one)
        }
        #expect(self.bytes(finder.finish(AuditResult()), .fullHandshake) == bytes)
    }

    @Test("a connection that carried only calls which need not be made need not be opened")
    func unopened() {
        func found(exchanges: Int, needless: Bool) -> OpportunityReport {
            let finder = OpportunityFinder(window: 16)
            let fields = ["Cache-Control: max-age=600"]
            let calls = [SampleCall(fields: fields, time: 0), SampleCall(fields: fields, time: 10, connection: 1)]
            for (number, call) in calls.enumerated() {
                finder.receive(call.record)
                var one = connection(number, time: call.time, setUp: 500)
                one.exchanges = number == 1 ? exchanges : 1
                one.costs.down[.teardown] = 100
                one.costs += call.record.costs
                finder.receive(one)
            }
            if needless { finder.receive(needless: 1, cost: 600) }
            return finder.finish(AuditResult())
        }
        let wire = SampleCall(fields: ["Cache-Control: max-age=600"]).wire
        let alone = found(exchanges: 1, needless: false)
        #expect(bytes(alone, .freshRepeat) == wire + 600 && alone.computedTotal == wire + 600)
        #expect(alone.opportunities.first { $0.kind == .freshRepeat }?.count == 1)
        #expect(bytes(found(exchanges: 2, needless: false), .freshRepeat) == wire)
        // It is spared once, whatever spares it.
        #expect(found(exchanges: 1, needless: true).computedTotal == wire + 600)
    }

    private static let fresh = "Cache-Control: max-age=86400\r\n"

    /// A connection for each call: when, what for, and the fields of the answer.
    private func found(_ calls: [(time: Double, path: String, fields: String)]) -> OpportunityReport {
        let frames = calls.enumerated().flatMap { number, call in
            var talk = Dialogue(clientPort: UInt16(50_000 + number))
            talk.time += Int64(call.time * 1_000_000_000)
            talk.handshake()
            talk.data(.client, "GET \(call.path) HTTP/1.1\r\nHost: a.test\r\n\r\n")
            talk.data(.server, "HTTP/1.1 200 OK\r\n\(call.fields)Content-Length: 5\r\n\r\nhello")
            talk.close()
            return talk.frames
        }
        var options = AuditOptions()
        options.keepsHeads = true
        let finder = OpportunityFinder(window: 16)
        let result = audit(
            frames.sorted { $0.time < $1.time }, options, sink: finder,
            examiner: ContentExaminer(needs: .digests, jobs: 1))
        return finder.finish(result)
    }

    @Test("a connection that is not opened stands in for none, and what stood in for it may stand in for others")
    func chain() {
        // Each repeat has a connection that the next call, 10 s later, could have used; then 200 s nothing.
        var calls = [(time: 0.0, path: "/cfg", fields: Self.fresh)]
        for number in 1...4 {
            calls.append((Double(number) * 200, "/cfg", Self.fresh))
            calls.append((Double(number) * 200 + 10, "/b\(number)", ""))
        }
        let apart = found(calls)
        #expect(bytes(apart, .connectionReuse) == 4 * 240)
        #expect(apart.computedTotal == bytes(apart, .freshRepeat) && apart.computedTotal > 4 * 240)
        // Calls 20 s before and behind the repeat are 40 s apart: the later one is needless all the same.
        let near = found([(0, "/cfg", Self.fresh), (100, "/a", ""), (120, "/cfg", Self.fresh), (140, "/b", "")])
        #expect(bytes(near, .connectionReuse) == 2 * 240)
        #expect(near.computedTotal == bytes(near, .freshRepeat) + 240)
    }
}
