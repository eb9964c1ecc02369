import WireCore

/// How the connections to one host were used, of all its clients and addresses.
public struct HostReuse: Sendable, Equatable {
    /// Connections that carried calls, or content that could not be read.
    public var connections = 0
    /// Calls with a response.
    public var calls = 0
    /// Connections whose calls could not be read.
    public var unread = 0
    /// Connections that would have been enough for what ran at one time.
    public var needed = 0
    /// Bytes of setting up and closing the others.
    public var saving = 0

    public init() {}
}

/// How the clients of a capture used their connections to each server: how many were open, and how many would have been
/// enough for the calls that ran at one time.
struct ConnectionUse {
    /// One client address and one server.
    private struct Group {
        /// The host that the first call named.
        var host = ""
        /// What its connections are called where no call names a host.
        var server = ""
        var name: String { host.isEmpty ? server : host }
        /// Ends of the calls that are under way, nanoseconds; the earliest is removed first.
        var running: [Int64] = []
        /// Calls that ran at one time at most. On HTTP/2 they share a connection.
        var mostParallel = 0
        var calls = 0
        /// Connections that carried a call, or content that could not be read.
        var uses: [Use] = []
        /// When connections were open whose calls could not be read, nanoseconds.
        var closed: [ClosedRange<Int64>] = []

        /// Connections that were needed at one time. What was not open at one time was not needed at one time.
        var needed: Int { mostParallel + ConnectionUse.mostOverlapping(closed) }
    }

    /// What one connection cost.
    private struct Use {
        var time: Int64
        /// Bytes of set-up and closing.
        var cost: Int
        var handshake: Handshake?
        var chain: ChainSaving?
    }

    /// A TLS handshake of which both hellos were read.
    private struct Handshake {
        /// Set-up bytes of TLS.
        var bytes: Int
        var isResumed: Bool
        /// The client can resume the next connection by it.
        var givesTicket: Bool
    }

    /// Pairs of client and server; beyond it new ones are left out.
    private static let limit = 16_384
    /// Calls of a group under way at one time; with more its connections are taken as needed.
    private static let parallelLimit = 4096

    private var groups: [[UInt8]: Group] = [:]

    /// Takes a call; calls must come in the order of their times.
    mutating func take(_ record: ExchangeRecord) {
        guard let end = record.responseEnd else { return }
        let key = ConnectionUse.key(record.client, record.server, isSecure: record.tlsVersion != nil)
        guard groups[key] != nil || groups.count < ConnectionUse.limit else { return }
        let isMultiplexed = record.stream != nil
        withGroup(key) { group in
            if group.host.isEmpty { group.host = String(decoding: record.host, as: UTF8.self) }
            group.calls += 1
            group.running.removeAll { $0 <= record.time }
            guard group.running.count < ConnectionUse.parallelLimit else {
                group.mostParallel = .max / 2
                return
            }
            group.running.append(max(end, record.time))
            group.mostParallel = max(group.mostParallel, isMultiplexed ? 1 : group.running.count)
        }
    }

    /// Takes a connection. One that carried nothing is no matter of reuse; of one that could not be read it is known when
    /// it was open.
    mutating func take(_ record: ConnectionRecord) {
        let isUnread = record.exchanges == 0 && record.tls.map { $0.directions.down.applicationData > 0 } == true
        guard record.exchanges > 0 || isUnread else { return }
        let key = ConnectionUse.key(record.client, record.server, isSecure: record.tls != nil)
        guard groups[key] != nil || groups.count < ConnectionUse.limit else { return }
        var costs = record.costs.up
        costs += record.costs.down
        let setUp = costs.connectionCost
        withGroup(key) { group in
            if group.server.isEmpty { group.server = String(decoding: record.hostName, as: UTF8.self) }
            if isUnread { group.closed.append(record.time...record.time + max(record.duration, 0)) }
            var use = Use(time: record.time, cost: setUp, chain: ChainSaving(record))
            if let tls = record.tls, tls.handshakeWasRead {
                use.handshake = Handshake(
                    bytes: costs[.setupTLS], isResumed: tls.resumption != nil, givesTicket: tls.tickets > 0)
            }
            group.uses.append(use)
        }
    }

    private mutating func withGroup(_ key: [UInt8], _ change: (inout Group) -> Void) {
        var group = groups[key] ?? Group()
        // The dictionary must not share the group while it changes.
        groups[key] = nil
        change(&group)
        groups[key] = group
    }

    private static func key(_ client: Endpoint, _ server: Endpoint, isSecure: Bool) -> [UInt8] {
        Array("\(client.address) \(server.address) \(server.port) \(isSecure)".utf8)
    }

    // MARK: What could be spared

    /// How each host's connections were used, by the host's name.
    func hosts() -> [String: HostReuse] {
        var hosts: [String: HostReuse] = [:]
        for group in groups.values where !group.uses.isEmpty {
            var host = hosts[group.name] ?? HostReuse()
            let spared = ConnectionUse.unneeded(group)
            host.connections += group.uses.count
            host.calls += group.calls
            host.unread += group.closed.count
            host.needed += group.uses.count - spared.count
            host.saving += ConnectionUse.sum(spared)
            hosts[group.name] = host
        }
        return hosts
    }

    /// What could be spared of connections, and what all that is computed saves together: a connection that is not opened
    /// needs no handshake, and a handshake that is resumed no certificates.
    func savings() -> (found: [Opportunity], together: Int) {
        var (reuse, resumption, chains, together) = (SubjectSums(), SubjectSums(), ChainSums(), 0)
        for group in groups.values {
            let spared = ConnectionUse.unneeded(group)
            let avoidable = ConnectionUse.avoidable(group)
            for bytes in spared.values { reuse.add(bytes, group.name) }
            for bytes in avoidable.values { resumption.add(bytes, group.name) }
            let (first, second) = (ConnectionUse.sum(spared), ConnectionUse.sum(avoidable))
            let gone = first >= second ? spared : avoidable
            together += max(first, second)
            for (index, use) in group.uses.enumerated() {
                guard let chain = use.chain else { continue }
                chains.add(chain, group.name)
                if gone[index] == nil { together += chain.together }
            }
        }
        let found = [
            reuse.opportunity(.connectionReuse, isComputed: true),
            resumption.opportunity(.fullHandshake, isComputed: true),
        ]
        return (found.compactMap(\.self) + chains.opportunities(), together)
    }

    private static func sum(_ bytes: [Int: Int]) -> Int { bytes.values.reduce(0, +) }

    /// Costs of connections beyond those that were needed at one time, by their places in the group. The dearest are kept:
    /// they are the first, with full handshakes.
    private static func unneeded(_ group: Group) -> [Int: Int] {
        let needed = group.needed
        guard needed > 0, group.uses.count > needed else { return [:] }
        let places = group.uses.indices.sorted { (group.uses[$1].cost, $0) < (group.uses[$0].cost, $1) }
        return Dictionary(uniqueKeysWithValues: places.dropFirst(needed).map { ($0, group.uses[$0].cost) })
    }

    /// How many of the intervals have a moment in common at most.
    private static func mostOverlapping(_ intervals: [ClosedRange<Int64>]) -> Int {
        let starts = intervals.map(\.lowerBound).sorted()
        let ends = intervals.map(\.upperBound).sorted()
        var (open, most, ended) = (0, 0, 0)
        for start in starts {
            while ended < ends.count, ends[ended] < start {
                ended += 1
                open -= 1
            }
            open += 1
            most = max(most, open)
        }
        return most
    }

    /// What full handshakes of clients with a ticket cost more than resumed ones of the same client and server, by the
    /// places of their connections in the group.
    private static func avoidable(_ group: Group) -> [Int: Int] {
        let resumed = group.uses.compactMap(\.handshake).filter(\.isResumed).map(\.bytes)
        guard !resumed.isEmpty else { return [:] }
        let mean = resumed.reduce(0, +) / resumed.count
        var hasTicket = false
        var found: [Int: Int] = [:]
        for index in group.uses.indices.sorted(by: { group.uses[$0].time < group.uses[$1].time }) {
            guard let handshake = group.uses[index].handshake else { continue }
            if hasTicket, !handshake.isResumed, handshake.bytes > mean { found[index] = handshake.bytes - mean }
            if handshake.givesTicket { hasTicket = true }
        }
        return found
    }
}
