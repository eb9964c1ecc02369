import WireCore

/// What handshakes and certificates of connections need not have cost, and what that saves together with the connections
/// that the audit found needless.
struct ConnectionSavings {
    /// One client address and one server under one name.
    struct Group {
        var name: String
        /// Connections to all addresses of the name, which stand in for each other.
        var pool: [UInt8]
        var uses: [Use] = []

        func part(_ place: Int, _ bytes: Int) -> Opportunity.Part {
            Opportunity.Part(uses[place], name, bytes: bytes)
        }
    }

    /// What one connection cost.
    struct Use {
        /// In the audit.
        var number: Int
        var time: Int64
        var handshake: Handshake?
        var chain: ChainSaving?
        /// Bytes of set-up and closing, where an idle connection could have stood in for it.
        var needless: Int?
        var exchanges: Int
        /// All bytes but those of packets that only acknowledge, or that keep it alive.
        var bytes: Int
        var use: ConnectionUse?
    }

    /// What is known of a connection by the first of its calls.
    private struct FirstCall {
        var exchange: Int
        var host: [UInt8]
        var time: Int64
        /// First byte of the response; nil where that is not known.
        var answered: Int64?
    }

    /// Pairs of client and server; beyond it new ones are left out.
    private static let limit = 16_384
    /// Connections whose hosts are known before they end; of more the server's name stands. The same for times of calls.
    private static let nameLimit = 65_536

    private(set) var groups: [[UInt8]: Group] = [:]
    /// Hosts of connections that have not ended, by the first of their calls.
    private var hosts: [Int: FirstCall] = [:]
    /// Where connections stand in their groups; below 0: in none, and then the key is the host.
    private(set) var places: [Int: (key: [UInt8], index: Int)] = [:]
    /// What needless connections cost that are in no group, by host.
    private(set) var elsewhere: [String: Int] = [:]
    /// Connections that servers closed sooner than idle ones are supposed to be kept, by host.
    private(set) var serverCloses: [String: Opportunity.ServerCloses] = [:]
    /// When calls went on that had to be made, by connection.
    private(set) var times: [Int: CallTimes] = [:]

    /// Takes a call, in any order.
    mutating func take(_ record: ExchangeRecord) {
        let known = hosts[record.connection]
        guard known != nil || hosts.count < ConnectionSavings.nameLimit else { return }
        guard known == nil || record.exchange < known?.exchange ?? 0 else { return }
        let answered = record.timeToFirstByte.flatMap { wait in record.requestEnd.map { $0 &+ wait } }
        hosts[record.connection] = FirstCall(
            exchange: record.exchange, host: record.host, time: record.time, answered: answered)
    }

    /// Takes a call that has to be made; calls must come in the order of their times.
    mutating func take(needed record: ExchangeRecord) {
        guard times.count < ConnectionSavings.nameLimit || times[record.connection] != nil else { return }
        let end = max(record.responseEnd ?? record.time &+ max(record.duration, 0), record.time)
        times[record.connection, default: CallTimes()].add(CallTime(begin: record.time, end: end))
    }

    /// Takes a connection. One that carried nothing is no matter of saving.
    mutating func take(_ record: ConnectionRecord) {
        let first = hosts.removeValue(forKey: record.connection)
        let host = first?.host ?? record.hostName
        guard record.exchanges > 0 || record.tls?.blindness != nil else { return }
        takeClose(record, host)
        let pool = ConnectionSavings.pool(record, host)
        let key = pool + " \(record.server.address)".utf8
        guard groups[key] != nil || groups.count < ConnectionSavings.limit else {
            places[record.connection] = (host, -1)
            return
        }
        var use = Use(
            number: record.connection, time: record.time, chain: ChainSaving(record), exchanges: record.exchanges,
            bytes: [record.costs.up, record.costs.down].reduce(0) { $0 + $1.attributable + $1[.retransmission] },
            use: record.use)
        use.handshake = Handshake(
            record, callTime: first?.time, answerTime: first?.answered)
        var group = groups[key] ?? Group(name: String(decoding: host, as: UTF8.self), pool: pool)
        // The dictionary must not share the group while it changes.
        groups[key] = nil
        places[record.connection] = (key, group.uses.count)
        group.uses.append(use)
        groups[key] = group
    }

    private mutating func takeClose(_ record: ConnectionRecord, _ host: [UInt8]) {
        let supposed = Int64(SetupSummary.mostIdleSeconds) * 1_000_000_000
        guard let idle = record.use?.closedAfter, idle < supposed else { return }
        let name = String(decoding: host, as: UTF8.self)
        let known = serverCloses[name]
        guard known != nil || serverCloses.count < ConnectionSavings.limit else { return }
        serverCloses[name] = Opportunity.ServerCloses(
            count: (known?.count ?? 0) + 1, shortestIdle: min(known?.shortestIdle ?? .max, idle))
    }

    /// Takes what the audit says of a connection behind its record.
    mutating func take(needless connection: Int, cost: Int) {
        guard let place = places[connection] else { return }
        if place.index >= 0 {
            groups[place.key]?.uses[place.index].needless = cost
        } else {
            elsewhere[String(decoding: place.key, as: UTF8.self), default: 0] += cost
        }
    }

    private static func pool(_ record: ConnectionRecord, _ host: [UInt8]) -> [UInt8] {
        let ends = "\(record.client.address) \(record.server.port) \(record.tls != nil) \(record.transport) "
        return Array(ends.utf8) + host
    }
}
