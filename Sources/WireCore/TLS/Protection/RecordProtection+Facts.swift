extension RecordProtection {
    private static let alertLimit = 8

    /// What the connection shows of itself so far. `client` is the client's direction.
    func facts(client: Direction) -> TLSFacts {
        let server = client.opposite
        var facts = handshake.known
        (facts.isDecrypted, facts.blindness) = (isDecrypted, blindness)
        facts.directions = Directions(up: directions[client].count.facts, down: directions[server].count.facts)
        facts.directions.up.messages = handshake.directions[client].counts
        facts.directions.down.messages = handshake.directions[server].counts
        facts.closeNotify = Directions(up: directions[client].hasClosed, down: directions[server].hasClosed)
        facts.alerts = alerts.map { alert in
            TLSAlert(isFromClient: alert.direction == client, level: alert.level, description: alert.description)
        }
        if handshake.negotiation.isTLS13 {
            facts.compatibilityRecords = directions[0].changeCipherSpecs + directions[1].changeCipherSpecs
        }
        return facts
    }

    /// The application protocol that the server selected; nil where that could not be read.
    var agreedProtocol: String? { handshake.known.applicationProtocol.map { String(decoding: $0, as: UTF8.self) } }

    /// The same; as long as the client is not known, direction 0 stands for it.
    var facts: TLSFacts { facts(client: client ?? 0) }

    /// The length of a record that is not opened tells that of its content: neither padding nor content types hide in it.
    var contentLengthIsExact: Bool {
        !handshake.negotiation.isTLS13 && handshake.negotiation.suite?.showsContentLength == true
    }

    /// Records of the direction are under the key of early data.
    func isEarly(_ direction: Direction) -> Bool { direction == client && directions[direction].epoch == .early }

    /// The server has not said yet whether it takes the early data that the client may send.
    var earlyDataIsUndecided: Bool {
        guard handshake.known.earlyData == .offered, let client else { return false }
        return isEarly(client)
    }

    /// Takes an alert that could be read.
    func take(alert level: UInt8, _ description: UInt8, _ direction: Direction) -> RecordContent {
        if alerts.count < RecordProtection.alertLimit { alerts.append((direction, level, description)) }
        guard description == 0 else { return .alert }
        directions[direction].hasClosed = true
        return .closeNotify
    }
}
