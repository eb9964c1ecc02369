/// Which response answers which request.
extension ExchangeTracker {
    /// Requests and responses were followed from the first byte on: the n-th response answers the n-th request.
    private var pairingIsCertain: Bool {
        connection.isReadFromStart && uncertainFrom == .max && !connection.flags.contains(.gap) && !isLost[0]
            && !isLost[1]
    }

    /// The exchange that a request beginning now belongs to. Not inlined: there the tracker would be copied.
    /// - Parameters:
    ///   - position: where it begins.
    ///   - answers: how far the other direction was delivered.
    @inline(never)
    mutating func exchange(
        ofRequest direction: Direction, at position: StreamPosition, answers: StreamPosition,
        _ context: inout StreamContext
    ) -> Int {
        let index: Int
        if orphanResponse >= 0, position < orphanAcknowledged {
            index = Int(orphanResponse)
        } else {
            let waits =
                oldestUnanswered >= 0
                ? answerIsStillDue(direction, answers, context) : lostRequestWaits(direction, answers, context)
            if waits { hasPipelined = true }
            index = begin(&context)
            if oldestUnanswered < 0 { oldestUnanswered = Int32(index) }
        }
        orphanResponse = -1
        ackAtLastRequest = context.attribution.packet.acknowledged
        return index
    }

    /// A request was sent before the answer to the one before it had come, as far as is known: the client had
    /// acknowledged nothing that was not seen.
    private func answerIsStillDue(
        _ direction: Direction, _ answers: StreamPosition, _ context: borrowing StreamContext
    ) -> Bool {
        let acknowledged = context.attribution.packet.acknowledged
        // Nothing of the server's was acknowledged between the two requests.
        if acknowledged == .unset || (ackAtLastRequest != .unset && acknowledged <= ackAtLastRequest) { return true }
        return !isLost[direction.opposite] && acknowledged <= answers
    }

    /// Requests may be missing right before the one that begins, and no response of the server, of which nothing is missing,
    /// has begun since: they wait like this one.
    private func lostRequestWaits(
        _ direction: Direction, _ answers: StreamPosition, _ context: borrowing StreamContext
    ) -> Bool {
        guard isLost[direction], isLostUnanswered[direction], !isLost[direction.opposite], connection.startWasSeen
        else { return false }
        let acknowledged = context.attribution.packet.acknowledged
        return acknowledged != .unset && acknowledged <= answers
    }

    /// The exchange that a response beginning now belongs to: the oldest unanswered one. Where messages may have been
    /// missed its packet must acknowledge some of that request, for an answer cannot come before its question; else
    /// it is an exchange without request.
    /// - Parameters:
    ///   - requests: how the requests' direction was reassembled so far.
    ///   - requestsHaveBegun: some of the bytes that requests lie in has come, or was missed.
    mutating func exchange(
        ofResponse direction: Direction, requests: borrowing StreamAssembler, requestsHaveBegun: Bool,
        _ context: inout StreamContext
    ) -> Int {
        let acknowledged = context.attribution.packet.acknowledged
        let requester = direction.opposite
        noteAnswer(direction)
        if abandoned != nil, let index = exchangeOfAbandoned(&context) { return index }
        passLostAnswers(upTo: acknowledged, direction, &context)
        let index = oldestUnanswered
        if index >= 0, !pairingIsCertain, acknowledged != .unset,
            context.attribution.accounts[Int(index)].ranges[requester].start >= acknowledged
        {
            return begin(before: index, &context)
        }
        if index >= 0, !pairingIsCertain, acknowledgesUnseen(behind: Int(index), requester, requests, context) {
            return beginUnasked(behind: Int(index), &context)
        }
        if index >= 0 { return Int(index) }
        let orphan = begin(&context)
        // The server spoke first: its client takes that for the answer to its first request.
        if pairingIsCertain, count == 1, !requestsHaveBegun, acknowledged <= requests.highest {
            (orphanResponse, orphanAcknowledged) = (Int32(orphan), .never)
        } else if acknowledged > requests.next, !hasPipelined, context.options.ordersDirections {
            // What it answers is in a packet that stands behind it in the capture, or in none.
            (orphanResponse, orphanAcknowledged) = (Int32(orphan), acknowledged)
        }
        return orphan
    }

    /// A response acknowledges a request that no packet held so far, and answers that one or the one that waits; the
    /// former where the client never asked before it had its last answer. Then the request may still come.
    private mutating func beginUnasked(behind waiting: Int, _ context: inout StreamContext) -> Int {
        let acknowledged = context.attribution.packet.acknowledged
        context.exchanges[waiting].flags.insert(.gap)
        if !hasPipelined {
            context.exchanges[waiting].response.isFinished = true
            oldestUnanswered = unanswered(behind: waiting, context)
        }
        let unasked = begin(&context)
        context.exchanges[unasked].flags.insert(.gap)
        if !hasPipelined, context.options.ordersDirections {
            (orphanResponse, orphanAcknowledged) = (Int32(unasked), acknowledged)
        }
        return unasked
    }

    /// Whether a response acknowledges bytes behind a waiting request that no packet held: they may be a request too.
    private func acknowledgesUnseen(
        behind index: Int, _ requester: Direction, _ requests: borrowing StreamAssembler,
        _ context: borrowing StreamContext
    ) -> Bool {
        let acknowledged = context.attribution.packet.acknowledged
        guard acknowledged != .unset else { return false }
        if acknowledged > requests.next { return true }
        let start = context.attribution.accounts[index].ranges[requester].start
        return requests.gaps.contains {
            $0.range.lowerBound >= start.value && $0.range.lowerBound < acknowledged.value
        }
    }

    /// An exchange for the answer to a request whose exchange was given out before; nil where the answer that begins is
    /// another's.
    private mutating func exchangeOfAbandoned(_ context: inout StreamContext) -> Int? {
        guard pairingIsCertain else {
            abandoned = nil
            return nil
        }
        let next = oldestUnanswered >= 0 ? context.exchanges[Int(oldestUnanswered)].number : .max
        guard let method = abandoned?.takeFirst(before: next) else { return nil }
        let index = begin(before: oldestUnanswered, &context)
        context.exchanges[index].methodKind = method
        return index
    }

    /// The next exchange behind one that has had no answer; responses without request stand among them. Inlined, because
    /// lending out the context copies it.
    @inline(__always)
    func unanswered(behind index: Int, _ context: borrowing StreamContext) -> Int32 {
        var next = context.attribution.accounts[index].following
        while next >= 0, context.exchanges[Int(next)].response.isPresent {
            next = context.attribution.accounts[Int(next)].following
        }
        return next
    }

    /// Where responses were lost, the one that begins now answers the latest request that the server had. A client that
    /// never sent a request before its last answer came has got the answers to all those before it.
    private mutating func passLostAnswers(
        upTo acknowledged: StreamPosition, _ direction: Direction, _ context: inout StreamContext
    ) {
        guard oldestUnanswered >= 0, acknowledged != .unset,
            isLost[direction] || !pairingIsCertain && !hasPipelined
        else { return }
        let requester = direction.opposite
        var index = oldestUnanswered
        var following = unanswered(behind: Int(index), context)
        while following >= 0, context.attribution.accounts[Int(following)].ranges[requester].start < acknowledged {
            context.exchanges[Int(index)].response.isFinished = true
            // Answers that could not be read were not missing.
            context.exchanges[Int(index)].flags.insert(uncertainty == .malformed ? .malformed : .gap)
            index = following
            following = unanswered(behind: Int(following), context)
        }
        oldestUnanswered = index
    }

    /// The response of an exchange has ended.
    mutating func noteAnswered(_ index: Int, _ context: inout StreamContext) {
        // A tunnel ends once more.
        if !context.exchanges[index].response.isFinished { context.answeredCount += 1 }
        if oldestUnanswered == Int32(index) { oldestUnanswered = unanswered(behind: index, context) }
    }
}
