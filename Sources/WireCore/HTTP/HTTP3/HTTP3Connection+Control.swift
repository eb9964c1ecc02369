/// The control stream of a direction (RFC 9114 §6.2.1, §7.2): all of it is the connection's.
extension HTTP3Connection {
    /// Longest control frame that is looked into, bytes.
    private static let payloadLimit = 16_384

    /// Follows the frames; the bytes are posted.
    func receiveControl(
        _ run: RawSpan, _ start: Int, _ stream: HTTP3Stream, _ direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        var offset = start
        while offset < run.byteCount, !stream[direction].isLost {
            switch stream[direction].reader.next(run, offset) {
            case .header(let count):
                offset += count
                guard stream[direction].reader.isHeaderWhole else { return }
                beginControl(stream, direction, &context)
            case .payload(let count):
                if !stream[direction].isPayloadBroken {
                    run.append(offset..<offset + count, to: &stream[direction].payload)
                    keep(count, stream, direction, &context)
                }
                offset += count
            }
            if stream[direction].reader.isFrameComplete { endControl(stream, direction, &tracker, &context) }
        }
    }

    private func beginControl(_ stream: HTTP3Stream, _ direction: Direction, _ context: inout StreamContext) {
        let reader = stream[direction].reader
        // SETTINGS is the first frame, and comes once (RFC 9114 §7.2.4).
        let isMisplaced = (reader.type == HTTP3FrameType.settings) != (reader.count == 1)
        if isMisplaced || HTTP3FrameType.isOfMessage(reader.type) || HTTP3FrameType.isOfHTTP2(reader.type) {
            context.findings.add(.http3FrameMalformed)
        }
        stream[direction].isPayloadBroken =
            reader.length > UInt64(HTTP3Connection.payloadLimit) || !HTTP3FrameType.isOfControl(reader.type)
    }

    private func endControl(
        _ stream: HTTP3Stream, _ direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        let payload = stream[direction].payload
        keep(-payload.count, stream, direction, &context)
        stream[direction].payload = []
        let reader = stream[direction].reader
        if reader.type == HTTP3FrameType.settings, !critical[direction].hasSettings {
            critical[direction].hasSettings = true
            receiveSettings(stream[direction].isPayloadBroken ? nil : payload, direction, &tracker, &context)
        }
        guard !stream[direction].isPayloadBroken else { return }
        switch reader.type {
        case HTTP3FrameType.cancelPush:
            guard let push = single(payload, &context) else { return }
            cancel(push, by: direction, tracker, &context)
        case HTTP3FrameType.goAway:
            guard single(payload, &context) != nil, direction != tracker.requester else { return }
            isDraining = isDraining || streams.values.contains { $0.message?[direction].isEnded == false }
        case HTTP3FrameType.maxPushID: _ = single(payload, &context)
        default: break
        }
    }

    /// The one integer that a frame consists of.
    private func single(_ payload: [UInt8], _ context: inout StreamContext) -> UInt64? {
        var offset = 0
        let value = VariableInteger.read(unsafe payload.span.bytes, &offset)
        guard let value, offset == payload.count else {
            context.findings.add(.http3FrameMalformed)
            return nil
        }
        return value
    }

    /// What a direction's sender allows the other one to send. Nil: it was too long to be looked at.
    private func receiveSettings(
        _ payload: [UInt8]?, _ direction: Direction, _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        guard let payload else {
            context.findings.add(.qpackLimit)
            return decoders[direction.opposite].lose(&context)
        }
        let bytes = unsafe payload.span.bytes
        var offset = 0
        var capacity: UInt64 = 0
        while offset < payload.count {
            guard let identifier = VariableInteger.read(bytes, &offset),
                let value = VariableInteger.read(bytes, &offset)
            else {
                context.findings.add(.http3FrameMalformed)
                break
            }
            if identifier == HTTP3Setting.qpackMaximumTableCapacity { capacity = value }
            if HTTP3Setting.isOfHTTP2(identifier) { context.findings.add(.http3FrameMalformed) }
        }
        decoders[direction.opposite].setCapacity(capacity, &context)
        unblock(direction.opposite, &tracker, &context)
    }

    /// A push that was promised will not come, or is not wanted (RFC 9114 §7.2.3).
    private func cancel(
        _ push: UInt64, by direction: Direction, _ tracker: borrowing ExchangeTracker,
        _ context: inout StreamContext
    ) {
        guard let message = pushes[push], context.attribution.isOpen(message.owner) else { return }
        if tracker.role(direction) == .request {
            tracker.noteGivenUp(message.index, by: direction, at: context.attribution.packet.time, &context)
        } else if !context.exchanges[message.index].response.isPresent, !message[direction].isEnded {
            message.cut(direction, .response, mayGoOn: false, &context)
        }
    }
}
