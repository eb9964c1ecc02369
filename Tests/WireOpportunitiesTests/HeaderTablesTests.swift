import Testing
import WireCore
import WireNative

@testable import WireOpportunities

@Suite("Header fields of HTTP/2 with other calls on their connection")
struct HeaderTablesTests {
    /// What the encoder of a peer does.
    enum Peer: CaseIterable {
        case table, noTable
    }

    private let fields = [
        "User-Agent: Example/1.0 (long text that nobody needs)", "Cookie: id=0123456789abcdef0123456789",
    ]

    /// A call whose heads have the sizes that these encoders make of them.
    private func call(
        _ target: String, time: Double, connection: Int, _ encoders: (HPACKDeflater, HPACKDeflater), stream: Int = 1,
        answer: [String] = ["Server: example"]
    ) throws -> ExchangeRecord {
        let sample = SampleCall(
            target: target, fields: answer, requestFields: fields, time: time, connection: connection,
            stream: stream)
        var record = sample.record
        let lists = try #require(HeaderLists(record))
        record.costs.up[.headers] = try #require(encoders.0.size(of: lists.request))
        record.costs.down[.headers] = try #require(encoders.1.size(of: lists.response))
        return record
    }

    private func encoders(_ peer: Peer) throws -> (HPACKDeflater, HPACKDeflater) {
        let size = peer == .table ? HPACKDeflater.table : 0
        return (try #require(HPACKDeflater(table: size)), try #require(HPACKDeflater(table: size)))
    }

    private func headers(_ record: ExchangeRecord) -> Int {
        record.costs.up[.headers] + record.costs.down[.headers]
    }

    @Test(
        "without a call the next one carries its fields as text, to the byte; without a table nothing changes",
        arguments: Peer.allCases)
    func growth(peer: Peer) throws {
        let (all, left) = (try encoders(peer), try encoders(peer))
        var tables = HeaderTables()
        let first = try call("/config", time: 0, connection: 0, all)
        #expect(tables.take(first, isSpared: true) == 0)
        var grown: [Int] = []
        for number in 1...3 {
            let now = try call("/\(number)", time: Double(number), connection: 0, all)
            let then = try call("/\(number)", time: Double(number), connection: 0, left)
            let growth = tables.take(now, isSpared: false)
            // Without a table a connection begins with a word that it has none.
            #expect(growth == (peer == .table ? headers(then) - headers(now) : 0), "\(peer), call \(number)")
            grown.append(growth)
        }
        #expect(peer == .noTable ? grown == [0, 0, 0] : grown[0] > 60 && grown[1] < 5)
    }

    @Test("on a connection that others used before, fields need not be sent as text", arguments: Peer.allCases)
    func savings(peer: Peer) throws {
        var tables = HeaderTables()
        let shared = try encoders(peer)
        var expected = 0
        for connection in 0..<4 {
            let own = try encoders(peer)
            for number in 0..<3 {
                let time = Double(connection * 10 + number)
                let now = try call("/\(connection)/\(number)", time: time, connection: connection, own)
                let then = try call("/\(connection)/\(number)", time: time, connection: connection, shared)
                if connection > 0, peer == .table { expected += headers(now) - headers(then) }
                #expect(tables.take(now, isSpared: false) == 0)
            }
        }
        let saved = (1..<4).reduce(0) { $0 + (tables.savings[$1] ?? 0) }
        #expect(tables.savings[0] == 0 && saved == expected)
        #expect(peer == .noTable ? saved == 0 : saved > 180)
    }

    @Test("calls of HTTP/1 and HTTP/3 change nothing")
    func others() throws {
        var tables = HeaderTables()
        for number in 0..<3 {
            var one = SampleCall(target: "/\(number)", requestFields: fields, connection: 7).record
            #expect(tables.take(one, isSpared: number == 0) == 0)
            (one.stream, one.transport) = (4 * number, .quic)
            #expect(tables.take(one, isSpared: number == 0) == 0)
        }
        #expect(tables.savings.isEmpty)
    }

    @Test("many connections are followed, one after the other, with bounded memory")
    func many() throws {
        var tables = HeaderTables()
        for connection in 0..<700 {
            let own = try encoders(.table)
            let first = try call("/config", time: Double(connection), connection: connection, own)
            let second = try call("/a", time: Double(connection), connection: connection, own, stream: 3)
            #expect(tables.take(first, isSpared: true) == 0)
            #expect(tables.take(second, isSpared: false) > 60)
        }
    }

    private let cached = ["Server: example", "Cache-Control: max-age=600"]

    @Test("what moves to the next call is taken off what a needless call saves, and off the sum")
    func takenOff() throws {
        let (all, left) = (try encoders(.table), try encoders(.table))
        let spared = try call("/config", time: 1, connection: 1, all, answer: cached)
        let next = try call("/a", time: 2, connection: 1, all)
        let growth = headers(try call("/a", time: 2, connection: 1, left)) - headers(next)
        let finder = OpportunityFinder(window: 16)
        finder.receive(try call("/config", time: 0, connection: 0, try encoders(.table), answer: cached))
        for call in [spared, next] { finder.receive(call) }
        let found = finder.finish(AuditResult())
        let wire = headers(spared) + spared.costs.down[.body] + 2 * 52
        #expect(growth > 60 && found.computedTotal == wire - growth)
        #expect(found.opportunities.first { $0.kind == .freshRepeat }?.bytes == wire - growth)
    }

    @Test("reuse has what fields cost less behind calls of other connections, and so has the sum")
    func reused() throws {
        let finder = OpportunityFinder(window: 16)
        let shared = try encoders(.table)
        var expected = 500
        for number in 0..<2 {
            let one = try call("/\(number)", time: Double(number), connection: number, try encoders(.table))
            let there = try call("/\(number)", time: Double(number), connection: number, shared)
            expected += headers(one) - headers(there)
            finder.receive(one)
            var connection = ConnectionRecord.blank
            (connection.connection, connection.client, connection.server) = (number, one.client, one.server)
            connection.exchanges = 1
            finder.receive(connection)
        }
        finder.receive(needless: 1, cost: 500)
        var (result, host) = (AuditResult(), HostSummary(host: "api.example.com"))
        (host.setup.usedConnections, host.setup.neededConnections, host.setup.reuseSaving) = (2, 1, 500)
        result.hosts = [host]
        let found = finder.finish(result)
        #expect(expected > 560 && found.computedTotal == expected)
        #expect(found.opportunities.first { $0.kind == .connectionReuse }?.bytes == expected)
    }

    @Test(
        "headers of packets that calls share are saved only with all of these calls",
        arguments: [
            // Headers of packets by call, those that need not be made as negative numbers, and what is saved of them.
            ([-52, -52, 52], 104), ([-26, 26], 0), ([-26, -26], 52), ([-26, 26, -26, 26], 0), ([-13, -39, 52], 52),
            ([-78, 26], 52), ([-40, -40], 80),
        ])
    func sharedPackets(headers: [Int], saved: Int) throws {
        let finder = OpportunityFinder(window: 16)
        var calls = headers.enumerated().map { number, size -> ExchangeRecord in
            var record = SampleCall(
                target: size < 0 ? "/config" : "/\(number)", fields: ["Cache-Control: max-age=600"],
                time: Double(number + 1), connection: 1, stream: 2 * number + 1,
                digest: size < 0 ? 1 : UInt64(number + 2),
                tcpip: abs(size)
            ).record
            (record.costs.up[.tcpip], record.exchange) = (0, number)
            return record
        }
        calls.insert(SampleCall(target: "/config", fields: ["Cache-Control: max-age=600"], stream: 1).record, at: 0)
        for call in calls { finder.receive(call) }
        let found = finder.finish(AuditResult())
        let messages = zip(headers, calls.dropFirst()).reduce(0) { sum, pair in
            let costs = pair.1.costs
            return pair.0 < 0 ? sum + costs.up.message + costs.down.message : sum
        }
        let item = found.opportunities.first { $0.kind == .freshRepeat }
        #expect(item.map { $0.bytes } == messages + saved && found.computedTotal == messages + saved)
    }

    @Test(
        "a message that gets shorter spares whole packets of its own, and a part of those that it shares",
        arguments: [
            // Bytes of headers, of the message, and of what it gets shorter by; what is saved of the headers.
            (52, 1000, 900, 0), (520, 14_480, 13_032, 468), (104, 2000, 1000, 52), (130, 3000, 1500, 65),
            (26, 700, 350, 13), (26, 700, 800, 26),
        ])
    func shorterMessages(headers: Int, payload: Int, removed: Int, saved: Int) {
        var costs = CostVector()
        (costs[.tcpip], costs[.body]) = (headers, payload)
        #expect(PacketSaving.headers(removing: removed, from: costs) == saved)
    }
}
