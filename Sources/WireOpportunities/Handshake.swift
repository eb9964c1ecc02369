import WireCore

/// A TLS handshake of which both hellos were read.
struct Handshake {
    /// With what the client can resume connections: tickets of one connection.
    struct Ticket {
        /// From when on the client has them.
        var time: Int64
        /// Until when the server takes them.
        var expiry: Int64
        /// How many they are.
        var count: Int
        /// Each resumes any number of connections. In TLS 1.3 clients should use each once (RFC 8446 §C.4).
        var isReusable: Bool
    }

    var version: TLSVersion?
    /// Set-up bytes of TLS.
    var bytes: Int
    /// Those of certificate messages, where they were read.
    var certificates: Int
    var isResumed: Bool
    /// With the lifetime of that which is taken for longest; nil where it brought none, or none of which the lifetime is known.
    var ticket: Ticket?

    /// - Parameters:
    ///   - callTime: beginning of the first call.
    ///   - answerTime: first byte of its answer.
    init?(_ record: ConnectionRecord, callTime: Int64?, answerTime: Int64?) {
        guard let tls = record.tls, tls.handshakeWasRead else { return nil }
        version = tls.version
        bytes = record.costs.up[.setupTLS] + record.costs.down[.setupTLS]
        certificates = tls.certificateBytes ?? 0
        isResumed = tls.resumption != nil
        guard tls.tickets > 0, let lifetime = tls.ticketLifetime else { return }
        let end = record.time &+ max(record.duration, 0)
        // Up to TLS 1.2 tickets are a part of the handshake, which is over when the first call begins; in TLS 1.3 they come
        // after it, and before the first answer.
        let time = (tls.version == .tls13 ? answerTime : callTime) ?? end
        let (expiry, isFar) = record.time.addingReportingOverflow(Int64(lifetime) * 1_000_000_000)
        ticket = Ticket(
            time: time, expiry: isFar ? .max : expiry, count: tls.tickets, isReusable: tls.version != .tls13)
    }
}

extension ConnectionSavings.Group {
    /// What full handshakes of clients with a ticket cost more than resumed ones of the same client and server, by the
    /// places of their connections. `left`: the places of those that are opened.
    func avoidable(_ left: some Collection<Int>) -> [Int: Int] {
        byVersion(left) { handshakes, places in
            let resumed = handshakes.filter(\.isResumed)
            guard !resumed.isEmpty else { return [:] }
            let mean = resumed.reduce(0) { $0 + $1.bytes } / resumed.count
            // A handshake that is resumed brings as many new tickets as those that were resumed did.
            let renewed = resumed.map { $0.ticket?.count ?? 0 }.min() ?? 0
            return avoidable(places, renewed: renewed) { $0.bytes - mean }
        }
    }

    /// The certificates of full handshakes of clients with a ticket, where none was resumed.
    func unresumed() -> [Int: Int] {
        byVersion(uses.indices) { handshakes, places in
            guard !handshakes.contains(where: \.isResumed) else { return [:] }
            return avoidable(places, renewed: .max) { $0.certificates }
        }
    }

    /// A ticket resumes the version that gave it (RFC 8446 §4.6.1).
    private func byVersion(
        _ left: some Collection<Int>, _ find: ([Handshake], [Int]) -> [Int: Int]
    ) -> [Int: Int] {
        let all = uses.compactMap(\.handshake)
        return Set(all.map(\.version)).reduce(into: [:]) { found, version in
            let places = left.filter { uses[$0].handshake?.version == version }
            found.merge(find(all.filter { $0.version == version }, places)) { one, _ in one }
        }
    }

    private func avoidable(_ left: [Int], renewed: Int, _ saving: (Handshake) -> Int) -> [Int: Int] {
        var tickets = TicketSupply()
        var found: [Int: Int] = [:]
        for index in left.sorted(by: { (uses[$0].time, $0) < (uses[$1].time, $1) }) {
            guard let handshake = uses[index].handshake else { continue }
            var ticket = handshake.ticket
            let bytes = handshake.isResumed ? 0 : saving(handshake)
            if bytes > 0 || handshake.isResumed, tickets.take(at: uses[index].time), bytes > 0 {
                found[index] = bytes
                if let own = ticket?.count { ticket?.count = min(own, renewed) }
            }
            if let ticket { tickets.add(ticket) }
        }
        return found
    }
}

/// The tickets that a client has of one server.
private struct TicketSupply {
    /// Of so many connections; clients keep fewer.
    private static let most = 256

    private var tickets: [Handshake.Ticket] = []

    mutating func add(_ ticket: Handshake.Ticket) {
        guard ticket.count > 0 else { return }
        if tickets.count >= TicketSupply.most { tickets.removeFirst() }
        tickets.append(ticket)
    }

    /// Uses the one that expires first; false where there is none.
    mutating func take(at time: Int64) -> Bool {
        tickets.removeAll { $0.expiry < time }
        let first = tickets.indices.filter { tickets[$0].time <= time }.min { tickets[$0].expiry < tickets[$1].expiry }
        guard let first else { return false }
        if !tickets[first].isReusable { tickets[first].count -= 1 }
        if tickets[first].count == 0 { tickets.remove(at: first) }
        return true
    }
}
