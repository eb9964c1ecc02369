extension TLSConnection {
    private static let alertLimit = 8

    /// What the connection shows of itself so far. `client` is the client's side.
    func facts(client: Int) -> TLSFacts {
        let server = 1 - client
        var facts = known
        facts.directions = Directions(up: sides[client].count.facts, down: sides[server].count.facts)
        facts.closeNotify = Directions(up: sides[client].hasClosed, down: sides[server].hasClosed)
        facts.alerts = alerts.map { alert in
            TLSAlert(isFromClient: alert.side == client, level: alert.level, description: alert.description)
        }
        if negotiation.isTLS13 {
            facts.compatibilityRecords = sides[0].changeCipherSpecs + sides[1].changeCipherSpecs
        }
        return facts
    }

    /// The same; as long as the client is not known, side 0 stands for it.
    var facts: TLSFacts { facts(client: clientSide ?? 0) }

    /// The length of a record that is not opened tells that of its content: neither padding nor content types hide in it.
    var contentLengthIsExact: Bool {
        guard !negotiation.isTLS13 else { return false }
        switch negotiation.suite?.cipher {
        case .aesGCM, .aesCCM, .chaCha20Poly1305, .ariaGCM, .camelliaGCM, .rc4, .null: return true
        case .cbc, nil: return false
        }
    }

    /// Records of the side are under the key of early data.
    func isEarly(_ side: Int) -> Bool { side == clientSide && sides[side].epoch == .early }

    /// The server has not said yet whether it takes the early data that the client may send.
    var earlyDataIsUndecided: Bool {
        guard known.earlyData == .offered, let clientSide else { return false }
        return isEarly(clientSide)
    }

    /// A record that was counted when it began did not come whole.
    func retract(_ header: RecordHeader, _ side: Int) { sides[side].count.retract(header) }

    /// Takes an alert that could be read.
    func take(alert level: UInt8, _ description: UInt8, _ side: Int) -> RecordContent {
        if alerts.count < TLSConnection.alertLimit { alerts.append((side, level, description)) }
        guard description == 0 else { return .alert }
        sides[side].hasClosed = true
        return .closeNotify
    }
}
