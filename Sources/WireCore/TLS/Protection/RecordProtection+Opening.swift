import WireNative

/// Opening of protected records, and the search for the right key where records are missing.
extension RecordProtection {
    /// Records in a row that no key may open before the direction is given up.
    private static let attemptLimit = 64
    /// Numbers that are tried for one record behind a gap, and for all records of a direction behind it.
    private static let seeking = (width: 512, limit: 8192)
    /// Sequence numbers that are tried under a later key.
    private static let searchLimit = 8

    /// Opens a record of a direction that is ready. Nil when no key does; then the direction may not be ready any more.
    func openProtected(_ record: RawSpan, _ direction: Direction, _ output: inout [UInt8]) -> OpenedRecord? {
        if directions[direction].opening == .closed { return join(record, direction, &output) }
        let sequence = directions[direction].sequence
        if let decryptor = directions[direction].decryptor {
            if let opened = decryptor.open(record, sequence: sequence, into: &output) {
                directions[direction].sequence = sequence &+ 1
                directions[direction].unexamined = 0
                directions[direction].attempts = 0
                directions[direction].seekingBudget = nil
                hasOpened = true
                return opened
            }
            if directions[direction].seekingBudget != nil { return seek(record, direction, decryptor, &output) }
        } else if let opened = openEarlyData(record, direction, &output) {
            return opened
        } else if handshake.mayHaveInnerSecrets {
            return openByInnerHello(record, direction, &output)
        }
        return handshake.negotiation.isTLS13 || directions[direction].epoch == .early
            ? search(record, direction, &output) : refuse(record, direction)
    }

    /// Behind a gap: tries the numbers that the record may have. Authenticity decides.
    private func seek(
        _ record: RawSpan, _ direction: Direction, _ decryptor: RecordDecryptor, _ output: inout [UInt8]
    ) -> OpenedRecord? {
        let first = directions[direction].sequence
        for number in first &+ 1...first &+ UInt64(directions[direction].seekingWidth) {
            guard let budget = directions[direction].seekingBudget, budget > 0 else {
                lose(direction, isJoined && directions[direction].sequence == 0 ? .noHandshake : .gap)
                return nil
            }
            directions[direction].seekingBudget = budget - 1
            guard let opened = decryptor.open(record, sequence: number, into: &output) else { continue }
            directions[direction].sequence = number &+ 1
            directions[direction].seekingBudget = nil
            directions[direction].unexamined = 0
            return opened
        }
        // This one went by as well.
        directions[direction].sequence &+= 1
        return nil
    }

    /// Records went by that nobody could count, `least` of them or more: framing is found again, the number is not handshake.known.
    func seekNumber(_ direction: Direction, atLeast least: Int) {
        blindness = blindness ?? .gap
        handshake.directions[direction].messages.lose()
        directions[direction].sequence &+= UInt64(max(0, least))
        directions[direction].unexamined &+= 1
        directions[direction].seek(budget: RecordProtection.seeking.limit, width: RecordProtection.seeking.width)
    }

    /// Whether records of the direction make sense without what went before: none is open, or the keys are those of data.
    func survivesGap(_ direction: Direction) -> Bool {
        directions[direction].opening == .closed
            || (directions[direction].epoch == .application && directions[direction].decryptor != nil)
    }

    private func openEarlyData(_ record: RawSpan, _ direction: Direction, _ output: inout [UInt8]) -> OpenedRecord? {
        let sequence = directions[direction].sequence
        for decryptor in directions[direction].earlyDecryptors {
            guard let opened = decryptor.open(record, sequence: sequence, into: &output) else { continue }
            if directions[direction].earlyDecryptors.count > 1 { directions[direction].earlyDecryptors = [decryptor] }
            directions[direction].sequence = sequence &+ 1
            directions[direction].unexamined = 0
            hasOpened = true
            return opened
        }
        return nil
    }

    /// The random that names the connection in the key log is encrypted: its secrets are those that open the record.
    private func openByInnerHello(
        _ record: RawSpan, _ direction: Direction, _ output: inout [UInt8]
    ) -> OpenedRecord? {
        let (epoch, first) = (directions[direction].epoch, directions[direction].sequence)
        let last = first &+ UInt64(min(directions[direction].unexamined, RecordProtection.searchLimit))
        let isFound = handshake.findInnerSecrets { secrets in
            guard let secret = secrets.secret(of: epoch, isClient: direction == client),
                let decryptor = handshake.negotiation.suite?.trafficDecryptor(secret)
            else { return false }
            return (first...last).contains { decryptor.open(record, sequence: $0, into: &output) != nil }
        }
        guard isFound else {
            giveUp(direction, .keyMissing)
            return nil
        }
        prepare(direction)
        return openProtected(record, direction, &output)
    }

    /// TLS 1.2 and earlier: ChangeCipherSpec shows where keys change, so the key is wrong, unless a record before this
    /// one is missing and TLS 1.0 has chained the two (RFC 2246 §6.2.3.2).
    private func refuse(_ record: RawSpan, _ direction: Direction) -> OpenedRecord? {
        guard directions[direction].unexamined > 0, handshake.negotiation.version == ProtocolVersion.tls10 else {
            refuseKeys(direction)
            return nil
        }
        directions[direction].decryptor?.skip(record)
        directions[direction].sequence &+= 1
        directions[direction].unexamined = 0
        directions[direction].reason = .gap
        return nil
    }

    /// TLS 1.3: tries keys of later epochs, where the message that changed the keys may not have been read.
    private func search(_ record: RawSpan, _ direction: Direction, _ output: inout [UInt8]) -> OpenedRecord? {
        guard mayHaveChangedKeys(direction) else {
            refuseKeys(direction)
            return nil
        }
        let secrets = handshake.secrets
        let last = min(directions[direction].unexamined, RecordProtection.searchLimit)
        for later in laterKeys(direction, secrets) {
            guard let decryptor = handshake.negotiation.suite?.trafficDecryptor(later.secret) else { continue }
            for sequence in 0...UInt64(last) {
                guard let opened = decryptor.open(record, sequence: sequence, into: &output) else { continue }
                let secret = later.epoch == .application ? later.secret : []
                begin(later.epoch, direction)
                directions[direction].adopt(decryptor, secret: secret, sequence: sequence)
                if last > 0 { handshake.directions[direction].messages.lose() }
                hasOpened = true
                return opened
            }
        }
        countAttempt(direction)
        return nil
    }

    private func mayHaveChangedKeys(_ direction: Direction) -> Bool {
        directions[direction].epoch == .early || directions[direction].unexamined > 0
            || directions[direction].decryptor == nil
            || handshake.directions[direction].messages.isLost
    }

    private func countAttempt(_ direction: Direction) {
        let isGap = directions[direction].unexamined > 0 || handshake.directions[direction].messages.isLost
        if isGap { directions[direction].reason = .gap }
        directions[direction].attempts += 1
        // Keys of early data that opened some are right; then this is no early data.
        if directions[direction].epoch == .early, handshake.negotiation.version == nil {
            guard directions[direction].sequence > 0 else { return refuseEarlyKeys(direction) }
            leaveEarlyData(direction)
            directions[direction].sequence = 1
            directions[direction].unexamined = 1
            return
        }
        guard directions[direction].attempts >= RecordProtection.attemptLimit else { return }
        let reason = directions[direction].reason
        directions[direction].bar(reason)
        if blindness == nil { blindness = reason }
    }

    /// The early secret opens nothing although the suite must be among those tried.
    private func refuseEarlyKeys(_ direction: Direction) {
        handshake.findings.add(.keyWrong)
        if blindness == nil { blindness = .keyWrong }
        directions[direction].close(.keyMissing)
    }
}
