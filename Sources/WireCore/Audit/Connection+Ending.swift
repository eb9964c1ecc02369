/// The end of exchanges and of the connection: costs that are shared by policy, rows, records.
extension Connection {
    /// Ends the connection's books. `reason` says why where no FIN or RST did.
    mutating func end(_ reason: ConnectionClose, _ books: inout Books) {
        if closedTime == nil { close = reason }
        conclude(&books)
        bookConnection(&books)
    }

    /// Ends all messages and gives out the exchanges. Late packets of a closed connection may still come; what they cost
    /// the connection pays.
    mutating func conclude(_ books: inout Books) {
        books.moment = Moment(time: lastTime)
        giveUpKeys(&books)
        giveUpAllHoles(&books)
        if !isConcluded { noteMissingTails(&books) }
        for side in 0..<2 where !sides[side].isFinished {
            sides[side].isFinished = true
            endDirection(side, isOrderly: sides[side].finish <= sides[side].assembler.next, &books)
        }
        // What came behind a FIN is not waited for either.
        for side in 0..<2 {
            flushLayer(side, &books)
            abandonHead(side, &books)
        }
        settleAllCharges(&books)
        payForLookup(&books)
        sides[0].counts.unseen = sides[0].assembler.unseenByteCount
        sides[1].counts.unseen = sides[1].assembler.unseenByteCount
        if !startWasSeen { flags.insert(.noStart) }
        if close == .open { flags.insert(.noEnd) }
        if close == .reset { flags.insert(.reset) }
        if books.drops.contains(firstTime, through: lastTime) { flags.insert(.drops) }
        shareOverhead(&books)
        while firstExchange >= 0 { retire(Int(firstExchange), &books) }
        for side in 0..<2 { leaveMessage(side) }
        isConcluded = true
    }

    /// A message that began behind a FIN has no exchange any more that its rest could go to.
    private mutating func leaveMessage(_ side: Int) {
        switch sides[side].reader.state {
        case .head, .body, .chunked, .untilClose: sides[side].reader.state = .searching
        case .idle, .searching, .tunnel, .tunnelStart, .frames: break
        }
    }

    /// Bytes that were acknowledged, or lie before a FIN, but beyond the last byte seen: the capture missed them.
    private mutating func noteMissingTails(_ books: inout Books) {
        for side in 0..<2 {
            let highest = sides[side].assembler.highest
            let finish = sides[side].finish
            // Without a FIN seen, one position of the acknowledgment may be a FIN that was not.
            let acknowledged = finish == .never ? sides[side].acknowledged - 1 : min(sides[side].acknowledged, finish)
            guard sides[side].assembler.hasBase, acknowledged > highest else { continue }
            flags.insert(.gap)
            books.findings.add(.streamGap)
            sides[side].losses.insert(.gap)
            flagOpenStreams(side, &books)
            let index = sides[side].current
            guard index >= 0, books.exchanges.slots[Int(index)].ranges[side].end == .never else { continue }
            books.exchanges.slots[Int(index)].unseen += acknowledged - highest
            books.exchanges.slots[Int(index)].flags.insert(.gap)
        }
    }

    /// Messages of HTTP/2 that have not ended when the rest of their direction is missing.
    private func flagOpenStreams(_ side: Int, _ books: inout Books) {
        guard let http2 else { return }
        for stream in http2.streams.values where !stream[side].isEnded && books.exchanges.isLive(stream.owner) {
            books.exchanges.slots[Int(stream.owner.index)].flags.insert(.gap)
        }
    }

    /// Takes out of the chain.
    mutating func unlink(_ index: Int, _ books: inout Books) {
        for side in 0..<2 {
            if sides[side].current == Int32(index) { sides[side].current = endedBefore(index, side, books) }
            if sides[side].ownerHint == Int32(index) { sides[side].ownerHint = -1 }
        }
        liveExchangeCount -= 1
        let previous = books.exchanges.slots[index].previous
        let following = books.exchanges.slots[index].following
        if previous >= 0 {
            books.exchanges.slots[Int(previous)].following = following
        } else {
            firstExchange = following
        }
        if following >= 0 { books.exchanges.slots[Int(following)].previous = previous } else { lastExchange = previous }
    }

    /// The exchange before it in the direction, which pays for late packets still, if its message has ended there.
    private func endedBefore(_ index: Int, _ side: Int, _ books: borrowing Books) -> Int32 {
        let before = previousCurrent(index, side, books)
        guard before >= 0, books.exchanges.slots[Int(before)].ranges[side].end != .never,
            !books.exchanges.slots[Int(before)].awaitsFinalResponse
        else { return -1 }
        return before
    }

    /// Gives an exchange out, with its record, and frees its slot.
    mutating func retire(_ index: Int, _ books: inout Books) {
        complete(index, &books)
        // From here on costs stand in rows by direction: a late SYN can change nothing any more.
        let client = resolvedClientSide
        clientSide = client
        books.exchanges.slots[index].costs.add(to: &sides[0].settled, 0)
        books.exchanges.slots[index].costs.add(to: &sides[1].settled, 1)
        giveOut(index, client, &books)
        if nextToAnswer == Int32(index) { nextToAnswer = unanswered(behind: index, books) }
        if nextToAsk == Int32(index) { nextToAsk = -1 }
        forgetStream(of: index, books)
        unlink(index, &books)
        books.exchanges.release(Int32(index))
    }

    /// Puts an exchange into the outbox, with its names and its record.
    private mutating func giveOut(_ index: Int, _ client: Int, _ books: inout Books) {
        // Taken out while it grows: the names are made from other books.
        var text: [UInt8] = []
        swap(&text, &books.outbox.text)
        let names = appendNames(of: index, to: &text, books)
        noteHost(text, names.host, of: index, books)
        if books.keepsRecords {
            let copies = (api: Array(text[names.api]), host: Array(text[names.host]))
            let exchange = books.exchanges.slots[index]
            let costs = Directions(up: exchange.costs[client], down: exchange.costs[1 - client])
            books.outbox.exchangeRecords.append(record(exchange, costs, copies, books))
        }
        swap(&text, &books.outbox.text)
        books.outbox.add(
            ExchangeNames(api: names.api, host: names.host), up: books.exchanges.slots[index].costs[client],
            down: books.exchanges.slots[index].costs[1 - client], at: books.findings)
    }

    /// The connection's host is that of its first exchange that opens no tunnel, else of its first; exchanges leave in
    /// any order.
    private mutating func noteHost(
        _ text: [UInt8], _ host: Range<Int>, of index: Int, _ books: borrowing Books
    ) {
        let isTunnel = books.exchanges.slots[index].methodKind == .connect
        let rank = books.exchanges.slots[index].number + (isTunnel ? Int.max / 2 : 0)
        guard exchangeHost == nil || rank < exchangeHostRank else { return }
        exchangeHost = Array(text[host])
        exchangeHostRank = rank
    }

    private func forgetStream(of index: Int, _ books: borrowing Books) {
        guard let http2, books.exchanges.slots[index].stream >= 0 else { return }
        let id = Int(books.exchanges.slots[index].stream)
        if http2.streams[id]?.owner.index == Int32(index) { http2.streams[id] = nil }
    }

    /// Fills in what only the end shows: flags.
    private mutating func complete(_ index: Int, _ books: inout Books) {
        var added: RecordFlags = []
        if !books.exchanges.slots[index].request.isPresent { added.insert(.noRequest) }
        if !books.exchanges.slots[index].response.isPresent { added.insert(.noResponse) }
        let isWhole =
            books.exchanges.slots[index].request.isComplete && books.exchanges.slots[index].response.isComplete
        // A stream that RST_STREAM ended did so in sight, whatever becomes of its connection.
        let hasEnded = books.exchanges.slots[index].stream >= 0 && books.exchanges.slots[index].isAnswered
        if !isWhole, !hasEnded, close == .reset { added.insert(.reset) }
        if !isWhole, !hasEnded, close == .open { added.insert(.noEnd) }
        if hasPipelined, books.exchanges.slots[index].number >= uncertainFrom { added.formUnion(uncertainty) }
        added.formUnion(losses(ofMissing: index, books))
        if !startWasSeen, books.exchanges.slots[index].number == 0 { added.insert(.noStart) }
        // A request whose fields could not all be read may belong to any API.
        let hasTarget =
            books.exchanges.slots[index].targetLength > 0 || books.exchanges.slots[index].methodKind == .connect
        if books.exchanges.slots[index].stream >= 0, books.exchanges.slots[index].request.isPresent, !hasTarget {
            added.insert(.gap)
        }
        if books.drops.contains(books.exchanges.slots[index].firstTime, through: books.exchanges.slots[index].lastTime)
        {
            added.insert(.drops)
        }
        books.exchanges.slots[index].flags.formUnion(added)
    }

    /// A message that is missing where some may have been lost is no proof that it was not sent.
    private func losses(ofMissing index: Int, _ books: borrowing Books) -> RecordFlags {
        guard let requestSide else { return [] }
        var flags: RecordFlags = []
        if !books.exchanges.slots[index].request.isPresent { flags.formUnion(sides[requestSide].losses) }
        if !books.exchanges.slots[index].response.isPresent { flags.formUnion(sides[1 - requestSide].losses) }
        return flags
    }

    /// The first connection to an address that a DNS answer gave, opened after it, pays for the lookup.
    mutating func payForLookup(_ books: inout Books) {
        guard let cost = lookup else { return }
        let client = resolvedClientSide
        addOverhead(.setupDNS, client, cost.up, cost.upLink)
        addOverhead(.setupDNS, 1 - client, cost.down, cost.downLink)
        lookup = nil
    }

    /// Set-up, teardown and keep-alives go to exchanges as the policy says.
    private mutating func shareOverhead(_ books: inout Books) {
        guard firstExchange >= 0, books.options.setup != .separate else { return }
        guard books.options.setup == .even else { return moveOverhead(to: Int(firstExchange), &books) }
        var shares = ShareList()
        var index = firstExchange
        repeat {
            shares.add(books.exchanges.owner(index), 1)
            index = books.exchanges.slots[Int(index)].following
        } while index >= 0
        for side in 0..<2 {
            for cause in Connection.overheadCauses where sides[side].own[cause] > 0 {
                for (place, part) in books.divide(sides[side].own[cause], among: shares).enumerated() {
                    books.exchanges.slots[Int(shares[place].owner.index)].costs.add(cause, part, side)
                }
                sides[side].own[cause] = 0
            }
            for (place, part) in books.divide(sides[side].overheadLink, among: shares).enumerated() {
                books.exchanges.slots[Int(shares[place].owner.index)].costs.addLink(part, side)
            }
            sides[side].overheadLink = 0
            shareParts(among: shares, side, &books)
        }
    }

    /// One exchange pays all of it.
    private mutating func moveOverhead(to index: Int, _ books: inout Books) {
        for side in 0..<2 {
            for cause in Connection.overheadCauses where sides[side].own[cause] > 0 {
                books.exchanges.slots[index].costs.add(cause, sides[side].own[cause], side)
                sides[side].own[cause] = 0
            }
            books.exchanges.slots[index].costs.addLink(sides[side].overheadLink, side)
            sides[side].overheadLink = 0
            let (headers, records) = (sides[side].own.handshakeHeaders, sides[side].own.closingRecords)
            guard headers > 0 || records > 0 else { continue }
            books.exchanges.slots[index].costs[side].handshakeHeaders += headers
            books.exchanges.slots[index].costs[side].closingRecords += records
            sides[side].own.handshakeHeaders = 0
            sides[side].own.closingRecords = 0
        }
    }

    /// The parts of causes that stand beside them go where the causes go.
    private mutating func shareParts(among shares: ShareList, _ side: Int, _ books: inout Books) {
        guard sides[side].own.handshakeHeaders > 0 || sides[side].own.closingRecords > 0 else { return }
        for (place, part) in books.divide(sides[side].own.handshakeHeaders, among: shares).enumerated() {
            books.exchanges.slots[Int(shares[place].owner.index)].costs[side].handshakeHeaders += part
        }
        for (place, part) in books.divide(sides[side].own.closingRecords, among: shares).enumerated() {
            books.exchanges.slots[Int(shares[place].owner.index)].costs[side].closingRecords += part
        }
        sides[side].own.handshakeHeaders = 0
        sides[side].own.closingRecords = 0
    }
}
