import WireNative

/// Records by content type, opened or passed by.
extension TLSConnection {
    private static let contentLimit = 1 << 14

    // MARK: Passed by

    /// Counts application data that is not opened.
    func passData(_ header: RecordHeader, _ side: Int) -> RecordContent {
        let overhead = sides[side].count.overhead(header)
        let encrypted = RecordContent.encrypted(lead: overhead.lead, trail: overhead.trail)
        if sides[side].opening == .closed, !isClientBeforeServerHello(side) {
            if known.blindness == nil { known.blindness = sides[side].reason }
            sides[side].count.isPassing = true
            return encrypted
        }
        let isOpen = isReady(side)
        let isHandshake = isOpen && isCertainlyHandshake(side)
        passProtected(side)
        if isHandshake { return .handshake }
        if known.blindness == nil { known.blindness = isOpen ? .gap : sides[side].reason }
        return encrypted
    }

    /// A client may send under keys that depend on a ServerHello that the capture shows later.
    private func isClientBeforeServerHello(_ side: Int) -> Bool {
        sides[side].epoch == .clear && clientSide == side && negotiation.version == nil
    }

    /// The next record of the side is under handshake keys, so it is no data.
    private func isCertainlyHandshake(_ side: Int) -> Bool {
        sides[side].epoch == .handshake && sides[side].decryptor != nil && sides[side].unexamined == 0
            && !sides[side].messages.isLost
    }

    /// Counts a handshake record that is not opened.
    func passHandshake(_ side: Int, isMissing: Bool) {
        sides[side].messages.lose()
        if hidesHandshake(side) {
            passProtected(side)
        } else if isMissing, negotiation.version == nil, keys != nil {
            // A hello may have been in it.
            sides[0].reason = .gap
            sides[1].reason = .gap
        }
    }

    /// Goes past a record of any type but application data. TLS 1.3 protects no such record.
    func passOther(_ side: Int) {
        if hidesHandshake(side) { passProtected(side) }
    }

    /// Keeps the sequence number in step with a protected record that nobody looks at.
    private func passProtected(_ side: Int) {
        guard sides[side].epoch != .clear || isClientBeforeServerHello(side) else { return }
        sides[side].sequence &+= 1
        sides[side].unexamined &+= 1
        if negotiation.isTLS13, sides[side].epoch != .clear { sides[side].messages.lose() }
    }

    // MARK: Opened

    func openData(_ record: RawSpan, _ header: RecordHeader, _ side: Int, _ output: inout [UInt8]) -> RecordContent {
        guard isReady(side) else { return passData(header, side) }
        guard let opened = openProtected(record, side, &output) else {
            // Without handshake keys, what the keys of data do not open is the handshake.
            let mayBeData = sides[side].epoch != .handshake || sides[side].unexamined > 0
            if known.blindness == nil, mayBeData { known.blindness = sides[side].reason }
            let overhead = sides[side].count.overhead(header)
            return .encrypted(lead: overhead.lead, trail: overhead.trail)
        }
        // In TLS 1.3 the content type that the header shows is no content type.
        switch opened.contentType {
        case RecordType.applicationData: return takeData(opened)
        case RecordType.handshake:
            takeMessages(unsafe output.span.bytes, opened.content, side)
            return .handshake
        case RecordType.alert:
            guard opened.content.count == 2 else { return .alert }
            let first = opened.content.lowerBound
            return take(alert: output[first], output[first + 1], side)
        default: return .encrypted(lead: opened.lead, trail: opened.trail)
        }
    }

    private func takeData(_ opened: OpenedRecord) -> RecordContent {
        // No receiver takes more than 2¹⁴ bytes (RFC 8446 §5.2), so these never were anybody's data.
        guard opened.content.count <= TLSConnection.contentLimit else {
            find(.recordMalformed)
            return .encrypted(lead: opened.lead, trail: opened.trail)
        }
        known.isDecrypted = true
        return .applicationData(content: opened.content, lead: opened.lead, trail: opened.trail)
    }

    func openHandshake(
        _ record: RawSpan, _ header: RecordHeader, _ side: Int, _ output: inout [UInt8]
    ) -> RecordContent {
        guard hidesHandshake(side) else {
            guard !negotiation.isTLS13 || sides[side].epoch == .clear else {
                // TLS 1.3 has no clear handshake message behind the ServerHello.
                find(.handshakeMalformed)
                return .handshake
            }
            takeMessages(record, RecordHeader.length..<header.recordLength, side)
            return .handshake
        }
        if isReady(side), let opened = openProtected(record, side, &output) {
            takeMessages(unsafe output.span.bytes, opened.content, side)
        } else if !isReady(side) {
            passHandshake(side, isMissing: false)
        }
        return .handshake
    }

    func openAlert(_ record: RawSpan, _ header: RecordHeader, _ side: Int, _ output: inout [UInt8]) -> RecordContent {
        // Two bytes are no encrypted alert: every cipher adds more.
        if header.fragmentLength == 2 {
            return take(alert: record.u8(RecordHeader.length), record.u8(RecordHeader.length + 1), side)
        }
        guard hidesHandshake(side) else { return .alert }
        guard isReady(side) else {
            passProtected(side)
            return .alert
        }
        guard let opened = openProtected(record, side, &output), opened.content.count == 2 else { return .alert }
        let first = opened.content.lowerBound
        return take(alert: output[first], output[first + 1], side)
    }

    func openChangeCipherSpec(_ record: RawSpan, _ side: Int, _ output: inout [UInt8]) -> RecordContent {
        // In a renegotiation it is protected by the keys that it ends.
        if hidesHandshake(side), isReady(side) { _ = openProtected(record, side, &output) }
        takeChangeCipherSpec(side)
        return .handshake
    }
}
