import WireAccuracy

extension JSONFields {
    /// Hosts that TLS hides, each with what every log has for it. In no row and no total of calls.
    mutating func hosts(_ index: AccuracyIndex) {
        let result = index.result
        var logs = [[HostLogTotal]](repeating: [], count: result.hosts.count)
        for log in result.hostLogs where result.hosts.indices.contains(log.host) { logs[log.host].append(log) }
        beginArray("hosts")
        for (host, logs) in zip(result.hosts, logs) {
            beginElement()
            text("host", host.host)
            integers("ports", host.ports.map { Int($0) })
            integer("connections", host.connections)
            seconds("first", host.first)
            seconds("last", host.last)
            for direction in Direction.allCases { side(direction, host[direction]) }
            beginArray("logs")
            for log in logs where result.sources.indices.contains(log.source) {
                self.log(log, host, result.sources[log.source].id)
            }
            endArray()
            end()
        }
        endArray()
    }

    /// Hosts with TLS handshakes that failed: in no row, no total and no host of `hosts`.
    mutating func failedHandshakes(_ result: AccuracyResult) {
        beginArray("failed_handshakes")
        for host in result.failedHandshakes {
            beginElement()
            text("host", host.host)
            integer("connections", host.connections)
            integer("alerts", host.alerts)
            integer("wire_up", host.wireUp)
            integer("wire_down", host.wireDown)
            end()
        }
        endArray()
    }

    private mutating func side(_ direction: Direction, _ side: HostTotal.Side) {
        begin(name: direction.rawValue)
        integer("wire", side.wire)
        integer("tls_setup", side.setup)
        integer("application", side.application)
        end()
    }

    private mutating func log(_ log: HostLogTotal, _ host: HostTotal, _ source: String) {
        beginElement()
        text("source", source)
        integer("rows", log.rows)
        integer("rows_outside_capture", log.rowsOutside)
        seconds("first", log.first)
        seconds("last", log.last)
        for direction in Direction.allCases {
            let logged = log[direction]
            let hasFigure = logged.rows > 0
            begin(name: direction.rawValue)
            integer("rows", logged.rows)
            integer("logged", hasFigure ? logged.bytes : nil)
            integer("difference", hasFigure ? clampedDifference(logged.bytes, host[direction].wire) : nil)
            decimal("ratio", hasFigure ? ratio(logged.bytes, host[direction].wire) : nil, places: 6)
            decimal("application_ratio", hasFigure ? ratio(logged.bytes, host[direction].application) : nil, places: 6)
            end()
        }
        end()
    }

    private func ratio(_ part: Int, _ whole: Int) -> Double? { whole == 0 ? nil : Double(part) / Double(whole) }
}
