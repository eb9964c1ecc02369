import WireAccuracy
import WireLogs

extension AccuracyJSON {
    /// Hosts that TLS hides, each with what every log has for it. In no row and no total of calls.
    mutating func hosts() {
        var logs = [[HostLogTotal]](repeating: [], count: result.hosts.count)
        for log in result.hostLogs where result.hosts.indices.contains(log.host) { logs[log.host].append(log) }
        json.beginArray("hosts")
        for (host, logs) in zip(result.hosts, logs) {
            json.beginElement()
            json.text("host", host.host)
            json.integers("ports", host.ports.map { Int($0) })
            json.integer("connections", host.connections)
            json.seconds("first", host.first)
            json.seconds("last", host.last)
            for direction in Direction.allCases { side(direction, host[direction]) }
            json.beginArray("logs")
            for log in logs where result.sources.indices.contains(log.source) {
                self.log(log, host, result.sources[log.source].id)
            }
            json.endArray()
            json.end()
        }
        json.endArray()
    }

    /// Hosts with TLS handshakes that failed: in no row, no total and no host of `hosts`.
    mutating func failedHandshakes() {
        json.beginArray("failed_handshakes")
        for host in result.failedHandshakes {
            json.beginElement()
            json.text("host", host.host)
            json.integer("connections", host.connections)
            json.integer("alerts", host.alerts)
            json.integer("wire_up", host.wireUp)
            json.integer("wire_down", host.wireDown)
            json.end()
        }
        json.endArray()
    }

    private mutating func side(_ direction: Direction, _ side: HostTotal.Side) {
        json.begin(name: direction.rawValue)
        json.integer("wire", side.wire)
        json.integer("tls_setup", side.setup)
        json.integer("application", side.application)
        json.end()
    }

    private mutating func log(_ log: HostLogTotal, _ host: HostTotal, _ source: String) {
        json.beginElement()
        json.text("source", source)
        json.integer("rows", log.rows)
        json.integer("rows_outside_capture", log.rowsOutside)
        json.seconds("first", log.first)
        json.seconds("last", log.last)
        for direction in Direction.allCases {
            let logged = log[direction]
            let hasFigure = logged.rows > 0
            json.begin(name: direction.rawValue)
            json.integer("rows", logged.rows)
            json.integer("logged", hasFigure ? logged.bytes : nil)
            json.integer("difference", hasFigure ? clampedDifference(logged.bytes, host[direction].wire) : nil)
            json.decimal("ratio", hasFigure ? ratio(logged.bytes, host[direction].wire) : nil, places: 6)
            json.decimal(
                "application_ratio", hasFigure ? ratio(logged.bytes, host[direction].application) : nil, places: 6)
            json.end()
        }
        json.end()
    }

    private func ratio(_ part: Int, _ whole: Int) -> Double? { whole == 0 ? nil : Double(part) / Double(whole) }
}
