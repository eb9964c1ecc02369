import WireNative

/// Connections whose hellos were not captured.
extension RecordProtection {
    /// No hello of the client was read, and records of the direction are still tried with what the key log has.
    func mayJoin(_ direction: Direction) -> Bool {
        lateKeys != nil && handshake.negotiation.clientRandom == nil && handshake.secrets == nil
            && (handshake.negotiation.version == nil || handshake.negotiation.isTLS13)
            && directions[direction].joinTries < LateKeySearch.recordLimit && !directions[direction].isBarred
    }

    /// The connection began before the capture, and its records are read all the same.
    var isJoined: Bool { handshake.negotiation.clientRandom == nil && handshake.secrets != nil }

    /// Opens a record, and with it the connection: both directions go on with the secrets that it proved.
    func join(_ record: RawSpan, _ direction: Direction, _ output: inout [UInt8]) -> OpenedRecord? {
        directions[direction].joinTries += 1
        let agreed = handshake.negotiation.suite
        guard let keys, let found = lateKeys?.find(record, agreed: agreed, keys, into: &output) else { return nil }
        let client = found.isFromClient ? direction : direction.opposite
        // Who sent a hello is known.
        guard handshake.client == nil || handshake.client == client else { return nil }
        handshake.join(found.secrets, found.suite, client: client)
        let overhead = handshake.negotiation.overhead
        for direction in Direction.both {
            begin(.application, direction)
            // What went before may have been the beginning of a message.
            handshake.directions[direction].messages.lose()
            directions[direction].count.lead = overhead.lead
            directions[direction].count.trail = overhead.trail
        }
        let secret = found.secrets.secret(of: .application, isClient: found.isFromClient) ?? []
        directions[direction].adopt(found.decryptor, secret: secret, sequence: found.sequence)
        directions[direction.opposite].seek(
            budget: 2 * LateKeySearch.numberLimit, width: LateKeySearch.numberLimit)
        hasOpened = true
        return found.opened
    }
}
