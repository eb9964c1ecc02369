import Testing
import WireAccuracy
import WireCore
import WireEstimates
import WireLogs
import WireTesting

@Suite("Logs against hosts that TLS hides")
struct HostTotalTests {
    static let start: Int64 = 1_795_168_800_000_000_000
    static let second: Int64 = 1_000_000_000

    /// A TLS connection that nobody could read.
    static func connection(
        _ name: String?, port: UInt16 = 443, from: Int64 = 0, lasting: Int64 = 10, up: Int = 1000, down: Int = 5000,
        isDecrypted: Bool = false
    ) throws -> ConnectionRecord {
        var talk = Dialogue()
        talk.template.destinationPort = port
        talk.handshake()
        talk.close()
        var record = try #require(audit(talk.frames).connections.first)
        record.serverName = name.map { Array($0.utf8) }
        record.time = start + from * second
        record.duration = lasting * second
        record.tls = TLSFacts()
        record.tls?.isDecrypted = isDecrypted
        for (bytes, isUp) in [(up, true), (down, false)] {
            var costs = CostVector()
            costs[.opaque] = bytes
            costs[.tlsRecords] = 22
            costs[.setupTLS] = 500
            costs[.tcpip] = 100
            if isUp { record.costs.up = costs } else { record.costs.down = costs }
        }
        return record
    }

    static func log(
        _ rows: [LogRow], _ texts: InternedTexts, resolution: Int64 = 1_000_000, format: SDKLogFormat = .har
    ) -> SDKLog {
        var log = SDKLog(path: "app.har", format: format, pathForm: .encodedWithQuery)
        log.rows = rows
        log.texts = texts
        log.timeResolution = resolution
        return log
    }

    /// Builds rows with the texts that they name.
    struct Rows {
        var texts = InternedTexts()
        var rows: [LogRow] = []

        mutating func add(
            _ host: String, at time: Int64? = 1, up: Int? = 300, down: Int? = 2000,
            _ change: (inout LogRow) -> Void = { _ in }
        ) {
            var row = LogRow(kind: .exchange, number: rows.count + 1)
            row.host = texts.number(Array(host.utf8))
            row.path = texts.number(Array("/\(rows.count)".utf8))
            row.method = texts.number(Array("GET".utf8))
            if let time { row.time = HostTotalTests.start + time * HostTotalTests.second }
            row.up.total = up
            row.down.total = down
            change(&row)
            rows.append(row)
        }

        func log(resolution: Int64 = 1_000_000) -> SDKLog { HostTotalTests.log(rows, texts, resolution: resolution) }
    }

    static func result(
        _ connections: [ConnectionRecord], _ logs: [SDKLog], _ exchanges: [ExchangeRecord] = [],
        options: AccuracyOptions = AccuracyOptions(), onRow: ((JoinedRow) -> Void)? = nil
    ) -> AccuracyResult {
        let collector = AccuracyCollector([], logs: logs, options: options, onRow: onRow)
        for connection in connections { collector.receive(connection) }
        for exchange in exchanges { collector.receive(exchange) }
        return collector.finish()
    }

    @Test("connections of a host are summed, and so are the log's rows for it")
    func sums() throws {
        var rows = Rows()
        rows.add("api.example.com", at: 1)
        rows.add("api.example.com", at: 8, up: 10, down: 20)
        rows.add("other.example.com")
        let connections = [
            try Self.connection("api.example.com"), try Self.connection("api.example.com", from: 5, up: 1, down: 2),
            try Self.connection("cdn.example.com", down: 90_000),
        ]
        let result = Self.result(connections, [rows.log()])
        #expect(result.hosts.map(\.host) == ["cdn.example.com", "api.example.com"])
        let host = result.hosts[1]
        #expect(host.connections == 2 && host.ports == [443])
        #expect(host.up.application == 1001 && host.down.application == 5002)
        #expect(host.up.setup == 1000 && host.up.wire == 1001 + 2 * 622)
        #expect(host.first == Self.start && host.last == Self.start + 15 * Self.second)
        #expect(result.hostLogs.map(\.host) == [0, 1])
        #expect(result.hostLogs[0].rows == 0)
        let log = result.hostLogs[1]
        #expect(log.rows == 2 && log.rowsOutside == 0)
        #expect([log.up.rows, log.up.bytes, log.down.rows, log.down.bytes] == [2, 310, 2, 2020])
        #expect(log.first == Self.start + Self.second && log.last == Self.start + 8 * Self.second)
        let summary = try #require(result.logs.first)
        #expect(summary.hostTotal == 2 && summary.foreignHost == 1)
        #expect(result.rows.isEmpty && result.totals.allSatisfy { $0.coverage.calls == 0 })
    }

    @Test(
        "names agree in any case and with a dot at their end; another port is another server",
        arguments: [
            ("API.Example.com", 0, true), ("api.example.com.", 0, true), ("api.example.com", 443, true),
            ("api.example.com", 8443, false), ("example.com", 0, false), ("a.api.example.com", 0, false),
            ("*.example.com", 0, false),
        ] as [(String, UInt16, Bool)])
    func names(host: String, port: UInt16, fits: Bool) throws {
        var rows = Rows()
        rows.add(host) { $0.serverPort = port }
        for name in ["api.example.com", "api.EXAMPLE.com", "api.example.com."] {
            let result = Self.result([try Self.connection(name)], [rows.log()])
            #expect(result.hosts.map(\.host) == ["api.example.com"])
            #expect(result.hostLogs.map(\.rows) == [fits ? 1 : 0])
        }
    }

    @Test("a server without a name is its address, as URLs have it")
    func addresses() throws {
        var rows = Rows()
        rows.add("192.0.2.7")
        rows.add("[2001:db8::1]")
        var (four, six) = (try Self.connection(nil), try Self.connection(nil))
        four.server = Endpoint(address: IPAddress(version4: 0xC000_0207), port: 443)
        six.server = Endpoint(address: IPAddress(high: 0x2001_0DB8_0000_0000, low: 1, isVersion6: true), port: 443)
        let result = Self.result([four, six], [rows.log()])
        #expect(Set(result.hosts.map(\.host)) == ["192.0.2.7", "[2001:db8::1]"])
        #expect(result.hostLogs.map(\.rows) == [1, 1])
    }

    @Test("connections that could be read, and those without TLS, are in no host's total")
    func readable() throws {
        var plain = try Self.connection("api.example.com")
        plain.tls = nil
        var tunnel = try Self.connection("api.example.com", up: 7)
        tunnel.exchanges = 1
        var rows = Rows()
        rows.add("api.example.com")
        let decrypted = try Self.connection("api.example.com", isDecrypted: true)
        #expect(Self.result([plain, decrypted], [rows.log()]).hosts.isEmpty)
        #expect(Self.result([plain, decrypted], [rows.log()]).logs.first?.hostTotal == 0)
        // TLS behind CONNECT is as hidden.
        let result = Self.result([plain, decrypted, tunnel], [rows.log()])
        #expect(result.hosts.map(\.connections) == [1])
        #expect(result.hosts.map(\.up.application) == [7])
        #expect(Self.result([tunnel], []).hosts.isEmpty)
    }

    @Test(
        "rows before and after the capture are counted apart; a second does not matter, and a row may reach into it",
        arguments: [
            (-2, nil, false), (-1, nil, true), (0, nil, true), (10, nil, true), (11, nil, true), (12, nil, false),
            (-60, -2, false), (-60, 3, true), (5, 90, true), (12, 90, false), (nil, nil, true),
        ] as [(Int64?, Int64?, Bool)])
    func span(time: Int64?, end: Int64?, isInside: Bool) throws {
        var rows = Rows()
        rows.add("api.example.com", at: time) { row in
            if let end { row.end = Self.start + end * Self.second }
        }
        let result = Self.result([try Self.connection("api.example.com")], [rows.log()])
        #expect(result.hostLogs.map(\.rows) == [isInside ? 1 : 0])
        #expect(result.hostLogs.map(\.rowsOutside) == [isInside ? 0 : 1])
        #expect(result.logs.map(\.hostTotal) == [isInside ? 1 : 0])
        #expect(result.logs.map(\.outsideCapture) == [isInside ? 0 : 1])
        // Any connection tells the capture's time.
        let longer = try Self.connection(nil, from: -100, lasting: 300, isDecrypted: true)
        #expect(Self.result([try Self.connection("api.example.com"), longer], [rows.log()]).hostLogs[0].rows == 1)
    }

    @Test("times without a date are no times as long as nothing tells the clock")
    func undated() throws {
        var rows = Rows()
        rows.add("api.example.com", at: nil) { $0.time = 40_000 * Self.second }
        let result = Self.result([try Self.connection("api.example.com")], [rows.log()])
        #expect(result.hostLogs.map(\.rows) == [1])
        #expect(result.hostLogs[0].first == nil)
    }

    @Test("figures are totals, else the parts that there are; a row without figures counts as a row only")
    func figures() throws {
        var rows = Rows()
        rows.add("api.example.com", up: nil, down: nil) { row in
            row.up.body = 28
            row.down.headers = 100
            row.down.body = 50
        }
        rows.add("api.example.com", up: nil, down: nil) { $0.down.decodedBody = 9000 }
        rows.add("api.example.com", up: 0, down: 7) { $0.down.body = 5 }
        let log = Self.result([try Self.connection("api.example.com")], [rows.log()]).hostLogs[0]
        #expect(log.rows == 3)
        #expect([log.up.rows, log.up.bytes] == [2, 28])
        #expect([log.down.rows, log.down.bytes] == [2, 157])
    }

    @Test("rows of plain HTTP are not of TLS")
    func plainRows() throws {
        var rows = Rows()
        rows.add("api.example.com") { $0.isPlain = true }
        rows.add("api.example.com")
        let result = Self.result([try Self.connection("api.example.com")], [rows.log()])
        #expect(result.hostLogs.map(\.rows) == [1])
        #expect(result.logs[0].hostTotal == 1)
    }

    @Test("link bytes and hidden headers are wire bytes where the report says so")
    func layers() throws {
        var connection = try Self.connection("h")
        connection.costs.up.link = 14
        connection.costs.up.offloadHidden = 40
        var options = AccuracyOptions()
        let log = Rows().log()
        #expect(Self.result([connection], [log], options: options).hosts[0].up.wire == 1622)
        options.countsLinkBytes = true
        #expect(Self.result([connection], [log], options: options).hosts[0].up.wire == 1636)
        options.undoesOffload = true
        #expect(Self.result([connection], [log], options: options).hosts[0].up.wire == 1676)
    }
}
