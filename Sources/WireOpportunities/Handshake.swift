import WireCore

/// A TLS handshake of which both hellos were read.
struct Handshake {
    /// With what the client can resume connections.
    struct Ticket {
        /// From when on the client has it.
        var time: Int64
        /// Until when the server takes it.
        var expiry: Int64
    }

    var version: TLSVersion?
    /// Set-up bytes of TLS.
    var bytes: Int
    var isResumed: Bool
    /// The one that is taken for longest; nil where it brought none, or none of which the lifetime is known.
    var ticket: Ticket?

    /// - Parameters:
    ///   - callTime: beginning of the first call.
    ///   - answerTime: first byte of its answer.
    init?(_ record: ConnectionRecord, callTime: Int64?, answerTime: Int64?) {
        guard let tls = record.tls, tls.handshakeWasRead else { return nil }
        version = tls.version
        bytes = record.costs.up[.setupTLS] + record.costs.down[.setupTLS]
        isResumed = tls.resumption != nil
        guard tls.tickets > 0, let lifetime = tls.ticketLifetime else { return }
        let end = record.time &+ max(record.duration, 0)
        // Up to TLS 1.2 tickets are a part of the handshake, which is over when the first call begins; in TLS 1.3 they come
        // after it, and before the first answer.
        let time = (tls.version == .tls13 ? answerTime : callTime) ?? end
        let (expiry, isFar) = record.time.addingReportingOverflow(Int64(lifetime) * 1_000_000_000)
        ticket = Ticket(time: time, expiry: isFar ? .max : expiry)
    }
}

extension ConnectionSavings.Group {
    /// What full handshakes of clients with a ticket cost more than resumed ones of the same client and server, by the
    /// places of their connections. `left`: the places of those that are opened.
    func avoidable(_ left: some Collection<Int>) -> [Int: Int] {
        // A ticket resumes the version that gave it (RFC 8446 §4.6.1).
        Set(uses.compactMap(\.handshake).map(\.version)).reduce(into: [:]) { found, version in
            let places = left.filter { uses[$0].handshake?.version == version }
            let resumed = uses.compactMap(\.handshake).filter { $0.isResumed && $0.version == version }
            found.merge(avoidable(places, resumed)) { one, _ in one }
        }
    }

    private func avoidable(_ left: [Int], _ resumed: [Handshake]) -> [Int: Int] {
        guard !resumed.isEmpty else { return [:] }
        let mean = resumed.reduce(0) { $0 + $1.bytes } / resumed.count
        // A handshake that is resumed brings a new ticket only where those that were resumed did.
        let isRenewed = resumed.allSatisfy { $0.ticket != nil }
        var expiry = Int64.min
        var coming: [Handshake.Ticket] = []
        var found: [Int: Int] = [:]
        for index in left.sorted(by: { (uses[$0].time, $0) < (uses[$1].time, $1) }) {
            guard let handshake = uses[index].handshake else { continue }
            let time = uses[index].time
            for ticket in coming where ticket.time <= time { expiry = max(expiry, ticket.expiry) }
            coming.removeAll { $0.time <= time }
            if time <= expiry, !handshake.isResumed, handshake.bytes > mean {
                found[index] = handshake.bytes - mean
                if !isRenewed { continue }
            }
            if let ticket = handshake.ticket { coming.append(ticket) }
        }
        return found
    }
}
