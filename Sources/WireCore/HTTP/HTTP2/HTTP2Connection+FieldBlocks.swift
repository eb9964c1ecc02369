import WireNative

/// Field blocks (RFC 9113 §4.3), and what they say of their messages.
extension HTTP2Connection {
    func beginBlock(_ frame: FrameHeader, _ frames: Frames, _ context: borrowing StreamContext) {
        guard frame.type != FrameType.continuation else {
            if frames.block == nil {
                frames.block = FieldBlock(
                    stream: frame.stream, isPush: false,
                    fields: MessageFields(section: FieldSection(), isBroken: true))
            }
            return
        }
        frames.block = FieldBlock(
            stream: frame.stream, isPush: frame.type == FrameType.pushPromise,
            fields: MessageFields(section: FieldSection(context), endsStream: frame.endsStream))
    }

    func receiveFragment(_ bytes: RawSpan, _ frames: Frames, _ context: inout StreamContext) {
        frames.block?.fields.bytes += bytes.byteCount
        inflate(bytes, isFinal: false, frames, &context)
    }

    private func inflate(_ bytes: RawSpan, isFinal: Bool, _ frames: Frames, _ context: inout StreamContext) {
        guard let fields = frames.block?.fields, !fields.isBroken else { return }
        guard let inflater = frames.inflater else {
            fields.isBroken = true
            return
        }
        let limit = context.isCrowdedWithHeads ? fields.section.keptBytes : context.options.headerSectionLimit
        let isRead = inflater.inflate(bytes, isFinal: isFinal) { name, value, coding in
            fields.section.add(name: name, value: value, coding, limit: limit)
        }
        countText(fields.section.memory, frames, &context)
        guard !isRead else { return }
        context.findings.add(.fieldBlockMalformed)
        fields.isBroken = true
    }

    /// The block is whole: what it says goes into its message.
    func endBlock(
        _ frames: Frames, _ direction: Direction, _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        inflate(RawSpan(), isFinal: true, frames, &context)
        frames.block?.fields.section.recordTableLimit(tableLimit(direction))
        guard let block = frames.block else { return }
        frames.block = nil
        countText(0, frames, &context)
        // What is behind a broken block refers to a table that is not known any more.
        if block.fields.isBroken, frames.inflater != nil { frames.inflater = HPACKInflater(joinsLate: true) }
        countInflater(frames, &context)
        if block.fields.section.hasUnknownFields { context.findings.add(.fieldsUnknown) }
        if block.fields.section.isCut { context.findings.add(.headerSectionLimit) }
        if block.isPush {
            promise(block, direction, &tracker, &context)
            return
        }
        guard let stream = streams[block.stream], context.attribution.isOpen(stream.owner) else { return }
        let role = tracker.role(direction)
        let start = stream.receive(block.fields, direction, role, origin(direction), &context)
        guard let start else { return }
        noteUnbroken(block.stream, direction)
        stream.beginBody(start, direction, endsStream: block.fields.endsStream, &context)
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
        frames.block?.fields.section = FieldSection()
        frames.block?.fields.isBroken = true
    }

    /// What the direction's open field block keeps counts among the unfinished heads.
    private func countText(_ bytes: Int, _ frames: Frames, _ context: inout StreamContext) {
        context.buffered.heads += bytes - frames.countedText
        frames.countedText = bytes
    }

    /// A PUSH_PROMISE opens a stream: the request that its sender answers without being asked (RFC 9113 §8.4).
    private func promise(
        _ block: FieldBlock, _ direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        guard let id = block.promised, id > 0, streams[id] == nil else { return }
        let (owner, _) = openStream(id, direction, isRequest: true, &tracker, &context)
        guard context.attribution.isOpen(owner), let stream = streams[id] else { return }
        stream.receivePromise(
            block.fields, direction, origin(direction),
            loss: tracker.connection.flags.contains(.gap) ? .gap : .malformed, &context)
    }
}
