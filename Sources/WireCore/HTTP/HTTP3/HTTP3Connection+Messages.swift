/// Frames of messages (RFC 9114 §4.1, §7.2): who pays for each part, and what it says.
extension HTTP3Connection {
    /// Takes bytes of the run from `offset` on: a frame header, or payload. Returns how many.
    func receiveMessage(
        _ run: RawSpan, _ offset: Int, _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> Int {
        guard !stream[direction].isLost else {
            post(message.owner, .opaque, run.byteCount - offset, direction, &context)
            return run.byteCount - offset
        }
        switch stream[direction].reader.next(run, offset) {
        case .header(let count):
            receiveHeader(count, stream, message, direction, &tracker, &context)
            return count
        case .payload(let count):
            receivePayload(
                run.extracting(offset..<offset + count), stream, message, direction, &tracker, &context)
            return count
        }
    }

    private func receiveHeader(
        _ count: Int, _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        // The first one may turn out to be none: it is another call's, then.
        let isFirst = stream[direction].reader.count == (stream[direction].reader.isHeaderWhole ? 1 : 0)
        if isFirst, HTTP3Stream.isOfRequest(stream.id), direction == tracker.requester {
            hold(count, stream, direction, &context)
            guard stream[direction].reader.isHeaderWhole else { return }
            let length = stream[direction].reader.length
            if stream[direction].reader.type == HTTP3FrameType.webTransport, length != stream.id,
                streams[length]?.message != nil
            {
                cancelMessage(stream, &tracker, &context)
                return enterSession(length, stream, direction, &context)
            }
            postHeld(stream, direction, message.owner, .framing, &context)
        } else {
            post(message.owner, .framing, count, direction, &context)
            guard stream[direction].reader.isHeaderWhole else { return }
        }
        beginFrame(stream, message, direction, &tracker, &context)
        if stream[direction].reader.isFrameComplete { endFrame(stream, message, direction, &tracker, &context) }
    }

    private func beginFrame(
        _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        let type = stream[direction].reader.type
        stream[direction].isPayloadBroken = false
        let role = tracker.role(direction)
        switch type {
        case HTTP3FrameType.data:
            context.exchanges[message.index, role].dataFrames += stream[direction].reader.headerLength
            deliver(.data, stream, message, direction, &tracker, &context)
        case HTTP3FrameType.headers:
            context.exchanges[message.index, role].headerFrames += stream[direction].reader.headerLength
        case HTTP3FrameType.pushPromise:
            // Only a server promises, and not on a push (RFC 9114 §7.2.5).
            if role == .request || stream.isUnidirectional { context.findings.add(.http3FrameMalformed) }
        default:
            if HTTP3FrameType.isOfControl(type) || HTTP3FrameType.isOfHTTP2(type) {
                context.findings.add(.http3FrameMalformed)
            }
        }
    }

    private func receivePayload(
        _ bytes: RawSpan, _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        switch stream[direction].reader.type {
        case HTTP3FrameType.data:
            post(message.owner, message.isTunnel ? .opaque : .body, bytes.byteCount, direction, &context)
            receiveContent(bytes, stream, message, direction, &tracker, &context)
        case HTTP3FrameType.headers:
            post(message.owner, .headers, bytes.byteCount, direction, &context)
            receiveSection(bytes, stream, message, direction, &tracker, &context)
        case HTTP3FrameType.pushPromise:
            post(message.owner, .framing, bytes.byteCount, direction, &context)
            receiveSection(bytes, stream, message, direction, &tracker, &context)
        default: post(message.owner, .framing, bytes.byteCount, direction, &context)
        }
    }

    private func receiveContent(
        _ bytes: RawSpan, _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        guard !stream[direction].waiting.isEmpty else {
            message[direction].body.receive(bytes, &context)
            return
        }
        var copy: [UInt8] = []
        bytes.append(0..<bytes.byteCount, to: &copy)
        deliver(.content(copy), stream, message, direction, &tracker, &context)
    }

    /// Payload of a frame that holds a field section: kept until it is whole, or read where it lies.
    private func receiveSection(
        _ bytes: RawSpan, _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        let isWhole = stream[direction].reader.isFrameComplete
        if isWhole, stream[direction].waiting.isEmpty, stream[direction].reader.type == HTTP3FrameType.headers,
            bytes.byteCount == Int(clamping: stream[direction].reader.length),
            bytes.byteCount <= context.options.headerSectionLimit,
            readSection(bytes, bytes.byteCount, stream, message, direction, isLast: false, tracker, &context)
        {
            return
        }
        keepSection(bytes, stream, direction, &context)
        if isWhole { endFrame(stream, message, direction, &tracker, &context) }
    }

    private func keepSection(
        _ bytes: RawSpan, _ stream: HTTP3Stream, _ direction: Direction, _ context: inout StreamContext
    ) {
        guard !stream[direction].isPayloadBroken else { return }
        let count = stream[direction].payload.count
        guard count + bytes.byteCount <= context.options.headerSectionLimit, !context.isCrowdedWithHeads else {
            context.findings.add(.headerSectionLimit)
            return breakPayload(stream, direction, &context)
        }
        bytes.append(0..<bytes.byteCount, to: &stream[direction].payload)
        keep(bytes.byteCount, stream, direction, &context)
    }

    private func breakPayload(_ stream: HTTP3Stream, _ direction: Direction, _ context: inout StreamContext) {
        keep(-stream[direction].payload.count, stream, direction, &context)
        stream[direction].payload = []
        stream[direction].isPayloadBroken = true
    }

    /// A frame is whole, and what it holds is in `payload`.
    private func endFrame(
        _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        let type = stream[direction].reader.type
        guard type == HTTP3FrameType.headers || type == HTTP3FrameType.pushPromise else { return }
        let payload = stream[direction].payload
        let isBroken = stream[direction].isPayloadBroken
        let count = Int(clamping: stream[direction].reader.length)
        keep(-payload.count, stream, direction, &context)
        stream[direction].payload = []
        stream[direction].isPayloadBroken = false
        if type == HTTP3FrameType.headers {
            return deliver(
                .section(isBroken ? nil : payload, count: count), stream, message, direction, &tracker, &context)
        }
        guard !isBroken, tracker.role(direction) == .response, !stream.isUnidirectional else { return }
        var offset = 0
        let push = VariableInteger.read(unsafe payload.span.bytes, &offset)
        guard let push else { return context.findings.add(.http3FrameMalformed) }
        deliver(
            .promise(Array(payload[offset...]), count: count, push: push), stream, message, direction, &tracker,
            &context)
    }

    // MARK: Missing bytes

    func skipMessage(
        _ count: Int, _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction, _ reason: SkipReason,
        _ tracker: borrowing ExchangeTracker, _ context: inout StreamContext
    ) {
        let wasUntouched = stream[direction].isUntouched
        let isInData = stream[direction].reader.type == HTTP3FrameType.data
        let isInStep = !stream[direction].isLost && stream[direction].reader.skip(count)
        if !reason.isCounted { context.attribution.accounts[message.index].unseen += count }
        context.exchanges[message.index].flags.insert(wasUntouched && isLate ? .noStart : reason.flag)
        if isInStep, isInData {
            skipContent(count, stream, message, direction, reason, &context)
            if reason.isCounted { return }
        } else if isInStep {
            breakPayload(stream, direction, &context)
            if stream[direction].reader.type != HTTP3FrameType.headers { return }
            decoders[direction].missSection(stream: stream.id, tracker.role(direction), &context)
        } else {
            stream[direction].isLost = true
            decoders[direction].missSection(stream: stream.id, tracker.role(direction), &context)
            breakPayload(stream, direction, &context)
            message[direction].body.abandon(keepsSize: false, context)
            if !message[direction].hasHead, stream[direction].waiting.isEmpty {
                message.joinLate(direction, tracker.role(direction), &context)
            }
        }
        context.exchanges[message.index, tracker.role(direction)].isBroken = true
    }

    private func skipContent(
        _ count: Int, _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction, _ reason: SkipReason,
        _ context: inout StreamContext
    ) {
        guard stream[direction].waiting.isEmpty else {
            stream[direction].waiting.append(
                WaitingEvent(kind: .missing(count, reason), time: context.attribution.packet.time))
            return
        }
        message[direction].body.skip(count, reason, context)
    }
}
