/// STREAM data: new against repeated bytes, and their order.
extension QUICConnection {
    /// Whose a stream is: an exchange's, or the connection's.
    func owner(of id: UInt64, _ direction: Direction, _ context: inout StreamContext) -> Owner {
        stream(id, direction, nil, &context)?.owner ?? .connection
    }

    /// The stream; nil where it was forgotten, or there are too many. `first`: see `chooseReader`.
    private func stream(
        _ id: UInt64, _ direction: Direction, _ first: RawSpan?, _ context: inout StreamContext
    ) -> QUICStream? {
        if let known = streams[id] {
            // Whose a stream of the server is shows when its first bytes have come.
            if known.owner == .connection, let http3 {
                known.owner = http3.owner(of: id, direction, &tracker, &context)
            }
            return known
        }
        guard !streams.isForgotten(id) else { return nil }
        if streams.count >= context.options.streamLimit { streams.forgetClosed() }
        guard streams.count < context.options.streamLimit else {
            context.findings.add(.http3StreamLimit)
            return nil
        }
        if streams.isEmpty { chooseReader(id, first) }
        let owner = http3?.owner(of: id, direction, &tracker, &context) ?? .connection
        let stream = QUICStream(owner: owner)
        streams.add(stream, id)
        return stream
    }

    private func chooseReader(_ id: UInt64, _ first: RawSpan?) {
        guard http3 == nil, let tls = tracker.security?.handshake, tls.known.mayBeHTTP3(id, first) else { return }
        http3 = HTTP3Connection(isLate: tls.negotiation.clientRandom == nil)
        tracker.multiplexed = http3
    }

    func bookStream(
        _ frame: QUICFrame, _ bytes: RawSpan, _ direction: Direction, _ tally: inout QUICPacketTally,
        _ context: inout StreamContext
    ) {
        let count = frame.content.count
        let content = bytes.extracting(frame.content)
        guard let stream = stream(frame.stream, direction, frame.offset == 0 ? content : nil, &context) else {
            context.attribution.book(.connection, .retransmission, frame.header + count, direction)
            tally.repeated.add(.connection, max(count, 1))
            return
        }
        let owner = stream.owner
        var new = 0
        var parts: [Range<UInt64>] = []
        stream[direction].seen.add(frame.offset..<frame.offset + UInt64(count)) { part in
            new += part.count
            parts.append(part)
        }
        let end = frame.offset + UInt64(count)
        let isFirstFinal = frame.isFinal && stream[direction].end(at: end)
        if let size = stream[direction].finalSize, frame.isFinal ? end != size : end > size {
            context.findings.add(.endContradiction)
        }
        if new < count, stream[direction].contradicts(content, at: frame.offset) {
            context.findings.add(.inconsistentRetransmission)
        }
        context.attribution.book(owner, .retransmission, count - new, direction)
        if new > 0 || isFirstFinal {
            noteNew(owner, new + (isFirstFinal ? 1 : 0), frame.header, direction, &tally, &context)
        } else {
            tally.repeated.add(owner, max(count, 1))
            context.attribution.book(owner, .retransmission, frame.header, direction)
        }
        if owner != .connection { tally.last = owner }
        for part in parts { deliver(part, frame, bytes, stream, direction, &context) }
        finishIfWhole(frame.stream, stream, direction, &context)
    }

    /// New bytes of an exchange, or of a protocol that is not read, are what the packet was sent for; those of HTTP/3's own
    /// streams are control.
    private func noteNew(
        _ owner: Owner, _ weight: Int, _ header: Int, _ direction: Direction, _ tally: inout QUICPacketTally,
        _ context: inout StreamContext
    ) {
        if owner == .connection, http3 != nil {
            tally.hasNewControl = true
            context.attribution.book(.connection, .setupHTTP, header, direction)
        } else {
            tally.message.add(owner, weight)
            context.attribution.book(owner, .quic, header, direction)
        }
    }

    // MARK: Order

    /// New bytes go to the reader in their order; those that are ahead wait.
    private func deliver(
        _ part: Range<UInt64>, _ frame: QUICFrame, _ bytes: RawSpan, _ stream: QUICStream, _ direction: Direction,
        _ context: inout StreamContext
    ) {
        let start = frame.content.lowerBound + Int(part.lowerBound - frame.offset)
        let range = start..<start + part.count
        guard http3 != nil else {
            if context.keepsRecords, direction != client {
                readLookups(bytes.extracting(range), at: part.lowerBound, stream, &context)
            }
            return context.attribution.book(.connection, .opaque, part.count, direction)
        }
        if part.lowerBound > stream[direction].pieces.next {
            let limit = context.options.limitPerShard(of: context.options.totalHeldBytesLimit)
            if context.buffered.records + part.count > limit || !stream[direction].pieces.hasRoom {
                context.findings.add(.heldBytesLimit)
                giveUpGaps(frame.stream, stream, direction, &context)
                pass(upTo: part.lowerBound, frame.stream, stream, direction, &context)
            }
        }
        let next = stream[direction].pieces.next
        if part.lowerBound > next {
            stream[direction].pieces.hold(bytes, range, at: part.lowerBound, frame: context.findings.place.packet)
            context.buffered.records += part.count
        } else if part.lowerBound < next {
            // The reader has gone past the gap that these fill.
            context.attribution.book(stream.owner, .opaque, part.count, direction)
        } else {
            stream[direction].pieces.pass(part.count)
            stream[direction].history.add(bytes.extracting(range), total: part.count, at: StreamPosition(Int(next)))
            http3?.receive(bytes.extracting(range), stream: frame.stream, direction, &tracker, &context)
            readWaiting(frame.stream, stream, direction, &context)
        }
    }

    /// Connections that use an address in an answer of DNS over QUIC are linked to this one.
    private func readLookups(
        _ bytes: RawSpan, at offset: UInt64, _ stream: QUICStream, _ context: inout StreamContext
    ) {
        guard tracker.security?.handshake.known.applicationProtocol == Array("doq".utf8) else { return }
        for message in stream.readAnswers(bytes, at: offset, context.contentBudget) {
            context.tell(message, exchange: nil, of: tracker)
        }
    }

    private func readWaiting(
        _ id: UInt64, _ stream: QUICStream, _ direction: Direction, _ context: inout StreamContext
    ) {
        let frame = context.attribution.tracedFrame
        while let piece = stream[direction].pieces.takeNext() {
            context.buffered.records -= piece.bytes.count
            let bytes = unsafe piece.bytes.span.bytes
            let end = StreamPosition(Int(stream[direction].pieces.next))
            stream[direction].history.add(bytes, total: piece.bytes.count, at: end - piece.bytes.count)
            context.attribution.noteFrame(piece.frame)
            http3?.receive(bytes, stream: id, direction, &tracker, &context)
        }
        context.attribution.noteFrame(frame)
    }

    /// Missing bytes are not waited for any more.
    private func giveUpGaps(
        _ id: UInt64, _ stream: QUICStream, _ direction: Direction, _ context: inout StreamContext
    ) {
        while let gap = stream[direction].pieces.skipGap() {
            http3?.skip(gap, stream: id, direction, .gap, &tracker, &context)
            readWaiting(id, stream, direction, &context)
        }
    }

    private func pass(
        upTo place: UInt64, _ id: UInt64, _ stream: QUICStream, _ direction: Direction,
        _ context: inout StreamContext
    ) {
        let next = stream[direction].pieces.next
        guard place > next else { return }
        let count = Int(clamping: place - next)
        stream[direction].pieces.pass(count)
        http3?.skip(count, stream: id, direction, .gap, &tracker, &context)
    }

    // MARK: Ends

    private func finishIfWhole(
        _ id: UInt64, _ stream: QUICStream, _ direction: Direction, _ context: inout StreamContext
    ) {
        if let (size, errorCode) = stream[direction].reliable, stream[direction].pieces.next >= size,
            !stream[direction].isFinished
        {
            finish(id, stream, direction)
            http3?.reset(stream: id, by: direction, errorCode: errorCode, &tracker, &context)
            return
        }
        guard stream[direction].hasFinal, let size = stream[direction].finalSize, !stream[direction].isFinished,
            stream[direction].pieces.next >= size
                || http3 == nil && stream[direction].seen.highestMissing(in: 0..<size) == nil
        else { return }
        finish(id, stream, direction)
        http3?.finish(stream: id, direction, &tracker, &context)
    }

    private func finish(_ id: UInt64, _ stream: QUICStream, _ direction: Direction) {
        stream[direction].isFinished = true
        if QUICStream.isUnidirectional(id) || stream[direction.opposite].isFinished { streams.close(id) }
    }

    /// RESET_STREAM and STOP_SENDING end a stream before its time.
    func take(control frame: QUICFrame, _ direction: Direction, _ context: inout StreamContext) {
        guard let stream = streams[frame.stream], let http3 else { return }
        switch frame.kind {
        case .resetStreamAt where stream[direction].pieces.next < frame.reliableSize:
            // Up to there the stream is delivered all the same; then nothing more comes.
            stream[direction].reliable = (frame.reliableSize, frame.errorCode)
        case .resetStream where !stream[direction].isFinished, .resetStreamAt where !stream[direction].isFinished:
            finish(frame.stream, stream, direction)
            http3.reset(stream: frame.stream, by: direction, errorCode: frame.errorCode, &tracker, &context)
        case .stopSending:
            http3.stopSending(stream: frame.stream, by: direction, &tracker, &context)
        default: break
        }
    }

    /// The end of the connection: whatever waits is read as far as it can be.
    func finishStreams(_ context: inout StreamContext) {
        guard let http3 else { return }
        for id in streams.ids {
            guard let stream = streams[id] else { continue }
            for direction in Direction.both {
                giveUpGaps(id, stream, direction, &context)
                guard stream[direction].hasFinal, !stream[direction].isFinished,
                    let size = stream[direction].finalSize
                else { continue }
                pass(upTo: size, id, stream, direction, &context)
                finishIfWhole(id, stream, direction, &context)
            }
        }
        http3.finishAll(isOrderly: tracker.connection.close == .closed, &tracker, &context)
    }
}

extension TLSFacts {
    /// What the endpoints agreed on is HTTP/3, else what the client offered. Where nothing was seen of that, the first bytes of a
    /// stream must look like it; `first`: those bytes, where they have come.
    fileprivate func mayBeHTTP3(_ stream: UInt64, _ first: RawSpan?) -> Bool {
        let names = applicationProtocol.map { [$0] } ?? offeredProtocols
        guard names.isEmpty else { return names.contains { $0.starts(with: Array("h3".utf8)) } }
        guard let first else { return true }
        return HTTP3Stream.canBegin(stream, with: first)
    }
}
