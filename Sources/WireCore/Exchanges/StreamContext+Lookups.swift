/// Answers of DNS that a connection carries: addresses in them lead to other connections.
extension StreamContext {
    /// The response of an exchange was a DNS message (RFC 8484).
    mutating func tellAnswer(of index: Int, _ tracker: borrowing ExchangeTracker, _ phases: ReaderPhases) {
        guard let bytes = answer else { return }
        answer = nil
        let number = exchanges[index].number
        // Where messages may be missing, its number may change, or another request may have been answered.
        guard exchanges[index].request.isPresent, exchanges[index].flags.isEmpty, number < tracker.uncertainFrom,
            !tracker.mayBeCancelled(0, before: number, phases, self),
            !tracker.mayBeCancelled(1, before: number, phases, self),
            let message = unsafe DNSMessage(bytes.span.bytes)
        else { return }
        tell(message, exchange: number, of: tracker)
    }

    /// An answer came; nil for `exchange`: by itself, over TLS, QUIC or TCP.
    mutating func tell(_ message: DNSMessage, exchange: Int?, of tracker: borrowing ExchangeTracker) {
        guard keepsRecords, message.isResponse, !message.name.isEmpty, !message.addresses.isEmpty else { return }
        let connection = tracker.connection
        completed.add(
            LearnedAnswer(
                client: connection.key.sender(of: tracker.client).address, name: message.name,
                addresses: message.addresses, time: attribution.packet.time,
                link: LookupLink(connection: connection.number, exchange: exchange)), at: findings)
    }
}
