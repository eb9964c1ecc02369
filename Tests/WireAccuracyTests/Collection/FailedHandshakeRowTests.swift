import Testing
import WireCore
import WireTesting

@testable import WireAccuracy
@testable import WireLogs

@Suite("Rows of calls whose TLS handshake failed")
struct FailedHandshakeRowTests {
    /// A connection whose handshake failed, so many milliseconds after the start.
    private static func failed(_ name: String, at start: Int64, lasting: Int64 = 60) throws -> ConnectionRecord {
        var record = try HostTotalTests.connection(name, up: 0, down: 0)
        record.time = HostTotalTests.start + start * 1_000_000
        record.duration = lasting * 1_000_000
        record.close = .reset
        record.tls?.directions.up.handshake = 517
        return record
    }

    private static func rows(
        _ times: [(kind: LogRow.Kind, time: Int64)], host: String = "api.example.com",
        _ change: (inout LogRow) -> Void = { _ in }
    ) -> SDKLog {
        var rows = HostTotalTests.Rows()
        for (kind, time) in times {
            rows.add(host, up: kind == .response ? nil : 300, down: kind == .request ? nil : 0) { row in
                row.kind = kind
                row.time = HostTotalTests.start + time * 1_000_000
                change(&row)
            }
        }
        return rows.log()
    }

    private static func joined(
        _ connections: [ConnectionRecord], _ log: SDKLog
    ) -> (states: [JoinedRow.State], reasons: [String], summary: LogSummary?) {
        var rows: [JoinedRow] = []
        let result = HostTotalTests.result(connections, [log], onRow: { rows.append($0) })
        return (rows.map(\.state), rows.map(\.reason), result.logs.first)
    }

    @Test("both rows of a call are named, and counted apart from rows of hosts that the capture does not have")
    func named() throws {
        let log = Self.rows([(.request, 995), (.response, 1070)])
        let found = Self.joined([try Self.failed("API.example.com", at: 1000)], log)
        #expect(found.states == [.tlsFailed, .tlsFailed])
        #expect(found.reasons.allSatisfy { $0.contains("TLS handshake with its host failed") })
        #expect(found.summary?.tlsFailed == 2 && found.summary?.foreignHost == 0)
        let other = Self.joined([try Self.failed("img.example.com", at: 1000)], log)
        #expect(other.states == [.foreignHost, .foreignHost] && other.summary?.tlsFailed == 0)
    }

    /// What makes it impossible that the handshake was the row's.
    static let refutations: [(String, @Sendable (inout LogRow) -> Void)] = [
        ("bytes of a response", { $0.down.total = 200 }), ("a status", { $0.status = 200 }),
        ("a URL without TLS", { $0.isPlain = true }), ("another port", { $0.serverPort = 8443 }),
        ("a time long before", { $0.time -= 400_000_000 }), ("a time long after", { $0.time += 400_000_000 }),
        ("no time", { $0.time = .min }),
    ]

    @Test("a row that cannot be of the handshake is not named", arguments: refutations.indices)
    func refuted(place: Int) throws {
        let log = Self.rows([(.exchange, 1030)])
        let connections = [try Self.failed("api.example.com", at: 1000)]
        #expect(Self.joined(connections, log).states == [.tlsFailed])
        let changed = Self.rows([(.exchange, 1030)]) { Self.refutations[place].1(&$0) }
        #expect(Self.joined(connections, changed).states == [.foreignHost], "\(Self.refutations[place].0)")
    }

    @Test("where more rows than handshakes lie at a time, none of them is named; others are")
    func contested() throws {
        let times: [Int64] = [990, 1000, 1010, 9000]
        let log = Self.rows(times.map { (.request, $0) })
        let connections = [
            try Self.failed("api.example.com", at: 1000), try Self.failed("api.example.com", at: 1005),
            try Self.failed("api.example.com", at: 9001),
        ]
        let found = Self.joined(connections, log)
        #expect(found.states == [.foreignHost, .foreignHost, .foreignHost, .tlsFailed])
        #expect(found.reasons.prefix(3).allSatisfy { $0.contains("more rows lie there than handshakes failed") })
        let enough = connections + [try Self.failed("api.example.com", at: 1020)]
        #expect(Self.joined(enough, log).states == Array(repeating: .tlsFailed, count: 4))
    }
}
