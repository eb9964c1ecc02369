import WireCore

/// TLS connections that nobody could read, and those whose handshake failed, summed by host while an audit runs.
struct UnreadHosts {
    /// Hosts with a sum of their own; connections of further ones share one.
    private static let limit = 100_000
    private static let portLimit = 8
    /// No DNS name is longer, bytes.
    private static let nameLimit = 255

    private static let others = Array("(other hosts)".utf8)

    let options: AccuracyOptions
    private var places: [[UInt8]: Int] = [:]
    private var totals: [HostTotal] = []
    private var failed: [[UInt8]: FailedHandshakes] = [:]
    /// The connections whose handshake failed, one by one as far as the limit reaches.
    private(set) var failedConnections: [FailedConnection] = []
    /// Hosts with connections that were decrypted in part: their calls may be in either part.
    private(set) var partlyRead: Set<[UInt8]> = []
    /// The connections that nobody could read, one by one.
    private(set) var hidden = HiddenConnections()
    /// From the first to the last packet of any TCP connection, readable or not.
    private(set) var span: ClosedRange<Int64>?

    init(_ options: AccuracyOptions) { self.options = options }

    mutating func take(_ record: ConnectionRecord) {
        let end = record.time.saturatingAdd(max(record.duration, 0))
        span = span.map { min($0.lowerBound, record.time)...max($0.upperBound, end) } ?? record.time...end
        // Calls before TLS began, such as CONNECT, do not make the rest readable.
        guard let tls = record.tls else { return }
        if tls.isDecrypted {
            if tls.blindness != nil, partlyRead.count < UnreadHosts.limit {
                partlyRead.insert(UnreadHosts.name(of: record))
            }
            return
        }
        if let failure = tls.handshakeFailure(close: record.close) {
            takeFailed(record, failure, record.time...end)
            return
        }
        hidden.add(record, host: UnreadHosts.name(of: record))
        let place = place(of: record, end)
        totals[place].connections += 1
        totals[place].first = min(totals[place].first, record.time)
        totals[place].last = max(totals[place].last, end)
        totals[place].up.add(record.costs.up, options)
        totals[place].down.add(record.costs.down, options)
        let port = record.server.port
        if totals[place].ports.count < UnreadHosts.portLimit, !totals[place].ports.contains(port) {
            totals[place].ports.append(port)
        }
    }

    private mutating func takeFailed(
        _ record: ConnectionRecord, _ failure: TLSHandshakeFailure, _ time: ClosedRange<Int64>
    ) {
        var name = UnreadHosts.name(of: record)
        if failedConnections.count < UnreadHosts.limit {
            failedConnections.append(FailedConnection(host: name, port: record.server.port, time: time))
        }
        if failed[name] == nil, failed.count >= UnreadHosts.limit { name = UnreadHosts.others }
        var host = failed[name] ?? FailedHandshakes(host: String(decoding: name, as: UTF8.self))
        host.connections += 1
        if failure == .alert { host.alerts += 1 }
        let choices = (link: options.countsLinkBytes, offload: options.undoesOffload)
        for (costs, wire) in [(record.costs.up, \FailedHandshakes.wireUp), (record.costs.down, \.wireDown)] {
            host[keyPath: wire] +=
                DirectionTruth(costs, withLink: choices.link, withOffload: choices.offload).wire
        }
        failed[name] = host
    }

    private mutating func place(of record: ConnectionRecord, _ end: Int64) -> Int {
        var name = UnreadHosts.name(of: record)
        if let place = places[name] { return place }
        if totals.count >= UnreadHosts.limit {
            name = UnreadHosts.others
            if let place = places[name] { return place }
        }
        places[name] = totals.count
        totals.append(HostTotal(host: String(decoding: name, as: UTF8.self), first: record.time, last: end))
        return totals.count - 1
    }

    /// As logs write hosts: an IPv6 address in brackets.
    private static func name(of record: ConnectionRecord) -> [UInt8] {
        if let name = record.serverName, !name.isEmpty { return HostTotal.plain(name.prefix(nameLimit)) }
        let address = Array(record.server.address.description.utf8)
        return address.contains(0x3A) ? [0x5B] + address + [0x5D] : address
    }

    /// The hosts with handshakes that failed, what cost most first.
    func finishFailed() -> [FailedHandshakes] {
        failed.values.sorted { $0.wire != $1.wire ? $0.wire > $1.wire : $0.host < $1.host }
    }

    /// The hosts that nobody could read, what cost most first.
    func finish() -> [HostTotal] {
        totals.map { total in
            var total = total
            total.ports.sort()
            return total
        }.sorted { left, right in
            let (leftWire, rightWire) = (left.up.wire + left.down.wire, right.up.wire + right.down.wire)
            return leftWire != rightWire ? leftWire > rightWire : left.host < right.host
        }
    }
}

extension HostTotal.Side {
    fileprivate mutating func add(_ costs: CostVector, _ options: AccuracyOptions) {
        let truth = DirectionTruth(costs, withLink: options.countsLinkBytes, withOffload: options.undoesOffload)
        wire += truth.wire
        setup += costs[.setupTLS]
        application += costs[.opaque]
    }
}
