import WireNative

/// HTTP/2 streams as exchanges: field blocks, bodies, and their ends (RFC 9113 §5, §8).
extension Connection {
    /// Opens a stream with its exchange; at the limit the connection pays.
    mutating func openStream(
        _ id: Int, _ side: Int, _ http2: HTTP2Connection, isRequest: Bool = false, _ books: inout Books
    ) -> (Owner, Cause?) {
        retireClosed(http2, &books)
        guard http2.streams.count < books.options.streamLimit else {
            books.findings.add(.streamLimit)
            http2.refusedUpTo = max(http2.refusedUpTo, id)
            return (.connection, .opaque)
        }
        let index = appendExchange(before: -1, &books)
        books.exchanges.slots[index].stream = Int32(truncatingIfNeeded: id)
        books.exchanges.slots[index].isSecure = sides[side].layer?.kind == .tls
        if http2.isLate, !isRequest { books.exchanges.slots[index].flags.insert(.noStart) }
        let owner = books.exchanges.owner(Int32(index))
        http2.streams[id] = HTTP2Connection.Stream(owner: owner)
        http2.noteUnbroken(id, 0)
        http2.noteUnbroken(id, 1)
        return (owner, nil)
    }

    // MARK: Field blocks

    func beginBlock(_ frame: FrameHeader, _ side: Int, _ http2: HTTP2Connection, _ books: borrowing Books) {
        guard frame.type != FrameType.continuation else {
            if http2[side]?.block == nil {
                http2[side]?.block = HTTP2Connection.FieldBlock(
                    stream: frame.stream, isPush: false, endsStream: false, section: FieldSection(), isBroken: true)
            }
            return
        }
        http2[side]?.block = HTTP2Connection.FieldBlock(
            stream: frame.stream, isPush: frame.type == FrameType.pushPromise, endsStream: frame.endsStream,
            section: FieldSection(keepsText: books.options.keepsHeads))
    }

    func breakBlock(_ side: Int, _ http2: HTTP2Connection) {
        http2[side]?.block?.isBroken = true
    }

    func readFragment(_ bytes: RawSpan, _ side: Int, _ http2: HTTP2Connection, _ books: inout Books) {
        http2[side]?.block?.bytes += bytes.byteCount
        inflate(bytes, isFinal: false, side, http2, &books)
    }

    private func inflate(
        _ bytes: RawSpan, isFinal: Bool, _ side: Int, _ http2: HTTP2Connection, _ books: inout Books
    ) {
        guard var section = http2[side]?.block?.section, http2[side]?.block?.isBroken == false else { return }
        guard let inflater = http2[side]?.inflater else {
            breakBlock(side, http2)
            return
        }
        http2[side]?.block?.section = FieldSection()
        let isCrowded = books.headBytes > books.options.part(of: books.options.totalHeadBytesLimit)
        let limit = isCrowded ? section.keptBytes : books.options.headerSectionLimit
        let isRead = inflater.inflate(bytes, isFinal: isFinal) { name, value, _ in
            section.add(name: name, value: value, limit: limit)
        }
        countText(section.keptBytes, side, http2, &books)
        http2[side]?.block?.section = section
        guard !isRead else { return }
        books.findings.add(.fieldBlockMalformed)
        breakBlock(side, http2)
    }

    /// The block is whole: what it says goes into its message.
    mutating func endBlock(
        at position: StreamPosition, _ side: Int, _ http2: HTTP2Connection, _ books: inout Books
    ) {
        inflate(RawSpan(), isFinal: true, side, http2, &books)
        guard let block = http2[side]?.block else { return }
        http2[side]?.block = nil
        countText(0, side, http2, &books)
        // What is behind a broken block refers to a table that is not known any more.
        if block.isBroken, http2[side]?.inflater != nil { http2[side]?.inflater = HPACKInflater(joinsLate: true) }
        countInflater(side, http2, &books)
        if block.section.hasUnknownFields { books.findings.add(.fieldsUnknown) }
        if block.section.isCut { books.findings.add(.headerSectionLimit) }
        if block.isPush {
            promise(block, side, http2, &books)
            return
        }
        guard let stream = http2.streams[block.stream], books.exchanges.isLive(stream.owner) else { return }
        let index = Int(stream.owner.index)
        noteFieldBytes(block, index, side, &books)
        if isRest(block, stream[side], http2) {
            joinMessage(block.stream, side, http2, &books)
        } else if stream[side].hasHead {
            noteMalformed(block.section.isMalformed(as: .trailer), index, &books)
        } else if side == requestSide {
            noteRequest(block, index, side, http2, &books)
        } else {
            noteResponse(block, index, side, http2, &books)
        }
    }

    /// Trailers of a message whose head went by before.
    private func isRest(
        _ block: HTTP2Connection.FieldBlock, _ message: HTTP2Connection.StreamMessage, _ http2: HTTP2Connection
    ) -> Bool {
        guard !message.hasHead, block.section.method == nil, block.section.status == nil else { return false }
        return message.isJoinedLate || (http2.isLate && block.endsStream)
    }

    /// Only the rest of the message is seen.
    func joinMessage(_ id: Int, _ side: Int, _ http2: HTTP2Connection, _ books: inout Books) {
        guard let stream = http2.streams[id], books.exchanges.isLive(stream.owner) else { return }
        let index = Int(stream.owner.index)
        stream[side].isJoinedLate = true
        books.exchanges.slots[index].setBroken(side == requestSide)
        if side == requestSide {
            books.exchanges.slots[index].request.addFields(nil)
        } else {
            books.exchanges.slots[index].response.addFields(nil)
        }
    }

    /// The tables of all connections together are bounded: beyond that a direction's fields stay unknown.
    private func countInflater(_ side: Int, _ http2: HTTP2Connection, _ books: inout Books) {
        let bytes = http2[side]?.inflater?.memory ?? 0
        books.fieldTableBytes += bytes - (http2[side]?.inflaterBytes ?? 0)
        http2[side]?.inflaterBytes = bytes
        guard books.fieldTableBytes > books.options.part(of: books.options.totalFieldTableLimit), bytes > 0 else {
            return
        }
        books.findings.add(.fieldTableLimit)
        forgetInflater(side, http2, &books)
    }

    func forgetInflater(_ side: Int, _ http2: HTTP2Connection, _ books: inout Books) {
        books.fieldTableBytes -= http2[side]?.inflaterBytes ?? 0
        http2[side]?.inflaterBytes = 0
        http2[side]?.inflater = nil
        // A block that goes on has no reader any more.
        guard let text = http2[side]?.countedText, text > 0 else { return }
        countText(0, side, http2, &books)
        http2[side]?.block?.section = FieldSection()
        breakBlock(side, http2)
    }

    /// What the direction's open field block keeps counts among the unfinished heads.
    private func countText(_ bytes: Int, _ side: Int, _ http2: HTTP2Connection, _ books: inout Books) {
        books.headBytes += bytes - (http2[side]?.countedText ?? 0)
        http2[side]?.countedText = bytes
    }

    func noteMalformed(_ isMalformed: Bool, _ index: Int, _ books: inout Books) {
        guard isMalformed else { return }
        books.exchanges.slots[index].flags.insert(.malformed)
        books.findings.add(.messageMalformed)
    }

    private func noteFieldBytes(
        _ block: HTTP2Connection.FieldBlock, _ index: Int, _ side: Int, _ books: inout Books
    ) {
        let isKnown = !block.isBroken && !block.section.hasUnknownFields
        let bytes = isKnown ? block.section.decodedSize : nil
        if side == requestSide {
            books.exchanges.slots[index].request.addFields(bytes)
        } else {
            books.exchanges.slots[index].response.addFields(bytes)
        }
    }

    /// Method, target and host of a request.
    private func noteNames(_ section: FieldSection, _ index: Int, _ books: inout Books) {
        guard let method = section.method else { return }
        let isConnect = method == Array("CONNECT".utf8)
        let host = section.authority ?? section.host ?? []
        if method == Array("HEAD".utf8) { books.exchanges.slots[index].methodKind = .head }
        if isConnect, section.protocolName == nil { books.exchanges.slots[index].methodKind = .connect }
        books.exchanges.slots[index].keepNames(
            method: method, target: section.path ?? (isConnect ? host : []), host: host, limit: books.targetLimit)
    }

    private mutating func noteRequest(
        _ block: HTTP2Connection.FieldBlock, _ index: Int, _ side: Int, _ http2: HTTP2Connection,
        _ books: inout Books
    ) {
        http2.streams[block.stream]?[side].hasHead = true
        books.exchanges.slots[index].request.isPresent = true
        books.exchanges.slots[index].request.version = .http2
        noteNames(block.section, index, &books)
        if block.section.method == Array("CONNECT".utf8) { http2.streams[block.stream]?.isTunnel = true }
        if books.options.keepsHeads {
            books.exchanges.slots[index].request.head = isKept(block) ? block.section.head(isRequest: true) : nil
        }
        if !block.isBroken { noteMalformed(block.section.isMalformed(as: .request), index, &books) }
        beginStreamBody(block, index, side, http2, &books)
    }

    private func isKept(_ block: HTTP2Connection.FieldBlock) -> Bool {
        !block.isBroken && !block.section.hasUnknownFields && !block.section.isCut
    }

    private mutating func noteResponse(
        _ block: HTTP2Connection.FieldBlock, _ index: Int, _ side: Int, _ http2: HTTP2Connection,
        _ books: inout Books
    ) {
        let status = block.section.status ?? 0
        if !block.isBroken { noteMalformed(block.section.isMalformed(as: .response), index, &books) }
        if (100..<200).contains(status), !block.endsStream {
            books.exchanges.slots[index].interim += block.bytes
            return
        }
        http2.streams[block.stream]?[side].hasHead = true
        books.exchanges.slots[index].response.isPresent = true
        books.exchanges.slots[index].response.version = .http2
        books.exchanges.slots[index].status = status
        books.exchanges.slots[index].responseStartTime = books.moment.time
        if books.options.keepsHeads {
            books.exchanges.slots[index].response.head = isKept(block) ? block.section.head(isRequest: false) : nil
        }
        if http2.streams[block.stream]?.isTunnel == true {
            let isOpen = (200..<300).contains(status)
            http2.streams[block.stream]?.isTunnel = isOpen
            if isOpen {
                books.exchanges.slots[index].flags.insert(
                    books.exchanges.slots[index].methodKind == .connect ? .tunnel : .upgraded)
            }
        }
        beginStreamBody(block, index, side, http2, &books)
    }

    /// A PUSH_PROMISE opens a stream: the request that its sender answers without being asked (RFC 9113 §8.4).
    private mutating func promise(
        _ block: HTTP2Connection.FieldBlock, _ side: Int, _ http2: HTTP2Connection, _ books: inout Books
    ) {
        guard let id = block.promised, id > 0, http2.streams[id] == nil else { return }
        let (owner, _) = openStream(id, side, http2, isRequest: true, &books)
        guard books.exchanges.isLive(owner) else { return }
        let index = Int(owner.index)
        noteNames(block.section, index, &books)
        books.exchanges.slots[index].flags.insert(.pushed)
        if block.isBroken { books.exchanges.slots[index].flags.insert(flags.contains(.gap) ? .gap : .malformed) }
        books.exchanges.slots[index].request.isPresent = true
        books.exchanges.slots[index].request.version = .http2
        books.exchanges.slots[index].request.framing = .none
        books.exchanges.slots[index].request.fieldBytes = nil
        books.exchanges.slots[index].request.isBroken = block.isBroken
        books.exchanges.slots[index].request.finish(0)
        books.exchanges.slots[index].requestEndTime = books.moment.time
        http2.streams[id]?[1 - side].isEnded = true
        http2.streams[id]?[1 - side].hasHead = true
    }

    // MARK: Upgrade

    /// The direction's message, whole or not, is no longer the current one.
    private mutating func leaveMessage(_ side: Int, _ books: inout Books) {
        switch sides[side].reader.state {
        case .head, .body, .chunked, .untilClose:
            abandonHead(side, &books)
            abandonBody(side, &books)
            sides[side].reader.state = .searching
        default: break
        }
        sides[side].current = -1
    }

    /// 101 led to HTTP/2: its exchange is stream 1 from here on, and what the upgrade cost is set-up (RFC 7540 §3.2).
    mutating func adoptUpgraded(_ index: Int, _ books: inout Books) {
        guard let http2, http2.streams[1] == nil else { return }
        for side in 0..<2 {
            for cause in [Cause.startLine, .headers, .framing] {
                let bytes = books.exchanges.slots[index].costs.bytes(cause, side)
                books.exchanges.slots[index].costs.add(cause, -bytes, side)
                sides[side].own[.setupHTTP] += bytes
            }
            if sides[side].current == Int32(index) { leaveMessage(side, &books) }
            books.exchanges.slots[index].ranges[side] = MessageRange()
        }
        books.exchanges.slots[index].stream = 1
        books.exchanges.slots[index].status = 0
        books.exchanges.slots[index].interim = 0
        books.exchanges.slots[index].flags.remove(.upgraded)
        books.exchanges.slots[index].request.version = .http2
        books.exchanges.slots[index].request.fieldBytes = nil
        if books.exchanges.slots[index].response.isFinished { books.answeredCount -= 1 }
        books.exchanges.slots[index].response = MessageState()
        books.exchanges.slots[index].responseStartTime = nil
        books.exchanges.slots[index].responseEndTime = nil
        let stream = HTTP2Connection.Stream(owner: books.exchanges.owner(Int32(index)))
        let client = requestSide ?? 0
        stream[client].hasHead = true
        stream[client].isEnded = true
        http2.streams[1] = stream
    }
}
