import WireCore

/// Calls of one connection that need not be made.
struct SparedCalls {
    var kind: Opportunity.Kind
    var api: [UInt8]
    var count = 0
}

/// What handshakes and certificates of connections need not have cost, and what that saves together with the connections
/// that the audit found needless.
struct ConnectionSavings {
    /// One client address and one server under one name.
    private struct Group {
        var name: String
        var uses: [Use] = []
    }

    /// What one connection cost.
    private struct Use {
        var time: Int64
        var handshake: Handshake?
        var chain: ChainSaving?
        /// Bytes of set-up and closing, where an idle connection could have stood in for it.
        var needless: Int?
        var exchanges: Int
        /// Bytes of set-up and closing.
        var cost: Int
    }

    /// What is known of a connection by the first of its calls.
    private struct FirstCall {
        var exchange: Int
        var host: [UInt8]
        var time: Int64
        /// First byte of the response; nil where that is not known.
        var answered: Int64?
    }

    /// A TLS handshake of which both hellos were read.
    private struct Handshake {
        /// Set-up bytes of TLS.
        var bytes: Int
        var isResumed: Bool
        /// From when on the client can resume connections by it; nil where it cannot.
        var ticketTime: Int64?
    }

    /// Pairs of client and server; beyond it new ones are left out.
    private static let limit = 16_384
    /// Connections whose hosts are known before they end; of more the server's name stands.
    private static let nameLimit = 65_536

    private var groups: [[UInt8]: Group] = [:]
    /// Hosts of connections that have not ended, by the first of their calls.
    private var hosts: [Int: FirstCall] = [:]
    /// Where connections stand in their groups; below 0: in none, and then the key is the host.
    private var places: [Int: (key: [UInt8], index: Int)] = [:]
    /// What needless connections cost that are in no group, by host.
    private var elsewhere: [String: Int] = [:]

    /// Takes a call, in any order.
    mutating func take(_ record: ExchangeRecord) {
        let known = hosts[record.connection]
        guard known != nil || hosts.count < ConnectionSavings.nameLimit else { return }
        guard known == nil || record.exchange < known?.exchange ?? 0 else { return }
        let answered = record.timeToFirstByte.flatMap { wait in record.requestEnd.map { $0 &+ wait } }
        hosts[record.connection] = FirstCall(
            exchange: record.exchange, host: record.host, time: record.time, answered: answered)
    }

    /// Takes a connection. One that carried nothing is no matter of saving.
    mutating func take(_ record: ConnectionRecord) {
        let first = hosts.removeValue(forKey: record.connection)
        let host = first?.host ?? record.hostName
        guard record.exchanges > 0 || record.tls?.blindness != nil else { return }
        let key = ConnectionSavings.key(record, host)
        guard groups[key] != nil || groups.count < ConnectionSavings.limit else {
            places[record.connection] = (host, -1)
            return
        }
        var use = Use(
            time: record.time, chain: ChainSaving(record), exchanges: record.exchanges,
            cost: record.costs.up.connectionCost + record.costs.down.connectionCost)
        if let tls = record.tls, tls.handshakeWasRead {
            let bytes = record.costs.up[.setupTLS] + record.costs.down[.setupTLS]
            use.handshake = Handshake(
                bytes: bytes, isResumed: tls.resumption != nil,
                ticketTime: ConnectionSavings.ticketTime(record, tls, first))
        }
        var group = groups[key] ?? Group(name: String(decoding: host, as: UTF8.self))
        // The dictionary must not share the group while it changes.
        groups[key] = nil
        places[record.connection] = (key, group.uses.count)
        group.uses.append(use)
        groups[key] = group
    }

    /// Up to TLS 1.2 tickets are a part of the handshake, which is over when the first call begins; in TLS 1.3 they come after
    /// it, and before the first answer.
    private static func ticketTime(_ record: ConnectionRecord, _ tls: TLSFacts, _ first: FirstCall?) -> Int64? {
        guard tls.tickets > 0 else { return nil }
        let end = record.time &+ max(record.duration, 0)
        return (tls.version == .tls13 ? first?.answered : first?.time) ?? end
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

    private static func key(_ record: ConnectionRecord, _ host: [UInt8]) -> [UInt8] {
        let ends = "\(record.client.address) \(record.server.address) \(record.server.port) \(record.tls != nil) "
        return Array(ends.utf8) + host
    }

    // MARK: What could be spared

    /// What could be spared of handshakes and certificates, and what all that is computed saves together, by kind: a
    /// connection that is not opened needs no handshake, and a handshake that is resumed no certificates.
    /// - Parameters:
    ///   - includes: hosts that the report is about.
    ///   - spared: calls that need not be made, by connection. One that carried only such need not be opened.
    func savings(
        _ includes: (String) -> Bool, spared: [Int: SparedCalls]
    ) -> (found: [Opportunity], together: [Opportunity.Kind: Int], opened: [(calls: SparedCalls, cost: Int)]) {
        var (resumption, chains) = (SubjectSums(), ChainSums())
        var together: [Opportunity.Kind: Int] = [:]
        for (host, bytes) in elsewhere where includes(host) { together[.connectionReuse, default: 0] += bytes }
        let opened = unopened(spared)
        for (number, group) in groups where includes(group.name) {
            let gone = opened.places[number] ?? []
            let avoidable = ConnectionSavings.avoidable(group)
            for bytes in avoidable.values { resumption.add(bytes, group.name) }
            let left = group.uses.indices.filter { !gone.contains($0) }
            let needless = left.reduce(0) { $0 + (group.uses[$1].needless ?? 0) }
            let spared = left.reduce(0) { $0 + (avoidable[$1] ?? 0) }
            let isReused = needless >= spared
            together[isReused ? .connectionReuse : .fullHandshake, default: 0] += max(needless, spared)
            for (index, use) in group.uses.enumerated() {
                guard let chain = use.chain else { continue }
                chains.add(chain, group.name)
                let isGone = gone.contains(index) || (isReused ? use.needless != nil : avoidable[index] != nil)
                if !isGone { together[.certificateChain, default: 0] += chain.together }
            }
        }
        let resumed = resumption.opportunity(.fullHandshake, isComputed: true)
        return ([resumed].compactMap(\.self) + chains.opportunities(), together, opened.costs)
    }

    /// Connections that carried nothing but calls that need not be made: their places in their groups, and what opening and
    /// closing them cost.
    private func unopened(
        _ spared: [Int: SparedCalls]
    ) -> (places: [[UInt8]: Set<Int>], costs: [(calls: SparedCalls, cost: Int)]) {
        var found: [[UInt8]: Set<Int>] = [:]
        var costs: [(calls: SparedCalls, cost: Int)] = []
        for (connection, calls) in spared {
            guard let place = places[connection], place.index >= 0, let use = groups[place.key]?.uses[place.index],
                use.exchanges == calls.count
            else { continue }
            found[place.key, default: []].insert(place.index)
            costs.append((calls, use.cost))
        }
        return (found, costs)
    }

    /// What full handshakes of clients with a ticket cost more than resumed ones of the same client and server, by the
    /// places of their connections in the group.
    private static func avoidable(_ group: Group) -> [Int: Int] {
        let resumed = group.uses.compactMap(\.handshake).filter(\.isResumed).map(\.bytes)
        guard !resumed.isEmpty else { return [:] }
        let mean = resumed.reduce(0, +) / resumed.count
        var ticketTime = Int64.max
        var found: [Int: Int] = [:]
        for index in group.uses.indices.sorted(by: { group.uses[$0].time < group.uses[$1].time }) {
            guard let handshake = group.uses[index].handshake else { continue }
            let hasTicket = group.uses[index].time >= ticketTime
            if hasTicket, !handshake.isResumed, handshake.bytes > mean { found[index] = handshake.bytes - mean }
            ticketTime = min(ticketTime, handshake.ticketTime ?? .max)
        }
        return found
    }
}
