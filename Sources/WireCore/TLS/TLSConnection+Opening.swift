import WireNative

/// Opening of protected records, and the search for the right key where records are missing.
extension TLSConnection {
    /// Records in a row that no key may open before the side is given up.
    private static let attemptLimit = 64
    /// Numbers that are tried for one record behind a gap, and for all records of a side behind it.
    private static let seekingWidth = 512
    private static let seekingLimit = 8192
    /// Sequence numbers that are tried under a later key.
    private static let searchLimit = 8

    /// Opens a record of a side that is ready. Nil when no key does; then the side may not be ready any more.
    func openProtected(_ record: RawSpan, _ side: Int, _ output: inout [UInt8]) -> OpenedRecord? {
        let sequence = sides[side].sequence
        if let decryptor = sides[side].decryptor {
            if let opened = decryptor.open(record, sequence: sequence, into: &output) {
                sides[side].sequence = sequence &+ 1
                sides[side].unexamined = 0
                sides[side].attempts = 0
                hasOpened = true
                return opened
            }
            if sides[side].seekingBudget != nil { return seek(record, side, decryptor, &output) }
        } else if let opened = openEarlyData(record, side, &output) {
            return opened
        }
        return negotiation.isTLS13 || sides[side].epoch == .early
            ? search(record, side, &output) : refuse(record, side)
    }

    /// Behind a gap: tries the numbers that the record may have. Authenticity decides.
    private func seek(
        _ record: RawSpan, _ side: Int, _ decryptor: RecordDecryptor, _ output: inout [UInt8]
    ) -> OpenedRecord? {
        let first = sides[side].sequence
        for number in first &+ 1...first &+ UInt64(TLSConnection.seekingWidth) {
            guard let budget = sides[side].seekingBudget, budget > 0 else {
                lose(side, .gap)
                return nil
            }
            sides[side].seekingBudget = budget - 1
            guard let opened = decryptor.open(record, sequence: number, into: &output) else { continue }
            sides[side].sequence = number &+ 1
            sides[side].seekingBudget = nil
            sides[side].unexamined = 0
            return opened
        }
        // This one went by as well.
        sides[side].sequence &+= 1
        return nil
    }

    /// Records went by that nobody could count, `least` of them or more: framing is found again, the number is not known.
    func seekNumber(_ side: Int, atLeast least: Int) {
        known.blindness = known.blindness ?? .gap
        sides[side].messages.lose()
        sides[side].sequence &+= UInt64(max(0, least))
        sides[side].unexamined &+= 1
        sides[side].seekingBudget = TLSConnection.seekingLimit
    }

    /// Whether records of the side make sense without what went before: none is open, or the keys are those of data.
    func survivesGap(_ side: Int) -> Bool {
        sides[side].opening == .closed || (sides[side].epoch == .application && sides[side].decryptor != nil)
    }

    private func openEarlyData(_ record: RawSpan, _ side: Int, _ output: inout [UInt8]) -> OpenedRecord? {
        let sequence = sides[side].sequence
        for decryptor in sides[side].earlyDecryptors {
            guard let opened = decryptor.open(record, sequence: sequence, into: &output) else { continue }
            if sides[side].earlyDecryptors.count > 1 { sides[side].earlyDecryptors = [decryptor] }
            sides[side].sequence = sequence &+ 1
            sides[side].unexamined = 0
            hasOpened = true
            return opened
        }
        return nil
    }

    /// TLS 1.2 and earlier: ChangeCipherSpec shows where keys change, so the key is wrong, unless a record before this
    /// one is missing and TLS 1.0 has chained the two (RFC 2246 §6.2.3.2).
    private func refuse(_ record: RawSpan, _ side: Int) -> OpenedRecord? {
        guard sides[side].unexamined > 0, negotiation.version == ProtocolVersion.tls10 else {
            refuseKeys(side)
            return nil
        }
        sides[side].decryptor?.skip(record)
        sides[side].sequence &+= 1
        sides[side].unexamined = 0
        sides[side].reason = .gap
        return nil
    }

    /// TLS 1.3: tries keys of later epochs, where the message that changed the keys may not have been read.
    private func search(_ record: RawSpan, _ side: Int, _ output: inout [UInt8]) -> OpenedRecord? {
        guard mayHaveChangedKeys(side) else {
            refuseKeys(side)
            return nil
        }
        let secrets = negotiation.clientRandom.flatMap { keys?.secrets(clientRandom: $0) }
        let last = min(sides[side].unexamined, TLSConnection.searchLimit)
        for later in laterKeys(side, secrets) {
            guard let decryptor = trafficDecryptor(later.secret, negotiation.suite) else { continue }
            for sequence in 0...UInt64(last) {
                guard let opened = decryptor.open(record, sequence: sequence, into: &output) else { continue }
                let secret = later.epoch == .application ? later.secret : []
                sides[side].adopt(decryptor, later.epoch, secret: secret, sequence: sequence)
                if last > 0 { sides[side].messages.lose() }
                hasOpened = true
                return opened
            }
        }
        countAttempt(side)
        return nil
    }

    private func mayHaveChangedKeys(_ side: Int) -> Bool {
        sides[side].epoch == .early || sides[side].unexamined > 0 || sides[side].decryptor == nil
            || sides[side].messages.isLost
    }

    private func countAttempt(_ side: Int) {
        let isGap = sides[side].unexamined > 0 || sides[side].messages.isLost
        if isGap { sides[side].reason = .gap }
        sides[side].attempts += 1
        // Keys of early data that opened some are right; then this is no early data.
        if sides[side].epoch == .early, negotiation.version == nil {
            guard sides[side].sequence > 0 else { return refuseEarlyKeys(side) }
            leaveEarlyData(side)
            sides[side].sequence = 1
            sides[side].unexamined = 1
            return
        }
        guard sides[side].attempts >= TLSConnection.attemptLimit else { return }
        let reason = sides[side].reason
        sides[side].bar(reason)
        if known.blindness == nil { known.blindness = reason }
    }

    /// The early secret opens nothing although the suite must be among those tried.
    private func refuseEarlyKeys(_ side: Int) {
        find(.keyWrong)
        if known.blindness == nil { known.blindness = .keyWrong }
        sides[side].close(.keyMissing)
    }
}
