import Testing
import WireAccuracy
import WireCore
import WireEstimates
import WireLogs
import WireTesting

@Suite("Hosts that TLS hides in part")
struct PartlyHiddenHostTests {
    private let calls = SampleCalls(seed: 11)

    private func records() -> (exchanges: [ExchangeRecord], connections: [ConnectionRecord]) {
        var options = AuditOptions()
        options.keepsHeads = true
        let capture = audit(calls.frames, options)
        return (capture.exchanges, capture.connections)
    }

    /// A log with a row for each exchange, and further ones of the same host.
    private func log(_ exchanges: [ExchangeRecord], hidden: Int) -> SDKLog {
        var rows = HostTotalTests.Rows()
        for exchange in exchanges.sorted(by: { $0.time < $1.time }) {
            let path = rows.texts.number((exchange.path ?? []) + (exchange.query.map { [0x3F] + $0 } ?? []))
            let method = rows.texts.number(exchange.method ?? [])
            rows.add(String(decoding: exchange.host, as: UTF8.self), at: nil, up: 1, down: 2) { row in
                row.path = path
                row.method = method
                row.status = Int16(exchange.status ?? 0)
                row.time = exchange.time
                row.end = exchange.responseEnd ?? exchange.time
            }
        }
        for number in 0..<hidden {
            let path = rows.texts.number(Array("/hidden/\(number)".utf8))
            rows.add("api.example.com", at: 1, up: 100, down: 1000) { $0.path = path }
        }
        return rows.log()
    }

    @Test("rows of readable calls are not counted again, and their statistics do not change", arguments: [0, 1, 25])
    func partly(hidden: Int) throws {
        let (exchanges, connections) = records()
        let log = log(exchanges, hidden: hidden)
        let secret = try HostTotalTests.connection("api.example.com")
        let before = HostTotalTests.result(connections, [log], exchanges)
        var states: [JoinedRow.State: Int] = [:]
        let after = HostTotalTests.result(connections + [secret], [log], exchanges) { row in
            if row.kind != .response { states[row.state, default: 0] += 1 }
        }
        #expect(before.hosts.isEmpty)
        #expect(before.logs[0].withoutExchange == hidden)
        #expect(after.hosts.map(\.connections) == [1])
        #expect(after.hostLogs.map(\.rows) == [hidden])
        #expect(after.hostLogs.map(\.up.bytes) == [100 * hidden])
        #expect(after.logs[0].hostTotal == hidden)
        #expect(after.logs[0].withoutExchange == 0)
        #expect(after.logs[0].matched + after.logs[0].ambiguous == exchanges.count)
        #expect(states[.hostTotal, default: 0] == hidden)
        #expect(after.totals.map(\.message) == before.totals.map(\.message))
        #expect(after.totals.map(\.causes) == before.totals.map(\.causes))
        #expect(after.totals.map(\.coverage) == before.totals.map(\.coverage))
    }

    @Test(
        "every row of a log has one fate, and totals are those of a slow model",
        arguments: 1...20 as ClosedRange<UInt64>)
    func model(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let names = ["a.example", "b.example", "c.example", "d.example"]
        let connections = try (0..<random.below(12)).map { _ in
            try HostTotalTests.connection(
                random.element(names), port: random.element([443, 8443]), from: Int64(random.below(30)),
                lasting: Int64(random.below(20)), up: random.below(5000), isDecrypted: random.oneIn(4))
        }
        var rows = HostTotalTests.Rows()
        for _ in 0..<random.below(60) {
            let host = random.element(names + ["elsewhere.example", "B.Example"])
            let time = random.oneIn(6) ? nil : Int64(random.below(120)) - 40
            rows.add(host, at: time, up: random.oneIn(5) ? nil : random.below(900), down: nil) { row in
                row.serverPort = random.element([0, 0, 443, 8443])
                row.isPlain = random.oneIn(8)
            }
        }
        let result = HostTotalTests.result(connections, [rows.log()])
        let hidden = connections.filter { $0.tls?.isDecrypted == false }
        let first = (connections.map(\.time).min() ?? 0) - HostTotalTests.second
        let last = (connections.map { $0.time + $0.duration }.max() ?? 0) + HostTotalTests.second
        #expect(
            Set(result.hosts.map(\.host)) == Set(hidden.map { String(decoding: $0.serverName ?? [], as: UTF8.self) }))
        for (host, log) in zip(result.hosts, result.hostLogs) {
            let own = hidden.filter { $0.serverName ?? [] == Array(host.host.utf8) }
            #expect(host.connections == own.count, "seed \(seed)")
            #expect(host.up.wire == own.reduce(0) { $0 + $1.costs.up.internet }, "seed \(seed)")
            #expect(host.ports == Set(own.map(\.server.port)).sorted(), "seed \(seed)")
            let fitting = rows.rows.filter { row in
                String(decoding: rows.texts[row.host], as: UTF8.self).lowercased() == host.host && !row.isPlain
                    && (row.serverPort == 0 || own.contains { $0.server.port == row.serverPort })
            }
            let inside = fitting.filter { $0.time == .min || first...last ~= $0.time }
            #expect(log.rows == inside.count, "seed \(seed)")
            #expect(log.rowsOutside == fitting.count - inside.count, "seed \(seed)")
            #expect(log.up.bytes == inside.reduce(0) { $0 + ($1.up.total ?? 0) }, "seed \(seed)")
            #expect(log.down.rows == 0, "seed \(seed)")
        }
        let summary = result.logs[0]
        let fates = [
            summary.matched, summary.ambiguous, summary.duplicates, summary.withoutExchange, summary.foreignHost,
            summary.hostTotal, summary.outsideCapture, summary.notSelected, summary.rejected,
        ]
        #expect(fates.reduce(0, +) == summary.rows, "seed \(seed)")
        #expect(summary.hostTotal == result.hostLogs.reduce(0) { $0 + $1.rows }, "seed \(seed)")
    }
}
