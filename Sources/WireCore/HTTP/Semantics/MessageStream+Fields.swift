/// What field blocks say of the messages of a stream.
extension MessageStream {
    /// A field block of the direction is whole. Returns what a body that follows it is like, where it is a head.
    func receive(
        _ fields: MessageFields, _ direction: Direction, _ role: MessageRole, _ origin: StreamOrigin,
        _ context: inout StreamContext
    ) -> BodyStart? {
        context.exchanges[index, role].addFields(fields.isKnown ? fields.section.decodedSize : nil)
        context.exchanges[index, role].addSizes(fields.section.sent, room: context.options.headerSectionLimit)
        if isRest(fields, direction, origin) {
            joinLate(direction, role, &context)
        } else if self[direction].hasHead {
            noteMalformed(fields.section.isMalformed(as: .trailer), origin, &context)
        } else if role == .request {
            noteRequest(fields, direction, origin, &context)
            return bodyStart(fields, direction, .request)
        } else if noteResponse(fields, direction, origin, &context) {
            return bodyStart(fields, direction, .response)
        }
        return nil
    }

    private func bodyStart(
        _ fields: MessageFields, _ direction: Direction, _ role: MessageRole
    ) -> BodyStart {
        self[direction].body.declaredLength = fields.section.contentLength
        return BodyStart(fields, role)
    }

    /// Trailers of a message whose head went by before.
    private func isRest(_ fields: MessageFields, _ direction: Direction, _ origin: StreamOrigin) -> Bool {
        guard !self[direction].hasHead, fields.section.method == nil, fields.section.status == nil else { return false }
        return self[direction].isJoinedLate || (origin.isLate && fields.endsStream)
    }

    /// Only the rest of the message is seen.
    func joinLate(_ direction: Direction, _ role: MessageRole, _ context: inout StreamContext) {
        self[direction].isJoinedLate = true
        context.exchanges[index, role].isBroken = true
        context.exchanges[index, role].addFields(nil)
    }

    /// Method, target and host of a request. Where the host's field is not known, the name of the server would be a guess.
    private func noteNames(
        _ fields: MessageFields, _ origin: StreamOrigin, _ context: inout StreamContext
    ) {
        let section = fields.section
        let named = section.authority ?? section.host
        if named == nil { noteUnknown(fields, origin, &context) }
        guard let method = section.method else { return }
        let isConnect = method == Array("CONNECT".utf8)
        let host = named ?? []
        if method == Array("HEAD".utf8) { context.exchanges[index].methodKind = .head }
        if isConnect, section.protocolName == nil { context.exchanges[index].methodKind = .connect }
        let limit = context.targetLimit
        context.exchanges[index].keepNames(
            method: method, target: section.path ?? (isConnect ? host : []), host: host, limit: limit)
    }

    private func recordContent(
        _ fields: MessageFields, _ role: MessageRole, _ context: inout StreamContext
    ) {
        let type = fields.section.contentTypeRange
        // The text alone: the section would be copied.
        let kept = fields.section.text
        let text = unsafe kept.span.bytes
        context.recordContentType(text, type, of: index, role)
        guard role == .request else { return }
        let isNamed = context.naming.fields.isNamed(fields.section.operationRank)
        context.recordOperation(text, field: fields.section.operationRange, isNamed: isNamed, type: type, of: index)
    }

    /// What the exchange is called, or which of its messages this is, depends on a field that may be an unknown one.
    private func noteUnknown(
        _ fields: MessageFields, _ origin: StreamOrigin, _ context: inout StreamContext
    ) {
        guard !fields.isKnown else { return }
        context.exchanges[index].flags.insert(origin.reason(.gap))
    }

    private func noteRequest(
        _ fields: MessageFields, _ direction: Direction, _ origin: StreamOrigin,
        _ context: inout StreamContext
    ) {
        self[direction].hasHead = true
        context.exchanges[index].request.isPresent = true
        context.exchanges[index].request.version = origin.version
        noteNames(fields, origin, &context)
        recordContent(fields, .request, &context)
        if fields.section.method == Array("CONNECT".utf8) { isTunnel = true }
        if context.options.keepsHeads {
            context.exchanges[index].request.head = fields.isKept ? fields.section.head(isRequest: true) : nil
        }
        if !fields.isBroken { noteMalformed(fields.section.isMalformed(as: .request), origin, &context) }
    }

    /// Returns whether it is the head of the final response.
    private func noteResponse(
        _ fields: MessageFields, _ direction: Direction, _ origin: StreamOrigin,
        _ context: inout StreamContext
    ) -> Bool {
        let status = fields.section.status ?? 0
        if !fields.isBroken { noteMalformed(fields.section.isMalformed(as: .response), origin, &context) }
        if (100..<200).contains(status), !fields.endsStream {
            context.exchanges[index].interim += fields.bytes
            return false
        }
        // Without its status, what does not end the stream may be an interim response as well.
        if fields.section.status == nil, !fields.endsStream { noteUnknown(fields, origin, &context) }
        self[direction].hasHead = true
        context.exchanges[index].response.isPresent = true
        context.exchanges[index].response.version = origin.version
        context.exchanges[index].status = status
        recordContent(fields, .response, &context)
        context.exchanges[index].responseStartTime = context.attribution.packet.time
        if context.options.keepsHeads {
            context.exchanges[index].response.head = fields.isKept ? fields.section.head(isRequest: false) : nil
        }
        if isTunnel {
            let isOpen = (200..<300).contains(status)
            isTunnel = isOpen
            if isOpen {
                let isConnect = context.exchanges[index].methodKind == .connect
                context.exchanges[index].flags.insert(isConnect ? .tunnel : .upgraded)
            } else {
                context.exchanges[index].request.framing = .frames
            }
        }
        return true
    }

    /// What follows a head begins, or nothing does.
    func beginBody(_ start: BodyStart, _ direction: Direction, endsStream: Bool, _ context: inout StreamContext) {
        let isDecodable = !start.codings.isUndecodable
        let isIdentity = start.codings.count == 0 && isDecodable && (start.isKnown || endsStream)
        context.exchanges[index, start.role].framing = isTunnel ? .tunnel : endsStream ? .none : .frames
        context.exchanges[index, start.role].isCoded = !isIdentity
        let isExamined = !endsStream && !isTunnel && isDecodable && start.isKnown
        let use = isExamined ? context.use(ofBody: start.role, of: index, isIdentity: isIdentity) : nil
        self[direction].body.begin(isIdentity: isIdentity, for: use, isExamined ? start.outline : nil, &context)
    }

    /// The stream was promised: its request is what the other endpoint says that it would have been (RFC 9113 §8.4, RFC
    /// 9114 §4.6). `direction`: of who promises, and answers.
    func receivePromise(
        _ fields: MessageFields, _ direction: Direction, _ origin: StreamOrigin, loss: RecordFlags,
        _ context: inout StreamContext
    ) {
        noteNames(fields, origin, &context)
        context.exchanges[index].flags.insert(.pushed)
        if fields.isBroken { context.exchanges[index].flags.insert(loss) }
        context.exchanges[index].request.isPresent = true
        context.exchanges[index].request.version = origin.version
        context.exchanges[index].request.framing = .none
        context.exchanges[index].request.fieldBytes = nil
        context.exchanges[index].request.isBroken = fields.isBroken
        context.exchanges[index].request.finish(0)
        context.exchanges[index].requestEndTime = context.attribution.packet.time
        self[direction.opposite].isEnded = true
        self[direction.opposite].hasHead = true
    }
}
