import Testing
import WireTesting

@testable import WireCore

@Suite("Summary tables")
struct SummaryTablesTests {
    private func costs(_ number: Int) -> CostVector {
        var costs = CostVector()
        costs[.body] = number
        costs.link = 2 * number
        return costs
    }

    @Test("give each API and host a row, and all beyond a limit one row together", arguments: [1, 2] as [UInt64])
    func agreesWithDictionaries(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for limit in [1, 5, 40, 1000] {
            var tables = SummaryTables()
            var (apis, hosts): ([String: Int], [String: Int]) = ([:], [:])
            var (isFull, wasFull) = (false, false)
            for step in 1...600 {
                var names = ["GET host/\(random.below(60))", "host\(random.below(60))"]
                let rows = (
                    unsafe tables.api(Array(names[0].utf8).span.bytes, limit: limit, isFull: &isFull),
                    unsafe tables.host(Array(names[1].utf8).span.bytes, limit: limit, isFull: &isFull)
                )
                if apis[names[0]] == nil, apis.keys.filter({ $0 != "(other APIs)" }).count >= limit {
                    names[0] = "(other APIs)"
                }
                if hosts[names[1]] == nil, hosts.keys.filter({ $0 != "(other hosts)" }).count >= limit {
                    names[1] = "(other hosts)"
                }
                wasFull = wasFull || names[0].hasPrefix("(") || names[1].hasPrefix("(")
                apis[names[0], default: 0] += step
                hosts[names[1], default: 0] += step
                tables.addExchange(api: rows.0, host: rows.1, [costs(9), costs(step), costs(3)], at: 1)
                #expect(
                    String(decoding: tables.apiName(rows.0), as: UTF8.self) == names[0], "seed \(seed), step \(step)")
                #expect(
                    String(decoding: tables.hostName(rows.1), as: UTF8.self) == names[1], "seed \(seed), step \(step)")
                #expect(isFull == wasFull)
            }
            #expect(Dictionary(uniqueKeysWithValues: tables.apiRows.map { ($0.api, $0.costs.up[.body]) }) == apis)
            #expect(Dictionary(uniqueKeysWithValues: tables.hostRows.map { ($0.host, $0.costs.up.link / 2) }) == hosts)
            #expect(tables.apiRows.reduce(0) { $0 + $1.exchanges } == 600)
            #expect(tables.hostRows.allSatisfy { $0.costs.down[.body] == 3 * $0.exchanges })
            #expect(tables.apiRows.allSatisfy { $0.costs.down[.body] == 3 * $0.exchanges })
        }
    }

    @Test("encrypted connections to a host stand in a row of their own")
    func addsEncrypted() {
        var tables = SummaryTables()
        var isFull = false
        var rows: [Int32] = []
        for name in ["a", "b", "a"] {
            let host = unsafe tables.host(Array(name.utf8).span.bytes, limit: 9, isFull: &isFull)
            let row = tables.encrypted(.http, host: Int(host), limit: 9, isFull: &isFull)
            tables.addEncrypted(api: row, Directions(up: costs(1), down: costs(10)))
            rows.append(row)
        }
        #expect(rows == [0, 1, 0] && !isFull)
        #expect(tables.apiRows.map(\.api) == ["https://a (encrypted)", "https://b (encrypted)"])
        #expect(tables.apiRows.map(\.isEncrypted) == [true, true])
        #expect(tables.apiRows.map { $0.costs.down[.body] } == [20, 10])
        #expect(tables.apiRows.map(\.exchanges) == [0, 0])
        #expect(tables.row(ofAPI: Array("https://b (encrypted)".utf8)) == 1)
        #expect(tables.row(ofAPI: Array("b".utf8)) == nil)
    }

    @Test("a full table puts further encrypted hosts together")
    func limitsEncrypted() {
        var tables = SummaryTables()
        var isFull = false
        for name in ["a", "b", "c"] {
            let host = unsafe tables.host(Array(name.utf8).span.bytes, limit: 9, isFull: &isFull)
            _ = tables.encrypted(.http, host: Int(host), limit: 1, isFull: &isFull)
        }
        #expect(isFull)
        #expect(tables.apiRows.map(\.api) == ["https://a (encrypted)", "tls://(other hosts) (encrypted)"])
    }

    @Test("calls to a second host on a connection have their protocol, and no connection")
    func secondHost() {
        var talk = Dialogue()
        talk.handshake()
        for host in ["a", "b"] {
            talk.data(.client, "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            talk.data(.server, "HTTP/1.1 204 No Content\r\n\r\n")
        }
        talk.close()
        let hosts = talk.audit().result.hosts.sorted { $0.host < $1.host }
        #expect(hosts.map(\.host) == ["a", "b"])
        #expect(hosts.map(\.connections) == [1, 0])
        #expect(hosts.map(\.exchanges) == [1, 1])
        #expect(hosts.map(\.protocols) == [.http1, .http1])
    }
}
