/// Which response answers which request.
extension Connection {
    /// Requests and responses were followed from the first byte on: the n-th response answers the n-th request.
    private var pairingIsCertain: Bool {
        startWasSeen && uncertainFrom == .max && !flags.contains(.gap) && !sides[0].isLost && !sides[1].isLost
    }

    /// Whether a response acknowledges bytes behind a waiting request that no packet held: they may be a request too.
    private func acknowledgesUnseen(
        behind index: Int, _ acknowledged: StreamPosition, _ side: Int, _ books: borrowing Books
    ) -> Bool {
        guard acknowledged != .unset else { return false }
        if acknowledged > sides[1 - side].assembler.next { return true }
        let start = books.exchanges.slots[index].ranges[1 - side].start
        return sides[1 - side].assembler.holes.contains {
            $0.range.lowerBound >= start.value && $0.range.lowerBound < acknowledged.value
        }
    }

    /// The exchange that a response beginning now belongs to: the oldest unanswered one. Where messages may have been
    /// missed its packet must acknowledge some of that request, for an answer cannot come before its question; else
    /// it is an exchange without request.
    mutating func answeredExchange(_ side: Int, _ books: inout Books) -> Int {
        let acknowledged = books.moment.acknowledged
        if abandoned != nil, let index = answeredLate(&books) { return index }
        passLostAnswers(upTo: acknowledged, side, &books)
        var index = nextToAnswer
        if index >= 0, !pairingIsCertain, acknowledged != .unset,
            books.exchanges.slots[Int(index)].ranges[1 - side].start >= acknowledged
        {
            return appendExchange(before: index, &books)
        }
        if index >= 0, !pairingIsCertain, acknowledgesUnseen(behind: Int(index), acknowledged, side, books) {
            // It acknowledges a request that no packet held, and answers that one or the one that waits; the former where
            // the client never asked before it had its last answer.
            books.exchanges.slots[Int(index)].flags.insert(.gap)
            if !hasPipelined {
                books.exchanges.slots[Int(index)].response.isFinished = true
                nextToAnswer = unanswered(behind: Int(index), books)
            }
            let unasked = appendExchange(before: -1, &books)
            books.exchanges.slots[unasked].flags.insert(.gap)
            return unasked
        }
        guard index >= 0 else {
            index = Int32(appendExchange(before: -1, &books))
            let isUnseen = acknowledged > sides[1 - side].assembler.highest
            if pairingIsCertain, nextToAsk < 0, isUnseen || exchangeCount == 1 && hasNoContentYet(1 - side) {
                nextToAsk = index
                askedBefore = isUnseen ? acknowledged : .never
            }
            return Int(index)
        }
        nextToAnswer = index
        return Int(index)
    }

    /// An exchange for the answer to a request that had to leave the books before; nil where the answer that begins is
    /// another's.
    private mutating func answeredLate(_ books: inout Books) -> Int? {
        guard pairingIsCertain else {
            abandoned = nil
            return nil
        }
        let next = nextToAnswer >= 0 ? books.exchanges.slots[Int(nextToAnswer)].number : .max
        guard let method = abandoned?.takeFirst(before: next) else { return nil }
        let index = appendExchange(before: nextToAnswer, &books)
        books.exchanges.slots[index].methodKind = method
        return index
    }

    /// The next exchange behind one that has had no answer; responses without request stand among them. Inlined, because
    /// lending out the books copies them.
    @inline(__always)
    func unanswered(behind index: Int, _ books: borrowing Books) -> Int32 {
        var next = books.exchanges.slots[index].following
        while next >= 0, books.exchanges.slots[Int(next)].response.isPresent {
            next = books.exchanges.slots[Int(next)].following
        }
        return next
    }

    /// Where responses were lost, the one that begins now answers the latest request that the server had. A client that
    /// never sent a request before its last answer came has got the answers to all those before it.
    private mutating func passLostAnswers(upTo acknowledged: StreamPosition, _ side: Int, _ books: inout Books) {
        guard nextToAnswer >= 0, acknowledged != .unset, sides[side].isLost || !pairingIsCertain && !hasPipelined else {
            return
        }
        var index = nextToAnswer
        var following = unanswered(behind: Int(index), books)
        while following >= 0, books.exchanges.slots[Int(following)].ranges[1 - side].start < acknowledged {
            books.exchanges.slots[Int(index)].response.isFinished = true
            // Answers that could not be read were not missing.
            books.exchanges.slots[Int(index)].flags.insert(uncertainty == .malformed ? .malformed : .gap)
            index = following
            following = unanswered(behind: Int(following), books)
        }
        nextToAnswer = index
    }

    /// A request was sent before the answer to the one before it had come, as far as is known: the client had
    /// acknowledged nothing that was not seen.
    func answerIsStillDue(_ side: Int, _ books: borrowing Books) -> Bool {
        let acknowledged = books.moment.acknowledged
        // Nothing of the server's was acknowledged between the two requests.
        if acknowledged == .unset || (askedWith != .unset && acknowledged <= askedWith) { return true }
        return !sides[1 - side].isLost && acknowledged <= sides[1 - side].assembler.next
    }
}
