/// Packets without payload, SYN, FIN and RST: which kind they are, and who pays (ledger §3, §5).
extension Connection {
    mutating func bookBare(
        _ segment: Segment, _ start: StreamPosition, acknowledgedBefore: StreamPosition, isHandshake: Bool,
        _ books: inout Books
    ) {
        let side = segment.side
        if isHandshake {
            addOverhead(.setupTCP, side, segment.internetBytes, segment.cost.link)
            return
        }
        if isKeepAlive(start, side) {
            sides[side].probeIsOpen = true
            addOverhead(.keepalive, side, segment.internetBytes, segment.cost.link)
            return
        }
        let other = 1 - side
        guard segment.flags.contains(.ack), sides[other].assembler.hasBase else {
            chargeUnowned(segment, .ack)
            return
        }
        let acknowledged = position(acknowledgedBy: segment)
        let advances = acknowledged > acknowledgedBefore
        if sides[other].probeIsOpen, !advances || acknowledged <= expected(other, books) {
            sides[other].probeIsOpen = false
            if !advances {
                addOverhead(.keepalive, side, segment.internetBytes, segment.cost.link)
                return
            }
        }
        if advances, acknowledged - 1 == sides[other].finish, acknowledgedBefore >= sides[other].finish {
            addOverhead(.teardown, side, segment.internetBytes, segment.cost.link)
            return
        }
        bookAcknowledgment(segment, acknowledged, advances: advances, &books)
    }

    /// No byte at one before the next expected: asks only for an answer (RFC 9293 §3.8.4).
    @inline(__always)
    private func isKeepAlive(_ start: StreamPosition, _ side: Int) -> Bool {
        start == sides[side].assembler.highest - 1 && sides[side].finish == .never
            && (sides[side].synchronize != nil || sides[side].assembler.highest > .zero)
    }

    private mutating func chargeUnowned(_ segment: Segment, _ cause: Cause) {
        sides[segment.side].own[cause] += segment.internetBytes
        sides[segment.side].own.link += segment.cost.link
    }

    /// The next byte expected. While a key is awaited, what has come waits among the held segments.
    @inline(__always)
    private func expected(_ side: Int, _ books: borrowing Books) -> StreamPosition {
        let next = sides[side].assembler.next
        return keyAwaitedSince == nil ? next : books.held.contiguousEnd(sides[side].assembler.held, from: next)
    }

    /// The owner of the last byte newly acknowledged pays; for a duplicate or a window update the owner of the next
    /// byte expected, else of the last byte seen.
    private mutating func bookAcknowledgment(
        _ segment: Segment, _ acknowledged: StreamPosition, advances: Bool, _ books: inout Books
    ) {
        let side = segment.side
        let other = 1 - side
        let finish = sides[other].finish
        var target = advances ? acknowledged - 1 : acknowledged
        if finish != .never, target >= finish { target = finish - 1 }
        if target >= sides[other].known {
            let expected = expected(other, books)
            let hasHole = !sides[other].assembler.held.isEmpty && expected < sides[other].assembler.highest
            if advances || hasHole || target < expected {
                deferCharge(
                    PendingCharge(
                        start: target, end: target + 1, cause: .ack, payer: side,
                        cost: HeaderCost(internet: segment.internetBytes, link: segment.cost.link)), on: other, &books)
                return
            }
            target = sides[other].assembler.highest - 1
            if target >= sides[other].known, target < expected {
                deferCharge(
                    PendingCharge(
                        start: target, end: target + 1, cause: .ack, payer: side,
                        cost: HeaderCost(internet: segment.internetBytes, link: segment.cost.link)), on: other, &books)
                return
            }
        }
        let owner = owner(at: target, other, books)
        post(owner, side, .ack, segment.internetBytes, &books)
        postLink(owner, side, segment.cost.link, &books)
    }

    mutating func deferCharge(_ charge: PendingCharge, on side: Int, _ books: inout Books) {
        guard sides[side].charges.count < books.options.chargeLimit else {
            books.findings.add(.pendingLimit)
            settle(charge, on: side, isFinal: true, &books)
            return
        }
        books.charges.append(charge, to: &sides[side].charges)
    }
}
