import WireNative

/// Records by content type, opened or passed by.
extension RecordProtection {
    private static let contentLimit = 1 << 14

    // MARK: Passed by

    /// Counts application data that is not opened.
    func passData(_ header: RecordHeader, _ direction: Direction) -> RecordContent {
        let overhead = directions[direction].count.overhead(header)
        let encrypted = RecordContent.encrypted(lead: overhead.lead, trail: overhead.trail)
        if directions[direction].opening == .closed, !isClientBeforeServerHello(direction) {
            if blindness == nil { blindness = directions[direction].reason }
            directions[direction].count.isPassing = true
            return encrypted
        }
        let isOpen = isReady(direction)
        let isHandshake = isOpen && isCertainlyHandshake(direction)
        passProtected(direction)
        if isHandshake { return .handshake }
        if blindness == nil { blindness = isOpen ? .gap : directions[direction].reason }
        return encrypted
    }

    /// A client may send under keys that depend on a ServerHello that the capture shows later.
    private func isClientBeforeServerHello(_ direction: Direction) -> Bool {
        directions[direction].epoch == .clear && client == direction && handshake.negotiation.version == nil
    }

    /// The next record of the direction is under handshake keys, so it is no data.
    private func isCertainlyHandshake(_ direction: Direction) -> Bool {
        directions[direction].epoch == .handshake && directions[direction].decryptor != nil
            && directions[direction].unexamined == 0
            && !handshake.directions[direction].messages.isLost
    }

    /// Counts a handshake record that is not opened.
    func passHandshake(_ direction: Direction, isMissing: Bool) {
        handshake.directions[direction].messages.lose()
        if hidesHandshake(direction) {
            passProtected(direction)
        } else if isMissing, handshake.negotiation.version == nil, keys != nil {
            // A hello may have been in it.
            directions[0].reason = .gap
            directions[1].reason = .gap
        }
    }

    /// Goes past a record of any type but application data. TLS 1.3 protects no such record.
    func passOther(_ direction: Direction) {
        if hidesHandshake(direction) { passProtected(direction) }
    }

    /// Keeps the sequence number in step with a protected record that nobody looks at.
    private func passProtected(_ direction: Direction) {
        guard directions[direction].epoch != .clear || isClientBeforeServerHello(direction) else { return }
        directions[direction].sequence &+= 1
        directions[direction].unexamined &+= 1
        if handshake.negotiation.isTLS13, directions[direction].epoch != .clear {
            handshake.directions[direction].messages.lose()
        }
    }

    // MARK: Opened

    func openData(_ record: RawSpan, _ header: RecordHeader, _ direction: Direction, _ output: inout [UInt8])
        -> RecordContent
    {
        guard isReady(direction) else { return passData(header, direction) }
        guard let opened = openProtected(record, direction, &output) else {
            // Without handshake keys, what the keys of data do not open is the handshake.
            let mayBeData = directions[direction].epoch != .handshake || directions[direction].unexamined > 0
            if blindness == nil, mayBeData { blindness = directions[direction].reason }
            let overhead = directions[direction].count.overhead(header)
            return .encrypted(lead: overhead.lead, trail: overhead.trail)
        }
        // In TLS 1.3 the content type that the header shows is no content type.
        switch opened.contentType {
        case RecordType.applicationData: return takeData(opened)
        case RecordType.handshake:
            takeMessages(unsafe output.span.bytes, opened.content, direction)
            return .handshake
        case RecordType.alert:
            guard opened.content.count == 2 else { return .alert }
            let first = opened.content.lowerBound
            return take(alert: output[first], output[first + 1], direction)
        default: return .encrypted(lead: opened.lead, trail: opened.trail)
        }
    }

    private func takeData(_ opened: OpenedRecord) -> RecordContent {
        // No receiver takes more than 2¹⁴ bytes (RFC 8446 §5.2), so these never were anybody's data.
        guard opened.content.count <= RecordProtection.contentLimit else {
            handshake.findings.add(.recordMalformed)
            return .encrypted(lead: opened.lead, trail: opened.trail)
        }
        isDecrypted = true
        return .applicationData(content: opened.content, lead: opened.lead, trail: opened.trail)
    }

    func openHandshake(
        _ record: RawSpan, _ header: RecordHeader, _ direction: Direction, _ output: inout [UInt8]
    ) -> RecordContent {
        guard hidesHandshake(direction) else {
            guard !handshake.negotiation.isTLS13 || directions[direction].epoch == .clear else {
                // TLS 1.3 has no clear handshake message behind the ServerHello.
                handshake.findings.add(.handshakeMalformed)
                return .handshake
            }
            takeMessages(record, RecordHeader.length..<header.recordLength, direction)
            return .handshake
        }
        if isReady(direction), let opened = openProtected(record, direction, &output) {
            takeMessages(unsafe output.span.bytes, opened.content, direction)
        } else if !isReady(direction) {
            passHandshake(direction, isMissing: false)
        }
        return .handshake
    }

    func openAlert(_ record: RawSpan, _ header: RecordHeader, _ direction: Direction, _ output: inout [UInt8])
        -> RecordContent
    {
        // Two bytes are no encrypted alert: every cipher adds more.
        if header.fragmentLength == 2 {
            return take(alert: record.u8(RecordHeader.length), record.u8(RecordHeader.length + 1), direction)
        }
        guard hidesHandshake(direction) else { return .alert }
        guard isReady(direction) else {
            passProtected(direction)
            return .alert
        }
        guard let opened = openProtected(record, direction, &output), opened.content.count == 2 else { return .alert }
        let first = opened.content.lowerBound
        return take(alert: output[first], output[first + 1], direction)
    }

    func openChangeCipherSpec(_ record: RawSpan, _ direction: Direction, _ output: inout [UInt8]) -> RecordContent {
        // In a renegotiation it is protected by the keys that it ends.
        if hidesHandshake(direction), isReady(direction) { _ = openProtected(record, direction, &output) }
        takeChangeCipherSpec(direction)
        return .handshake
    }
}
