/// Answers of DNS that a connection carries: addresses in them lead to other connections.
extension ExchangeTracker {
    /// The response of an exchange was a DNS message (RFC 8484).
    func tellAnswer(of index: Int, _ phases: ReaderPhases, _ context: inout StreamContext) {
        guard let bytes = context.answer else { return }
        context.answer = nil
        let number = context.exchanges[index].number
        // Where messages may be missing, its number may change, or another request may have been answered.
        guard context.exchanges[index].request.isPresent, context.exchanges[index].flags.isEmpty,
            number < uncertainFrom, !mayBeCancelled(0, before: number, phases, context),
            !mayBeCancelled(1, before: number, phases, context),
            let message = unsafe DNSMessage(bytes.span.bytes)
        else { return }
        tell(message, exchange: number, &context)
    }

    /// An answer came by itself, over TLS, QUIC or TCP.
    func tell(_ message: DNSMessage, exchange: Int?, _ context: inout StreamContext) {
        guard context.keepsRecords, message.isResponse, !message.name.isEmpty, !message.addresses.isEmpty else {
            return
        }
        context.completed.add(
            LearnedAnswer(
                client: connection.key.sender(of: client).address, name: message.name, addresses: message.addresses,
                time: context.attribution.packet.time,
                link: LookupLink(connection: connection.number, exchange: exchange)), at: context.findings)
    }

    /// The server's port may be that of DNS.
    var mayCarryLookups: Bool {
        let port = connection.key.sender(of: client.opposite).port
        return port == DNSStream.securePort || port == DNSStream.port
    }
}
