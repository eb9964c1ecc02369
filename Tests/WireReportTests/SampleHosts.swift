import WireAccuracy

/// The small result with four hosts that TLS hides, and what its log has for them: one host in both directions, one
/// with requests only, one without figures, one without rows.
func hostAccuracy() -> AccuracyResult {
    var result = smallAccuracy()
    result.hosts = [
        host("img.example.com", connections: 6, up: (41_200, 3900, 21_800), down: (2_480_000, 28_700, 2_310_400)),
        host("api.example.com", connections: 2, up: (9120, 1300, 5400), down: (38_210, 9400, 25_960)),
        host("metrics.example.net", connections: 1, up: (2900, 650, 1200), down: (4100, 3200, 96)),
        host("ads.example.org", connections: 3, up: (1900, 1500, 0), down: (3000, 2800, 0)),
    ]
    result.hosts[1].ports = [443, 8443]
    result.hostLogs = [
        log(0, rows: 40, outside: 2, up: (40, 9600), down: (40, 2_300_012)),
        log(1, rows: 14, outside: 0, up: (14, 6180), down: (0, 0)),
        log(2, rows: 3, outside: 0, up: (0, 0), down: (0, 0)),
        log(3, rows: 0, outside: 1, up: (0, 0), down: (0, 0)),
    ]
    let rows = result.hostLogs.reduce(0) { $0 + $1.rows }
    result.logs[0].hostTotal = rows
    result.logs[0].rows += rows
    result.logs[0].unreadRows = result.hostLogs.map { log in
        ReadShare.Part(host: result.hosts[log.host].host, amount: log.rows, reason: .undecrypted)
    }
    return result
}

private func log(_ host: Int, rows: Int, outside: Int, up: (Int, Int), down: (Int, Int)) -> HostLogTotal {
    var log = HostLogTotal(source: 3, host: host)
    log.rows = rows
    log.rowsOutside = outside
    (log.up.rows, log.up.bytes) = up
    (log.down.rows, log.down.bytes) = down
    log.first = rows == 0 ? nil : 1_795_168_800_500_000_000
    log.last = rows == 0 ? nil : 1_795_168_860_250_000_000
    return log
}

private func host(_ name: String, connections: Int, up: (Int, Int, Int), down: (Int, Int, Int)) -> HostTotal {
    var host = HostTotal(host: name, first: 1_795_168_800_000_000_000, last: 1_795_168_880_000_000_000)
    host.ports = [443]
    host.connections = connections
    (host.up.wire, host.up.setup, host.up.application) = up
    (host.down.wire, host.down.setup, host.down.application) = down
    return host
}
