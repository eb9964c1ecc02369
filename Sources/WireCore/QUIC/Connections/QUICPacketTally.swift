/// What the frames of one packet are, for the packet's own overhead.
struct QUICPacketTally {
    /// Owners of new exchange data, by bytes; a first FIN counts as one.
    var message = ShareList()
    /// Owners of data that came again.
    var repeated = ShareList()
    /// Owners of frames that control one stream, by their bytes.
    var control = ShareList()
    var hasNewHandshake = false
    var hasNewControl = false
    var hasClose = false
    /// Frames of the connection but PING, ACK, PADDING.
    var hasConnectionFrame = false
    var hasPathFrame = false
    var ping = 0
    var padding = 0
    /// Bytes of the ACK frames, and whose they are.
    var acknowledgment = 0
    var acknowledgedOwner: Owner?
    /// The entry of ACK frames whose owner is not known yet; the connection has them until then.
    var waitingACK: Int?
    /// Of the last STREAM frame that an exchange owns.
    var last: Owner?
}

/// The overhead of a packet: header, tag and padding go with the best of its frames (ByteLedger.md §7.3).
extension QUICPacketTally {
    /// - Parameters:
    ///   - overhead: bytes of the header and the tag.
    ///   - isPadded: its datagram holds an Initial.
    func close(
        _ space: QUICSide.Space, overhead: Int, _ direction: Direction, _ isPadded: Bool,
        _ context: inout StreamContext
    ) -> QUICPacketVerdict {
        var tally = self
        let isHandshake = space != .application
        let filled = tally.padding
        if isPadded || tally.hasPathFrame {
            context.attribution.book(.connection, .setupQUIC, tally.padding, direction)
            tally.padding = 0
        }
        var verdict = tally.verdict(isHandshake: isHandshake, filled: filled)
        var amount = overhead + tally.padding
        if verdict.rank == .repeated, !tally.hasConnectionFrame, tally.control.isEmpty, !tally.hasClose {
            // Nothing but repetition, and what rides with it.
            amount += tally.ping + tally.acknowledgment
            (tally.ping, tally.acknowledgment) = (0, 0)
        }
        if tally.ping > 0 {
            let isSetup = verdict.rank == .newHandshake || verdict.rank == .connectionControl
            context.attribution.book(.connection, isSetup ? .setupQUIC : .keepalive, tally.ping, direction)
        }
        if tally.acknowledgment > 0 {
            let owner = tally.acknowledgedOwner ?? .connection
            if isHandshake {
                context.attribution.book(.connection, .setupQUIC, tally.acknowledgment, direction)
            } else {
                context.attribution.book(owner, .ack, tally.acknowledgment, direction)
                verdict.waitingACK = tally.waitingACK
                verdict.waitingBytes = tally.acknowledgment
            }
            if verdict.rank == .acknowledgment {
                verdict.waitingBytes += amount
                var shares = ShareList()
                shares.add(owner, 1)
                verdict.shares = shares
            }
        }
        verdict.shares = verdict.shares.merged()
        post(amount, tagged: verdict, direction, &context)
        return verdict
    }

    /// Shares out header, tag and padding. Of packets with message bytes the tag is what a TLS record is elsewhere.
    private func post(
        _ amount: Int, tagged verdict: QUICPacketVerdict, _ direction: Direction, _ context: inout StreamContext
    ) {
        guard verdict.rank == .message else { return post(amount, verdict.cause, verdict.shares, direction, &context) }
        let tag = 16
        post(amount - tag, .quic, verdict.shares, direction, &context)
        post(tag, .tlsRecords, verdict.shares, direction, &context)
    }

    private func post(
        _ amount: Int, _ cause: Cause, _ shares: ShareList, _ direction: Direction, _ context: inout StreamContext
    ) {
        guard shares.count > 1 else {
            return context.attribution.book(
                shares.isEmpty ? .connection : shares[0].owner, cause, amount, direction)
        }
        for (index, part) in context.attribution.divide(amount, among: shares).enumerated() {
            context.attribution.book(shares[index].owner, cause, part, direction)
        }
    }

    /// What the packet was sent for. `filled`: bytes of PADDING in it.
    private func verdict(isHandshake: Bool, filled: Int) -> QUICPacketVerdict {
        if !message.isEmpty { return QUICPacketVerdict(.message, .quic, message) }
        if hasNewHandshake || isHandshake && !hasClose {
            return QUICPacketVerdict(.newHandshake, .setupQUIC)
        }
        if hasNewControl { return QUICPacketVerdict(.newControl, .setupHTTP) }
        if !repeated.isEmpty { return QUICPacketVerdict(.repeated, .retransmission, repeated) }
        if hasClose { return QUICPacketVerdict(.close, .teardown) }
        if !control.isEmpty {
            let hasOwner = (0..<control.count).contains { control[$0].owner != .connection }
            return hasOwner
                ? QUICPacketVerdict(.streamControl, .quic, control)
                : QUICPacketVerdict(.connectionControl, .setupQUIC)
        }
        // A PING that fills its packet probes how long packets may be (RFC 8899).
        if hasConnectionFrame || ping > 0 && filled > 3 {
            return QUICPacketVerdict(.connectionControl, .setupQUIC)
        }
        if ping > 0 { return QUICPacketVerdict(.ping, .keepalive) }
        if acknowledgment > 0 { return QUICPacketVerdict(.acknowledgment, .ack) }
        return QUICPacketVerdict(.connectionControl, .setupQUIC)
    }
}
