import WireNative

/// Field blocks (RFC 9113 §4.3), and what they say of their messages.
extension HTTP2Connection {
    func beginBlock(_ frame: FrameHeader, _ frames: Frames, _ context: borrowing StreamContext) {
        guard frame.type != FrameType.continuation else {
            if frames.block == nil {
                frames.block = FieldBlock(
                    stream: frame.stream, isPush: false, endsStream: false, section: FieldSection(), isBroken: true)
            }
            return
        }
        frames.block = FieldBlock(
            stream: frame.stream, isPush: frame.type == FrameType.pushPromise, endsStream: frame.endsStream,
            section: FieldSection(keepsText: context.options.keepsHeads))
    }

    func receiveFragment(_ bytes: RawSpan, _ frames: Frames, _ context: inout StreamContext) {
        frames.block?.bytes += bytes.byteCount
        inflate(bytes, isFinal: false, frames, &context)
    }

    private func inflate(_ bytes: RawSpan, isFinal: Bool, _ frames: Frames, _ context: inout StreamContext) {
        guard var section = frames.block?.section, frames.block?.isBroken == false else { return }
        guard let inflater = frames.inflater else {
            frames.block?.isBroken = true
            return
        }
        frames.block?.section = FieldSection()
        let isCrowded = context.buffered.heads > context.options.limitPerShard(of: context.options.totalHeadBytesLimit)
        let limit = isCrowded ? section.keptBytes : context.options.headerSectionLimit
        let isRead = inflater.inflate(bytes, isFinal: isFinal) { name, value, _ in
            section.add(name: name, value: value, limit: limit)
        }
        countText(section.keptBytes, frames, &context)
        frames.block?.section = section
        guard !isRead else { return }
        context.findings.add(.fieldBlockMalformed)
        frames.block?.isBroken = true
    }

    /// The block is whole: what it says goes into its message.
    func endBlock(
        _ frames: Frames, _ direction: Direction, _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        inflate(RawSpan(), isFinal: true, frames, &context)
        guard let block = frames.block else { return }
        frames.block = nil
        countText(0, frames, &context)
        // What is behind a broken block refers to a table that is not known any more.
        if block.isBroken, frames.inflater != nil { frames.inflater = HPACKInflater(joinsLate: true) }
        countInflater(frames, &context)
        if block.section.hasUnknownFields { context.findings.add(.fieldsUnknown) }
        if block.section.isCut { context.findings.add(.headerSectionLimit) }
        if block.isPush {
            promise(block, direction, &tracker, &context)
            return
        }
        guard let stream = streams[block.stream], context.attribution.isOpen(stream.owner) else { return }
        let index = Int(stream.owner.index)
        let role = tracker.role(direction)
        context.exchanges[index][role].addFields(block.isKnown ? block.section.decodedSize : nil)
        if isRest(block, stream[direction]) {
            joinMessage(block.stream, direction, tracker, &context)
        } else if stream[direction].hasHead {
            noteMalformed(block.section.isMalformed(as: .trailer), index, &context)
        } else if role == .request {
            noteRequest(block, stream, index, direction, &context)
        } else {
            noteResponse(block, stream, index, direction, &context)
        }
    }

    /// Trailers of a message whose head went by before.
    private func isRest(_ block: FieldBlock, _ message: Message) -> Bool {
        guard !message.hasHead, block.section.method == nil, block.section.status == nil else { return false }
        return message.isJoinedLate || (isLate && block.endsStream)
    }

    /// Only the rest of the message is seen.
    func joinMessage(
        _ id: Int, _ direction: Direction, _ tracker: borrowing ExchangeTracker, _ context: inout StreamContext
    ) {
        guard let stream = streams[id], context.attribution.isOpen(stream.owner) else { return }
        stream[direction].isJoinedLate = true
        let role = tracker.role(direction)
        context.exchanges[Int(stream.owner.index)][role].isBroken = true
        context.exchanges[Int(stream.owner.index)][role].addFields(nil)
    }

    // MARK: Memory

    /// The tables of all connections together are bounded: beyond that a direction's fields stay unknown.
    private func countInflater(_ frames: Frames, _ context: inout StreamContext) {
        let bytes = frames.inflater?.memory ?? 0
        context.buffered.fieldTables += bytes - frames.inflaterBytes
        frames.inflaterBytes = bytes
        let limit = context.options.limitPerShard(of: context.options.totalFieldTableLimit)
        guard context.buffered.fieldTables > limit, bytes > 0 else { return }
        context.findings.add(.fieldTableLimit)
        forgetInflater(frames, &context)
    }

    func forgetInflater(_ direction: Direction, _ context: inout StreamContext) {
        if let frames = self[direction] { forgetInflater(frames, &context) }
    }

    private func forgetInflater(_ frames: Frames, _ context: inout StreamContext) {
        context.buffered.fieldTables -= frames.inflaterBytes
        frames.inflaterBytes = 0
        frames.inflater = nil
        // A block that goes on has no reader any more.
        guard frames.countedText > 0 else { return }
        countText(0, frames, &context)
        frames.block?.section = FieldSection()
        frames.block?.isBroken = true
    }

    /// What the direction's open field block keeps counts among the unfinished heads.
    private func countText(_ bytes: Int, _ frames: Frames, _ context: inout StreamContext) {
        context.buffered.heads += bytes - frames.countedText
        frames.countedText = bytes
    }

    // MARK: Messages

    func noteMalformed(_ isMalformed: Bool, _ index: Int, _ context: inout StreamContext) {
        guard isMalformed else { return }
        context.exchanges[index].flags.insert(.malformed)
        context.findings.add(.streamMessageMalformed)
    }

    /// Method, target and host of a request. Where the host's field is not known, the name of the server would be a guess.
    private func noteNames(
        _ block: FieldBlock, _ index: Int, _ direction: Direction, _ context: inout StreamContext
    ) {
        let section = block.section
        let named = section.authority ?? section.host
        if named == nil { noteUnknown(block, index, direction, &context) }
        guard let method = section.method else { return }
        let isConnect = method == Array("CONNECT".utf8)
        let host = named ?? []
        if method == Array("HEAD".utf8) { context.exchanges[index].methodKind = .head }
        if isConnect, section.protocolName == nil { context.exchanges[index].methodKind = .connect }
        let limit = context.targetLimit
        context.exchanges[index].keepNames(
            method: method, target: section.path ?? (isConnect ? host : []), host: host, limit: limit)
    }

    /// What the exchange is called, or which of its messages this is, depends on a field that may be an unknown one.
    private func noteUnknown(
        _ block: FieldBlock, _ index: Int, _ direction: Direction, _ context: inout StreamContext
    ) {
        guard !block.isKnown else { return }
        let reason = lossReason[direction]
        context.exchanges[index].flags.insert(reason.isEmpty ? isLate ? .noStart : .gap : reason)
    }

    private func noteRequest(
        _ block: FieldBlock, _ stream: Stream, _ index: Int, _ direction: Direction, _ context: inout StreamContext
    ) {
        stream[direction].hasHead = true
        context.exchanges[index].request.isPresent = true
        context.exchanges[index].request.version = .http2
        noteNames(block, index, direction, &context)
        if block.section.method == Array("CONNECT".utf8) { stream.isTunnel = true }
        if context.options.keepsHeads {
            context.exchanges[index].request.head = isKept(block) ? block.section.head(isRequest: true) : nil
        }
        if !block.isBroken { noteMalformed(block.section.isMalformed(as: .request), index, &context) }
        beginBody(block, stream, index, direction, .request, &context)
    }

    private func isKept(_ block: FieldBlock) -> Bool { block.isKnown && !block.section.isCut }

    private func noteResponse(
        _ block: FieldBlock, _ stream: Stream, _ index: Int, _ direction: Direction, _ context: inout StreamContext
    ) {
        let status = block.section.status ?? 0
        if !block.isBroken { noteMalformed(block.section.isMalformed(as: .response), index, &context) }
        if (100..<200).contains(status), !block.endsStream {
            context.exchanges[index].interim += block.bytes
            return
        }
        // Without its status, what does not end the stream may be an interim response as well.
        if block.section.status == nil, !block.endsStream { noteUnknown(block, index, direction, &context) }
        stream[direction].hasHead = true
        context.exchanges[index].response.isPresent = true
        context.exchanges[index].response.version = .http2
        context.exchanges[index].status = status
        context.exchanges[index].responseStartTime = context.attribution.packet.time
        if context.options.keepsHeads {
            context.exchanges[index].response.head = isKept(block) ? block.section.head(isRequest: false) : nil
        }
        if stream.isTunnel {
            let isOpen = (200..<300).contains(status)
            stream.isTunnel = isOpen
            if isOpen {
                let isConnect = context.exchanges[index].methodKind == .connect
                context.exchanges[index].flags.insert(isConnect ? .tunnel : .upgraded)
            }
        }
        beginBody(block, stream, index, direction, .response, &context)
    }

    private func beginBody(
        _ block: FieldBlock, _ stream: Stream, _ index: Int, _ direction: Direction, _ role: MessageRole,
        _ context: inout StreamContext
    ) {
        noteUnbroken(block.stream, direction)
        let section = block.section
        // A field that is not known may be a content coding.
        let isIdentity =
            section.codings.count == 0 && !section.codings.isUndecodable && (block.isKnown || block.endsStream)
        stream[direction].body.declaredLength = section.contentLength
        context.exchanges[index][role].framing = stream.isTunnel ? .tunnel : block.endsStream ? .none : .frames
        context.exchanges[index][role].isCoded = !isIdentity
        let isExamined =
            !block.endsStream && !stream.isTunnel && !section.codings.isUndecodable && block.isKnown
        let outline = BodyOutline(
            isRequest: role == .request, codings: section.codings.array, isLiterallyGzip: section.isLiterallyGzip,
            hasContentEncoding: section.hasContentEncoding)
        stream[direction].body.begin(isIdentity: isIdentity, isExamined ? outline : nil, &context)
    }

    /// A PUSH_PROMISE opens a stream: the request that its sender answers without being asked (RFC 9113 §8.4).
    private func promise(
        _ block: FieldBlock, _ direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        guard let id = block.promised, id > 0, streams[id] == nil else { return }
        let (owner, _) = openStream(id, direction, isRequest: true, &tracker, &context)
        guard context.attribution.isOpen(owner) else { return }
        let index = Int(owner.index)
        noteNames(block, index, direction, &context)
        context.exchanges[index].flags.insert(.pushed)
        if block.isBroken {
            context.exchanges[index].flags.insert(tracker.connection.flags.contains(.gap) ? .gap : .malformed)
        }
        context.exchanges[index].request.isPresent = true
        context.exchanges[index].request.version = .http2
        context.exchanges[index].request.framing = .none
        context.exchanges[index].request.fieldBytes = nil
        context.exchanges[index].request.isBroken = block.isBroken
        context.exchanges[index].request.finish(0)
        context.exchanges[index].requestEndTime = context.attribution.packet.time
        streams[id]?[direction.opposite].isEnded = true
        streams[id]?[direction.opposite].hasHead = true
    }
}
